package main

import (
	"fmt"
	"math"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets into Grid and Bottom (../brick.go); Offsets has an array for each axis.
const (
	gridHalf                   = 32
	bottomWords, bottomIDs     = 0, 24
	bottomRecords              = 48
	bottomX, bottomH           = 72, 84
	bottomCX                   = 88
	bottomMinX, bottomMaxX     = 96, 100
	bottomStep, bottomReach    = 112, 120
	bottomMask, bottomVisit    = 128, 132
	bottomNearest, bottomPlace = 136, 140
	bottomNext, bottomTables   = 144, 152
	bottomLeaves               = 168
	bottomColours              = 192
	unitBits, stepBits, lead   = 12, 4, 3
	unit, places               = 1 << unitBits, 256
	maxStep, reach             = 6144 << stepBits, (places/2 - 1) << stepBits
)

// makeTable is the vector form of makeTableGo: the 64 leaves are 64 bytes, one
// vector or two, that hold how far each leaf's first place is behind a place.
func makeTable(name string, wide bool) {
	TEXT(name, NOSPLIT, "func(t, grid *byte)")
	table, grid := Load(Param("t"), GP64()), Load(Param("grid"), GP64())
	octant := YMM()
	VMOVUPS(field(grid, 0), octant)
	leaf := mul(octant, constant(0x3f000000)) // halves
	bytes := [2]VecVirtual{lowBytes(octant), lowBytes(leaf)}

	vector := YMM
	if wide {
		vector = ZMM
	}
	repeated, octants := vector(), vector()
	VPBROADCASTQ(bytes[1].AsX(), repeated)
	VPBROADCASTQ(bytes[0].AsX(), octants)
	half := GP32()
	MOVL(field(grid, gridHalf), half)
	start := GP32()
	LEAL(Mem{Base: half, Disp: -places / 2}, start)
	first := spreadByte(start, vector())
	ADDL(half, half)
	width := spreadByte(half, vector())
	var behind []VecVirtual
	if wide {
		index := ZMM()
		VMOVDQU64(octantOfLeaf(), index)
		VPSHUFB(index, octants, octants)
		VPADDB(repeated, octants, octants)
		VPSUBB(octants, first, octants)
		behind = []VecVirtual{octants}
	} else {
		for i := range 2 {
			v := YMM()
			VPSHUFB(octantOfLeaf().Offset(32*i), octants, v)
			VPADDB(repeated, v, v)
			VPSUBB(v, first, v)
			behind = append(behind, v)
		}
	}
	one := vector()
	VPBROADCASTB(constantTable("ones", func() { DATA(0, U64(everyByte)) }), one)

	count := GP32()
	MOVL(U32(places), count)
	loop := name + "_place"
	Label(loop)
	set := GP64()
	if wide {
		m := K()
		VPCMPUB(U8(2), width, behind[0], m) // at most
		KMOVQ(m, set)
	} else {
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
	}
	MOVQ(set, Mem{Base: table})
	for _, v := range behind {
		VPADDB(one, v, v)
	}
	ADDQ(U8(8), table)
	DECL(count)
	JNE(LabelRef(loop))
	VZEROUPPER()
	RET()
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

// windowSpans has the cells of a window in the columns from i/8 to i%8, for all
// i, and then those in such rows.
func windowSpans() Mem {
	return constantTable("windowSpans", func() {
		for axis, cells := range []uint64{everyByte, 0xff} {
			for i := range 64 {
				var span uint64
				for k := i / 8; k <= i%8; k++ {
					span |= cells << (k * (1 + 7*axis))
				}
				DATA(8*(64*axis+i), U64(span))
			}
		}
	})
}

// windowCentres lead from the pixel of a brick's centre to the centres of the
// window's columns, and then to those of its rows, in 1/unit pixel.
func windowCentres() Mem {
	return constantTable("windowCentres", func() {
		for k := range 16 {
			DATA(4*k, U32(uint32(int32((k%8-lead)*unit+unit/2))))
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

// drawBricks is the vector form of drawBricksGo: how the eight bricks lie is
// found in a batch, then one brick follows the other. wide takes columns and
// rows together.
func drawBricks(function string, wide bool) {
	TEXT(function, NOSPLIT, "func(c, b, o *byte)")
	c, b := Load(Param("c"), GP64()), Load(Param("b"), GP64())
	saved := struct{ todo, octant, rank, cells, shift Mem }{AllocLocal(8), AllocLocal(8), AllocLocal(8), AllocLocal(8), AllocLocal(8)}
	found := extents{AllocLocal(64), AllocLocal(64), AllocLocal(64), AllocLocal(64)}
	todo := GP32()
	// Places of the columns, of the rows, and of rows behind the window, which
	// seenByRow may look up to no avail.
	places := AllocLocal(96)
	{
		none := YMM()
		VPXOR(none, none, none)
		VMOVDQU(none, places.Offset(64))
	}
	o := Load(Param("o"), GP64())
	z := add(broadcast(field(b, bottomX+8)), mulMem(broadcast(field(b, bottomH)), field(o, 64)))
	inverse := div(constant(0x3f800000), z)
	if wide {
		found.findBoth(c, b, o, z, inverse, todo)
		ANDL(field(b, bottomVisit), todo)
	} else {
		found.find(b, o, z, inverse, 0)
		found.find(b, o, z, inverse, 1)
		MOVL(field(b, bottomVisit), todo)
	}
	MOVL(todo, saved.todo)
	next, brick := function+"_next", function+"_brick"
	JMP(LabelRef(next))

	Label(brick)
	// Read anew here and below: the loop over the pixels needs the registers.
	c, b = Load(Param("c"), GP64()), Load(Param("b"), GP64())
	i := GP64()
	TZCNTL(todo, i.As32())
	BLSRL(todo, todo)
	MOVL(todo, saved.todo)

	// Where the window lies, and which of its pixels are open and may be met.
	var corner [2]GPVirtual
	for axis := range corner {
		corner[axis] = GP64()
		MOVL(lane(found.corner, axis, i), corner[axis].As32())
	}
	cells, shift, open := window(c, corner)
	if wide {
		ANDQ(Mem{Base: StackPointer, Symbol: found.span.Symbol, Disp: found.span.Disp, Index: i, Scale: 8}, open)
	} else {
		spans := GP64()
		LEAQ(windowSpans(), spans)
		for axis := range 2 {
			span := GP64()
			MOVL(lane(found.span, axis, i), span.As32())
			ANDQ(Mem{Base: spans, Index: span, Scale: 8, Disp: 512 * axis}, open)
		}
		TESTQ(open, open)
	}
	JZ(LabelRef(next))

	MOVQ(cells, saved.cells)
	MOVQ(shift, saved.shift)
	s := brickState{name: function, open: open, closed: GP64(), ref: GP64(), seen: GP64(), stride: GP64(), places: places}
	for axis := range 2 {
		s.tables[axis] = GP64()
		MOVQ(field(b, bottomTables+8*axis), s.tables[axis])
	}
	if wide {
		s.locateBoth(found, i)
	} else {
		s.locate(found, i)
	}
	XORL(field(b, bottomNearest), i.As32())
	MOVL(i.As32(), saved.octant)
	rank := GP64()
	BZHIL(i.As32(), field(b, bottomMask), rank.As32())
	POPCNTL(rank.As32(), rank.As32())
	MOVL(rank.As32(), saved.rank)
	s.word = permuted(b, rank)
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
	if wide {
		seenByRow(s)
	} else {
		seenByPixel(s)
	}

	c, b = Load(Param("c"), GP64()), Load(Param("b"), GP64())
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
		MOVQ(field(b, bottomLeaves), base)
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

// extents is where the numbers of the eight bricks lie, first across the columns
// and then across the rows: extent in ../brick.go.
type extents struct{ corner, phase, step, span Mem }

func lane(array Mem, axis int, i Register) Mem {
	return Mem{Base: StackPointer, Symbol: array.Symbol, Disp: array.Disp + 32*axis, Index: i, Scale: 4}
}

// find is the twin's find for eight bricks.
func (e extents) find(b, o Register, z, inverse VecVirtual, axis int) {
	step := minps(maxps(mul(broadcast(field(b, bottomStep+4*axis)), z), constant(0x3f800000)), constant(number32(maxStep)))
	VCVTPS2DQ(step, step)
	VMOVDQU(step, e.step.Offset(32*axis))

	at := add(broadcast(field(b, bottomX+4*axis)), mulMem(broadcast(field(b, bottomH)), field(o, 32*axis)))
	at = add(mul(at, inverse), broadcast(field(b, bottomCX+4*axis)))
	at = mul(at, constant(number32(unit)))
	at = maxps(minps(at, broadcast(field(b, bottomMaxX+8*axis))), broadcast(field(b, bottomMinX+8*axis)))
	VCVTPS2DQ(at, at)
	phase, corner := YMM(), YMM()
	VPSRAD(U8(unitBits), at, corner)
	VPAND(constant(unit-1), at, phase)
	VMOVDQU(phase, e.phase.Offset(32*axis))
	VPSUBD(constant(lead), corner, corner)
	VMOVDQU(corner, e.corner.Offset(32*axis))

	VCVTDQ2PS(phase, phase)
	middle := add(mul(phase, constant(number32(1./unit))), constant(number32(lead-.5)))
	reach := maxps(mul(broadcast(field(b, bottomReach+4*axis)), inverse), constant(number32(float32(reach)/maxStep)))
	first, last, zero := sub(middle, reach), add(middle, reach), YMM()
	VXORPS(zero, zero, zero)
	VROUNDPS(U8(2), first, first)
	VROUNDPS(U8(1), last, last)
	VCVTPS2DQ(maxps(first, zero), first)
	VCVTPS2DQ(minps(last, constant(0x40e00000)), last)
	VPSLLD(U8(3), first, first)
	VPADDD(last, first, first)
	VMOVDQU(first, e.span.Offset(32*axis))
}

// findBoth is find for both axes at once. It also looks at the windows of all
// bricks, and tells which have an open pixel: which of them are left when their
// turn comes is then known well enough in advance for the processor to go on.
// The spans are the windows' cells themselves.
func (e extents) findBoth(c, b, o Register, z, inverse VecVirtual, open GPVirtual) {
	rows := K()
	{
		g := GP32()
		MOVL(U32(0xff00), g)
		KMOVW(g, rows)
	}
	both := func(offset, stride int) VecVirtual {
		d := ZMM()
		VBROADCASTSS(field(b, offset), d)
		VBROADCASTSS(field(b, offset+stride), rows, d)
		return d
	}
	number := func(bits uint32) VecVirtual { d := ZMM(); VPBROADCASTD(wideConstant(bits), d); return d }
	twice := func(v VecVirtual) VecVirtual {
		d := ZMM()
		VSHUFF64X2(U8(0x44), v.AsZ(), v.AsZ(), d)
		return d
	}
	binary := func(f func(...Op), a, b VecVirtual) VecVirtual { d := ZMM(); f(b, a, d); return d }

	deep, shallow := twice(z), twice(inverse)
	step := binary(VMULPS, both(bottomStep, 4), deep)
	step = binary(VMINPS, binary(VMAXPS, step, number(0x3f800000)), number(number32(maxStep)))
	VCVTPS2DQ(step, step)
	VMOVDQU32(step, e.step)

	at, h := ZMM(), ZMM()
	VBROADCASTSS(field(b, bottomH), h)
	VMULPS(field(o, 0), h, at)
	at = binary(VADDPS, both(bottomX, 4), at)
	at = binary(VADDPS, binary(VMULPS, at, shallow), both(bottomCX, 4))
	at = binary(VMULPS, at, number(number32(unit)))
	at = binary(VMAXPS, binary(VMINPS, at, both(bottomMaxX, 8)), both(bottomMinX, 8))
	VCVTPS2DQ(at, at)
	phase, corner := ZMM(), ZMM()
	VPSRAD(U8(unitBits), at, corner)
	VPANDD(number(unit-1), at, phase)
	VMOVDQU32(phase, e.phase)
	VPSUBD(number(lead), corner, corner)
	VMOVDQU32(corner, e.corner)

	VCVTDQ2PS(phase, phase)
	middle := binary(VADDPS, binary(VMULPS, phase, number(number32(1./unit))), number(number32(lead-.5)))
	reach := binary(VMAXPS, binary(VMULPS, both(bottomReach, 4), shallow), number(number32(float32(reach)/maxStep)))
	first, last, zero := binary(VSUBPS, middle, reach), binary(VADDPS, middle, reach), ZMM()
	VPXORD(zero, zero, zero)
	VRNDSCALEPS(U8(2), first, first)
	VRNDSCALEPS(U8(1), last, last)
	VCVTPS2DQ(binary(VMAXPS, first, zero), first)
	VCVTPS2DQ(binary(VMINPS, last, number(0x40e00000)), last)

	cells := binary(VPANDQ, lookup(windowFrom(), longs(first, 0)), lookup(windowTo(), longs(last, 0)))
	ones, rowsFrom, rowsTo := ZMM(), longs(first, 1), longs(last, 1)
	VPTERNLOGD(U8(0xff), ones, ones, ones)
	VPSLLQ(U8(3), rowsFrom, rowsFrom)
	VPSLLQ(U8(3), rowsTo, rowsTo)
	VPSUBQ(rowsTo, longs(number(56), 0), rowsTo)
	VPSLLVQ(rowsFrom, ones, rowsFrom)
	VPSRLVQ(rowsTo, ones, rowsTo)
	cells = binary(VPANDQ, cells, binary(VPANDQ, rowsFrom, rowsTo))
	VMOVDQU64(cells, e.span)

	at8, strip, base := YMM(), YMM(), GP64()
	VEXTRACTI64X4(U8(1), corner, at8)
	VPSRLD(U8(3), corner.AsY(), strip)
	VPMULLD(broadcastInt(field(c, canvasHeight)), strip, strip)
	VPADDD(at8, strip, strip)
	MOVQ(field(c, canvasCells), base)
	left := gatherLongs(base, strip)
	ADDQ(field(c, canvasHeight), base)
	right := gatherLongs(base, strip)
	shift, seven, back := longs(corner, 0), ZMM(), ZMM()
	VPBROADCASTQ(constantTable("long7", func() { DATA(0, U64(7)) }), seven)
	VPANDQ(seven, shift, shift)
	VPSUBQ(shift, longs(number(8), 0), back)
	keep := lookup(windowKeep(), shift)
	VPSRLVQ(shift, left, left)
	VPSLLVQ(back, right, right)
	const either = 0xca // the first selects the second, else the third
	VPTERNLOGQ(U8(either), right, left, keep)
	some := K()
	VPTESTMQ(cells, keep, some)
	KMOVB(some, open)
}

// longs widens eight of sixteen unsigned words.
func longs(v VecVirtual, half uint8) VecVirtual {
	d, y := ZMM(), v.AsY()
	if half == 1 {
		high := YMM()
		VEXTRACTI64X4(U8(1), v, high)
		VPMOVZXDQ(high, d)
		return d
	}
	VPMOVZXDQ(y, d)
	return d
}

// lookup takes entries of a table of eight.
func lookup(table Mem, index VecVirtual) VecVirtual {
	d := ZMM()
	VPERMQ(table, index, d)
	return d
}

func gatherLongs(base Register, index VecVirtual) VecVirtual {
	every, d := K(), ZMM()
	KXNORB(every, every, every)
	VPXORQ(d, d, d)
	VPGATHERDQ(Mem{Base: base, Index: index, Scale: 1}, every, d)
	return d
}

// windowFrom has the cells of a window in the columns from i on, windowTo those
// up to i, and windowKeep those that the left of two strips holds.
func windowFrom() Mem { return windowTable("windowFrom", func(i int) uint8 { return 0xff << i }) }
func windowTo() Mem   { return windowTable("windowTo", func(i int) uint8 { return 0xff >> (7 - i) }) }
func windowKeep() Mem { return windowTable("windowKeep", func(i int) uint8 { return 0xff >> i }) }

func windowTable(name string, row func(i int) uint8) Mem {
	return constantTable(name, func() {
		for i := range 8 {
			DATA(8*i, U64(everyByte*uint64(row(i))))
		}
	})
}

// number32 are the bits of a number in single precision.
func number32(f float32) uint32 { return math.Float32bits(f) }

// wideConstant is a constant in memory, to be broadcast.
func wideConstant(bits uint32) Mem {
	return constantTable(fmt.Sprintf("word%08x", bits), func() { DATA(0, U32(bits)) })
}

// brickState is what the loop over the open pixels of a brick works with.
type brickState struct {
	name         string
	open, closed GPVirtual // pixels of the window
	word         VecVirtual
	ref          GPVirtual    // of part 0 in the order of visiting
	seen, stride GPVirtual    // pixel (0, 0) of the window, bytes to the next row
	tables       [2]GPVirtual // for the columns and the rows
	places       Mem          // of the columns and of the rows
	columns      VecVirtual   // the places of the columns, where both are located at once
}

// locate finds the places of the window's columns and rows.
func (s *brickState) locate(e extents, i Register) {
	for axis := range 2 {
		place, zero := YMM(), YMM()
		VMOVDQU(windowCentres(), place)
		VPSUBD(broadcastInt(lane(e.phase, axis, i)), place, place)
		VPMULLD(broadcastInt(lane(e.step, axis, i)), place, place)
		VPSRAD(U8(unitBits+stepBits), place, place)
		VPADDD(constant(places/2), place, place)
		VPXOR(zero, zero, zero)
		VPMAXSD(zero, place, place)
		VPMINSD(constant(places-1), place, place)
		VMOVDQU(place, s.places.Offset(32*axis))
	}
}

// locateBoth is locate for both axes at once.
func (s *brickState) locateBoth(e extents, i Register) {
	rows, g := K(), GP32()
	MOVL(U32(0xff00), g)
	KMOVW(g, rows)
	both := func(array Mem) VecVirtual {
		d := ZMM()
		VPBROADCASTD(lane(array, 0, i), d)
		VPBROADCASTD(lane(array, 1, i), rows, d)
		return d
	}
	place, zero := ZMM(), ZMM()
	VMOVDQU32(windowCentres(), place)
	VPSUBD(both(e.phase), place, place)
	VPMULLD(both(e.step), place, place)
	VPSRAD(U8(unitBits+stepBits), place, place)
	VPADDD_BCST(wideConstant(places/2), place, place)
	VPXORD(zero, zero, zero)
	VPMAXSD(zero, place, place)
	VPMINSD_BCST(wideConstant(places-1), place, place)
	VMOVDQU32(place, s.places)
	s.columns = place
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
	p, row, leaf, at := GP64(), GP64(), GP64(), GP64()
	TZCNTQ(s.open, p)
	MOVL(p.As32(), row.As32())
	SHRL(U8(3), row.As32())
	column := GP64()
	MOVL(p.As32(), column.As32())
	ANDL(U8(7), column.As32())
	MOVL(lane(s.places, 1, row), at.As32())
	MOVQ(Mem{Base: s.tables[1], Index: at, Scale: 8}, leaf)
	MOVL(lane(s.places, 0, column), at.As32())
	ANDQ(Mem{Base: s.tables[0], Index: at, Scale: 8}, leaf)
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
// each lane. From the first row with an open pixel on it does five rows without
// a branch, since stores are masked, and the others if there are pixels left.
func seenByRow(s brickState) {
	columns, word, every := ZMM(), ZMM(), K()
	VPBROADCASTQ(s.word.AsX(), word)
	KXNORB(every, every, every)
	VPXORQ(columns, columns, columns)
	VPGATHERDQ(Mem{Base: s.tables[0], Index: s.columns.AsY(), Scale: 8}, every, columns)
	VPANDQ(word, columns, columns)
	ref, one := ZMM(), ZMM()
	VPBROADCASTQ(s.ref, ref)
	VPTERNLOGD(U8(0xff), one, one, one) // all ones: -1

	first, skipped := GP64(), GP64()
	TZCNTQ(s.open, first)
	ANDL(U8(0x38), first.As32())
	SHRXQ(first, s.open, s.open)
	MOVQ(first, skipped)
	SHRQ(U8(3), skipped)
	rows := GP64()
	LEAQ(s.places.Offset(32), rows)
	LEAQ(Mem{Base: rows, Index: skipped, Scale: 4}, rows)
	IMULQ(s.stride, skipped)
	ADDQ(skipped, s.seen)
	for row := range 8 {
		if row == 5 {
			TESTQ(s.open, s.open)
			JZ(LabelRef(s.name + "_fiveRows"))
		}
		leaves, least, at := ZMM(), ZMM(), GP64()
		MOVL(Mem{Base: rows, Disp: 4 * row}, at.As32())
		VPANDQ_BCST(Mem{Base: s.tables[1], Index: at, Scale: 8}, columns, leaves)
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
	Label(s.name + "_fiveRows")
	SHLXQ(first, s.closed, s.closed)
}
