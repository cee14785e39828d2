package render_test

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/svo"
)

const allPlanes = render.PlaneDepth | render.PlaneNormal | render.PlaneLevel | render.PlaneVisits |
	render.PlaneFace | render.PlaneVoxel | render.PlaneCoverage

// speckle is a tree of n random voxels of many colours.
func speckle(t require.TestingT, seed uint64, depth, n int) *svo.Tree {
	random := rand.New(rand.NewPCG(seed, 1))
	b := svo.NewBuilder(depth)
	side := uint32(1) << depth
	for range n {
		v := svo.Voxel{Colour: svo.Colour{uint8(random.Uint32()), uint8(random.Uint32()), uint8(random.Uint32())}}
		require.NoError(t, b.Add(random.Uint32N(side), random.Uint32N(side), random.Uint32N(side), v))
	}
	tree, err := b.Build(context.Background())
	require.NoError(t, err)
	return tree
}

// heap is a scene of overlapping, rotated, scaled and mirrored instances.
func heap(t require.TestingT, n int) *render.Scene {
	random := rand.New(rand.NewPCG(7, 7))
	trees := []*svo.Tree{speckle(t, 1, 5, 4000), speckle(t, 2, 6, 900), speckle(t, 3, 3, 300)}
	s := &render.Scene{}
	for i := range n {
		axis := mgl64.Vec3{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}.Normalize()
		scale := math.Exp(random.NormFloat64() / 2)
		m := mgl64.Translate3D(60*random.Float64(), 60*random.Float64(), 60*random.Float64()).
			Mul4(mgl64.HomogRotate3D(6*random.Float64(), axis)).
			Mul4(mgl64.Scale3D(scale, scale*float64(1-2*(i&1)), scale))
		s.Instances = append(s.Instances, render.Instance{Tree: trees[i%len(trees)], Transform: m})
	}
	return s
}

func overview() project.Camera {
	return project.Camera{
		Eye: mgl64.Vec3{-70, -90, 80}, Target: mgl64.Vec3{30, 30, 30}, Up: mgl64.Vec3{0, 0, 1}, FovY: 45,
	}
}

func drawFrame(t require.TestingT, o render.Options, s *render.Scene, c project.Camera) *render.Frame {
	r, err := render.NewRenderer(o)
	require.NoError(t, err)
	f, err := r.Draw(context.Background(), s, c)
	require.NoError(t, err)
	requireCountersAddUp(t, f)
	requireLadderAddsUp(t, r)
	return f
}

// requireCountersAddUp holds a frame to the sum that Stats promises.
func requireCountersAddUp(t require.TestingT, f *render.Frame) {
	s := f.Stats
	require.Equal(t, s.Tested, s.Behind+s.Outside+s.Empty+s.Subpixel+s.Occluded+s.Opened+s.Drawn)
	require.Equal(t, s.Batches, s.OrderInherited+s.OrderDecided)
	require.LessOrEqual(t, s.OrthoBatches, s.Batches)
	seen := 0
	for i := 3; i < len(f.Colour.Pix); i += 4 {
		seen += int(f.Colour.Pix[i] / 255)
	}
	require.Equal(t, s.Pixels, seen)
}

// samePicture compares every plane; not the times, nor what tiles count.
func samePicture(t require.TestingT, want, got *render.Frame, why string) {
	require.Equal(t, want.Colour.Pix, got.Colour.Pix, why)
	require.Equal(t, want.Depth, got.Depth, why)
	require.Equal(t, want.Normal, got.Normal, why)
	require.Equal(t, want.Level, got.Level, why)
	require.Equal(t, want.Face, got.Face, why)
	require.Equal(t, want.Voxel, got.Voxel, why)
	require.Equal(t, want.Coverage, got.Coverage, why)
	require.Equal(t, want.Visits, got.Visits, why)
}

func TestSameBytesFromEveryKernelThreadCountAndRun(t *testing.T) {
	scene := heap(t, 40)
	for _, camera := range []project.Camera{
		overview(),
		{Eye: mgl64.Vec3{30, 31, 29}, Target: mgl64.Vec3{60, 60, 31}, Up: mgl64.Vec3{0, 0, 1}, FovY: 100},
		{Eye: mgl64.Vec3{-70, -90, 80}, Target: mgl64.Vec3{30, 30, 30}, Up: mgl64.Vec3{0, 0, 1}, Scale: 5},
		{Eye: mgl64.Vec3{-7000, -9000, 8000}, Target: mgl64.Vec3{30, 30, 30}, Up: mgl64.Vec3{0, 0, 1}, FovY: 1},
	} {
		options := render.Options{Width: 300, Height: 270, Planes: allPlanes, Kernel: asm.Go, Workers: 1}
		want := drawFrame(t, options, scene, camera)
		require.NotZero(t, want.Stats.Pixels)
		for _, k := range asm.Offered() {
			for _, workers := range []int{1, 3} {
				options.Kernel, options.Workers = k.Kernel, workers
				samePicture(t, want, drawFrame(t, options, scene, camera), k.Kernel.String())
			}
		}
	}
}

func TestARendererIsReusable(t *testing.T) {
	scene := heap(t, 10)
	options := render.Options{Width: 300, Height: 200, Planes: allPlanes}
	fresh := drawFrame(t, options, scene, overview())
	r, err := render.NewRenderer(options)
	require.NoError(t, err)
	inside := project.Camera{Eye: mgl64.Vec3{30, 30, 30}, Target: mgl64.Vec3{31, 30, 30}, Up: mgl64.Vec3{0, 0, 1}, FovY: 90}
	for range 3 {
		_, err := r.Draw(context.Background(), heap(t, 25), inside)
		require.NoError(t, err)
		again, err := r.Draw(context.Background(), scene, overview())
		require.NoError(t, err)
		samePicture(t, fresh, again, "after another scene")
	}
}

func TestTwoRenderersAtOnce(t *testing.T) {
	scene := heap(t, 20)
	options := render.Options{Width: 200, Height: 150, Planes: allPlanes}
	want := drawFrame(t, options, scene, overview())
	var wait sync.WaitGroup
	frames := make([]*render.Frame, 4)
	for i := range frames {
		wait.Go(func() { frames[i] = drawFrame(t, options, scene, overview()) })
	}
	wait.Wait()
	for _, f := range frames {
		samePicture(t, want, f, "drawn beside others")
	}
}

func TestAFrameAllocatesNothingAfterTheFirst(t *testing.T) {
	scene, other := heap(t, 20), heap(t, 3)
	r, err := render.NewRenderer(render.Options{Width: 300, Height: 200, Workers: 1})
	require.NoError(t, err)
	ctx := context.Background()
	frame := func() {
		if _, err := r.Draw(ctx, scene, overview()); err != nil {
			t.Error(err)
		}
	}
	frame()
	require.Zero(t, testing.AllocsPerRun(5, frame))

	turns := func() { // of two scenes
		frame()
		if _, err := r.Draw(ctx, other, overview()); err != nil {
			t.Error(err)
		}
	}
	turns()
	require.Zero(t, testing.AllocsPerRun(5, turns))
}

// Two corners bound a node exactly as four points do, and what is inherited is
// what would be found anew.
func TestTheWaysToDrawThatMustAgree(t *testing.T) {
	scene := heap(t, 30)
	options := render.Options{Width: 300, Height: 200, Planes: allPlanes}
	want := drawFrame(t, options, scene, overview())
	options.Projection = project.FourPoints
	samePicture(t, want, drawFrame(t, options, scene, overview()), "four points")
	options.Projection, options.SortAll = project.TwoCorners, true
	sorted := drawFrame(t, options, scene, overview())
	require.Zero(t, sorted.Stats.OrderInherited)
	require.Equal(t, want.Coverage, sorted.Coverage, "sorting every node")
	require.Less(t, want.Stats.OrderDecided, want.Stats.OrderInherited/10)
}

// The share of an instance in a picture does not depend on when it is drawn:
// two interpenetrating solids show, at each pixel, the nearer.
func TestOverlappingInstancesAreSettledByDepth(t *testing.T) {
	solid := func(c svo.Colour) *svo.Tree {
		b := svo.NewBuilder(4)
		for i := range uint32(16 * 16 * 16) {
			require.NoError(t, b.Add(i%16, i/16%16, i/256, svo.Voxel{Colour: c}))
		}
		tree, err := b.Build(context.Background())
		require.NoError(t, err)
		return tree
	}
	red, green := solid(svo.Colour{255, 0, 0}), solid(svo.Colour{0, 255, 0})
	turned := mgl64.Translate3D(8, 8, 8).Mul4(mgl64.HomogRotate3DZ(0.7)).Mul4(mgl64.Translate3D(-8, -8, -8))
	camera := project.Camera{Eye: mgl64.Vec3{8, -40, 20}, Target: mgl64.Vec3{8, 8, 8}, Up: mgl64.Vec3{0, 0, 1}, FovY: 40}
	options := render.Options{Width: 200, Height: 200, Planes: allPlanes, Shading: render.ShadeNone}
	alone := func(tree *svo.Tree, m mgl64.Mat4) []float32 {
		f := drawFrame(t, options, &render.Scene{Instances: []render.Instance{{Tree: tree, Transform: m}}}, camera)
		return append([]float32(nil), f.Depth...)
	}
	a, b := alone(red, mgl64.Ident4()), alone(green, turned)
	for _, later := range []bool{false, true} {
		both := drawFrame(t, options, &render.Scene{LaterWins: later, Instances: []render.Instance{
			{Tree: red, Transform: mgl64.Ident4()}, {Tree: green, Transform: turned},
		}}, camera)
		for i, depth := range both.Depth {
			require.Equal(t, min(a[i], b[i]), depth, "pixel %d", i)
		}
		// Where the top faces coincide, the rule decides.
		coincide := 0
		for i := range a {
			if both.Face[i] == render.FaceMaxZ && math.Abs(float64(a[i]-b[i])) < 1e-5 {
				require.Equal(t, later, both.Voxel[i].Instance == 1)
				coincide++
			}
		}
		require.Greater(t, coincide, 500)
	}
}

// Where voxels are larger than two pixels both cores draw the cubes that they
// are, down to trees of one level.
func TestBothCoresDrawTheSameCubes(t *testing.T) {
	for depth := 1; depth <= 5; depth++ {
		tree := speckle(t, uint64(depth), depth, 1<<(2*depth)/2)
		half := float64(int(1)<<depth) / 2
		scene := &render.Scene{Instances: []render.Instance{{Tree: tree, Transform: mgl64.Ident4()}}}
		centre := mgl64.Vec3{half, half, half}
		for _, camera := range []project.Camera{
			{Eye: centre.Add(mgl64.Vec3{-5, -7, 6}.Mul(half / 2)), Target: centre, Up: mgl64.Vec3{0, 0, 1}, FovY: 40},
			{Eye: centre.Add(mgl64.Vec3{3, -7, 2}), Target: centre, Up: mgl64.Vec3{0, 0, 1}, Scale: 50 / half},
			{Eye: centre.Add(mgl64.Vec3{.1, .2, .3}), Target: mgl64.Vec3{0, .5, .5}, Up: mgl64.Vec3{0, 0, 1}, FovY: 110},
		} {
			options := render.Options{Width: 230, Height: 200, Planes: render.PlaneVoxel | render.PlaneFace, Core: render.CoreClassic}
			classic := drawFrame(t, options, scene, camera)
			require.NotZero(t, classic.Stats.Pixels)
			options.Core = render.CoreBricks
			bricks := drawFrame(t, options, scene, camera)
			for i := range classic.Voxel {
				require.Equal(t, classic.Voxel[i], bricks.Voxel[i], "depth %d, camera %v, pixel %d,%d", depth, camera, i%230, i/230)
			}
			require.Equal(t, classic.Face, bricks.Face)
		}
	}
}

// A thousand instances of one tree at one place are drawn as one.
func TestCopiesAtOnePlaceAreDrawnOnce(t *testing.T) {
	tree := speckle(t, 3, 5, 3000)
	options := render.Options{Width: 200, Height: 150, Planes: allPlanes}
	for _, laterWins := range []bool{false, true} {
		scene := &render.Scene{LaterWins: laterWins}
		for range 1000 {
			scene.Instances = append(scene.Instances, render.Instance{Tree: tree, Transform: mgl64.Translate3D(20, 20, 20)})
		}
		frame := drawFrame(t, options, scene, overview())
		require.Equal(t, 999, frame.Stats.InstancesCulled)
		for _, v := range frame.Voxel {
			if v.Instance >= 0 {
				require.Equal(t, laterWins, v.Instance == 999)
			}
		}
		scene.Instances = scene.Instances[:1]
		require.Equal(t, drawFrame(t, options, scene, overview()).Colour.Pix, frame.Colour.Pix)
	}
}

func TestShadeNoneIsTheExactColour(t *testing.T) {
	tree := speckle(t, 5, 4, 300)
	scene := &render.Scene{Instances: []render.Instance{{Tree: tree, Transform: mgl64.Ident4()}}}
	camera := project.Camera{Eye: mgl64.Vec3{-20, -30, 25}, Target: mgl64.Vec3{8, 8, 8}, Up: mgl64.Vec3{0, 0, 1}, FovY: 40}
	f := drawFrame(t, render.Options{Width: 256, Height: 256, Shading: render.ShadeNone, Planes: allPlanes}, scene, camera)
	for i, v := range f.Voxel {
		p := f.Colour.Pix[4*i : 4*i+4]
		if v.Instance < 0 {
			require.Equal(t, []uint8{0, 0, 0, 0}, p)
			continue
		}
		id, ok := tree.At(uint32(v.Min[0]), uint32(v.Min[1]), uint32(v.Min[2]))
		require.True(t, ok)
		c := tree.Colours[id]
		require.Equal(t, []uint8{c[0], c[1], c[2], 255}, p)
	}
}

func TestDrawStopsWithItsContext(t *testing.T) {
	r, err := render.NewRenderer(render.Options{Width: 64, Height: 64})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = r.Draw(ctx, heap(t, 3), overview())
	require.ErrorIs(t, err, context.Canceled)
}

// Whichever goroutine stumbles over a broken tree, the caller can recover, and
// draw sound trees with the same renderer afterwards.
func TestAPanicReachesTheCallerOfDraw(t *testing.T) {
	sound := heap(t, 5)
	for _, core := range []render.Core{render.CoreBricks, render.CoreClassic} {
		options := render.Options{Width: 600, Height: 600, Workers: 3, Core: core}
		renderer, err := render.NewRenderer(options)
		require.NoError(t, err)
		tree := *sound.Instances[0].Tree
		tree.Colours = nil
		broken := &render.Scene{Instances: []render.Instance{{Tree: &tree, Transform: sound.Instances[0].Transform}}}
		for range 3 {
			panicked := func() (value any) {
				defer func() { value = recover() }()
				_, err := renderer.Draw(t.Context(), broken, overview())
				return err
			}()
			require.IsType(t, &render.WorkerPanic{}, panicked)
			require.ErrorContains(t, panicked.(error), "index out of range")
			require.ErrorContains(t, panicked.(error), "paint.go")
		}
		frame, err := renderer.Draw(t.Context(), sound, overview())
		require.NoError(t, err)
		require.Equal(t, drawFrame(t, options, sound, overview()).Colour.Pix, frame.Colour.Pix)
	}
}

func TestOptionsOutOfRange(t *testing.T) {
	for _, o := range []render.Options{
		{}, {Width: -1, Height: 5}, {Width: 1 << 20, Height: 5}, {Width: 5, Height: 5, LOD: -1},
		{Width: 5, Height: 5, LOD: math.NaN()}, {Width: 5, Height: 5, Workers: -2}, {Width: 5, Height: 5, Projection: 9},
		{Width: 5, Height: 5, Kernel: 99}, {Width: 5, Height: 5, Sun: render.Sun{Ambient: 2}},
		{Width: 5, Height: 5, Sun: render.Sun{Direction: mgl64.Vec3{math.NaN(), 0, 0}}},
	} {
		_, err := render.NewRenderer(o)
		require.Error(t, err, "%+v", o)
	}
}

// Whatever the numbers, a frame is drawn or refused with an error.
func TestOddCamerasAndTransforms(t *testing.T) {
	tree := speckle(t, 9, 4, 200)
	r, err := render.NewRenderer(render.Options{Width: 40, Height: 30, Planes: allPlanes})
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Float64Range(-30, 30), rapid.Float64(),
			rapid.SampledFrom([]float64{0, 1, 8, math.NaN(), math.Inf(1), 1e300, -1e-300, 1e15}))
		vector := func(name string) mgl64.Vec3 {
			return mgl64.Vec3{number.Draw(t, name), number.Draw(t, name), number.Draw(t, name)}
		}
		m := mgl64.Ident4()
		if rapid.Bool().Draw(t, "transformed") {
			for i := range 16 {
				m[i] = number.Draw(t, "m")
			}
			if rapid.Bool().Draw(t, "affine") {
				m[3], m[7], m[11], m[15] = 0, 0, 0, 1
			}
		}
		camera := project.Camera{
			Eye: vector("eye"), Target: vector("target"), Up: vector("up"),
			FovY: number.Draw(t, "fov"), Scale: rapid.SampledFrom([]float64{0, 0, 1, 1e-9, 1e9, math.NaN()}).Draw(t, "scale"),
		}
		f, err := r.Draw(context.Background(), &render.Scene{Instances: []render.Instance{{Tree: tree, Transform: m}}}, camera)
		if err == nil {
			requireCountersAddUp(t, f)
		}
	})
}

// The tables of a frame before spare the making of them, and nothing else: what
// bottom nodes take is closed on every level of the coverage, whether they are
// drawn one by one or all at once.
func TestTablesThatAreThereChangeNoCounter(t *testing.T) {
	sponge, err := models.Sponge(16)
	require.NoError(t, err)
	for seed := range 300 {
		random := rand.New(rand.NewPCG(uint64(seed), 13))
		axis := mgl64.Vec3{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}
		scene := place(sponge, mgl64.HomogRotate3D(6*random.Float64(), axis.Normalize()))
		camera := randomCamera(random, scene)
		camera.Scale, camera.FovY = 0, 60
		// Narrow, so that blocks of tiles are soon closed.
		r, err := render.NewRenderer(render.Options{Width: 1 + seed%8, Height: 256, Workers: 1})
		require.NoError(t, err)
		var counters [2]render.Stats
		for i := range counters {
			counters[i] = draw(t, r, scene, camera).Stats
			counters[i].Tables, counters[i].Times = 0, render.Times{}
		}
		require.Equal(t, counters[0], counters[1], "scene %d", seed)
	}
}
