package ortho

import (
	"math"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/project"
)

// Fan makes the tables for the bricks of an instance when they are first looked
// at: one for each order of visiting and each line of sight to some columns, or
// rows, of the picture. They serve bricks of every size and in any place, so
// that they stay valid while the camera moves without turning.
type Fan struct {
	// Offsets lead to the octants of a node in the order of visiting, for the
	// eight orders; octants of half size 1 in the fan's voxels.
	Offsets [8]asm.Offsets
	// Made counts the tables made.
	Made int

	// sheaves hold the tables, by the octant visited first and axis.
	sheaves [8][2]asm.Sheaf

	aspect      // that the tables are made for
	used   bool // in this frame

	width, reach float64 // half the width and depth of a brick of half size 1
}

// aspect is how instances are turned that look alike but for their place and
// size.
type aspect struct {
	axes [3][3]float64 // of the tree in camera space, the largest number being 1
	optics
}

// optics is what the aspects of a view have in common.
type optics struct {
	perLine  [2]float64 // pixels from one line of sight to the next
	perDepth float64    // half a brick at depth 1 is at most so deep
	around   float64    // how far the centres of bricks are from that of their node at most, in pixels
	steepest float64    // line of sight, in pixels
	parallel bool
}

// lines is how many lines of sight a fan holds along each axis.
const lines = 160

// slopes is how many lines of sight there are at most for a focal length:
// between two of them a leaf moves by less than 1/128 of a brick's depth.
const slopes = 128

// tableHalf is how many places of a table lie on each side of its middle, but for
// those that are empty and the rounding of a leaf's ends.
const tableHalf = asm.Places/2 - 2

// inexact widens a leaf by what the rounding of the brick's centre and size makes of
// a place: half a step of the centre's where a pixel takes most places.
const inexact = .25

// thinnest is the part of a brick's width that the places of a table cover at
// least, along the other axis, too: where it appears thinner than that, it does
// not take up all of them. No cube does that is not stretched.
const thinnest = .57

// mostPerDepth bounds what perspective may change within a brick; closer
// bricks have to be smaller.
const mostPerDepth = 1. / 32

// Fans are the fans of the last few aspects: in a city, houses are turned in
// four ways.
type Fans struct {
	fans []*Fan
	next int // to be used again where all are in use

	optics // those that instances had last
	view   *project.View
	pixels float64
}

// mostFans is how many fans are kept; each takes a third of a MB where all of it is
// used, and 5 MB of tables more for kernels that read those.
const mostFans = 8

// Begin begins a frame.
func (f *Fans) Begin() {
	for _, fan := range f.fans {
		fan.used = false
	}
	f.view = nil
}

// For is the fan of an instance; its bricks will appear at most pixels wide. A
// voxel of the instance is size times as large as one of the fan's.
func (f *Fans) For(p *project.Pose, pixels float64) (fan *Fan, size float64) {
	if f.view != p.View || f.pixels != pixels {
		f.optics, f.view, f.pixels = opticsOf(p.View, pixels), p.View, pixels
	}
	a := aspect{optics: f.optics}
	size = a.turn(p)
	var free *Fan
	for _, fan := range f.fans {
		if fan.aspect == a {
			fan.used = true
			return fan, size
		}
		if !fan.used {
			free = fan
		}
	}
	switch {
	case free != nil:
	case len(f.fans) < mostFans:
		free = &Fan{}
		f.fans = append(f.fans, free)
	default:
		f.next = (f.next + 1) % mostFans
		free = f.fans[f.next]
	}
	free.set(p.View, a)
	return free, size
}

// turn sets an aspect's axes to those of a pose. Here most of the time goes that
// a small instance takes to be set up: no division for each number, and no call.
func (a *aspect) turn(p *project.Pose) (size float64) {
	for k := range p.Axes {
		for c := range p.Axes[k] {
			if f := math.Abs(p.Axes[k][c]); f > size {
				size = f
			}
		}
	}
	// Rounded, so that those of one aspect are equal; far finer than places are.
	const fine = 1 << 40
	const whole = 3 << 51 // a sum with it has no digits behind the point
	scale := fine / size
	for k := range p.Axes {
		for c := range p.Axes[k] {
			a.axes[k][c] = (float64(p.Axes[k][c]*scale) + whole - whole) / fine
		}
	}
	return size
}

func opticsOf(v *project.View, pixels float64) (o optics) {
	o.around, o.parallel = pixels*.55, v.Parallel
	o.perDepth = math.Min(mostPerDepth, o.around/v.Focal)
	o.steepest = span(max(v.Width, v.Height)) / 2
	for c, side := range [2]int{v.Width, v.Height} {
		o.perLine[c] = math.Max(v.Focal/slopes, span(side)/(lines-1))
	}
	return o
}

// span is the range in which the centres of bricks lie, in pixels: some may be
// seen whose centre is outside the picture.
func span(side int) float64 { return float64(side) + 24 }

// set prepares the fan for an aspect.
func (f *Fan) set(v *project.View, a aspect) {
	if f.sheaves[0][0].Lines == nil {
		f.allocate()
	}
	f.aspect, f.used = a, true
	var r [3]float64
	for _, axis := range a.axes {
		for c, f := range axis {
			r[c] += math.Abs(f)
		}
	}
	f.width, f.reach = math.Max(r[0], r[1]), r[2]
	f.findOffsets()
	for c, side := range [2]int{v.Width, v.Height} {
		last, perPixel := math.Ceil(span(side)/f.perLine[c]), 1/f.perLine[c]
		if f.parallel {
			last, perPixel = 0, 0
		}
		for nearest := range f.sheaves {
			s := &f.sheaves[nearest][c]
			s.Last, s.PerPixel, s.Middle = float32(last), float32(perPixel), float32(last/2)
			s.Generation++
		}
	}
}

// allocate makes room for what is known of all lines of sight.
func (f *Fan) allocate() {
	all := make([]asm.Line, 8*2*lines)
	f.eachSheaf(func(s *asm.Sheaf, from, to int) { s.Lines = all[from:to] })
}

// allocateTables makes room for the tables of kernels that need them.
func (f *Fan) allocateTables() {
	tables := make([]asm.Table, 8*2*lines)
	f.eachSheaf(func(s *asm.Sheaf, from, to int) { s.Tables = tables[from:to] })
}

// eachSheaf visits the sheaves, with the part of a list for all that each has.
func (f *Fan) eachSheaf(visit func(s *asm.Sheaf, from, to int)) {
	for nearest := range f.sheaves {
		for c := range f.sheaves[nearest] {
			at := (nearest*2 + c) * lines
			visit(&f.sheaves[nearest][c], at, at+lines)
		}
	}
}

func (f *Fan) findOffsets() {
	first := &f.Offsets[0]
	for o := range 8 {
		var d [3]float64
		for k, axis := range f.axes {
			for c := range d {
				d[c] += float64(o>>k&1*2-1) * axis[c]
			}
		}
		first.DX[o], first.DY[o], first.DZ[o] = float32(d[0]), float32(d[1]), float32(d[2])
		if f.parallel { // nothing moves in depth
			first.DZ[o] = 0
		}
	}
	for nearest := 1; nearest < len(f.Offsets); nearest++ {
		offsets := &f.Offsets[nearest]
		for i := range 8 {
			offsets.DX[i], offsets.DY[i], offsets.DZ[i] = first.DX[i^nearest], first.DY[i^nearest], first.DZ[i^nearest]
		}
	}
}

// Serves tells whether the tables serve the bricks of a node: its centre's depth
// in camera space, and half the size of its bricks in the fan's voxels. They
// don't where perspective shows within a brick: a point q from its centre
// appears at
//
//	(q - slope*qz) / (z + qz)
//
// from it, where the tables have (q - slope*qz) / z.
func (f *Fan) Serves(depth, half float64) bool {
	return f.parallel || half*f.reach*(1+2*f.perDepth) <= f.perDepth*depth
}

// Fine tells whether the bricks of an instance of which the largest are so many pixels
// wide, if they are served, are fine, see asm.Bottoms. Most are at least half as wide as
// the largest, and so have no more places to a pixel than can be told.
func (f *Fan) Fine(widest float64) bool {
	if !f.parallel { // widest along the steepest line of sight
		widest = math.Min(widest, 2*f.perDepth*(f.width/f.reach+f.steepest))
	}
	return widest <= asm.MostFine
}

// Aim tells nodes of bricks the tables for an octant visited first, and what
// these count in.
func (f *Fan) Aim(b *asm.Bottoms, nearest int) {
	b.Columns, b.Rows = &f.sheaves[nearest][0], &f.sheaves[nearest][1]
}

// Make makes the tables for the line of sight to a place in pixels from the
// principal point, unless they are made, for an octant visited first.
func (f *Fan) Make(k *asm.Kernels, nearest int, x, y float32) {
	for c, at := range [2]float32{x, y} {
		s := &f.sheaves[nearest][c]
		if line := s.Line(at); s.Lines[line].Made != s.Generation {
			f.make(k, s, nearest, c, line)
		}
	}
}

// make makes the table for a line of sight.
func (f *Fan) make(k *asm.Kernels, s *asm.Sheaf, nearest, c, line int) {
	slope := (float64(line) - float64(s.Middle)) * f.perLine[c]
	if f.parallel {
		slope = 0
	}
	var axes [3]float64
	extent := 0.
	for i, a := range f.axes {
		axes[i] = a[c] - slope*a[2]
		extent += math.Abs(axes[i])
	}
	// What perspective may move, at most.
	astray := 0.
	if !f.parallel {
		astray = extent*f.perDepth + f.reach*(f.perLine[c]/2+f.around)
	}
	perVoxel := (tableHalf - inexact) / (math.Max(extent, thinnest*f.width) + astray)
	l := &s.Lines[line]
	l.Made, l.Step = s.Generation, float32(perVoxel*asm.StepUnit)
	half := perVoxel*(extent/4+astray) + inexact
	l.Width = uint8(math.Ceil(2 * half))
	// Away from the octant visited first.
	for i := range axes {
		axes[i] *= perVoxel / 2
		if nearest>>i&1 != 0 {
			axes[i] = -axes[i]
		}
	}
	var to [8]float64
	for i := range to {
		for k, a := range axes {
			to[i] += a * float64(i>>k&1*2-1)
		}
	}
	for leaf := range l.Spans {
		l.Spans.Cover(leaf, int(math.Floor(asm.Places/2+to[leaf>>3]+to[leaf&7]/2-half)))
	}
	f.Made++
	if k.MakeTable == nil {
		return
	}
	if s.Tables == nil {
		f.allocateTables()
	}
	k.MakeTable(&s.Tables[line], l)
}
