package asm

import (
	"math"
	"math/bits"
)

// The pure Go twins. They are written lane by lane in the order of the vector
// kernels' operations: each product is rounded by a conversion, so that no
// compiler fuses it with an addition, and the comparisons treat NaN as the
// vector instructions do.

// lane is the centre of one octant of a perspective batch on its way to the screen, faces
// the depths of the screen-facing cube around it, none before the near plane. They are two,
// and small, since the compiler keeps in registers what has at most four fields.
type (
	lane  struct{ x, y, z float32 }
	faces struct{ front, back float32 }
)

// span is the projection of a lane along both axes, in pixels from the
// principal point.
type span struct{ x0, x1, y0, y1 float32 }

func (l *Lens) lane(i int, x, y, z, h float32) (lane, faces) {
	rz := h * l.RZ
	cz := z + float32(h*l.DZ[i])
	return lane{x + float32(h*l.DX[i]), y + float32(h*l.DY[i]), cz}, faces{maxps(cz-rz, l.Near), maxps(cz+rz, l.Near)}
}

// projectTwoGo projects one x and one y for each side of the screen-facing
// cube. The side left of the principal point appears farthest left on the
// front face, otherwise on the back face, and so on: which faces are seen
// decides (seeds of the method, "Algorithm 2").
func projectTwoGo(b *Batch, l *Lens, x, y, z, h float32) {
	masks, clip := uint64(0), l.clip()
	for i := range 8 {
		p, f := l.lane(i, x, y, z, h)
		masks = masks>>1 | l.finish(b, i, p, f, h, p.twoCorners(f, h*l.RX, h*l.RY), &clip)
	}
	b.enter(masks)
}

func (p lane) twoCorners(f faces, rx, ry float32) span {
	return span{
		x0: outward(p.x-rx, f.front, f.back), x1: outward(p.x+rx, f.back, f.front),
		y0: outward(p.y-ry, f.front, f.back), y1: outward(p.y+ry, f.back, f.front),
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
	masks, clip := uint64(0), l.clip()
	for i := range 8 {
		p, f := l.lane(i, x, y, z, h)
		masks = masks>>1 | l.finish(b, i, p, f, h, span{
			x0: minps((p.x-rx)/f.front, (p.x-rx)/f.back), x1: maxps((p.x+rx)/f.front, (p.x+rx)/f.back),
			y0: minps((p.y-ry)/f.front, (p.y-ry)/f.back), y1: maxps((p.y+ry)/f.front, (p.y+ry)/f.back),
		}, &clip)
	}
	b.enter(masks)
}

// projectEightGo projects the eight corners of the octant itself. Where it
// crosses the near plane its corners do not bound what is seen of it, and the
// screen-facing cube takes their place.
func projectEightGo(b *Batch, l *Lens, x, y, z, h float32) {
	inf := float32(math.Inf(1))
	masks, clip := uint64(0), l.clip()
	for i := range 8 {
		p, f := l.lane(i, x, y, z, h)
		s := span{x0: inf, x1: -inf, y0: inf, y1: -inf}
		for c := range 8 {
			depth := maxps(p.z+float32(h*l.DZ[c]), l.Near)
			cx := (p.x + float32(h*l.DX[c])) / depth
			cy := (p.y + float32(h*l.DY[c])) / depth
			s = span{x0: minps(cx, s.x0), x1: maxps(cx, s.x1), y0: minps(cy, s.y0), y1: maxps(cy, s.y1)}
		}
		if f.front <= l.Near {
			s = p.twoCorners(f, h*l.RX, h*l.RY)
		}
		masks = masks>>1 | l.finish(b, i, p, f, h, s, &clip)
	}
	b.enter(masks)
}

// projectTightGo bounds an octant by its exact half extents along its own line
// of sight, divided by the depth of its front: tighter than the screen-facing
// cube around it, and with one projected point. No octant may cross the near
// plane.
func projectTightGo(b *Batch, l *Lens, x, y, z, h float32) { l.projectTight(b, x, y, z, h, 0xff) }

// projectTight leaves out all but some octants.
func (l *Lens) projectTight(b *Batch, x, y, z, h float32, octants uint8) {
	masks, clip := uint64(0), l.clip()
	for ; octants != 0; octants &= octants - 1 {
		i := bits.TrailingZeros8(octants) & 7
		p, f := l.lane(i, x, y, z, h)
		inverse := 1 / p.z
		scale := h / f.front
		// The half extents of a node of half size 1 and depth 1 along this slope.
		tx, ty := float32(p.x*inverse), float32(p.y*inverse)
		ex := abs(l.AX[0]-float32(tx*l.AZ[0])) + abs(l.AX[1]-float32(tx*l.AZ[1])) + abs(l.AX[2]-float32(tx*l.AZ[2]))
		ey := abs(l.AY[0]-float32(ty*l.AZ[0])) + abs(l.AY[1]-float32(ty*l.AZ[1])) + abs(l.AY[2]-float32(ty*l.AZ[2]))
		ex, ey = float32(ex*scale), float32(ey*scale)
		masks |= l.finish(b, i, p, f, h, span{x0: tx - ex, x1: tx + ex, y0: ty - ey, y1: ty + ey}, &clip) >> (7 - i)
	}
	b.enter(masks)
}

func abs(f float32) float32 { return math.Float32frombits(math.Float32bits(f) &^ (1 << 31)) }

// The masks of a batch are made side by side, each in a byte of its own: with each
// lane all are moved down by one, and the lane's bits come in at the top.
const (
	isVisible = 1 << (7 + 8*iota)
	isBehind
	isEmpty
	isSmall
	isSmallPixels
	isOrtho
)

// enter enters the masks of a batch.
func (b *Batch) enter(masks uint64) {
	b.Visible, b.Behind, b.Empty = uint8(masks), uint8(masks>>8), uint8(masks>>16)
	b.Small, b.SmallPixels, b.Ortho = uint8(masks>>24), uint8(masks>>32), uint8(masks>>40)
}

// finish rounds lane i to whole pixels, clips it, writes it to the batch and
// returns its bits of the masks.
func (l *Lens) finish(b *Batch, i int, p lane, f faces, h float32, s span, clip *[4]int32) uint64 {
	size := maxps(s.x1-s.x0, s.y1-s.y0)
	b.X[i&7], b.Y[i&7], b.Z[i&7], b.Size[i&7] = p.x, p.y, p.z, size
	masks := b.pixels(i,
		roundps((s.x0+l.CX)-l.Margin), roundps((s.x1+l.CX)+l.Margin),
		roundps((s.y0+l.CY)-l.Margin), roundps((s.y1+l.CY)+l.Margin),
		l.LODPixels, clip)
	behind := one(f.back <= l.Near)
	return masks&^(behind*isVisible) | behind*isBehind | one(size <= l.LOD)*isSmall |
		one(float32(size*float32(h*l.RZ)) <= float32(l.OrthoError*f.front))*isOrtho
}

// splitGo puts the octants of a node around its centre (x, y), in pixels; scale
// is 1 for the node that the step was made for, 1/2 for its children, ...
func splitGo(b *Batch, s *Step, x, y, scale float32) {
	ex, ey := float32(scale*s.EX)+s.Margin, float32(scale*s.EY)+s.Margin
	masks, clip := uint64(0), [4]int32{s.ClipX0, s.ClipX1, s.ClipY0, s.ClipY1}
	for i := range 8 {
		cx, cy := x+float32(scale*s.DX[i]), y+float32(scale*s.DY[i])
		b.X[i], b.Y[i] = cx, cy
		masks = masks>>1 | b.pixels(i, roundps(cx-ex), roundps(cx+ex), roundps(cy-ey), roundps(cy+ey), s.LODPixels, &clip)
	}
	small, ortho := b.Small, b.Ortho // are left alone
	b.enter(masks)
	b.Small, b.Ortho = small, ortho
}

// clip is the part of the picture being drawn: x0, x1, y0, y1.
func (l *Lens) clip() [4]int32 { return [4]int32{l.ClipX0, l.ClipX1, l.ClipY0, l.ClipY1} }

// pixels clips a rectangle, writes it to lane i and returns the bits of the masks
// that depend on it. It makes them without jumps: nobody could predict these.
func (b *Batch) pixels(i int, x0, x1, y0, y1, lod int32, clip *[4]int32) uint64 {
	wide, high := x1-x0, y1-y0
	x0, x1, y0, y1 = max(x0, clip[0]), min(x1, clip[1]), max(y0, clip[2]), min(y1, clip[3])
	b.X0[i&7], b.X1[i&7], b.Y0[i&7], b.Y1[i&7] = x0, x1, y0, y1
	return one(x0 < x1)&one(y0 < y1)*isVisible | (one(wide <= 0)|one(high <= 0))*isEmpty |
		one(wide <= lod)&one(high <= lod)*isSmallPixels
}

// one is 1 for what is true, without a jump.
func one(set bool) (n uint64) {
	if set {
		n = 1
	}
	return n
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
