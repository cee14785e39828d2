package ortho

// maxRecords is how many records may wait before those that nobody sees any
// more are dropped: many times the pixels of a tile, so that it happens rarely,
// and far below what a Ref can name.
const maxRecords = 1 << 20

// compact drops the records that no pixel sees, and their patches. Of contested
// instances each may leave a record for every pixel, and most of these lose
// them: a thousand instances at one place would use up the numbers of a Ref.
func (c *Canvas) compact() {
	// First marks, then the new places.
	records, patches := make([]uint32, len(c.Records)), make([]uint32, len(c.Patches))
	for _, ref := range c.seen {
		if ref != 0 {
			records[ref>>6] = 1
			patches[c.Patch(ref)] = 1
		}
	}
	kept := c.Patches[:0]
	for i, p := range c.Patches {
		if patches[i] != 0 {
			patches[i] = uint32(len(kept))
			kept = append(kept, p)
		}
	}
	c.Patches = kept
	seen := c.Records[:1] // entry 0 means nothing
	for i, r := range c.Records {
		if records[i] != 0 {
			records[i] = uint32(len(seen))
			seen = append(seen, Record{Leaves: r.Leaves, ID: r.ID, Place: NewPlace(int(patches[r.Place>>3]), int(r.Place&7))})
		}
	}
	c.Records = seen
	for i, ref := range c.seen {
		if ref != 0 {
			c.seen[i] = NewRef(int(records[ref>>6]), int(ref&63))
		}
	}
}
