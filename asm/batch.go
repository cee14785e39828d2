package asm

// Lens is what a batch has to know of an instance under a camera. Camera space
// has x to the right, y down and z forward; its x and y are multiplied by the
// focal length, so that x/z is a distance in pixels from the principal point.
// The kernels know the order of the fields.
type Lens struct {
	// DX, DY and DZ lead from the centre of a node to those of its octants, for
	// octants of half size 1.
	DX, DY, DZ [8]float32
	// RX, RY and RZ are the half extents of the screen-facing cube around a
	// node of half size 1.
	RX, RY, RZ float32
	// CX and CY are the principal point in pixels.
	CX, CY float32
	// Near is the distance of the near plane; nothing before it is seen.
	Near float32
	// Margin widens each rectangle by so many pixels on each side: more than the
	// rounding errors of a batch, so that neighbours meet without a gap.
	Margin float32
	// OrthoError is twice the greatest error in pixels that orthographic mode
	// may cause.
	OrthoError float32
	// LOD is the greatest footprint in pixels that counts as small.
	LOD float32
	// LODPixels is the same in whole pixels.
	LODPixels int32
	// The part of the picture being drawn, in pixels, upper ends exclusive.
	ClipX0, ClipX1, ClipY0, ClipY1 int32
	// AX, AY and AZ are the x, y and z of the tree's three axes in camera space,
	// for one voxel.
	AX, AY, AZ [3]float32
}

// Step is what subdividing on the screen has to know: how the eight octants of
// a node lie around its centre, in pixels.
type Step struct {
	// DX and DY lead from the node's centre to those of its octants.
	DX, DY [8]float32
	// EX and EY are the half extents of an octant's footprint.
	EX, EY float32
	// Margin is added to the half extents at every level.
	Margin float32
	// LODPixels is the greatest footprint in whole pixels that counts as small.
	LODPixels int32
	// The part of the picture being drawn, in pixels, upper ends exclusive.
	ClipX0, ClipX1, ClipY0, ClipY1 int32
}

// Batch is the eight octants of a node, projected. Lane o is octant o. The
// masks have bit o for octant o, whether or not the octant holds anything.
type Batch struct {
	// X, Y and Z are the centres in camera space (after Split: in pixels, and Z
	// is left alone).
	X, Y, Z [8]float32
	// Size is the larger side of the footprint in pixels, before clipping
	// (Split leaves it alone: it is the same for all octants).
	Size [8]float32
	// The pixels whose centres lie in the footprint, upper ends exclusive,
	// clipped.
	X0, X1, Y0, Y1 [8]int32
	// Visible: some pixel is left after clipping. Behind: all of it before the
	// near plane. Empty: it lies between the pixel centres.
	Visible, Behind, Empty uint8
	// Small: Size is at most LOD. SmallPixels: the footprint is at most
	// LODPixels wide and high. Both before clipping.
	Small, SmallPixels uint8
	// Ortho: the back face lands where the front face does, so that the octant
	// may be subdivided on the screen.
	Ortho uint8
	_     [2]uint8
}

// farAway bounds screen coordinates before they become integers. Below 2^22,
// adding 1.5*2^23 rounds a float32 to the nearest integer, ties to even.
const (
	farAway = 1 << 21
	rounder = 3 << 22
)
