package asm

import "math/bits"

// A brick is a node of 4x4x4 leaves (or nodes taken for leaves), at most about
// five pixels wide. Which of its 64 leaves cover a pixel's centre is found from
// two tables, one for the pixel's column and one for its row; the lowest bit in
// the order of visiting is what the pixel sees. Screen positions inside an 8x8
// window are counted in 1/32 pixel.

const (
	// Phases are the positions within a pixel that a table tells apart.
	Phases = 16
	// Unit is how many steps a pixel has.
	Unit = 32
	// lead is how many pixels of the window lie before the brick's centre.
	lead = 3
)

// Table tells, for bricks of one size and orientation, which leaves cover which
// columns and rows of an 8x8 window, for each phase of the brick's centre. Bit
// 8*i+j is leaf j of octant i, both in the order of visiting.
type Table struct {
	X, Y [Phases][8]uint64
	// XAny and YAny are the cells of the window that the brick may touch.
	XAny, YAny [Phases]uint64
}

// Grid is how the leaves of a brick lie around its centre, in 1/32 pixel.
type Grid struct {
	// DX and DY lead to the octants, in the order of visiting; a leaf's offset
	// from its octant's centre is half of these.
	DX, DY [8]float32
	// HalfX and HalfY are half the width and height of a leaf, widened by what
	// rounding and perspective may move it; at most MaxHalf.
	HalfX, HalfY int32
	// ReachX and ReachY are half the width and height of the brick, widened.
	ReachX, ReachY int32
}

// MaxHalf and MaxOffset bound what a table can hold: a leaf's half width and
// the distance of its centre from the brick's.
const (
	MaxHalf   = 26
	MaxOffset = 62
)

// MakeTable fills a table.
type MakeTable func(t *Table, g *Grid)

func makeTableGo(t *Table, g *Grid) {
	tableAxis(&t.X, &t.XAny, &g.DX, g.HalfX, g.ReachX, 1)
	tableAxis(&t.Y, &t.YAny, &g.DY, g.HalfY, g.ReachY, 8)
}

// tableAxis fills the columns of a table or, with stride 8, its rows. Each leaf
// stands at one place, so the leaves between two places are those before the
// one, without those before the other.
func tableAxis(sets *[Phases][8]uint64, any *[Phases]uint64, d *[8]float32, half, reach int32, stride int) {
	const middle = 64 // places are -64 to 63
	var before [2*middle + 1]uint64
	for i := range 8 {
		octant := middle + int(roundps(d[i]))
		for j := range 8 {
			before[(octant+int(roundps(float32(d[j]*0.5)))+1)&(2*middle-1)] |= 1 << (8*i + j)
		}
	}
	for i := range 2 * middle {
		before[i+1] |= before[i]
	}
	column := uint64(everyByte)
	if stride == 8 {
		column = 0xff
	}
	for phase := range Phases {
		any[phase] = 0
		for k := range 8 {
			// How far the brick's centre is behind the column's.
			distance := int32(lead*Unit+2*phase+1) - int32(k*Unit+Unit/2)
			from, to := min(max(middle-distance-half, 0), 2*middle), min(max(middle-distance+half+1, 0), 2*middle)
			sets[phase][k] = before[to] &^ before[from]
			if distance <= reach && -distance <= reach {
				any[phase] |= column << (k * stride)
			}
		}
	}
}

// Offsets lead from a node's centre to its octants, in the order of visiting,
// for octants of half size 1, in camera space.
type Offsets struct{ DX, DY, DZ [8]float32 }

// Bottom is a node whose octants are bricks, ready to be drawn.
type Bottom struct {
	// Words are the leaves of each octant that is not empty, lowest octant
	// first: bit 8*o+p is octant p of octant o.
	Words []uint64
	// IDs are the record's ids of the same octants.
	IDs []uint32
	// Records is where a record is entered for each brick that is seen; at least
	// eight are free from Next on.
	Records []Record
	// X, Y and Z are the centre in camera space, H the half size of an octant.
	X, Y, Z, H float32
	// CX and CY are the principal point in 1/32 pixel.
	CX, CY float32
	// The centres of bricks are held in this range, in 1/32 pixel, so that
	// windows stay inside the padding.
	MinX, MaxX, MinY, MaxY float32
	Mask                   uint32 // octants that are not empty
	Visit                  uint32 // the same by the order of visiting
	Nearest                uint32 // the octant visited first
	Place                  uint32 // Record.Place of octant 0
	Next                   uint32 // index of the next record
	// Colours are those of the tree: the kernels ask the processor to fetch what
	// will be painted, which it forgets where there is nothing.
	Colours []uint8
}

// DrawBricks draws the bricks of a bottom node front to back: every open pixel
// whose centre a leaf covers sees the first such leaf. It enters the records
// and advances Next.
type DrawBricks func(c *Canvas, b *Bottom, o *Offsets, t *Table)

func drawBricksGo(c *Canvas, b *Bottom, o *Offsets, t *Table) {
	for i := range 8 {
		if b.Visit>>i&1 == 0 {
			continue
		}
		cz := b.Z + float32(b.H*o.DZ[i])
		scale := Unit / cz
		x := fixed((b.X+float32(b.H*o.DX[i]))*scale, b.CX, b.MinX, b.MaxX)
		y := fixed((b.Y+float32(b.H*o.DY[i]))*scale, b.CY, b.MinY, b.MaxY)
		b.drawBrick(c, t, i, x, y)
	}
}

// fixed is a projected coordinate in whole steps.
func fixed(f, centre, low, high float32) int32 {
	return roundps(maxps(minps(float32(f)+centre, high), low))
}

// drawBrick draws brick i in the order of visiting, its centre at (x, y).
func (b *Bottom) drawBrick(c *Canvas, t *Table, i int, x, y int32) {
	octant := uint32(i) ^ b.Nearest
	rank := uint32(bits.OnesCount32(b.Mask & (1<<octant - 1)))
	// From the upper left corner of the padding.
	left, top := int(x>>5-c.X)-lead+Pad, int(y>>5-c.Y)-lead+Pad
	px, py := x&31>>1, y&31>>1
	open := Window(c.Cells, c.Height, left, top) & t.XAny[px] & t.YAny[py]
	if open == 0 {
		return
	}
	leaves := permute(b.Words[rank], b.Nearest)
	ref := Ref(b.Next<<6 | b.Nearest*9)
	var closed uint64
	columns, rows := &t.X[px], &t.Y[py]
	for ; open != 0; open &= open - 1 {
		p := bits.TrailingZeros64(open)
		seen := columns[p&7] & rows[p>>3] & leaves
		if seen == 0 {
			continue
		}
		c.Seen[(top-Pad+p>>3)*c.Width+left-Pad+p&7] = ref ^ Ref(bits.TrailingZeros64(seen))
		closed |= 1 << p
	}
	if closed != 0 {
		Close(c.Cells, c.Height, left, top, closed)
		b.Records[b.Next] = Record{Leaves: b.Words[rank], ID: b.IDs[rank], Place: b.Place | octant}
		b.Next++
	}
}

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
