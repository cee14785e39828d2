package ortho

// InOrder puts a mask of octants into the order of visiting.
func InOrder(mask uint8, nearest int) uint8 { return inOrder[nearest][mask] }

var inOrder = func() (table [8][256]uint8) {
	for nearest := range table {
		for mask := range table[nearest] {
			for i := range 8 {
				table[nearest][mask] |= uint8(mask>>(i^nearest)&1) << i
			}
		}
	}
	return table
}()

// HalfBrick is the brick of a node whose octants are leaves: each leaf as the
// eight octants that it would have.
func HalfBrick(mask uint8) uint64 {
	const firstBits = 0x0101010101010101
	// Bit o of the mask comes to bit 0 of byte o.
	spread := (uint64(mask) * firstBits) & 0x8040201008040201
	return ((spread + 0x7f7f7f7f7f7f7f7f) >> 7 & firstBits) * 0xff
}
