package main

import (
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// rank counts, for the bricks in the order of visiting, those that there are
// before each, which tells their records.
func rank(f *frame) {
	n, d := Load(Param("n"), GP64()), f.at()
	mask, nearest, table, refs := GP64(), GP64(), GP64(), YMM()
	MOVL(field(n, bottomNearest), nearest.As32())
	MOVL(nearest.As32(), mask.As32())
	SHLL(U8(8), mask.As32())
	ORL(field(d, dabSlots), mask.As32())
	LEAQ(ranksTable(), table)
	VPMOVZXBD(Mem{Base: table, Index: mask, Scale: 8}, refs)
	VPSLLD(U8(6), refs, refs)
	LEAQ(firstLeaves(), table)
	SHLL(U8(5), nearest.As32())
	VPOR(Mem{Base: table, Index: nearest, Scale: 1}, refs, refs)
	VMOVDQU(refs, field(d, dabRefs))
}

// firstLeaves has, for each nearest octant, the part that is visited first, eight
// times.
func firstLeaves() Mem {
	return constantTable("firstLeaves", func() {
		for nearest := range 8 {
			for i := range 8 {
				DATA(4*(8*nearest+i), U32(9*nearest))
			}
		}
	})
}

// record enters the patch and the records of all bricks, and asks for their
// colours.
func record(f *frame) {
	n, d := Load(Param("n"), GP64()), f.at()
	{
		patch, next, octant, table, low := GP64(), GP32(), GP64(), GP64(), XMM()
		MOVL(field(n, bottomNextPatch), patch.As32())
		LEAL(Mem{Base: patch, Disp: 1}, next)
		MOVL(next, field(n, bottomNextPatch))
		SHLQ(U8(4), patch)
		ADDQ(field(n, bottomPatches), patch)
		MOVL(field(d, dabOctant), octant.As32())
		SHLL(U8(4), octant.As32())
		LEAQ(octantCornersTable(), table)
		VPBROADCASTD(field(n, bottomEdge), low)
		VPAND(Mem{Base: table, Index: octant, Scale: 1}, low, low)
		VPADDD(field(n, bottomLow), low, low)
		VMOVDQU(low, Mem{Base: patch})
	}
	mask, first, count := GP64(), GP64(), GP64()
	MOVL(field(d, dabSlots), mask.As32())
	MOVQ(field(d, dabFirst), first)
	POPCNTL(mask.As32(), count.As32())
	ids, named := YMM(), labels.new("named")
	// Those that are there, a word each.
	present := YMM()
	{
		x := XMM()
		VMOVD(count.As32(), x)
		VPBROADCASTD(x, present)
		VPCMPGTD(constantTable("upToSeven", upToSeven), present, present)
	}
	{
		VMOVDQU(field(d, dabIDs), ids)
		CMPL(field(n, bottomHalf), U8(0))
		JNE(LabelRef(named))
		VPBROADCASTD(field(d, dabFirst), ids)
		VPADDD(constantTable("upToSeven", upToSeven), ids, ids)
		some, list, from := GP64(), GP64(), GP64()
		MOVQ(field(n, bottomIDs+8), some)
		TESTQ(some, some)
		JZ(LabelRef(named))
		MOVQ(field(n, bottomIDs), list)
		MOVL(field(n, bottomIDFrom), from.As32())
		MOVQ(first, some)
		SUBQ(from, some)
		VPMASKMOVD(Mem{Base: list, Index: some, Scale: 4}, present, ids)
		Label(named)
	}
	octants, at := YMM(), GP64()
	LEAQ(placesInByte(), at)
	VPMOVZXBD(Mem{Base: at, Index: mask, Scale: 8}, octants)
	{
		patch, x, places := GP32(), XMM(), YMM()
		MOVL(field(n, bottomNextPatch), patch)
		DECL(patch)
		SHLL(U8(3), patch)
		VMOVD(patch, x)
		VPBROADCASTD(x, places)
		VPOR(places, octants, octants)
	}
	leaves, records := GP64(), GP64()
	MOVQ(field(d, dabLeaves), leaves)
	MOVL(field(n, bottomNextRecord), records.As32())
	ADDL(records.As32(), count.As32())
	MOVL(count.As32(), field(n, bottomNextRecord))
	SHLQ(U8(4), records)
	ADDQ(field(n, bottomRecords), records)
	low, high := YMM(), YMM()
	VPUNPCKLDQ(octants, ids, low)  // of records 0 1 4 5
	VPUNPCKHDQ(octants, ids, high) // and 2 3 6 7
	for half := range 2 {
		part, pairs, wanted := YMM(), YMM(), YMM()
		if half == 0 {
			VPERM2I128(U8(0x20), high, low, pairs)
			VPMOVSXDQ(present.AsX(), wanted)
		} else {
			VPERM2I128(U8(0x31), high, low, pairs)
			x := XMM()
			VEXTRACTI128(U8(1), present, x)
			VPMOVSXDQ(x, wanted)
		}
		VPMASKMOVQ(Mem{Base: leaves, Disp: 32 * half}, wanted, part)
		// Records 0 and 2, then 1 and 3.
		even, odd, first, second := YMM(), YMM(), YMM(), YMM()
		VPUNPCKLQDQ(pairs, part, even)
		VPUNPCKHQDQ(pairs, part, odd)
		VPERM2I128(U8(0x20), odd, even, first)
		VPERM2I128(U8(0x31), odd, even, second)
		VMOVDQU(first, Mem{Base: records, Disp: 64 * half})
		VMOVDQU(second, Mem{Base: records, Disp: 64*half + 32})
	}
	colours, cached := GP64(), labels.new("cached")
	CMPQ(field(n, bottomColours+8), U32(1<<15))
	JB(LabelRef(cached))
	MOVQ(field(n, bottomColours), colours)
	for i := range 8 {
		id := GP64()
		MOVL(Mem{Base: records, Disp: 16*i + 8}, id.As32())
		LEAQ(Mem{Base: id, Index: id, Scale: 2}, id)
		PREFETCHT0(Mem{Base: colours, Index: id, Scale: 1})
	}
	Label(cached)
}

// ranksTable has, for each nearest octant and each mask of octants, how many of
// them come before each octant, in the order of visiting.
func ranksTable() Mem {
	return constantTable("ranks", func() {
		for nearest := range 8 {
			for mask := range 256 {
				var w uint64
				for i := range 8 {
					w |= uint64(bits.OnesCount(uint(mask&(1<<(i^nearest)-1)))) << (8 * i)
				}
				DATA(8*(256*nearest+mask), U64(w))
			}
		}
	})
}

// octantCornersTable has all ones for the axes on which an octant is on the high
// side of the middle.
func octantCornersTable() Mem {
	return constantTable("octantSides", func() {
		for o := range 8 {
			for k := range 4 {
				side := uint32(0)
				if k < 3 && o>>k&1 != 0 {
					side = 1<<32 - 1
				}
				DATA(4*(4*o+k), U32(side))
			}
		}
	})
}
