package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets into Table, Grid, Offsets and Bottom (../brick.go).
const (
	tableX, tableY             = 0, 1024
	tableXAny, tableYAny       = 2048, 2176
	gridD, gridHalf, gridReach = 0, 64, 72
	bottomWords, bottomIDs     = 0, 24
	bottomRecords              = 48
	bottomX, bottomH           = 72, 84
	bottomCX                   = 88
	bottomMinX, bottomMaxX     = 96, 100
	bottomMask, bottomVisit    = 112, 116
	bottomNearest, bottomPlace = 120, 124
	bottomNext, bottomColours  = 128, 136
	phases, unit, lead         = 16, 32, 3
)

// makeTable is the vector form of makeTableGo: the 64 leaves are 64 bytes.
func makeTable(name string, wide bool) {
	TEXT(name, NOSPLIT, "func(t, grid *byte)")
	table, grid := Load(Param("t"), GP64()), Load(Param("grid"), GP64())
	for axis := range 2 {
		tableAxis(table, grid, axis, wide)
	}
	VZEROUPPER()
	RET()
}

func tableAxis(table, grid Register, axis int, wide bool) {
	sets, any := tableX+axis*(tableY-tableX), tableXAny+axis*(tableYAny-tableXAny)
	octant := YMM()
	VMOVUPS(field(grid, gridD+32*axis), octant)
	leaf := mul(octant, constant(0x3f000000)) // halves
	bytes := [2]VecVirtual{lowBytes(octant), lowBytes(leaf)}

	half := GP32()
	MOVL(field(grid, gridHalf+4*axis), half)
	shift := GP32()
	LEAL(Mem{Base: half, Disp: lead*unit + 1 - unit/2}, shift)
	ADDL(half, half)
	reach := broadcastInt(field(grid, gridReach+4*axis))
	distance := YMM()
	VMOVDQU(windowDistances(), distance)
	phase := GP64()
	XORQ(phase, phase)
	out := GP64()
	LEAQ(field(table, sets), out)

	// The leaves' places against column 0, all 64 in one vector or in two.
	var places []VecVirtual
	var width, pixel, step VecVirtual
	vector, bytes8 := YMM, func(n int) VecVirtual { return broadcastTable(n, false) }
	if wide {
		vector, bytes8 = ZMM, func(n int) VecVirtual { return broadcastTable(n, true) }
	}
	repeated, octants := vector(), vector()
	VPBROADCASTQ(bytes[1].AsX(), repeated)
	VPBROADCASTQ(bytes[0].AsX(), octants)
	if wide {
		index := ZMM()
		VMOVDQU64(octantOfLeaf(), index)
		VPSHUFB(index, octants, octants)
		VPADDB(repeated, octants, octants)
		places = []VecVirtual{octants}
	} else {
		for i := range 2 {
			v := YMM()
			VPSHUFB(octantOfLeaf().Offset(32*i), octants, v)
			VPADDB(repeated, v, v)
			places = append(places, v)
		}
	}
	start := spreadByte(shift, vector())
	for _, v := range places {
		VPADDB(start, v, v)
	}
	width = spreadByte(half, vector())
	pixel, step = bytes8(unit), bytes8(2)

	loop := fmt.Sprintf("axis%d_phase", axis)
	Label(loop)
	at := make([]VecVirtual, len(places))
	for i, v := range places {
		at[i] = v
	}
	for k := range 8 {
		if k > 0 { // a column on, the leaves are a pixel back
			for i, v := range at {
				back := vector()
				VPSUBB(pixel, v, back)
				at[i] = back
			}
		}
		set := GP64()
		if wide {
			m := K()
			VPCMPUB(U8(2), width, at[0], m) // at most
			KMOVQ(m, set)
		} else {
			var words [2]GPVirtual
			for i := range 2 {
				least := YMM()
				VPMINUB(width, at[i], least)
				VPCMPEQB(least, at[i], least)
				words[i] = GP32()
				VPMOVMSKB(least, words[i])
			}
			MOVL(words[1], set.As32())
			SHLQ(U8(32), set)
			ORQ(words[0].As64(), set)
		}
		MOVQ(set, Mem{Base: out, Disp: 8 * k})
	}
	for _, v := range places {
		VPADDB(step, v, v)
	}
	far, mask := YMM(), GP32()
	VPABSD(distance, far)
	VPCMPGTD(reach, far, far)
	VMOVMSKPS(far, mask)
	XORL(U32(0xff), mask)
	cells, every := GP64(), GP64()
	MOVQ(U64(everyByte), every)
	if axis == 0 {
		MOVQ(mask.As64(), cells)
		IMULQ(every, cells)
	} else {
		PDEPQ(every, mask.As64(), cells)
		IMUL3Q(U32(0xff), cells, cells)
	}
	MOVQ(cells, Mem{Base: table, Index: phase, Scale: 8, Disp: any})

	VPADDD(constant(2), distance, distance)
	ADDQ(U8(64), out)
	INCQ(phase)
	CMPQ(phase, U8(phases))
	JNE(LabelRef(loop))
}

// lowBytes rounds eight floats to the low eight bytes of a vector.
func lowBytes(v VecVirtual) VecVirtual {
	i, high := YMM(), XMM()
	VCVTPS2DQ(v, i)
	VEXTRACTI128(U8(1), i, high)
	VPACKSSDW(high, i.AsX(), high)
	VPACKSSWB(high, high, high)
	return high
}

// spreadByte spreads a register's lowest byte over a vector.
func spreadByte(g GPVirtual, d VecVirtual) VecVirtual {
	x := XMM()
	VMOVD(g, x)
	VPBROADCASTB(x, d)
	return d
}

// broadcastTable is a vector of equal bytes.
func broadcastTable(n int, wide bool) VecVirtual {
	d := YMM()
	if wide {
		d = ZMM()
	}
	VPBROADCASTB(constantTable(fmt.Sprintf("bytes%d", n), func() { DATA(0, U64(everyByte*uint64(n))) }), d)
	return d
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

// windowDistances lead from the columns' centres to the brick's, phase 0.
func windowDistances() Mem {
	return constantTable("windowDistances", func() {
		for k := range 8 {
			DATA(4*k, U32(uint32(int32(lead*unit+1-k*unit-unit/2))))
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
			put(func(i int) uint8 { return uint8(i&7 ^ nearest) })
			put(func(i int) uint8 { return move(i) })
			put(func(i int) uint8 { return move(i << 4) })
		}
	})
}

// drawBricks is the vector form of drawBricksGo: the eight centres are a batch,
// then one brick follows the other. seen is the loop over a brick's open pixels.
func drawBricks(function string, seen func(s brickState)) {
	TEXT(function, NOSPLIT, "func(c, b, o, t *byte)")
	c, b, t := Load(Param("c"), GP64()), Load(Param("b"), GP64()), Load(Param("t"), GP64())
	centres := [2]Mem{AllocLocal(32), AllocLocal(32)}
	saved := struct{ todo, octant, rank, cells, shift Mem }{AllocLocal(8), AllocLocal(8), AllocLocal(8), AllocLocal(8), AllocLocal(8)}
	{
		o := Load(Param("o"), GP64())
		h := broadcast(field(b, bottomH))
		var camera [3]VecVirtual
		for axis := range camera {
			camera[axis] = add(broadcast(field(b, bottomX+4*axis)), mulMem(h, field(o, 32*axis)))
		}
		scale := div(constant(0x42000000), camera[2])
		for axis := range 2 {
			v := add(mul(camera[axis], scale), broadcast(field(b, bottomCX+4*axis)))
			v = maxps(minps(v, broadcast(field(b, bottomMaxX+8*axis))), broadcast(field(b, bottomMinX+8*axis)))
			VMINPS(constant(0x4a000000), v, v)
			VMAXPS(constant(0xca000000), v, v)
			VCVTPS2DQ(v, v)
			VMOVDQU(v, centres[axis])
		}
	}
	todo := GP32()
	MOVL(field(b, bottomVisit), todo)
	MOVL(todo, saved.todo)
	next, brick, done := function+"_next", function+"_brick", function+"_done"
	JMP(LabelRef(next))

	Label(brick)
	i := GP64()
	TZCNTL(todo, i.As32())
	BLSRL(todo, todo)
	MOVL(todo, saved.todo)

	// Where the window lies, and which of its pixels are open and may be met.
	var corner, phase [2]GPVirtual
	for axis := range corner {
		corner[axis], phase[axis] = GP64(), GP64()
		MOVL(Mem{Base: StackPointer, Symbol: centres[axis].Symbol, Disp: centres[axis].Disp, Index: i, Scale: 4}, phase[axis].As32())
		MOVL(phase[axis].As32(), corner[axis].As32())
		SARL(U8(5), corner[axis].As32())
		SUBL(field(c, canvasX+4*axis), corner[axis].As32())
		ADDL(U8(pad-lead), corner[axis].As32())
		ANDL(U8(31), phase[axis].As32())
		SHRL(U8(1), phase[axis].As32())
	}
	cells, shift, open := window(c, corner)
	ANDQ(Mem{Base: t, Index: phase[0], Scale: 8, Disp: tableXAny}, open)
	ANDQ(Mem{Base: t, Index: phase[1], Scale: 8, Disp: tableYAny}, open)
	JZ(LabelRef(next))

	MOVQ(cells, saved.cells)
	MOVQ(shift, saved.shift)
	XORL(field(b, bottomNearest), i.As32())
	MOVL(i.As32(), saved.octant)
	rank := GP64()
	BZHIL(i.As32(), field(b, bottomMask), rank.As32())
	POPCNTL(rank.As32(), rank.As32())
	MOVL(rank.As32(), saved.rank)
	s := brickState{name: function, open: open, closed: GP64(), word: permuted(b, rank), ref: GP64(), seen: GP64(), stride: GP64()}
	XORL(s.closed.As32(), s.closed.As32())
	{
		nine := GP64()
		MOVL(field(b, bottomNext), s.ref.As32())
		SHLL(U8(6), s.ref.As32())
		MOVL(field(b, bottomNearest), nine.As32())
		LEAL(Mem{Base: nine, Index: nine, Scale: 8}, nine.As32())
		ORL(nine.As32(), s.ref.As32())
	}
	MOVQ(field(c, canvasWidth), s.stride)
	SUBQ(U8(pad), corner[0])
	SUBQ(U8(pad), corner[1])
	IMULQ(s.stride, corner[1])
	ADDQ(corner[0], corner[1])
	MOVQ(field(c, canvasSeen), s.seen)
	LEAQ(Mem{Base: s.seen, Index: corner[1], Scale: 4}, s.seen)
	SHLQ(U8(2), s.stride)
	SHLQ(U8(6), phase[0])
	SHLQ(U8(6), phase[1])
	s.columns, s.rows = GP64(), GP64()
	LEAQ(Mem{Base: t, Index: phase[0], Scale: 1, Disp: tableX}, s.columns)
	LEAQ(Mem{Base: t, Index: phase[1], Scale: 1, Disp: tableY}, s.rows)

	seen(s)

	TESTQ(s.closed, s.closed)
	JZ(LabelRef(next))
	{
		cells, shift, from, right, inverse := GP64(), GP64(), GP64(), GP64(), GP64()
		MOVQ(saved.cells, cells)
		MOVQ(saved.shift, shift)
		MOVQ(entry(constantTable("fromBit", fromBitWords), shift), from)
		MOVL(U32(8), inverse.As32())
		SUBL(shift.As32(), inverse.As32())
		SHRXQ(inverse, s.closed, right)
		ANDNQ(right, from, right)
		SHLXQ(shift, s.closed, s.closed)
		ANDQ(from, s.closed)
		ANDNQ(Mem{Base: cells}, s.closed, s.closed)
		MOVQ(s.closed, Mem{Base: cells})
		ADDQ(field(c, canvasHeight), cells)
		ANDNQ(Mem{Base: cells}, right, right)
		MOVQ(right, Mem{Base: cells})
	}
	{
		record, at, value, rank, base := GP64(), GP64(), GP64(), GP64(), GP64()
		MOVL(field(b, bottomNext), at.As32())
		MOVL(at.As32(), record.As32())
		INCL(at.As32())
		MOVL(at.As32(), field(b, bottomNext))
		SHLQ(U8(4), record)
		ADDQ(field(b, bottomRecords), record)
		MOVLQSX(saved.rank, rank)
		MOVQ(field(b, bottomWords), base)
		MOVQ(Mem{Base: base, Index: rank, Scale: 8}, value)
		MOVQ(value, Mem{Base: record})
		MOVQ(field(b, bottomIDs), base)
		MOVL(Mem{Base: base, Index: rank, Scale: 4}, value.As32())
		MOVL(value.As32(), Mem{Base: record, Disp: 8})
		fetch(field(b, bottomColours), value, 2)
		MOVL(saved.octant, value.As32())
		ORL(field(b, bottomPlace), value.As32())
		MOVL(value.As32(), Mem{Base: record, Disp: 12})
	}

	Label(next)
	MOVL(saved.todo, todo)
	TESTL(todo, todo)
	JNZ(LabelRef(brick))
	Label(done)
	VZEROUPPER()
	RET()
}

// fetch asks for the cache lines in which the colours from an id on lie.
func fetch(colours Mem, id GPVirtual, lines int) {
	base := GP64()
	MOVQ(colours, base)
	LEAQ(Mem{Base: id, Index: id, Scale: 2}, id)
	for line := range lines {
		PREFETCHT0(Mem{Base: base, Index: id, Scale: 1, Disp: 64 * line})
	}
}

// window loads the 8x8 window whose upper left corner is a pixel from that of
// the padding; also where its left strip lies, and by how many bits it is
// shifted.
func window(c Register, corner [2]GPVirtual) (cells, shift, open GPVirtual) {
	cells, shift, open = GP64(), GP64(), GP64()
	height := GP64()
	MOVQ(field(c, canvasHeight), height)
	MOVL(corner[0].As32(), cells.As32())
	SHRL(U8(3), cells.As32())
	IMULQ(height, cells)
	ADDQ(corner[1], cells)
	ADDQ(field(c, canvasCells), cells)
	MOVL(corner[0].As32(), shift.As32())
	ANDL(U8(7), shift.As32())
	left, right, keep, inverse := GP64(), GP64(), GP64(), GP64()
	MOVQ(entry(constantTable("fromBit", fromBitWords), shift), keep)
	SHRXQ(shift, keep, keep)
	SHRXQ(shift, Mem{Base: cells}, left)
	ANDQ(keep, left)
	MOVQ(Mem{Base: cells, Index: height, Scale: 1}, right)
	MOVL(U32(8), inverse.As32())
	SUBL(shift.As32(), inverse.As32())
	SHLXQ(inverse, right, right)
	ANDNQ(right, keep, open)
	ORQ(left, open)
	return cells, shift, open
}

// brickState is what the loop over the open pixels of a brick works with.
type brickState struct {
	name          string
	open, closed  GPVirtual // pixels of the window
	word          VecVirtual
	ref           GPVirtual // of part 0 in the order of visiting
	seen, stride  GPVirtual // pixel (0, 0) of the window, bytes to the next row
	columns, rows GPVirtual // the tables of the brick's phases
}

// permuted loads a brick's leaves in the order of visiting.
func permuted(b Register, rank GPVirtual) VecVirtual {
	words, nearest, table := GP64(), GP64(), GP64()
	MOVQ(field(b, bottomWords), words)
	v := XMM()
	VMOVQ(Mem{Base: words, Index: rank, Scale: 8}, v)
	MOVL(field(b, bottomNearest), nearest.As32())
	IMUL3Q(U8(48), nearest, nearest)
	LEAQ(permutations(), table)
	ADDQ(nearest, table)
	VPSHUFB(Mem{Base: table}, v, v)
	nibble, high := XMM(), XMM()
	VPBROADCASTB(constantTable("nibble", func() { DATA(0, U64(everyByte*0x0f)) }), nibble)
	VPSRLW(U8(4), v, high)
	VPAND(nibble, high, high)
	VPAND(nibble, v, v)
	low := XMM()
	VMOVDQU(Mem{Base: table, Disp: 16}, low)
	VPSHUFB(v, low, v)
	VMOVDQU(Mem{Base: table, Disp: 32}, low)
	VPSHUFB(high, low, high)
	VPOR(high, v, v)
	return v
}

// seenByPixel goes over the open pixels one by one.
func seenByPixel(s brickState) {
	word := GP64()
	VMOVQ(s.word, word)
	loop, miss := s.name+"_pixel", s.name+"_miss"
	Label(loop)
	p, row, leaf := GP64(), GP64(), GP64()
	TZCNTQ(s.open, p)
	MOVL(p.As32(), row.As32())
	SHRL(U8(3), row.As32())
	column := GP64()
	MOVL(p.As32(), column.As32())
	ANDL(U8(7), column.As32())
	MOVQ(Mem{Base: s.rows, Index: row, Scale: 8}, leaf)
	ANDQ(Mem{Base: s.columns, Index: column, Scale: 8}, leaf)
	ANDQ(word, leaf)
	JZ(LabelRef(miss))
	TZCNTQ(leaf, leaf)
	XORL(s.ref.As32(), leaf.As32())
	IMULQ(s.stride, row)
	LEAQ(Mem{Base: row, Index: column, Scale: 4}, row)
	MOVL(leaf.As32(), Mem{Base: s.seen, Index: row, Scale: 1})
	BTSQ(p, s.closed)
	Label(miss)
	BLSRQ(s.open, s.open)
	JNZ(LabelRef(loop))
}

// seenByRow looks at the eight pixels of a row at once, a table's column in
// each lane. From the first row with an open pixel on it does four rows without
// a branch, since stores are masked, and four more if there are pixels left.
func seenByRow(s brickState) {
	columns := ZMM()
	VPBROADCASTQ(s.word.AsX(), columns)
	VPANDQ(Mem{Base: s.columns}, columns, columns)
	ref, one := ZMM(), ZMM()
	VPBROADCASTQ(s.ref, ref)
	VPTERNLOGD(U8(0xff), one, one, one) // all ones: -1

	first, skipped := GP64(), GP64()
	TZCNTQ(s.open, first)
	ANDL(U8(0x38), first.As32())
	SHRXQ(first, s.open, s.open)
	ADDQ(first, s.rows)
	MOVQ(first, skipped)
	SHRQ(U8(3), skipped)
	IMULQ(s.stride, skipped)
	ADDQ(skipped, s.seen)
	for row := range 8 {
		if row == 4 {
			TESTQ(s.open, s.open)
			JZ(LabelRef(s.name + "_fourRows"))
		}
		leaves, least := ZMM(), ZMM()
		VPANDQ_BCST(Mem{Base: s.rows, Disp: 8 * row}, columns, leaves)
		open, hit := K(), K()
		KMOVB(s.open.As32(), open)
		VPTESTMQ(leaves, leaves, open, hit)
		VPADDQ(one, leaves, least)
		VPANDNQ(least, leaves, leaves)
		VPOPCNTQ(leaves, leaves)
		VPXORQ(ref, leaves, leaves)
		narrow := YMM()
		VPMOVQD(leaves, narrow)
		VMOVDQU32(narrow, hit, Mem{Base: s.seen})
		taken := GP64()
		KMOVB(hit, taken.As32())
		if row > 0 {
			SHLQ(U8(8*row), taken)
		}
		ORQ(taken, s.closed)
		SHRQ(U8(8), s.open)
		ADDQ(s.stride, s.seen)
	}
	Label(s.name + "_fourRows")
	SHLXQ(first, s.closed, s.closed)
}
