package models

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/svo"
)

// cloud is a set of points as a file holds them. They are read in batches and
// as often as needed, so that they are in memory only once.
type cloud struct {
	count    int
	coloured bool
	oriented bool // has normals
	// read fills a batch with the points from, from+1 and so on, as many as it
	// holds. It may be called by several goroutines at once.
	read func(from int, b *batch)
}

// batch holds some points, each property by itself. Colours and normals are
// only filled where the cloud has them.
type batch struct {
	at      [3][]float64
	colours []svo.Colour
	normals []svo.Normal
}

func newBatch(points int) *batch {
	b := &batch{colours: make([]svo.Colour, points), normals: make([]svo.Normal, points)}
	for axis := range b.at {
		b.at[axis] = make([]float64, points)
	}
	for i := range b.colours {
		b.colours[i] = plainColour
	}
	return b
}

// slice is the part of a batch between two points, the second exclusive.
func (b *batch) slice(from, to int) *batch {
	s := &batch{colours: b.colours[from:to], normals: b.normals[from:to]}
	for axis := range b.at {
		s.at[axis] = b.at[axis][from:to]
	}
	return s
}

// plainColour is that of points without a colour of their own.
var plainColour = svo.Colour{200, 200, 200}

// usable tells points that have a place: NaN and infinities mark what a scanner
// missed, and beyond this the squares of distances overflow.
func (b *batch) usable(i int) bool {
	return math.Abs(b.at[0][i]) <= farthest && math.Abs(b.at[1][i]) <= farthest && math.Abs(b.at[2][i]) <= farthest
}

// farthest is the greatest coordinate.
const farthest = MaxVoxelSize

const (
	// batchPoints is few enough for a second-level cache.
	batchPoints = 4096

	// memoryPerMixedVoxel is about what a voxel takes while its points are mixed.
	memoryPerMixedVoxel = 120
)

// batches calls task with all points, batch by batch, from several goroutines;
// worker tells them apart.
func (c *cloud) batches(workers int, task func(worker int, b *batch)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for worker := range workers {
		group.Go(func() {
			whole := newBatch(min(batchPoints, c.count))
			for {
				from := (int(next.Add(1)) - 1) * batchPoints
				if from >= c.count {
					return
				}
				b := whole.slice(0, min(batchPoints, c.count-from))
				c.read(from, b)
				task(worker, b)
			}
		})
	}
	group.Wait()
}

// extent is where the usable points are.
type extent struct {
	low, high [3]float64
	usable    int
	fractions [3]uint8 // of the coordinates, a bit each: 0, a half, any other
}

var nowhere = extent{
	low:  [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)},
	high: [3]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)},
}

const whole, half, other = 1, 2, 4

func (e *extent) add(b *batch) {
	for i := range b.at[0] {
		if !b.usable(i) {
			continue
		}
		e.usable++
		for axis := range 3 {
			v := b.at[axis][i]
			if v < e.low[axis] {
				e.low[axis] = v
			}
			if v > e.high[axis] {
				e.high[axis] = v
			}
			switch v - math.Floor(v) {
			case 0:
				e.fractions[axis] |= whole
			case 0.5:
				e.fractions[axis] |= half
			default:
				e.fractions[axis] |= other
			}
		}
	}
}

func (e *extent) union(f extent) {
	e.usable += f.usable
	for axis := range 3 {
		e.low[axis] = math.Min(e.low[axis], f.low[axis])
		e.high[axis] = math.Max(e.high[axis], f.high[axis])
		e.fractions[axis] |= f.fractions[axis]
	}
}

func (c *cloud) extent(workers int) extent {
	parts := make([]extent, workers)
	for i := range parts {
		parts[i] = nowhere
	}
	c.batches(workers, func(worker int, b *batch) { parts[worker].add(b) })
	all := nowhere
	for _, part := range parts {
		all.union(part)
	}
	return all
}

// largestLattice is how far points on whole or half coordinates may spread to
// be taken for the voxels of a model.
const largestLattice = 1 << 14

// voxelSize is the edge of a voxel that suits the points, where nobody chose
// one. It is 1 for points on a lattice: those whose coordinates along each axis
// are all whole numbers, or all in the middle between two, within 16,384 of
// each other. Else it is such that a voxel for each point would cover the
// bounding box, or reach along its longest side: the more points, the finer.
// Two digits are enough of it.
func (e *extent) voxelSize() float64 {
	a, b, c := e.high[0]-e.low[0], e.high[1]-e.low[1], e.high[2]-e.low[2]
	longest := max(a, b, c)
	lattice := longest < largestLattice
	for _, f := range e.fractions {
		lattice = lattice && (f == whole || f == half)
	}
	if lattice || longest == 0 {
		return max(1, e.least())
	}
	n := float64(e.usable)
	area := 2 * (float64(a*b) + float64(b*c) + float64(c*a)) // the conversions forbid fusing
	return twoDigits(max(math.Sqrt(area/n), longest/n, e.least()))
}

// least is a voxel size that is possible for these points, and close to the
// least one.
func (e *extent) least() float64 {
	least := float64(MinVoxelSize)
	for axis := range 3 {
		far := max(math.Abs(e.low[axis]), math.Abs(e.high[axis]))
		least = max(least, (e.high[axis]-e.low[axis])*2/(1<<svo.MaxBuiltDepth), far*2/mostCells)
	}
	return least
}

// mostCells is how far from 0 a cell may be: double precision still tells
// places within a cell there.
const mostCells = 1 << 40

func twoDigits(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 1, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// grid is where the voxels are: voxel 0 fills [base, base+1) cells, and a cell
// the edge size in the file's units. As base is a whole number, points that
// share a cell do so wherever the cloud begins.
type grid struct {
	size float64
	base [3]float64
	side [3]int // in cells
}

// newGrid fails where the voxel size is too small for the points.
func newGrid(e *extent, size float64) (grid, error) {
	g := grid{size: size}
	for axis := range 3 {
		g.base[axis] = math.Floor(e.low[axis] / size)
		last := math.Floor(e.high[axis] / size)
		side := last - g.base[axis] + 1
		if side > 1<<svo.MaxBuiltDepth || math.Abs(g.base[axis]) > mostCells || math.Abs(last) > mostCells {
			return g, fmt.Errorf("voxel size %g is too small for points between %g and %g along %c, at most %d voxels fit; choose a voxel size of %g or more",
				size, e.low[axis], e.high[axis], "xyz"[axis], 1<<svo.MaxBuiltDepth, twoDigits(e.least()))
		}
		g.side[axis] = int(side)
	}
	return g, nil
}

// cell is the voxel of a usable point.
func (g *grid) cell(b *batch, i int) (cell [3]uint32) {
	for axis := range cell {
		cell[axis] = uint32(math.Floor(b.at[axis][i]/g.size) - g.base[axis])
	}
	return cell
}

// transform puts the voxels back where the points were.
func (g *grid) transform() mgl64.Mat4 {
	s := g.size
	return mgl64.Translate3D(g.base[0]*s, g.base[1]*s, g.base[2]*s).Mul4(mgl64.Scale3D(s, s, s))
}

// voxelise makes a model of a cloud, a voxel wherever there is a point, and
// tells where it stands. A voxel with several points has their mean colour and
// the direction of the sum of their normals.
func (c *cloud) voxelise(opts Options, w *warnings) (Model, mgl64.Mat4, error) {
	none := mgl64.Ident4()
	if s := opts.VoxelSize; s != 0 && !(s >= MinVoxelSize && s <= MaxVoxelSize) {
		return Model{}, none, fmt.Errorf("voxel size %g: must be a number between %g and %g, or 0 for one that suits the points", s, MinVoxelSize, MaxVoxelSize)
	}
	workers := runtime.GOMAXPROCS(0)
	e := c.extent(workers)
	if skipped := c.count - e.usable; skipped > 0 {
		w.add("points", "%d of %d points skipped: their coordinates are NaN, infinite or beyond %g", skipped, c.count, float64(farthest))
	}
	if e.usable == 0 {
		return Model{}, none, fmt.Errorf("there is not one point in it")
	}
	size := opts.VoxelSize
	if size == 0 {
		size = e.voxelSize()
	}
	g, err := newGrid(&e, size)
	if err != nil {
		return Model{}, none, err
	}
	tree, err := c.build(&g, workers)
	if err != nil {
		return Model{}, none, err
	}
	if (c.coloured || c.oriented) && tree.Voxels() < uint64(e.usable) {
		if err := fits(tree.Voxels()*memoryPerMixedVoxel, opts); err != nil {
			return Model{}, none, err
		}
		if tree, err = c.mix(&g, tree, workers); err != nil {
			return Model{}, none, err
		}
	}
	return Model{Size: g.side, Stored: uint64(e.usable), Tree: tree}, g.transform(), nil
}

// fits fails where bytes are more than a model may take.
func fits(bytes uint64, opts Options) error {
	if bytes <= uint64(opts.maxMemory()) {
		return nil
	}
	return fmt.Errorf("its points would take %s, more than the limit of %s; raise the limit or choose a larger voxel size",
		bytesText(int64(min(bytes, math.MaxInt64))), bytesText(opts.maxMemory()))
}

// build makes a tree with a voxel wherever there is a point. Which of its
// points gives it its look is left to chance.
func (c *cloud) build(g *grid, workers int) (*svo.Tree, error) {
	b := svo.NewBuilder(svo.AutoDepth)
	var failed error
	var mutex sync.Mutex // of b and failed
	cells := make([][batchPoints][3]uint32, workers)
	c.batches(workers, func(worker int, points *batch) {
		cells := cells[worker][:len(points.colours)]
		for i := range cells {
			if points.usable(i) {
				cells[i] = g.cell(points, i)
			}
		}
		mutex.Lock()
		defer mutex.Unlock()
		for i, cell := range cells {
			if !points.usable(i) {
				continue
			}
			if err := b.Add(cell[0], cell[1], cell[2], svo.Voxel{Colour: points.colours[i], Normal: points.normals[i]}); err != nil {
				failed = err
			}
		}
	})
	if failed != nil {
		return nil, failed
	}
	return b.Build(context.Background())
}

// look sums up the points of a voxel. Integers make it exact, whatever the
// order in which they are added.
type look struct {
	rgb    [3]atomic.Uint64
	points atomic.Uint64
}

// lean sums up the normals of a voxel, in units of 1/leanUnit.
type lean [3]atomic.Int64

const leanUnit = 1 << 20

// mix makes the tree again with the mean of all points of a voxel.
func (c *cloud) mix(g *grid, tree *svo.Tree, workers int) (*svo.Tree, error) {
	first := uint32(tree.Inner()) // the voxels have the ids from here on
	looks := make([]look, tree.Voxels())
	var leans []lean
	if c.oriented {
		leans = make([]lean, tree.Voxels())
	}
	c.batches(workers, func(_ int, points *batch) {
		for i, colour := range points.colours {
			if !points.usable(i) {
				continue
			}
			cell := g.cell(points, i)
			id, _ := tree.At(cell[0], cell[1], cell[2])
			l := &looks[id-first]
			l.points.Add(1)
			for channel, v := range colour {
				l.rgb[channel].Add(uint64(v))
			}
			if leans != nil {
				for axis, v := range points.normals[i].Vec3() {
					leans[id-first][axis].Add(int64(math.RoundToEven(float64(v) * leanUnit)))
				}
			}
		}
	})
	b := svo.NewBuilder(svo.AutoDepth)
	for at, id := range tree.All() {
		v := svo.Voxel{Colour: looks[id-first].colour()}
		if leans != nil {
			v.Normal = leans[id-first].normal()
		}
		if err := b.Add(at[0], at[1], at[2], v); err != nil {
			return nil, err
		}
	}
	return b.Build(context.Background())
}

// colour is the mean, rounded to the nearest.
func (l *look) colour() (c svo.Colour) {
	n := l.points.Load()
	for channel := range c {
		c[channel] = uint8((l.rgb[channel].Load() + n/2) / n)
	}
	return c
}

// normal is the direction of the sum; none where the normals cancel out.
func (l *lean) normal() svo.Normal {
	var v [3]float64
	longest := 0.0
	for axis := range v {
		v[axis] = float64(l[axis].Load())
		longest = max(longest, math.Abs(v[axis]))
	}
	if longest < leanUnit/1024 { // what rounding leaves of normals that cancel out
		return 0
	}
	return svo.NewNormal([3]float32{float32(v[0]), float32(v[1]), float32(v[2])})
}
