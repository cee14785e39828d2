package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets into Sight, Ledger and Paint (../paint.go).
const (
	maxSight                     = 64
	sightID, sightPlace          = 0, 256
	sightLow, sightInfo          = 512, 1280
	ledgerRecords, ledgerPatches = 0, 24
	paintColours, paintShared    = 0, 24
	paintLight                   = 48
	paintCell, paintOffset       = 80, 92
	paintMove, paintSlope        = 104, 116
	paintTurn                    = 128
	paintDepth, paintBackground  = 140, 144
)

// The kernels go over all pixels in each of their steps, so that the processor
// can look up several vectors' worth at once: one after the other they would
// wait for memory, each for what the step before has found. What a lane needs of
// memory is read by ordinary loads, as rows of words: gathering takes three
// times as long on some makers' processors.
const (
	lookSignature     = "func(s, l *byte, refs []uint32, instance int32) (others, nothing uint64)"
	paintRunSignature = "func(p, s *byte, first int, pixels []uint32, x int32)"
)

// look is the vector form of lookGo, eight pixels to a vector.
func look() {
	TEXT("lookAVX2", 0, lookSignature)
	sight, records, patches := GP64(), GP64(), GP64()
	Load(Param("s"), sight)
	{
		ledger := Load(Param("l"), GP64())
		MOVQ(field(ledger, ledgerRecords), records)
		MOVQ(field(ledger, ledgerPatches), patches)
	}
	offsets, leaves := AllocLocal(4*maxSight), [2]Mem{AllocLocal(4 * maxSight), AllocLocal(4 * maxSight)}
	at := GP64()
	every := func(m Mem) Mem { m.Index, m.Scale = at, 1; return m }
	of := func(offset int) Mem { return every(Mem{Base: sight, Disp: offset}) }

	// The records.
	refsAt, todo := GP64(), GP64()
	Load(Param("refs").Base(), refsAt)
	Load(Param("refs").Len(), todo)
	TESTQ(todo, todo)
	JLE(LabelRef("look_none"))
	XORL(at.As32(), at.As32())
	Label("look_record")
	{
		refs := YMM()
		VPMASKMOVD(every(Mem{Base: refsAt}), firstOfEight(todo), refs)
		VMOVDQU(refs, of(sightInfo))
		jumpIfAll(isZero(refs), "look_recordless")
		// Of the last few refs, there is a copy with nothing behind the end.
		from, copied := GP64(), GP64()
		LEAQ(every(Mem{Base: refsAt}), from)
		LEAQ(of(sightInfo), copied)
		CMPQ(todo, U8(8))
		CMOVQLT(copied, from)
		record := rows(YMM, records, recordOf(Mem{Base: from}))
		VMOVDQU(record[0], every(leaves[0]))
		VMOVDQU(record[1], every(leaves[1]))
		VMOVDQU(record[2], of(sightID))
		patch, octant, part := YMM(), YMM(), YMM()
		VPAND(eight(0xfffffff8), record[3], patch)
		VPADDD(patch, patch, patch)
		VMOVDQU(patch, every(offsets))
		VPAND(eight(7), record[3], octant)
		VPSLLD(U8(6), octant, octant)
		VPAND(eight(63), refs, part)
		VPOR(part, octant, octant)
		VMOVDQU(octant, of(sightPlace))
		Label("look_recordless")
	}
	ADDQ(U8(32), at)
	SUBQ(U8(8), todo)
	JG(LabelRef("look_record"))

	// The patches.
	Load(Param("refs").Len(), todo)
	XORL(at.As32(), at.As32())
	others, nothing, lane := GP64(), GP64(), GP64()
	for _, g := range []GPVirtual{others, nothing, lane} {
		XORL(g.As32(), g.As32())
	}
	note := func(v VecVirtual, mask GPVirtual) {
		g := GP64()
		VMOVMSKPS(v, g.As32())
		SHLXQ(lane, g, g)
		ORQ(g, mask)
	}
	Label("look_patch")
	{
		refs, info := YMM(), YMM()
		VMOVDQU(of(sightInfo), refs)
		empty := isZero(refs)
		VMOVDQA(empty, info)
		jumpIfAll(empty, "look_patchless")
		patch := rows(YMM, patches, offsetIn(every(offsets)))
		for k := range 3 {
			VMOVDQU(patch[k], of(sightLow+4*maxSight*k))
		}
		before, low, high, ones := ofKind(patch[3], paintBefore), YMM(), YMM(), YMM()
		VPCMPEQD(ones, ones, ones)
		VPAND(refs, before, before)
		VPSLLVD(before, ones, low)
		VPANDN(every(leaves[0]), low, low)
		VPSUBD(before, constant(64), high)
		VPSRLVD(high, ones, high)
		VPAND(every(leaves[1]), high, high)
		count := bitCount(low, high)
		VPSRLVD(ofKind(patch[3], paintCoarse), count, count)
		VPADDD(of(sightID), count, count)
		VMOVDQU(count, of(sightID))
		owner := YMM()
		VPSRLD(U8(8), patch[3], owner)
		VPCMPEQD(broadcast(parameter("instance")), owner, owner)
		VPOR(empty, owner, owner)
		VPXOR(ones, owner, owner)
		note(owner, others)
		VPOR(patch[3], empty, info)
		Label("look_patchless")
		VMOVDQU(info, of(sightInfo))
		note(empty, nothing)
	}
	ADDQ(U8(32), at)
	ADDQ(U8(8), lane)
	SUBQ(U8(8), todo)
	JG(LabelRef("look_patch"))
	onlyFirst(nothing)
	Store(others, Return("others"))
	Store(nothing, Return("nothing"))
	VZEROUPPER()
	RET()

	Label("look_none")
	zero := GP64()
	XORL(zero.As32(), zero.As32())
	Store(zero, Return("others"))
	Store(zero, Return("nothing"))
	RET()
}

// onlyFirst leaves of a mask what belongs to a ref.
func onlyFirst(mask GPVirtual) {
	n, all := Load(Param("refs").Len(), GP64()), GP64()
	MOVQ(I32(-1), all)
	BZHIQ(n, all, all)
	ANDQ(all, mask)
}

// jumpIfAll jumps where the sign of all lanes is set.
func jumpIfAll(v VecVirtual, label string) {
	g := GP32()
	VMOVMSKPS(v, g)
	CMPL(g, U32(0xff))
	JEQ(LabelRef(label))
}

// firstOfEight is the mask of the first of eight lanes, as many as there are.
func firstOfEight(n GPVirtual) VecVirtual {
	mask := YMM()
	VMOVD(n.As32(), mask.AsX())
	VPBROADCASTD(mask.AsX(), mask)
	VPCMPGTD(constantTable("upToSeven", upToSeven), mask, mask)
	return mask
}

// paintRun is the vector form of paintRunGo, eight pixels to a vector.
func paintRun() {
	TEXT("paintRunAVX2", 0, paintRunSignature)
	p := Load(Param("p"), GP64())
	at, sight, end := GP64(), GP64(), GP64()
	Load(Param("pixels").Len(), end)
	TESTQ(end, end)
	JLE(LabelRef("paint_end"))
	SHLQ(U8(2), end)
	Load(Param("s"), sight)
	{
		first := Load(Param("first"), GP64())
		LEAQ(Mem{Base: sight, Index: first, Scale: 4}, sight)
	}
	lights, ids := AllocLocal(4*maxSight), AllocLocal(4*maxSight)
	offsets, shifts := AllocLocal(4*maxSight), AllocLocal(4*maxSight)
	every := func(m Mem) Mem { m.Index, m.Scale = at, 1; return m }
	of := func(offset int) Mem { return every(Mem{Base: sight, Disp: offset}) }
	load := func(m Mem) VecVirtual { v := YMM(); VMOVDQU(m, v); return v }
	left := func() GPVirtual {
		n := GP64()
		MOVQ(end, n)
		SUBQ(at, n)
		SHRQ(U8(2), n)
		return n
	}

	// The faces.
	column := broadcast(parameter("x"))
	VPADDD(constantTable("upToSeven", upToSeven), column, column)
	pixelsAt := GP64()
	Load(Param("pixels").Base(), pixelsAt)
	XORL(at.As32(), at.As32())
	Label("paint_face")
	{
		PREFETCHT0(every(Mem{Base: pixelsAt})) // to be written
		info, leaf, face := load(of(sightInfo)), YMM(), load(of(sightPlace))
		VPAND(eight(63), face, face)
		VPSLLD(U8(29), info, leaf) // the sign is bit 2 of the kind
		jumpIfAll(leaf, "paint_light")

		ways, coarse := ofKind(info, paintParts), ofKind(info, paintCoarse)
		VPAND(of(sightPlace), ways, ways)
		VPSRLVD(coarse, ways, ways)
		shift, edge := YMM(), YMM()
		VPSRLD(U8(3), info, shift)
		VPAND(eight(31), shift, shift)
		VPADDD(ofKind(info, paintLevels), shift, shift)
		VPSUBD(shift, broadcastInt(field(p, paintDepth)), shift)
		VPADDD(eight(127), shift, edge)
		VPSLLD(U8(23), edge, edge)
		// Of the planes' depths a/b, cross products tell the greatest.
		fx := YMM()
		VCVTDQ2PS(column, fx)
		var a, b, high [3]VecVirtual
		for k := range 3 {
			way := YMM()
			if k > 0 {
				VPSRLD(U8(k), ways, way)
				VPAND(eight(0x49), way, way)
			} else {
				VPAND(eight(0x49), ways, way)
			}
			VPMULLW(eight(0x2a00), way, way)
			VPSRLD(U8(13), way, way)
			VPSLLVD(shift, way, way)
			VPADDD(of(sightLow+4*maxSight*k), way, way)
			VPSUBD(broadcastInt(field(p, paintCell+4*k)), way, way)
			VCVTDQ2PS(way, way)
			near := sub(way, broadcast(field(p, paintOffset+4*k)))
			near = sub(near, mul(fx, broadcast(field(p, paintMove+4*k))))
			slope := add(broadcast(field(p, paintSlope+4*k)), mul(fx, broadcast(field(p, paintTurn+4*k))))
			negative, sign := YMM(), YMM()
			VXORPS(negative, negative, negative)
			negative = compare(lessThan, slope, negative)
			VBLENDVPS(negative, add(near, edge), near, near)
			VANDPS(eight(1<<31), negative, sign)
			VXORPS(sign, near, near)
			VXORPS(sign, slope, slope)
			VPSRLD(U8(31), negative, negative)
			if k > 0 {
				VPADDD(eight(uint32(2*k)), negative, negative)
			}
			a[k], b[k], high[k] = near, slope, negative
		}
		last := func(i, j int) VecVirtual { return compare(lessThan, mul(a[j], b[i]), mul(a[i], b[j])) }
		xy, yz, zx := last(0, 1), last(1, 2), last(2, 0)
		VANDNPS(yz, xy, yz)
		VANDNPS(xy, zx, zx)
		VBLENDVPS(yz, high[1], high[2], high[2])
		VBLENDVPS(zx, high[0], high[2], high[2])
		VBLENDVPS(leaf, face, high[2], face)

		Label("paint_light")
		light := YMM()
		VPERMD(field(p, paintLight), face, light)
		VMOVDQU(light, every(lights))
	}
	VPADDD(eight(8), column, column)
	ADDQ(U8(32), at)
	CMPQ(at, end)
	JLT(LabelRef("paint_face"))

	// What lies in shared bricks.
	idAt := GP64()
	LEAQ(Mem{Base: sight, Disp: sightID}, idAt)
	{
		shared, length := GP64(), GP64()
		MOVQ(field(p, paintShared+8), length)
		TESTQ(length, length)
		JZ(LabelRef("paint_own"))
		inShared := func() VecVirtual {
			kind := load(of(sightInfo))
			VPAND(eight(7), kind, kind)
			VPCMPEQD(eight(2), kind, kind)
			return kind
		}
		last := lengthLess(p, paintShared, 1)
		XORL(at.As32(), at.As32())
		Label("paint_index")
		place, index := load(of(sightPlace)), load(of(sightID))
		VPAND(eight(63), place, place)
		VPSLLD(U8(6), index, index)
		VPADDD(place, index, index)
		VPMINUD(last, index, index)
		VPAND(inShared(), index, index)
		VPAND(firstOfEight(left()), index, index)
		VMOVDQU(index, every(offsets))
		ADDQ(U8(32), at)
		CMPQ(at, end)
		JLT(LabelRef("paint_index"))

		MOVQ(field(p, paintShared), shared)
		XORL(at.As32(), at.As32())
		Label("paint_shared")
		id := load(of(sightID))
		VBLENDVPS(inShared(), fetchWords(YMM, shared, every(offsets), 4), id, id)
		VMOVDQU(id, every(ids))
		ADDQ(U8(32), at)
		CMPQ(at, end)
		JLT(LabelRef("paint_shared"))
		LEAQ(ids, idAt)
		Label("paint_own")
	}

	// The colour lies in three bytes. Four are read, from the byte before where
	// there is none behind; a damaged tree must not lead out of its memory.
	last := lengthLess(p, paintColours, 4)
	emptyPixels := func() VecVirtual {
		v := YMM()
		VPCMPEQD(v, v, v)
		VPCMPEQD(of(sightInfo), v, v)
		return v
	}
	XORL(at.As32(), at.As32())
	Label("paint_where")
	{
		id, shift, offset, seen := load(every(Mem{Base: idAt})), YMM(), YMM(), YMM()
		VPADDD(id, id, shift)
		VPADDD(id, shift, shift)
		VPMINUD(last, shift, offset)
		VPSUBD(offset, shift, shift)
		VPSLLD(U8(3), shift, shift)
		VMOVDQU(shift, every(shifts))
		VPANDN(firstOfEight(left()), emptyPixels(), seen)
		VPAND(seen, offset, offset)
		VMOVDQU(offset, every(offsets))
	}
	ADDQ(U8(32), at)
	CMPQ(at, end)
	JLT(LabelRef("paint_where"))

	colours := GP64()
	MOVQ(field(p, paintColours), colours)
	background := broadcastInt(field(p, paintBackground))
	XORL(at.As32(), at.As32())
	Label("paint_colour")
	{
		colour := fetchWords(YMM, colours, every(offsets), 1)
		VPSRLVD(every(shifts), colour, colour)
		light, red, green, blue := load(every(lights)), YMM(), YMM(), YMM()
		VPAND(eight(0xff), colour, red)
		VPMULLD(light, red, red)
		VPADDD(eight(1<<15), red, red)
		VPSRLD(U8(16), red, red)
		VPAND(eight(0xff00), colour, green)
		VPMULLD(light, green, green)
		VPADDD(eight(1<<23), green, green)
		VPSRLD(U8(16), green, green)
		VPAND(eight(0xff00), green, green)
		VPSRLD(U8(16), colour, blue)
		VPAND(eight(0xff), blue, blue)
		VPMULLD(light, blue, blue)
		VPADDD(eight(1<<15), blue, blue)
		VPAND(eight(0xff0000), blue, blue)
		VPOR(eight(0xff000000), red, red)
		VPOR(green, red, red)
		VPOR(blue, red, red)
		VBLENDVPS(emptyPixels(), background, red, red)
		n := left()
		CMPQ(n, U8(8))
		JLT(LabelRef("paint_last"))
		VMOVDQU(red, every(Mem{Base: pixelsAt}))
		ADDQ(U8(32), at)
		CMPQ(at, end)
		JLT(LabelRef("paint_colour"))
		VZEROUPPER()
		RET()

		Label("paint_last")
		VPMASKMOVD(red, firstOfEight(n), every(Mem{Base: pixelsAt}))
	}
	VZEROUPPER()
	Label("paint_end")
	RET()
}

// What depends on a patch's kind: the bits of octant and part that tell where
// what is seen lies; those of the part that tell how many leaves are before it;
// the levels below the patch; and by how many bits parts are too fine.
func paintParts() Mem  { return fourWords("paintParts", 0, 0x1ff, 0x1ff, 0x1ff) }
func paintBefore() Mem { return fourWords("paintBefore", 56, 63, 0, 56) }
func paintLevels() Mem { return fourWords("paintLevels", 0, 3, 3, 2) }
func paintCoarse() Mem { return fourWords("paintCoarse", 3, 0, 0, 3) }

func fourWords(name string, words ...uint32) Mem {
	return constantTable(name, func() {
		for i, w := range words {
			DATA(4*i, U32(w))
		}
	})
}

// ofKind looks up what depends on the kind. Leaves, with the two lowest bits of
// single patches, have the same: these have no leaves that could be counted.
func ofKind(info VecVirtual, table func() Mem) VecVirtual {
	d := YMM()
	VBROADCASTI128(table(), d)
	VPERMILPS(info, d, d)
	return d
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

// eight is a constant in memory, once for each lane.
func eight(bits uint32) Mem {
	return constantTable(fmt.Sprintf("eight%08x", bits), func() {
		for i := range 8 {
			DATA(4*i, U32(bits))
		}
	})
}

// isZero is the mask of the lanes that are 0.
func isZero(v VecVirtual) VecVirtual {
	d := YMM()
	VPXOR(d, d, d)
	VPCMPEQD(d, v, d)
	return d
}

// rows loads 16 bytes for each lane, at offsets from a base, and turns them into
// four vectors of words. find puts the offset of a lane into a register.
func rows(vector func() VecVirtual, base Register, find func(lane int, at GPVirtual)) (words [4]VecVirtual) {
	row := func(i int) Mem {
		at := GP64()
		find(i, at)
		return Mem{Base: base, Index: at, Scale: 1}
	}
	var four [4]VecVirtual
	for i := range four {
		four[i] = vector()
		fill(row(i), four[i])
		for quarter := 1; quarter < quarters(four[i]); quarter++ {
			insert(quarter, row(4*quarter+i), four[i])
		}
	}
	var half [4]VecVirtual
	for i := range 2 {
		half[i], half[2+i] = vector(), vector()
		VPUNPCKLDQ(four[2*i+1], four[2*i], half[i])
		VPUNPCKHDQ(four[2*i+1], four[2*i], half[2+i])
	}
	for i := range 2 {
		words[2*i], words[2*i+1] = vector(), vector()
		VPUNPCKLQDQ(half[2*i+1], half[2*i], words[2*i])
		VPUNPCKHQDQ(half[2*i+1], half[2*i], words[2*i+1])
	}
	return words
}

// recordOf finds the record of a ref, and offsetIn what lies in memory. What has
// just been stored there as a vector takes its time, so refs are read as they
// are.
func recordOf(refs Mem) func(lane int, at GPVirtual) {
	return func(lane int, at GPVirtual) {
		MOVL(refs.Offset(4*lane), at.As32())
		SHRL(U8(2), at.As32())
		ANDL(I8(-16), at.As32())
	}
}

func offsetIn(offsets Mem) func(lane int, at GPVirtual) {
	return func(lane int, at GPVirtual) { MOVL(offsets.Offset(4*lane), at.As32()) }
}

// fetchWords loads a word for each lane, at offsets from a base, in so many
// bytes, that lie in memory.
func fetchWords(vector func() VecVirtual, base Register, offsets Mem, scale uint8) (words VecVirtual) {
	word := func(i int) Mem {
		at := GP64()
		MOVL(offsets.Offset(4*i), at.As32())
		return Mem{Base: base, Index: at, Scale: scale}
	}
	words = vector()
	for quarter := range quarters(words) {
		four := XMM()
		if quarter == 0 {
			VPBROADCASTD(word(0), words) // all of it, or avo would not take it for its own
			four = words.AsX().(VecVirtual)
		} else {
			VMOVD(word(4*quarter), four)
		}
		for k := 1; k < 4; k++ {
			VPINSRD(U8(k), word(4*quarter+k), four, four)
		}
		if quarter > 0 {
			insert(quarter, four, words)
		}
	}
	return words
}

// quarters is how many times 16 bytes a vector has.
func quarters(v VecVirtual) int { return int(v.Size()) / 16 }

// fill puts 16 bytes into all quarters of a vector.
func fill(from Mem, v VecVirtual) {
	if v.Size() == 64 {
		VBROADCASTI32X4(from, v)
	} else {
		VBROADCASTI128(from, v)
	}
}

// insert puts 16 bytes into a quarter of a vector.
func insert(quarter int, from Op, v VecVirtual) {
	if v.Size() == 64 {
		VINSERTI32X4(U8(quarter), from, v, v)
	} else {
		VINSERTI128(U8(quarter), from, v, v)
	}
}

// nibbleBits has, for each nibble, how many bits it has, once for each half of a
// vector.
func nibbleBits() Mem {
	return constantTable("nibbleBits", func() {
		for i := range 4 {
			DATA(8*i, U64([2]uint64{0x0302020102010100, 0x0403030203020201}[i%2]))
		}
	})
}

// lowNibbles masks the low nibble of each byte.
func lowNibbles() Mem {
	return constantTable("nibble", func() { DATA(0, U64(everyByte*0x0f)) })
}

// bitCount counts the bits of each lane of two vectors together, by nibbles.
func bitCount(vectors ...VecVirtual) (sum VecVirtual) {
	counts, nibbles := YMM(), YMM()
	VMOVDQU(nibbleBits(), counts)
	VPBROADCASTB(lowNibbles(), nibbles)
	for i, v := range vectors {
		high := YMM()
		VPSRLW(U8(4), v, high)
		VPAND(nibbles, high, high)
		VPAND(nibbles, v, v)
		VPSHUFB(v, counts, v)
		VPSHUFB(high, counts, high)
		VPADDB(high, v, v)
		if i == 0 {
			sum = v
		} else {
			VPADDB(v, sum, sum)
		}
	}
	bytes := YMM()
	VPBROADCASTB(constantTable("byteOne", func() { DATA(0, U64(everyByte)) }), bytes)
	VPMADDUBSW(bytes, sum, sum)
	VPMADDWD(constant(0x00010001), sum, sum)
	return sum
}
