package project

import "math"

// Nearest is the octant of a node on the camera's side of its three mid-planes.
// i^nearest for i = 0 to 7 visits the octants front to back, for any rotation:
// an octant can only hide those that lie farther across some mid-plane.
//
// A node whose parent is not crossed by one of the camera's axis planes (the
// planes through the eye along the tree's axes) has its parent's nearest
// octant. crossed tells whether such a plane crosses the node, so that its
// children must be decided anew.
//
// low is the node's lower corner and edge its size, in voxels.
func (r *Rays) Nearest(low [3]int32, edge float64) (nearest int, crossed bool) {
	half := edge / 2
	for k := range 3 {
		if r.parallel {
			if r.direction[k] < 0 {
				nearest |= 1 << k
			}
			continue
		}
		beyond := r.origin[k] - (float64(low[k]) + half)
		if beyond > 0 {
			nearest |= 1 << k
		}
		if beyond < half && -beyond < half {
			crossed = true
		}
	}
	return nearest, crossed
}

// Layers tells, of n layers of a node across each axis, which lie on the sides of
// the camera's axis plane across it: those before to on the low side, those from
// from on the high side. The one that it runs through, if any, is among both.
func (r *Rays) Layers(low [3]int32, edge float64, n int) (from, to [3]int) {
	for k := range from {
		at := (r.origin[k] - float64(low[k])) / edge * float64(n)
		at = math.Min(math.Max(at, 0), float64(n))
		from[k], to[k] = int(at), int(math.Ceil(at))
	}
	return from, to
}

// Sides tells which rays of the 8x8 pixels from (x, y) on lead to the low side, and
// which to the high side, of the camera's axis plane across axis k: bit 8*j+i is the
// pixel i to the right and j down. Those of which a millionth of a pixel decides are
// on neither side, as all are in a parallel projection.
func (r *Rays) Sides(k, x, y int) (low, high uint64) {
	if r.parallel {
		return 0, 0
	}
	right, down := r.right[k], r.down[k]
	little := 1e-6 * (math.Abs(right) + math.Abs(down))
	first := r.direction[k] + float64(right*float64(x)) + float64(down*float64(y))
	for j := range 8 {
		row := first + float64(down*float64(j))
		for i := range 8 {
			at := row + float64(right*float64(i))
			// The signs, without jumps.
			low |= math.Float64bits(at+little) >> 63 << (8*j + i)
			high |= math.Float64bits(little-at) >> 63 << (8*j + i)
		}
	}
	return low, high
}

// ByDistance orders the octants of a node by the distance of their centres from
// the eye: what inheriting the order spares. order[i] is the i-th nearest.
func (r *Rays) ByDistance(low [3]int32, edge float64) (order [8]uint8) {
	var distance [8]float64
	for o := range 8 {
		var d float64
		for k := range 3 {
			centre := float64(low[k]) + edge/4
			if o>>k&1 != 0 {
				centre += edge / 2
			}
			if r.parallel {
				d += centre * r.direction[k]
			} else {
				d += (centre - r.origin[k]) * (centre - r.origin[k])
			}
		}
		at := o
		for at > 0 && distance[at-1] > d {
			distance[at], order[at] = distance[at-1], order[at-1]
			at--
		}
		distance[at], order[at] = d, uint8(o)
	}
	return order
}
