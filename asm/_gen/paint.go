package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets into Paint (../paint.go).
const (
	paintRecords, paintPatches = 0, 24
	paintColours, paintShared  = 48, 72
	paintLight                 = 96
	paintCell, paintOffset     = 128, 140
	paintMove, paintSlope      = 152, 164
	paintTurn                  = 176
	paintInstance, paintDepth  = 188, 192
	paintBackground            = 196
)

// paintEight is the vector form of paintEightGo, a pixel to a lane.
func paintEight() {
	TEXT("paintEightAVX2", 0, "func(p, refs, pixels *byte, x int32) (left uint32)")
	p := Load(Param("p"), GP64())
	keep := func(v VecVirtual) Mem {
		m := AllocLocal(32)
		VMOVDQU(v, m)
		return m
	}
	scratch := GP64()

	refs := YMM()
	MOVQ(paramOf("refs"), scratch)
	VMOVDQU(Mem{Base: scratch}, refs)
	empty := equalTo(refs, 0)
	seen := GP32()
	VMOVMSKPS(empty, seen)
	CMPL(seen, U32(0xff))
	JNE(LabelRef("paint_some"))
	MOVQ(paramOf("pixels"), scratch)
	VMOVDQU(broadcastInt(field(p, paintBackground)), Mem{Base: scratch})
	MOVL(U32(0xff00), returned())
	VZEROUPPER()
	RET()

	Label("paint_some")
	nothing := AllocLocal(8)
	SHLL(U8(8), seen)
	MOVL(seen, nothing)
	emptyAt := keep(empty)
	part := and(refs, constant(63))
	partAt := keep(part)

	// The record and the patch, 16 bytes each.
	var leavesAt [2]Mem
	var idAt, octantAt Mem
	{
		pixels := GP64()
		MOVQ(paramOf("refs"), pixels)
		MOVQ(field(p, paintRecords), scratch)
		record := rows(scratch, func(i int, at GPVirtual) {
			MOVL(Mem{Base: pixels, Disp: 4 * i}, at.As32())
			SHRL(U8(2), at.As32())
			ANDL(I8(-16), at.As32())
		})
		leavesAt = [2]Mem{keep(record[0]), keep(record[1])}
		idAt, octantAt = keep(record[2]), keep(and(record[3], constant(7)))
	}
	var low [3]Mem
	var info VecVirtual
	{
		pixels, records := GP64(), GP64()
		MOVQ(paramOf("refs"), pixels)
		MOVQ(field(p, paintRecords), records)
		MOVQ(field(p, paintPatches), scratch)
		patch := rows(scratch, func(i int, at GPVirtual) {
			MOVL(Mem{Base: pixels, Disp: 4 * i}, at.As32())
			SHRL(U8(2), at.As32())
			ANDL(I8(-16), at.As32())
			MOVL(Mem{Base: records, Index: at, Scale: 1, Disp: 12}, at.As32())
			ANDL(I8(-8), at.As32())
			ADDQ(at, at)
		})
		low = [3]Mem{keep(patch[0]), keep(patch[1]), keep(patch[2])}
		info = patch[3]
	}

	// What kind of patch, and which pixels can be painted.
	kind := and(info, constant(7))
	shared, half := equalTo(kind, 2), equalTo(kind, 3)
	deep := equalTo(kind, 1)
	count := YMM()
	VPOR(half, deep, count)
	VPOR(shared, deep, deep)
	leaf := equalTo(kind, 4)
	deepAt, halfAt, leafAt := keep(deep), keep(half), keep(leaf)
	countAt, sharedAt := keep(count), keep(shared)
	done := YMM()
	VPSRLD(U8(8), info, done)
	VPCMPEQD(broadcastInt(field(p, paintInstance)), done, done)
	VPANDN(done, empty, done)
	{
		none := GP64()
		MOVQ(field(p, paintShared+8), none)
		TESTQ(none, none)
		JNZ(LabelRef("paint_shared"))
		VPANDN(done, shared, done)
		Label("paint_shared")
	}
	doneAt := keep(done)

	// Where all see leaves, which are drawn with their faces, that is all.
	faceAt := keep(part)
	VPOR(empty, leaf, leaf)
	VMOVMSKPS(leaf, seen)
	CMPL(seen, U32(0xff))
	JEQ(LabelRef("paint_colours"))
	// Depth - level - levels: how far the smallest octants are from voxels.
	shift := YMM()
	VPSRLD(U8(3), info, info)
	VPAND(constant(31), info, info)
	VPSUBD(info, broadcastInt(field(p, paintDepth)), shift)
	VPSUBD(and(deep, constant(3)), shift, shift)
	VPSUBD(and(half, constant(2)), shift, shift)
	shiftAt := keep(shift)

	// The leaves before the part.
	before := and(part, deep)
	VPOR(and(and(part, constant(56)), half), before, before)
	one := constant(1)
	ones := YMM()
	VPCMPEQD(ones, ones, ones)
	total := YMM()
	for i, word := range leavesAt {
		n, mask := before, YMM()
		if i == 1 {
			n = YMM()
			VPSUBD(constant(32), before, n)
		}
		VPSLLVD(n, one, mask)
		VPADDD(ones, mask, mask)
		VPAND(word, mask, mask)
		if i == 1 {
			late := YMM()
			VPCMPGTD(constant(31), before, late)
			VPAND(late, mask, mask)
		}
		bits := bitCount(mask)
		if i == 0 {
			total = bits
		} else {
			VPADDD(bits, total, total)
		}
	}
	VPSRLVD(and(half, constant(3)), total, total)
	VPAND(countAt, total, total)
	id := YMM()
	VPADDD(idAt, total, id)
	{
		some, wanted := GP32(), YMM()
		VMOVDQU(sharedAt, wanted)
		VPAND(doneAt, wanted, wanted)
		VMOVMSKPS(wanted, some)
		TESTL(some, some)
		JZ(LabelRef("paint_own"))
		index := YMM()
		VPSLLD(U8(6), id, index)
		VPADDD(partAt, index, index)
		none := YMM()
		VPXOR(none, none, none)
		VPMINSD(lengthLess(p, paintShared, 1), index, index)
		VPMAXSD(none, index, index)
		MOVQ(field(p, paintShared), scratch)
		VPGATHERDD(wanted, Mem{Base: scratch, Index: index, Scale: 4}, id)
		Label("paint_own")
	}
	VMOVDQU(id, idAt)

	// The face: of the planes' depths a/b, cross products tell the greatest.
	x := YMM()
	{
		column, low := GP32(), XMM()
		MOVL(paramOf("x"), column)
		VMOVD(column, low)
		VPBROADCASTD(low, x)
	}
	VPADDD(constantTable("upToSeven", upToSeven), x, x)
	VCVTDQ2PS(x, x)
	var a, b [3]Mem
	var high [3]Mem
	for k := range 3 {
		way := bitOf(octantAt, k)
		VPSLLD(U8(1), way, way)
		VPOR(bitOf(partAt, 3+k), way, way) // of half bricks
		fine := YMM()
		VPSLLD(U8(1), way, fine)
		VPOR(bitOf(partAt, k), fine, fine)
		VPAND(halfAt, way, way)
		VPAND(deepAt, fine, fine)
		VPOR(fine, way, way)
		VMOVDQU(shiftAt, fine)
		VPSLLVD(fine, way, way)
		VPADDD(low[k], way, way)
		VPSUBD(broadcastInt(field(p, paintCell+4*k)), way, way)
		near := YMM()
		VCVTDQ2PS(way, near)
		near = sub(near, broadcast(field(p, paintOffset+4*k)))
		near = sub(near, mul(x, broadcast(field(p, paintMove+4*k))))
		slope := add(broadcast(field(p, paintSlope+4*k)), mul(x, broadcast(field(p, paintTurn+4*k))))

		VPADDD(constant(127), fine, fine)
		VPSLLD(U8(23), fine, fine) // the edge
		zero := YMM()
		VXORPS(zero, zero, zero)
		negative := compare(lessThan, slope, zero)
		sign := constant(1 << 31)
		far := add(near, fine)
		VXORPS(sign, far, far)
		a[k] = keep(choose(negative, far, near))
		VANDPS(sign, negative, sign)
		VXORPS(sign, slope, slope)
		b[k] = keep(slope)
		VPSRLD(U8(31), negative, negative)
		high[k] = keep(negative)
	}
	last := func(i, j int) VecVirtual {
		u, v := YMM(), YMM()
		VMOVUPS(a[i], u)
		VMULPS(b[j], u, u)
		VMOVUPS(a[j], v)
		VMULPS(b[i], v, v)
		return compare(lessThan, v, u)
	}
	xy, yz, zx := last(0, 1), last(1, 2), last(2, 0)
	face := YMM()
	VPADDD(high[2], constant(4), face)
	onY := YMM()
	VPADDD(high[1], constant(2), onY)
	VANDNPS(yz, xy, yz)
	face = choose(yz, onY, face)
	VMOVDQU(high[0], onY)
	VANDNPS(xy, zx, zx)
	face = choose(zx, onY, face)
	VMOVDQU(leafAt, onY)
	VMOVDQU(partAt, xy)
	face = choose(onY, xy, face)
	VMOVDQU(face, faceAt)

	Label("paint_colours")
	light := YMM()
	VMOVDQU(faceAt, face)
	VPERMD(field(p, paintLight), face, light)
	VPCMPEQD(ones, ones, ones)

	// The colour lies in three bytes; read with the byte before, not behind.
	VMOVDQU(idAt, id)
	offset := YMM()
	VPADDD(id, id, offset)
	VPADDD(id, offset, offset)
	VPADDD(ones, offset, offset)
	zero := YMM()
	VPXOR(zero, zero, zero)
	// A damaged tree must not lead out of its memory.
	VPMINSD(lengthLess(p, paintColours, 4), offset, offset)
	VPMAXSD(zero, offset, offset)
	colour, wanted := YMM(), YMM()
	VPXOR(colour, colour, colour)
	VMOVDQU(doneAt, wanted)
	MOVQ(field(p, paintColours), scratch)
	VPGATHERDD(wanted, Mem{Base: scratch, Index: offset, Scale: 1}, colour)
	VPCMPEQD(zero, id, zero)
	VPANDN(constant(8), zero, zero)
	VPSRLVD(zero, colour, colour)
	pixel := constant(0xff000000)
	for k := range 3 {
		c := YMM()
		VPSRLD(U8(8*k), colour, c)
		VPAND(constant(255), c, c)
		VPMULLD(light, c, c)
		VPADDD(constant(1<<15), c, c)
		VPSRLD(U8(16), c, c)
		if k > 0 {
			VPSLLD(U8(8*k), c, c)
		}
		VPOR(c, pixel, pixel)
	}
	VMOVDQU(emptyAt, empty)
	pixel = choose(empty, broadcastInt(field(p, paintBackground)), pixel)
	VPOR(doneAt, empty, empty)
	MOVQ(paramOf("pixels"), scratch)
	VPMASKMOVD(pixel, empty, Mem{Base: scratch})
	left := GP32()
	VMOVMSKPS(empty, left)
	XORL(U32(0xff), left)
	ORL(nothing, left)
	MOVL(left, returned())
	VZEROUPPER()
	RET()
}

func paramOf(name string) Mem {
	m, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return m.Addr
}

func returned() Mem {
	m, err := Return("left").Resolve()
	if err != nil {
		panic(err)
	}
	return m.Addr
}

// lengthLess is the length of a slice, less some.
func lengthLess(p Register, slice int, less uint32) VecVirtual {
	d := broadcastInt(field(p, slice+8))
	VPSUBD(constant(less), d, d)
	return d
}

func upToSeven() {
	for i := range 8 {
		DATA(4*i, U32(uint32(i)))
	}
}

func and(a, b VecVirtual) VecVirtual { d := YMM(); VPAND(b, a, d); return d }

func equalTo(v VecVirtual, n uint32) VecVirtual {
	d := YMM()
	if n == 0 {
		VPXOR(d, d, d)
	} else {
		d = constant(n)
	}
	VPCMPEQD(d, v, d)
	return d
}

// bitOf is bit k of each lane.
func bitOf(m Mem, k int) VecVirtual {
	d := YMM()
	VMOVDQU(m, d)
	if k > 0 {
		VPSRLD(U8(k), d, d)
	}
	VPAND(constant(1), d, d)
	return d
}

// rows loads 16 bytes for each lane and turns them into four vectors of words;
// find puts a lane's offset from the base into a register. Gathering the words
// one by one takes three times as long on some makers' processors.
func rows(base Register, find func(i int, at GPVirtual)) (words [4]VecVirtual) {
	var pair [4]VecVirtual
	for i := range pair {
		at := GP64()
		find(i, at)
		low := XMM()
		VMOVDQU(Mem{Base: base, Index: at, Scale: 1}, low)
		at = GP64()
		find(i+4, at)
		pair[i] = YMM()
		VINSERTI128(U8(1), Mem{Base: base, Index: at, Scale: 1}, low.AsY(), pair[i])
	}
	var quad [4]VecVirtual
	for i := range 2 {
		quad[i], quad[2+i] = YMM(), YMM()
		VPUNPCKLDQ(pair[2*i+1], pair[2*i], quad[i])
		VPUNPCKHDQ(pair[2*i+1], pair[2*i], quad[2+i])
	}
	for i := range 2 {
		words[2*i], words[2*i+1] = YMM(), YMM()
		VPUNPCKLQDQ(quad[2*i+1], quad[2*i], words[2*i])
		VPUNPCKHQDQ(quad[2*i+1], quad[2*i], words[2*i+1])
	}
	return words
}

// bitCount counts the bits of each lane, by nibbles.
func bitCount(v VecVirtual) VecVirtual {
	table := constantTable("nibbleBits", func() {
		for i := range 4 {
			DATA(8*i, U64([2]uint64{0x0302020102010100, 0x0403030203020201}[i%2]))
		}
	})
	counts, nibbles, high := YMM(), YMM(), YMM()
	VMOVDQU(table, counts)
	VPBROADCASTB(constantTable("nibble", func() { DATA(0, U64(everyByte*0x0f)) }), nibbles)
	VPSRLW(U8(4), v, high)
	VPAND(nibbles, high, high)
	VPAND(nibbles, v, v)
	VPSHUFB(v, counts, v)
	VPSHUFB(high, counts, high)
	VPADDB(high, v, v)
	bytes := YMM()
	VPBROADCASTB(constantTable("byteOne", func() { DATA(0, U64(everyByte)) }), bytes)
	VPMADDUBSW(bytes, v, v)
	words := constant(0x00010001)
	VPMADDWD(words, v, v)
	return v
}
