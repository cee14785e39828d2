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
