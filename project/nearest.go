package project

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
