package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// placeRows has for each pixel of a window where the places of its column begin,
// and then where those of its row do.
func placeRows() Mem {
	return constantTable("placeRows", func() {
		putPixels(0, func(i int) int { return 16 * (i & 7) })
		putPixels(64, func(i int) int { return 16*(i>>3) + 8 })
	})
}

// ask finds what each open pixel sees, without a branch for each: which of the
// bricks that it may meet is seen, if any, can't be foreseen.
func ask(f *frame, function string, wide bool, drawn string) {
	n, d := Load(Param("n"), GP64()), f.at()
	var open GPVirtual
	closed, seen := GP64(), GP64()
	{
		c, cells, shift := Load(Param("c"), GP64()), GP64(), GP64()
		MOVQ(field(d, dabCells), cells)
		MOVQ(field(d, dabShift), shift)
		open = windowAt(c, cells, shift)
		there := function + "_open"
		ANDQ(field(d, dabRect), open)
		JNZ(LabelRef(there))
		INCL(field(n, bottomHidden))
		JMP(LabelRef(drawn))
		Label(there)
	}
	INCL(field(n, bottomOpened))
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

	lookUp, lookUpFront := tableLookup(d), lookupFront(nil)
	if wide {
		lookUp, lookUpFront = spanLookup(d)
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
	// The first brick is the one that most pixels see.
	{
		loop := function + "_first"
		Label(loop)
		pixel, brick := GP64(), GP64()
		TZCNTQ(open, pixel)
		var leaves GPVirtual
		if wide {
			MOVBLZX(Mem{Base: d, Disp: dabFront, Index: pixel, Scale: 1}, brick.As32())
			leaves = lookUpFront(pixel, brick)
		} else {
			MOVBLZX(Mem{Base: d, Disp: dabMet, Index: pixel, Scale: 1}, brick.As32())
			TZCNTL(brick.As32(), brick.As32())
			leaves = lookUp(pixel)(brick)
		}
		see(f, d, window, pixel, brick, leaves, closed, seen)
		BLSRQ(open, open)
		JNZ(LabelRef(loop))
	}
	// Those that don't see it ask two more. Behind the last brick comes one without
	// leaves.
	MOVQ(field(d, dabTwo), open)
	ANDQ(f.open, open)
	ANDNQ(open, closed, open)
	JZ(LabelRef(done))
	{
		loop := function + "_next"
		Label(loop)
		pixel, met, brick, next := GP64(), GP64(), GP64(), GP64()
		TZCNTQ(open, pixel)
		MOVBLZX(Mem{Base: d, Disp: dabMet, Index: pixel, Scale: 1}, met.As32())
		BTSL(U8(8), met.As32())
		BLSRL(met.As32(), met.As32())
		lookAt := lookUp(pixel)
		TZCNTL(met.As32(), brick.As32())
		leaves := lookAt(brick)
		BLSRL(met.As32(), met.As32())
		TZCNTL(met.As32(), next.As32())
		behind := lookAt(next)
		TESTQ(leaves, leaves)
		CMOVQEQ(behind, leaves)
		CMOVQEQ(next, brick)
		see(f, d, window, pixel, brick, leaves, closed, seen)
		BLSRQ(open, open)
		JNZ(LabelRef(loop))
	}
	// It is rare that one behind these is seen.
	MOVQ(field(d, dabFour), open)
	ANDQ(f.open, open)
	ANDNQ(open, closed, open)
	JZ(LabelRef(done))
	repeat, others, found, none := function+"_again", function+"_others", function+"_found", function+"_none"
	Label(repeat)
	{
		pixel, met, brick := GP64(), GP64(), GP64()
		TZCNTQ(open, pixel)
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
		see(f, d, window, pixel, brick, leaves, closed, seen)
		Label(none)
		BLSRQ(open, open)
		JNZ(LabelRef(repeat))
	}
	Label(done)
	n = Load(Param("n"), GP64())
	MOVL(seen.As32(), field(n, bottomSeen))
	TESTQ(closed, closed)
	JZ(LabelRef(drawn))
	POPCNTL(seen.As32(), seen.As32())
	ADDL(seen.As32(), field(n, bottomDrawn))
	c, cells, shift := Load(Param("c"), GP64()), GP64(), GP64()
	MOVQ(field(d, dabCells), cells)
	MOVQ(field(d, dabShift), shift)
	closeWindow(c, cells, shift, closed)
}

// see enters what a pixel sees of some leaves of a brick, in the order of visiting:
// the first, or nothing if there are none.
func see(f *frame, d Register, window, pixel, brick, leaves, closed, seen GPVirtual) {
	one, ref := GP64(), GP64()
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

// lookupFront is lookup for the first brick that a pixel may meet.
type lookupFront func(pixel, brick Register) (leaves GPVirtual)

// spanLookup compares with the spans, which costs less than the cache lines that
// tables take.
func spanLookup(d Register) (lookup, lookupFront) {
	var spans, widths [2]VecVirtual
	for axis := range spans {
		at := GP64()
		spans[axis], widths[axis] = ZMM(), ZMM()
		MOVQ(field(d, dabLines+8*axis), at)
		VMOVDQU64(Mem{Base: at}, spans[axis])
		VPBROADCASTB(field(at, lineWidth), widths[axis])
	}
	// compare finds the leaves at places across a brick.
	compare := func(brick Register, placeX, placeY Mem) GPVirtual {
		leaves, inColumn, inBoth := GP64(), K(), K()
		for axis, place := range []Mem{placeX, placeY} {
			after := ZMM()
			VPBROADCASTB(place, after)
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
	rows := GP64()
	LEAQ(placeRows(), rows)
	any := func(pixel Register) func(brick Register) GPVirtual {
		var begin [2]GPVirtual // of the places of its column and row
		for axis := range begin {
			begin[axis] = GP64()
			MOVBLZX(Mem{Base: rows, Disp: 64 * axis, Index: pixel, Scale: 1}, begin[axis].As32())
		}
		return func(brick Register) GPVirtual {
			var places [2]Mem
			for axis := range places {
				at := GP64()
				LEAQ(Mem{Base: begin[axis], Index: brick, Scale: 1}, at)
				places[axis] = Mem{Base: d, Disp: dabPlaces, Index: at, Scale: 1}
			}
			return compare(brick, places[0], places[1])
		}
	}
	front := func(pixel, brick Register) GPVirtual {
		return compare(brick, Mem{Base: d, Disp: dabPlaceX, Index: pixel, Scale: 1}, Mem{Base: d, Disp: dabPlaceY, Index: pixel, Scale: 1})
	}
	return any, front
}
