package asm

import "encoding/binary"

// Ref tells what a pixel sees: the index of a Record and, in the low six bits,
// a part of it. 0 is nothing.
type Ref uint32

// Record is one node that some pixel sees, or a brick of 64 of which some are
// seen: enough to find the colour of each without a look at the tree.
type Record struct {
	// Leaves are the leaves of a brick that are not empty: bit 8*o+p is octant p
	// of octant o.
	Leaves uint64
	// ID is the id of the node, or of a brick's first leaf.
	ID uint32
	// Place is the index of what held it, and its octant in the low three bits.
	Place uint32
}

// Canvas is the picture as the drawing kernels see it. The kernels know the
// order of the fields, and that a slice begins with its pointer.
type Canvas struct {
	// Cells is a coverage buffer in strips, 1 for an open pixel: the pixel at
	// (x, y) from the upper left corner of its padding is bit x&7 of
	// Cells[x>>3*Height+y].
	Cells []uint8
	// Seen is what each pixel sees, Width to a row, without padding.
	Seen   []Ref
	Height int
	Width  int
	// X and Y are the upper left corner of the canvas in the picture; the
	// padding begins Pad pixels before.
	X, Y int32
}

// Pad is how many closed pixels surround a canvas on each side: windows may
// hang over the border, and the padding does the clipping.
const Pad = 16

// everyByte repeats a byte in all eight.
const everyByte = 0x0101010101010101

// fromBit are the bits s to 7 of every byte.
var fromBit = [8]uint64{
	everyByte * 0xff, everyByte * 0xfe, everyByte * 0xfc, everyByte * 0xf8,
	everyByte * 0xf0, everyByte * 0xe0, everyByte * 0xc0, everyByte * 0x80,
}

// Window is the 8x8 window of a buffer in strips whose upper left corner is
// cell (x, y): bit 8*j+i is the cell (x+i, y+j).
func Window(cells []uint8, height, x, y int) uint64 {
	at, s := (x>>3)*height+y, uint(x&7)
	left := binary.LittleEndian.Uint64(cells[at:])
	right := binary.LittleEndian.Uint64(cells[at+height:])
	keep := fromBit[s] >> s // the columns that the left strip holds
	return left>>s&keep | right<<(8-s)&^keep
}

// Close clears the cells of a window that are set in mask.
func Close(cells []uint8, height, x, y int, mask uint64) {
	at, s := (x>>3)*height+y, uint(x&7)
	left, right := cells[at:at+8], cells[at+height:at+height+8]
	binary.LittleEndian.PutUint64(left, binary.LittleEndian.Uint64(left)&^(mask<<s&fromBit[s]))
	binary.LittleEndian.PutUint64(right, binary.LittleEndian.Uint64(right)&^(mask>>(8-s)&^fromBit[s]))
}

// AnyOpen tells whether a cell of a rectangle that is not empty is set, upper ends
// exclusive. It looks at the strips as they stand, which is less than windows would be.
func AnyOpen(cells []uint8, height, x0, x1, y0, y1 int) bool {
	left, right, rows := x0>>3, (x1-1)>>3, y1-y0
	last := rowsBefore(uint32((rows-1)&7 + 1)) // of the last eight
	for x := left; x <= right; x++ {
		column := cells[x*height+y0:]
		open, y := uint64(0), 0
		for ; y < rows-8; y += 8 {
			open |= binary.LittleEndian.Uint64(column[y:])
		}
		open |= binary.LittleEndian.Uint64(column[y:]) & last
		if x == left {
			open &= fromBit[x0&7]
		}
		if x == right {
			open &= columnsBefore(uint32((x1-1)&7 + 1))
		}
		if open != 0 {
			return true
		}
	}
	return false
}
