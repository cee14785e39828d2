package render

import (
	"context"
	"fmt"
	"image"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/ortho"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/svo"
)

// Renderer draws frames of one size. It keeps its buffers between frames, so
// that only the first one allocates. Two renderers may draw at the same time,
// one renderer may not draw two frames at once.
type Renderer struct {
	options Options
	kernels asm.Kernels
	sun     mgl64.Vec3
	ambient float64
	views   []*View
	workers []*traverser
	helpers []func() // the workers' goroutines but the first, made once: a frame allocates nothing
	helping sync.WaitGroup

	// The frame being drawn.
	ctx      context.Context
	frame    *Frame // that of the view, as its poses and lights
	scene    *Scene
	index    *index // of the scene, as its trees
	current  *View
	view     project.View
	frustum  project.Frustum // the view's
	trees    []*svo.Tree     // by instance
	poses    []project.Pose  // by instance, only set for those that are drawn
	lights   [][6]light      // likewise
	normals  [][6]mgl64.Vec3 // likewise
	counts   ladderCounts
	nextTile atomic.Int32
	traced   *tracedPixel                // draws its tile alone, unless it is nil
	broken   atomic.Pointer[WorkerPanic] // the first of this frame
}

// NewRenderer makes a renderer, or says which option is out of range.
func NewRenderer(options Options) (*Renderer, error) {
	if options.Width < 1 || options.Height < 1 || options.Width > project.MaxSide || options.Height > project.MaxSide {
		return nil, fmt.Errorf("picture size %dx%d: each side must be 1 to %d pixels", options.Width, options.Height, project.MaxSide)
	}
	core, err := options.core()
	if err != nil {
		return nil, err
	}
	switch {
	case options.LOD == 0 && core == CoreBricks:
		options.LOD = DefaultBrickLOD
	case options.LOD == 0:
		options.LOD = DefaultLOD
	case !(options.LOD >= MinLOD && options.LOD <= MaxLOD):
		return nil, fmt.Errorf("level of detail %g: must be %g to %g pixels", options.LOD, MinLOD, MaxLOD)
	}
	if options.Workers < 0 {
		return nil, fmt.Errorf("workers %d: must be 0 (one per CPU) or more", options.Workers)
	}
	if options.Without&^AllRungs != 0 {
		return nil, fmt.Errorf("rungs %#x to leave out: must be some of AllRungs", uint(options.Without))
	}
	if err := options.Subpixel.settle(); err != nil {
		return nil, err
	}
	kernels, err := asm.Select(options.Kernel)
	if err != nil {
		return nil, err
	}
	r := &Renderer{options: options, kernels: kernels}
	if err := r.setSun(options.Sun); err != nil {
		return nil, err
	}
	bound, err := bounding(kernels, options.Projection)
	if err != nil {
		return nil, err
	}
	across, down := r.tiles()
	for i := range min(r.workerCount(), across*down) {
		t := &traverser{
			kernels: kernels, project: bound, options: &r.options, core: core, lod: options.LOD,
			canvas: ortho.NewCanvas(options.Coverage), watch: stopwatch{on: options.StageTimes},
		}
		r.workers = append(r.workers, t)
		if i > 0 {
			r.helpers = append(r.helpers, func() {
				defer r.helping.Done()
				r.workSafely(t)
			})
		}
	}
	r.View(0)
	return r, nil
}

func bounding(k asm.Kernels, m project.Method) (asm.Project, error) {
	switch m {
	case project.TwoCorners:
		return k.ProjectTwo, nil
	case project.FourPoints:
		return k.ProjectFour, nil
	case project.EightCorners:
		return k.ProjectEight, nil
	}
	return nil, fmt.Errorf("projection %d: must be one of TwoCorners, FourPoints and EightCorners", m)
}

func (r *Renderer) workerCount() int {
	if r.options.Workers > 0 {
		return r.options.Workers
	}
	return runtime.GOMAXPROCS(0)
}

func (r *Renderer) setSun(s Sun) error {
	if s.Direction == (mgl64.Vec3{}) {
		s.Direction = DefaultSun
	}
	if s.Ambient == 0 {
		s.Ambient = DefaultAmbient
	}
	r.sun, r.ambient = s.Direction.Normalize(), s.Ambient
	if l := r.sun.Len(); !(l > 0.9 && l < 1.1) {
		return fmt.Errorf("sun: direction %v must be finite and not zero", s.Direction)
	}
	if !(s.Ambient > 0 && s.Ambient <= 1) {
		return fmt.Errorf("sun: ambient light %g must be above 0 and at most 1", s.Ambient)
	}
	return nil
}

func newFrame(o Options, n int) Frame {
	f := Frame{Width: o.Width, Height: o.Height, Colour: image.NewNRGBA(image.Rect(0, 0, o.Width, o.Height))}
	for plane, allocate := range map[Planes]func(){
		PlaneDepth:    func() { f.Depth = make([]float32, n) },
		PlaneNormal:   func() { f.Normal = make([]mgl32.Vec3, n) },
		PlaneLevel:    func() { f.Level = make([]uint8, n) },
		PlaneVisits:   func() { f.Visits = make([]uint16, n) },
		PlaneFace:     func() { f.Face = make([]Face, n) },
		PlaneVoxel:    func() { f.Voxel = make([]VoxelRef, n) },
		PlaneCoverage: func() { f.Coverage = make([]uint8, n) },
		PlaneOrder:    func() { f.Order = make([]uint32, n) },
	} {
		if o.Planes&plane != 0 {
			allocate()
		}
	}
	return f
}

// Kernel tells which kernels draw; never asm.Auto.
func (r *Renderer) Kernel() asm.Kernel { return r.kernels.Kernel }

// Core tells how octrees are traversed; never CoreAuto.
func (r *Renderer) Core() Core { return r.workers[0].core }

// Workers tells how many goroutines draw.
func (r *Renderer) Workers() int { return len(r.workers) }

// Draw draws the scene as the camera sees it, in view 0: it culls the
// instances, then traverses and resolves the picture tile by tile. It stops
// early, with the context's error, when ctx ends. The frame is valid until the
// next Draw.
//
// A panic in a goroutine that draws, which a tree that doesn't Validate may
// cause, is passed on to the caller as a *WorkerPanic; the renderer stays usable.
//
// Where the scene is Tracked and nothing has changed since the view's last frame,
// that frame is returned as it is, marked Held.
func (r *Renderer) Draw(ctx context.Context, s *Scene, c project.Camera) (*Frame, error) {
	return r.draw(ctx, r.views[0], s, c)
}

func (r *Renderer) draw(ctx context.Context, v *View, s *Scene, c project.Camera) (*Frame, error) {
	start := time.Now()
	view, err := c.View(r.options.Width, r.options.Height)
	if err != nil {
		return nil, err
	}
	if err := s.Section.check(); err != nil {
		return nil, err
	}
	x, err := s.sync()
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.frame = &v.frame
	v.stats.Frames++
	now := shot{s, x.self, s.revision, s.LaterWins, s.Section, c, v.least}
	if v.held(now) {
		v.stats.FramesHeld++
		v.frame.Stats.Held, v.frame.Stats.Times = true, Times{Total: time.Since(start)}
		return &v.frame, nil
	}
	v.last = shot{}
	if err := s.checkRange(&view); err != nil {
		return nil, err
	}
	v.remember(x, view)
	r.ctx, r.scene, r.index, r.current, r.view = ctx, s, x, v, view
	r.trees, r.poses, r.lights, r.normals = x.trees, v.poses, v.lights, v.normals
	r.frustum = view.Frustum()
	v.look(x, &r.frustum)
	v.frame.Stats = Stats{}
	v.frame.Stats.Cull = time.Since(start)
	r.drawTiles()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, t := range r.workers {
		if r.options.StageTimes {
			t.stats.split(t.stats.Traverse)
		}
		v.frame.Stats.add(&t.stats)
	}
	r.tally(v, &v.frame.Stats)
	v.last = now
	v.frame.Stats.Total = time.Since(start)
	return &v.frame, nil
}

// drawTiles lets every worker draw tiles; this goroutine is the first of them.
func (r *Renderer) drawTiles() {
	r.nextTile.Store(0)
	for _, t := range r.workers {
		t.stats, t.scene, t.subpixel = Stats{}, r.scene, r.current.subpixel
		t.bricks.fans.Begin()
		t.ladder.reset()
	}
	for _, help := range r.helpers {
		r.helping.Add(1)
		go help()
	}
	r.workSafely(r.workers[0])
	r.helping.Wait()
	if broken := r.broken.Swap(nil); broken != nil {
		panic(broken)
	}
}
