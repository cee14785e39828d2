package asm

import "math/bits"

// Parents are the octants of a node that are parents of bottom nodes, or nearly:
// most of a picture goes through them.
type Parents struct {
	Lens *Lens
	// Octants lead from a node's centre to its octants', for half size 1.
	Octants *[8][3]float64
	// Centre is that of the node, in camera space: in double precision, so that errors
	// don't add up on the way down.
	Centre [3]float64
	// Half is half the size of its octants, H half that of theirs.
	Half float64
	H    float32
	// Limit is how large an octant has to be at least, in pixels, half of what it may be.
	Limit float32

	First uint32 // id of the first octant
	Mask  uint32 // octants that are not empty
	// Todo are the octants that are yet to be drawn, in the order of visiting.
	Todo uint32
	Low  [3]int32 // the node's lower corner in voxels
	Info uint32   // of bottom nodes, as in Bottoms
	Edge int32    // the size of its octants

	// Opened counts the octants that were, Hidden those without an open pixel. Of the
	// nodes in those opened, Tested counts all, and those that are out: Behind the near
	// plane, Empty between the centres of pixels, Outside the picture.
	Opened, Hidden, Tested, Behind, Empty, Outside uint32
	// Last is the octant opened last.
	Last uint32
}

// DrawParents opens octants front to back and draws those of their own octants that are
// bottom nodes. outer has the octants' places and rectangles; b receives those of what is
// in them, and anything for what is empty there. It stops before an octant that is not as
// large as Limit tells, or after one in which something is left: Bottoms.Todo, of which b
// then is.
type DrawParents func(c *Canvas, outer *Batch, p *Parents, b *Batch, n *Bottoms, o *Offsets)

func drawParentsGo(c *Canvas, outer *Batch, p *Parents, b *Batch, n *Bottoms, o *Offsets) {
	p.Opened, p.Hidden, p.Tested, p.Behind, p.Empty, p.Outside = 0, 0, 0, 0, 0, 0
	n.begin()
	for n.Todo = 0; p.Todo != 0 && n.Todo == 0; p.Todo &= p.Todo - 1 {
		octant := (uint32(bits.TrailingZeros32(p.Todo)) ^ n.Nearest) & 7
		if size := outer.Size[octant]; !(p.Limit < size && size <= p.Limit+p.Limit) {
			return
		}
		if !c.anyOpen(outer, octant) {
			p.Hidden++
			continue
		}
		p.Opened++
		p.Last = octant
		p.open(b, n, octant)
		n.draw(c, b, o)
	}
}

// anyOpen tells whether a pixel of an octant's rectangle is open.
func (c *Canvas) anyOpen(b *Batch, octant uint32) bool {
	x0, x1 := int(b.X0[octant]-c.X)+Pad, int(b.X1[octant]-c.X)+Pad
	y0, y1 := int(b.Y0[octant]-c.Y)+Pad, int(b.Y1[octant]-c.Y)+Pad
	return x0 < x1 && y0 < y1 && AnyOpen(c.Cells, c.Height, x0, x1, y0, y1)
}

// open projects the octants of an octant and tells which are to be drawn.
func (p *Parents) open(b *Batch, n *Bottoms, octant uint32) {
	node := n.Nodes[p.First+rank(p.Mask, octant)]
	mask := uint8(node)
	n.First, n.Mask = uint32(node>>8), uint32(mask)
	var at [3]float32
	for c := range at {
		at[c] = float32(p.Centre[c] + float64(p.Half*p.Octants[octant][c]))
		n.Low[c] = p.Low[c] + p.Edge*int32(octant>>c&1)
	}
	p.Lens.projectTight(b, at[0], at[1], at[2], p.H, mask)
	p.Tested += uint32(bits.OnesCount8(mask))
	p.Behind += uint32(bits.OnesCount8(mask & b.Behind))
	p.Empty += uint32(bits.OnesCount8(mask & b.Empty &^ b.Behind))
	p.Outside += uint32(bits.OnesCount8(mask &^ (b.Visible | b.Behind | b.Empty)))
	n.Todo = visited(uint32(mask&b.Visible), n.Nearest)
}
