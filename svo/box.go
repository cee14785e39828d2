package svo

import "math"

// mortonBox holds the bounds of voxels as the masked codes of their lowest and
// highest coordinates: x, y and z compare in place, without being decoded.
type mortonBox struct{ low, high [3]uint64 }

// emptyBox is the box of no voxels.
var emptyBox = mortonBox{low: [3]uint64{math.MaxUint64, math.MaxUint64, math.MaxUint64}}

func (b *mortonBox) add(code uint64) {
	for axis := range 3 {
		c := code & (mortonX << axis)
		b.low[axis] = min(b.low[axis], c)
		b.high[axis] = max(b.high[axis], c)
	}
}

func (b mortonBox) union(c mortonBox) mortonBox {
	for axis := range 3 {
		b.low[axis] = min(b.low[axis], c.low[axis])
		b.high[axis] = max(b.high[axis], c.high[axis])
	}
	return b
}

// bounds are the coordinates of a box that is not empty, the upper exclusive.
func (b mortonBox) bounds() (low, high [3]uint32) {
	for axis := range 3 {
		low[axis] = gather(b.low[axis] >> axis)
		high[axis] = gather(b.high[axis]>>axis) + 1
	}
	return low, high
}
