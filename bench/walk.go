package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/render/witness"
)

// walkCmd walks at random through models, in legs: each is in another model,
// and starts anew inside it, outside, or far away. Both cores draw each step.
type walkCmd struct {
	settings
	Models []string `arg:"" optional:"" name:"model" help:"Models to walk through; some procedural ones and a crowd where none is given."`
	Frames int      `default:"10000" help:"Pictures to draw (${default})."`
	Check  int      `default:"100" help:"Hold every such picture of a model against rays (${default})."`
	Seed   uint64   `default:"1" help:"Another walk for each (${default})."`
}

// walked is a model that is walked through.
type walked struct {
	subject
	name  string
	truth witness.Scene
	steps int
	cores []*found
}

// found is what one core drew of a model.
type found struct {
	variant
	// crowded is set where the model is several instances: a node that rightly
	// comes first in its own, but reaches over and lies deep, may then lose its
	// pixel to another. That is judged by how often it happens.
	crowded bool
	samples []float64
	pixels  int
	rays    int // that hit, of the pictures checked
	check   Check
}

// How many pixels may be see-through among several instances: so many in one
// unlucky picture, and one in so many of a long walk.
const seeThroughInOne, seeThroughRarely = 16, 10_000

// legLength is how many steps a leg has: not a divisor of usual intervals of
// checking, so that checks meet all parts of a leg.
const legLength = 23

// checkedPlanes are what the witness wants to see.
const checkedPlanes = render.PlaneDepth | render.PlaneFace | render.PlaneVoxel

// Run is called by kong.
func (w *walkCmd) Run(ctx context.Context, c console) error {
	if w.Frames < 2 || w.Check < 1 {
		return fmt.Errorf("--frames %d, --check %d: must be 2 and 1 or more", w.Frames, w.Check)
	}
	r, err := w.newReport()
	if err != nil {
		return err
	}
	grounds, err := w.grounds()
	if err != nil {
		return err
	}
	memory, err := w.walk(ctx, c, grounds)
	if err != nil {
		return err
	}
	r.columns = []column{
		{"checked", count(func(r *Row) int { return r.Checked })},
		{"holes", count(func(r *Row) int { return r.Holes })},
		{"see-through", count(func(r *Row) int { return r.SeeThrough })},
		{"faults", count(func(r *Row) int { return r.Faults })},
	}
	floor, faults, seeThrough, rays := (floors{}).of(w.Size, w.Threads), 0, 0, 0
	var rows []Row
	for _, g := range grounds {
		for _, core := range g.cores {
			row := Row{Name: g.name + ", " + core.name, Size: w.Size.String(), Threads: w.Threads, statistics: describe(core.samples),
				Pixels: core.pixels / max(1, len(core.samples)), machine: r.machine, Check: &core.check}
			row.settle(floor)
			rows = append(rows, row)
			faults += core.check.Faults
			if core.crowded {
				seeThrough, rays = seeThrough+core.check.SeeThrough, rays+core.rays
			}
		}
	}
	r.tables = []table{{"walk", rows}}
	r.plots = []plotted{bars("walk", "ms, median", rows, func(r *Row) float64 { return r.Median })}
	if err := r.write(c); err != nil {
		return err
	}
	c.note("second half of the walk: %.4f allocations a picture, live heap %+d bytes", memory.allocations, memory.growth)
	switch {
	case faults > 0:
		return fmt.Errorf("%d faults in the pictures: see the notes above", faults)
	case seeThrough > seeThroughInOne && seeThrough > rays/seeThroughRarely:
		return fmt.Errorf("%d of %d pixels of scenes with several instances are see-through: see the notes above", seeThrough, rays)
	case memory.allocations > 0.5 || memory.growth > 1<<20:
		return fmt.Errorf("drawing must not allocate: %.4f allocations a picture, live heap %+d bytes", memory.allocations, memory.growth)
	}
	return nil
}

// grounds are the models to walk through.
func (w *walkCmd) grounds() (grounds []*walked, err error) {
	names := w.Models
	if len(names) == 0 {
		names = []string{"proc:island", "proc:sponge", "proc:terrain?size=512", "proc:sphere?size=200", "proc:cube"}
	}
	for _, name := range names {
		s, err := load(name, models.Options{})
		if err != nil {
			return nil, err
		}
		grounds = append(grounds, newWalked(name, s))
	}
	if len(w.Models) == 0 {
		grounds = append(grounds, newWalked("crowd", grounds[3].crowd(40)))
	}
	return grounds, nil
}

func newWalked(name string, s subject) *walked {
	return &walked{subject: s, name: name, truth: s.truth(), cores: []*found{
		{variant: bricks, crowded: len(s.scene.Instances) > 1}, {variant: classic, crowded: len(s.scene.Instances) > 1}}}
}

// memory is what drawing did to the heap in the second half of a walk, when
// every buffer has its size.
type memory struct {
	allocations float64 // a picture
	growth      int64   // of the live heap, bytes
}

// walk draws the pictures. Allocations are counted around the drawing alone.
func (w *walkCmd) walk(ctx context.Context, c console, grounds []*walked) (memory, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(w.Threads))
	o := w.options()
	o.Planes = checkedPlanes
	var contenders []*contender
	for _, core := range grounds[0].cores {
		contender, err := w.newContender(core.name, nil, make([]project.Camera, 1), core.apply(o))
		if err != nil {
			return memory{}, err
		}
		contenders = append(contenders, contender)
	}
	for _, g := range grounds { // so that what grows is what drawing keeps
		for _, core := range g.cores {
			core.samples = make([]float64, 0, w.Frames)
		}
	}
	walker := walker{random: rand.New(rand.NewPCG(w.Seed, 1))}
	var allocations uint64
	var live int64
	for k := range w.Frames {
		ground := grounds[k/legLength%len(grounds)]
		if k == w.Frames/2 {
			live, allocations = liveHeap(), 0
		}
		if k%legLength == 0 {
			walker.start(&ground.subject)
		}
		camera := walker.step(&ground.subject)
		ground.steps++
		var truth *witness.Picture
		if ground.steps%w.Check == 0 {
			var err error
			if truth, err = witness.Cast(ground.truth, camera, w.Size.width, w.Size.height); err != nil {
				return memory{}, err
			}
		}
		for i, contender := range contenders {
			contender.scene, contender.cameras[0] = ground.scene, camera
			before := mallocs()
			frame, elapsed, err := contender.draw(ctx, 0)
			allocations += mallocs() - before
			if err != nil {
				return memory{}, fmt.Errorf("%s, step %d of the walk, %+v: %w", ground.name, k+1, camera, err)
			}
			core := ground.cores[i]
			core.samples = append(core.samples, elapsed)
			core.pixels += frame.Stats.Pixels
			if truth == nil {
				continue
			}
			if err := core.hold(frame, truth); err != nil {
				c.note("%s, %s, step %d of the walk, %+v: %v", ground.name, core.name, k+1, camera, err)
			}
		}
	}
	drawn := len(contenders) * (w.Frames - w.Frames/2)
	return memory{float64(allocations) / float64(drawn), liveHeap() - live}, nil
}

func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}

func liveHeap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// hold compares a picture with what rays see, and tells its faults as an error.
func (f *found) hold(frame *render.Frame, truth *witness.Picture) error {
	report, err := witness.Compare(plain(frame), truth)
	if err != nil {
		return err
	}
	f.check.Checked++
	f.check.Holes += report.Faults[witness.HoleInside] + report.Faults[witness.HoleBorder]
	f.check.SeeThrough += report.Faults[witness.SeeThrough]
	f.rays += report.Hits
	for kind, n := range report.Faults {
		switch k := witness.Kind(kind); {
		case k == witness.Fattened: // which only an average can judge
		case k == witness.SeeThrough && f.crowded:
		default:
			f.check.Faults += n
		}
	}
	return report.Err()
}

// plain is a frame as the witness takes it.
func plain(f *render.Frame) witness.Frame {
	w := witness.Frame{Width: f.Width, Height: f.Height, Depth: f.Depth,
		Face: make([]uint8, len(f.Face)), Voxel: make([]witness.Voxel, len(f.Voxel))}
	for k, face := range f.Face {
		w.Face[k] = uint8(face)
	}
	for k, voxel := range f.Voxel {
		w.Voxel[k] = witness.Voxel(voxel)
	}
	return w
}

// walker is somebody who strolls about a model and looks around.
type walker struct {
	random    *rand.Rand
	direction mgl64.Vec3 // from the middle of the model, of length one
	distance  float64    // logarithm, in radii of the model
	gaze      mgl64.Vec3 // what is looked at, in radii from the middle
	away      bool       // with the back to it
	camera    project.Camera
}

// The nearest and farthest that a walker comes to the middle of a model, in its
// radii: from within it to where all of it is a few pixels.
const nearest, farthest = 0.02, 40

// start begins a leg: a new place and another lens.
func (w *walker) start(s *subject) {
	w.direction, w.gaze = w.vector(1).Normalize(), w.vector(0.3)
	w.distance = math.Log(nearest) + w.random.Float64()*math.Log(farthest/nearest)
	w.away = w.random.IntN(5) == 0
	w.camera = project.Camera{Up: s.up, FovY: 15 + 90*w.random.Float64()}
	if w.random.IntN(8) == 0 {
		w.camera.Up = w.vector(1)
	}
}

// step is the next picture's camera.
func (w *walker) step(s *subject) project.Camera {
	low, high, _ := s.scene.Bounds()
	middle, radius := low.Add(high).Mul(0.5), high.Sub(low).Len()/2
	w.direction = w.direction.Add(w.vector(0.15)).Normalize()
	w.distance += 0.2 * w.random.NormFloat64()
	w.distance = math.Min(math.Max(w.distance, math.Log(nearest)), math.Log(farthest))
	w.gaze = w.gaze.Add(w.vector(0.05))
	offset := w.direction.Mul(math.Exp(w.distance))
	w.camera.Eye = middle.Add(offset.Mul(radius))
	w.camera.Target = middle.Add(w.gaze.Mul(radius))
	if w.away {
		w.camera.Target = w.camera.Eye.Mul(2).Sub(w.camera.Target)
	}
	return w.camera
}

// vector is a random one, of about that length.
func (w *walker) vector(length float64) mgl64.Vec3 {
	v := mgl64.Vec3{w.random.NormFloat64(), w.random.NormFloat64(), w.random.NormFloat64()}
	return v.Mul(length / math.Sqrt(3))
}
