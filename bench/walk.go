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
// and starts anew inside it, outside, or far away.
type walkCmd struct {
	settings
	Models []string `arg:"" optional:"" name:"model" help:"Models to walk through; some procedural ones and a crowd where none is given."`
	Frames int      `default:"10000" help:"Pictures to draw (${default})."`
	Check  int      `default:"25" help:"Hold every such picture against rays (${default})."`
	Seed   uint64   `default:"1" help:"Another walk for each (${default})."`
}

// walked is a model that is walked through.
type walked struct {
	subject
	name string
	// truth is the scene as the witness takes it. Trees without end are cast to
	// an eighth of a pixel, not to their leaves.
	truth   witness.Scene
	samples []float64
	pixels  int
	check   Check
}

// legLength is how many pictures a leg has.
const legLength = 25

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
		{"faults", count(func(r *Row) int { return r.Faults })},
	}
	floor, faults := (floors{}).of(w.Size, w.Threads), 0
	rows := make([]Row, len(grounds))
	for i, g := range grounds {
		rows[i] = Row{Name: g.name, Size: w.Size.String(), Threads: w.Threads, statistics: describe(g.samples),
			Pixels: g.pixels / max(1, len(g.samples)), machine: r.machine, Check: &g.check}
		rows[i].settle(floor)
		faults += g.check.Faults
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
	w := &walked{subject: s, name: name}
	w.truth = witness.Scene{LaterWins: s.scene.LaterWins, Models: make([]witness.Model, len(s.scene.Instances))}
	for i, instance := range s.scene.Instances {
		if instance.Hidden {
			continue
		}
		w.truth.Models[i] = witness.Model{Tree: instance.Tree, Transform: instance.Transform}
		if instance.Tree.Depth > 14 {
			w.truth.MaxFootprint = 0.125
		}
	}
	return w
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
	o.Planes = render.PlaneDepth | render.PlaneFace | render.PlaneVoxel
	contender, err := newContender("walk", nil, make([]project.Camera, 1), o)
	if err != nil {
		return memory{}, err
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
		contender.scene, contender.cameras[0] = ground.scene, camera
		before := mallocs()
		frame, elapsed, err := contender.draw(ctx, 0)
		allocations += mallocs() - before
		if err != nil {
			return memory{}, fmt.Errorf("%s, picture %d of the walk, %+v: %w", ground.name, k+1, camera, err)
		}
		ground.samples = append(ground.samples, elapsed)
		ground.pixels += frame.Stats.Pixels
		if k%w.Check == w.Check-1 {
			if err := ground.hold(c, k, frame, camera); err != nil {
				return memory{}, err
			}
		}
	}
	return memory{float64(allocations) / float64(w.Frames-w.Frames/2), liveHeap() - live}, nil
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

// hold compares a picture with what rays see.
func (w *walked) hold(c console, k int, f *render.Frame, camera project.Camera) error {
	picture, err := witness.Cast(w.truth, camera, f.Width, f.Height)
	if err != nil {
		return err
	}
	found, err := witness.Compare(plain(f), picture)
	if err != nil {
		return err
	}
	w.check.Checked++
	w.check.Holes += found.Faults[witness.HoleInside] + found.Faults[witness.HoleBorder]
	if err := found.Err(); err != nil {
		c.note("%s, picture %d of the walk, %+v: %v", w.name, k+1, camera, err)
		for kind, n := range found.Faults {
			if witness.Kind(kind) != witness.Fattened { // which Err doesn't count either
				w.check.Faults += n
			}
		}
	}
	return nil
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
