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
