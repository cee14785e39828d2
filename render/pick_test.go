package render_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/render/witness"
	"github.com/cfef80af/eightfold/svo"
)

// A pick finds what the witness's ray finds: from any camera, at any pixel.
func TestAPickIsWhatTheRayMeets(t *testing.T) {
	const width, height, cameras = 60, 40, 24
	random := rand.New(rand.NewPCG(11, 12))
	for _, s := range subjects()[:9] {
		if s.endless {
			continue // cast to its leaves below
		}
		t.Run(s.name, func(t *testing.T) {
			scene := s.scene(t)
			truth := truthOf(scene, false)
			hits, misses, grazes := 0, 0, 0
			for _, camera := range fewer(witness.Cameras(cameras, truth, height, 21)) {
				camera.Shift = mgl64.Vec2{random.Float64() - 0.5, random.Float64() - 0.5}
				picture := truthPicture(t, truth, camera, width, height)
				for range 120 {
					x, y := random.IntN(width), random.IntN(height)
					want := picture.At(x, y)
					got, ok, err := render.Pick(scene, camera, width, height, x, y)
					require.NoError(t, err)
					if !ok {
						require.Less(t, want.Model, int32(0), "pixel %d,%d, camera %+v", x, y, camera)
						misses++
						continue
					}
					hits++
					// Of two voxels that meet where the ray does, rounding chooses.
					if got.ID != want.ID || got.Face != render.Face(want.Face) || got.Instance != want.Model {
						grazes++
						require.InDelta(t, want.Depth, got.Depth, 1e-6*(1+math.Abs(want.Depth)), "pixel %d,%d, camera %+v", x, y, camera)
						continue
					}
					require.Equal(t, want.Min, got.Min)
					require.InDelta(t, want.Depth, got.Depth, 1e-7*(1+math.Abs(want.Depth)))
				}
			}
			if !testing.Short() {
				require.Greater(t, hits, 200)
				require.Greater(t, misses, 10)
			}
			require.LessOrEqual(t, grazes, hits/50)
		})
	}
}

// A model without end is picked down to its leaves.
func TestAPickOfAnEndlessModel(t *testing.T) {
	scene := loaded("proc:sponge")(t)
	truth := truthOf(scene, false)
	const width, height = 20, 15
	for _, camera := range fewer(witness.Cameras(12, truth, height, 8)) {
		picture := truthPicture(t, truth, camera, width, height)
		for k := range width * height {
			want := picture.At(k%width, k/width)
			got, ok, err := render.Pick(scene, camera, width, height, k%width, k/width)
			require.NoError(t, err)
			require.Equal(t, want.Model >= 0, ok)
			if ok && got.Min != want.Min {
				require.InDelta(t, want.Depth, got.Depth, 1e-6*(1+math.Abs(want.Depth)))
			}
		}
	}
}

// From a frame and by a ray, a pick tells the same.
func TestPicksFromAFrame(t *testing.T) {
	scene := heap(t, 12)
	for i := range scene.Instances {
		scene.Instances[i].Name = string(rune('a' + i))
	}
	for _, core := range []render.Core{render.CoreBricks, render.CoreClassic} {
		camera := overview()
		camera.FovY = 12 // large voxels: the frame has them, not nodes
		o := render.Options{Width: 160, Height: 120, Core: core, Planes: render.PlaneVoxel | render.PlaneDepth | render.PlaneFace | render.PlaneNormal}
		frame := drawFrame(t, o, scene, camera)
		same, seen := 0, 0
		for k := range 160 * 120 {
			x, y := k%160, k/160
			byFrame, ok, err := frame.Pick(scene, camera, x, y)
			require.NoError(t, err)
			require.Equal(t, frame.Voxel[k].Instance >= 0, ok)
			if !ok {
				continue
			}
			seen++
			byRay, ok, err := render.Pick(scene, camera, 160, 120, x, y)
			require.NoError(t, err)
			if !ok || byRay.VoxelRef != byFrame.VoxelRef || byRay.Face != byFrame.Face {
				continue // a pixel at a border, to single precision
			}
			same++
			require.InDelta(t, byRay.Depth, byFrame.Depth, 1e-4)
			require.InDelta(t, 0, byRay.Point.Sub(byFrame.Point).Len(), 1e-3)
			require.Equal(t, byRay.Name, byFrame.Name)
			require.Equal(t, byRay.Colour, byFrame.Colour)
			require.Equal(t, byRay.Centre, byFrame.Centre)
			require.InDelta(t, byRay.Distance, byRay.Point.Sub(camera.Eye).Len(), 1e-9)
			n := frame.Normal[k]
			require.InDelta(t, 0, byRay.Normal.Sub(mgl64.Vec3{float64(n[0]), float64(n[1]), float64(n[2])}).Len(), 1e-6)
		}
		require.Greater(t, seen, 2000)
		require.Greater(t, same, seen*98/100)
	}
}

func TestWhatAPickTells(t *testing.T) {
	b := svo.NewBuilder(3)
	require.NoError(t, b.Add(2, 3, 4, svo.Voxel{Colour: svo.Colour{10, 20, 30}, Material: 7}))
	scene := place(build(t, b), mgl64.Translate3D(100, 0, 0).Mul4(mgl64.Scale3D(2, 2, 2)))
	scene.Instances[0].Name = "chair"
	camera := project.Camera{Eye: mgl64.Vec3{105, -13, 9}, Target: mgl64.Vec3{105, 0, 9}, Up: mgl64.Vec3{0, 0, 1}, FovY: 30}
	hit, ok, err := render.Pick(scene, camera, 9, 9, 4, 4)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, render.VoxelRef{Instance: 0, ID: hit.ID, Min: [3]int32{2, 3, 4}, Level: 3}, hit.VoxelRef)
	require.Equal(t, "chair", hit.Name)
	require.Equal(t, render.FaceMinY, hit.Face)
	require.Equal(t, uint8(7), hit.Material)
	require.Equal(t, svo.Colour{10, 20, 30}, hit.Colour)
	require.InDelta(t, 19, hit.Depth, 1e-9)
	require.InDelta(t, 19, hit.Distance, 1e-9)
	require.InDelta(t, 0, hit.Point.Sub(mgl64.Vec3{105, 6, 9}).Len(), 1e-9)
	require.InDelta(t, 0, hit.Centre.Sub(mgl64.Vec3{105, 7, 9}).Len(), 1e-9)
	require.InDelta(t, 0, hit.Normal.Sub(mgl64.Vec3{0, -1, 0}).Len(), 1e-9)
	scene.Instances[0].Hidden = true
	_, ok, err = render.Pick(scene, camera, 9, 9, 4, 4)
	require.NoError(t, err)
	require.False(t, ok, "hidden")
}

func TestPicksThatCannotBe(t *testing.T) {
	scene := heap(t, 2)
	frame := drawFrame(t, render.Options{Width: 8, Height: 8}, scene, overview())
	_, _, err := frame.Pick(scene, overview(), 1, 1)
	require.ErrorContains(t, err, "PlaneVoxel")
	frame = drawFrame(t, render.Options{Width: 8, Height: 8, Planes: allPlanes}, scene, overview())
	_, _, err = frame.Pick(scene, overview(), 8, 1)
	require.ErrorContains(t, err, "outside")
	_, _, err = render.Pick(scene, project.Camera{}, 8, 8, 1, 1)
	require.ErrorContains(t, err, "camera")
}

// The distance to the scene is that to the nearest of all its voxels.
func TestDistanceToTheScene(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	tree := scatter(t, 4, 60)
	turn := mgl64.HomogRotate3D(0.9, mgl64.Vec3{1, 2, 3}.Normalize())
	for name, m := range map[string]mgl64.Mat4{
		"turned": mgl64.Translate3D(5, 6, 7).Mul4(turn).Mul4(mgl64.Scale3D(2, 0.5, -1)),
		"shear":  turn.Mul4(mgl64.ShearX3D(0.5, 0.2)),
	} {
		scene := place(tree, m, mgl64.Translate3D(40, 0, 0).Mul4(m))
		for range 200 {
			point := mgl64.Vec3{60*random.Float64() - 20, 60*random.Float64() - 20, 60*random.Float64() - 20}
			want := math.Inf(1)
			for _, instance := range scene.Instances {
				inverse := instance.Transform.Inv()
				local := mgl64.TransformCoordinate(point, inverse)
				for at := range tree.All() {
					// By a search of the cube that closes in on its nearest point.
					nearest, step := mgl64.Vec3{}, 0.5
					for k := range 3 {
						nearest[k] = math.Max(float64(at[k]), math.Min(float64(at[k])+1, local[k]))
					}
					away := func(p mgl64.Vec3) float64 { return mgl64.TransformCoordinate(p, instance.Transform).Sub(point).Len() }
					if away(nearest) > want+4 {
						continue
					}
					for step > 1e-4 {
						better := false
						for axis := range 3 {
							for _, sign := range []float64{-1, 1} {
								p := nearest
								p[axis] = math.Max(float64(at[axis]), math.Min(float64(at[axis])+1, p[axis]+sign*step))
								if away(p) < away(nearest)-1e-12 {
									nearest, better = p, true
								}
							}
						}
						if !better {
							step /= 2
						}
					}
					want = math.Min(want, away(nearest))
				}
			}
			got, ok := scene.Distance(point)
			require.True(t, ok)
			require.InDelta(t, want, got, 0.011*want+2e-3, name)
		}
	}
	_, ok := (&render.Scene{}).Distance(mgl64.Vec3{})
	require.False(t, ok)
	near, ok := loaded("proc:sponge")(t).Distance(mgl64.Vec3{1, 2, 3})
	require.True(t, ok)
	require.Less(t, near, 1000.)
}

func BenchmarkPick(b *testing.B) {
	many := heap(b, 20_000)
	for name, scene := range map[string]*render.Scene{"20": heap(b, 20), "20000": many} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := render.Pick(scene, overview(), 640, 480, 320, 240); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+" distance", func(b *testing.B) {
			for b.Loop() {
				scene.Distance(overview().Eye)
			}
		})
	}
}
