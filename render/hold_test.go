package render_test

import (
	"context"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

func rendererOf(t testing.TB, o render.Options) *render.Renderer {
	if o.Width == 0 {
		o.Width, o.Height = 200, 150
	}
	r, err := render.NewRenderer(o)
	require.NoError(t, err)
	return r
}

// An unchanged view of an unchanged scene is the last frame again; whatever
// changes, the next frame is drawn, and is what a new renderer would draw.
func TestAFrameIsHeldUntilSomethingChanges(t *testing.T) {
	scene := heap(t, 30)
	scene.Tracked = true
	options := render.Options{Width: 200, Height: 150, Planes: allPlanes &^ render.PlaneVisits}
	r := rendererOf(t, options)
	camera := overview()
	held := func() bool {
		f := draw(t, r, scene, camera)
		fresh := draw(t, rendererOf(t, options), scene, camera)
		if !sameFrame(fresh, f) {
			samePicture(t, fresh, f, "held or not")
		}
		require.Equal(t, fresh.Stats.Pixels, f.Stats.Pixels)
		requireLadderAddsUp(t, r)
		return f.Stats.Held
	}
	require.False(t, held(), "the first")
	require.True(t, held())
	for name, change := range map[string]func(){
		"eye":       func() { camera.Eye[0]++ },
		"target":    func() { camera.Target[1]++ },
		"up":        func() { camera.Up = mgl64.Vec3{0, 0.1, 1} },
		"lens":      func() { camera.FovY++ },
		"parallel":  func() { camera.Scale = 3 },
		"shift":     func() { camera.Shift[0] = 0.25 },
		"rule":      func() { scene.LaterWins = !scene.LaterWins },
		"section":   func() { scene.Section = render.Section{Normal: mgl64.Vec3{0, 0, -1}, Offset: -30} },
		"transform": func() { scene.SetTransform(3, mgl64.Translate3D(1, 2, 3).Mul4(scene.Instances[3].Transform)) },
		"hidden":    func() { scene.Instances[4].Hidden = true; scene.Changed(4) },
		"tree":      func() { scene.Instances[5].Tree = scene.Instances[6].Tree; scene.Changed(5) },
		"several":   func() { scene.Instances[7].Hidden, scene.Instances[8].Hidden = true, true; scene.ChangedAll() },
		"fewer":     func() { scene.Instances = scene.Instances[:len(scene.Instances)-1] },
		"one more":  func() { scene.Instances = append(scene.Instances, scene.Instances[0]) },
		"other slice": func() {
			scene.Instances = append([]render.Instance(nil), scene.Instances...)
			scene.Instances[2].Transform = mgl64.Translate3D(30, 30, 30)
		},
		"threshold":   func() { require.NoError(t, r.SetMinScreenSize(r.MinScreenSize()+1e-9)) },
		"other scene": func() { scene = heap(t, 12); scene.Tracked = true },
	} {
		change()
		require.False(t, held(), name)
		require.True(t, held(), name)
	}
	v := r.CullStats().Views[0]
	require.Equal(t, v.Frames, 2*(v.FramesHeld))
	// A change that isn't one, though it was told.
	scene.SetTransform(0, scene.Instances[0].Transform)
	held()
	require.True(t, held())
}

// Without the promise to tell of changes every frame is drawn, and shows them.
func TestChangesOfAnUntrackedSceneAreFound(t *testing.T) {
	scene := heap(t, 20)
	r := rendererOf(t, render.Options{})
	before := scene.Revision()
	draw(t, r, scene, overview())
	found := scene.Revision()
	require.NotEqual(t, before, found)
	require.False(t, draw(t, r, scene, overview()).Stats.Held)
	require.Equal(t, found, scene.Revision(), "nothing has changed")
	for i := range scene.Instances {
		scene.Instances[i].Transform = mgl64.Translate3D(3, 0, 0).Mul4(scene.Instances[i].Transform)
		frame := draw(t, r, scene, overview())
		require.NotEqual(t, found, scene.Revision())
		found = scene.Revision()
		require.Equal(t, draw(t, rendererOf(t, render.Options{}), heapOf(scene), overview()).Colour.Pix, frame.Colour.Pix)
	}
}

// What is told of a scene that nobody draws takes no memory without end, and is
// seen when somebody does.
func TestChangesThatNobodyDraws(t *testing.T) {
	options := render.Options{Width: 120, Height: 90}
	r := rendererOf(t, options)
	scene := heap(t, 20)
	scene.Tracked = true
	draw(t, r, scene, overview())
	for n := range 10_000 {
		scene.SetTransform(n%3, mgl64.Translate3D(float64(n%7), 0, 0).Mul4(scene.Instances[n%3].Transform))
		require.LessOrEqual(t, scene.Told(), len(scene.Instances))
	}
	frame := draw(t, r, scene, overview())
	require.Equal(t, draw(t, rendererOf(t, options), heapOf(scene), overview()).Colour.Pix, frame.Colour.Pix)
}

// An instance out of range is told, and forgotten once it is back.
func TestAnInstanceThatReturnsFromOutOfRange(t *testing.T) {
	options := render.Options{Width: 120, Height: 90}
	r := rendererOf(t, options)
	scene := heap(t, 20)
	scene.Tracked = true
	draw(t, r, scene, overview())
	reach, home := scene.Reach(), scene.Instances[4].Transform
	for _, away := range []mgl64.Mat4{mgl64.Translate3D(1e17, 0, 0), mgl64.Scale3D(1e300, 1e300, 1e300), mgl64.Scale3D(1, 1, 0), {}} {
		scene.SetTransform(4, away)
		_, err := r.Draw(context.Background(), scene, overview())
		require.ErrorContains(t, err, "instance 4")
		scene.SetTransform(4, home)
		frame := draw(t, r, scene, overview())
		require.Equal(t, draw(t, rendererOf(t, options), heapOf(scene), overview()).Colour.Pix, frame.Colour.Pix)
		require.Equal(t, reach, scene.Reach())
	}
}

// A scene that is overwritten, or copied, is another one.
func TestAScenePutInThePlaceOfAnother(t *testing.T) {
	options := render.Options{Width: 120, Height: 90, Subpixel: render.Subpixel{Threshold: 0.1}}
	r := rendererOf(t, options)
	scene := heap(t, 20)
	scene.Tracked = true
	draw(t, r, scene, overview())
	for _, n := range []int{20, 12, 20} {
		instances := heap(t, 40).Instances[40-n:]
		*scene = render.Scene{Instances: instances, Tracked: true}
		frame := draw(t, r, scene, overview())
		require.False(t, frame.Stats.Held)
		require.Equal(t, draw(t, rendererOf(t, options), heapOf(scene), overview()).Colour.Pix, frame.Colour.Pix)
	}
}

// heapOf is a scene with the same instances that was never drawn.
func heapOf(s *render.Scene) *render.Scene {
	return &render.Scene{Instances: append([]render.Instance(nil), s.Instances...), LaterWins: s.LaterWins}
}

// While the camera stands still, instances that don't move keep their set-up.
func TestPosesAreHeld(t *testing.T) {
	scene := heap(t, 30)
	scene.Tracked = true
	camera := overview()
	r := rendererOf(t, render.Options{Without: render.RungFrame})
	poses := func() (held, renewed, projected int) {
		frame := draw(t, r, scene, camera)
		fresh := draw(t, rendererOf(t, render.Options{Without: render.RungPoses}), scene, camera)
		require.Equal(t, fresh.Colour.Pix, frame.Colour.Pix)
		d := r.DrawStats()
		return d.PosesHeld, d.PosesRenewed, r.CullStats().Views[0].Projected
	}
	held, drawn, _ := poses()
	require.Zero(t, held)
	require.Greater(t, drawn, 20)
	held, renewed, projected := poses()
	require.Equal(t, []int{drawn, 0, 0}, []int{held, renewed, projected})
	moved := scene.Instances[2].Transform.Mul4(mgl64.HomogRotate3DZ(0.1))
	scene.SetTransform(2, moved)
	held, renewed, projected = poses()
	require.Equal(t, []int{drawn - 1, 1, 1}, []int{held, renewed, projected})
	camera.Eye[2]++
	held, _, _ = poses()
	require.Zero(t, held)
	r = rendererOf(t, render.Options{Without: render.RungFrame | render.RungPoses})
	poses()
	held, _, _ = poses()
	require.Zero(t, held)
}

// A view has its own frame, thresholds and memory.
func TestViewsAreApart(t *testing.T) {
	scene := heap(t, 30)
	scene.Tracked = true
	r := rendererOf(t, render.Options{})
	left, right := r.View(0), r.View(1)
	require.NoError(t, right.SetMinScreenSize(40))
	ctx := context.Background()
	first, err := left.Draw(ctx, scene, overview())
	require.NoError(t, err)
	pixels := append([]uint8(nil), first.Colour.Pix...)
	other, err := right.Draw(ctx, scene, overview())
	require.NoError(t, err)
	require.NotEqual(t, pixels, other.Colour.Pix)
	require.Equal(t, pixels, first.Colour.Pix)
	again, err := left.Draw(ctx, scene, overview())
	require.NoError(t, err)
	require.True(t, again.Stats.Held)
	views := r.CullStats().Views
	require.Zero(t, views[0].Instances.ScreenSize)
	require.Positive(t, views[1].Instances.ScreenSize)
	requireLadderAddsUp(t, r)
}

// The same threshold is the same size on the screen at any distance and field of
// view: the instance goes when its ball takes fewer pixels.
func TestMinScreenSizeIsTheRadiusOnTheScreen(t *testing.T) {
	tree := speckle(t, 4, 4, 2000)
	low, high := tree.Bounds()
	half := mgl64.Vec3{float64(high[0] - low[0]), float64(high[1] - low[1]), float64(high[2] - low[2])}.Mul(0.5)
	middle := mgl64.Vec3{float64(low[0]), float64(low[1]), float64(low[2])}.Add(half)
	for _, fov := range []float64{10, 45, 100} {
		for _, distance := range []float64{60, 300, 4000} {
			for _, scale := range []float64{0.1, 1, 3} {
				scene := &render.Scene{Instances: []render.Instance{{
					Tree: tree, Transform: mgl64.Scale3D(scale, scale, scale).Mul4(mgl64.Translate3D(-middle[0], -middle[1], -middle[2])),
				}}}
				camera := project.Camera{Eye: mgl64.Vec3{0, -distance, 0}, Up: mgl64.Vec3{0, 0, 1}, FovY: fov}
				radius := half.Len() * scale * 75 / math.Tan(fov*math.Pi/360) / distance
				for _, part := range []float64{0.999, 1.001} {
					r := rendererOf(t, render.Options{})
					require.NoError(t, r.SetMinScreenSize(radius*part))
					draw(t, r, scene, camera)
					require.Equal(t, part > 1, r.CullStats().Views[0].Instances.ScreenSize == 1, "fov %g, distance %g", fov, distance)
					requireLadderAddsUp(t, r)
				}
			}
		}
	}
	r := rendererOf(t, render.Options{})
	require.Error(t, r.SetMinScreenSize(-1))
	require.Error(t, r.SetMinScreenSize(math.NaN()))
	require.Zero(t, r.MinScreenSize())
}

// Groups are dropped for their size only with everything in them.
func TestThresholdsDropTheSameWithoutGroups(t *testing.T) {
	scene := town(t, 40, 3)
	camera := project.Camera{Eye: mgl64.Vec3{-300, -500, 300}, Target: mgl64.Vec3{1000, 1000, 0}, Up: mgl64.Vec3{0, 0, 1}, FovY: 50}
	culls := func(without render.Rungs) (render.InstanceCounts, []uint8) {
		r := rendererOf(t, render.Options{Without: without | render.RungOcclusion, Subpixel: render.Subpixel{Threshold: 6}})
		require.NoError(t, r.SetMinScreenSize(2))
		frame := draw(t, r, scene, camera)
		requireLadderAddsUp(t, r)
		require.Equal(t, without&render.RungGroups == 0, r.CullStats().Views[0].GroupsCulled > 0)
		return r.CullStats().Views[0].Instances, frame.Colour.Pix
	}
	with, pixels := culls(0)
	without, same := culls(render.RungGroups)
	require.Equal(t, same, pixels)
	require.Equal(t, without.Drawn, with.Drawn)
	require.Positive(t, with.ScreenSize)
	require.Positive(t, with.Subpixel)
}

// Boxes are refitted while instances move, and put in a new order when that has
// become bad.
func TestTheHierarchyFollows(t *testing.T) {
	scene := heap(t, 600)
	scene.Tracked = true
	r := rendererOf(t, render.Options{Width: 20, Height: 20})
	frame := func() (built, refitted int) {
		draw(t, r, scene, overview())
		require.True(t, scene.CheckHierarchy())
		return scene.HierarchyCounts()
	}
	built, refitted := frame()
	require.Equal(t, []int{1, 0}, []int{built, refitted})
	frame()
	for i := range 20 {
		scene.SetTransform(i, mgl64.Translate3D(0, 0.1, 0).Mul4(scene.Instances[i].Transform))
	}
	built, refitted = frame()
	require.Equal(t, []int{1, 20}, []int{built, refitted})
	for i := range 600 { // in step
		scene.SetTransform(i, mgl64.Translate3D(0, 0.1, 0).Mul4(scene.Instances[i].Transform))
	}
	built, refitted = frame()
	require.Equal(t, []int{1, 620}, []int{built, refitted})
	for i := range 400 { // each for itself
		scene.SetTransform(i, mgl64.Translate3D(float64(20*(i%5)), float64(20*(i%7)), float64(20*(i%11))).Mul4(scene.Instances[i].Transform))
	}
	built, _ = frame()
	require.Equal(t, 2, built)
	for i := range 100 { // to where they are far from their groups
		scene.SetTransform(i, mgl64.Translate3D(900, 900*float64(i%2), 0).Mul4(scene.Instances[i].Transform))
	}
	built, _ = frame()
	require.Equal(t, 3, built)
	scene.Instances = scene.Instances[:0]
	frame()
	for range 9 {
		scene.Instances = append(scene.Instances, heap(t, 1).Instances...)
		frame()
	}
}

// A frame of many instances allocates nothing, moving or not.
func TestAFrameOfATownAllocatesNothing(t *testing.T) {
	scene := town(t, 30, 5)
	for _, without := range []render.Rungs{0, render.RungFrame} {
		r := rendererOf(t, render.Options{Width: 300, Height: 280, Workers: 1, Without: without})
		ctx := context.Background()
		for _, speed := range []float64{0, 0.5} {
			step := 0.0
			frame := func() {
				camera := townCameras(30)["roofs"](math.Mod(step, 4))
				if _, err := r.Draw(ctx, scene, camera); err != nil {
					t.Error(err)
				}
				scene.SetTransform(int(step), scene.Instances[int(step)].Transform)
				step += speed
			}
			for range 10 {
				frame()
			}
			step = 0
			camera := townCameras(30)["roofs"]
			cameras := [4]project.Camera{camera(0), camera(1), camera(2), camera(3)}
			turn := 0
			require.Zero(t, testing.AllocsPerRun(8, func() {
				turn++
				if _, err := r.Draw(ctx, scene, cameras[int(float64(turn)*2*speed)%4]); err != nil {
					t.Error(err)
				}
			}), "speed %g, without %v", speed, without)
		}
	}
}

// Where the order allows it, instances of one tree follow one another.
func TestRunsOfOneTreeSpareSwitches(t *testing.T) {
	scene := town(t, 30, 5)
	camera := townCameras(30)["all"](0)
	with, without := rendererOf(t, render.Options{Width: 600, Height: 400}), rendererOf(t, render.Options{Width: 600, Height: 400, Without: render.RungRuns})
	require.Equal(t, draw(t, without, scene, camera).Colour.Pix, draw(t, with, scene, camera).Colour.Pix)
	a, b := with.DrawStats(), without.DrawStats()
	require.Equal(t, 5, a.Trees)
	require.Equal(t, 5, a.Palettes)
	require.Positive(t, a.Moved)
	require.Zero(t, b.Moved)
	require.Less(t, a.TreeSwitches, b.TreeSwitches)
	require.Equal(t, a.TreeSwitches+a.TreeSwitchesSpared, b.TreeSwitches+b.TreeSwitchesSpared)
}
