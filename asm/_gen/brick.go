package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// words brings the leaves of the bricks into the order of visiting.
func words(f *frame, fixed *invariants) {
	n, d, octant := Load(Param("n"), GP64()), f.at(), GP64()
	MOVL(field(d, dabOctant), octant.As32())
	id, nodes, mask := GP64(), GP64(), GP64()
	BZHIL(octant.As32(), field(n, bottomMask), id.As32())
	POPCNTL(id.As32(), id.As32())
	ADDL(field(n, bottomFirst), id.As32())
	MOVQ(field(n, bottomNodes), nodes)
	MOVQ(Mem{Base: nodes, Index: id, Scale: 8}, mask)
	some := GP32()
	MOVBLZX(mask.As8(), some)
	MOVL(some, field(d, dabMask))
	bricks, leaves, whole, ready := GP64(), GP64(), labels.new("whole"), labels.new("ready")
	MOVQ(field(n, bottomBricks), bricks)
	CMPL(field(n, bottomHalf), U8(0))
	JEQ(LabelRef(whole))
	{
		halves(n, d, id, bricks, fixed != nil)
		LEAQ(field(d, dabHalves), bricks)
		MOVQ(bricks, leaves)
		XORL(id.As32(), id.As32())
		MOVL(U32(0xff), mask.As32())
		JMP(LabelRef(ready))
	}
	Label(whole)
	MOVQ(mask, id)
	MOVL(some, mask.As32())
	SHRQ(U8(8), id)
	MOVL(id.As32(), id.As32())
	MOVQ(field(n, bottomLeaves), leaves)
	LEAQ(Mem{Base: leaves, Index: id, Scale: 8}, leaves)
	LEAQ(Mem{Base: bricks, Index: id, Scale: 8}, bricks)
	Label(ready)
	MOVQ(leaves, field(d, dabLeaves))
	MOVL(mask.As32(), field(d, dabSlots))
	MOVQ(id, field(d, dabFirst))
	ANDL(field(n, bottomOnly), some)

	if fixed == nil {
		wordByWord(n, d, mask, some, bricks)
		return
	}
	every, present, wanted := K(), K(), K()
	ones, count := GP32(), GP32()
	POPCNTL(mask.As32(), count)
	MOVL(I32(-1), ones)
	BZHIL(count, ones, ones)
	KMOVB(ones, every)
	KMOVB(mask.As32(), present)
	KMOVB(some, wanted)
	v, high := ZMM(), ZMM()
	VMOVDQU64_Z(Mem{Base: bricks}, every, v)
	VPEXPANDQ_Z(v, present, v)
	VMOVDQA64_Z(v, wanted, v)
	VPERMQ(v, fixed.order, v)
	VPSHUFB(fixed.permutation[0], v, v)
	VPSRLW(U8(4), v, high)
	nibble := lowNibbles()
	VPANDQ_BCST(nibble, high, high)
	VPANDQ_BCST(nibble, v, v)
	VPSHUFB(v, fixed.permutation[1], v)
	VPSHUFB(high, fixed.permutation[2], high)
	VPORQ(high, v, v)
	VMOVDQU64(v, field(d, dabWords))
	there := K()
	MOVQ(U32(0), field(d, dabWords+64))
	VPTESTMQ(v, v, there)
	KMOVB(there, some)
	MOVL(some, field(d, dabThere))
}

// visits has, for each nearest octant, the octants in the order of visiting, as
// 64-bit words.
func visits() Mem {
	return constantTable("visits", func() {
		for nearest := range 8 {
			for i := range 8 {
				DATA(8*(8*nearest+i), U64(i^nearest))
			}
		}
	})
}

// halves finds the half bricks of a bottom node, and the ids of their first
// leaves, by their octants.
func halves(n, d Register, id, bricks GPVirtual, wide bool) {
	brick, low, high, nibble, counts := GP64(), XMM(), XMM(), XMM(), XMM()
	MOVQ(Mem{Base: bricks, Index: id, Scale: 8}, brick)
	VMOVQ(brick, low)
	if wide {
		bits, v := K(), ZMM()
		KMOVQ(brick, bits)
		VPMOVM2B(bits, v)
		VMOVDQU64(v, field(d, dabHalves))
	} else {
		repeated := YMM()
		VPBROADCASTQ(low, repeated)
		for half := range 2 {
			v, mask := YMM(), YMM()
			VPSHUFB(octantOfLeaf().Offset(32*half), repeated, v)
			VPBROADCASTQ(constantTable("bitOfByte", func() { DATA(0, U64(0x8040201008040201)) }), mask)
			VPAND(mask, v, v)
			VPCMPEQB(mask, v, v)
			VMOVDQU(v, field(d, dabHalves+32*half))
		}
	}
	ids, listed, named := YMM(), labels.new("listed"), labels.new("halves")
	some := GP64()
	MOVQ(field(n, bottomIDs+8), some)
	TESTQ(some, some)
	JNZ(LabelRef(listed))
	sharedHalves(n, id, ids)
	JMP(LabelRef(named))
	Label(listed)
	// How many leaves each byte has, then how many all before.
	VPBROADCASTB(lowNibbles(), nibble)
	VPSRLW(U8(4), low, high)
	VPAND(nibble, high, high)
	VPAND(nibble, low, low)
	VMOVDQU(nibbleBits(), counts)
	VPSHUFB(low, counts, low)
	VPSHUFB(high, counts, high)
	VPADDB(low, high, low)
	total, each := GP64(), GP64()
	VMOVQ(low, total)
	MOVQ(U64(everyByte), each)
	IMULQ(each, total)
	SHLQ(U8(8), total)
	VMOVQ(total, low)
	first, list := GP64(), GP64()
	VPMOVZXBD(low, ids)
	MOVL(field(n, bottomIDFrom), first.As32())
	SUBQ(first, id)
	MOVQ(field(n, bottomIDs), list)
	VPADDD(broadcastInt(Mem{Base: list, Index: id, Scale: 4}), ids, ids)
	Label(named)
	VMOVDQU(ids, field(d, dabIDs))
}

// sharedHalves finds the ids of the first leaves of a bottom node's octants where nodes
// are shared: each octant, a node, has its own.
func sharedHalves(n Register, id GPVirtual, ids VecVirtual) {
	node, mask, table, nodes := GP64(), GP64(), GP64(), GP64()
	MOVQ(field(n, bottomNodes), nodes)
	MOVQ(Mem{Base: nodes, Index: id, Scale: 8}, node)
	MOVBLZX(node.As8(), mask.As32())
	there, bit, ranks := YMM(), YMM(), YMM()
	VMOVDQU(constantTable("bitOfOctant", func() {
		for o := range 8 {
			DATA(4*o, U32(1<<o))
		}
	}), bit)
	x := XMM()
	VMOVD(mask.As32(), x)
	VPBROADCASTD(x, there)
	VPAND(bit, there, there)
	VPCMPEQD(bit, there, there)
	LEAQ(ranksTable(), table)
	VPMOVZXBD(Mem{Base: table, Index: mask, Scale: 8}, ranks)
	SHRQ(U8(8), node)
	MOVL(node.As32(), node.As32())
	LEAQ(Mem{Base: nodes, Index: node, Scale: 8}, nodes)
	VPXOR(ids, ids, ids)
	VPGATHERDD(there, Mem{Base: nodes, Disp: 1, Index: ranks, Scale: 8}, ids) // behind the mask
}

// wordByWord is words, a brick after the other.
func wordByWord(n, d Register, mask, some, bricks GPVirtual) {
	nearest, moves, zero := GP64(), GP64(), YMM()
	MOVL(field(n, bottomNearest), nearest.As32())
	LEAQ(permutations(), moves)
	VPXOR(zero, zero, zero)
	VMOVDQU(zero, field(d, dabWords))
	VMOVDQU(zero, field(d, dabWords+32))
	VMOVQ(zero.AsX(), field(d, dabWords+64))
	table := GP64()
	IMUL3Q(U8(48), nearest, table)
	ADDQ(table, moves)
	moved, lows, highs, nibble := XMM(), XMM(), XMM(), XMM()
	VMOVDQU(Mem{Base: moves}, moved)
	VMOVDQU(Mem{Base: moves, Disp: 16}, lows)
	VMOVDQU(Mem{Base: moves, Disp: 32}, highs)
	VPBROADCASTB(lowNibbles(), nibble)
	there := GP32()
	XORL(there, there)
	loop, done := labels.new("word"), labels.new("words")
	Label(loop)
	TESTL(some, some)
	JZ(LabelRef(done))
	o, rank := GP64(), GP64()
	TZCNTL(some, o.As32())
	BLSRL(some, some)
	BZHIL(o.As32(), mask.As32(), rank.As32())
	POPCNTL(rank.As32(), rank.As32())
	v, high := XMM(), XMM()
	VMOVQ(Mem{Base: bricks, Index: rank, Scale: 8}, v)
	VPSHUFB(moved, v, v)
	VPSRLW(U8(4), v, high)
	VPAND(nibble, high, high)
	VPAND(nibble, v, v)
	VPSHUFB(v, lows, v)
	VPSHUFB(high, highs, high)
	VPOR(high, v, v)
	XORL(nearest.As32(), o.As32())
	VMOVQ(v, Mem{Base: d, Disp: dabWords, Index: o, Scale: 8})
	VPTEST(v, v)
	SETNE(rank.As8())
	MOVBLZX(rank.As8(), rank.As32())
	SHLXL(o.As32(), rank.As32(), rank.As32())
	ORL(rank.As32(), there)
	JMP(LabelRef(loop))
	Label(done)
	MOVL(there, field(d, dabThere))
}
