package asm

import (
	"math"
	"math/bits"
)

// Mostly the rays that meet a node are a pencil: they all come from one point, and along
// each axis from the same side. Then it is known in which order they meet the three planes
// across an axis, and what is the same for all has to be found but once. The pure Go twin,
// which knows nothing of eight pixels at a time, draws with pencils where it can; they see what
// leafNode.enter tells.

// pencil is rays as they meet a node of leaves.
type pencil struct {
	// in, middle and out are how far the node's planes are from where the rays begin, in the
	// order in which they are met.
	in, middle, out [3]float32
	near            uint32       // the octant on the side where the rays come from
	first           int32        // the bits of Rays.First
	crossings       [64]crossing // by the pixels of a window
	x0, x1, y0, y1  int32        // where it is framed, the pixels that may see a leaf, upper ends exclusive
	framed          bool
	sights          sights
}

// moderate bounds distances and, from below, directions, so that neither a depth nor
// anything on the way to it is infinite or not a number.
const moderate = 1e15

// aim makes p the rays through the pixels of a rectangle, so many of which are open in its
// first window, as they meet a node; ok is false where they are no pencil.
func (p *pencil) aim(n *leafNode, r *Rays, x0, x1, y0, y1 int32, open int) (ok bool) {
	if !(r.First >= 0 && r.First < moderate) {
		return false
	}
	p.near, p.first = 0, int32(math.Float32bits(r.First+0)) // not -0
	for k := range 3 {
		if r.OriginRight[k] != 0 || r.OriginDown[k] != 0 {
			return false
		}
		// A direction grows or shrinks from pixel to pixel: it is between those in the corners.
		down, least, most := uint32(0), float32(moderate), float32(0)
		for _, y := range [2]int32{y0, y1 - 1} {
			for _, x := range [2]int32{x0, x1 - 1} {
				direction := r.towards(k, float32(x), float32(y))
				down += math.Float32bits(direction) >> 31
				least, most = min(least, abs(direction)), max(most, abs(direction))
			}
		}
		origin := r.Origin[k]
		low, middle, high := n.low[k]-origin, (n.low[k]+1)-origin, (n.low[k]+2)-origin
		if !(least > 1/moderate && most < moderate && abs(low) < moderate && abs(high) < moderate) {
			return false
		}
		switch down {
		case 0:
			p.in[k], p.middle[k], p.out[k] = low, middle, high
		case 4:
			p.in[k], p.middle[k], p.out[k] = high, middle, low
			p.near |= 1 << k
		default:
			return false
		}
	}
	if p.framed = open >= worthFraming; p.framed {
		p.x0, p.x1, p.y0, p.y1 = x0, x1, y0, y1
		p.frame(n, r)
	}
	return true
}

// halves are the octants on the lower and on the upper side of the middle plane across an
// axis.
var halves = [3][2]uint8{{0x55, 0xaa}, {0x33, 0xcc}, {0x0f, 0xf0}}

// worthFraming is how many open pixels in a window make up for the time that framing takes.
const worthFraming = 16

// frame leaves only those pixels which may see one of the node's leaves: most nodes have none
// on one side or another.
func (p *pencil) frame(n *leafNode, r *Rays) {
	var low, high [3]float64 // from where the rays begin
	whole := true
	for k, half := range halves {
		low[k] = float64(n.low[k]) - float64(r.Origin[k])
		high[k] = low[k] + 2
		if n.draw&half[0] == 0 {
			low[k]++
			whole = false
		}
		if n.draw&half[1] == 0 {
			high[k]--
			whole = false
		}
	}
	if whole {
		return
	}
	if p.sights.of != r {
		p.sights.from(r)
	}
	left, right, top, bottom, ok := p.sights.bounds(&low, &high)
	if !ok {
		return
	}
	p.x0, p.x1 = within(left, right, p.x0, p.x1)
	p.y0, p.y1 = within(top, bottom, p.y0, p.y1)
}

// within are the pixels from x0 to x1-1 that lie from low to high, or closely beside.
func within(low, high float64, x0, x1 int32) (first, end int32) {
	// Single precision moves a ray by less than a hundredth of a pixel, see sights.from. In
	// a tree that is stretched it may be more.
	const slack = 1. / 8
	first = int32(max(float64(x0), min(float64(x1), low-slack+1)))
	end = int32(max(float64(x0), min(float64(x1), high+slack+1)))
	return first, end
}

// mask has the pixels of a window that may see a leaf.
func (p *pencil) mask(x, y int32) uint64 {
	first, end := uint32(max(0, min(p.x0-x, 8))), uint32(max(0, min(p.x1-x, 8)))
	above, below := uint32(max(0, min(p.y0-y, 8))), uint32(max(0, min(p.y1-y, 8)))
	return columnsBefore(end) &^ columnsBefore(first) & rowsBefore(below) &^ rowsBefore(above)
}

// crossing is how a ray passes a node. Depths are the bits of what they are, compared as
// integers, for which the processor needs no jump: so those above 0 are in order, and any
// other is below them.
type crossing struct {
	enter, leave int32
	middle       [3]int32 // the depths of the middle planes
	axis         uint32   // of the plane by which the ray enters
}

// drawPencil is drawWindow for a pencil. How all rays pass the node is found before what any
// of them sees, so that little is undone where the processor has guessed wrong what that is.
func (n *leafNode) drawPencil(p *pencil, r *Rays, open uint64, x, y int32, seen []Ref, width int) (closed uint64) {
	if p.framed {
		open &= p.mask(x, y)
	}
	for crossed := p.cross(r, open, x, y); crossed != 0; crossed &= crossed - 1 {
		pixel := int32(bits.TrailingZeros64(crossed))
		c := &p.crossings[pixel&63]
		px, py := pixel&7, pixel>>3
		part := int32(missed)
		if c.enter > p.first {
			part = p.see(c, n.draw)
		} else { // the ray begins in the node
			var row rayRow
			row.begin(r, float32(y+py))
			if octant, face, hit := n.enter(&row, float32(x+px), r.First); hit {
				part = int32(octant<<3 | face)
			}
		}
		if part != missed {
			seen[int(py)*width+int(px)] = n.ref | Ref(part)
			n.seen |= 1 << (part >> 3 & 7)
			closed |= crossed & -crossed
		}
	}
	return closed
}

// missed is the part that a ray sees that sees none.
const missed = -1

// cross finds how the rays of a window's open pixels pass the node, and which do.
func (p *pencil) cross(r *Rays, open uint64, left, top int32) (crossed uint64) {
	for ; open != 0; open &= open - 1 {
		pixel := int32(bits.TrailingZeros64(open))
		x, y := float32(left+pixel&7), float32(top+pixel>>3)
		inverseX, inverseY, inverseZ := 1/r.towards(0, x, y), 1/r.towards(1, x, y), 1/r.towards(2, x, y)
		inX, inY, inZ := depth(p.in[0], inverseX), depth(p.in[1], inverseY), depth(p.in[2], inverseZ)
		enter := max(inX, inY, inZ)
		leave := min(depth(p.out[0], inverseX), depth(p.out[1], inverseY), depth(p.out[2], inverseZ))
		notX, notY := uint32(one(enter != inX)), uint32(one(enter != inY))
		crossed |= one(enter <= leave) << (pixel & 63)
		c := &p.crossings[pixel&63]
		c.enter, c.leave, c.axis = enter, leave, notX+notX&notY
		c.middle[0], c.middle[1], c.middle[2] = depth(p.middle[0], inverseX), depth(p.middle[1], inverseY), depth(p.middle[2], inverseZ)
	}
	return crossed
}

// see tells which part of the node a ray sees, of the leaves in draw.
func (p *pencil) see(c *crossing, draw uint8) (part int32) {
	enter := c.enter
	x1, y1, z1 := c.middle[0], c.middle[1], c.middle[2]
	// Middle planes that are met before the node are passed.
	octant := p.near ^ uint32(bit(x1 < enter, 0)|bit(y1 < enter, 1)|bit(z1 < enter, 2))
	if draw>>(octant&7)&1 != 0 {
		return p.part(octant, c.axis)
	}
	for {
		next, axis := int32(math.MaxInt32), uint32(0)
		if x1 >= enter {
			next = x1
		}
		if y1 >= enter && y1 < next {
			next, axis = y1, 1
		}
		if z1 >= enter && z1 < next {
			next, axis = z1, 2
		}
		if next > c.leave {
			return missed
		}
		if octant ^= 1 << axis; draw>>(octant&7)&1 != 0 {
			if next == enter {
				axis = c.axis
			}
			return p.part(octant, axis)
		}
		switch axis {
		case 0:
			x1 = passed
		case 1:
			y1 = passed
		default:
			z1 = passed
		}
	}
}

// passed is a depth before any other.
const passed = math.MinInt32

// part is an octant as it is seen by its face across an axis.
func (p *pencil) part(octant, axis uint32) int32 {
	return int32(octant<<3 | 2*axis | p.near>>axis&1)
}

// depth is that of a plane so far away, as an integer.
func depth(distance, inverse float32) int32 {
	return int32(math.Float32bits(float32(distance * inverse)))
}

// towards is the direction of pixel (x, y)'s ray along axis k.
func (r *Rays) towards(k int, x, y float32) float32 {
	return ((r.Direction[k] + float32(y*r.DirectionDown[k])) + float32(x*r.DirectionRight[k])) + leastDirection
}
