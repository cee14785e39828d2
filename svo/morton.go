package svo

// EncodeMorton interleaves the bits of a voxel's coordinates: bit k of x, y
// and z become bits 3k, 3k+1 and 3k+2. Sorted by this code, voxels lie in the
// order in which a depth-first walk of the octree meets them, and every three
// bits are an octant. Coordinates must be below 2^21; higher bits are lost.
func EncodeMorton(x, y, z uint32) uint64 {
	return spread(x) | spread(y)<<1 | spread(z)<<2
}

// DecodeMorton is the inverse of EncodeMorton.
func DecodeMorton(code uint64) (x, y, z uint32) {
	return gather(code), gather(code >> 1), gather(code >> 2)
}

// mortonX are the bits of a code that stem from x; masked by them, codes
// compare as their x coordinates do.
const mortonX = 0x1249249249249249

// spread puts two zeros between neighbouring bits by doubling the distance of
// ever smaller groups (Warren, Hacker's Delight, section 7-2).
func spread(v uint32) uint64 {
	w := uint64(v) & 0x1fffff
	w = (w | w<<32) & 0x001f00000000ffff
	w = (w | w<<16) & 0x001f0000ff0000ff
	w = (w | w<<8) & 0x100f00f00f00f00f
	w = (w | w<<4) & 0x10c30c30c30c30c3
	return (w | w<<2) & mortonX
}

// gather undoes spread.
func gather(w uint64) uint32 {
	w &= mortonX
	w = (w | w>>2) & 0x10c30c30c30c30c3
	w = (w | w>>4) & 0x100f00f00f00f00f
	w = (w | w>>8) & 0x001f0000ff0000ff
	w = (w | w>>16) & 0x001f00000000ffff
	return uint32(w|w>>32) & 0x1fffff
}
