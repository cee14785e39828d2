package asm

import (
	"math"
	"math/bits"
)

// A bottom node is one whose octants are bricks. It is some five pixels wide, so
// that one look at the coverage tells which of its pixels are open. For each of
// these the bricks that may be met at all, mostly one or two, are asked in order
// which of their leaves cover the pixel's centre.

// Offsets lead from a node's centre to its octants, in the order of visiting,
// for octants of half size 1, in camera space.
type Offsets struct{ DX, DY, DZ [8]float32 }

// Sheaf is the tables for one axis of the picture and one order of visiting,
// one for each of some lines of sight.
type Sheaf struct {
	Tables []Table // empty for kernels that have no MakeTable
	Lines  []Line
	// The line of sight to a place in pixels from the principal point is number
	// PerPixel*place + Middle, held between 0 and Last and rounded.
	PerPixel, Middle, Last float32
	Generation             uint32
}

// Line is what is known of the bricks along a line of sight.
type Line struct {
	Spans Spans
	// Step is how many parts of a place a pixel takes, for a brick of half size 1 at
	// depth 1.
	Step float32
	// Made equals the sheaf's Generation where this, and the table, are valid.
	Made  uint32
	Width uint8 // of the spans: places that a leaf covers, less one
	_     [55]uint8
}

// Bottoms are the octants of a node that are bottom nodes, ready to be drawn.
type Bottoms struct {
	// Nodes are those of the tree by their ids: the id of the first octant that is
	// not empty, times 256, and which are not empty.
	Nodes []uint64
	// Bricks are the leaves to be drawn of a node, by its id: bit 8*o+p is octant p
	// of octant o.
	Bricks []uint64
	// Leaves are all its leaves, for its record.
	Leaves []uint64
	// IDs are the ids for the records of the nodes from IDFrom on; where there are
	// none it is a node's own.
	IDs []uint32
	// Records and Patches are where those of what is seen are entered: at least
	// eight records for each octant are free from NextRecord on, and one patch from
	// NextPatch on.
	Records []Record
	Patches []Patch
	// Colours are those of the tree: the kernels ask the processor to fetch what
	// will be painted, which it forgets where there is nothing.
	Colours []uint8
	// Columns and Rows are the tables for the order of visiting.
	Columns, Rows *Sheaf
	IDFrom        uint32
	First         uint32 // id of the node's first octant
	Mask          uint32 // octants of the node that are not empty
	Only          uint32 // octants of bottom nodes that are to be drawn: bit o
	Nearest       uint32 // the octant visited first, in the node and in all that is in it
	// Todo are the octants that are yet to be drawn, in the order of visiting.
	Todo uint32
	// Limit is how large a bottom node may be, in pixels, see Batch.Size.
	Limit float32
	// H is half the size of a brick, PerH one divided by it: see SetHalf.
	H, PerH float32
	// CX and CY are the principal point in pixels from the upper left corner of
	// the canvas' padding.
	CX, CY float32
	Low    [3]int32 // the node's lower corner in voxels
	Info   uint32   // Patch.Info of its octants
	Edge   int32    // their size

	NextRecord, NextPatch uint32

	// Opened counts the bottom nodes that were drawn, Hidden those without an open
	// pixel, Tested the bricks that were looked at and Drawn those seen.
	Opened, Hidden, Tested, Drawn uint32
	// Seen are the bricks seen of the last octant drawn, in the order of visiting.
	Seen uint32
	// Half is not 0 where the octants of the bottom nodes' octants are leaves, and
	// each taken for the eight octants that it would have. Bricks are then those of
	// the bottom nodes, IDs the ids of their first leaves, and there is a record
	// for each octant, empty or not. Without IDs each octant is a node that has its own
	// leaves.
	Half uint32
	// Pixels are those of each window that are to be drawn, a byte a row.
	Pixels uint64
	// Fine is 1 where bricks are at most MostFine pixels wide: they have more places
	// to a pixel. 0 elsewhere.
	Fine uint32
}

// SetHalf sets half the size of a brick, and whether they are fine.
func (n *Bottoms) SetHalf(h float32, fine bool) {
	n.H, n.PerH, n.Fine = h, 1/h, 0
	if fine {
		n.Fine, n.PerH = 1, n.PerH/finer
	}
}

// HalfBrick is the brick of a node whose octants are leaves: each leaf as the
// eight octants that it would have.
func HalfBrick(mask uint8) uint64 {
	return spread(uint64(mask)) * 0xff
}

// spread brings bit o of eight to bit 0 of byte o.
func spread(mask uint64) uint64 {
	return ((mask*everyByte)&0x8040201008040201 + 0x7f7f7f7f7f7f7f7f) >> 7 & everyByte
}

// DrawBottoms draws bottom nodes front to back: every open pixel whose centre a
// leaf covers sees the first such leaf; the others, which see nothing, stay so.
// The batch has their places and rectangles. It stops before an octant that is
// larger than Limit or than eight pixels, or whose tables are not made: Todo tells
// what is left.
type DrawBottoms func(c *Canvas, b *Batch, n *Bottoms, o *Offsets)

func drawBottomsGo(c *Canvas, b *Batch, n *Bottoms, o *Offsets) {
	n.begin()
	n.draw(c, b, o)
}

// begin sets the counters to nothing.
func (n *Bottoms) begin() {
	n.Opened, n.Hidden, n.Tested, n.Drawn, n.Seen = 0, 0, 0, 0, 0
}

func (n *Bottoms) draw(c *Canvas, b *Batch, o *Offsets) {
	var d dab
	for ready := n.prepare(c, b, &d); ready != 0; ready &= ready - 1 {
		octant := (uint32(bits.TrailingZeros32(ready)) ^ n.Nearest) & 7
		if d.look(c, b, n, octant); d.open == 0 { // those before have closed it
			n.Hidden++
			continue
		}
		n.Opened++
		n.drawOctant(c, b, o, &d, octant)
	}
}

// prepare takes octants from Todo until one can't be drawn, and tells which of
// them have open pixels, by the order of visiting. It does so for all before the
// first is drawn.
func (n *Bottoms) prepare(c *Canvas, b *Batch, d *dab) (ready uint32) {
	for ; n.Todo != 0; n.Todo &= n.Todo - 1 {
		octant := (uint32(bits.TrailingZeros32(n.Todo)) ^ n.Nearest) & 7
		wide, high := b.X1[octant]-b.X0[octant], b.Y1[octant]-b.Y0[octant]
		if !(b.Size[octant] <= n.Limit) || wide > 8 || high > 8 {
			return ready
		}
		if d.look(c, b, n, octant); d.open == 0 {
			n.Hidden++
			continue
		}
		inverse := 1 / b.Z[octant]
		column, row := n.Columns.Line(float32(b.X[octant]*inverse)), n.Rows.Line(float32(b.Y[octant]*inverse))
		if n.Columns.Lines[column].Made != n.Columns.Generation || n.Rows.Lines[row].Made != n.Rows.Generation {
			return ready
		}
		d.lines[octant] = [2]int{column, row}
		ready |= n.Todo & -n.Todo
	}
	return ready
}

// Line is the line of sight nearest to a place in pixels from the principal
// point.
func (s *Sheaf) Line(at float32) int {
	return int(minps(maxps(float32(at*s.PerPixel)+s.Middle, 0), s.Last) + .5)
}

// dab is a bottom node while it is drawn.
type dab struct {
	lines [8][2]int // lines of sight to the octants, across the columns and the rows
	x, y  int       // upper left corner of its window, from the padding's corner
	open  uint64    // pixels of the window
	// Where the pixels lie across a brick.
	acrossX, acrossY across
}

// across are the places of eight pixels across a brick, in parts of which a place
// has 1<<16.
type across [8]uint32

// place is that of pixel k, which may lie outside.
func (a *across) place(k int) uint8 { return uint8(a[k&7] >> (unitBits + stepBits)) }

// look finds the window of an octant.
func (d *dab) look(c *Canvas, b *Batch, n *Bottoms, octant uint32) {
	x, y := b.X0[octant&7], b.Y0[octant&7]
	d.x, d.y = int(x-c.X)+Pad, int(y-c.Y)+Pad
	d.open = Window(c.Cells, c.Height, d.x, d.y) & n.Pixels & columnsBefore(uint32(b.X1[octant&7]-x)) & rowsBefore(uint32(b.Y1[octant&7]-y))
}

func (n *Bottoms) drawOctant(c *Canvas, b *Batch, o *Offsets, d *dab, octant uint32) {
	k := n.kin(octant)
	open, seen := n.drawBricks(c, b, o, d, &k, octant)
	if n.Seen = seen; seen == 0 {
		return
	}
	Close(c.Cells, c.Height, d.x, d.y, d.open&^open)
	n.Drawn += uint32(bits.OnesCount32(seen))
	n.enter(octant, &k)
}

// drawBricks draws the bricks one after the other, as long as pixels are open; it returns
// those that stay so, and the bricks seen. (The kernels draw pixel by pixel, or row by row:
// they find how all bricks lie at once.)
func (n *Bottoms) drawBricks(c *Canvas, b *Batch, o *Offsets, d *dab, k *kin, octant uint32) (open uint64, seen uint32) {
	bricks := k.mask & n.Only
	n.Tested += uint32(bits.OnesCount32(bricks))
	column, row := d.lines[octant&7][0], d.lines[octant&7][1]
	columns, rows := &n.Columns.Tables[column], &n.Rows.Tables[row]
	stepX, stepY := float32(n.Columns.Lines[column].Step*n.PerH), float32(n.Rows.Lines[row].Step*n.PerH)
	atX, atY, atZ := b.X[octant&7], b.Y[octant&7], b.Z[octant&7]
	left, top := float32(d.x+4), float32(d.y+4)
	pixel := int32(unit)
	if n.Fine != 0 {
		pixel = fineUnit
	}
	corner := (d.y-Pad)*c.Width + d.x - Pad
	open = d.open
	for todo := visited(bricks, n.Nearest); todo != 0 && open != 0; todo &= todo - 1 {
		i := bits.TrailingZeros32(todo) & 7
		slot := rank(k.slots, uint32(i)^n.Nearest)
		word := n.word(k, slot)
		if word == 0 {
			continue
		}
		z := atZ + float32(n.H*o.DZ[i])
		inverse := 1 / z
		x := float32((atX+float32(n.H*o.DX[i]))*inverse) + n.CX - left
		met := d.acrossX.locate(x, float32(stepX*z), pixel) * everyByte & open
		if met == 0 {
			continue
		}
		y := float32((atY+float32(n.H*o.DY[i]))*inverse) + n.CY - top
		met &= spread(d.acrossY.locate(y, float32(stepY*z), pixel)) * 0xff
		ref := Ref((n.NextRecord+slot)<<6 | n.Nearest*9)
		taken := d.ask(c, corner, met, columns, rows, permute(word, n.Nearest), ref)
		open &^= taken
		seen |= uint32(one(taken != 0)) << i
	}
	return open, seen
}

// ask finds which of the pixels that may meet a brick see one of its leaves, which are in
// the order of visiting; those take it. A pixel sees ref that sees leaf 0. The canvas' pixels
// begin at corner. All is done without jumps: nobody could predict these.
func (d *dab) ask(c *Canvas, corner int, met uint64, columns, rows *Table, leaves uint64, ref Ref) (taken uint64) {
	for ; met != 0; met &= met - 1 {
		at := bits.TrailingZeros64(met)
		x, y := at&7, at>>3&7
		leaf := columns[d.acrossX.place(x)] & rows[d.acrossY.place(y)] & leaves
		sees := ref ^ Ref(bits.TrailingZeros64(leaf))
		if leaf == 0 {
			sees = 0
		}
		c.Seen[corner+y*c.Width+x] = sees
		taken |= one(leaf != 0) << (at & 63)
	}
	return taken
}

// visited are octants by their places in the order of visiting.
func visited(octants, nearest uint32) uint32 {
	return uint32(uint8(permute(uint64(octants)*everyByte, nearest)))
}

// kin are the bricks of a bottom node.
type kin struct {
	mask, slots uint32 // octants that are not empty, and those that have a record
	first       uint32 // id of the first brick, or of the first leaf where IDs tell it
	leaves      uint64 // of all bricks, where they are half bricks
}

func (n *Bottoms) kin(octant uint32) kin {
	id := n.First + rank(n.Mask, octant)
	node := n.Nodes[id]
	mask := uint32(node & 0xff)
	first := uint32(node >> 8)
	if n.Half == 0 {
		return kin{mask: mask, slots: mask, first: first}
	}
	k := kin{mask: mask, slots: 0xff, first: first, leaves: n.Bricks[id]}
	if len(n.IDs) > 0 {
		k.first = n.IDs[id-n.IDFrom]
	}
	return k
}

// word is a brick to be drawn, by its slot.
func (n *Bottoms) word(k *kin, slot uint32) uint64 {
	if n.Half != 0 {
		return HalfBrick(uint8(k.leaves >> (8 * slot & 63)))
	}
	return n.Bricks[k.first+slot]
}

// record fills that of a brick, by its slot, but for its place.
func (n *Bottoms) record(r *Record, k *kin, slot uint32) {
	if n.Half != 0 {
		r.Leaves, r.ID = n.word(k, slot), n.firstLeaf(k, slot)
		return
	}
	id := k.first + slot
	r.Leaves, r.ID = n.Leaves[id], id
	if len(n.IDs) > 0 {
		r.ID = n.IDs[id-n.IDFrom]
	}
}

// firstLeaf is the id of the first leaf of a half brick; an empty one has none.
func (n *Bottoms) firstLeaf(k *kin, octant uint32) uint32 {
	switch {
	case len(n.IDs) > 0:
		return k.first + uint32(bits.OnesCount64(k.leaves&(1<<(8*octant&63)-1)))
	case k.mask>>octant&1 != 0:
		return uint32(n.Nodes[k.first+rank(k.mask, octant)] >> 8)
	}
	return 0
}

// locate finds the places across a brick, whose centre is at so many pixels from
// the middle of the window, and of which each pixel takes so many parts, and tells
// which pixels it meets. A pixel has so many steps. All fits 16 bits; what is farther
// away than they tell is not met.
func (a *across) locate(at, step float32, unit int32) (met uint64) {
	parts := nearest(minps(maxps(step, 1), maxStep))
	centre := nearest(maxps(minps(float32(at*float32(unit)), math.MaxInt16), -math.MaxInt16))
	first := unit/2 - 4*unit - centre
	if first < math.MinInt16 || first+7*unit > math.MaxInt16 { // rare
		for k := 7; k >= 0; k-- {
			met = a.meet(k, uint32(max(min(first+int32(k)*unit, math.MaxInt16), math.MinInt16)*parts+middle), met)
		}
		return met
	}
	return a.lay(uint32((first+7*unit)*parts+middle), uint32(unit*parts))
}

// lay puts pixel 7 in a place, and each before it so much before. It is a function
// for itself, and without a loop, since that takes half the time.
func (a *across) lay(at, by uint32) (met uint64) {
	met = a.meet(7, at, met)
	at -= by
	met = a.meet(6, at, met)
	at -= by
	met = a.meet(5, at, met)
	at -= by
	met = a.meet(4, at, met)
	at -= by
	met = a.meet(3, at, met)
	at -= by
	met = a.meet(2, at, met)
	at -= by
	met = a.meet(1, at, met)
	at -= by
	return a.meet(0, at, met)
}

// middle is the middle of a table.
const middle = Places / 2 << (unitBits + stepBits)

// meet notes where pixel k lies, and whether the brick is met there, without a
// jump: what is less than nothing has the highest bit.
func (a *across) meet(k int, at uint32, met uint64) uint64 {
	a[k&7] = at
	return 2*met + (uint64(at)-(Places-1)<<(unitBits+stepBits))>>63
}

// enter enters the patch of a bottom node, and a record for each of its bricks.
func (n *Bottoms) enter(octant uint32, k *kin) {
	patch := &n.Patches[n.NextPatch]
	patch.Info = n.Info
	for axis := range patch.Low {
		patch.Low[axis] = n.Low[axis] + n.Edge*int32(octant>>axis&1)
	}
	records := n.Records[n.NextRecord:][:bits.OnesCount32(k.slots)]
	slots, place := k.slots, n.NextPatch<<3
	for slot := range records {
		r := &records[slot]
		n.record(r, k, uint32(slot))
		r.Place = place | uint32(bits.TrailingZeros32(slots))
		slots &= slots - 1
	}
	n.NextRecord += uint32(len(records))
	n.NextPatch++
}

// rank is how many octants of a mask come before one.
func rank(mask, octant uint32) uint32 { return uint32(bits.OnesCount32(mask & (1<<octant - 1))) }

// columnsBefore are the cells of a window in the columns before one (0 to 8).
func columnsBefore(n uint32) uint64 { return (1<<n - 1) * everyByte }

// rowsBefore are the cells of a window in the rows before one (0 to 8).
func rowsBefore(n uint32) uint64 { return 1<<(8*n) - 1 }
