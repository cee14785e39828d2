package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// indexed is an element of an array on the stack.
func indexed(array Mem, i Register, scale uint8) Mem {
	return Mem{Base: StackPointer, Symbol: array.Symbol, Disp: array.Disp, Index: i, Scale: scale}
}

// labels are told apart by numbers.
var labels labelMaker

type labelMaker int

func (l *labelMaker) new(name string) string {
	*l++
	return name + string(rune('A'+int(*l)%26)) + string(rune('a'+int(*l)/26))
}
