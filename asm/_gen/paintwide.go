package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lookWide is look with sixteen pixels to a vector.
func lookWide() {
	TEXT("lookAVX512", 0, lookSignature)
	sight, records, patches := GP64(), GP64(), GP64()
	Load(Param("s"), sight)
	{
		ledger := Load(Param("l"), GP64())
		MOVQ(field(ledger, ledgerRecords), records)
		MOVQ(field(ledger, ledgerPatches), patches)
	}
	locals := lines(3 * 4 * maxSight)
	offsets, leaves := locals, [2]Mem{locals.Offset(4 * maxSight), locals.Offset(8 * maxSight)}
	at := GP64()
	every := func(m Mem) Mem { m.Index, m.Scale = at, 1; return m }
	of := func(offset int) Mem { return every(Mem{Base: sight, Disp: offset}) }

	// The records.
	refsAt, todo := GP64(), GP64()
	Load(Param("refs").Base(), refsAt)
	Load(Param("refs").Len(), todo)
	TESTQ(todo, todo)
	JLE(LabelRef("wide_none"))
	XORL(at.As32(), at.As32())
	Label("wide_record")
	{
		refs := ZMM()
		VMOVDQU32_Z(every(Mem{Base: refsAt}), firstLanes(todo), refs)
		VMOVDQU32(refs, of(sightInfo))
		empty := K()
		VPTESTNMD(refs, refs, empty)
		KORTESTW(empty, empty)
		JC(LabelRef("wide_recordless"))
		// Of the last few refs, there is a copy with nothing behind the end.
		from, copied := GP64(), GP64()
		LEAQ(every(Mem{Base: refsAt}), from)
		LEAQ(of(sightInfo), copied)
		CMPQ(todo, U8(16))
		CMOVQLT(copied, from)
		record := rows(ZMM, records, recordOf(Mem{Base: from}))
		VMOVDQU64(record[0], every(leaves[0]))
		VMOVDQU64(record[1], every(leaves[1]))
		VMOVDQU32(record[2], of(sightID))
		patch, octant := ZMM(), ZMM()
		VPANDD_BCST(wideConstant(0xfffffff8), record[3], patch)
		VPADDD(patch, patch, patch)
		VMOVDQU64(patch, every(offsets))
		VPANDD_BCST(wideConstant(7), record[3], octant)
		VPSLLD(U8(6), octant, octant)
		const orAnd = 0xf8 // the first, or both others
		VPTERNLOGD_BCST(U8(orAnd), wideConstant(63), refs, octant)
		VMOVDQU32(octant, of(sightPlace))
		Label("wide_recordless")
	}
	ADDQ(U8(64), at)
	SUBQ(U8(16), todo)
	JG(LabelRef("wide_record"))

	// The patches.
	Load(Param("refs").Len(), todo)
	XORL(at.As32(), at.As32())
	others, nothing, lane := GP64(), GP64(), GP64()
	for _, g := range []GPVirtual{others, nothing, lane} {
		XORL(g.As32(), g.As32())
	}
	beforeOf, coarseOf, ones := ZMM(), ZMM(), ZMM()
	VBROADCASTI32X4(paintBefore(), beforeOf)
	VBROADCASTI32X4(paintCoarse(), coarseOf)
	VPTERNLOGD(U8(0xff), ones, ones, ones)
	Label("wide_patch")
	{
		refs, info := ZMM(), ZMM()
		VMOVDQU32(of(sightInfo), refs)
		empty, seen := K(), K()
		VPTESTNMD(refs, refs, empty)
		VMOVDQA32(ones, info)
		KORTESTW(empty, empty)
		JC(LabelRef("wide_patchless"))
		patch := rows(ZMM, patches, offsetIn(every(offsets)))
		for k := range 3 {
			VMOVDQU32(patch[k], of(sightLow+4*maxSight*k))
		}
		before, coarse, low, high := ZMM(), ZMM(), ZMM(), ZMM()
		VPERMILPS(patch[3], beforeOf, before)
		VPERMILPS(patch[3], coarseOf, coarse)
		VPANDD(refs, before, before)
		VPSLLVD(before, ones, low)
		VPANDND(every(leaves[0]), low, low)
		VPBROADCASTD(wideConstant(64), high)
		VPSUBD(before, high, high)
		VPSRLVD(high, ones, high)
		VPANDD(every(leaves[1]), high, high)
		VPOPCNTD(low, low)
		VPOPCNTD(high, high)
		VPADDD(low, high, high)
		VPSRLVD(coarse, high, high)
		VPADDD(of(sightID), high, high)
		VMOVDQU32(high, of(sightID))
		owner, other := ZMM(), K()
		VPSRLD(U8(8), patch[3], owner)
		KNOTW(empty, seen)
		instance := ZMM()
		VBROADCASTSS(parameter("instance"), instance)
		VPCMPD(U8(4), instance, owner, seen, other)
		g := GP64()
		KMOVW(other, g.As32())
		SHLXQ(lane, g, g)
		ORQ(g, others)
		VMOVDQA32(patch[3], seen, info)
		Label("wide_patchless")
		VMOVDQU32(info, of(sightInfo))
		g = GP64()
		KMOVW(empty, g.As32())
		SHLXQ(lane, g, g)
		ORQ(g, nothing)
	}
	ADDQ(U8(64), at)
	ADDQ(U8(16), lane)
	SUBQ(U8(16), todo)
	JG(LabelRef("wide_patch"))
	onlyFirst(nothing)
	Store(others, Return("others"))
	Store(nothing, Return("nothing"))
	VZEROUPPER()
	RET()

	Label("wide_none")
	zero := GP64()
	XORL(zero.As32(), zero.As32())
	Store(zero, Return("others"))
	Store(zero, Return("nothing"))
	RET()
}

// lines is so many bytes of the stack that begin with a cache line: a vector that lies
// across two takes twice the time.
func lines(bytes int) Mem {
	base := GP64()
	toLine(AllocLocal(bytes+64), base)
	return Mem{Base: base}
}

// toLine finds where in a block, which has 64 bytes to spare, a cache line begins.
func toLine(block Mem, base GPVirtual) {
	LEAQ(block.Offset(63), base)
	ANDQ(I8(-64), base)
}

// firstLanes is the mask of the first of sixteen lanes, as many as there are.
func firstLanes(n GPVirtual) Register {
	mask, count, all := K(), GP32(), GP32()
	MOVL(U32(16), count)
	CMPQ(n, count.As64())
	CMOVQLT(n, count.As64())
	MOVL(U32(0xffff), all)
	BZHIL(count, all, all)
	KMOVW(all, mask)
	return mask
}

// paintRunWide is paintRun with sixteen pixels to a vector.
func paintRunWide() {
	TEXT("paintRunAVX512", 0, paintRunSignature)
	p := Load(Param("p"), GP64())
	at, sight, end := GP64(), GP64(), GP64()
	Load(Param("pixels").Len(), end)
	TESTQ(end, end)
	JLE(LabelRef("wide_end"))
	SHLQ(U8(2), end)
	Load(Param("s"), sight)
	{
		first := Load(Param("first"), GP64())
		LEAQ(Mem{Base: sight, Index: first, Scale: 4}, sight)
	}
	locals := lines(4 * 4 * maxSight)
	lights, ids := locals, locals.Offset(4*maxSight)
	offsets, shifts := locals.Offset(8*maxSight), locals.Offset(12*maxSight)
	every := func(m Mem) Mem { m.Index, m.Scale = at, 1; return m }
	of := func(offset int) Mem { return every(Mem{Base: sight, Disp: offset}) }
	vector := func(f func(...Op), operands ...Op) VecVirtual { d := ZMM(); f(append(operands, d)...); return d }
	all := func(m Mem) VecVirtual { return vector(VPBROADCASTD, m) }
	number := func(bits uint32) VecVirtual { return all(wideConstant(bits)) }

	// The faces.
	column := vector(VBROADCASTSS, parameter("x"))
	VPADDD(constantTable("upToFifteen", upToFifteen), column, column)
	partsOf, levelsOf := vector(VBROADCASTI32X4, paintParts()), vector(VBROADCASTI32X4, paintLevels())
	coarseOf, table := vector(VBROADCASTI32X4, paintCoarse()), vector(VBROADCASTI64X4, field(p, paintLight))
	faces := [3]VecVirtual{number(0), number(2), number(4)}
	digits, pack, zero := number(0x49), number(0x2a00), number(0)
	part63 := number(63)
	pixelsAt := GP64()
	Load(Param("pixels").Base(), pixelsAt)
	XORL(at.As32(), at.As32())
	Label("wide_face")
	{
		PREFETCHT0(every(Mem{Base: pixelsAt})) // to be written
		info, place := vector(VMOVDQU32, of(sightInfo)), vector(VMOVDQU32, of(sightPlace))
		leaf := K()
		VPTESTMD(faces[2], info, leaf)
		face := vector(VPANDD, part63, place)
		KORTESTW(leaf, leaf)
		JC(LabelRef("wide_light"))

		ways, coarse := vector(VPERMILPS, info, partsOf), vector(VPERMILPS, info, coarseOf)
		VPANDD(place, ways, ways)
		VPSRLVD(coarse, ways, ways)
		shift := vector(VPSRLD, U8(3), info)
		VPANDD_BCST(wideConstant(31), shift, shift)
		VPADDD(vector(VPERMILPS, info, levelsOf), shift, shift)
		VPSUBD(shift, all(field(p, paintDepth)), shift)
		edge := vector(VPADDD_BCST, wideConstant(127), shift)
		VPSLLD(U8(23), edge, edge)
		// Of the planes' depths a/b, cross products tell the greatest.
		fx := vector(VCVTDQ2PS, column)
		var a, b, high [3]VecVirtual
		for k := range 3 {
			way := ways
			if k > 0 {
				way = vector(VPSRLD, U8(k), ways)
			}
			way = vector(VPANDD, digits, way)
			VPMULLW(pack, way, way)
			VPSRLD(U8(13), way, way)
			VPSLLVD(shift, way, way)
			VPADDD(of(sightLow+4*maxSight*k), way, way)
			VPSUBD_BCST(field(p, paintCell+4*k), way, way)
			VCVTDQ2PS(way, way)
			near := vector(VSUBPS, all(field(p, paintOffset+4*k)), way)
			VSUBPS(vector(VMULPS_BCST, field(p, paintMove+4*k), fx), near, near)
			slope := vector(VMULPS_BCST, field(p, paintTurn+4*k), fx)
			VADDPS_BCST(field(p, paintSlope+4*k), slope, slope)
			negative := K()
			VCMPPS(U8(lessThan), zero, slope, negative)
			VADDPS(edge, near, negative, near)
			VPXORD_BCST(wideConstant(1<<31), near, negative, near)
			VPXORD_BCST(wideConstant(1<<31), slope, negative, slope)
			a[k], b[k] = near, slope
			high[k] = vector(VPBLENDMD_BCST, wideConstant(uint32(2*k+1)), faces[k], negative)
		}
		const greater, notGreater = 0x1e, 0x1a
		last := func(predicate uint8, i, j int, within ...Op) Register {
			m := K()
			u, v := vector(VMULPS, b[j], a[i]), vector(VMULPS, b[i], a[j])
			VCMPPS(append(append([]Op{U8(predicate), v, u}, within...), m)...)
			return m
		}
		xy := last(greater, 0, 1)
		onX := last(notGreater, 2, 0, xy)
		KNOTW(xy, xy)
		onY := last(greater, 1, 2, xy)
		VMOVDQA32(high[1], onY, high[2])
		VMOVDQA32(high[0], onX, high[2])
		VMOVDQA32(face, leaf, high[2])
		VMOVDQA32(high[2], face)

		Label("wide_light")
		VMOVDQU32(vector(VPERMD, table, face), every(lights))
	}
	VPADDD_BCST(wideConstant(16), column, column)
	ADDQ(U8(64), at)
	CMPQ(at, end)
	JLT(LabelRef("wide_face"))

	// What lies in shared bricks.
	idAt := GP64()
	LEAQ(Mem{Base: sight, Disp: sightID}, idAt)
	{
		shared, length := GP64(), GP64()
		MOVQ(field(p, paintShared+8), length)
		TESTQ(length, length)
		JZ(LabelRef("wide_own"))
		last := all(field(p, paintShared+8))
		VPSUBD_BCST(wideConstant(1), last, last)
		seven, two := number(7), number(2)
		XORL(at.As32(), at.As32())
		Label("wide_index")
		m := firstLanesTo(end, at)
		VPCMPEQD(vector(VPANDD, of(sightInfo), seven), two, m, m)
		index := vector(VPSLLD, U8(6), vector(VMOVDQU32, of(sightID)))
		VPADDD(vector(VPANDD, of(sightPlace), part63), index, index)
		VPMINUD_Z(last, index, m, index)
		VMOVDQU64(index, every(offsets))
		ADDQ(U8(64), at)
		CMPQ(at, end)
		JLT(LabelRef("wide_index"))

		MOVQ(field(p, paintShared), shared)
		XORL(at.As32(), at.As32())
		Label("wide_shared")
		m = K()
		VPCMPEQD(vector(VPANDD, of(sightInfo), seven), two, m)
		id := vector(VMOVDQU32, of(sightID))
		VMOVDQA32(fetchWords(ZMM, shared, every(offsets), 4), m, id)
		VMOVDQU32(id, every(ids))
		ADDQ(U8(64), at)
		CMPQ(at, end)
		JLT(LabelRef("wide_shared"))
		LEAQ(ids, idAt)
		Label("wide_own")
	}

	// The colour lies in three bytes. Four are read, from the byte before where
	// there is none behind; a damaged tree must not lead out of its memory.
	last := all(field(p, paintColours+8))
	VPSUBD_BCST(wideConstant(4), last, last)
	ones, half, background := number(1<<32-1), number(1<<15), all(field(p, paintBackground))
	XORL(at.As32(), at.As32())
	Label("wide_where")
	{
		seen := firstLanesTo(end, at)
		VPCMPD(U8(4), vector(VMOVDQU32, of(sightInfo)), ones, seen, seen)
		id, offset := vector(VMOVDQU32, every(Mem{Base: idAt})), ZMM()
		shift := vector(VPADDD, id, id)
		VPADDD(id, shift, shift)
		VPMINUD(last, shift, offset)
		VPSUBD(offset, shift, shift)
		VPSLLD(U8(3), shift, shift)
		VMOVDQU32(shift, every(shifts))
		VMOVDQA32_Z(offset, seen, offset)
		VMOVDQU32(offset, every(offsets))
	}
	ADDQ(U8(64), at)
	CMPQ(at, end)
	JLT(LabelRef("wide_where"))

	colours := GP64()
	MOVQ(field(p, paintColours), colours)
	XORL(at.As32(), at.As32())
	Label("wide_colour")
	{
		empty, valid := K(), firstLanesTo(end, at)
		VPCMPEQD(vector(VMOVDQU32, of(sightInfo)), ones, empty)
		colour := fetchWords(ZMM, colours, every(offsets), 1)
		VPSRLVD(every(shifts), colour, colour)
		light := vector(VMOVDQU32, every(lights))
		red := vector(VPANDD_BCST, wideConstant(255), colour)
		VPMULLD(light, red, red)
		VPADDD(half, red, red)
		VPSRLD(U8(16), red, red)
		green := vector(VPANDD_BCST, wideConstant(0xff00), colour)
		VPMULLD(light, green, green)
		VPADDD_BCST(wideConstant(1<<23), green, green)
		VPSRLD(U8(16), green, green)
		blue := vector(VPSRLD, U8(16), colour)
		VPANDD_BCST(wideConstant(255), blue, blue)
		VPMULLD(light, blue, blue)
		VPADDD(half, blue, blue)
		pixel := vector(VPORD_BCST, wideConstant(0xff000000), red)
		const orAnd = 0xf8 // the first, or both others
		VPTERNLOGD_BCST(U8(orAnd), wideConstant(0xff00), green, pixel)
		VPTERNLOGD_BCST(U8(orAnd), wideConstant(0xff0000), blue, pixel)
		VMOVDQA32(background, empty, pixel)
		VMOVDQU32(pixel, valid, every(Mem{Base: pixelsAt}))
	}
	ADDQ(U8(64), at)
	CMPQ(at, end)
	JLT(LabelRef("wide_colour"))
	VZEROUPPER()
	Label("wide_end")
	RET()
}

// firstLanesTo is the mask of the first of sixteen lanes, up to an offset in
// bytes.
func firstLanesTo(end, at GPVirtual) Register {
	n := GP64()
	MOVQ(end, n)
	SUBQ(at, n)
	SHRQ(U8(2), n)
	return firstLanes(n)
}

func upToFifteen() {
	for i := range 16 {
		DATA(4*i, U32(uint32(i)))
	}
}
