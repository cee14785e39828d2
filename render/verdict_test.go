package render_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// specks is a scene of instances of which some take less than 0.4 pixels where
// camera stands, and some more.
func specks(t testing.TB) (*render.Scene, func(move mgl64.Vec3, turn float64) project.Camera) {
	tree := speckle(t, 4, 3, 300)
	s := &render.Scene{Tracked: true}
	for i := range 100 {
		scale := 0.25
		if i >= 90 {
			scale = 20
		}
		at := mgl64.Vec3{float64(i%10)*40 - 200, 5000, float64(i/10)*40 - 200}
		s.Instances = append(s.Instances, render.Instance{
			Tree: tree, Transform: mgl64.Translate3D(at[0], at[1], at[2]).Mul4(mgl64.Scale3D(scale, scale, scale)),
		})
	}
	return s, func(move mgl64.Vec3, turn float64) project.Camera {
		ahead := mgl64.Vec3{math.Sin(turn), math.Cos(turn), 0}
		return project.Camera{Eye: move, Target: move.Add(ahead), Up: mgl64.Vec3{0, 0, 1}, FovY: 10}
	}
}

// follower draws the frames of a view and tells what its verdicts cost.
type follower struct {
	t     *testing.T
	r     *render.Renderer
	scene *render.Scene
	epoch uint64
}

// next draws a frame; it tells whether a new epoch began, and how many instances
// were too small, dropped by an old verdict, and projected.
func (f *follower) next(c project.Camera) (began bool, small, held, projected int) {
	draw(f.t, f.r, f.scene, c)
	requireLadderAddsUp(f.t, f.r)
	v := f.r.CullStats().Views[0]
	began = v.Epoch != f.epoch
	f.epoch = v.Epoch
	return began, v.Instances.Subpixel, v.VerdictsHeld, v.Projected
}

func follow(t *testing.T, s *render.Scene, without render.Rungs, o render.Subpixel) *follower {
	return &follower{t: t, r: rendererOf(t, render.Options{Without: without | render.RungFrame, Subpixel: o}), scene: s}
}

func TestSubpixelCullingIsOffByDefault(t *testing.T) {
	scene, at := specks(t)
	_, small, _, _ := follow(t, scene, 0, render.Subpixel{}).next(at(mgl64.Vec3{}, 0))
	require.Zero(t, small)
	_, small, _, _ = follow(t, scene, 0, render.Subpixel{Threshold: 0.4}).next(at(mgl64.Vec3{}, 0))
	require.Equal(t, 90, small)
	_, small, _, _ = follow(t, scene, render.RungSubpixel, render.Subpixel{Threshold: 0.4}).next(at(mgl64.Vec3{}, 0))
	require.Zero(t, small)
}

// Both sides count: what is long and thin stays.
func TestSubpixelCullingWantsBothAxesBelow(t *testing.T) {
	tree := speckle(t, 4, 3, 300)
	for length, small := range map[float64]int{0.1: 1, 30: 0} {
		m := mgl64.Translate3D(0, 5000, 0).Mul4(mgl64.Scale3D(length, 0.1, 0.1))
		scene := &render.Scene{Instances: []render.Instance{{Tree: tree, Transform: m}}}
		_, at := specks(t)
		_, got, _, _ := follow(t, scene, 0, render.Subpixel{Threshold: 0.4}).next(at(mgl64.Vec3{}, 0))
		require.Equal(t, small, got)
	}
}

// On a still camera what was dropped costs nothing: it isn't projected again, and
// where whole groups are too small not even their members are looked at.
func TestVerdictsCostNothingOnAStillCamera(t *testing.T) {
	scene, at := specks(t)
	f := follow(t, scene, 0, render.Subpixel{Threshold: 0.4})
	began, small, held, _ := f.next(at(mgl64.Vec3{}, 0))
	require.True(t, began)
	require.Equal(t, []int{90, 0}, []int{small, held})
	for range 29 {
		began, small, held, projected := f.next(at(mgl64.Vec3{}, 0))
		require.False(t, began)
		require.Equal(t, []int{90, 90, 0}, []int{small, held, projected})
	}
	// Poses or not.
	f = follow(t, scene, render.RungPoses, render.Subpixel{Threshold: 0.4})
	f.next(at(mgl64.Vec3{}, 0))
	_, _, held, projected := f.next(at(mgl64.Vec3{}, 0))
	require.Equal(t, []int{90, 10}, []int{held, projected})
	// Without verdicts all are looked at.
	f = follow(t, scene, render.RungVerdicts|render.RungPoses|render.RungGroups, render.Subpixel{Threshold: 0.4})
	f.next(at(mgl64.Vec3{}, 0))
	_, small, held, projected = f.next(at(mgl64.Vec3{}, 0))
	require.Equal(t, []int{90, 0, 100}, []int{small, held, projected})
}

// The numbers are those that the document tells.
func TestVerdictsEndAfterMovingTurningOrThirtyFrames(t *testing.T) {
	require.Equal(t, 25.0, render.DefaultSubpixelTranslate)
	require.Equal(t, 0.01, render.DefaultSubpixelRotate)
	require.Equal(t, 30, render.DefaultSubpixelFrames)
	scene, at := specks(t)
	begin := func(o render.Subpixel) *follower {
		o.Threshold = 0.4
		f := follow(t, scene, 0, o)
		began, _, _, _ := f.next(at(mgl64.Vec3{}, 0))
		require.True(t, began)
		return f
	}
	moved := func(f *follower, c project.Camera) bool {
		began, small, held, _ := f.next(c)
		require.Equal(t, 90, small)
		require.Equal(t, began, held == 0)
		return began
	}
	f := begin(render.Subpixel{})
	require.False(t, moved(f, at(mgl64.Vec3{15, 20, 0}, 0)), "25 units")
	require.True(t, moved(f, at(mgl64.Vec3{15, 20.1, 0}, 0)), "more")
	require.False(t, moved(f, at(mgl64.Vec3{0, 20, 15}, 0)), "since then")
	// A component of the quaternion of a turn by an angle is the sine of its half.
	angle := 2 * math.Asin(0.01)
	f = begin(render.Subpixel{})
	require.False(t, moved(f, at(mgl64.Vec3{}, 0.99*angle)))
	require.False(t, moved(f, at(mgl64.Vec3{}, -0.99*angle)))
	require.True(t, moved(f, at(mgl64.Vec3{}, 1.5*angle)))
	f = begin(render.Subpixel{})
	for frame := 2; frame <= 90; frame++ {
		require.Equal(t, frame%30 == 1, moved(f, at(mgl64.Vec3{}, 0)), "frame %d", frame)
	}
	// Each can be set.
	f = begin(render.Subpixel{Translate: 3, Rotate: 0.5, Frames: 4})
	require.False(t, moved(f, at(mgl64.Vec3{}, angle)))
	require.True(t, moved(f, at(mgl64.Vec3{4, 0, 0}, 0)))
	f = begin(render.Subpixel{Frames: 4})
	for frame := 2; frame <= 20; frame++ {
		require.Equal(t, frame%4 == 1, moved(f, at(mgl64.Vec3{}, 0)), "frame %d", frame)
	}
	// Another lens ends them at once.
	f = begin(render.Subpixel{})
	wide := at(mgl64.Vec3{}, 0)
	wide.FovY = 9
	began, _, _, _ := f.next(wide)
	require.True(t, began)
}

// An instance that was changed is looked at at once, and no other.
func TestAChangedInstanceIsLookedAtAtOnce(t *testing.T) {
	for _, tracked := range []bool{true, false} {
		scene, at := specks(t)
		scene.Tracked = tracked
		f := follow(t, scene, 0, render.Subpixel{Threshold: 0.4})
		f.next(at(mgl64.Vec3{}, 0))
		f.next(at(mgl64.Vec3{}, 0))
		scene.SetTransform(7, scene.Instances[7].Transform.Mul4(mgl64.Scale3D(30, 30, 30)))
		began, small, held, projected := f.next(at(mgl64.Vec3{}, 0))
		require.False(t, began)
		require.Equal(t, []int{89, 89, 1}, []int{small, held, projected})
		require.Equal(t, 11, f.r.CullStats().Views[0].Instances.Drawn)
	}
}

// What an old verdict still drops comes back when the epoch ends.
func TestWhatHasGrownComesBackWithTheNextEpoch(t *testing.T) {
	scene, at := specks(t)
	f := follow(t, scene, 0, render.Subpixel{Threshold: 0.4, Translate: 1e9})
	f.next(at(mgl64.Vec3{}, 0))
	near := at(mgl64.Vec3{0, 4500, 0}, 0)
	for frame := 2; frame <= 31; frame++ {
		_, small, held, _ := f.next(near)
		if frame <= 30 {
			require.Positive(t, small)
			require.Equal(t, small, held)
		} else {
			require.Equal(t, []int{0, 0}, []int{small, held})
		}
	}
	// A view that is held doesn't keep what is outdated either.
	r := rendererOf(t, render.Options{Subpixel: render.Subpixel{Threshold: 0.4, Translate: 1e9}})
	draw(t, r, scene, at(mgl64.Vec3{}, 0))
	heldFrames := 0
	for range 80 {
		if draw(t, r, scene, near).Stats.Held {
			heldFrames++
		}
	}
	require.Zero(t, r.CullStats().Views[0].Instances.Subpixel)
	require.Equal(t, 78, heldFrames)
}

// Each view has an epoch of its own in the scene.
func TestViewsHaveTheirOwnEpochs(t *testing.T) {
	scene, at := specks(t)
	options := render.Options{Width: 200, Height: 150, Without: render.RungFrame, Subpixel: render.Subpixel{Threshold: 0.4}}
	r, other := rendererOf(t, options), rendererOf(t, options)
	_, err := r.Draw(t.Context(), scene, at(mgl64.Vec3{}, 0))
	require.NoError(t, err)
	for range 3 {
		_, err = r.View(1).Draw(t.Context(), scene, at(mgl64.Vec3{0, -100, 0}, 0))
		require.NoError(t, err)
		_, err = other.Draw(t.Context(), scene, at(mgl64.Vec3{0, 100, 0}, 0))
		require.NoError(t, err)
	}
	_, err = r.Draw(t.Context(), scene, at(mgl64.Vec3{}, 0))
	require.NoError(t, err)
	views := r.CullStats().Views
	require.Equal(t, []uint64{1, 1}, []uint64{views[0].Epoch, views[1].Epoch})
	require.Equal(t, 90, views[0].VerdictsHeld)
	// Two scenes in one view: their verdicts don't mix.
	second, _ := specks(t)
	second.Instances = second.Instances[:50]
	_, err = r.Draw(t.Context(), second, at(mgl64.Vec3{}, 0))
	require.NoError(t, err)
	require.Zero(t, r.CullStats().Views[0].VerdictsHeld)
	require.Equal(t, 50, r.CullStats().Views[0].Instances.Subpixel)
}

// Nodes are dropped as instances are, in both cores; a threshold far below the
// level of detail changes nothing in a single model.
func TestSubpixelNodes(t *testing.T) {
	scene := &render.Scene{Instances: []render.Instance{{Tree: speckle(t, 9, 8, 3000), Transform: mgl64.Ident4()}}}
	camera := project.Camera{Eye: mgl64.Vec3{-300, -500, 400}, Target: mgl64.Vec3{128, 128, 128}, Up: mgl64.Vec3{0, 0, 1}, FovY: 40}
	for _, core := range []render.Core{render.CoreBricks, render.CoreClassic} {
		options := render.Options{Width: 200, Height: 150, Core: core}
		plain := drawFrame(t, options, scene, camera)
		require.Zero(t, plain.Stats.Subpixel)
		options.Subpixel.Threshold = 0.4
		require.Equal(t, plain.Colour.Pix, drawFrame(t, options, scene, camera).Colour.Pix)
		options.Subpixel.Threshold = 12
		coarse := drawFrame(t, options, scene, camera)
		require.Positive(t, coarse.Stats.Subpixel)
		require.Less(t, coarse.Stats.Pixels, plain.Stats.Pixels)
		options.Without = render.RungSubpixel
		require.Equal(t, plain.Colour.Pix, drawFrame(t, options, scene, camera).Colour.Pix)
	}
	for _, s := range []render.Subpixel{{Threshold: -1}, {Threshold: math.NaN()}, {Translate: -1}, {Rotate: math.NaN()}, {Frames: -1}} {
		_, err := render.NewRenderer(render.Options{Width: 9, Height: 9, Subpixel: s})
		require.Error(t, err, "%+v", s)
	}
	_, err := render.NewRenderer(render.Options{Width: 9, Height: 9, Without: render.AllRungs + 1})
	require.Error(t, err)
}

func TestRungsHaveNames(t *testing.T) {
	all, err := render.ParseRungs("all")
	require.NoError(t, err)
	require.Equal(t, render.AllRungs, all)
	some, err := render.ParseRungs("occlusion, runs")
	require.NoError(t, err)
	require.Equal(t, render.RungOcclusion|render.RungRuns, some)
	for i, name := range render.RungNames() {
		rung, err := render.ParseRungs(name)
		require.NoError(t, err)
		require.Equal(t, render.Rungs(1)<<i, rung)
		require.Equal(t, name, rung.String())
	}
	none, err := render.ParseRungs("")
	require.NoError(t, err)
	require.Zero(t, none)
	_, err = render.ParseRungs("frame,ladder")
	require.ErrorContains(t, err, `"ladder"`)
}
