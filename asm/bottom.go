package asm

import (
	"encoding/binary"
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
	Width uint8 // of the spans
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
	// H is half the size of a brick, PerH one divided by it.
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
	// Settle are the octants around which 8x8 tiles have no open pixel any more that
	// Canvas.Tiles still takes for open.
	Settle uint32
	// Seen are the bricks seen of the last octant drawn, in the order of visiting.
	Seen uint32
	// Half is not 0 where the octants of the bottom nodes' octants are leaves, and
	// each taken for the eight octants that it would have. Bricks are then those of
	// the bottom nodes, IDs the ids of their first leaves, and there is a record
	// for each octant, empty or not.
	Half uint32
}

// HalfBrick is the brick of a node whose octants are leaves: each leaf as the
// eight octants that it would have.
func HalfBrick(mask uint8) uint64 {
	// Bit o of the mask comes to bit 0 of byte o.
	spread := (uint64(mask) * everyByte) & 0x8040201008040201
	return ((spread + 0x7f7f7f7f7f7f7f7f) >> 7 & everyByte) * 0xff
}

// DrawBottoms draws bottom nodes front to back: every open pixel whose centre a
// leaf covers sees the first such leaf; the others, which see nothing, stay so. The batch has their
// places and rectangles. It stops before an octant that is larger than Limit or
// than eight pixels, or whose tables are not made: Todo tells what is left.
type DrawBottoms func(c *Canvas, b *Batch, n *Bottoms, o *Offsets)

func drawBottomsGo(c *Canvas, b *Batch, n *Bottoms, o *Offsets) {
	n.Opened, n.Hidden, n.Tested, n.Drawn, n.Settle, n.Seen = 0, 0, 0, 0, 0, 0
	opened := uint32(0)
	defer func() { n.Settle = n.closers(c, b, opened) }()
	for ; n.Todo != 0; n.Todo &= n.Todo - 1 {
		octant := uint32(bits.TrailingZeros32(n.Todo)) ^ n.Nearest
		wide, high := b.X1[octant]-b.X0[octant], b.Y1[octant]-b.Y0[octant]
		if !(b.Size[octant] <= n.Limit) || wide > 8 || high > 8 {
			return
		}
		d := dab{x: int(b.X0[octant]-c.X) + Pad, y: int(b.Y0[octant]-c.Y) + Pad, wide: int(wide), high: int(high)}
		d.open = Window(c.Cells, c.Height, d.x, d.y) & columnsBefore(d.wide) & rowsBefore(d.high)
		if d.open == 0 {
			n.Hidden++
			continue
		}
		inverse := 1 / b.Z[octant]
		column, row := n.Columns.Line(float32(b.X[octant]*inverse)), n.Rows.Line(float32(b.Y[octant]*inverse))
		if n.Columns.Lines[column].Made != n.Columns.Generation || n.Rows.Lines[row].Made != n.Rows.Generation {
			return
		}
		n.Opened++
		opened |= 1 << octant
		n.draw(c, b, o, &d, octant, column, row)
	}
}

// Line is the line of sight nearest to a place in pixels from the principal
// point.
func (s *Sheaf) Line(at float32) int {
	return int(minps(maxps(float32(at*s.PerPixel)+s.Middle, 0), s.Last) + .5)
}

// dab is a bottom node while it is drawn.
type dab struct {
	x, y       int    // its rectangle on the canvas, from the padding's corner
	wide, high int    // at most 8
	open       uint64 // pixels of the window that begins there
	// How the bricks lie, by their place in the order of visiting: which of them a
	// column or a row may meet, and which place of the tables it has.
	columns, rows       [8]uint8
	placesX, placesY    [8][8]uint8
	words               [8]uint64 // leaves in the order of visiting
	refs                [8]Ref    // of their first leaves
	tableX, tableY      *Table
	seen                uint32 // bricks
	nearest, nextRecord uint32
}

func (n *Bottoms) draw(c *Canvas, b *Batch, o *Offsets, d *dab, octant uint32, column, row int) {
	k := n.kin(octant)
	d.tableX, d.tableY = &n.Columns.Tables[column], &n.Rows.Tables[row]
	stepX, stepY := float32(n.Columns.Lines[column].Step*n.PerH), float32(n.Rows.Lines[row].Step*n.PerH)
	for i := range 8 {
		brick := uint32(i) ^ n.Nearest
		if (k.mask&n.Only)>>brick&1 == 0 {
			continue
		}
		n.Tested++
		before := rank(k.slots, brick)
		d.words[i] = permute(k.words[before], n.Nearest)
		d.refs[i] = Ref((n.NextRecord+before)<<6 | n.Nearest*9)
		if d.words[i] == 0 {
			continue
		}
		z := b.Z[octant] + float32(n.H*o.DZ[i])
		inverse := 1 / z
		x := float32((b.X[octant]+float32(n.H*o.DX[i]))*inverse) + n.CX - float32(d.x+4)
		y := float32((b.Y[octant]+float32(n.H*o.DY[i]))*inverse) + n.CY - float32(d.y+4)
		locate(i, x, float32(stepX*z), &d.columns, &d.placesX, d.wide)
		locate(i, y, float32(stepY*z), &d.rows, &d.placesY, d.high)
	}
	closed := d.draw(c)
	n.Seen = d.seen
	if closed == 0 {
		return
	}
	Close(c.Cells, c.Height, d.x, d.y, closed)
	n.Drawn += uint32(bits.OnesCount32(d.seen))
	n.enter(octant, &k)
}

// kin are the bricks of a bottom node.
type kin struct {
	mask, slots uint32 // octants that are not empty, and those that have a record
	// By their slots.
	words, leaves [8]uint64
	ids           [8]uint32
}

func (n *Bottoms) kin(octant uint32) (k kin) {
	id := n.First + rank(n.Mask, octant)
	node := n.Nodes[id]
	k.mask, k.slots = uint32(node&0xff), uint32(node&0xff)
	if n.Half != 0 {
		brick, leaf := n.Bricks[id], n.IDs[id-n.IDFrom]
		k.slots = 0xff
		for o := range 8 {
			k.words[o] = HalfBrick(uint8(brick >> (8 * o)))
			k.ids[o] = leaf + uint32(bits.OnesCount64(brick&(1<<(8*o)-1)))
		}
		k.leaves = k.words
		return k
	}
	first := uint32(node >> 8)
	for i := range uint32(bits.OnesCount32(k.mask)) {
		k.words[i], k.leaves[i], k.ids[i] = n.Bricks[first+i], n.Leaves[first+i], first+i
		if len(n.IDs) > 0 {
			k.ids[i] = n.IDs[first+i-n.IDFrom]
		}
	}
	return k
}

// locate finds the places of the first size pixels across brick i, whose centre
// is at so many pixels from the middle of the window, and of which each takes so
// many parts of a place. All fits 16 bits; what is farther away than they tell is
// not met.
func locate(i int, at, step float32, met *[8]uint8, places *[8][8]uint8, size int) {
	parts := roundps(minps(maxps(step, 1), maxStep))
	centre := roundps(maxps(minps(float32(at*unit), 15*unit), -15*unit))
	first := unit/2 - 4*unit - centre
	if first < math.MinInt16 || first+7*unit > math.MaxInt16 { // rare
		for k := range size {
			from := max(min(first+int32(k*unit), math.MaxInt16), math.MinInt16)
			meet(i, from*parts, &met[k], &places[k])
		}
		return
	}
	for k, from := 0, first*parts; k < size; k, from = k+1, from+unit*parts {
		meet(i, from, &met[k&7], &places[k&7])
	}
}

// meet notes the place of a pixel across brick i, unless it is outside.
func meet(i int, from int32, met *uint8, places *[8]uint8) {
	if p := uint32(from>>(unitBits+stepBits) + Places/2); p < Places-1 {
		*met |= 1 << (i & 7)
		places[i&7] = uint8(p)
	}
}

// draw finds what each open pixel sees, and returns those that see something.
func (d *dab) draw(c *Canvas) (closed uint64) {
	for open := d.open; open != 0; open &= open - 1 {
		k := bits.TrailingZeros64(open)
		column, row := k&7, k>>3&7
		ref := Ref(0)
		for met := uint(d.columns[column] & d.rows[row]); met != 0; met &= met - 1 {
			i := bits.TrailingZeros(met) & 7
			leaves := d.tableX[d.placesX[column][i]] & d.tableY[d.placesY[row][i]] & d.words[i]
			if leaves != 0 {
				ref = d.refs[i] ^ Ref(bits.TrailingZeros64(leaves))
				closed |= 1 << k
				d.seen |= 1 << i
				break
			}
		}
		if d.columns[column]&d.rows[row] != 0 {
			c.Seen[(d.y+row-Pad)*c.Width+d.x+column-Pad] = ref
		}
	}
	return closed
}

// enter enters the patch of a bottom node, and a record for each of its bricks.
func (n *Bottoms) enter(octant uint32, k *kin) {
	patch := &n.Patches[n.NextPatch]
	patch.Info = n.Info
	for axis := range patch.Low {
		patch.Low[axis] = n.Low[axis] + n.Edge*int32(octant>>axis&1)
	}
	i := 0
	for slots := k.slots; slots != 0; slots &= slots - 1 {
		n.Records[n.NextRecord] = Record{Leaves: k.leaves[i], ID: k.ids[i], Place: n.NextPatch<<3 | uint32(bits.TrailingZeros32(slots))}
		n.NextRecord++
		i++
	}
	n.NextPatch++
}

// rank is how many octants of a mask come before one.
func rank(mask, octant uint32) uint32 { return uint32(bits.OnesCount32(mask & (1<<octant - 1))) }

// columnsBefore are the cells of a window in the columns before one (0 to 8).
func columnsBefore(n int) uint64 { return (1<<n - 1) * everyByte }

// rowsBefore are the cells of a window in the rows before one (0 to 8).
func rowsBefore(n int) uint64 { return 1<<(8*n) - 1 }

// closers are those of some octants around whose window there is an 8x8 tile that
// has no open pixel, which Tiles does not tell.
func (n *Bottoms) closers(c *Canvas, b *Batch, opened uint32) (settle uint32) {
	for ; opened != 0; opened &= opened - 1 {
		octant := bits.TrailingZeros32(opened)
		x, y := int(b.X0[octant]-c.X)+Pad, int(b.Y0[octant]-c.Y)+Pad
		for i := range 4 {
			column, row := x>>3+i>>1, y>>3+i&1
			open := binary.LittleEndian.Uint64(c.Cells[column*c.Height+8*row:])
			if open == 0 && c.Tiles[column>>3*c.TileHeight+row]>>(column&7)&1 != 0 {
				settle |= 1 << octant
			}
		}
	}
	return settle
}
