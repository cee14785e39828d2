package render_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/render/witness"
	"github.com/cfef80af/eightfold/svo"
)

// without is the scene from which the voxels beyond its section were removed
// one by one.
func without(t *testing.T, s *render.Scene) *render.Scene {
	cut := &render.Scene{LaterWins: s.LaterWins}
	for _, instance := range s.Instances {
		b := svo.NewBuilder(instance.Tree.Depth)
		for at, id := range instance.Tree.All() {
			centre := mgl64.Vec3{float64(at[0]) + 0.5, float64(at[1]) + 0.5, float64(at[2]) + 0.5}
			if mgl64.TransformCoordinate(centre, instance.Transform).Dot(s.Section.Normal)-s.Section.Offset >= -1e-9 {
				require.NoError(t, b.Add(at[0], at[1], at[2], svo.Voxel{Colour: instance.Tree.Colours[id]}))
			}
		}
		instance.Tree = build(t, b)
		cut.Instances = append(cut.Instances, instance)
	}
	return cut
}

// opened is the scene with a section through its middle or thereabouts.
func opened(s *render.Scene, random *rand.Rand, kind int) *render.Scene {
	low, high, _ := s.Bounds()
	at := mgl64.Vec3{}
	for k := range 3 {
		at[k] = low[k] + (0.3+0.4*random.Float64())*(high[k]-low[k])
	}
	normal := mgl64.Vec3{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}
	if kind%2 == 1 { // along the voxels, as people do
		normal = mgl64.Vec3{}
		normal[kind/2%3] = float64(1 - 2*random.IntN(2))
		at = mgl64.Vec3{math.Round(at[0]), math.Round(at[1]), math.Round(at[2])}
	}
	cut := &render.Scene{Instances: s.Instances, LaterWins: s.LaterWins}
	cut.Section = render.Section{Normal: normal, Offset: normal.Dot(at)}
	return cut
}

// smallSponge is a tree of nodes that are shared, but not without end.
func smallSponge(t *testing.T) *render.Scene {
	tree, err := models.Sponge(5)
	require.NoError(t, err)
	return place(tree, mgl64.HomogRotate3D(1, mgl64.Vec3{1, 2, 3}.Normalize()))
}

// A scene cut open is the scene without the voxels beyond the plane, as rays see
// it: no holes, true cubes, right depths.
func TestASectionShowsWhatTheRaysSee(t *testing.T) {
	const width, height = 90, 70
	list := append(subjects()[:5:5], subject{name: "shared", scene: smallSponge},
		subject{name: "shell", scene: loaded("proc:sphere?size=100")}, subject{name: "terrain", scene: loaded("proc:terrain?size=256&seed=3")})
	for _, s := range list {
		t.Run(s.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(6, 60))
			whole := s.scene(t)
			sums := map[render.Core]*witness.Report{render.CoreBricks: {}, render.CoreClassic: {}}
			phantoms := 0
			for kind := range 4 {
				scene := opened(whole, random, kind)
				rest := without(t, scene)
				truth := truthOf(rest, false)
				for k, camera := range fewer(witness.Cameras(6, truth, height, uint64(kind))) {
					picture := truthPicture(t, truth, camera, width, height)
					for core, sum := range sums {
						renderer := newRenderer(t, render.Options{Width: width, Height: height, Core: core, Workers: 2})
						frame := draw(t, renderer, scene, camera)
						planes := plain(frame)
						phantoms += renumber(planes, rest, picture)
						report, err := witness.Compare(planes, picture)
						require.NoError(t, err)
						sum.Add(report)
						strict := report
						if len(scene.Instances) > 1 {
							strict.Faults[witness.SeeThrough] = 0
						}
						if strict.Err() != nil {
							path, err := witness.WriteDiff(t.ArtifactDir(), s.name, planes, picture)
							require.NoError(t, err)
							t.Errorf("%s %v, section %d, camera %d: %v\n%s\n%s", s.name, core, kind, k, strict.Err(), report.String(), path)
						}
					}
				}
			}
			for core, sum := range sums {
				t.Log(core, sum.String(), phantoms)
				if testing.Short() {
					continue // frequencies are those of all pictures
				}
				require.Greater(t, sum.Hits, width*height)
				require.LessOrEqual(t, sum.Faults[witness.SeeThrough], sum.Hits/10_000)
				require.LessOrEqual(t, phantoms, sum.Hits/200)
			}
		})
	}
}

// renumber gives the nodes that a frame shows the ids that they have in the scene
// without the voxels cut away. Nodes at level of detail that hold none of the
// voxels left are counted and taken out of the comparison.
func renumber(f witness.Frame, s *render.Scene, p *witness.Picture) (phantoms int) {
	for i := range f.Voxel {
		v := &f.Voxel[i]
		if v.Instance < 0 {
			continue
		}
		if id, ok := find(s.Instances[v.Instance].Tree, v.Min, int(v.Level)); ok {
			v.ID = id
			continue
		}
		phantoms++
		hit := p.At(i%f.Width, i/f.Width)
		*v = witness.Voxel{Instance: hit.Model, ID: hit.ID, Min: hit.Min, Level: hit.Level}
		f.Face[i], f.Depth[i] = hit.Face, float32(hit.Depth)
	}
	return phantoms
}

func find(tree *svo.Tree, low [3]int32, level int) (id uint32, ok bool) {
	node := tree.Root()
	if node == 0 {
		return 0, false
	}
	for l := range level {
		bit := tree.Depth - 1 - l
		octant := int(low[0]>>bit&1 | low[1]>>bit&1<<1 | low[2]>>bit&1<<2)
		if !node.Has(octant) {
			return 0, false
		}
		id, node = tree.Child(id, node, l, octant)
	}
	return id, true
}

// Close up, a scene cut open has the very bytes of the scene without the voxels,
// from every core, kernel and number of workers; where instances run into one
// another, almost.
func TestASectionIsTheSceneWithoutTheVoxels(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 80))
	for name, whole := range map[string]*render.Scene{"crowd": crowd(t), "stack": stack(t), "shared": smallSponge(t), "tiny": place(scatter(t, 1, 6), turned())} {
		for kind := range 4 {
			if testing.Short() && kind > 0 {
				break
			}
			scene := opened(whole, random, kind)
			rest := without(t, scene)
			for _, camera := range []project.Camera{closeTo(t, rest, 0), closeTo(t, rest, 8)} {
				for _, core := range []render.Core{render.CoreBricks, render.CoreClassic} {
					o := render.Options{Width: 90, Height: 70, Core: core, Workers: 1, Kernel: asm.Go,
						Planes: render.PlaneDepth | render.PlaneFace | render.PlaneCoverage | render.PlaneNormal | render.PlaneLevel | render.PlaneVoxel}
					want := drawFrame(t, o, rest, camera)
					for i := range want.Voxel {
						want.Voxel[i].ID = 0
					}
					for _, kernel := range asm.Offered() {
						for _, workers := range []int{1, 3} {
							o.Kernel, o.Workers = kernel.Kernel, workers
							got := drawFrame(t, o, scene, camera)
							for i := range got.Voxel {
								got.Voxel[i].ID = 0
							}
							if name == "crowd" {
								requireAlmostTheSame(t, want, got)
							} else {
								samePicture(t, want, got, name)
							}
						}
					}
				}
			}
		}
	}
}

// requireAlmostTheSame lets one pixel in a thousand differ: which of two
// instances comes first as a whole is told by the boxes around their voxels, and
// what was cut off may have been in the way.
func requireAlmostTheSame(t *testing.T, want, got *render.Frame) {
	differ := 0
	for i := range want.Voxel {
		if want.Voxel[i] != got.Voxel[i] || want.Face[i] != got.Face[i] {
			differ++
		}
	}
	require.LessOrEqual(t, differ, len(want.Voxel)/1000)
}

// closeTo looks at some voxel of the scene that is several pixels large.
func closeTo(t *testing.T, s *render.Scene, scale float64) project.Camera {
	low, high, ok := s.Bounds()
	require.True(t, ok)
	middle := low.Add(high).Mul(0.5)
	c := project.Camera{Eye: middle.Add(mgl64.Vec3{9, -13, 11}.Mul(high.Sub(low).Len() / 25)), Target: middle, Up: mgl64.Vec3{0, 0, 1}, FovY: 25, Scale: scale}
	return c
}

// Picks and distances see the scene cut open, too.
func TestPicksInASection(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 90))
	whole := crowd(t)
	const width, height = 24, 18
	for kind := range 4 {
		scene := opened(whole, random, kind)
		rest := without(t, scene)
		for _, camera := range witness.Cameras(6, truthOf(rest, false), height, 3) {
			for k := range width * height {
				want, wantOK, err := render.Pick(rest, camera, width, height, k%width, k/width)
				require.NoError(t, err)
				got, ok, err := render.Pick(scene, camera, width, height, k%width, k/width)
				require.NoError(t, err)
				require.Equal(t, wantOK, ok)
				want.ID, got.ID, want.Material, got.Material = 0, 0, 0, 0
				require.Equal(t, want, got)
			}
			want, _ := rest.Distance(camera.Eye)
			got, _ := scene.Distance(camera.Eye)
			require.InDelta(t, want, got, 0.02*want)
		}
	}
}

// Whoever watches a scene cut open is told of every node that is counted.
func TestWatchingASection(t *testing.T) {
	random := rand.New(rand.NewPCG(10, 100))
	for kind := range 4 {
		scene := opened(crowd(t), random, kind)
		for _, core := range []render.Core{render.CoreBricks, render.CoreClassic} {
			tracer, err := render.NewTracer(render.Options{Width: 300, Height: 200, Core: core})
			require.NoError(t, err)
			told := map[render.Verdict]int{}
			camera, err := scene.Fit(mgl64.Vec3{1, 2, -1}, mgl64.Vec3{0, 0, 1}, 300, 200, 40, 0.9)
			require.NoError(t, err)
			frame, err := tracer.Watch(context.Background(), scene, camera, func(v *render.Visit) { told[v.Verdict]++ })
			require.NoError(t, err)
			requireCountersAddUp(t, frame)
			for verdict, n := range counted(frame.Stats) {
				require.Equal(t, n, told[verdict], verdict.String())
			}
		}
	}
}

func TestSectionsAtTheirEnds(t *testing.T) {
	scene := heap(t, 8)
	o := render.Options{Width: 120, Height: 90, Planes: allPlanes &^ render.PlaneVisits}
	whole := drawFrame(t, o, scene, overview())
	want, scenePixels := append([]uint8(nil), whole.Colour.Pix...), whole.Stats.Pixels
	scene.Section = render.Section{Normal: mgl64.Vec3{0, 0, 2}, Offset: -1e6}
	require.Equal(t, want, drawFrame(t, o, scene, overview()).Colour.Pix, "nothing is cut away")
	scene.Section.Offset = 1e6
	all := drawFrame(t, o, scene, overview())
	require.Zero(t, all.Stats.Pixels, "all is")
	require.Zero(t, all.Stats.Tested)
	_, ok := scene.Distance(mgl64.Vec3{})
	require.False(t, ok)
	want = nil
	for _, exponent := range []int{0, 1019, -1074} { // a normal may have any length
		scene.Section = render.Section{Normal: mgl64.Vec3{0, 0, math.Ldexp(1, exponent)}, Offset: math.Ldexp(30, exponent)}
		frame := drawFrame(t, o, scene, overview())
		if want == nil {
			want = append(want, frame.Colour.Pix...)
			require.Less(t, frame.Stats.Pixels, scenePixels)
		}
		require.Equal(t, want, frame.Colour.Pix)
	}
	for _, s := range []render.Section{{Normal: mgl64.Vec3{math.NaN(), 0, 0}}, {Normal: mgl64.Vec3{1, 0, 0}, Offset: math.Inf(1)}} {
		scene.Section = s
		r, err := render.NewRenderer(o)
		require.NoError(t, err)
		_, err = r.Draw(context.Background(), scene, overview())
		require.ErrorContains(t, err, "section")
		_, _, err = render.Pick(scene, overview(), 9, 9, 1, 1)
		require.ErrorContains(t, err, "section")
	}
}

func TestASectionAllocatesNothing(t *testing.T) {
	scene := heap(t, 20)
	scene.Section = render.Section{Normal: mgl64.Vec3{1, 2, 3}, Offset: 200}
	r, err := render.NewRenderer(render.Options{Width: 300, Height: 200, Workers: 1})
	require.NoError(t, err)
	frame := func() {
		if _, err := r.Draw(context.Background(), scene, overview()); err != nil {
			t.Error(err)
		}
	}
	frame()
	require.Zero(t, testing.AllocsPerRun(5, frame))
}

// A section that moves is seen, also where an unchanged scene isn't drawn again;
// so is a shift of the camera.
func TestASectionOfATrackedScene(t *testing.T) {
	scene := heap(t, 8)
	scene.Tracked = true
	r, err := render.NewRenderer(render.Options{Width: 120, Height: 90})
	require.NoError(t, err)
	picture := func(c project.Camera) []uint8 {
		frame, err := r.Draw(context.Background(), scene, c)
		require.NoError(t, err)
		return append([]uint8(nil), frame.Colour.Pix...)
	}
	whole := picture(overview())
	scene.Section = render.Section{Normal: mgl64.Vec3{0, 0, 1}, Offset: 30}
	cut := picture(overview())
	require.NotEqual(t, whole, cut)
	shifted := overview()
	shifted.Shift = mgl64.Vec2{0.4, 0.3}
	require.NotEqual(t, cut, picture(shifted))
	scene.Section = render.Section{}
	require.Equal(t, whole, picture(overview()))
}
