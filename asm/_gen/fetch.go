package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// fetchLines is a kernel that asks for memory that will be read.
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
