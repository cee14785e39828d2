package main

import (
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
	bottomSeen, bottomHalf            = 272, 276
	bottomPixels, bottomFine          = 280, 288
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
	dabFront  = 192 // which of them comes first, a byte a pixel,
	dabPlaceX = 256 // and the places of the pixel's column
	dabPlaceY = 320 // and row across it: only where there are wide vectors
	dabWords  = 384 // leaves of the eight bricks, 64 bits each, and of one that has none
	dabRefs   = 456 // of their first leaves, 32 bits each, in records counted from 0
	dabHalves = 488 // half bricks of the octants, 64 bits each
	dabIDs    = 552 // ids for the records, where these are of half bricks, 32 bits each
	dabSome   = 584 // pixels that may meet a brick, 64 bits
	dabTwo    = 592 // or two,
	dabFour   = 600 // or four and more
	dabRect   = 608 // pixels of the rectangle that are to be drawn
	dabLines  = 616 // addresses of its two lines of sight, for columns and rows,
	dabTables = 632 // and of their tables: only where vectors are narrow
	dabCells  = 648 // where its window begins
	dabShift  = 656 // by how many bits
	dabFirst  = 664 // id of the first brick
	dabLeaves = 672 // address of the leaves for the records
	dabThere  = 680 // bricks that have leaves to be drawn
	dabMask   = 684 // the node's octants that are not empty
	dabSlots  = 688 // octants that have a record
	dabOctant = 692 // which octant it is
	dabSize   = 704
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
	open    Mem // pixels of the window that are asked
	record  Mem // the first ref of the next record
}

// at loads the address of the dab at hand.
func (f *frame) at() Register {
	base := GP64()
	MOVQ(f.dab, base)
	return base
}

// newFrame lays out the stack.
func newFrame() *frame {
	const slots = 8*dabSize + 64 // they begin with a cache line
	block := AllocLocal(slots + 256 + 4*64 + 3*32 + 5*8)
	f := &frame{dabs: block, offsets: block.Offset(slots)}
	next := slots + 256
	for _, m := range []*Mem{&f.lines, &f.corners, &f.middles, &f.sizes} {
		*m = block.Offset(next)
		next += 64
	}
	f.cells, f.shifts, f.seen = block.Offset(next), block.Offset(next+32), block.Offset(next+64)
	next += 96
	for _, m := range []*Mem{&f.stop, &f.dab, &f.end, &f.open, &f.record} {
		*m = block.Offset(next)
		next += 8
	}
	return f
}

// drawBottoms is the vector form of drawBottomsGo. wide has masks, and takes
// columns and rows together.
func drawBottoms(function string, wide bool) {
	TEXT(function, 0, "func(c, b, n, o *byte)")
	f := newFrame()
	begin()
	layPixels(f)
	f.octants(function, wide)
	VZEROUPPER()
	RET()
}

// begin sets the counters to nothing.
func begin() {
	n, none := Load(Param("n"), GP64()), XMM()
	VPXOR(none, none, none)
	VMOVDQU(none, field(n, bottomOpened))
	MOVL(U32(0), field(n, bottomSeen))
}

// octants draws the octants of a node that are bottom nodes.
func (f *frame) octants(function string, wide bool) {
	fetchTree()
	findLines(f)
	findWindows(f)
	var fixed invariants
	if wide {
		fixed = newInvariants()
	}
	d := GP64()
	begin := func() {
		toLine(f.dabs, d)
		MOVQ(d, f.dab)
	}
	step := func() Register {
		MOVQ(f.dab, d)
		ADDQ(U32(dabSize), d)
		MOVQ(d, f.dab)
		return d
	}
	// One step for all octants before the next: a node's numbers wait for one another,
	// those of different nodes don't.
	prepare, hidden, prepared, leave := function+"_prepare", function+"_hidden", function+"_prepared", function+"_leave"
	begin()
	Label(prepare)
	enter(f, hidden, prepared)
	take(f, wide, prepared)
	step()
	JMP(LabelRef(prepare))
	Label(hidden)
	n, todo := Load(Param("n"), GP64()), GP32()
	BLSRL(field(n, bottomTodo), todo)
	MOVL(todo, field(n, bottomTodo))
	INCL(field(n, bottomHidden))
	JMP(LabelRef(prepare))
	Label(prepared)
	last := GP64()
	MOVQ(f.dab, last)
	MOVQ(last, f.end)
	begin()
	CMPQ(d, last)
	JEQ(LabelRef(leave))
	each := func(name string, do func()) {
		begin()
		Label(function + name)
		do()
		CMPQ(step(), f.end)
		JNE(LabelRef(function + name))
	}
	if wide {
		each("_locate", func() {
			locateBoth(f, &fixed)
			words(f, &fixed)
		})
		each("_meet", func() {
			meet(f, &fixed)
			rank(f)
		})
	} else {
		each("_locate", func() {
			met := locate(f)
			words(f, nil)
			meetInHalves(f, met)
			rank(f)
		})
	}
	begin()
	draw, drawn := function+"_draw", function+"_drawn"
	Label(draw)
	ask(f, function, wide, drawn)
	record(f)
	Label(drawn)
	CMPQ(step(), f.end)
	JNE(LabelRef(draw))
	Label(leave)
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
	ANDQ(field(n, bottomPixels), rect)
	MOVQ(rect, field(d, dabRect))
	TESTQ(rect, windowAt(c, cells, shift))
	JZ(LabelRef(hidden))
}

// columnsBefore has the cells of a window in the columns before one, 0 to 8.
func columnsBefore() Mem {
	return constantTable("columnsBefore", func() {
		for i := range 9 {
			DATA(8*i, U64(everyByte*uint64(1<<i-1)))
		}
	})
}

// take finds the lines of sight of the octant, and takes it off what is to be
// done.
func take(f *frame, wide bool, prepared string) {
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
		MOVQ(line, field(d, dabLines+8*axis))
	}
	todo := GP32()
	BLSRL(field(n, bottomTodo), todo)
	MOVL(todo, field(n, bottomTodo))
}
