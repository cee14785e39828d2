package render_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/render/witness"
	"github.com/cfef80af/eightfold/svo"
)

// requireLadderAddsUp holds the counters of a renderer's views to the sums that
// they promise.
func requireLadderAddsUp(t require.TestingT, r *render.Renderer) {
	for _, v := range r.CullStats().Views {
		i, n := v.Instances, v.Nodes
		require.Equal(t, i.Tested, i.Frustum+i.Bounds+i.Section+i.ScreenSize+i.Subpixel+i.Occlusion+i.Copies+i.Drawn, "%+v", i)
		require.Equal(t, i.Tested, i.Culled()+i.Drawn)
		require.Equal(t, n.Tested, n.Frustum+n.Bounds+n.Subpixel+n.Occlusion+n.Opened+n.Drawn, "%+v", n)
		require.LessOrEqual(t, v.VerdictsHeld, i.Subpixel)
		require.LessOrEqual(t, v.GroupsCulled, v.GroupsTested)
	}
	d := r.DrawStats()
	require.Equal(t, d.TreeSwitches+d.TreeSwitchesSpared, d.PaletteSwitches+d.PaletteSwitchesSpared)
	require.Equal(t, r.CullStats().Views[0].Instances.Drawn, d.PosesHeld+d.PosesRenewed)
}

// bigVoxels are trees of few, large voxels.
func bigVoxels(t require.TestingT) []*svo.Tree {
	return []*svo.Tree{speckle(t, 1, 1, 5), speckle(t, 2, 2, 30), speckle(t, 3, 3, 250), speckle(t, 4, 2, 200), speckle(t, 5, 4, 900)}
}

// randomScene has up to so many instances, in a heap, in rows, or both; some
// flat, some hidden, some copies of one another. Its numbers are round now and then, so that
// faces coincide.
func randomScene(random *rand.Rand, trees []*svo.Tree, most int) *render.Scene {
	s := &render.Scene{LaterWins: random.IntN(2) == 0, Tracked: random.IntN(2) == 0}
	spread := math.Exp(1 + 4*random.Float64())
	tidy := random.IntN(3) == 0
	number := func() float64 {
		if tidy {
			return math.Round(spread*(random.Float64()-0.5)/4) * 4
		}
		return spread * (random.Float64() - 0.5)
	}
	for range 1 + random.IntN(most) {
		m := mgl64.Translate3D(number(), number(), number())
		switch scale := math.Exp(random.NormFloat64() / 2); {
		case tidy:
			m = m.Mul4(mgl64.HomogRotate3DZ(math.Pi / 2 * float64(random.IntN(4))))
		default:
			axis := mgl64.Vec3{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}.Normalize()
			m = m.Mul4(mgl64.HomogRotate3D(6*random.Float64(), axis)).Mul4(mgl64.Scale3D(scale, scale*float64(1-2*random.IntN(2)), scale))
		}
		if random.IntN(5) == 0 { // a slab, such as a city's ground
			m = m.Mul4(mgl64.Scale3D(5, 5, 0.5))
		}
		instance := render.Instance{Tree: trees[random.IntN(len(trees))], Transform: m, Hidden: random.IntN(12) == 0}
		for range 1 + max(0, random.IntN(12)-9) {
			s.Instances = append(s.Instances, instance)
		}
	}
	return s
}

// randomCamera looks from somewhere around or among the instances.
func randomCamera(random *rand.Rand, s *render.Scene) project.Camera {
	low, high, ok := s.Bounds()
	if !ok {
		low, high = mgl64.Vec3{}, mgl64.Vec3{1, 1, 1}
	}
	at := func(reach float64) (p mgl64.Vec3) {
		for k := range p {
			p[k] = (low[k]+high[k])/2 + reach*(high[k]-low[k])*(random.Float64()-0.5)
		}
		return p
	}
	c := project.Camera{Eye: at(3 * random.Float64()), Target: at(1), Up: mgl64.Vec3{0, 0, 1}, FovY: 20 + 90*random.Float64()}
	if random.IntN(4) == 0 {
		c.Scale = 40 / high.Sub(low).Len() * math.Exp(2*random.Float64())
	}
	return c
}

// Whichever rung is left out, and whichever frame came before, the picture stays
// the same to the byte: in both cores, for any number of workers, in scenes that
// change.
func TestEveryRungLeavesThePictureAsItIs(t *testing.T) {
	scenes := 24
	if testing.Short() {
		scenes = 4
	}
	trees := append(bigVoxels(t), speckle(t, 1, 5, 4000), speckle(t, 2, 6, 900), speckle(t, 9, 7, 20000))
	planes := allPlanes &^ render.PlaneVisits
	lists := []render.Rungs{0}
	for i := range render.RungNames() {
		lists = append(lists, 1<<i)
	}
	drawnTwice := 0
	for seed := range scenes {
		random := rand.New(rand.NewPCG(uint64(seed), 11))
		scene := randomScene(random, trees, 90)
		core := []render.Core{render.CoreBricks, render.CoreClassic}[seed%2]
		options := render.Options{Width: 280, Height: 60, Planes: planes, Core: core, Workers: 1, Without: render.AllRungs}
		if core == render.CoreClassic && seed%4 == 1 {
			options.Coverage = 1
		}
		plain, err := render.NewRenderer(options)
		require.NoError(t, err)
		var ladders []*render.Renderer
		for i, without := range lists {
			options.Without, options.Workers = without, 1+i%3
			r, err := render.NewRenderer(options)
			require.NoError(t, err)
			ladders = append(ladders, r)
		}
		camera := randomCamera(random, scene)
		for frame := range 4 {
			switch frame {
			case 1: // nothing changes
			case 2: // some move
				for range 1 + random.IntN(len(scene.Instances)) {
					i := random.IntN(len(scene.Instances))
					scene.SetTransform(i, mgl64.Translate3D(random.NormFloat64(), 3*random.NormFloat64(), 0).Mul4(scene.Instances[i].Transform))
				}
			case 3:
				camera.Eye = camera.Eye.Add(camera.Target.Sub(camera.Eye).Mul(0.1))
				scene.Instances[0].Hidden = !scene.Instances[0].Hidden
				scene.Changed(0)
			}
			want := draw(t, plain, scene, camera)
			requireCountersAddUp(t, want)
			requireLadderAddsUp(t, plain)
			for i, r := range ladders {
				got := draw(t, r, scene, camera)
				if !sameFrame(want, got) {
					samePicture(t, want, got, fmt.Sprintf("scene %d, frame %d, %v, without %v", seed, frame, core, lists[i]))
				}
				requireCountersAddUp(t, got)
				requireLadderAddsUp(t, r)
				drawnTwice += int(r.CullStats().Views[0].FramesHeld)
			}
		}
		require.True(t, scene.CheckHierarchy())
	}
	require.NotZero(t, drawnTwice)
}

// sameFrame is what samePicture requires, but for visits, told faster.
func sameFrame(a, b *render.Frame) bool {
	return bytes.Equal(a.Colour.Pix, b.Colour.Pix) && slices.Equal(a.Depth, b.Depth) && slices.Equal(a.Normal, b.Normal) &&
		slices.Equal(a.Level, b.Level) && slices.Equal(a.Face, b.Face) && slices.Equal(a.Voxel, b.Voxel) && slices.Equal(a.Coverage, b.Coverage)
}

// No instance is culled of which a ray sees a pixel: in a thousand scenes, where
// voxels are larger than two pixels, so that nothing but cubes is drawn.
func TestTheVisibleSetIsThatOfRays(t *testing.T) {
	const width, height = 40, 30
	scenes := 1000
	if testing.Short() {
		scenes = 100
	}
	trees := bigVoxels(t)[:4]
	culled, seenPixels, others := map[string]int{}, 0, 0
	renderers := map[render.Core]*render.Renderer{}
	for _, core := range []render.Core{render.CoreBricks, render.CoreClassic} {
		r, err := render.NewRenderer(render.Options{Width: width, Height: height, Core: core, Workers: 1, Planes: render.PlaneVoxel})
		require.NoError(t, err)
		renderers[core] = r
	}
	for seed := range scenes {
		random := rand.New(rand.NewPCG(uint64(seed), 12))
		scene := randomScene(random, trees, 40)
		camera := randomCamera(random, scene)
		truth := truthPicture(t, truthOf(scene, false), camera, width, height)
		r := renderers[[]render.Core{render.CoreBricks, render.CoreClassic}[seed%2]]
		frame := draw(t, r, scene, camera)
		requireLadderAddsUp(t, r)
		fates := r.Fates()
		for _, fate := range fates {
			culled[fate]++
		}
		for y := range height {
			for x := range width {
				if model, ok := surelySeen(truth, x, y); ok {
					seenPixels++
					require.Equal(t, "drawn", fates[model], "scene %d, pixel %d,%d: instance %d", seed, x, y, model)
					if frame.Voxel[y*width+x].Instance != model {
						others++
					}
				}
			}
		}
	}
	// A speck in front may be drawn wider than rays see it.
	require.LessOrEqual(t, others, seenPixels/1000)
	for _, fate := range []string{"drawn", "occlusion", "bounds", "frustum", "copies", "box"} {
		require.Greater(t, culled[fate], 50, fate)
	}
	require.Greater(t, seenPixels, 100*scenes)
}

// surelySeen is the instance that the rays through a pixel and its neighbours
// meet, in voxels larger than two pixels.
func surelySeen(p *witness.Picture, x, y int) (model int32, ok bool) {
	model = p.At(x, y).Model
	for j := y - 1; j <= y+1; j++ {
		for i := x - 1; i <= x+1; i++ {
			if hit := p.At(i, j); hit.Model != model || hit.Model < 0 || hit.Footprint <= 2 {
				return 0, false
			}
		}
	}
	return model, true
}
