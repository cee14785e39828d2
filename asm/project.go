package asm

import "math"

// The pure Go twins. They are written lane by lane in the order of the vector
// kernels' operations: each product is rounded by a conversion, so that no
// compiler fuses it with an addition, and the comparisons treat NaN as the
// vector instructions do.

// lane is one octant of a perspective batch on its way to the screen.
type lane struct {
	x, y, z     float32 // centre
	front, back float32 // depth of the screen-facing cube, not before the near plane
}

// span is the projection of a lane along both axes, in pixels from the
// principal point.
type span struct{ x0, x1, y0, y1 float32 }

func (l *Lens) lane(i int, x, y, z, h float32) lane {
	rz := h * l.RZ
	cz := z + float32(h*l.DZ[i])
	return lane{
		x: x + float32(h*l.DX[i]), y: y + float32(h*l.DY[i]), z: cz,
		front: maxps(cz-rz, l.Near), back: maxps(cz+rz, l.Near),
	}
}

// projectTwoGo projects one x and one y for each side of the screen-facing
// cube. The side left of the principal point appears farthest left on the
// front face, otherwise on the back face, and so on: which faces are seen
// decides (seeds of the method, "Algorithm 2").
func projectTwoGo(b *Batch, l *Lens, x, y, z, h float32) {
	for i := range 8 {
		p := l.lane(i, x, y, z, h)
		l.finish(b, i, p, h, p.twoCorners(h*l.RX, h*l.RY))
	}
}

func (p lane) twoCorners(rx, ry float32) span {
	return span{
		x0: outward(p.x-rx, p.front, p.back), x1: outward(p.x+rx, p.back, p.front),
		y0: outward(p.y-ry, p.front, p.back), y1: outward(p.y+ry, p.back, p.front),
	}
}

// outward divides by the first depth where v is negative, else by the second.
func outward(v, negative, positive float32) float32 {
	if v < 0 {
		return v / negative
	}
	return v / positive
}

// projectFourGo projects the corners of the front and the back face of the
// screen-facing cube and takes the extremes ("Algorithm 1").
func projectFourGo(b *Batch, l *Lens, x, y, z, h float32) {
	rx, ry := h*l.RX, h*l.RY
	for i := range 8 {
		p := l.lane(i, x, y, z, h)
		l.finish(b, i, p, h, span{
			x0: minps((p.x-rx)/p.front, (p.x-rx)/p.back), x1: maxps((p.x+rx)/p.front, (p.x+rx)/p.back),
			y0: minps((p.y-ry)/p.front, (p.y-ry)/p.back), y1: maxps((p.y+ry)/p.front, (p.y+ry)/p.back),
		})
	}
}

// projectEightGo projects the eight corners of the octant itself. Where it
// crosses the near plane its corners do not bound what is seen of it, and the
// screen-facing cube takes their place.
func projectEightGo(b *Batch, l *Lens, x, y, z, h float32) {
	inf := float32(math.Inf(1))
	for i := range 8 {
		p := l.lane(i, x, y, z, h)
		s := span{x0: inf, x1: -inf, y0: inf, y1: -inf}
		for c := range 8 {
			depth := maxps(p.z+float32(h*l.DZ[c]), l.Near)
			cx := (p.x + float32(h*l.DX[c])) / depth
			cy := (p.y + float32(h*l.DY[c])) / depth
			s = span{x0: minps(cx, s.x0), x1: maxps(cx, s.x1), y0: minps(cy, s.y0), y1: maxps(cy, s.y1)}
		}
		if p.front <= l.Near {
			s = p.twoCorners(h*l.RX, h*l.RY)
		}
		l.finish(b, i, p, h, s)
	}
}

// projectTightGo bounds an octant by its exact half extents along its own line
// of sight, divided by the depth of its front: tighter than the screen-facing
// cube around it, and with one projected point. No octant may cross the near
// plane.
func projectTightGo(b *Batch, l *Lens, x, y, z, h float32) {
	for i := range 8 {
		p := l.lane(i, x, y, z, h)
		inverse := 1 / p.z
		scale := h / p.front
		tx, ty := float32(p.x*inverse), float32(p.y*inverse)
		ex, ey := float32(breadth(&l.AX, &l.AZ, tx)*scale), float32(breadth(&l.AY, &l.AZ, ty)*scale)
		l.finish(b, i, p, h, span{x0: tx - ex, x1: tx + ex, y0: ty - ey, y1: ty + ey})
	}
}

// breadth is the half extent of a node of half size 1 and depth 1 that is seen
// along a slope.
func breadth(axes, depths *[3]float32, slope float32) float32 {
	return abs(axes[0]-float32(slope*depths[0])) + abs(axes[1]-float32(slope*depths[1])) + abs(axes[2]-float32(slope*depths[2]))
}

func abs(f float32) float32 { return math.Float32frombits(math.Float32bits(f) &^ (1 << 31)) }

// finish rounds lane i to whole pixels, clips it and writes it to the batch.
func (l *Lens) finish(b *Batch, i int, p lane, h float32, s span) {
	if i == 0 {
		b.Visible, b.Behind, b.Empty, b.Small, b.SmallPixels, b.Ortho = 0, 0, 0, 0, 0, 0
	}
	size := maxps(s.x1-s.x0, s.y1-s.y0)
	b.X[i], b.Y[i], b.Z[i], b.Size[i] = p.x, p.y, p.z, size
	behind := p.back <= l.Near
	b.pixels(i, behind, l.LODPixels,
		[4]int32{
			roundps((s.x0 + l.CX) - l.Margin), roundps((s.x1 + l.CX) + l.Margin),
			roundps((s.y0 + l.CY) - l.Margin), roundps((s.y1 + l.CY) + l.Margin),
		},
		[4]int32{l.ClipX0, l.ClipX1, l.ClipY0, l.ClipY1})
	b.Behind |= bit(behind, i)
	b.Small |= bit(size <= l.LOD, i)
	b.Ortho |= bit(float32(size*float32(h*l.RZ)) <= float32(l.OrthoError*p.front), i)
}

// splitGo puts the octants of a node around its centre (x, y), in pixels; scale
// is 1 for the node that the step was made for, 1/2 for its children, ...
func splitGo(b *Batch, s *Step, x, y, scale float32) {
	b.Visible, b.Behind, b.Empty, b.SmallPixels = 0, 0, 0, 0
	ex, ey := float32(scale*s.EX)+s.Margin, float32(scale*s.EY)+s.Margin
	for i := range 8 {
		cx, cy := x+float32(scale*s.DX[i]), y+float32(scale*s.DY[i])
		b.X[i], b.Y[i] = cx, cy
		b.pixels(i, false, s.LODPixels,
			[4]int32{roundps(cx - ex), roundps(cx + ex), roundps(cy - ey), roundps(cy + ey)},
			[4]int32{s.ClipX0, s.ClipX1, s.ClipY0, s.ClipY1})
	}
}

// pixels clips a rectangle {x0, x1, y0, y1}, writes it to lane i and sets the
// masks that depend on it.
func (b *Batch) pixels(i int, behind bool, lod int32, r, clip [4]int32) {
	wide, high := r[1]-r[0], r[3]-r[2]
	empty := wide <= 0 || high <= 0
	b.X0[i], b.X1[i] = max(r[0], clip[0]), min(r[1], clip[1])
	b.Y0[i], b.Y1[i] = max(r[2], clip[2]), min(r[3], clip[3])
	b.Empty |= bit(empty, i)
	b.SmallPixels |= bit(wide <= lod && high <= lod, i)
	b.Visible |= bit(!behind && b.X0[i] < b.X1[i] && b.Y0[i] < b.Y1[i], i)
}

func bit(set bool, i int) (b uint8) {
	if set { // without a jump
		b = 1
	}
	return b << (i & 7)
}

// roundps is the nearest integer, ties to even, of a coordinate held within
// farAway; NaN becomes farAway.
func roundps(f float32) int32 {
	r := nearest(f)
	if uint32(r+farAway) <= 2*farAway { // as it is nearly always
		return r
	}
	if f < 0 {
		return -farAway
	}
	return farAway
}

// nearest is the nearest integer, ties to even, of a number within farAway; of
// any other it is none within farAway.
func nearest(f float32) int32 {
	const zero = 0x4b400000 // the bits of rounder
	return int32(math.Float32bits(f+rounder)) - zero
}

// maxps and minps are the vector instructions: the second operand where the
// comparison fails, as it does with NaN.
func maxps(a, b float32) float32 {
	if a > b {
		return a
	}
	return b
}

func minps(a, b float32) float32 {
	if a < b {
		return a
	}
	return b
}
