package asm

import (
	"math"
	"math/bits"
)

// A brick is a node of 4x4x4 leaves (or nodes taken for leaves), at most about
// five pixels wide. Which of its 64 leaves cover a pixel's centre is found from
// two tables, one for the pixel's column and one for its row; the lowest bit in
// the order of visiting is what the pixel sees.
//
// A table does not know how large a brick appears, nor where: it counts places
// across the brick, as many for a small one as for a large one. What it knows is
// the line of sight, along which the brick's leaves lie behind one another.

const (
	// Unit is how many steps a pixel has where the centre of a brick is told.
	Unit     = 1 << unitBits
	unitBits = 12
	// Places is how many places a table has; the middle of the brick lies
	// between the two in the middle.
	Places = 256
	// StepUnit is how many parts a place has where it is told how many places a
	// pixel takes.
	StepUnit = 1 << stepBits
	stepBits = 4
	// maxStep bounds places to a pixel, so that products fit: 6144.
	maxStep = 6144 * StepUnit
	// Reach is how many parts of a place lie between the middle of a table and
	// its first or last place, leastReach how many pixels that is at least.
	Reach      = (Places/2 - 1) * StepUnit
	leastReach = float32(Reach) / maxStep
	// MaxReach is the last place from the middle that a leaf may cover.
	MaxReach = Places/2 - 2
	// lead is how many pixels of the 8x8 window lie before the brick's centre.
	lead = 3
)

// Table tells, for bricks of one orientation seen along one line of sight, which
// leaves cover some of each place across. Bit 8*i+j is leaf j of octant i, both
// in the order of visiting. The first and the last place are empty.
type Table [Places]uint64

// Grid is how the leaves of a brick lie around its middle, in places.
type Grid struct {
	// D leads to the octants, in the order of visiting; a leaf's offset from its
	// octant's middle is half of these.
	D [8]float32
	// Half is half the width of a leaf, widened by what rounding and perspective
	// may move it. Together with the offsets it stays within MaxReach.
	Half int32
}

// MakeTable fills a table.
type MakeTable func(t *Table, g *Grid)

// makeTableGo gives each leaf one place, so that the leaves between two places
// are those before the one, without those before the other.
func makeTableGo(t *Table, g *Grid) {
	var before [Places + 1]uint64
	for i := range 8 {
		octant := Places/2 + int(roundps(g.D[i]))
		for j := range 8 {
			before[(octant+int(roundps(float32(g.D[j]*0.5)))+1)&(Places-1)] |= 1 << (8*i + j)
		}
	}
	for i := range Places {
		before[i+1] |= before[i]
	}
	half := int(g.Half)
	for n := range t {
		t[n] = before[min(n+half+1, Places)] &^ before[max(n-half, 0)]
	}
}

// Offsets lead from a node's centre to its octants, in the order of visiting,
// for octants of half size 1, in camera space.
type Offsets struct{ DX, DY, DZ [8]float32 }

// Bottom is a node whose octants are bricks, ready to be drawn.
type Bottom struct {
	// Words are the leaves to be drawn of each octant that is not empty, lowest
	// octant first: bit 8*o+p is octant p of octant o.
	Words []uint64
	// IDs are the record's ids of the same octants.
	IDs []uint32
	// Records is where a record is entered for each brick that is seen; at least
	// eight are free from Next on.
	Records []Record
	// X, Y and Z are the centre in camera space, H the half size of an octant.
	X, Y, Z, H float32
	// CX and CY are the principal point in pixels from the upper left corner of
	// the canvas' padding.
	CX, CY float32
	// The centres of bricks are held in this range, in 1/Unit pixel from the same
	// corner, so that windows stay inside the padding.
	MinX, MaxX, MinY, MaxY float32
	// StepX and StepY are how many parts of a place a pixel takes, ReachX and
	// ReachY how many pixels the half of a table's places, all for a brick at
	// depth 1.
	StepX, StepY, ReachX, ReachY float32
	Mask                         uint32 // octants that are not empty
	Visit                        uint32 // the same by the order of visiting
	Nearest                      uint32 // the octant visited first
	Place                        uint32 // Record.Place of octant 0
	Next                         uint32 // index of the next record
	_                            uint32
	// Columns and Rows are the tables for the line of sight to the node.
	Columns, Rows *Table
	// Leaves are all leaves of the same octants, for their records.
	Leaves []uint64
	// Colours are those of the tree: the kernels ask the processor to fetch what
	// will be painted, which it forgets where there is nothing.
	Colours []uint8
}

// DrawBricks draws the bricks of a bottom node front to back: every open pixel
// whose centre a leaf covers sees the first such leaf. It enters the records
// and advances Next.
type DrawBricks func(c *Canvas, b *Bottom, o *Offsets)

func drawBricksGo(c *Canvas, b *Bottom, o *Offsets) {
	for i := range 8 {
		if b.Visit>>i&1 == 0 {
			continue
		}
		z := b.Z + float32(b.H*o.DZ[i])
		inverse := 1 / z
		atX, atY := (b.X+float32(b.H*o.DX[i]))*inverse, (b.Y+float32(b.H*o.DY[i]))*inverse
		x := find(float32(atX)+b.CX, float32(b.StepX*z), float32(b.ReachX*inverse), b.MinX, b.MaxX)
		y := find(float32(atY)+b.CY, float32(b.StepY*z), float32(b.ReachY*inverse), b.MinY, b.MaxY)
		b.drawBrick(c, i, &x, &y)
	}
}

// extent is how a brick lies across the columns or the rows of its window.
type extent struct {
	first       int // the window's first column, from that of the padding
	phase       int32
	step        int32 // how many parts of a place a pixel takes
	from, after int   // the window's columns that the brick may touch
}

// find finds where a brick lies whose centre is seen at a place in pixels.
func find(at, step, reach, low, high float32) (s extent) {
	s.step = roundps(minps(maxps(step, 1), maxStep))
	fixed := roundps(maxps(minps(float32(at*Unit), high), low))
	s.phase, s.first = fixed&(Unit-1), int(fixed>>unitBits)-lead
	middle := float32(float32(s.phase)*(1./Unit)) + (lead - .5)
	reach = maxps(reach, leastReach)
	s.from = int(maxps(float32(math.Ceil(float64(middle-reach))), 0))
	s.after = int(minps(float32(math.Floor(float64(middle+reach))), 7)) + 1
	return s
}

// place is where the centre of the window's pixel k lies across the brick.
func (s *extent) place(k int) int {
	n := (int32(k*Unit-lead*Unit+Unit/2)-s.phase)*s.step>>(unitBits+stepBits) + Places/2
	return int(min(max(n, 0), Places-1))
}

// drawBrick draws brick i in the order of visiting.
func (b *Bottom) drawBrick(c *Canvas, i int, x, y *extent) {
	octant := uint32(i) ^ b.Nearest
	rank := uint32(bits.OnesCount32(b.Mask & (1<<octant - 1)))
	open := Window(c.Cells, c.Height, x.first, y.first) & columnsOf(x.from, x.after) & rowsOf(y.from, y.after)
	if open == 0 {
		return
	}
	leaves := permute(b.Words[rank], b.Nearest)
	ref := Ref(b.Next<<6 | b.Nearest*9)
	var closed uint64
	var columns [8]uint64
	for k := x.from; k < x.after; k++ {
		columns[k] = b.Columns[x.place(k)] & leaves
	}
	for row := y.from; row < y.after; row++ {
		pixels := open >> (8 * row) & 0xff
		if pixels == 0 {
			continue
		}
		leaves := b.Rows[y.place(row)]
		at := (y.first+row-Pad)*c.Width + x.first - Pad
		for ; pixels != 0; pixels &= pixels - 1 {
			k := bits.TrailingZeros64(pixels)
			if seen := columns[k&7] & leaves; seen != 0 {
				c.Seen[at+k] = ref ^ Ref(bits.TrailingZeros64(seen))
				closed |= 1 << (8*row + k)
			}
		}
	}
	if closed != 0 {
		Close(c.Cells, c.Height, x.first, y.first, closed)
		b.Records[b.Next] = Record{Leaves: b.Leaves[rank], ID: b.IDs[rank], Place: b.Place | octant}
		b.Next++
	}
}

// columnsOf are the cells of a window in the columns from one to before another.
func columnsOf(from, after int) uint64 { return (1<<after - 1<<from) * everyByte }

// rowsOf are the cells of a window in the rows from one to before another.
func rowsOf(from, after int) uint64 { return 1<<(8*after) - 1<<(8*from) }

// permute puts the bits 8*o+p of a brick into the order of visiting.
func permute(word uint64, nearest uint32) uint64 {
	if nearest&1 != 0 {
		word = word>>1&0x5555555555555555 | word&0x5555555555555555<<1
		word = word>>8&0x00ff00ff00ff00ff | word&0x00ff00ff00ff00ff<<8
	}
	if nearest&2 != 0 {
		word = word>>2&0x3333333333333333 | word&0x3333333333333333<<2
		word = word>>16&0x0000ffff0000ffff | word&0x0000ffff0000ffff<<16
	}
	if nearest&4 != 0 {
		word = word>>4&0x0f0f0f0f0f0f0f0f | word&0x0f0f0f0f0f0f0f0f<<4
		word = word>>32 | word<<32
	}
	return word
}
