package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets into Bottoms and Sheaf (../bottom.go); Offsets has an array for each axis.
const (
	bottomNodes, bottomBricks         = 0, 24
	bottomLeaves, bottomIDs           = 48, 72
	bottomRecords, bottomPatches      = 96, 120
	bottomColours, bottomSheaves      = 144, 168
	bottomIDFrom, bottomFirst         = 184, 188
	bottomMask, bottomOnly            = 192, 196
	bottomNearest, bottomTodo         = 200, 204
	bottomLimit                       = 208
	bottomH, bottomPerH               = 212, 216
	bottomCX                          = 220
	bottomLow, bottomEdge             = 228, 244
	bottomInfo                        = 240
	bottomNextRecord, bottomNextPatch = 248, 252
	bottomOpened, bottomHidden        = 256, 260
	bottomTested, bottomDrawn         = 264, 268
	bottomSettle, bottomSeen          = 272, 276
	bottomHalf                        = 280
	sheafTables, sheafLines           = 0, 24
	sheafPerPixel, sheafMiddle        = 48, 52
	sheafLast, sheafGeneration        = 56, 60
	lineStep, lineMade                = 64, 68
	lineWidth, lineBits               = 72, 7
)

// dab is where the numbers of a bottom node lie while it is drawn, see dab in
// ../bottom.go. Those of all bottom nodes of a node are found first, so that the
// processor works on several at once; only what is open of each depends on those
// before.
const (
	dabPlaces = 0   // 16 bytes a column or row of pixels: places of the eight bricks across it, the columns' first
	dabMet    = 128 // a byte a pixel: the bricks that it may meet
	dabWords  = 192 // leaves of the eight bricks, 64 bits each
	dabRefs   = 256 // of their first leaves, 32 bits each, in records counted from 0
	dabThere  = 288 // bricks that have leaves to be drawn
	dabTwo    = 296 // pixels that may meet more than one brick
	dabFour   = 304 // and more than three
	dabSome   = 320 // pixels that may meet a brick, 64 bits
	dabThree  = 328 // or more than two
	dabRect   = 336 // pixels of the rectangle
	dabTables = 344 // addresses of two tables, or spans, for columns and rows
	dabCells  = 384 // where its window begins
	dabShift  = 392 // by how many bits
	dabFirst  = 400 // id of the first brick
	dabMask   = 408 // the node's octants that are not empty
	dabOctant = 412 // which octant it is
	dabSlots  = 416 // octants that have a record
	dabLeaves = 424 // address of the leaves for the records
	dabHalves = 432 // half bricks of the octants
	dabIDs    = 496 // ids for the records, where these are of half bricks
	dabSize   = 528
)

// frame is the kernel's part of the stack.
type frame struct {
	dabs    Mem
	lines   Mem // of sight to the eight octants, for columns and then for rows
	corners Mem // of their rectangles on the canvas: x, then y
	middles Mem // and the middles of their windows, as numbers
	sizes   Mem // and their sides
	cells   Mem // where their windows begin
	shifts  Mem // by how many bits
	seen    Mem // where their pixels are seen, from the first one of the canvas
	stop    Mem // those that are not drawn here
	offsets Mem // of a window's pixels from the first one where they are seen, in bytes
	dab     Mem // the one at hand, and the one behind the last
	end     Mem
	opened  Mem // octants that were
	open    Mem // pixels of the window that are asked
	record  Mem // the first ref of the next record
}

// at loads the address of the dab at hand.
func (f *frame) at() Register {
	base := GP64()
	MOVQ(f.dab, base)
	return base
}

// drawBottoms is the vector form of drawBottomsGo. wide has masks, and takes
// columns and rows together.
func drawBottoms(function string, wide bool) {
	TEXT(function, 0, "func(c, b, n, o *byte)")
	const slots = 8 * dabSize
	block := AllocLocal(slots + 256 + 4*64 + 3*32 + 6*8)
	f := frame{dabs: block, offsets: block.Offset(slots)}
	next := slots + 256
	for _, m := range []*Mem{&f.lines, &f.corners, &f.middles, &f.sizes} {
		*m = block.Offset(next)
		next += 64
	}
	f.cells, f.shifts, f.seen = block.Offset(next), block.Offset(next+32), block.Offset(next+64)
	next += 96
	for _, m := range []*Mem{&f.stop, &f.dab, &f.end, &f.opened, &f.open, &f.record} {
		*m = block.Offset(next)
		next += 8
	}
	n := Load(Param("n"), GP64())
	none := XMM()
	VPXOR(none, none, none)
	VMOVDQU(none, field(n, bottomOpened))
	VMOVQ(none, field(n, bottomSettle))
	VMOVQ(none, f.opened)
	fetchTree()
	layPixels(&f)
	findLines(&f)
	findWindows(&f)
	first := GP64()
	LEAQ(f.dabs, first)
	MOVQ(first, f.dab)

	var fixed invariants
	if wide {
		fixed = newInvariants()
	}
	prepare, hidden, prepared := function+"_prepare", function+"_hidden", function+"_prepared"
	Label(prepare)
	enter(&f, hidden, prepared)
	lines := take(&f, wide, prepared)
	if wide {
		met := locateBoth(&f, &fixed, lines)
		words(&f, &fixed)
		meet(&f, &fixed, met)
	} else {
		met := locate(&f, lines)
		words(&f, nil)
		meetInHalves(&f, met)
	}
	rank(&f)
	step := func() Register {
		d := GP64()
		MOVQ(f.dab, d)
		ADDQ(U32(dabSize), d)
		MOVQ(d, f.dab)
		return d
	}
	step()
	JMP(LabelRef(prepare))
	Label(hidden)
	n = Load(Param("n"), GP64())
	todo := GP32()
	BLSRL(field(n, bottomTodo), todo)
	MOVL(todo, field(n, bottomTodo))
	INCL(field(n, bottomHidden))
	JMP(LabelRef(prepare))

	Label(prepared)
	last, draw, drawn := GP64(), function+"_draw", function+"_drawn"
	MOVQ(f.dab, last)
	MOVQ(last, f.end)
	LEAQ(f.dabs, first)
	MOVQ(first, f.dab)
	CMPQ(first, last)
	JEQ(LabelRef(function + "_leave"))
	Label(draw)
	ask(&f, function, wide, drawn)
	record(&f)
	Label(drawn)
	CMPQ(step(), f.end)
	JNE(LabelRef(draw))
	settle(&f, function)
	Label(function + "_leave")
	VZEROUPPER()
	RET()
}

// fetch asks for memory that will be read.
func fetchLines() {
	TEXT("fetchAVX2", NOSPLIT, "func(p *byte, lines int)")
	p, lines := Load(Param("p"), GP64()), Load(Param("lines"), GP64())
	Label("fetch_line")
	PREFETCHT0(Mem{Base: p})
	ADDQ(U8(64), p)
	DECQ(lines)
	JNE(LabelRef("fetch_line"))
	RET()
}

// fetchTree asks for the bricks of all octants, and the ids for their records:
// children follow one another. The processor forgets what is not there.
func fetchTree() {
	n, id, node, list, whole := Load(Param("n"), GP64()), GP64(), GP64(), GP64(), labels.new("wholeTree")
	MOVL(field(n, bottomFirst), id.As32())
	MOVQ(field(n, bottomNodes), list)
	MOVQ(Mem{Base: list, Index: id, Scale: 8}, node)
	CMPL(field(n, bottomHalf), U8(0))
	JNE(LabelRef(whole))
	SHRQ(U8(8), node)
	MOVL(node.As32(), id.As32())
	Label(whole)
	MOVQ(field(n, bottomBricks), list)
	LEAQ(Mem{Base: list, Index: id, Scale: 8}, list)
	for line := range 5 {
		PREFETCHT0(Mem{Base: list, Disp: 64 * line})
	}
	MOVL(field(n, bottomIDFrom), node.As32())
	SUBQ(node, id)
	MOVQ(field(n, bottomIDs), list)
	LEAQ(Mem{Base: list, Index: id, Scale: 4}, list)
	for line := range 3 {
		PREFETCHT0(Mem{Base: list, Disp: 64 * line})
	}
}

// layPixels finds where the pixels of a window are seen.
func layPixels(f *frame) {
	c := Load(Param("c"), GP64())
	stride, x := GP32(), XMM()
	MOVL(field(c, canvasWidth), stride)
	SHLL(U8(2), stride)
	VMOVD(stride, x)
	bytes, row, columns := YMM(), YMM(), YMM()
	VPBROADCASTD(x, bytes)
	VMOVDQU(constantTable("pixelColumns", func() {
		for i := range 8 {
			DATA(4*i, U32(4*i))
		}
	}), columns)
	VMOVDQA(columns, row)
	for i := range 8 {
		VMOVDQU(row, f.offsets.Offset(32*i))
		if i < 7 {
			VPADDD(bytes, row, row)
		}
	}
}

// findLines finds the lines of sight to all octants.
func findLines(f *frame) {
	b, n := Load(Param("b"), GP64()), Load(Param("n"), GP64())
	inverse := div(constant(0x3f800000), load(b, batchZ))
	zero := YMM()
	VXORPS(zero, zero, zero)
	for axis := range 2 {
		sheaf := GP64()
		MOVQ(field(n, bottomSheaves+8*axis), sheaf)
		at := mul(load(b, batchX+32*axis), inverse)
		at = add(mul(at, broadcast(field(sheaf, sheafPerPixel))), broadcast(field(sheaf, sheafMiddle)))
		at = minps(maxps(at, zero), broadcast(field(sheaf, sheafLast)))
		VCVTTPS2DQ(add(at, constant(0x3f000000)), at)
		VMOVDQU(at, f.lines.Offset(32*axis))
	}
}

func load(base Register, offset int) VecVirtual {
	v := YMM()
	VMOVUPS(field(base, offset), v)
	return v
}

// findWindows finds the windows of all octants, and which can't be drawn here:
// those that are too large, or not numbers.
func findWindows(f *frame) {
	c, b, n := Load(Param("c"), GP64()), Load(Param("b"), GP64()), Load(Param("n"), GP64())
	small, stop := compare(lessOrEqual, load(b, batchSize), broadcast(field(n, bottomLimit))), GP32()
	var corners [2]VecVirtual
	for axis := range corners {
		corner, size, large := load(b, batchX0+64*axis), load(b, batchX1+64*axis), YMM()
		VPSUBD(corner, size, size)
		VMOVDQU(size, f.sizes.Offset(32*axis))
		VPCMPGTD(constant(8), size, large)
		VPANDN(small, large, small)
		VPSUBD(broadcastInt(field(c, canvasX+4*axis)), corner, corner)
		VPADDD(constant(pad), corner, corner)
		VMOVDQU(corner, f.corners.Offset(32*axis))
		corners[axis] = corner
		middle := YMM()
		VPADDD(constant(4), corner, middle)
		VCVTDQ2PS(middle, middle)
		VMOVUPS(middle, f.middles.Offset(32*axis))
	}
	VMOVMSKPS(small, stop)
	NOTL(stop)
	MOVL(stop, f.stop)
	seen, before := YMM(), constant(pad)
	VPSUBD(before, corners[1], seen)
	VPMULLD(broadcastInt(field(c, canvasWidth)), seen, seen)
	VPADDD(corners[0], seen, seen)
	VPSUBD(before, seen, seen)
	VMOVDQU(seen, f.seen)
	shift := YMM()
	VPAND(constant(7), corners[0], shift)
	VMOVDQU(shift, f.shifts)
	VPSRLD(U8(3), corners[0], corners[0])
	VPMULLD(broadcastInt(field(c, canvasHeight)), corners[0], corners[0])
	VPADDD(corners[1], corners[0], corners[0])
	VMOVDQU(corners[0], f.cells)
}

// enter finds the next octant, and whether a pixel of it is open.
func enter(f *frame, hidden, prepared string) {
	c, n, d := Load(Param("c"), GP64()), Load(Param("n"), GP64()), f.at()
	octant := GP64()
	MOVL(field(n, bottomTodo), octant.As32())
	TESTL(octant.As32(), octant.As32())
	JZ(LabelRef(prepared))
	TZCNTL(octant.As32(), octant.As32())
	XORL(field(n, bottomNearest), octant.As32())
	MOVL(octant.As32(), field(d, dabOctant))
	stop := GP32()
	MOVL(f.stop, stop)
	BTL(octant.As32(), stop)
	JCS(LabelRef(prepared))
	cells, shift, rect, high := GP64(), GP64(), GP64(), GP64()
	MOVL(indexed(f.cells, octant, 4), cells.As32())
	ADDQ(field(c, canvasCells), cells)
	MOVL(indexed(f.shifts, octant, 4), shift.As32())
	MOVQ(cells, field(d, dabCells))
	MOVQ(shift, field(d, dabShift))
	MOVL(indexed(f.sizes, octant, 4), rect.As32())
	MOVQ(entry(columnsBefore(), rect), rect)
	MOVL(indexed(f.sizes.Offset(32), octant, 4), high.As32())
	SHLL(U8(3), high.As32())
	BZHIQ(high, rect, rect)
	MOVQ(rect, field(d, dabRect))
	TESTQ(rect, windowAt(c, cells, shift))
	JZ(LabelRef(hidden))
}

// windowAt loads the window that begins at a cell, shifted by so many bits.
func windowAt(c Register, cells, shift GPVirtual) (open GPVirtual) {
	open = GP64()
	height, left, right, keep, inverse := GP64(), GP64(), GP64(), GP64(), GP64()
	MOVQ(field(c, canvasHeight), height)
	MOVQ(entry(constantTable("fromBit", fromBitWords), shift), keep)
	SHRXQ(shift, keep, keep)
	SHRXQ(shift, Mem{Base: cells}, left)
	ANDQ(keep, left)
	MOVL(U32(8), inverse.As32())
	SUBL(shift.As32(), inverse.As32())
	SHLXQ(inverse, Mem{Base: cells, Index: height, Scale: 1}, right)
	ANDNQ(right, keep, open)
	ORQ(left, open)
	return open
}

// columnsBefore has the cells of a window in the columns before one, 0 to 8.
func columnsBefore() Mem {
	return constantTable("columnsBefore", func() {
		for i := range 9 {
			DATA(8*i, U64(everyByte*uint64(1<<i-1)))
		}
	})
}

// invariants are what is the same for all octants of a node. Those that only
// EVEX instructions read are kept in the registers that only these know, which
// avo can't tell apart.
type invariants struct {
	rows                     Register   // mask of those lanes of which the others have columns
	depths                   VecVirtual // of the bricks, from the node's centre
	middle, ones             VecVirtual
	offsets                  Op // to the bricks
	principal, perH          Op
	unit, high, low, maxStep Op
	last                     Op
	centres                  [4]Op
	order                    Op
	permutation              [3]Op
}

func newInvariants() (v invariants) {
	n, o := Load(Param("n"), GP64()), Load(Param("o"), GP64())
	rows, g := K(), GP32()
	MOVL(U32(0xff00), g)
	KMOVW(g, rows)
	v.rows = rows
	v.offsets, v.principal, v.perH, v.unit, v.high, v.low, v.maxStep, v.last = Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23
	v.centres = [4]Op{Z24, Z25, Z26, Z27}
	v.order, v.permutation = Z28, [3]Op{Z29, Z30, Z31}

	h := ZMM()
	VBROADCASTSS(field(n, bottomH), h)
	VMULPS(field(o, 0), h, v.offsets)
	v.depths = mulMem(broadcast(field(n, bottomH)), field(o, 64))
	VMOVAPS(v.both(field(n, bottomCX), field(n, bottomCX+4)), v.principal)
	VBROADCASTSS(field(n, bottomPerH), v.perH)
	for _, number := range []struct {
		register Op
		value    float32
	}{{v.unit, unit}, {v.high, 15 * unit}, {v.low, -15 * unit}, {v.maxStep, maxStep}} {
		VPBROADCASTD(wideConstant(number32(number.value)), number.register)
	}
	VPBROADCASTW(word16(places-1), v.last)
	v.middle = ZMM()
	VPBROADCASTW(word16(places/2), v.middle)
	for k, centre := range v.centres {
		VMOVDQU64(windowCentres().Offset(64*k), centre)
	}
	nearest, table, at := GP64(), GP64(), GP64()
	MOVL(field(n, bottomNearest), nearest.As32())
	LEAQ(visits(), table)
	MOVQ(nearest, at)
	SHLQ(U8(6), at)
	VMOVDQU64(Mem{Base: table, Index: at, Scale: 1}, v.order)
	LEAQ(permutations(), table)
	IMUL3Q(U8(48), nearest, nearest)
	ADDQ(nearest, table)
	for i, register := range v.permutation {
		VBROADCASTI32X4(Mem{Base: table, Disp: 16 * i}, register)
	}
	v.ones = ZMM()
	VPTERNLOGD(U8(0xff), v.ones, v.ones, v.ones)
	return v
}

// both has one number in the lanes of the columns, another in those of the rows.
func (v *invariants) both(first, second Mem) VecVirtual {
	d := ZMM()
	VBROADCASTSS(first, d)
	VBROADCASTSS(second, v.rows, d)
	return d
}

// take finds the lines of sight of the octant, and takes it off what is to be
// done.
func take(f *frame, wide bool, prepared string) (lines [2]GPVirtual) {
	n, d, octant := Load(Param("n"), GP64()), f.at(), GP64()
	MOVL(field(d, dabOctant), octant.As32())
	for axis := range 2 {
		sheaf, line, made := GP64(), GP64(), GP64()
		MOVQ(field(n, bottomSheaves+8*axis), sheaf)
		MOVL(indexed(f.lines.Offset(32*axis), octant, 4), line.As32())
		if !wide {
			table := GP64()
			MOVQ(line, table)
			SHLQ(U8(11), table)
			ADDQ(field(sheaf, sheafTables), table)
			MOVQ(table, field(d, dabTables+8*axis))
		}
		SHLQ(U8(lineBits), line)
		ADDQ(field(sheaf, sheafLines), line)
		MOVL(field(sheaf, sheafGeneration), made.As32())
		CMPL(made.As32(), field(line, lineMade))
		JNE(LabelRef(prepared))
		if wide {
			MOVQ(line, field(d, dabTables+8*axis))
		}
		lines[axis] = line
	}
	todo := GP32()
	BLSRL(field(n, bottomTodo), todo)
	MOVL(todo, field(n, bottomTodo))
	return lines
}

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
	nibble := constantTable("nibble", func() { DATA(0, U64(everyByte*0x0f)) })
	VPANDQ_BCST(nibble, high, high)
	VPANDQ_BCST(nibble, v, v)
	VPSHUFB(v, fixed.permutation[1], v)
	VPSHUFB(high, fixed.permutation[2], high)
	VPORQ(high, v, v)
	VMOVDQU64(v, field(d, dabWords))
	there := K()
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
	// How many leaves each byte has, then how many all before.
	VPBROADCASTB(constantTable("nibble", func() { DATA(0, U64(everyByte*0x0f)) }), nibble)
	VPSRLW(U8(4), low, high)
	VPAND(nibble, high, high)
	VPAND(nibble, low, low)
	VMOVDQU(constantTable("nibbleCounts", func() {
		for half := range 2 {
			var w uint64
			for i := range 8 {
				w |= uint64(bits.OnesCount(uint(8*half+i))) << (8 * i)
			}
			DATA(8*half, U64(w))
		}
	}), counts)
	VPSHUFB(low, counts, low)
	VPSHUFB(high, counts, high)
	VPADDB(low, high, low)
	total, each := GP64(), GP64()
	VMOVQ(low, total)
	MOVQ(U64(everyByte), each)
	IMULQ(each, total)
	SHLQ(U8(8), total)
	VMOVQ(total, low)
	ids, first, list := YMM(), GP64(), GP64()
	VPMOVZXBD(low, ids)
	MOVL(field(n, bottomIDFrom), first.As32())
	SUBQ(first, id)
	MOVQ(field(n, bottomIDs), list)
	VPADDD(broadcastInt(Mem{Base: list, Index: id, Scale: 4}), ids, ids)
	VMOVDQU(ids, field(d, dabIDs))
}

// wordByWord is words, a brick after the other.
func wordByWord(n, d Register, mask, some, bricks GPVirtual) {
	nearest, moves, zero := GP64(), GP64(), YMM()
	MOVL(field(n, bottomNearest), nearest.As32())
	LEAQ(permutations(), moves)
	VPXOR(zero, zero, zero)
	VMOVDQU(zero, field(d, dabWords))
	VMOVDQU(zero, field(d, dabWords+32))
	table := GP64()
	IMUL3Q(U8(48), nearest, table)
	ADDQ(table, moves)
	moved, lows, highs, nibble := XMM(), XMM(), XMM(), XMM()
	VMOVDQU(Mem{Base: moves}, moved)
	VMOVDQU(Mem{Base: moves, Disp: 16}, lows)
	VMOVDQU(Mem{Base: moves, Disp: 32}, highs)
	VPBROADCASTB(constantTable("nibble", func() { DATA(0, U64(everyByte*0x0f)) }), nibble)
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

// indexed is an element of an array on the stack.
func indexed(array Mem, i Register, scale uint8) Mem {
	return Mem{Base: StackPointer, Symbol: array.Symbol, Disp: array.Disp, Index: i, Scale: scale}
}

// locate finds the places of the eight columns and rows across all bricks, and
// of columns and rows the bricks that they meet, two bytes each.
func locate(f *frame, lines [2]GPVirtual) (met VecVirtual) {
	b, n, o, d, octant := Load(Param("b"), GP64()), Load(Param("n"), GP64()), Load(Param("o"), GP64()), f.at(), GP64()
	MOVL(field(d, dabOctant), octant.As32())
	ofBatch := func(offset int) Mem { return Mem{Base: b, Disp: offset, Index: octant, Scale: 4} }
	h := broadcast(field(n, bottomH))
	z := add(broadcast(ofBatch(batchZ)), mulMem(h, field(o, 64)))
	inverse := div(constant(0x3f800000), z)
	met = XMM()
	var centre, parts [2]VecVirtual
	for axis := range 2 {
		at := add(broadcast(ofBatch(batchX+32*axis)), mulMem(h, field(o, 32*axis)))
		at = sub(add(mul(at, inverse), broadcast(field(n, bottomCX+4*axis))), broadcast(indexed(f.middles.Offset(32*axis), octant, 4)))
		centre[axis] = maxps(minps(mul(at, constant(number32(unit))), constant(number32(15*unit))), constant(number32(-15*unit)))
		VCVTPS2DQ(centre[axis], centre[axis])
		parts[axis] = mul(mul(broadcast(field(lines[axis], lineStep)), broadcast(field(n, bottomPerH))), z)
		parts[axis] = minps(maxps(parts[axis], constant(0x3f800000)), constant(number32(maxStep)))
		VCVTPS2DQ(parts[axis], parts[axis])
	}
	// In words: of the columns, then of the rows.
	for _, v := range [2]*[2]VecVirtual{&centre, &parts} {
		VPACKSSDW(v[1], v[0], v[0])
		VPERMQ(U8(0xd8), v[0], v[0])
	}
	middle, last, outside := YMM(), YMM(), XMM()
	VPBROADCASTW(word16(places/2), middle)
	VPBROADCASTW(word16(places-1), last)
	VPCMPEQB(outside, outside, outside)
	for k := range 8 {
		place, g := YMM(), GP32()
		VMOVDQU(windowCentres().Offset(32*k), place)
		VPSUBSW(centre[0], place, place)
		VPMULHW(parts[0], place, place)
		VPADDW(middle, place, place)
		VPMINUW(last, place, place)
		VPACKUSWB(place, place, place)
		VPERMQ(U8(0x08), place, place)
		VMOVDQU(place.AsX(), field(d, dabPlaces+16*k))
		VPCMPEQB(outside, place.AsX(), place.AsX())
		VPMOVMSKB(place.AsX(), g)
		NOTL(g)
		if k == 0 {
			VMOVD(g, met)
		} else {
			VPINSRW(U8(k), g, met, met)
		}
	}
	return met
}

// word16 is a constant of 16 bits in memory, to be broadcast.
func word16(w uint16) Mem {
	return constantTable(fmt.Sprintf("half%04x", w), func() { DATA(0, U16(w)) })
}

// windowCentres lead from the middle of a window to the centres of its columns
// and rows, 16 words for each.
func windowCentres() Mem {
	return constantTable("windowCentres", func() {
		for k := range 8 {
			for i := range 16 {
				DATA(32*k+2*i, U16(uint16(int16((k-4)*unit+unit/2))))
			}
		}
	})
}

// locateBoth is locate for both axes at once.
func locateBoth(f *frame, v *invariants, lines [2]GPVirtual) (met VecVirtual) {
	b, d, octant := Load(Param("b"), GP64()), f.at(), GP64()
	MOVL(field(d, dabOctant), octant.As32())
	ofBatch := func(offset int) Mem { return Mem{Base: b, Disp: offset, Index: octant, Scale: 4} }
	twice := func(v VecVirtual) VecVirtual {
		d := ZMM()
		VSHUFF64X2(U8(0x44), v.AsZ(), v.AsZ(), d)
		return d
	}
	binary := func(f func(...Op), a, b Op) VecVirtual { d := ZMM(); f(b, a, d); return d }

	z := add(broadcast(ofBatch(batchZ)), v.depths)
	inverse := div(constant(0x3f800000), z)
	at := binary(VADDPS, v.both(ofBatch(batchX), ofBatch(batchY)), v.offsets)
	at = binary(VADDPS, binary(VMULPS, at, twice(inverse)), v.principal)
	at = binary(VSUBPS, at, v.both(indexed(f.middles, octant, 4), indexed(f.middles.Offset(32), octant, 4)))
	at = binary(VMULPS, at, v.unit)
	at = binary(VMAXPS, binary(VMINPS, at, v.high), v.low)
	VCVTPS2DQ(at, at)
	parts := binary(VMULPS, v.both(field(lines[0], lineStep), field(lines[1], lineStep)), v.perH)
	parts = binary(VMULPS, parts, twice(z))
	one := ZMM()
	VPBROADCASTD(wideConstant(0x3f800000), one)
	parts = binary(VMINPS, binary(VMAXPS, parts, one), v.maxStep)
	VCVTPS2DQ(parts, parts)
	// In words, twice: two columns and rows are found at once.
	for _, v := range []VecVirtual{at, parts} {
		VPMOVDW(v, v.AsY())
		VSHUFI32X4(U8(0x44), v, v, v)
	}
	met = XMM()
	for k := range 4 {
		place, meets, g := ZMM(), K(), GP32()
		VPSUBSW(at, v.centres[k], place)
		VPMULHW(parts, place, place)
		VPADDW(v.middle, place, place)
		VPMINUW(v.last, place, place)
		VPCMPUW(U8(1), v.last, place, meets) // less than
		KMOVD(meets, g)
		if k == 0 {
			VMOVD(g, met)
		} else {
			VPINSRD(U8(k), g, met, met)
		}
		VPMOVWB(place, place.AsY())
		VMOVDQU(place.AsY(), field(d, dabPlaces+32*k))
	}
	return met
}

// meet finds of each pixel the bricks that its column and its row meet and that
// have leaves to be drawn.
func meet(f *frame, v *invariants, met VecVirtual) {
	d := f.at()
	column, row := ZMM(), ZMM()
	VSHUFI32X4(U8(0), met.AsZ(), met.AsZ(), column)
	VPSHUFB(metByRow(), column, row)
	VPSHUFB(metByColumn(), column, column)
	VPANDQ(column, row, row)
	VPBROADCASTB(field(d, dabThere), column)
	VPANDQ(column, row, row)
	VMOVDQU64(row, field(d, dabMet))
	for i, at := range []int{dabSome, dabTwo, dabThree, dabFour} {
		some := K()
		if i > 0 { // without the lowest bit
			less := ZMM()
			VPADDB(v.ones, row, less)
			VPANDQ(less, row, row)
		}
		VPTESTMB(row, row, some)
		KMOVQ(some, field(d, at))
	}
}

// meetInHalves is meet, half of the pixels at a time.
func meetInHalves(f *frame, met VecVirtual) {
	d := f.at()
	zero, ones, both, there := YMM(), YMM(), YMM(), YMM()
	VPXOR(zero, zero, zero)
	VPCMPEQD(ones, ones, ones)
	VINSERTI128(U8(1), met, met.AsY(), both)
	VPBROADCASTB(field(d, dabThere), there)
	for half := range 2 {
		column, row := YMM(), YMM()
		VPSHUFB(metByRow().Offset(32*half), both, row)
		VPSHUFB(metByColumn().Offset(32*half), both, column)
		VPAND(column, row, row)
		VPAND(there, row, row)
		VMOVDQU(row, field(d, dabMet+32*half))
		for i, at := range []int{dabSome, dabTwo, dabThree, dabFour} {
			less, g := YMM(), GP32()
			if i > 0 { // without the lowest bit
				VPADDB(ones, row, less)
				VPAND(less, row, row)
			}
			VPCMPEQB(zero, row, less)
			VPMOVMSKB(less, g)
			NOTL(g)
			MOVL(g, field(d, at+4*half))
		}
	}
}

// metByColumn and metByRow lead from a pixel of a window to what its column and
// its row meet.
func metByColumn() Mem { return pixelTable("metByColumn", func(i int) int { return 2 * (i & 7) }) }
func metByRow() Mem    { return pixelTable("metByRow", func(i int) int { return 2*(i>>3) + 1 }) }

// placeRows has for each pixel of a window where the places of its column begin,
// and then where those of its row do.
func placeRows() Mem {
	return constantTable("placeRows", func() {
		putPixels(0, func(i int) int { return 16 * (i & 7) })
		putPixels(64, func(i int) int { return 16*(i>>3) + 8 })
	})
}

func pixelTable(name string, of func(i int) int) Mem {
	return constantTable(name, func() { putPixels(0, of) })
}

func putPixels(at int, of func(i int) int) {
	for i := range 8 {
		var w uint64
		for j := range 8 {
			w |= uint64(of(8*i+j)) << (8 * j)
		}
		DATA(at+8*i, U64(w))
	}
}

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

// ask finds what each open pixel sees. The first two bricks that a pixel may meet
// are asked without a branch: which of them is seen, if any, can't be foreseen.
// It is rare that one behind them is, for which pixels come again.
func ask(f *frame, function string, wide bool, drawn string) {
	n, d := Load(Param("n"), GP64()), f.at()
	var open GPVirtual
	closed, seen := GP64(), GP64()
	{
		c, cells, shift := Load(Param("c"), GP64()), GP64(), GP64()
		MOVQ(field(d, dabCells), cells)
		MOVQ(field(d, dabShift), shift)
		open = windowAt(c, cells, shift)
		hidden, there := function+"_closed", function+"_open"
		ANDQ(field(d, dabRect), open)
		JNZ(LabelRef(there))
		Label(hidden)
		INCL(field(n, bottomHidden))
		JMP(LabelRef(drawn))
		Label(there)
	}
	INCL(field(n, bottomOpened))
	{
		octant, opened := GP32(), GP32()
		MOVL(field(d, dabOctant), octant)
		MOVL(f.opened, opened)
		BTSL(octant, opened)
		MOVL(opened, f.opened)
	}
	{
		tested := GP32()
		MOVL(field(d, dabMask), tested)
		ANDL(field(n, bottomOnly), tested)
		POPCNTL(tested, tested)
		ADDL(tested, field(n, bottomTested))
	}
	XORL(closed.As32(), closed.As32())
	XORL(seen.As32(), seen.As32())
	done := function + "_asked"
	ANDQ(field(d, dabSome), open)
	JZ(LabelRef(done))

	lookUp := tableLookup(d)
	if wide {
		lookUp = spanLookup(d)
	}
	window, base := GP64(), GP32()
	{ // where pixel (0, 0) of the window is seen
		c, octant := Load(Param("c"), GP64()), GP64()
		MOVL(field(d, dabOctant), octant.As32())
		MOVLQSX(indexed(f.seen, octant, 4), octant)
		MOVQ(field(c, canvasSeen), window)
		LEAQ(Mem{Base: window, Index: octant, Scale: 4}, window)
	}
	MOVL(field(n, bottomNextRecord), base)
	SHLL(U8(6), base)
	MOVL(base, f.record)
	MOVQ(open, f.open)
	// Pixels that may meet one brick alone, then those that may meet two, then the
	// others.
	for class, loop := range []string{function + "_one", function + "_two", function + "_three"} {
		finished := loop + "Done"
		switch class {
		case 0:
			MOVQ(field(d, dabTwo), open)
			ANDNQ(f.open, open, open)
		case 1:
			MOVQ(field(d, dabThree), open)
			ANDNQ(f.open, open, open)
			ANDQ(field(d, dabTwo), open)
		case 2:
			MOVQ(field(d, dabThree), open)
			ANDQ(f.open, open)
		}
		JZ(LabelRef(finished))
		Label(loop)
		pixel, met, brick := GP64(), GP64(), GP64()
		TZCNTQ(open, pixel)
		MOVBLZX(Mem{Base: d, Disp: dabMet, Index: pixel, Scale: 1}, met.As32())
		TZCNTL(met.As32(), brick.As32())
		lookAt := lookUp(pixel)
		leaves := lookAt(brick)
		for range class {
			next := GP64()
			BLSRL(met.As32(), met.As32())
			TZCNTL(met.As32(), next.As32())
			behind := lookAt(next)
			TESTQ(leaves, leaves)
			CMOVQEQ(behind, leaves)
			CMOVQEQ(next, brick)
		}
		one, ref := GP64(), met
		TZCNTQ(leaves, leaves) // carries where there are none
		MOVL(U32(1), one.As32())
		MOVL(Mem{Base: d, Disp: dabRefs, Index: brick, Scale: 4}, ref.As32())
		SBBL(U8(0), one.As32())
		ADDL(f.record, ref.As32())
		XORL(leaves.As32(), ref.As32())
		IMULL(one.As32(), ref.As32())
		SHLXQ(brick, one, brick)
		SHLXQ(pixel, one, one)
		ORQ(brick, seen)
		ORQ(one, closed)
		MOVL(indexed(f.offsets, pixel, 4), pixel.As32())
		MOVL(ref.As32(), Mem{Base: window, Index: pixel, Scale: 1})
		BLSRQ(open, open)
		JNZ(LabelRef(loop))
		Label(finished)
	}
	again := GP64()
	MOVQ(field(d, dabFour), again)
	ANDQ(f.open, again)
	ANDNQ(again, closed, again)
	JZ(LabelRef(done))
	repeat, others, found, none := function+"_again", function+"_others", function+"_found", function+"_none"
	Label(repeat)
	{
		pixel, met, brick := GP64(), GP64(), GP64()
		TZCNTQ(again, pixel)
		MOVBLZX(Mem{Base: d, Disp: dabMet, Index: pixel, Scale: 1}, met.As32())
		for range 3 {
			BLSRL(met.As32(), met.As32())
		}
		lookAt := lookUp(pixel)
		Label(others)
		TZCNTL(met.As32(), brick.As32())
		leaves := lookAt(brick)
		TESTQ(leaves, leaves)
		JNZ(LabelRef(found))
		BLSRL(met.As32(), met.As32())
		JNZ(LabelRef(others))
		JMP(LabelRef(none))
		Label(found)
		ref := GP64()
		TZCNTQ(leaves, leaves)
		MOVL(Mem{Base: d, Disp: dabRefs, Index: brick, Scale: 4}, ref.As32())
		ADDL(f.record, ref.As32())
		XORL(leaves.As32(), ref.As32())
		BTSQ(brick, seen)
		BTSQ(pixel, closed)
		MOVL(indexed(f.offsets, pixel, 4), pixel.As32())
		MOVL(ref.As32(), Mem{Base: window, Index: pixel, Scale: 1})
		Label(none)
		BLSRQ(again, again)
		JNZ(LabelRef(repeat))
	}
	Label(done)
	n = Load(Param("n"), GP64())
	MOVL(seen.As32(), field(n, bottomSeen))
	TESTQ(closed, closed)
	JZ(LabelRef(drawn))
	POPCNTL(seen.As32(), seen.As32())
	ADDL(seen.As32(), field(n, bottomDrawn))
	close(d, closed)
}

// lookup finds which leaves of a brick a pixel's centre meets.
type lookup func(pixel Register) func(brick Register) (leaves GPVirtual)

func tableLookup(d Register) lookup {
	var tables [2]GPVirtual
	for axis := range tables {
		tables[axis] = GP64()
		MOVQ(field(d, dabTables+8*axis), tables[axis])
	}
	rows := GP64()
	LEAQ(placeRows(), rows)
	return func(pixel Register) func(brick Register) GPVirtual {
		return func(brick Register) GPVirtual {
			leaves := GP64()
			for axis := range tables {
				at := GP64()
				MOVBLZX(Mem{Base: rows, Disp: 64 * axis, Index: pixel, Scale: 1}, at.As32())
				ADDQ(brick, at)
				MOVBLZX(Mem{Base: d, Disp: dabPlaces, Index: at, Scale: 1}, at.As32())
				if axis == 0 {
					MOVQ(Mem{Base: tables[axis], Index: at, Scale: 8}, leaves)
				} else {
					ANDQ(Mem{Base: tables[axis], Index: at, Scale: 8}, leaves)
				}
			}
			ANDQ(Mem{Base: d, Disp: dabWords, Index: brick, Scale: 8}, leaves)
			return leaves
		}
	}
}

// spanLookup compares with the spans, which costs less than the cache lines that
// tables take.
func spanLookup(d Register) lookup {
	var spans, widths [2]VecVirtual
	for axis := range spans {
		at := GP64()
		spans[axis], widths[axis] = ZMM(), ZMM()
		MOVQ(field(d, dabTables+8*axis), at)
		VMOVDQU64(Mem{Base: at}, spans[axis])
		VPBROADCASTB(field(at, lineWidth), widths[axis])
	}
	rows := GP64()
	LEAQ(placeRows(), rows)
	return func(pixel Register) func(brick Register) GPVirtual {
		var begin [2]GPVirtual // of the places of its column and row
		for axis := range begin {
			begin[axis] = GP64()
			MOVBLZX(Mem{Base: rows, Disp: 64 * axis, Index: pixel, Scale: 1}, begin[axis].As32())
		}
		return func(brick Register) GPVirtual {
			leaves, inColumn, inBoth := GP64(), K(), K()
			for axis := range spans {
				at, after := GP64(), ZMM()
				LEAQ(Mem{Base: begin[axis], Index: brick, Scale: 1}, at)
				VPBROADCASTB(Mem{Base: d, Disp: dabPlaces, Index: at, Scale: 1}, after)
				VPADDB(spans[axis], after, after)
				if axis == 0 {
					VPCMPUB(U8(2), widths[axis], after, inColumn) // at most
				} else {
					VPCMPUB(U8(2), widths[axis], after, inColumn, inBoth)
				}
			}
			KMOVQ(inBoth, leaves)
			ANDQ(Mem{Base: d, Disp: dabWords, Index: brick, Scale: 8}, leaves)
			return leaves
		}
	}
}

// close closes the pixels that see something.
func close(d Register, closed GPVirtual) {
	c, cells, shift, from, right, inverse := Load(Param("c"), GP64()), GP64(), GP64(), GP64(), GP64(), GP64()
	MOVQ(field(d, dabCells), cells)
	MOVQ(field(d, dabShift), shift)
	MOVQ(entry(constantTable("fromBit", fromBitWords), shift), from)
	MOVL(U32(8), inverse.As32())
	SUBL(shift.As32(), inverse.As32())
	SHRXQ(inverse, closed, right)
	ANDNQ(right, from, right)
	SHLXQ(shift, closed, closed)
	ANDQ(from, closed)
	ANDNQ(Mem{Base: cells}, closed, closed)
	MOVQ(closed, Mem{Base: cells})
	ADDQ(field(c, canvasHeight), cells)
	ANDNQ(Mem{Base: cells}, right, right)
	MOVQ(right, Mem{Base: cells})
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
	ids, own, half := YMM(), labels.new("own"), labels.new("half")
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
		JNE(LabelRef(half))
		VPBROADCASTD(field(d, dabFirst), ids)
		VPADDD(constantTable("upToSeven", upToSeven), ids, ids)
		some, list, from := GP64(), GP64(), GP64()
		MOVQ(field(n, bottomIDs+8), some)
		TESTQ(some, some)
		JZ(LabelRef(own))
		MOVQ(field(n, bottomIDs), list)
		MOVL(field(n, bottomIDFrom), from.As32())
		MOVQ(first, some)
		SUBQ(from, some)
		VPMASKMOVD(Mem{Base: list, Index: some, Scale: 4}, present, ids)
		Label(half)
		Label(own)
	}
	octants, at := YMM(), GP64()
	LEAQ(membersTable(), at)
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

// settle closes the tiles that have no open pixel any more, once what was written
// can be read, and finds the octants around which a column of eight of them is
// closed.
func settle(f *frame, function string) {
	c, n, d, end, height, found := Load(Param("c"), GP64()), Load(Param("n"), GP64()), GP64(), GP64(), GP64(), GP32()
	MOVQ(field(c, canvasHeight), height)
	LEAQ(f.dabs, d)
	MOVQ(f.end, end)
	XORL(found, found)
	loop := function + "_settle"
	Label(loop)
	y, cells, octant := GP64(), GP64(), GP64()
	MOVL(field(d, dabOctant), octant.As32())
	opened, next := GP32(), function+"_settled"
	MOVL(f.opened, opened)
	BTL(octant.As32(), opened)
	JCC(LabelRef(next))
	MOVL(indexed(f.corners.Offset(32), octant, 4), y.As32())
	ANDL(U8(7), y.As32())
	MOVQ(field(d, dabCells), cells)
	SUBQ(y, cells)
	for i, at := range []Mem{
		{Base: cells}, {Base: cells, Disp: 8},
		{Base: cells, Index: height, Scale: 1}, {Base: cells, Disp: 8, Index: height, Scale: 1},
	} {
		open := labels.new("tile")
		CMPQ(at, U8(0))
		JNE(LabelRef(open))
		x, row, tile, bits := GP64(), GP64(), GP64(), GP64()
		MOVL(indexed(f.corners, octant, 4), x.As32())
		SHRL(U8(3), x.As32())
		ADDL(U8(i>>1), x.As32())
		MOVL(x.As32(), tile.As32())
		SHRL(U8(3), tile.As32())
		IMULQ(field(c, canvasTileHeight), tile)
		MOVL(indexed(f.corners.Offset(32), octant, 4), row.As32())
		SHRL(U8(3), row.As32())
		ADDL(U8(i&1), row.As32())
		ADDQ(row, tile)
		ADDQ(field(c, canvasTiles), tile)
		MOVBLZX(Mem{Base: tile}, bits.As32())
		ANDL(U8(7), x.As32())
		BTRL(x.As32(), bits.As32())
		JCC(LabelRef(open)) // it was closed before
		MOVB(bits.As8(), Mem{Base: tile})
		ANDL(U8(7), row.As32())
		SUBQ(row, tile)
		CMPQ(Mem{Base: tile}, U8(0))
		JNE(LabelRef(open))
		BTSL(octant.As32(), found)
		Label(open)
	}
	Label(next)
	ADDQ(U32(dabSize), d)
	CMPQ(d, end)
	JNE(LabelRef(loop))
	MOVL(found, field(n, bottomSettle))
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

// membersTable has, for each mask of octants, which they are.
func membersTable() Mem {
	return constantTable("members", func() {
		for mask := range 256 {
			var w uint64
			n := 0
			for o := range 8 {
				if mask>>o&1 != 0 {
					w |= uint64(o) << (8 * n)
					n++
				}
			}
			DATA(8*mask, U64(w))
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

// labels are told apart by numbers.
var labels labelMaker

type labelMaker int

func (l *labelMaker) new(name string) string {
	*l++
	return name + string(rune('A'+int(*l)%26)) + string(rune('a'+int(*l)/26))
}
