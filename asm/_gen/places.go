package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

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
	}{{v.high, math.MaxInt16}, {v.low, -math.MaxInt16}, {v.maxStep, maxStep}} {
		VPBROADCASTD(wideConstant(number32(number.value)), number.register)
	}
	VPBROADCASTW(word16(places-1), v.last)
	v.middle = ZMM()
	VPBROADCASTW(word16(places/2), v.middle)
	fine := fineness(n)
	VPBROADCASTD(unitOf(fine), v.unit)
	SHLQ(U8(8), fine)
	centres := GP64()
	LEAQ(windowCentres(), centres)
	for k, centre := range v.centres {
		VMOVDQU64(Mem{Base: centres, Disp: 64 * k, Index: fine, Scale: 1}, centre)
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

// locate finds the places of the eight columns and rows across all bricks, and
// of columns and rows the bricks that they meet, two bytes each.
func locate(f *frame) (met VecVirtual) {
	b, n, o, d, octant := Load(Param("b"), GP64()), Load(Param("n"), GP64()), Load(Param("o"), GP64()), f.at(), GP64()
	MOVL(field(d, dabOctant), octant.As32())
	ofBatch := func(offset int) Mem { return Mem{Base: b, Disp: offset, Index: octant, Scale: 4} }
	h := broadcast(field(n, bottomH))
	z := add(broadcast(ofBatch(batchZ)), mulMem(h, field(o, 64)))
	inverse := div(constant(0x3f800000), z)
	met = XMM()
	fine := fineness(n)
	pixel := broadcast(unitOf(fine))
	var centre, parts [2]VecVirtual
	for axis := range 2 {
		line := GP64()
		MOVQ(field(d, dabLines+8*axis), line)
		at := add(broadcast(ofBatch(batchX+32*axis)), mulMem(h, field(o, 32*axis)))
		at = sub(add(mul(at, inverse), broadcast(field(n, bottomCX+4*axis))), broadcast(indexed(f.middles.Offset(32*axis), octant, 4)))
		centre[axis] = maxps(minps(mul(at, pixel), constant(number32(math.MaxInt16))), constant(number32(-math.MaxInt16)))
		VCVTPS2DQ(centre[axis], centre[axis])
		parts[axis] = mul(mul(broadcast(field(line, lineStep)), broadcast(field(n, bottomPerH))), z)
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
	SHLQ(U8(8), fine)
	centres := GP64()
	LEAQ(windowCentres(), centres)
	for k := range 8 {
		place, g := YMM(), GP32()
		VMOVDQU(Mem{Base: centres, Disp: 32 * k, Index: fine, Scale: 1}, place)
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
// and rows, 16 words for each: eight for bricks that aren't fine, then eight for those
// that are.
func windowCentres() Mem {
	return constantTable("windowCentres", func() {
		for k := range 16 {
			unit := unit
			if k >= 8 {
				unit *= finer
			}
			for i := range 16 {
				DATA(32*k+2*i, U16(uint16(int16((k%8-4)*unit+unit/2))))
			}
		}
	})
}

// unitOf is how many steps a pixel has, by whether bricks are fine.
func unitOf(fine Register) Mem {
	at := GP64()
	LEAQ(constantTable("units", func() {
		for i, u := range []float32{unit, finer * unit} {
			DATA(4*i, U32(number32(u)))
		}
	}), at)
	return Mem{Base: at, Index: fine, Scale: 4}
}

// fineness is whether bricks are fine.
func fineness(n Register) GPVirtual {
	fine := GP64()
	MOVL(field(n, bottomFine), fine.As32())
	return fine
}

// locateBoth finds, for columns and rows at once, where the bricks lie and how many
// parts of a place a pixel takes, in words.
func locateBoth(f *frame, v *invariants) {
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
	column, row := GP64(), GP64()
	MOVQ(field(d, dabLines), column)
	MOVQ(field(d, dabLines+8), row)
	parts := binary(VMULPS, v.both(field(column, lineStep), field(row, lineStep)), v.perH)
	parts = binary(VMULPS, parts, twice(z))
	one := ZMM()
	VPBROADCASTD(wideConstant(0x3f800000), one)
	parts = binary(VMINPS, binary(VMAXPS, parts, one), v.maxStep)
	VCVTPS2DQ(parts, parts)
	// Twice: two columns and rows will be found at once.
	for i, v := range []VecVirtual{at, parts} {
		VPMOVDW(v, v.AsY())
		VSHUFI32X4(U8(0x44), v, v, v)
		VMOVDQU64(v, field(d, dabPlaces+64*i))
	}
}

// placesBoth finds the places of the columns and rows across the bricks, half in each
// of two registers, and of each column and row the bricks that it meets.
func placesBoth(f *frame, v *invariants) (halves [2]VecVirtual, met VecVirtual) {
	d, at, parts := f.at(), ZMM(), ZMM()
	VMOVDQU64(field(d, dabPlaces), at)
	VMOVDQU64(field(d, dabPlaces+64), parts)
	for k := range 4 {
		place := ZMM()
		VPSUBSW(at, v.centres[k], place)
		VPMULHW(parts, place, place)
		VPADDW(v.middle, place, place)
		VPMINUW(v.last, place, place)
		VPMOVWB(place, place.AsY())
		if k&1 == 0 {
			halves[k/2] = place
		} else {
			VINSERTI64X4(U8(1), place.AsY(), halves[k/2], halves[k/2])
		}
	}
	met = XMM()
	for half, places := range halves {
		meets, g := K(), GP64()
		VPCMPUB(U8(4), v.ones, places, meets) // not the last
		KMOVQ(meets, g)
		VMOVDQU64(places, field(d, dabPlaces+64*half))
		if half == 0 {
			VMOVQ(g, met)
		} else {
			VPINSRQ(U8(1), g, met, met)
		}
	}
	return halves, met
}

// meet finds of each pixel the bricks that its column and its row meet and that
// have leaves to be drawn, and where it lies across the first of them.
func meet(f *frame, v *invariants) {
	halves, met := placesBoth(f, v)
	d := f.at()
	column, row := ZMM(), ZMM()
	VSHUFI32X4(U8(0), met.AsZ(), met.AsZ(), column)
	VPSHUFB(metByRow(), column, row)
	VPSHUFB(metByColumn(), column, column)
	VPANDQ(column, row, row)
	VPBROADCASTB(field(d, dabThere), column)
	VPANDQ(column, row, row)
	VMOVDQU64(row, field(d, dabMet))
	front, low := ZMM(), ZMM()
	VPADDB(v.ones, row, front)
	VPANDNQ(row, front, front)
	VMOVDQU64(numberOfBit(), low)
	VPERMI2B(numberOfBit().Offset(64), low, front)
	VMOVDQU64(front, field(d, dabFront))
	for axis, to := range []int{dabPlaceX, dabPlaceY} {
		place := ZMM()
		VPADDB(placeRows().Offset(64*axis), front, place)
		VPERMI2B(halves[1], halves[0], place)
		VMOVDQU64(place, field(d, to))
	}
	for i, at := range []int{dabSome, dabTwo, 0, dabFour} {
		some := K()
		if i > 0 { // without the lowest bit
			less := ZMM()
			VPADDB(v.ones, row, less)
			VPANDQ(less, row, row)
		}
		if at == 0 {
			continue
		}
		VPTESTMB(row, row, some)
		KMOVQ(some, field(d, at))
	}
}

// numberOfBit tells which bit a byte has, by its lower seven bits.
func numberOfBit() Mem {
	return constantTable("numberOfBit", func() {
		numbers := [128]uint8{0: 7}
		for i := range 7 {
			numbers[1<<i] = uint8(i)
		}
		for i, n := range numbers {
			DATA(i, U8(n))
		}
	})
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
		for i, at := range []int{dabSome, dabTwo, 0, dabFour} {
			less, g := YMM(), GP32()
			if i > 0 { // without the lowest bit
				VPADDB(ones, row, less)
				VPAND(less, row, row)
			}
			if at == 0 {
				continue
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

func metByRow() Mem { return pixelTable("metByRow", func(i int) int { return 2*(i>>3) + 1 }) }

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
