package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets into Leaves and Rays (../cube.go).
const (
	leavesLow, leavesVisit    = 0, 12
	leavesOrder, leavesDraw   = 16, 24
	leavesSeen, leavesNext    = 32, 40
	leavesOpen, leavesFirst   = 44, 48
	leavesColours             = 80
	raysOrigin, raysDirection = 0, 36
	raysRight, raysDown       = 12, 24 // from these
	raysFirst                 = 72
	leastDirection            = 0x0da24260 // 1e-30
	equal                     = 0
)

// rayVectors are vectors of rays: sixteen where wide, with their masks in mask
// registers, else eight, with masks as vectors.
type rayVectors struct{ wide bool }

func (r rayVectors) vector() VecVirtual {
	if r.wide {
		return ZMM()
	}
	return YMM()
}

// of is the result of an operation of two vectors.
func (r rayVectors) of(operation func(...Op), a VecVirtual, b Op) VecVirtual {
	d := r.vector()
	operation(b, a, d)
	return d
}

// with is of, the second vector being one word of memory.
func (r rayVectors) with(operation, broadcasting func(...Op), a VecVirtual, m Mem) VecVirtual {
	if r.wide {
		return r.of(broadcasting, a, m)
	}
	return r.of(operation, a, broadcast(m))
}

func (r rayVectors) spread(m Mem) VecVirtual {
	d := r.vector()
	VBROADCASTSS(m, d)
	return d
}

func (r rayVectors) min(a, b VecVirtual) VecVirtual { return r.of(VMINPS, a, b) }
func (r rayVectors) max(a, b VecVirtual) VecVirtual { return r.of(VMAXPS, a, b) }

// compare is the mask of a comparison of two vectors.
func (r rayVectors) compare(predicate uint8, a, b VecVirtual) (mask Register) {
	if r.wide {
		k := K()
		VCMPPS(U8(predicate), b, a, k)
		return k
	}
	return compare(predicate, a, b)
}

// hold keeps a vector for later: in memory where registers are few.
func (r rayVectors) hold(v VecVirtual) Op {
	if r.wide {
		return v
	}
	m := AllocLocal(32)
	VMOVDQU(v, m)
	return m
}

// put puts yes into d where the mask is set.
func (r rayVectors) put(mask Register, yes Op, d VecVirtual) {
	if r.wide {
		VMOVDQA32(yes, mask, d)
	} else {
		VBLENDVPS(mask, yes, d, d)
	}
}

// code tells an axis: bit axis is set, which toggles an octant, and axis*32.
func code(axis int) Mem { return wideConstant(1<<axis | uint32(axis)<<5) }

// through has the codes of the axes of the planes at a depth, see ../cube.go.
func (r rayVectors) through(depth VecVirtual, planes [3]VecVirtual, a, b, c int) VecVirtual {
	d := r.spread(code(c))
	for _, axis := range []int{b, a} {
		at := r.compare(equal, depth, planes[axis])
		if r.wide {
			VPBROADCASTD(code(axis), at, d)
		} else {
			VBLENDVPS(at, broadcast(code(axis)), d, d)
		}
	}
	return d
}

// linear is a coordinate of the rays' origins or directions.
func (r rayVectors) linear(rays Register, offset int, x, y VecVirtual) VecVirtual {
	down := r.with(VMULPS, VMULPS_BCST, y, field(rays, offset+raysDown))
	right := r.with(VMULPS, VMULPS_BCST, x, field(rays, offset+raysRight))
	return r.of(VADDPS, r.with(VADDPS, VADDPS_BCST, down, field(rays, offset)), right)
}

// leafState is where a node of leaves lies while it is drawn.
type leafState struct {
	name string
	rect [4]Mem // x0, x1, y0, y1
	x, y Mem    // of the window
	// turning is not 0 where the rays begin at one point and only turn from pixel to
	// pixel. The node's planes, three across each axis, are counted from eye then;
	// else eye is 0.
	turning Mem
	eye     [3]Mem
	planes  [3][3]Mem
	// The parts of the record, for each octant, 0 where nothing is to be drawn, and those
	// seen: in registers that only EVEX instructions know where vectors are wide.
	parts, seen Op
	open        Mem
}

// drawLeaves is the vector form of drawLeavesGo: the open pixels of a window are
// listed, so that vectors of their rays are full.
func drawLeaves(function string, wide bool) {
	TEXT(function, 0, "func(c, b, l, r *byte)")
	v := rayVectors{wide}
	local := func() Mem { return AllocLocal(8) }
	s := leafState{
		name: function, rect: [4]Mem{local(), local(), local(), local()}, x: local(), y: local(),
		turning: local(), parts: Z30, seen: Z31, open: local(),
	}
	if !wide {
		s.parts, s.seen = AllocLocal(32), AllocLocal(32)
	}
	for k := range 3 {
		s.eye[k] = local()
		for i := range 3 {
			s.planes[k][i] = local()
		}
	}
	todo, turn := local(), local()
	s.findEye()
	left := GP64()
	{
		l := Load(Param("l"), GP64())
		zero := GP64()
		XORL(zero.As32(), zero.As32())
		MOVQ(zero, field(l, leavesSeen))
		MOVL(zero.As32(), field(l, leavesOpen))
		MOVL(field(l, leavesVisit), left.As32())
		MOVL(left.As32(), todo)
	}
	node, row, window, nextWindow, next := function+"_node", function+"_row", function+"_window", function+"_nextWindow", function+"_next"
	JMP(LabelRef(next))

	Label(node)
	l := Load(Param("l"), GP64())
	{
		i, octant := GP64(), GP64()
		TZCNTL(left.As32(), i.As32())
		BLSRL(left.As32(), left.As32())
		MOVL(left.As32(), todo)
		MOVQ(i, turn)
		MOVBLZX(Mem{Base: l, Index: i, Scale: 1, Disp: leavesOrder}, octant.As32())
		ANDL(U8(7), octant.As32())
		s.prepare(v, l, i, octant)
	}
	c := Load(Param("c"), GP64())
	x, y := GP64(), GP64()
	MOVL(s.rect[2], y.As32())

	Label(row)
	MOVL(y.As32(), s.y)
	MOVL(s.rect[0], x.As32())

	Label(window)
	MOVL(x.As32(), s.x)
	s.drawWindow(v, c, x, y)

	Label(nextWindow)
	MOVL(s.x, x.As32())
	MOVL(s.y, y.As32())
	ADDL(U8(8), x.As32())
	CMPL(x.As32(), s.rect[1])
	JLT(LabelRef(window))
	ADDL(U8(8), y.As32())
	CMPL(y.As32(), s.rect[3])
	JLT(LabelRef(row))

	// What was seen of the node.
	l = Load(Param("l"), GP64())
	{
		i, seen, open, none := GP64(), GP64(), GP64(), GP64()
		MOVQ(turn, i)
		all, half, other := YMM(), XMM(), XMM()
		if wide {
			low := YMM()
			VEXTRACTI64X4(U8(0), s.seen, low)
			VEXTRACTI64X4(U8(1), s.seen, all)
			VPOR(low, all, all)
		} else {
			VMOVDQU(s.seen, all)
		}
		VEXTRACTI128(U8(1), all, half)
		VPOR(all.AsX(), half, half)
		VPSHUFD(U8(0x4e), half, other)
		VPOR(other, half, half)
		VPSHUFD(U8(0xb1), half, other)
		VPOR(other, half, half)
		VMOVD(half, seen.As32())
		MOVB(seen.As8(), Mem{Base: l, Index: i, Scale: 1, Disp: leavesSeen})
		id := GP64()
		MOVL(Mem{Base: l, Index: i, Scale: 4, Disp: leavesFirst}, id.As32())
		fetch(field(l, leavesColours), id, 1)
		XORL(none.As32(), none.As32())
		MOVQ(s.open, open)
		CMPQ(none, open) // carry, if there is any
		SBBL(open.As32(), open.As32())
		NEGL(open.As32())
		SHLXL(i.As32(), open.As32(), open.As32())
		ORL(open.As32(), field(l, leavesOpen))
	}

	Label(next)
	MOVLQZX(todo, left)
	TESTL(left.As32(), left.As32())
	JNZ(LabelRef(node))
	VZEROUPPER()
	RET()
}

// findEye finds out whether the rays begin at one point, and where.
func (s *leafState) findEye() {
	r, slopes := Load(Param("r"), GP64()), GP32()
	for i := range 6 {
		m := field(r, raysOrigin+raysRight+4*i)
		if i == 0 {
			MOVL(m, slopes)
		} else {
			ORL(m, slopes)
		}
	}
	ADDL(slopes, slopes) // but for the sign
	CMPL(slopes, U8(1))
	SBBL(slopes, slopes)
	MOVL(slopes, s.turning)
	for k, m := range s.eye {
		at := GP32()
		MOVL(field(r, raysOrigin+4*k), at)
		ANDL(slopes, at)
		MOVL(at, m)
	}
}

// prepare sets up octant i in the order of visiting.
func (s *leafState) prepare(v rayVectors, l Register, i, octant GPVirtual) {
	b, side := Load(Param("b"), GP64()), GP32()
	for k, m := range s.rect {
		MOVL(Mem{Base: b, Index: octant, Scale: 4, Disp: batchX0 + 32*k}, side)
		MOVL(side, m)
	}
	table := GP64()
	LEAQ(constantTable("octantCorners", func() {
		for o := range 8 {
			for k := range 4 {
				corner := float32(0)
				if k < 3 {
					corner = float32(2 * (o >> k & 1))
				}
				DATA(16*o+4*k, U32(number32(corner)))
			}
		}
	}), table)
	corner := GP64()
	MOVL(octant.As32(), corner.As32())
	SHLL(U8(4), corner.As32())
	for k, planes := range s.planes {
		low := XMM()
		VMOVSS(Mem{Base: table, Index: corner, Scale: 1, Disp: 4 * k}, low)
		VADDSS(field(l, leavesLow+4*k), low, low)
		for i, m := range planes {
			plane := low
			if i > 0 {
				plane = XMM()
				VADDSS(wideConstant(number32(float32(i))), low, plane)
			}
			from := XMM()
			VSUBSS(s.eye[k], plane, from)
			VMOVSS(from, m)
		}
	}
	ref, draw := GP32(), GP32()
	MOVL(field(l, leavesNext), ref)
	ADDL(i.As32(), ref)
	SHLL(U8(6), ref)
	MOVBLZX(Mem{Base: l, Index: octant, Scale: 1, Disp: leavesDraw}, draw)
	lanes := constantTable("octantParts", func() {
		for i := range 16 {
			DATA(4*i, U32(uint32(i%8)<<3))
		}
	})
	parts := v.vector()
	if v.wide {
		VPBROADCASTD(ref, parts)
		VPORD(lanes, parts, parts)
		mask, k := ZMM(), K()
		VPBROADCASTD(draw, mask)
		VPTESTMD(octantBits(), mask, k)
		VMOVDQA32_Z(parts, k, s.parts)
		VPXORD(s.seen, s.seen, s.seen)
	} else {
		VPOR(lanes, spreadWord(ref), parts)
		zero := YMM()
		VPAND(setBits(draw), parts, parts)
		VMOVDQU(parts, s.parts)
		VPXOR(zero, zero, zero)
		VMOVDQU(zero, s.seen)
	}
	none := GP64()
	XORL(none.As32(), none.As32())
	MOVQ(none, s.open)
}

// spreadWord is a register in all lanes.
func spreadWord(g GPVirtual) VecVirtual {
	low, d := XMM(), YMM()
	VMOVD(g, low)
	VPBROADCASTD(low, d)
	return d
}

// setBits are the lanes whose bit is set, as a mask.
func setBits(g GPVirtual) VecVirtual {
	bits, d := YMM(), spreadWord(g)
	VMOVDQU(octantBits(), bits)
	VPAND(bits, d, d)
	VPCMPEQD(bits, d, d)
	return d
}

// octantBits are the bits of the octants, twice.
func octantBits() Mem {
	return constantTable("octantBits", func() {
		for i := range 16 {
			DATA(4*i, U32(1<<(i%8)))
		}
	})
}

// drawWindow draws the leaves in the window at pixel (x, y).
func (s *leafState) drawWindow(v rayVectors, c Register, x, y GPVirtual) {
	var corner [2]GPVirtual
	for axis, at := range []GPVirtual{x, y} {
		corner[axis] = GP64()
		MOVL(at.As32(), corner[axis].As32())
		SUBL(field(c, canvasX+4*axis), corner[axis].As32())
		ADDL(U8(pad), corner[axis].As32())
	}
	cells, shift, open := window(c, corner)
	{
		columns, rows, eight := GP64(), GP64(), GP32()
		MOVL(U32(8), eight)
		for axis, side := range []GPVirtual{columns, rows} {
			MOVL(s.rect[2*axis+1], side.As32())
			SUBL([]GPVirtual{x, y}[axis].As32(), side.As32())
			CMPL(side.As32(), eight)
			CMOVLGT(eight, side.As32())
		}
		SHLL(U8(3), rows.As32())
		BZHIQ(rows, open, open)
		MOVL(U32(0xff), rows.As32())
		BZHIL(columns.As32(), rows.As32(), rows.As32())
		MOVQ(U64(everyByte), columns)
		IMULQ(rows, columns)
		ANDQ(columns, open)
		TESTQ(open, open)
	}
	JZ(LabelRef(s.name + "_nextWindow"))
	ORQ(open, s.open)
	openAt, cellsAt, shiftAt := AllocLocal(8), AllocLocal(8), AllocLocal(8)
	MOVQ(open, openAt)
	MOVQ(cells, cellsAt)
	MOVQ(shift, shiftAt)
	// Where the window's pixel (0, 0) lies, and its rows.
	seen, stride := GP64(), GP64()
	MOVQ(field(c, canvasWidth), stride)
	SUBQ(U8(pad), corner[0])
	SUBQ(U8(pad), corner[1])
	IMULQ(stride, corner[1])
	ADDQ(corner[0], corner[1])
	MOVQ(field(c, canvasSeen), seen)
	LEAQ(Mem{Base: seen, Index: corner[1], Scale: 4}, seen)
	count, closed, turn := GP64(), GP64(), GP64()
	POPCNTQ(open, count)
	XORL(closed.As32(), closed.As32())
	XORL(turn.As32(), turn.As32())
	rays := Load(Param("r"), GP64())

	// The places of the open pixels, a byte each.
	var places VecVirtual
	var list Mem
	at := GP64()
	if v.wide {
		places = ZMM()
		all, k := ZMM(), K()
		VMOVDQU64(upTo63(), all)
		KMOVQ(open, k)
		compressBytes(all, k, places)
	} else {
		list = AllocLocal(80)
		table, word, row, next := GP64(), GP64(), GP64(), GP64()
		LEAQ(placesInByte(), table)
		LEAQ(list, next)
		rest, n := GP64(), GP64()
		MOVQ(open, rest)
		base := GP64()
		for i := range 8 {
			MOVBLZX(rest.As8(), row.As32())
			MOVQ(Mem{Base: table, Index: row, Scale: 8}, word)
			if i > 0 {
				MOVQ(U64(everyByte*8*uint64(i)), base)
				ADDQ(base, word)
			}
			MOVQ(word, Mem{Base: next})
			if i < 7 {
				POPCNTL(row.As32(), n.As32())
				ADDQ(n, next)
				SHRQ(U8(8), rest)
			}
		}
		LEAQ(list, at)
	}
	w := windowState{leafState: s, rays: rays, corner: seen, stride: stride, count: count, closed: closed, turn: turn, at: at, places: places, list: AllocLocal(8)}
	if v.wide {
		base := GP64()
		toLine(AllocLocal(64*4+64), base)
		MOVQ(base, w.list)
	}
	turning, found := s.name+"_turning", s.name+"_found"
	CMPL(s.turning, U8(0))
	JNE(LabelRef(turning))
	w.follow(v, s.name+"_moving", false)
	JMP(LabelRef(found))
	Label(turning)
	w.follow(v, s.name+"_turn", true)
	Label(found)

	// The hits by their places in the window.
	TESTQ(closed, closed)
	JZ(LabelRef(s.name + "_nextWindow"))
	{
		open, cells, shift := GP64(), GP64(), GP64()
		MOVQ(openAt, open)
		MOVQ(cellsAt, cells)
		MOVQ(shiftAt, shift)
		PDEPQ(open, closed, closed)
		if v.wide {
			w.storeRows(open)
		}
		closeWindow(Load(Param("c"), GP64()), cells, shift, closed)
	}
}

// windowState is what the loop over the open pixels of a window works with.
type windowState struct {
	*leafState
	rays           Register
	corner, stride GPVirtual // pixel (0, 0) of the window, pixels in a row
	count          GPVirtual // open pixels that are left
	closed         GPVirtual // those of them that were hit, by their order
	turn           GPVirtual // how many came before
	at             GPVirtual // the places of the next, a byte each
	places         VecVirtual
	list           Mem // where what the open pixels see is listed, by their order
}

// storeRows stores what the pixels of a window see, row by row, without a branch.
func (s *windowState) storeRows(open GPVirtual) {
	list, rest, bytes, n := GP64(), GP64(), GP64(), GP64()
	MOVQ(s.list, list)
	MOVQ(s.closed, rest)
	stride := GP64()
	MOVQ(s.stride, stride)
	SHLQ(U8(2), stride)
	for row := range 8 {
		listed, seen := K(), K()
		refs := YMM()
		KMOVB(open.As32(), listed)
		VPEXPANDD_Z(Mem{Base: list}, listed, refs)
		KMOVB(rest.As32(), seen)
		VMOVDQU32(refs, seen, Mem{Base: s.corner})
		if row == 7 {
			break
		}
		MOVBLZX(open.As8(), bytes.As32())
		POPCNTL(bytes.As32(), n.As32())
		LEAQ(Mem{Base: list, Index: n, Scale: 4}, list)
		SHRQ(U8(8), open)
		SHRQ(U8(8), rest)
		ADDQ(stride, s.corner)
	}
}

// follow follows the rays of the open pixels through the node, a vector at a time.
func (s *windowState) follow(v rayVectors, name string, turning bool) {
	rays, corner, stride, count, closed, turn, at, places := s.rays, s.corner, s.stride, s.count, s.closed, s.turn, s.at, s.places
	size := 8
	if v.wide {
		size = 16
	}
	vectors := name + "_vector"
	Label(vectors)
	place := v.vector()
	if v.wide {
		VPMOVZXBD(places.AsX(), place)
		VSHUFI32X4(U8(0x39), places, places, places)
	} else {
		VPMOVZXBD(Mem{Base: at}, place)
	}
	var fx, fy VecVirtual
	{
		column, row := v.vector(), v.vector()
		if v.wide {
			VPANDD_BCST(wideConstant(7), place, column)
			VPADDD_BCST(s.x, column, column)
			VPSRLD(U8(3), place, row)
			VPADDD_BCST(s.y, row, row)
		} else {
			VPAND(constant(7), place, column)
			VPADDD(broadcastInt(s.x), column, column)
			VPSRLD(U8(3), place, row)
			VPADDD(broadcastInt(s.y), row, row)
		}
		VCVTDQ2PS(column, column)
		VCVTDQ2PS(row, row)
		fx, fy = column, row
	}
	one := v.spread(wideConstant(0x3f800000))
	var in, middle, out [3]VecVirtual
	var near VecVirtual
	var enter, leave VecVirtual
	for k := range 3 {
		direction := v.with(VADDPS, VADDPS_BCST, v.linear(rays, raysDirection+4*k, fx, fy), wideConstant(leastDirection))
		inverse := v.of(VDIVPS, one, direction)
		var origin VecVirtual
		if !turning {
			origin = v.linear(rays, raysOrigin+4*k, fx, fy)
		}
		depth := func(plane Mem) VecVirtual {
			if turning {
				return v.with(VMULPS, VMULPS_BCST, inverse, plane)
			}
			return v.of(VMULPS, v.of(VSUBPS, v.spread(plane), origin), inverse)
		}
		first, last := depth(s.planes[k][0]), depth(s.planes[k][2])
		middle[k] = depth(s.planes[k][1])
		in[k], out[k] = v.min(first, last), v.max(first, last)
		sign := v.vector()
		VPSRLD(U8(31), direction, sign)
		if k == 0 {
			near = sign
			enter, leave = in[0], out[0]
			continue
		}
		VPSLLD(U8(k), sign, sign)
		near = v.or(near, sign)
		enter, leave = v.max(enter, in[k]), v.min(leave, out[k])
	}

	less, more := v.min(middle[0], middle[1]), v.max(middle[0], middle[1])
	first, third := v.min(less, middle[2]), v.max(more, middle[2])
	second := v.min(more, v.max(less, middle[2]))
	face := v.through(enter, in, 0, 1, 2)
	axis1, axis3 := v.through(first, middle, 0, 1, 2), v.through(third, middle, 2, 1, 0)
	axis2 := v.xor(v.xor(axis1, axis3), v.spread(wideConstant(1|2|4|(0^1^2)<<5)))
	axes := [4]Op{v.hold(face), v.hold(axis1), v.hold(axis2)}
	opposite := v.xor(near, v.spread(wideConstant(7)))
	octants := [4]VecVirtual{near, v.xor(near, axis1), v.xor(opposite, axis3), opposite}
	from := [4]VecVirtual{enter, v.max(first, enter), v.max(second, enter), v.max(third, enter)}
	to := [4]Op{v.hold(v.min(first, leave)), v.hold(v.min(second, leave)), v.hold(v.min(third, leave)), v.hold(leave)}

	ref, axis, entry := v.vector(), axis3, from[3]
	begin := v.spread(field(rays, raysFirst))
	if v.wide {
		VPXORD(ref, ref, ref)
	} else {
		VPXOR(ref, ref, ref)
	}
	for i := 3; i >= 0; i-- {
		here := v.vector()
		VPERMD(s.parts, octants[i], here)
		var mask Register
		if v.wide {
			k := K()
			VCMPPS(U8(lessThan), from[i], begin, k)
			VCMPPS(U8(lessOrEqual), to[i], from[i], k, k)
			VPTESTMD(here, here, k, k)
			mask = k
		} else {
			m, within := compare(lessThan, begin, from[i]), YMM()
			VCMPPS(U8(lessOrEqual), to[i], from[i], within)
			VANDPS(within, m, m)
			VPAND(here, m, here)
			none := YMM()
			VPXOR(none, none, none)
			VPCMPGTD(none, here, m) // records are fewer than 1<<25
			mask = m
		}
		v.put(mask, here, ref)
		if i < 3 {
			v.put(mask, axes[i], axis)
			v.put(mask, from[i], entry)
		}
	}
	v.put(v.compare(equal, entry, enter), axes[0], axis)
	// The face: twice the axis, and whether the ray descends along it.
	{
		side := v.vector()
		VPSRLD(U8(5), axis, axis)
		VPSRLVD(axis, near, side)
		VPADDD(axis, axis, axis)
		if v.wide {
			VPANDD_BCST(wideConstant(1), side, side)
		} else {
			VPAND(constant(1), side, side)
		}
		axis = v.or(axis, side)
	}
	hits := GP32()
	octant := v.vector()
	VPSRLD(U8(3), ref, octant)
	whole := v.or(ref, axis)
	wholes := AllocLocal(64)
	if v.wide {
		k := K()
		VPTESTMD(ref, ref, k)
		KMOVW(k, hits)
		BZHIL(count.As32(), hits, hits)
		KMOVW(hits, k)
		bits := ZMM()
		VMOVDQU32(octantBits(), bits)
		VPERMD(bits, octant, octant)
		VPORD(octant, s.seen, k, s.seen)
		list := GP64()
		MOVQ(s.list, list)
		VMOVDQU32(whole, Mem{Base: list, Index: turn, Scale: 4})
	} else {
		zero := YMM()
		VPXOR(zero, zero, zero)
		VPCMPGTD(zero, ref, ref)
		VMOVMSKPS(ref, hits)
		BZHIL(count.As32(), hits, hits)
		lanes, bit := setBits(hits), YMM()
		VMOVDQU(octantBits(), bit)
		VPERMD(bit, octant, octant)
		VPAND(lanes, octant, octant)
		VPOR(s.seen, octant, octant)
		VMOVDQU(octant, s.seen)
		VMOVDQU(whole, wholes)
	}
	{
		wide64 := GP64()
		MOVL(hits, wide64.As32())
		SHLXQ(turn, wide64, wide64)
		ORQ(wide64, closed)
		ADDL(U8(size), turn.As32())
	}
	stored, store := name+"_stored", name+"_store"
	n := GP64()
	if v.wide {
	} else {
		TESTL(hits, hits)
		JZ(LabelRef(stored))
		Label(store)
		where, row, value := GP64(), GP64(), GP64()
		TZCNTL(hits, n.As32())
		BLSRL(hits, hits)
		MOVBLZX(Mem{Base: at, Index: n, Scale: 1}, where.As32())
		MOVL(wholes.Idx(n, 4), value.As32())
		MOVL(where.As32(), row.As32())
		SHRL(U8(3), row.As32())
		ANDL(U8(7), where.As32())
		IMULQ(stride, row)
		ADDQ(row, where)
		MOVL(value.As32(), Mem{Base: corner, Index: where, Scale: 4})
		TESTL(hits, hits)
		JNZ(LabelRef(store))
	}
	Label(stored)
	if !v.wide {
		ADDQ(U8(size), at)
	}
	SUBL(U8(size), count.As32())
	JG(LabelRef(vectors))
}

func (r rayVectors) or(a, b VecVirtual) VecVirtual {
	if r.wide {
		return r.of(VPORD, a, b)
	}
	d := YMM()
	VPOR(b, a, d)
	return d
}

func (r rayVectors) xor(a, b VecVirtual) VecVirtual {
	if r.wide {
		return r.of(VPXORD, a, b)
	}
	d := YMM()
	VPXOR(b, a, d)
	return d
}

func upTo63() Mem {
	return constantTable("upTo63", func() {
		for i := range 8 {
			DATA(8*i, U64(0x0706050403020100+everyByte*8*uint64(i)))
		}
	})
}

// placesInByte has, for each byte, the places of its bits, lowest first.
func placesInByte() Mem {
	return constantTable("placesInByte", func() {
		for mask := range 256 {
			var word uint64
			n := 0
			for bit := range 8 {
				if mask>>bit&1 != 0 {
					word |= uint64(bit) << (8 * n)
					n++
				}
			}
			DATA(8*mask, U64(word))
		}
	})
}

// compressBytes gathers the bytes of a vector that a mask has, the rest 0. The
// generator doesn't know the instruction.
func compressBytes(from VecVirtual, mask Register, to VecVirtual) {
	Instruction(&ir.Instruction{
		Opcode: "VPCOMPRESSB", Suffixes: []string{"Z"},
		Operands: []Op{from, mask, to},
		Inputs:   []Op{from, mask}, Outputs: []Op{to},
	})
}
