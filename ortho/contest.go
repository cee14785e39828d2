package ortho

import (
	"math"
	"math/bits"

	"github.com/cfef80af/eightfold/occlusion"
)

// Rival is how the instance being drawn stands to one that was drawn before.
type Rival uint8

// The ways to stand to another.
const (
	Behind   Rival = iota // nowhere seen before it: its pixels stay taken
	Crossing              // what is seen is settled pixel by pixel
	Before                // seen before it wherever both are
)

// CellSide is the side in pixels of the cells of a canvas; the first begins in
// its upper left corner.
const CellSide = occlusion.CellSide

// contest is what Begin notes of the cells that an instance reaches. Bit 8*j + i
// of a cell is its pixel (i, j).
type contest struct {
	cells  Rect
	width  int // cells in a row of the canvas
	open   []uint64
	again  []uint64 // of these, opened by Reopen
	before []uint64 // of these, of instances that are seen behind
	any    bool     // was opened again
	duel   duel     // the last
}

// duel is two patches, of which pixels that are side by side mostly see several parts.
type duel struct {
	patches      [2]int
	apart, first bool // by their depths, and the first is nearer
}

// Cells are the cells that a rectangle of the picture touches.
func (c *Canvas) Cells(r Rect) Rect {
	return Rect{
		X0: (r.X0 - c.Rect.X0) / CellSide, X1: (r.X1-c.Rect.X0-1)/CellSide + 1,
		Y0: (r.Y0 - c.Rect.Y0) / CellSide, Y1: (r.Y1-c.Rect.Y0-1)/CellSide + 1,
	}
}

// CellSize is how many cells a canvas has across and down.
func (c *Canvas) CellSize() (across, down int) {
	return (c.Rect.X1 - c.Rect.X0 + CellSide - 1) / CellSide, (c.Rect.Y1 - c.Rect.Y0 + CellSide - 1) / CellSide
}

// Begin begins an instance that takes no pixels but in some cells. End ends it.
func (c *Canvas) Begin(cells Rect) {
	if len(c.Records) > maxRecords {
		c.compact()
	}
	k := &c.contest
	across, down := c.CellSize()
	k.cells, k.width, k.any = cells, across, false
	k.duel.patches = [2]int{-1, -1}
	if n := across * down; len(k.open) < n {
		k.open, k.again, k.before = make([]uint64, n), make([]uint64, n), make([]uint64, n)
	}
	for y := cells.Y0; y < cells.Y1; y++ {
		for x := cells.X0; x < cells.X1; x++ {
			i := y*across + x
			k.open[i], k.again[i], k.before[i] = c.cover.Cell(CellSide*x, CellSide*y), 0, 0
		}
	}
}

// Reopen lets the instance contest the taken pixels of a cell, one of Begin's,
// that lie in rectangle r: those of instances to which it doesn't stand Behind.
func (c *Canvas) Reopen(x, y int, r Rect, rival func(instance int32) Rival) {
	k := &c.contest
	cell := y*k.width + x
	left, top := c.Rect.X0+CellSide*x, c.Rect.Y0+CellSide*y
	taken := rectMask(r.X0-left, r.X1-left, r.Y0-top, r.Y1-top) &^ k.open[cell]
	var record Ref // the last, and how the instance stands to what it is of
	stands := Behind
	for ; taken != 0; taken &= taken - 1 {
		bit := bits.TrailingZeros64(taken)
		seen := c.seen[c.index(left+bit&7, top+bit>>3)]
		if seen == 0 {
			continue
		}
		if seen>>6 != record {
			record = seen >> 6
			stands = rival(c.InstanceOf(seen))
		}
		switch stands {
		case Before:
			k.before[cell] |= 1 << bit
			fallthrough
		case Crossing:
			k.again[cell] |= 1 << bit
		}
	}
	c.openAgain(x, y)
}

// ReopenAll is Reopen where the instance stands alike to all that is seen in the
// cell, and not Behind: nobody has to be looked up.
func (c *Canvas) ReopenAll(x, y int, r Rect, stands Rival) {
	k := &c.contest
	cell := y*k.width + x
	left, top := c.Rect.X0+CellSide*x, c.Rect.Y0+CellSide*y
	k.again[cell] = rectMask(r.X0-left, r.X1-left, r.Y0-top, r.Y1-top) &^ k.open[cell]
	if stands == Before {
		k.before[cell] = k.again[cell]
	}
	c.openAgain(x, y)
}

// openAgain opens what is contested of a cell.
func (c *Canvas) openAgain(x, y int) {
	k := &c.contest
	cell := y*k.width + x
	if again := k.again[cell]; again != 0 {
		k.open[cell] |= again
		c.cover.SetCell(CellSide*x, CellSide*y, k.open[cell])
		c.useLayer()
	}
}

// rectMask has the pixels of a cell that lie in a rectangle, counted from its
// corner.
func rectMask(x0, x1, y0, y1 int) uint64 {
	x0, x1, y0, y1 = max(x0, 0), min(x1, CellSide), max(y0, 0), min(y1, CellSide)
	if x0 >= x1 || y0 >= y1 {
		return 0
	}
	row := uint64(0xff>>(8-x1+x0)) << x0
	return row * 0x0101010101010101 & (^uint64(0) >> (64 - 8*(y1-y0)) << (8 * y0))
}

// useLayer sends what is drawn to the layer. What it holds from earlier is never
// looked at: only what was taken is.
func (c *Canvas) useLayer() {
	if c.contest.any {
		return
	}
	c.contest.any = true
	if len(c.layer) < len(c.seen) {
		c.layer = make([]Ref, len(c.seen))
	}
	c.target = c.layer[:len(c.seen)]
}

// End ends the instance that Begin began: where two surfaces may be seen, the
// nearer one stays. It tells of each cell in which the instance has won a pixel.
func (c *Canvas) End(won func(x, y int)) {
	k := &c.contest
	c.target = c.seen
	for y := k.cells.Y0; y < k.cells.Y1; y++ {
		for x := k.cells.X0; x < k.cells.X1; x++ {
			cell := y*k.width + x
			open := c.cover.Cell(CellSide*x, CellSide*y)
			taken := k.open[cell] &^ open
			if k.any {
				taken = c.merge(x, y, taken)
			}
			if open&k.again[cell] != 0 || open == 0 && k.open[cell] != 0 { // opened in vain, or closed for good
				c.cover.SetCell(CellSide*x, CellSide*y, open&^k.again[cell])
			}
			if taken != 0 {
				won(x, y)
			}
		}
	}
}

// merge puts the taken pixels of a cell from the layer into the picture, those
// that are won; it returns these.
func (c *Canvas) merge(x, y int, taken uint64) (won uint64) {
	k := &c.contest
	cell := y*k.width + x
	settle := taken & k.again[cell] &^ k.before[cell]
	won = taken &^ settle
	for ; settle != 0; settle &= settle - 1 {
		bit := bits.TrailingZeros64(settle)
		px, py := c.Rect.X0+CellSide*x+bit&7, c.Rect.Y0+CellSide*y+bit>>3
		if i := c.index(px, py); c.wins(c.layer[i], c.seen[i], px, py) {
			won |= 1 << bit
		}
	}
	row := c.index(c.Rect.X0+CellSide*x, c.Rect.Y0+CellSide*y)
	for rows := won; rows != 0; rows >>= CellSide {
		if pixels := uint8(rows); pixels == 0xff {
			*(*[CellSide]Ref)(c.seen[row:]) = [CellSide]Ref(c.layer[row:])
		} else {
			for ; pixels != 0; pixels &= pixels - 1 {
				i := row + bits.TrailingZeros8(pixels)
				c.seen[i] = c.layer[i]
			}
		}
		row += c.Rect.X1 - c.Rect.X0
	}
	return won
}

// tie is the relative difference of depths below which two surfaces lie at the
// same place: far above rounding, far below anything a picture shows.
const tie = 1e-9

// wins tells whether what a names is seen before what b names, at the pixel
// (x, y) of the picture.
func (c *Canvas) wins(a, b Ref, x, y int) bool {
	d := &c.contest.duel
	if patches := [2]int{c.Patch(a), c.Patch(b)}; d.patches != patches {
		whole, other := c.whole(patches[0]), c.whole(patches[1])
		d.patches = patches
		d.first, d.apart = c.apart(&whole, &other)
	}
	if d.apart {
		return d.first
	}
	first, second := c.cube(a), c.cube(b)
	if nearer, apart := c.apart(&first, &second); apart {
		return nearer
	}
	depthA, depthB := c.Depth(&first, x, y), c.Depth(&second, x, y)
	if math.Abs(depthA-depthB) > tie*math.Abs(depthB) {
		return depthA < depthB
	}
	return first.Instance > second.Instance == c.laterWins
}

// apart tells whether one surface is seen before another wherever a ray meets them, as
// mostly is the case, and whether that is the first.
func (c *Canvas) apart(a, b *Surface) (first, apart bool) {
	centreA, reachA := depths(&c.poses[a.Instance], a)
	centreB, reachB := depths(&c.poses[b.Instance], b)
	by, both := centreA-centreB, (reachA+reachB)*(1+1e-6)+2*tie*math.Abs(centreB)
	return by < 0, by > both || -by > both
}
