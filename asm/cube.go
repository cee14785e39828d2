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
	// Seen are those that some pixel has seen, as the kernel tells: bit p of Seen[i]
	// is octant p of octant Order[i].
	Seen [8]uint8
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
	l.Seen, l.Open = [8]uint8{}, 0
	var p pencil
	for todo := l.Visit; todo != 0; todo &= todo - 1 {
		i := bits.TrailingZeros32(todo)
		o := l.Order[i] & 7
		n := leafNode{draw: uint8(l.Draw >> (8 * o)), ref: Ref(l.Next+uint32(i)) << 6}
		for k := range n.low {
			n.low[k] = l.Low[k] + float32(o>>k&1*2)
		}
		open := n.drawOn(c, r, &p, b.X0[o], b.X1[o], b.Y0[o], b.Y1[o])
		l.Seen[i] = n.seen
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
func (n *leafNode) drawOn(c *Canvas, r *Rays, p *pencil, x0, x1, y0, y1 int32) (open bool) {
	isPencil := false
	for y := y0; y < y1; y += 8 {
		for x := x0; x < x1; x += 8 {
			left, top := int(x-c.X), int(y-c.Y)
			window := Window(c.Cells, c.Height, left+Pad, top+Pad) & corner(x1-x, y1-y)
			if window == 0 {
				continue
			}
			if !open {
				open, isPencil = true, p.aim(n, r, x0, x1, y0, y1, bits.OnesCount64(window))
			}
			closed, seen := uint64(0), c.Seen[top*c.Width+left:]
			if isPencil {
				closed = n.drawPencil(p, r, window, x, y, seen, c.Width)
			} else {
				closed = n.drawWindow(r, window, x, y, seen, c.Width)
			}
			if closed != 0 {
				Close(c.Cells, c.Height, left+Pad, top+Pad, closed)
			}
		}
	}
	return open
}

// drawWindow draws a node on the open pixels of a window, whose upper left corner is
// (x, y), and returns those that see something. What they see goes to seen, which begins
// with that corner and has so many pixels in a row.
func (n *leafNode) drawWindow(r *Rays, open uint64, x, y int32, seen []Ref, width int) (closed uint64) {
	var row rayRow
	for open != 0 {
		j := bits.TrailingZeros64(open) >> 3
		row.begin(r, float32(y+int32(j)))
		for todo := uint8(open >> (8 * j)); todo != 0; todo &= todo - 1 {
			i := bits.TrailingZeros8(todo)
			if octant, face, hit := n.enter(&row, float32(x+int32(i)), r.First); hit {
				seen[j*width+i] = n.ref | Ref(octant<<3|face)
				n.seen |= 1 << octant
				closed |= 1 << (8*j + i)
			}
		}
		open &^= 0xff << (8 * j)
	}
	return closed
}

// corner is the first w columns of the first h rows of a window, or all of them.
func corner(w, h int32) uint64 {
	return everyByte * uint64(0xff>>(8-min(w, 8))) & (^uint64(0) >> (64 - 8*min(h, 8)))
}

// leastDirection takes the place of a direction of 0: a ray along a plane meets
// it where it begins, and the planes beside it nowhere near.
const leastDirection = 1e-30

// rayRow is the rays of a row of pixels: those of pixel 0, and what is added for
// each pixel to the right.
type rayRow struct{ origin, originRight, direction, directionRight [3]float32 }

// begin begins row y.
func (row *rayRow) begin(r *Rays, y float32) {
	row.originRight, row.directionRight = r.OriginRight, r.DirectionRight
	for k := range 3 {
		row.origin[k] = r.Origin[k] + float32(y*r.OriginDown[k])
		row.direction[k] = r.Direction[k] + float32(y*r.DirectionDown[k])
	}
}

// ray is where pixel x's ray begins and one divided by its direction along axis k,
// and 1 where it runs down the axis.
func (r *rayRow) ray(k int, x float32) (origin, inverse float32, down uint32) {
	direction := (r.direction[k] + float32(x*r.directionRight[k])) + leastDirection
	return r.origin[k] + float32(x*r.originRight[k]), 1 / direction, math.Float32bits(direction) >> 31
}

// enter tells which of the leaves pixel x's ray sees.
func (n *leafNode) enter(r *rayRow, x, nothingBefore float32) (octant, face uint32, hit bool) {
	originX, inverseX, downX := r.ray(0, x)
	originY, inverseY, downY := r.ray(1, x)
	originZ, inverseZ, downZ := r.ray(2, x)
	// The depths at which it meets the node's planes.
	x0, x1, x2 := float32((n.low[0]-originX)*inverseX), float32(((n.low[0]+1)-originX)*inverseX), float32(((n.low[0]+2)-originX)*inverseX)
	y0, y1, y2 := float32((n.low[1]-originY)*inverseY), float32(((n.low[1]+1)-originY)*inverseY), float32(((n.low[1]+2)-originY)*inverseY)
	z0, z1, z2 := float32((n.low[2]-originZ)*inverseZ), float32(((n.low[2]+1)-originZ)*inverseZ), float32(((n.low[2]+2)-originZ)*inverseZ)
	inX, outX := minps(x0, x2), maxps(x0, x2)
	inY, outY := minps(y0, y2), maxps(y0, y2)
	inZ, outZ := minps(z0, z2), maxps(z0, z2)
	enter := maxps(maxps(inX, inY), inZ)
	leave := minps(minps(outX, outY), outZ)
	if !(enter <= leave) { // then none of the leaves' is
		return 0, 0, false
	}
	// The octant on the side where the ray comes from; it is left at the first of
	// the middle planes.
	near := downX | downY<<1 | downZ<<2
	less, more := minps(x1, y1), maxps(x1, y1)
	first := minps(less, z1)
	axis := through(enter, inX, inY, 0, 1, 2)
	see := func(octant uint32, from, to float32) bool {
		return from > nothingBefore && from <= to && n.draw>>(octant&7)&1 != 0
	}
	if see(near, enter, minps(first, leave)) {
		return near, 2*axis + near>>axis&1, true
	}
	// The others are entered where the next middle plane is, or with the node.
	third := maxps(more, z1)
	second := minps(more, maxps(less, z1))
	axis1, axis3 := through(first, x1, y1, 0, 1, 2), through(third, z1, y1, 2, 1, 0)
	from := maxps(first, enter)
	if octant = near ^ 1<<axis1; see(octant, from, minps(second, leave)) {
		return octant, faceAcross(near, axis, axis1, from == enter), true
	}
	from = maxps(second, enter)
	if octant = near ^ 7 ^ 1<<axis3; see(octant, from, minps(third, leave)) {
		return octant, faceAcross(near, axis, 3^axis1^axis3, from == enter), true // neither the first nor the third
	}
	from = maxps(third, enter)
	if octant = near ^ 7; see(octant, from, leave) {
		return octant, faceAcross(near, axis, axis3, from == enter), true
	}
	return 0, 0, false
}

// faceAcross is the face across the first axis where the ray enters with the node, else
// across the second.
func faceAcross(near, node, own uint32, withNode bool) uint32 {
	axis := own
	if withNode {
		axis = node
	}
	return 2*axis + near>>axis&1
}

// through is the axis of the plane at a depth: a where that is the first's, else b
// where it is the second's, else c.
func through(depth, first, second float32, a, b, c uint32) uint32 {
	switch depth {
	case first:
		return a
	case second:
		return b
	}
	return c
}
