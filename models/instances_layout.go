package models

import (
	"math"
	"math/rand/v2"

	"github.com/go-gl/mathgl/mgl64"
)

// transform reads where an instance stands: a matrix, or a position, a rotation
// and a scale, which come in the opposite order: scaled first, then turned, then
// moved.
func (f *jsonFile) transform(v *jsonValue) mgl64.Mat4 {
	f.object(v, "transform", "position", "rotation", "scale", "matrix")
	if m := v.member("matrix"); m != nil {
		if len(v.members) > 1 {
			f.fail(v.at, "a matrix says it all: leave out position, rotation and scale, or the matrix")
		}
		return f.matrix(m, "matrix", 9, 16)
	}
	move, turn, size := mgl64.Ident4(), mgl64.Ident4(), mgl64.Ident4()
	if p := v.member("position"); p != nil {
		at := f.numbers(p, "position", -greatestPlace, greatestPlace, 3)
		move = mgl64.Translate3D(at[0], at[1], at[2])
	}
	if r := v.member("rotation"); r != nil {
		turn = f.rotation(r)
	}
	if s := v.member("scale"); s != nil {
		by := f.scale(s)
		size = mgl64.Scale3D(by[0], by[1], by[2])
	}
	return move.Mul4(turn).Mul4(size)
}

// matrix reads 9 or 16 numbers, row by row; it must be affine and invertible.
func (f *jsonFile) matrix(v *jsonValue, what string, lengths ...int) mgl64.Mat4 {
	n := f.numbers(v, what, -greatestPlace, greatestPlace, lengths...)
	side := 3
	if len(n) == 16 {
		side = 4
	}
	m := mgl64.Ident4()
	for row := range side {
		for column := range side {
			m.Set(row, column, n[row*side+column])
		}
	}
	if m.Row(3) != (mgl64.Vec4{0, 0, 0, 1}) {
		f.fail(v.at, "the last row of a %s must be 0, 0, 0, 1; the numbers stand row by row", what)
	}
	if !(math.Abs(m.Mat3().Det()) >= leastScale*leastScale*leastScale) {
		f.fail(v.at, "the %s flattens what it is applied to: its determinant is too near to 0", what)
	}
	return m
}

// rotation reads degrees about x, y and z, in this order; or a quaternion x, y,
// z, w; or the nine numbers of a matrix.
func (f *jsonFile) rotation(v *jsonValue) mgl64.Mat4 {
	switch len(v.list) {
	case 4:
		q := f.numbers(v, "rotation", -greatestPlace, greatestPlace, 4)
		quaternion := mgl64.Quat{W: q[3], V: mgl64.Vec3{q[0], q[1], q[2]}}
		if !(quaternion.Len() > leastScale) {
			f.fail(v.at, "a rotation by the quaternion 0, 0, 0, 0 is none")
			return mgl64.Ident4()
		}
		return quaternion.Normalize().Mat4()
	case 9:
		return f.matrix(v, "rotation", 9)
	}
	n := f.numbers(v, "rotation", -greatestPlace, greatestPlace, 3, 4, 9)
	m := mgl64.Ident4()
	for axis, degrees := range n {
		m = aboutAxis(axis, degrees).Mul4(m)
	}
	return m
}

// aboutAxis is a rotation about x, y or z, exact for right angles.
func aboutAxis(axis int, degrees float64) mgl64.Mat4 {
	degrees = math.Mod(degrees, 360)
	sin, cos := math.Sincos(mgl64.DegToRad(degrees))
	if degrees == math.Trunc(degrees/90)*90 {
		sin, cos = math.Round(sin), math.Round(cos)
	}
	m := mgl64.Ident4()
	u, v := (axis+1)%3, (axis+2)%3
	m.Set(u, u, cos)
	m.Set(u, v, -sin)
	m.Set(v, u, sin)
	m.Set(v, v, cos)
	return m
}

// scale reads a factor, or one for each axis; negative ones mirror.
func (f *jsonFile) scale(v *jsonValue) mgl64.Vec3 {
	n := []float64{0, 0, 0}
	if v.list == nil {
		n[0] = f.number(v, "scale", -largestScale, largestScale)
		n[1], n[2] = n[0], n[0]
	} else {
		n = f.numbers(v, "scale", -largestScale, largestScale, 3)
	}
	for _, x := range n {
		if math.Abs(x) < leastScale {
			f.fail(v.at, "a scale of %g leaves nothing to be seen; the least is %g", x, leastScale)
		}
	}
	return mgl64.Vec3{n[0], n[1], n[2]}
}

// layout is where the copies of an instance stand.
type layout struct {
	grid    [3]uint64     // how many along three directions
	steps   [3]mgl64.Vec3 // from one to the next
	scatter *scatter      // instead of the grid
}

// scatter is copies at random.
type scatter struct {
	count     uint64
	low, high mgl64.Vec3
	seed      uint64
	yaw       [2]float64 // degrees about the vertical
	scale     [2]float64
}

// layout reads how often an instance occurs: once, count times in a row, in a
// grid or scattered. The most bounds the number.
func (f *jsonFile) layout(v *jsonValue, most uint64) layout {
	l := layout{grid: [3]uint64{1, 1, 1}}
	count, spacing, grid, scattered := v.member("count"), v.member("spacing"), v.member("grid"), v.member("scatter")
	ways := 0
	for _, way := range []*jsonValue{count, grid, scattered} {
		if way != nil {
			ways++
		}
	}
	switch {
	case ways > 1:
		f.fail(v.at, "an instance has one of count, grid and scatter: leave out the others")
	case spacing != nil && count == nil:
		f.fail(spacing.at, "spacing belongs to a count; a grid has its own")
	case count != nil:
		l.grid[0] = f.whole(count, "count", 1, most)
		if spacing != nil {
			l.steps[0] = mgl64.Vec3(f.numbers(spacing, "spacing", -greatestPlace, greatestPlace, 3))
		} else if l.grid[0] > 1 {
			f.fail(count.at, `a count needs a "spacing": the step from one to the next, like [10, 0, 0]`)
		}
	case grid != nil:
		l.readGrid(f, grid, most)
	case scattered != nil:
		l.scatter = f.scatter(scattered, most)
	}
	return l
}

func (l *layout) readGrid(f *jsonFile, v *jsonValue, most uint64) {
	f.object(v, "grid", "count", "spacing")
	count, spacing := v.member("count"), v.member("spacing")
	if count == nil || spacing == nil {
		f.fail(v.at, `a grid needs a "count" and a "spacing", each along x, y and z`)
		return
	}
	if len(count.list) != 3 {
		f.fail(count.at, "count of a grid must be a list of 3 numbers")
		return
	}
	total := uint64(1)
	for axis := range 3 {
		l.grid[axis] = f.whole(&count.list[axis], "count of a grid", 1, most)
		if f.err == nil && l.grid[axis] > most/total {
			f.fail(count.at, "a grid of more than %d copies exceeds the limit; choose fewer or raise the limit", most)
		}
		total *= max(l.grid[axis], 1)
	}
	for axis, step := range f.numbers(spacing, "spacing", -greatestPlace, greatestPlace, 3) {
		l.steps[axis][axis] = step
	}
}

func (f *jsonFile) scatter(v *jsonValue, most uint64) *scatter {
	f.object(v, "scatter", "count", "box", "seed", "yaw", "scale")
	s := &scatter{scale: [2]float64{1, 1}}
	count, box := v.member("count"), v.member("box")
	if count == nil || box == nil {
		f.fail(v.at, `scatter needs a "count" and a "box": its lowest and its highest corner`)
		return s
	}
	s.count = f.whole(count, "count", 1, most)
	if len(box.list) != 2 {
		f.fail(box.at, "box must be a list of 2 corners, each a list of 3 numbers")
		return s
	}
	s.low = mgl64.Vec3(f.numbers(&box.list[0], "the lowest corner", -greatestPlace, greatestPlace, 3))
	s.high = mgl64.Vec3(f.numbers(&box.list[1], "the highest corner", -greatestPlace, greatestPlace, 3))
	for axis := range 3 {
		if s.low[axis] > s.high[axis] {
			f.fail(box.at, "box: %g is above %g along %c; give the lowest corner first", s.low[axis], s.high[axis], "xyz"[axis])
		}
	}
	if seed := v.member("seed"); seed != nil {
		s.seed = f.whole(seed, "seed", 0, maxSeed)
	}
	bounds := func(key string, into *[2]float64, low, high float64) {
		if r := v.member(key); r != nil {
			*into = [2]float64(f.numbers(r, key, low, high, 2))
			if into[0] > into[1] {
				f.fail(r.at, "%s goes from %g to %g; give the lower one first", key, into[0], into[1])
			}
		}
	}
	bounds("yaw", &s.yaw, -greatestPlace, greatestPlace)
	bounds("scale", &s.scale, leastScale, largestScale)
	return s
}

// count is how many copies there are.
func (l *layout) count() uint64 {
	if l.scatter != nil {
		return l.scatter.count
	}
	return l.grid[0] * l.grid[1] * l.grid[2]
}

// transforms are those of all copies of what is transformed by base: moved along
// the world's axes, and, where they are scattered, turned about the vertical and
// scaled before.
func (l *layout) transforms(base mgl64.Mat4) []mgl64.Mat4 {
	all := make([]mgl64.Mat4, 0, l.count())
	moved := func(at mgl64.Vec3, m mgl64.Mat4) {
		for axis, v := range at {
			m.Set(axis, 3, m.At(axis, 3)+v)
		}
		all = append(all, m)
	}
	if s := l.scatter; s != nil {
		random := rand.NewPCG(s.seed, 0x9e3779b97f4a7c15)
		between := func(low, high float64) float64 { return low + (high-low)*(float64(random.Uint64()>>11)/(1<<53)) }
		for range s.count {
			var at mgl64.Vec3
			for axis := range at {
				at[axis] = between(s.low[axis], s.high[axis])
			}
			own := aboutAxis(2, between(s.yaw[0], s.yaw[1]))
			size := between(s.scale[0], s.scale[1])
			moved(at, base.Mul4(own).Mul4(mgl64.Scale3D(size, size, size)))
		}
		return all
	}
	for z := range l.grid[2] {
		for y := range l.grid[1] {
			for x := range l.grid[0] {
				moved(l.steps[0].Mul(float64(x)).Add(l.steps[1].Mul(float64(y))).Add(l.steps[2].Mul(float64(z))), base)
			}
		}
	}
	return all
}
