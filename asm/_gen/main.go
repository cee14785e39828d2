// Command _gen writes the AVX2 kernels of package asm. Each function here is
// the vector form of its twin in ../project.go, in the same order of
// operations; lane o is octant o.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets into Lens, Step and Batch (../batch.go; a test compares them).
const (
	lensDX, lensDY, lensDZ    = 0, 32, 64
	lensRX, lensRY, lensRZ    = 96, 100, 104
	lensCX, lensCY, lensNear  = 108, 112, 116
	lensMargin, lensOrthoErr  = 120, 124
	lensLOD, lensLODPixels    = 128, 132
	lensClip                  = 136
	lensAxes                  = 152
	stepDX, stepDY            = 0, 32
	stepEX, stepEY            = 64, 68
	stepMargin, stepLODPixels = 72, 76
	stepClip                  = 80
	batchX, batchY, batchZ    = 0, 32, 64
	batchSize                 = 96
	batchX0, batchX1          = 128, 160
	batchY0, batchY1          = 192, 224
	batchVisible, batchBehind = 256, 257
	batchEmpty, batchSmall    = 258, 259
	batchSmallPixels          = 260
	batchOrtho                = 261
)

// Predicates of VCMPPS: ordered, quiet.
const lessThan, lessOrEqual = 0x11, 0x12

func main() {
	ConstraintExpr("amd64,!purego")
	project("projectTwoAVX2", twoCorners)
	project("projectFourAVX2", fourPoints)
	project("projectEightAVX2", eightCorners)
	project("projectTightAVX2", tight)
	split()
	makeTable()
	fetchLines()
	drawBottoms("drawBottomsAVX2", false)
	drawBottoms("drawBottomsAVX512", true)
	drawParents("drawParentsAVX2", false)
	drawParents("drawParentsAVX512", true)
	drawLeaves("drawLeavesAVX2", false)
	drawLeaves("drawLeavesAVX512", true)
	look()
	paintRun()
	lookWide()
	paintRunWide()
	Generate()
}

// lanes are the octants on their way to the screen.
type lanes struct {
	batch, lens Register
	h           VecVirtual // half size, broadcast
	front, back VecVirtual
	// Of tight, for both axes: one divided by the depth, and the size at the front.
	inverse, scale VecVirtual
}

// span is the projection along one axis, in pixels from the principal point.
type span struct{ low, high VecVirtual }

func project(name string, bounds func(l *lanes, axis int) span) {
	TEXT(name, NOSPLIT, "func(b, l *byte, x, y, z, h float32)")
	l := lanes{batch: Load(Param("b"), GP64()), lens: Load(Param("l"), GP64()), h: broadcast(parameter("h"))}
	l.project([3]Mem{parameter("x"), parameter("y"), parameter("z")}, bounds)
	VZEROUPPER()
	RET()
}

// project projects the octants of a node around a centre.
func (l *lanes) project(centre [3]Mem, bounds func(l *lanes, axis int) span) {
	for axis, at := range centre {
		offset := mulMem(l.h, l.field(lensDX+32*axis))
		VMOVUPS(add(broadcast(at), offset), l.lane(batchX+32*axis))
	}
	near := broadcast(l.field(lensNear))
	rz := mul(l.h, broadcast(l.field(lensRZ)))
	l.front = maxps(sub(l.load(batchZ), rz), near)
	l.back = maxps(add(l.load(batchZ), rz), near)

	behind := compare(lessOrEqual, l.back, near)
	storeMask(behind, l.lane(batchBehind))

	x := bounds(l, 0)
	y := bounds(l, 1)
	size := maxps(sub(x.high, x.low), sub(y.high, y.low))
	VMOVUPS(size, l.lane(batchSize))
	storeMask(compare(lessOrEqual, size, broadcast(l.field(lensLOD))), l.lane(batchSmall))
	rz = mul(l.h, broadcast(l.field(lensRZ)))
	error := mul(broadcast(l.field(lensOrthoErr)), l.front)
	storeMask(compare(lessOrEqual, mul(size, rz), error), l.lane(batchOrtho))

	margin := broadcast(l.field(lensMargin))
	for axis, s := range []span{x, y} {
		centre := broadcast(l.field(lensCX + 4*axis))
		VADDPS(centre, s.low, s.low)
		VADDPS(centre, s.high, s.high)
		VSUBPS(margin, s.low, s.low)
		VADDPS(margin, s.high, s.high)
	}
	pixels(l.batch, l.lens, lensLODPixels, lensClip, x, y, behind)
}

func twoCorners(l *lanes, axis int) span {
	r := mul(l.h, broadcast(l.field(lensRX+4*axis)))
	low, high := sub(l.load(batchX+32*axis), r), add(l.load(batchX+32*axis), r)
	zero := YMM()
	VXORPS(zero, zero, zero)
	return span{
		low:  div(low, choose(compare(lessThan, low, zero), l.front, l.back)),
		high: div(high, choose(compare(lessThan, high, zero), l.back, l.front)),
	}
}

func fourPoints(l *lanes, axis int) span {
	r := mul(l.h, broadcast(l.field(lensRX+4*axis)))
	low, high := sub(l.load(batchX+32*axis), r), add(l.load(batchX+32*axis), r)
	return span{
		low:  minps(div(low, l.front), div(low, l.back)),
		high: maxps(div(high, l.front), div(high, l.back)),
	}
}

// eightCorners goes over the corners once for each axis: the depths are
// computed twice, but fit the registers.
func eightCorners(l *lanes, axis int) span {
	const infinity = 0x7f800000
	s := span{low: constant(infinity), high: constant(infinity | 1<<31)}
	for c := range 8 {
		near := broadcast(l.field(lensNear))
		depth := add(l.load(batchZ), mul(l.h, broadcast(l.field(lensDZ+4*c))))
		depth = maxps(depth, near)
		corner := add(l.load(batchX+32*axis), mul(l.h, broadcast(l.field(lensDX+32*axis+4*c))))
		corner = div(corner, depth)
		s = span{low: minps(corner, s.low), high: maxps(corner, s.high)}
	}
	crossing := compare(lessOrEqual, l.front, broadcast(l.field(lensNear)))
	cube := twoCorners(l, axis)
	return span{low: choose(crossing, cube.low, s.low), high: choose(crossing, cube.high, s.high)}
}

// tight takes the exact half extents of the octant in the sheared space of its
// own line of sight.
func tight(l *lanes, axis int) span {
	if axis == 0 {
		l.inverse, l.scale = div(constant(0x3f800000), l.load(batchZ)), div(l.h, l.front)
	}
	middle := mul(l.load(batchX+32*axis), l.inverse)
	absolute := constant(0x7fffffff)
	var extent VecVirtual
	for k := range 3 {
		sheared := sub(broadcast(l.field(lensAxes+12*axis+4*k)), mul(middle, broadcast(l.field(lensAxes+24+4*k))))
		VPAND(absolute, sheared, sheared)
		if k == 0 {
			extent = sheared
		} else {
			VADDPS(sheared, extent, extent)
		}
	}
	VMULPS(l.scale, extent, extent)
	return span{low: sub(middle, extent), high: add(middle, extent)}
}

func split() {
	TEXT("splitAVX2", NOSPLIT, "func(b, s *byte, x, y, scale float32)")
	batch, step := Load(Param("b"), GP64()), Load(Param("s"), GP64())
	scale := broadcast(parameter("scale"))
	margin := broadcast(Mem{Base: step, Disp: stepMargin})
	var spans [2]span
	for axis, p := range []string{"x", "y"} {
		centre := add(broadcast(parameter(p)), mulMem(scale, Mem{Base: step, Disp: stepDX + 32*axis}))
		VMOVUPS(centre, Mem{Base: batch, Disp: batchX + 32*axis})
		extent := add(mul(scale, broadcast(Mem{Base: step, Disp: stepEX + 4*axis})), margin)
		spans[axis] = span{low: sub(centre, extent), high: add(centre, extent)}
	}
	never := YMM()
	VXORPS(never, never, never)
	MOVB(U8(0), Mem{Base: batch, Disp: batchBehind})
	pixels(batch, step, stepLODPixels, stepClip, spans[0], spans[1], never)
	VZEROUPPER()
	RET()
}

// pixels rounds the spans to whole pixels, clips them and sets the masks that
// depend on them.
func pixels(batch, from Register, lod, clip int, x, y span, behind VecVirtual) {
	far, near, rounder := constant(0x4a000000), constant(0xca000000), constant(0x4b400000)
	for _, v := range []VecVirtual{x.low, x.high, y.low, y.high} {
		VMINPS(far, v, v)
		VMAXPS(near, v, v)
		VADDPS(rounder, v, v)
		VPSUBD(rounder, v, v)
	}
	wide, high := YMM(), YMM()
	VPSUBD(x.low, x.high, wide)
	VPSUBD(y.low, y.high, high)

	limit := broadcastInt(Mem{Base: from, Disp: lod})
	large := YMM()
	VPCMPGTD(limit, wide, large)
	VPCMPGTD(limit, high, limit)
	VPOR(limit, large, large)
	storeNotMask(large, Mem{Base: batch, Disp: batchSmallPixels})

	zero := YMM()
	VPXOR(zero, zero, zero)
	VPCMPGTD(zero, wide, wide)
	VPCMPGTD(zero, high, high)
	VPAND(wide, high, wide)
	storeNotMask(wide, Mem{Base: batch, Disp: batchEmpty})

	for i, v := range []VecVirtual{x.low, x.high, y.low, y.high} {
		bound := broadcastInt(Mem{Base: from, Disp: clip + 4*i})
		if i%2 == 0 {
			VPMAXSD(bound, v, v)
		} else {
			VPMINSD(bound, v, v)
		}
		VMOVDQU(v, Mem{Base: batch, Disp: batchX0 + 32*i})
	}
	VPCMPGTD(x.low, x.high, wide)
	VPCMPGTD(y.low, y.high, high)
	VPAND(wide, high, wide)
	VPANDN(wide, behind, wide)
	storeMask(wide, Mem{Base: batch, Disp: batchVisible})
}

func (l lanes) field(offset int) Mem       { return Mem{Base: l.lens, Disp: offset} }
func (l lanes) lane(offset int) Mem        { return Mem{Base: l.batch, Disp: offset} }
func (l lanes) load(offset int) VecVirtual { v := YMM(); VMOVUPS(l.lane(offset), v); return v }

// The operands of avo stand in Go's order: the second source first.

func add(a, b VecVirtual) VecVirtual   { d := YMM(); VADDPS(b, a, d); return d }
func sub(a, b VecVirtual) VecVirtual   { d := YMM(); VSUBPS(b, a, d); return d }
func mul(a, b VecVirtual) VecVirtual   { d := YMM(); VMULPS(b, a, d); return d }
func div(a, b VecVirtual) VecVirtual   { d := YMM(); VDIVPS(b, a, d); return d }
func minps(a, b VecVirtual) VecVirtual { d := YMM(); VMINPS(b, a, d); return d }
func maxps(a, b VecVirtual) VecVirtual { d := YMM(); VMAXPS(b, a, d); return d }

func mulMem(a VecVirtual, b Mem) VecVirtual { d := YMM(); VMULPS(b, a, d); return d }

// choose takes yes where the mask is set, else no.
func choose(mask, yes, no VecVirtual) VecVirtual {
	d := YMM()
	VBLENDVPS(mask, yes, no, d)
	return d
}

func compare(predicate uint8, a, b VecVirtual) VecVirtual {
	d := YMM()
	VCMPPS(U8(predicate), b, a, d)
	return d
}

// parameter is where a parameter lies, to be read straight into all lanes: a scalar
// SSE move between AVX instructions would cost a merge.
func parameter(name string) Mem {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}

func broadcast(m Mem) VecVirtual    { d := YMM(); VBROADCASTSS(m, d); return d }
func broadcastInt(m Mem) VecVirtual { d := YMM(); VPBROADCASTD(m, d); return d }

// constant is in all lanes what memory has once: a load costs less than the way
// through a register.
func constant(bits uint32) VecVirtual {
	d := YMM()
	VPBROADCASTD(wideConstant(bits), d)
	return d
}

func storeMask(v VecVirtual, m Mem) {
	g := GP32()
	VMOVMSKPS(v, g)
	MOVB(g.As8(), m)
}

func storeNotMask(v VecVirtual, m Mem) {
	g := GP32()
	VMOVMSKPS(v, g)
	NOTL(g)
	MOVB(g.As8(), m)
}
