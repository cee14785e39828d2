package asm

import (
	"math"
	"math/bits"
)

// Leaves larger than a pixel are drawn as the cubes they are, all eight of a node
// at once: each open pixel's ray is followed through the node. Its nine
// planes, three across each axis, are met by a ray at nine depths; in their order
// it passes at most four leaves, of which the first that is there is seen. A
// plane has the same number in every node that it bounds, so that it is met at
// the very same depth there, and no ray is lost between neighbours.

// Rays are the rays through the centres of the pixels, in the coordinates of an
// octree, counted in voxels from a point of its lattice. Depth is what a ray's
// direction is multiplied by to come to a point of it, counted from its origin.
type Rays struct {
	// Origin and Direction are those of pixel (0, 0)'s ray; for each pixel to the
	// right and each pixel down, so much is added.
	Origin, OriginRight, OriginDown          [3]float32
	Direction, DirectionRight, DirectionDown [3]float32
	// First is the eye's depth: what is entered there or before is not seen.
	First float32
}

// Leaves are the leaves of a node's octants, ready to be drawn as cubes.
type Leaves struct {
	// Low is the node's lower corner, in voxels as for Rays.
	Low [3]float32
	// Visit has bit i for the octants Order[i] that are to be drawn, in the order
	// of visiting.
	Visit uint32
	Order [8]uint8
	// Draw are the leaves to be drawn: bit 8*o+p is octant p of octant o.
	Draw uint64
	// Seen are those that some pixel has seen, as the kernel tells: bit 8*i+p is
	// octant p of octant Order[i].
	Seen uint64
	// Next is the index of the record that pixels are to see of Order[0], those of
	// the others follow.
	Next uint32
	// Open tells, by the order of visiting, which octants had an open pixel when
	// their turn came, as the kernel tells.
	Open uint32
	// First is the id of the first leaf of each octant, by the order of visiting,
	// and Colours what the ids stand for: three bytes each, which will be looked
	// up soon where something is seen.
	First   [8]uint32
	Colours []uint8
}

// DrawLeaves draws the leaves of a node's octants, which are in the batch. Every
// open pixel of an octant's rectangle whose ray enters one of its leaves sees the
// first that it enters: part 8*p + f of the octant's record is face f of octant p,
// 2*axis, plus 1 for the face towards higher coordinates.
type DrawLeaves func(c *Canvas, b *Batch, l *Leaves, r *Rays)

func drawLeavesGo(c *Canvas, b *Batch, l *Leaves, r *Rays) {
	l.Seen, l.Open = 0, 0
	for todo := l.Visit; todo != 0; todo &= todo - 1 {
		i := bits.TrailingZeros32(todo)
		o := l.Order[i] & 7
		n := leafNode{draw: uint8(l.Draw >> (8 * o)), ref: Ref(l.Next+uint32(i)) << 6}
		for k := range n.low {
			n.low[k] = l.Low[k] + float32(o>>k&1*2)
		}
		open := n.drawOn(c, r, b.X0[o], b.X1[o], b.Y0[o], b.Y1[o])
		l.Seen |= uint64(n.seen) << (8 * i)
		l.Open |= uint32(bit(open, i))
	}
}

// leafNode is a node of leaves while it is drawn.
type leafNode struct {
	low        [3]float32
	draw, seen uint8
	ref        Ref
}

// drawOn draws a node that lies in a rectangle; open tells whether it had an open
// pixel.
func (n *leafNode) drawOn(c *Canvas, r *Rays, x0, x1, y0, y1 int32) (open bool) {
	for y := y0; y < y1; y += 8 {
		for x := x0; x < x1; x += 8 {
			left, top := int(x-c.X), int(y-c.Y)
			window := Window(c.Cells, c.Height, left+Pad, top+Pad) & corner(x1-x, y1-y)
			closed := uint64(0)
			for todo := window; todo != 0; todo &= todo - 1 {
				bit := bits.TrailingZeros64(todo)
				i, j := bit&7, bit>>3
				if octant, face, hit := r.enter(n, x+int32(i), y+int32(j)); hit {
					c.Seen[(top+j)*c.Width+left+i] = n.ref | Ref(octant<<3|face)
					n.seen |= 1 << octant
					closed |= 1 << bit
				}
			}
			if closed != 0 {
				Close(c.Cells, c.Height, left+Pad, top+Pad, closed)
			}
			open = open || window != 0
		}
	}
	return open
}

// corner is the first w columns of the first h rows of a window, or all of them.
func corner(w, h int32) uint64 {
	return everyByte * uint64(0xff>>(8-min(w, 8))) & (^uint64(0) >> (64 - 8*min(h, 8)))
}

// leastDirection takes the place of a direction of 0: a ray along a plane meets
// it where it begins, and the planes beside it nowhere near.
const leastDirection = 1e-30

// enter tells which of the leaves pixel (x, y)'s ray sees.
func (r *Rays) enter(n *leafNode, x, y int32) (octant, face uint32, hit bool) {
	fx, fy := float32(x), float32(y)
	var in, middle, out [3]float32 // depths of a node's planes
	near := uint32(0)              // the octant on the side where the ray comes from
	for k := range 3 {
		origin := (r.Origin[k] + float32(fy*r.OriginDown[k])) + float32(fx*r.OriginRight[k])
		direction := ((r.Direction[k] + float32(fy*r.DirectionDown[k])) + float32(fx*r.DirectionRight[k])) + leastDirection
		inverse := 1 / direction
		low := float32((n.low[k] - origin) * inverse)
		middle[k] = float32(((n.low[k] + 1) - origin) * inverse)
		high := float32(((n.low[k] + 2) - origin) * inverse)
		in[k], out[k] = minps(low, high), maxps(low, high)
		near |= math.Float32bits(direction) >> 31 << k
	}
	enter := maxps(maxps(in[0], in[1]), in[2])
	leave := minps(minps(out[0], out[1]), out[2])

	// The middle planes in the order in which they are met, and their axes.
	less, more := minps(middle[0], middle[1]), maxps(middle[0], middle[1])
	first, third := minps(less, middle[2]), maxps(more, middle[2])
	second := minps(more, maxps(less, middle[2]))
	axes := [4]uint32{through(enter, in, 0, 1, 2), through(first, middle, 0, 1, 2), 0, through(third, middle, 2, 1, 0)}
	axes[2] = 3 ^ axes[1] ^ axes[3] // the one that is neither

	// Each leaf is entered where the node or a middle plane is, and left where
	// the next plane is.
	from := [4]float32{enter, maxps(first, enter), maxps(second, enter), maxps(third, enter)}
	to := [4]float32{minps(first, leave), minps(second, leave), minps(third, leave), leave}
	octants := [4]uint32{near, near ^ 1<<axes[1], near ^ 7 ^ 1<<axes[3], near ^ 7}
	for i, octant := range octants {
		if from[i] > r.First && from[i] <= to[i] && n.draw>>octant&1 != 0 {
			axis := axes[i]
			if from[i] == enter {
				axis = axes[0]
			}
			return octant, 2*axis + near>>axis&1, true
		}
	}
	return 0, 0, false
}

// through is the axis of the plane at a depth, the first asked for if there are
// more.
func through(depth float32, planes [3]float32, a, b, c uint32) uint32 {
	switch depth {
	case planes[a]:
		return a
	case planes[b]:
		return b
	}
	return c
}
