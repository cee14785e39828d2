// Package occlusion knows which pixels are already taken. Nodes are drawn front
// to back, so a node whose pixels are all taken is hidden, with everything in
// it.
package occlusion

import (
	"encoding/binary"
)

// Bytes is a coverage buffer of one byte a pixel, 0 for an open pixel and 255
// for a taken one: the buffer of the method's source document, which found a
// byte a pixel faster than bits in 8x8 blocks since no masks are made.
type Bytes struct {
	width, height int
	cells         []uint8
}

// slack lets the last row be read eight pixels at a time.
const slack = 8

// Reset makes the buffer width x height open pixels.
func (b *Bytes) Reset(width, height int) {
	b.width, b.height = width, height
	if n := width*height + slack; cap(b.cells) < n {
		b.cells = make([]uint8, n)
	} else {
		b.cells = b.cells[:n]
		clear(b.cells)
	}
}

// AnyOpen tells whether a pixel of the rectangle is open: x0 <= x < x1,
// y0 <= y < y1, which must lie inside the buffer. An empty rectangle has none.
func (b *Bytes) AnyOpen(x0, x1, y0, y1 int) bool {
	// Eight pixels a load; most rectangles are narrower, and the mask blinds
	// what stands to their right.
	for y := y0; y < y1; y++ {
		row := b.cells[y*b.width:]
		for x := x0; x < x1; x += 8 {
			taken := binary.LittleEndian.Uint64(row[x:])
			if rest := x1 - x; rest < 8 {
				taken |= ^uint64(0) << (8 * rest)
			}
			if taken != ^uint64(0) {
				return true
			}
		}
	}
	return false
}

// Open tells whether pixel (x, y) is open.
func (b *Bytes) Open(x, y int) bool { return b.cells[y*b.width+x] == 0 }

// Take marks pixel (x, y) as taken.
func (b *Bytes) Take(x, y int) { b.cells[y*b.width+x] = 255 }

// Reopen marks pixel (x, y) as open again.
func (b *Bytes) Reopen(x, y int) { b.cells[y*b.width+x] = 0 }

// Cell is the open pixels of a cell.
func (b *Bytes) Cell(x, y int) (open uint64) {
	for j := range min(CellSide, b.height-y) {
		for i := range min(CellSide, b.width-x) {
			if b.Open(x+i, y+j) {
				open |= 1 << (8*j + i)
			}
		}
	}
	return open
}

// SetCell makes a cell's open pixels those in open.
func (b *Bytes) SetCell(x, y int, open uint64) {
	for j := range min(CellSide, b.height-y) {
		for i := range min(CellSide, b.width-x) {
			b.cells[(y+j)*b.width+x+i] = 255
			if open>>(8*j+i)&1 != 0 {
				b.Reopen(x+i, y+j)
			}
		}
	}
}
