package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets into Parents (../parents.go).
const (
	parentsLens, parentsOctants  = 0, 8
	parentsCentre, parentsHalf   = 16, 40
	parentsH, parentsLimit       = 48, 52
	parentsFirst, parentsMask    = 56, 60
	parentsTodo                  = 64
	parentsLow, parentsEdge      = 68, 84
	parentsOpened, parentsHidden = 88, 92
	parentsTested, parentsBehind = 96, 100
	parentsEmpty, parentsOutside = 104, 108
	parentsLast                  = 112
)

// drawParents is the vector form of drawParentsGo.
func drawParents(function string, wide bool) {
	TEXT(function, 0, "func(c, outer, p, b, n, o *byte)")
	f := newFrame()
	centre := AllocLocal(16)
	begin()
	{
		p, n, none := Load(Param("p"), GP64()), Load(Param("n"), GP64()), YMM()
		VPXOR(none, none, none)
		VMOVDQU(none.AsX(), field(p, parentsOpened))
		VMOVQ(none.AsX(), field(p, parentsEmpty))
		MOVL(U32(0), field(n, bottomTodo))
	}
	layPixels(f)
	next, out, hidden, done := function+"_parent", function+"_visible", function+"_dark", function+"_done"
	Label(next)
	{
		n, p, g, octant, limit, size := Load(Param("n"), GP64()), Load(Param("p"), GP64()), Load(Param("outer"), GP64()), GP64(), XMM(), XMM()
		MOVL(field(p, parentsTodo), octant.As32())
		TESTL(octant.As32(), octant.As32())
		JZ(LabelRef(done))
		TZCNTL(octant.As32(), octant.As32())
		XORL(field(n, bottomNearest), octant.As32())
		VMOVSS(Mem{Base: g, Disp: batchSize, Index: octant, Scale: 4}, size)
		VMOVSS(field(p, parentsLimit), limit)
		VUCOMISS(limit, size)
		JLS(LabelRef(done)) // at most, or no number
		VADDSS(limit, limit, limit)
		VUCOMISS(size, limit)
		JCS(LabelRef(done)) // less
		todo := GP32()
		BLSRL(field(p, parentsTodo), todo)
		MOVL(todo, field(p, parentsTodo))
		anyOpen(function, octant, hidden)
		p = Load(Param("p"), GP64())
		MOVL(octant.As32(), field(p, parentsLast))
		INCL(field(p, parentsOpened))
		JMP(LabelRef(out))
	}
	Label(hidden)
	INCL(field(Load(Param("p"), GP64()), parentsHidden))
	JMP(LabelRef(next))

	Label(out)
	goOn := func() { // unless something is left
		n, todo := Load(Param("n"), GP64()), GP32()
		MOVL(field(n, bottomTodo), todo)
		TESTL(todo, todo)
		JZ(LabelRef(next))
	}
	openParent(centre)
	goOn()
	f.octants(function, wide)
	goOn()
	Label(done)
	VZEROUPPER()
	RET()
}

// anyOpen jumps to hidden unless a pixel of an octant's rectangle is open. It looks
// at the strips as they stand.
func anyOpen(function string, octant GPVirtual, hidden string) {
	c, g := Load(Param("c"), GP64()), Load(Param("outer"), GP64())
	var from, to [2]GPVirtual
	for axis := range from {
		from[axis], to[axis] = GP64(), GP64()
		MOVL(Mem{Base: g, Disp: batchX0 + 64*axis, Index: octant, Scale: 4}, from[axis].As32())
		MOVL(Mem{Base: g, Disp: batchX1 + 64*axis, Index: octant, Scale: 4}, to[axis].As32())
		CMPL(from[axis].As32(), to[axis].As32())
		JGE(LabelRef(hidden))
		for _, v := range []GPVirtual{from[axis], to[axis]} {
			SUBL(field(c, canvasX+4*axis), v.As32())
			ADDL(U8(pad), v.As32())
		}
	}
	// The rows, in words of eight; rows tells which of the last there are.
	height, count, rows := GP64(), GP64(), GP64()
	SUBL(from[1].As32(), to[1].As32())
	MOVL(to[1].As32(), count.As32())
	DECL(count.As32())
	MOVL(count.As32(), height.As32())
	ANDL(I8(-8), count.As32()) // bytes before the last word
	ANDL(U8(7), height.As32())
	SHLL(U8(3), height.As32())
	MOVL(U32(56), rows.As32())
	SUBL(height.As32(), rows.As32())
	MOVQ(I32(-1), height)
	SHRXQ(rows, height, rows)
	strip, last, columns, table := GP64(), GP64(), GP64(), GP64()
	MOVL(from[0].As32(), strip.As32())
	SHRL(U8(3), strip.As32())
	MOVL(to[0].As32(), last.As32())
	DECL(last.As32())
	MOVL(last.As32(), table.As32())
	SHRL(U8(3), last.As32())
	SUBL(strip.As32(), last.As32()) // strips behind the first
	MOVQ(field(c, canvasHeight), height)
	IMULQ(height, strip)
	ADDQ(from[1], strip)
	ADDQ(field(c, canvasCells), strip)
	// What of the first strip lies in the rectangle, and of the last.
	ANDL(U8(7), from[0].As32())
	MOVQ(entry(constantTable("fromBit", fromBitWords), from[0]), columns)
	ANDL(U8(7), table.As32())
	end := GP64()
	MOVQ(entry(columnsBefore(), table), end)
	MOVQ(U64(everyByte), table)
	LEAQ(Mem{Base: table, Index: end, Scale: 2}, end) // one column more
	loop, word, words, inside, found := function+"_strip", function+"_word", function+"_words", function+"_inside", function+"_open_found"
	Label(loop)
	open, y := GP64(), GP64()
	MOVQ(rows, open)
	ANDQ(Mem{Base: strip, Index: count, Scale: 1}, open)
	MOVQ(count, y)
	Label(word)
	SUBL(U8(8), y.As32())
	JCS(LabelRef(words))
	ORQ(Mem{Base: strip, Index: y, Scale: 1}, open)
	JMP(LabelRef(word))
	Label(words)
	ANDQ(columns, open)
	MOVQ(I32(-1), columns)
	SUBL(U8(1), last.As32())
	JCC(LabelRef(inside)) // not the last strip
	ANDQ(end, open)
	JNZ(LabelRef(found))
	JMP(LabelRef(hidden))
	Label(inside)
	ADDQ(height, strip)
	TESTQ(open, open)
	JZ(LabelRef(loop))
	Label(found)
}

// openParent projects the octants of the octant opened last, and tells which are to
// be drawn.
func openParent(centre Mem) {
	n, p, octant := Load(Param("n"), GP64()), Load(Param("p"), GP64()), GP64()
	MOVL(field(p, parentsLast), octant.As32())
	// The node.
	id, node, mask := GP64(), GP64(), GP64()
	BZHIL(octant.As32(), field(p, parentsMask), id.As32())
	POPCNTL(id.As32(), id.As32())
	ADDL(field(p, parentsFirst), id.As32())
	MOVQ(field(n, bottomNodes), node)
	MOVQ(Mem{Base: node, Index: id, Scale: 8}, node)
	MOVBLZX(node.As8(), mask.As32())
	SHRQ(U8(8), node)
	MOVL(node.As32(), field(n, bottomFirst))
	MOVL(mask.As32(), field(n, bottomMask))
	// Its centre, and its lower corner.
	at, half, octants := GP64(), YMM(), GP64()
	LEAQ(Mem{Base: octant, Index: octant, Scale: 2}, at)
	MOVQ(field(p, parentsOctants), octants)
	place, three := YMM(), YMM()
	VMOVDQU(constantTable("threeOfFour", func() {
		for i, word := range []uint64{1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 0} {
			DATA(8*i, U64(word))
		}
	}), three)
	VMASKMOVPD(Mem{Base: octants, Index: at, Scale: 8}, three, place)
	VBROADCASTSD(field(p, parentsHalf), half)
	VMULPD(half, place, place)
	VADDPD(field(p, parentsCentre), place, place)
	VCVTPD2PSY(place, place.AsX())
	VMOVUPS(place.AsX(), centre)
	low, corners := XMM(), GP64()
	MOVL(octant.As32(), at.As32())
	SHLL(U8(4), at.As32())
	LEAQ(octantCornersTable(), corners)
	VPBROADCASTD(field(p, parentsEdge), low)
	VPAND(Mem{Base: corners, Index: at, Scale: 1}, low, low)
	VPADDD(field(p, parentsLow), low, low)
	VMOVDQU(low, field(n, bottomLow))

	l := lanes{batch: Load(Param("b"), GP64()), lens: GP64(), h: broadcast(field(p, parentsH))}
	MOVQ(field(p, parentsLens), l.lens)
	l.project([3]Mem{centre, centre.Offset(4), centre.Offset(8)}, tight)

	b := l.batch
	visible, tested := GP64(), GP32()
	MOVBLZX(Mem{Base: b, Disp: batchVisible}, visible.As32())
	POPCNTL(mask.As32(), tested)
	ADDL(tested, field(p, parentsTested))
	all := labels.new("visible")
	ANDNL(mask.As32(), visible.As32(), tested)
	JZ(LabelRef(all))
	{
		behind, empty := GP32(), GP32()
		MOVBLZX(Mem{Base: b, Disp: batchBehind}, behind)
		MOVBLZX(Mem{Base: b, Disp: batchEmpty}, empty)
		ANDNL(empty, behind, empty)
		ANDL(mask.As32(), behind)
		ANDL(mask.As32(), empty)
		ANDNL(tested, behind, tested)
		ANDNL(tested, empty, tested)
		for _, count := range []struct {
			of Register
			to int
		}{{behind, parentsBehind}, {empty, parentsEmpty}, {tested, parentsOutside}} {
			POPCNTL(count.of, count.of)
			ADDL(count.of, field(p, count.to))
		}
	}
	Label(all)
	ANDL(mask.As32(), visible.As32())
	table := GP64()
	MOVL(field(n, bottomNearest), table.As32())
	SHLL(U8(8), table.As32())
	ORL(table.As32(), visible.As32())
	LEAQ(inOrderTable(), table)
	MOVBLZX(Mem{Base: table, Index: visible, Scale: 1}, visible.As32())
	MOVL(visible.As32(), field(n, bottomTodo))
}

// inOrderTable has, for each nearest octant, each mask of octants in the order of
// visiting.
func inOrderTable() Mem {
	return constantTable("inOrder", func() {
		for nearest := range 8 {
			for mask := range 256 {
				ordered := uint8(0)
				for i := range 8 {
					ordered |= uint8(mask>>(i^nearest)&1) << i
				}
				DATA(256*nearest+mask, U8(ordered))
			}
		}
	})
}
