package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets into Leaves, CubeView and CubeCase (../cube.go).
const (
	leavesLower, leavesUpper         = 0, 32
	leavesCase, leavesRecords        = 64, 96
	leavesMask, leavesVisit          = 120, 124
	leavesNearest, leavesFirst       = 128, 132
	leavesPlace, leavesNext          = 136, 140
	leavesColours                    = 144
	viewA, viewB, viewC              = 0, 192, 384
	caseU, caseV, caseSign, caseBias = 0, 64, 128, 192
	caseFace, caseSize               = 256, 272
)

// The lanes of the functions that are used: six edges, three between faces.
const silhouetteLanes, faceLanes = 6, 3

// drawLeaves is the vector form of drawLeavesGo: of each leaf first the
// functions in their lanes, then eight pixels of a strip at a time.
func drawLeaves(function string, wide bool) {
	TEXT(function, NOSPLIT, "func(c, b, l, view, cases *byte)")
	c, l := Load(Param("c"), GP64()), Load(Param("l"), GP64())
	at, right, down, row := AllocLocal(64), AllocLocal(64), AllocLocal(64), AllocLocal(64)
	var rect [4]Mem
	for i := range rect {
		rect[i] = AllocLocal(8)
	}
	todo, octantOf, ref := AllocLocal(8), AllocLocal(8), AllocLocal(8)
	left := GP32()
	MOVL(field(l, leavesVisit), left)
	MOVL(left, todo)
	nextLeaf, leaf := function+"_nextLeaf", function+"_leaf"
	JMP(LabelRef(nextLeaf))

	Label(leaf)
	octant, kind := GP64(), GP64()
	TZCNTL(left, octant.As32())
	BLSRL(left, left)
	MOVL(left, todo)
	XORL(field(l, leavesNearest), octant.As32())
	MOVL(octant.As32(), octantOf)
	{
		b, side := Load(Param("b"), GP64()), GP32()
		for i := range rect {
			MOVL(Mem{Base: b, Index: octant, Scale: 4, Disp: batchX0 + 32*i}, side)
			MOVL(side, rect[i])
		}
		MOVL(field(l, leavesNext), side)
		SHLL(U8(6), side)
		MOVL(side, ref)
		MOVL(Mem{Base: l, Index: octant, Scale: 4, Disp: leavesCase}, kind.As32())
		IMUL3Q(U32(caseSize), kind, kind)
		cases := Load(Param("cases"), GP64())
		ADDQ(cases, kind)
	}
	skipHidden(c, rect, nextLeaf, function+"_large")
	corner := YMM()
	{
		masks := GP64()
		LEAQ(constantTable("octantCorners", func() {
			for o := range 8 {
				for i := range 8 {
					mask := uint32(0)
					if i < 6 && o>>(i%3)&1 != 0 {
						mask = 0xffffffff
					}
					DATA(32*o+4*i, U32(mask))
				}
			}
		}), masks)
		SHLQ(U8(5), octant)
		mask, upper := YMM(), YMM()
		VMOVUPS(Mem{Base: masks, Index: octant, Scale: 1}, mask)
		VMOVUPS(field(l, leavesUpper), upper)
		VMOVUPS(field(l, leavesLower), corner)
		VBLENDVPS(mask, upper, corner, corner)
	}
	lanesOf(Load(Param("view"), GP64()), corner, kind, [3]Mem{at, right, down})

	seenAny := GP32()
	XORL(seenAny, seenAny)
	strip, last := GP64(), GP64()
	for _, end := range []struct {
		from Mem
		back int
		to   GPVirtual
	}{{rect[0], 0, strip}, {rect[1], 1, last}} {
		MOVL(end.from, end.to.As32())
		SUBL(field(c, canvasX), end.to.As32())
		SUBL(U8(end.back), end.to.As32())
		SARL(U8(3), end.to.As32())
	}
	nextStrip, eachRow, nextRow, done := function+"_strip", function+"_row", function+"_nextRow", function+"_done"
	Label(nextStrip)
	CMPL(strip.As32(), last.As32())
	JGT(LabelRef(done))

	// The eight pixels' x, and what it adds to each edge of the silhouette.
	xs := YMM()
	{
		x := GP32()
		MOVL(strip.As32(), x)
		SHLL(U8(3), x)
		ADDL(field(c, canvasX), x)
		v := XMM()
		VMOVD(x, v)
		VPBROADCASTD(v, xs)
		VPADDD(constantTable("upToSeven", upToSeven), xs, xs)
		VCVTDQ2PS(xs, xs)
	}
	var along [silhouetteLanes]VecVirtual
	for i := range along {
		along[i] = mul(xs, broadcast(right.Offset(4*i)))
	}
	y, cell, seen := GP64(), GP64(), GP64()
	MOVL(rect[2], y.As32())
	{
		top := GP64()
		MOVL(y.As32(), top.As32())
		SUBL(field(c, canvasY), top.As32())
		MOVL(strip.As32(), cell.As32())
		ADDL(U8(pad/8), cell.As32())
		IMULQ(field(c, canvasHeight), cell)
		ADDQ(top, cell)
		ADDQ(field(c, canvasCells), cell)
		IMULQ(field(c, canvasWidth), top)
		LEAQ(Mem{Base: top, Index: strip, Scale: 8}, seen)
		SHLQ(U8(2), seen)
		ADDQ(field(c, canvasSeen), seen)
	}

	Label(eachRow)
	CMPL(y.As32(), rect[3])
	JGE(LabelRef(nextStrip + "_end"))
	open := GP32()
	MOVBLZX(Mem{Base: cell, Disp: pad}, open)
	TESTL(open, open)
	JZ(LabelRef(nextRow))
	{
		fy := YMM()
		x := XMM()
		VMOVD(y.As32(), x)
		VPBROADCASTD(x, fy)
		VCVTDQ2PS(fy, fy)
		for half := range 2 {
			v := mulMem(fy, down.Offset(32*half))
			VADDPS(at.Offset(32*half), v, v)
			VMOVUPS(v, row.Offset(32*half))
		}
	}
	outside := YMM()
	for i := range along {
		edge := broadcast(row.Offset(4 * i))
		VADDPS(along[i], edge, edge)
		if i == 0 {
			outside = edge
		} else {
			VORPS(edge, outside, outside)
		}
	}
	mask := GP32()
	VMOVMSKPS(outside, mask)
	ANDNL(open, mask, mask) // open and not outside
	TESTL(mask, mask)
	JZ(LabelRef(nextRow))
	{
		XORL(mask, open)
		MOVB(open.As8(), Mem{Base: cell, Disp: pad})
		ORL(mask, seenAny)

		zero := YMM()
		VXORPS(zero, zero, zero)
		var before [faceLanes]VecVirtual
		for i := range before {
			f := mul(xs, broadcast(right.Offset(4*(8+i))))
			VADDPS(broadcast(row.Offset(4*(8+i))), f, f)
			before[i] = compare(lessThan, zero, f)
		}
		// x where it comes before y and z does not come before it, else y where
		// it comes before z (and x not before it), else z.
		face := broadcastInt(field(kind, caseFace+8))
		onY := YMM()
		VANDNPS(before[1], before[0], onY)
		face = choose(onY, broadcastInt(field(kind, caseFace+4)), face)
		onX := YMM()
		VANDNPS(before[0], before[2], onX)
		face = choose(onX, broadcastInt(field(kind, caseFace)), face)
		VPADDD(broadcastInt(ref), face, face)
		storeMasked(mask, face, Mem{Base: seen}, wide)
	}
	Label(nextRow)
	INCL(y.As32())
	INCQ(cell)
	{
		width := GP64()
		MOVQ(field(c, canvasWidth), width)
		LEAQ(Mem{Base: seen, Index: width, Scale: 4}, seen)
	}
	JMP(LabelRef(eachRow))

	Label(nextStrip + "_end")
	INCL(strip.As32())
	JMP(LabelRef(nextStrip))
	Label(done)
	TESTL(seenAny, seenAny)
	JZ(LabelRef(nextLeaf))
	{
		record, at, value, place := GP64(), GP64(), GP64(), GP64()
		MOVL(field(l, leavesNext), at.As32())
		MOVL(at.As32(), record.As32())
		INCL(at.As32())
		MOVL(at.As32(), field(l, leavesNext))
		SHLQ(U8(4), record)
		ADDQ(field(l, leavesRecords), record)
		MOVL(octantOf, place.As32())
		BZHIL(place.As32(), field(l, leavesMask), value.As32())
		POPCNTL(value.As32(), value.As32())
		ADDL(field(l, leavesFirst), value.As32())
		ORL(field(l, leavesPlace), place.As32())
		MOVQ(U32(0), Mem{Base: record})
		MOVL(value.As32(), Mem{Base: record, Disp: 8})
		MOVL(place.As32(), Mem{Base: record, Disp: 12})
		fetch(field(l, leavesColours), value, 1)
	}

	Label(nextLeaf)
	MOVL(todo, left)
	TESTL(left, left)
	JNZ(LabelRef(leaf))
	VZEROUPPER()
	RET()
}

// skipHidden goes to the next leaf if no pixel of a small rectangle is open:
// nothing else would be seen of it, but later.
func skipHidden(c Register, rect [4]Mem, next, large string) {
	var corner, size [2]GPVirtual
	for axis := range corner {
		corner[axis], size[axis] = GP64(), GP64()
		MOVL(rect[2*axis], corner[axis].As32())
		MOVL(rect[2*axis+1], size[axis].As32())
		SUBL(corner[axis].As32(), size[axis].As32())
		CMPL(size[axis].As32(), U8(8))
		JG(LabelRef(large))
		SUBL(field(c, canvasX+4*axis), corner[axis].As32())
		ADDL(U8(pad), corner[axis].As32())
	}
	_, _, open := window(c, corner)
	mask, every := GP64(), GP64()
	MOVL(U32(0xff), mask.As32())
	BZHIL(size[0].As32(), mask.As32(), mask.As32())
	MOVQ(U64(everyByte), every)
	IMULQ(every, mask)
	SHLL(U8(3), size[1].As32())
	BZHIQ(size[1], mask, mask)
	TESTQ(open, mask)
	JZ(LabelRef(next))
	Label(large)
}

// lanesOf computes the functions at pixel (0, 0), per pixel to the right and
// per pixel down.
func lanesOf(view Register, corner VecVirtual, kind Register, out [3]Mem) {
	for half := range 2 {
		var point [2]VecVirtual
		for i := range point {
			index := YMM()
			VMOVDQU(field(kind, caseU+64*i+32*half), index)
			point[i] = YMM()
			VPERMPS(corner, index, point[i])
		}
		for k, m := range out {
			at := 64*k + 32*half
			v := add(mulMem(point[0], field(view, viewA+at)), mulMem(point[1], field(view, viewB+at)))
			VADDPS(field(view, viewC+at), v, v)
			VMULPS(field(kind, caseSign+32*half), v, v)
			if k == 0 {
				VADDPS(field(kind, caseBias+32*half), v, v)
			} else {
				zero := YMM()
				VXORPS(zero, zero, zero)
				VADDPS(zero, v, v)
			}
			VMOVUPS(v, m.Offset(32*half))
		}
	}
}

// storeMasked stores the lanes whose bit is set.
func storeMasked(mask GPVirtual, v VecVirtual, m Mem, wide bool) {
	if wide {
		k := K()
		KMOVB(mask, k)
		VMOVDQU32(v, k, m)
		return
	}
	x, lanes, bit := XMM(), YMM(), YMM()
	VMOVD(mask, x)
	VPBROADCASTD(x, lanes)
	VMOVDQU(constantTable("laneBits", func() {
		for i := range 8 {
			DATA(4*i, U32(1<<i))
		}
	}), bit)
	VPAND(bit, lanes, lanes)
	VPCMPEQD(bit, lanes, lanes)
	VPMASKMOVD(v, lanes, m)
}
