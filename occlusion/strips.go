package occlusion

import (
	"encoding/binary"
	"math/bits"

	"github.com/cfef80af/eightfold/asm"
)

// Pad is how many closed pixels surround a strip buffer on each side.
const Pad = asm.Pad

// Strips is a coverage buffer of one bit a pixel, 1 where it is open. Eight
// pixels side by side are a byte, and the bytes of a column eight pixels wide
// stand one below the other, so that any 8x8 window, however it lies, is two
// unaligned 64-bit loads and a shift. The same layout again tells which 8x8
// tiles, and which blocks of 8x8 tiles, may still have an open pixel. Whoever
// closes pixels leaves it at that: a tile or a block of which none is left is
// closed when it is next looked at.
type Strips struct {
	Pixels, Tiles, Blocks Level
}

// Level is one level of a strip buffer: the window with its upper left corner
// at cell (x, y), counted from the padding's corner, begins at
// Cells[(x>>3)*Height+y], bit x&7. Bit 8*j+i of a window is cell (x+i, y+j).
type Level struct {
	Cells  []uint8
	Height int // bytes of a strip
}

func (l *Level) reset(width, height int) {
	// A window may begin at any cell and reach eight further.
	l.Height = (height + 8 + 7) &^ 7
	l.Cells = cleared(l.Cells, ((width+7)/8+2)*l.Height+8)
}

func cleared(s []uint8, n int) []uint8 {
	if cap(s) < n {
		return make([]uint8, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// Window is the 8x8 window whose upper left corner is cell (x, y).
func (l *Level) Window(x, y int) uint64 { return asm.Window(l.Cells, l.Height, x, y) }

// Close closes the cells of a window that are set in mask.
func (l *Level) Close(x, y int, mask uint64) { asm.Close(l.Cells, l.Height, x, y, mask) }

// rectMask has the first w columns (1 to 8) of the first h rows set.
func rectMask(w, h int) uint64 {
	return 0x0101010101010101 * uint64(0xff>>(8-w)) & (^uint64(0) >> (64 - 8*h))
}

// Reset makes the buffer width x height open pixels.
func (s *Strips) Reset(width, height int) {
	s.Pixels.reset(width+2*Pad, height+2*Pad)
	s.Tiles.reset((width+2*Pad+7)/8, (height+2*Pad+7)/8)
	s.Blocks.reset((width+2*Pad+63)/64, (height+2*Pad+63)/64)
	s.open(Rect{0, width, 0, height})
}

// Rect is a rectangle of pixels, upper ends exclusive.
type Rect struct{ X0, X1, Y0, Y1 int }

// open opens a rectangle on every level.
func (s *Strips) open(r Rect) {
	s.Pixels.fill(Rect{r.X0 + Pad, r.X1 + Pad, r.Y0 + Pad, r.Y1 + Pad})
	tiles := Rect{(r.X0 + Pad) >> 3, (r.X1+Pad-1)>>3 + 1, (r.Y0 + Pad) >> 3, (r.Y1+Pad-1)>>3 + 1}
	s.Tiles.fill(tiles)
	s.Blocks.fill(Rect{tiles.X0 >> 3, (tiles.X1-1)>>3 + 1, tiles.Y0 >> 3, (tiles.Y1-1)>>3 + 1})
}

// fill opens a rectangle of cells.
func (l *Level) fill(r Rect) {
	for x := r.X0 &^ 7; x < r.X1; x += 8 {
		first, last := max(r.X0-x, 0), min(r.X1-x, 8)
		column := l.Cells[(x>>3)*l.Height:]
		for y := r.Y0; y < r.Y1; y++ {
			column[y] |= uint8(0xff<<first) & uint8(0xff>>(8-last))
		}
	}
}

// exactBelow is the side in pixels up to which AnyOpen looks at no tiles.
const exactBelow = 24

// AnyOpen tells whether a pixel of the rectangle, which must lie inside the
// buffer, is open: exactly up to 57 pixels, beyond that by the blocks that it
// touches. An empty rectangle has none.
func (s *Strips) AnyOpen(x0, x1, y0, y1 int) bool {
	if x0 >= x1 || y0 >= y1 {
		return false
	}
	x0, x1, y0, y1 = x0+Pad, x1+Pad, y0+Pad, y1+Pad
	if x1-x0 <= 8 && y1-y0 <= 8 { // most rectangles
		return s.Pixels.Window(x0, y0)&rectMask(x1-x0, y1-y0) != 0
	}
	if x1-x0 <= exactBelow && y1-y0 <= exactBelow {
		return s.anyPixelOpen(x0, x1, y0, y1)
	}
	if (x1+7)>>3-x0>>3 <= 8 && (y1+7)>>3-y0>>3 <= 8 {
		return s.anyOpenInTiles(x0, x1, y0, y1)
	}
	return s.anyOpenInBlocks(x0>>6, (x1+63)>>6, y0>>6, (y1+63)>>6)
}

func (s *Strips) anyPixelOpen(x0, x1, y0, y1 int) bool {
	return asm.AnyOpen(s.Pixels.Cells, s.Pixels.Height, x0, x1, y0, y1)
}

// anyOpenInTiles looks at the tiles that a rectangle of at most 8x8 of them touches.
func (s *Strips) anyOpenInTiles(x0, x1, y0, y1 int) bool {
	left, right, top, bottom := x0>>3, (x1-1)>>3, y0>>3, (y1-1)>>3
	open := s.Tiles.Window(left, top) & rectMask(right-left+1, bottom-top+1)
	for ; open != 0; open &= open - 1 {
		i := bits.TrailingZeros64(open)
		x, y := left+i&7, top+i>>3
		if s.tile(x, y) != 0 && s.anyPixelOpen(max(x0, 8*x), min(x1, 8*x+8), max(y0, 8*y), min(y1, 8*y+8)) {
			return true
		}
	}
	return false
}

// tile is the open pixels of a tile, which is closed if there are none.
func (s *Strips) tile(x, y int) uint64 {
	pixels := binary.LittleEndian.Uint64(s.Pixels.Cells[x*s.Pixels.Height+8*y:])
	if pixels == 0 {
		s.Tiles.Cells[(x>>3)*s.Tiles.Height+y] &^= 1 << (x & 7)
	}
	return pixels
}

// anyOpenInBlocks looks for an open pixel in a rectangle of blocks.
func (s *Strips) anyOpenInBlocks(x0, x1, y0, y1 int) bool {
	for x := x0; x < x1; x++ {
		for y := y0; y < y1; y++ {
			block, bit := &s.Blocks.Cells[(x>>3)*s.Blocks.Height+y], uint8(1)<<(x&7)
			if *block&bit == 0 {
				continue
			}
			tiles := binary.LittleEndian.Uint64(s.Tiles.Cells[x*s.Tiles.Height+8*y:])
			for ; tiles != 0; tiles &= tiles - 1 {
				i := bits.TrailingZeros64(tiles)
				if s.tile(8*x+i&7, 8*y+i>>3) != 0 {
					return true
				}
			}
			*block &^= bit
		}
	}
	return false
}

func (s *Strips) cell(x, y int) (cell *uint8, bit uint8) {
	return &s.Pixels.Cells[(x+Pad)>>3*s.Pixels.Height+y+Pad], 1 << (x & 7)
}

// Open tells whether pixel (x, y) is open.
func (s *Strips) Open(x, y int) bool {
	cell, bit := s.cell(x, y)
	return *cell&bit != 0
}

// Take closes pixel (x, y).
func (s *Strips) Take(x, y int) {
	cell, bit := s.cell(x, y)
	*cell &^= bit
}

// Reopen opens pixel (x, y) again, its tile and its block.
func (s *Strips) Reopen(x, y int) {
	x, y = x+Pad, y+Pad
	s.Pixels.Cells[(x>>3)*s.Pixels.Height+y] |= 1 << (x & 7)
	s.Tiles.Cells[(x>>6)*s.Tiles.Height+y>>3] |= 1 << (x >> 3 & 7)
	s.Blocks.Cells[(x>>9)*s.Blocks.Height+y>>6] |= 1 << (x >> 6 & 7)
}

// Cell is the open pixels of a cell: eight bytes of a strip.
func (s *Strips) Cell(x, y int) uint64 {
	return binary.LittleEndian.Uint64(s.Pixels.Cells[(x+Pad)>>3*s.Pixels.Height+y+Pad:])
}

// SetCell makes a cell's open pixels those in open; its tile is the same pixels.
func (s *Strips) SetCell(x, y int, open uint64) {
	x, y = x+Pad, y+Pad
	binary.LittleEndian.PutUint64(s.Pixels.Cells[(x>>3)*s.Pixels.Height+y:], open)
	if open == 0 {
		return
	}
	s.Tiles.Cells[(x>>6)*s.Tiles.Height+y>>3] |= 1 << (x >> 3 & 7)
	s.Blocks.Cells[(x>>9)*s.Blocks.Height+y>>6] |= 1 << (x >> 6 & 7)
}

// Taken counts the taken pixels of a buffer that was reset to width x height.
func (s *Strips) Taken(width, height int) int {
	open := 0
	for _, c := range s.Pixels.Cells {
		open += bits.OnesCount8(c)
	}
	return width*height - open
}
