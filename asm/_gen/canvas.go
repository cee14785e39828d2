package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets into Canvas (../canvas.go).
const (
	canvasCells, canvasSeen   = 0, 24
	canvasHeight, canvasWidth = 48, 56
	canvasX, canvasY          = 64, 68
	pad                       = 16
	everyByte                 = 0x0101010101010101
)

// fromBit are the bits s to 7 of every byte.
func fromBitWords() {
	for s := range 8 {
		DATA(8*s, U64(everyByte*uint64(0xff<<s&0xff)))
	}
}

// entry is element index of a table of 64-bit words.
func entry(table Mem, index Register) Mem {
	base := GP64()
	LEAQ(table, base)
	return Mem{Base: base, Index: index, Scale: 8}
}

func field(base Register, offset int) Mem { return Mem{Base: base, Disp: offset} }

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
	cells, shift = GP64(), GP64()
	MOVL(corner[0].As32(), cells.As32())
	SHRL(U8(3), cells.As32())
	IMULQ(field(c, canvasHeight), cells)
	ADDQ(corner[1], cells)
	ADDQ(field(c, canvasCells), cells)
	MOVL(corner[0].As32(), shift.As32())
	ANDL(U8(7), shift.As32())
	return cells, shift, windowAt(c, cells, shift)
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

// closeWindow closes the pixels of a window that are set in closed.
func closeWindow(c Register, cells, shift, closed GPVirtual) {
	from, right, inverse := GP64(), GP64(), GP64()
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
