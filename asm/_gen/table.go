package main

import (
	"fmt"
	"math"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The numbers of ../table.go.
const (
	unitBits, stepBits = 11, 5
	unit, places       = 1 << unitBits, 256
	finer              = 4
	maxStep            = 1023 << stepBits
)

// makeTable is the vector form of makeTableGo: the 64 leaves are 64 bytes, in
// two vectors, that hold how far a place is behind each leaf's first.
func makeTable() {
	TEXT("makeTableAVX2", NOSPLIT, "func(t, l *byte)")
	table, line := Load(Param("t"), GP64()), Load(Param("l"), GP64())
	width := YMM()
	VPBROADCASTB(field(line, lineWidth), width)
	var behind [2]VecVirtual
	for i := range behind {
		behind[i] = YMM()
		VMOVDQU(field(line, 32*i), behind[i])
	}
	one := YMM()
	VPBROADCASTB(constantTable("ones", func() { DATA(0, U64(everyByte)) }), one)

	count := GP32()
	MOVL(U32(places), count)
	Label("makeTable_place")
	set := GP64()
	var words [2]GPVirtual
	for i := range 2 {
		least := YMM()
		VPMINUB(width, behind[i], least)
		VPCMPEQB(least, behind[i], least)
		words[i] = GP32()
		VPMOVMSKB(least, words[i])
	}
	MOVL(words[1], set.As32())
	SHLQ(U8(32), set)
	ORQ(words[0].As64(), set)
	MOVQ(set, Mem{Base: table})
	for _, v := range behind {
		VPADDB(one, v, v)
	}
	ADDQ(U8(8), table)
	DECL(count)
	JNE(LabelRef("makeTable_place"))
	VZEROUPPER()
	RET()
}

// tables are written once, however often they are used.
var tables = map[string]Mem{}

func constantTable(name string, fill func()) Mem {
	if m, ok := tables[name]; ok {
		return m
	}
	m := GLOBL(name, RODATA|NOPTR)
	fill()
	tables[name] = m
	return m
}

// octantOfLeaf repeats the numbers 0 to 7 eight times each.
func octantOfLeaf() Mem {
	return constantTable("octantOfLeaf", func() {
		for i := range 8 {
			DATA(8*i, U64(everyByte*uint64(i)))
		}
	})
}

// permutations has, for each nearest octant, what permute does to a brick: how
// its bytes move, and what becomes of a byte's low and high nibble.
func permutations() Mem {
	return constantTable("permutations", func() {
		at := 0
		put := func(f func(i int) uint8) {
			for i := 0; i < 16; i += 8 {
				var w uint64
				for j := range 8 {
					w |= uint64(f(i+j)) << (8 * j)
				}
				DATA(at, U64(w))
				at += 8
			}
		}
		for nearest := range 8 {
			move := func(bitsOf int) (m uint8) {
				for v := uint8(bitsOf); v != 0; v &= v - 1 {
					m |= 1 << (bits.TrailingZeros8(v) ^ nearest)
				}
				return m
			}
			put(func(i int) uint8 { return uint8(i ^ nearest) }) // of one brick or two
			put(func(i int) uint8 { return move(i) })
			put(func(i int) uint8 { return move(i << 4) })
		}
	})
}

// number32 are the bits of a number in single precision.
func number32(f float32) uint32 { return math.Float32bits(f) }

// wideConstant is a constant in memory, to be broadcast.
func wideConstant(bits uint32) Mem {
	return constantTable(fmt.Sprintf("word%08x", bits), func() { DATA(0, U32(bits)) })
}
