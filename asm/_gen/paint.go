package main

import (
	"fmt"

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

const paintRunSignature = "func(p *byte, refs, pixels []uint32, x int32) (painted, empty int)"

// paintRun is the vector form of paintRunGo, eight pixels at a time, one to a
// lane. What a lane needs of memory is read by ordinary loads, as rows of
// words: gathering takes three times as long on some makers' processors.
func paintRun() {
	TEXT("paintRunAVX2", 0, paintRunSignature)
	p := Load(Param("p"), GP64())
	refsAt, pixelsAt, todo := GP64(), GP64(), GP64()
	Load(Param("refs").Base(), refsAt)
	Load(Param("refs").Len(), todo)
	Load(Param("pixels").Base(), pixelsAt)
	base := func(offset int) GPVirtual { g := GP64(); MOVQ(field(p, offset), g); return g }
	records, patches, colours := base(paintRecords), base(paintPatches), base(paintColours)
	nothing := GP64()
	XORL(nothing.As32(), nothing.As32())
	keep := func(v VecVirtual) Mem {
		m := AllocLocal(32)
		VMOVDQU(v, m)
		return m
	}
	offsets := AllocLocal(32)
	column := spread("x")
	VPADDD(constantTable("upToSeven", upToSeven), column, column)
	columnAt := keep(column)
	lastColourAt := keep(lengthLess(p, paintColours, 4))

	Label("paint_group")
	valid := YMM()
	VMOVD(todo.As32(), valid.AsX())
	VPBROADCASTD(valid.AsX(), valid)
	VPCMPGTD(constantTable("upToSeven", upToSeven), valid, valid)
	refs := YMM()
	VPMASKMOVD(Mem{Base: refsAt}, valid, refs)
	empty := equalTo(refs, 0)
	VPAND(empty, valid, valid)
	nothingHere := GP32()
	VMOVMSKPS(valid, nothingHere)
	{
		g := GP32()
		VMOVMSKPS(empty, g)
		CMPL(g, U32(0xff))
		JEQ(LabelRef("paint_nothing"))
	}

	at := YMM()
	VPSRLD(U8(2), refs, at)
	VPAND(eight(0xfffffff0), at, at)
	VMOVDQU(at, offsets)
	record := rows(YMM, records, offsets)
	VPAND(eight(0xfffffff8), record[3], at)
	VPADDD(at, at, at)
	VMOVDQU(at, offsets)
	emptyAt := keep(empty)
	patch := rows(YMM, patches, offsets)
	low, info := [3]Mem{keep(patch[0]), keep(patch[1]), keep(patch[2])}, patch[3]

	// Which pixels can be painted.
	kind, good := YMM(), YMM()
	VPAND(eight(7), info, kind)
	shared := equalTo(kind, 2)
	VPSRLD(U8(8), info, good)
	VPCMPEQD(broadcastInt(field(p, paintInstance)), good, good)
	{
		length := GP64()
		MOVQ(field(p, paintShared+8), length)
		TESTQ(length, length)
		JNZ(LabelRef("paint_shared"))
		VPANDN(good, shared, good)
		Label("paint_shared")
	}
	VMOVDQU(emptyAt, empty)
	VPOR(good, empty, good)
	lanes := GP32()
	VMOVMSKPS(good, lanes)
	NOTL(lanes)
	TZCNTL(lanes, lanes) // bit 8 is set
	TESTL(lanes, lanes)
	JZ(LabelRef("paint_done"))
	BZHIL(lanes, nothingHere, nothingHere)
	POPCNTL(nothingHere, nothingHere)
	ADDQ(nothingHere.As64(), nothing)
	VPANDN(good, empty, good)
	goodAt := keep(good)

	part, leaf := and(refs, constant(63)), YMM()
	partAt, idAt := keep(part), keep(record[2])
	faceAt := keep(part)
	VPSLLD(U8(29), info, leaf) // the sign is bit 2 of the kind
	leafAt := keep(leaf)
	VPOR(empty, leaf, leaf)
	{
		g := GP32()
		VMOVMSKPS(leaf, g)
		CMPL(g, U32(0xff))
		JEQ(LabelRef("paint_colours"))
	}

	// The leaves before the part.
	coarse := ofKind(info, paintCoarse)
	{
		before, low, high := ofKind(info, paintBefore), YMM(), YMM()
		VPAND(part, before, before)
		ones := YMM()
		VPCMPEQD(ones, ones, ones)
		VPSLLVD(before, ones, low)
		VPANDN(record[0], low, low)
		VPSUBD(before, constant(64), high)
		VPSRLVD(high, ones, high)
		VPAND(record[1], high, high)
		count := bitCount(low, high)
		VPSRLVD(coarse, count, count)
		id := record[2]
		VPADDD(count, id, id)
		VMOVDQU(id, idAt)
		VPAND(good, shared, shared)
		some := GP32()
		VMOVMSKPS(shared, some)
		TESTL(some, some)
		JZ(LabelRef("paint_own"))
		index := YMM()
		VPSLLD(U8(6), id, index)
		VPADDD(partAt, index, index)
		VPMINUD(lengthLess(p, paintShared, 1), index, index)
		VPAND(shared, index, index)
		VMOVDQU(index, offsets)
		table := base(paintShared)
		words := fetchWords(YMM, table, offsets, 4)
		VBLENDVPS(shared, words, id, id)
		VMOVDQU(id, idAt)
		Label("paint_own")
	}

	// The face: of the planes' depths a/b, cross products tell the greatest.
	ways := and(record[3], constant(7))
	VPSLLD(U8(6), ways, ways)
	VPOR(partAt, ways, ways)
	VPAND(ofKind(info, paintParts), ways, ways)
	VPSRLVD(coarse, ways, ways)
	shift, edge := YMM(), YMM()
	VPSRLD(U8(3), info, shift)
	VPAND(eight(31), shift, shift)
	VPADDD(ofKind(info, paintLevels), shift, shift)
	VPSUBD(shift, broadcastInt(field(p, paintDepth)), shift)
	VPADDD(eight(127), shift, edge)
	VPSLLD(U8(23), edge, edge)
	x := YMM()
	VCVTDQ2PS(columnAt, x)
	var a, b, high [3]Mem
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
		VPADDD(low[k], way, way)
		VPSUBD(broadcastInt(field(p, paintCell+4*k)), way, way)
		VCVTDQ2PS(way, way)
		near := sub(way, broadcast(field(p, paintOffset+4*k)))
		near = sub(near, mul(x, broadcast(field(p, paintMove+4*k))))
		slope := add(broadcast(field(p, paintSlope+4*k)), mul(x, broadcast(field(p, paintTurn+4*k))))
		zero := YMM()
		VXORPS(zero, zero, zero)
		negative := compare(lessThan, slope, zero)
		far, sign := add(near, edge), YMM()
		VBLENDVPS(negative, far, near, near)
		VANDPS(eight(1<<31), negative, sign)
		VXORPS(sign, near, near)
		VXORPS(sign, slope, slope)
		a[k], b[k] = keep(near), keep(slope)
		VPSRLD(U8(31), negative, negative)
		VPADDD(eight(uint32(2*k)), negative, negative)
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
	face, other := YMM(), YMM()
	VMOVDQU(high[2], face)
	VANDNPS(yz, xy, yz)
	VMOVDQU(high[1], other)
	VBLENDVPS(yz, other, face, face)
	VANDNPS(xy, zx, zx)
	VMOVDQU(high[0], other)
	VBLENDVPS(zx, other, face, face)
	VMOVDQU(leafAt, leaf)
	VMOVDQU(partAt, other)
	VBLENDVPS(leaf, other, face, face)
	VMOVDQU(face, faceAt)

	Label("paint_colours")
	// The colour lies in three bytes. Four are read, from the byte before where
	// there is none behind; a damaged tree must not lead out of its memory.
	id, offset, back := YMM(), YMM(), YMM()
	VMOVDQU(idAt, id)
	VPADDD(id, id, offset)
	VPADDD(id, offset, offset)
	VPMINUD(lastColourAt, offset, back)
	VPSUBD(back, offset, offset)
	VPSLLD(U8(3), offset, offset)
	VPAND(goodAt, back, back)
	VMOVDQU(back, offsets)
	colour := fetchWords(YMM, colours, offsets, 1)
	VPSRLVD(offset, colour, colour)
	light := YMM()
	VMOVDQU(faceAt, light)
	VPERMD(field(p, paintLight), light, light)
	pixel := constant(0xff000000)
	{
		red, green, blue := YMM(), YMM(), YMM()
		VPAND(eight(0xff), colour, red)
		VPMULLD(light, red, red)
		VPADDD(eight(1<<15), red, red)
		VPSRLD(U8(16), red, red)
		VPOR(red, pixel, pixel)
		VPAND(eight(0xff00), colour, green)
		VPMULLD(light, green, green)
		VPADDD(eight(1<<23), green, green)
		VPSRLD(U8(16), green, green)
		VPAND(eight(0xff00), green, green)
		VPOR(green, pixel, pixel)
		VPSRLD(U8(16), colour, blue)
		VPAND(eight(0xff), blue, blue)
		VPMULLD(light, blue, blue)
		VPADDD(eight(1<<15), blue, blue)
		VPAND(eight(0xff0000), blue, blue)
		VPOR(blue, pixel, pixel)
	}
	VMOVDQU(emptyAt, empty)
	VBLENDVPS(empty, broadcastInt(field(p, paintBackground)), pixel, pixel)

	Label("paint_store")
	CMPQ(todo, U8(8))
	JLT(LabelRef("paint_last"))
	VMOVDQU(pixel, Mem{Base: pixelsAt})
	SUBQ(U8(8), todo)
	CMPL(lanes, U8(8))
	JNE(LabelRef("paint_stop"))
	ADDQ(U8(32), refsAt)
	ADDQ(U8(32), pixelsAt)
	VMOVDQU(columnAt, column)
	VPADDD(eight(8), column, column)
	VMOVDQU(column, columnAt)
	TESTQ(todo, todo)
	JNZ(LabelRef("paint_group"))
	XORL(lanes, lanes)
	JMP(LabelRef("paint_done"))

	Label("paint_nothing")
	POPCNTL(nothingHere, nothingHere)
	ADDQ(nothingHere.As64(), nothing)
	MOVL(U32(8), lanes)
	VPBROADCASTD(field(p, paintBackground), pixel)
	JMP(LabelRef("paint_store"))

	Label("paint_last")
	VMOVD(todo.As32(), valid.AsX())
	VPBROADCASTD(valid.AsX(), valid)
	VPCMPGTD(constantTable("upToSeven", upToSeven), valid, valid)
	VPMASKMOVD(pixel, valid, Mem{Base: pixelsAt})
	CMPL(lanes, todo.As32())
	CMOVLGT(todo.As32(), lanes)
	JMP(LabelRef("paint_done"))

	Label("paint_stop")
	ADDQ(U8(8), todo)

	Label("paint_done")
	n := Load(Param("refs").Len(), GP64())
	SUBQ(todo, n)
	ADDQ(lanes.As64(), n)
	Store(n, Return("painted"))
	Store(nothing, Return("empty"))
	VZEROUPPER()
	RET()
}

// What depends on a patch's kind: the bits of octant and part that tell where
// what is seen lies; those of the part that tell how many leaves are before it;
// the levels below the patch; and by how many bits parts are too fine.
func paintParts() Mem  { return fourWords("paintParts", 0, 0x1ff, 0x1ff, 0x1ff) }
func paintBefore() Mem { return fourWords("paintBefore", 0, 63, 0, 56) }
func paintLevels() Mem { return fourWords("paintLevels", 0, 3, 3, 2) }
func paintCoarse() Mem { return fourWords("paintCoarse", 0, 0, 0, 3) }

func fourWords(name string, words ...uint32) Mem {
	return constantTable(name, func() {
		for i, w := range words {
			DATA(4*i, U32(w))
		}
	})
}

// ofKind looks up what depends on the kind. Leaves, with the two lowest bits of
// single patches, have the same.
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

// rows loads 16 bytes for each lane, at offsets from a base that lie in memory,
// and turns them into four vectors of words.
func rows(vector func() VecVirtual, base Register, offsets Mem) (words [4]VecVirtual) {
	row := func(i int) Mem {
		at := GP64()
		MOVL(offsets.Offset(4*i), at.As32())
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

// bitCount counts the bits of each lane of two vectors together, by nibbles.
func bitCount(vectors ...VecVirtual) (sum VecVirtual) {
	counts, nibbles := YMM(), YMM()
	VMOVDQU(constantTable("nibbleBits", func() {
		for i := range 4 {
			DATA(8*i, U64([2]uint64{0x0302020102010100, 0x0403030203020201}[i%2]))
		}
	}), counts)
	VPBROADCASTB(constantTable("nibble", func() { DATA(0, U64(everyByte*0x0f)) }), nibbles)
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

func paramOf(name string) Mem {
	m, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return m.Addr
}
