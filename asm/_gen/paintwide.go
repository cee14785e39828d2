package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// paintRunWide is the vector form of paintRunGo, sixteen pixels at a time, one
// to a lane. What a lane needs of memory is read by ordinary loads: on some
// makers' processors they take a third of the time of a gather.
func paintRunWide() {
	TEXT("paintRunAVX512", 0, paintRunSignature)
	p := Load(Param("p"), GP64())
	refsAt, pixelsAt, todo := GP64(), GP64(), GP64()
	Load(Param("refs").Base(), refsAt)
	Load(Param("refs").Len(), todo)
	Load(Param("pixels").Base(), pixelsAt)
	base := func(offset int) GPVirtual { g := GP64(); MOVQ(field(p, offset), g); return g }
	records, patches, colours := base(paintRecords), base(paintPatches), base(paintColours)
	nothing := GP64()
	XORL(nothing.As32(), nothing.As32())
	offsets := AllocLocal(64)

	vector := func(f func(...Op), operands ...Op) VecVirtual { d := ZMM(); f(append(operands, d)...); return d }
	all := func(m Mem) VecVirtual { return vector(VPBROADCASTD, m) }
	number := func(bits uint32) VecVirtual { return all(wideConstant(bits)) }
	column := vector(VBROADCASTSS, paramOf("x"))
	VPADDD(constantTable("upToFifteen", upToFifteen), column, column)
	// By a patch's kind.
	partsOf := vector(VBROADCASTI32X4, paintParts())
	beforeOf := vector(VBROADCASTI32X4, paintBefore())
	levelsOf := vector(VBROADCASTI32X4, paintLevels())
	coarseOf := vector(VBROADCASTI32X4, paintCoarse())
	lastColour := all(field(p, paintColours+8))
	VPSUBD_BCST(wideConstant(4), lastColour, lastColour)
	faces := [3]VecVirtual{number(0), number(2), number(4)}
	ones := ZMM()
	VPTERNLOGD(U8(0xff), ones, ones, ones)
	digits, pack := number(0x49), number(0x2a00)

	Label("wide_group")
	valid := K()
	count := GP64()
	{
		full := GP32()
		MOVL(U32(16), count.As32())
		CMPQ(todo, count)
		CMOVQLT(todo, count)
		MOVL(U32(0xffff), full)
		BZHIL(count.As32(), full, full)
		KMOVW(full, valid)
	}
	refs := ZMM()
	VMOVDQU32_Z(Mem{Base: refsAt}, valid, refs)
	empty := K()
	VPTESTNMD(refs, refs, empty)
	KORTESTW(empty, empty)
	JC(LabelRef("wide_nothing"))

	at := ZMM()
	VPSRLD(U8(2), refs, at)
	VPANDD_BCST(wideConstant(0xfffffff0), at, at)
	VMOVDQU64(at, offsets)
	record := rows(ZMM, records, offsets)
	VPANDD_BCST(wideConstant(0xfffffff8), record[3], at)
	VPADDD(at, at, at)
	VMOVDQU64(at, offsets)
	patch := rows(ZMM, patches, offsets)
	info := patch[3]

	// Which pixels can be painted.
	good, shared := K(), K()
	kind := vector(VPANDD_BCST, wideConstant(7), info)
	VPCMPEQD(faces[1], kind, shared)
	owner := vector(VPSRLD, U8(8), info)
	VPCMPEQD_BCST(field(p, paintInstance), owner, good)
	{
		length := GP64()
		MOVQ(field(p, paintShared+8), length)
		TESTQ(length, length)
		JNZ(LabelRef("wide_shared"))
		KANDNW(good, shared, good)
		Label("wide_shared")
	}
	KORW(empty, good, good)
	lanes := GP32()
	KMOVW(good, lanes)
	NOTL(lanes)
	TZCNTL(lanes, lanes) // bit 16 is set
	TESTL(lanes, lanes)
	JZ(LabelRef("wide_done"))
	{
		// Only so many, and of these only what sees something.
		some, g := GP32(), GP32()
		KMOVW(empty, some)
		BZHIL(count.As32(), some, g)
		BZHIL(lanes, g, g)
		POPCNTL(g, g)
		ADDQ(g.As64(), nothing)
		KANDNW(good, empty, good)
	}

	part := vector(VPANDD_BCST, wideConstant(63), refs)
	leaf := K()
	VPTESTMD(faces[2], info, leaf)
	id := record[2]
	face := ZMM()
	VMOVDQA32(part, face)
	KORTESTW(leaf, empty)
	JC(LabelRef("wide_colours"))

	// The leaves before the part.
	before := vector(VPERMILPS, info, beforeOf)
	VPANDD(part, before, before)
	coarse := vector(VPERMILPS, info, coarseOf)
	{
		low, high := ZMM(), ZMM()
		VPSLLVD(before, ones, low)
		VPANDND(record[0], low, low)
		VPSUBD(before, number(64), high)
		VPSRLVD(high, ones, high)
		VPANDD(record[1], high, high)
		VPOPCNTD(low, low)
		VPOPCNTD(high, high)
		VPADDD(low, high, high)
		VPSRLVD(coarse, high, high)
		VPADDD(high, id, id)
	}
	{
		KANDW(good, shared, shared)
		KORTESTW(shared, shared)
		JZ(LabelRef("wide_own"))
		last, index := all(field(p, paintShared+8)), ZMM()
		VPADDD(ones, last, last)
		VPSLLD(U8(6), id, index)
		VPADDD(part, index, index)
		VPMINUD_Z(last, index, shared, index)
		VMOVDQU64(index, offsets)
		table := base(paintShared)
		VMOVDQA32(fetchWords(ZMM, table, offsets, 4), shared, id)
		Label("wide_own")
	}

	// The face: of the planes' depths a/b, cross products tell the greatest.
	ways := vector(VPANDD_BCST, wideConstant(7), record[3])
	VPSLLD(U8(6), ways, ways)
	VPORD(part, ways, ways)
	VPANDD(vector(VPERMILPS, info, partsOf), ways, ways)
	VPSRLVD(coarse, ways, ways)
	shift := vector(VPSRLD, U8(3), info)
	VPANDD_BCST(wideConstant(31), shift, shift)
	VPADDD(vector(VPERMILPS, info, levelsOf), shift, shift)
	VPSUBD(shift, all(field(p, paintDepth)), shift)
	edge := vector(VPADDD_BCST, wideConstant(127), shift)
	VPSLLD(U8(23), edge, edge)
	x := vector(VCVTDQ2PS, column)
	var a, b [3]VecVirtual
	var high [3]VecVirtual
	for k := range 3 {
		way := ZMM()
		if k > 0 {
			VPSRLD(U8(k), ways, way)
			VPANDD(digits, way, way)
		} else {
			VPANDD(digits, ways, way)
		}
		VPMULLW(pack, way, way)
		VPSRLD(U8(13), way, way)
		VPSLLVD(shift, way, way)
		VPADDD(patch[k], way, way)
		VPSUBD_BCST(field(p, paintCell+4*k), way, way)
		VCVTDQ2PS(way, way)
		offset := all(field(p, paintOffset+4*k))
		moved := vector(VMULPS_BCST, field(p, paintMove+4*k), x)
		near := vector(VSUBPS, offset, way)
		VSUBPS(moved, near, near)
		slope := vector(VMULPS_BCST, field(p, paintTurn+4*k), x)
		VADDPS_BCST(field(p, paintSlope+4*k), slope, slope)
		zero, negative := ZMM(), K()
		VPXORD(zero, zero, zero)
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
	VMOVDQA32(part, leaf, high[2])
	VMOVDQA32(high[2], face)

	Label("wide_colours")
	light := ZMM()
	{
		table := ZMM()
		VBROADCASTI64X4(field(p, paintLight), table)
		VPERMD(table, face, light)
	}
	// The colour lies in three bytes. Four are read, from the byte before where
	// there is none behind; a damaged tree must not lead out of its memory.
	offset, back := vector(VPADDD, id, id), ZMM()
	VPADDD(id, offset, offset)
	VPMINUD(lastColour, offset, back)
	VPSUBD(back, offset, offset)
	VPSLLD(U8(3), offset, offset)
	VMOVDQA32_Z(back, good, back)
	VMOVDQU64(back, offsets)
	colour := fetchWords(ZMM, colours, offsets, 1)
	VPSRLVD(offset, colour, colour)
	pixel := number(0xff000000)
	half := number(1 << 15)
	{
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
		const orAnd = 0xf8 // the first, or both others
		VPORD(red, pixel, pixel)
		VPTERNLOGD_BCST(U8(orAnd), wideConstant(0xff00), green, pixel)
		VPTERNLOGD_BCST(U8(orAnd), wideConstant(0xff0000), blue, pixel)
	}
	VPBROADCASTD(field(p, paintBackground), empty, pixel)
	VMOVDQU32(pixel, valid, Mem{Base: pixelsAt})
	CMPL(lanes, U32(16))
	JNE(LabelRef("wide_done"))
	next := func() {
		ADDQ(U8(64), refsAt)
		ADDQ(U8(64), pixelsAt)
		VPADDD_BCST(wideConstant(16), column, column)
		SUBQ(U8(16), todo)
		JG(LabelRef("wide_group"))
		JMP(LabelRef("wide_all"))
	}
	next()

	Label("wide_nothing")
	VMOVDQU32(all(field(p, paintBackground)), valid, Mem{Base: pixelsAt})
	ADDQ(count, nothing)
	next()

	Label("wide_all")
	XORL(lanes, lanes)
	MOVQ(lanes.As64(), todo)
	Label("wide_done")
	n := Load(Param("refs").Len(), GP64())
	SUBQ(todo, n)
	ADDQ(lanes.As64(), n)
	Store(n, Return("painted"))
	Store(nothing, Return("empty"))
	VZEROUPPER()
	RET()
}

func upToFifteen() {
	for i := range 16 {
		DATA(4*i, U32(uint32(i)))
	}
}
