package render_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/svo"
)

// block is a house of some storeys with windows, hollow, standing on z = 0.
func block(t require.TestingT, random *rand.Rand, width, height uint32) *svo.Tree {
	var b svo.Builder
	wall := svo.Colour{uint8(120 + random.IntN(130)), uint8(110 + random.IntN(110)), uint8(90 + random.IntN(110))}
	pane := svo.Colour{60, 80, uint8(100 + random.IntN(100))}
	for z := range height {
		for y := range width {
			for x := range width {
				edge := min(x, y, width-1-x, width-1-y)
				window := z%8 > 2 && z%8 < 6 && (x%6 > 2 || y%6 > 2) && z < height-4
				switch {
				case edge == 0 && !window || edge == 1 && window:
					colour := wall
					if window {
						colour = pane
					}
					require.NoError(t, b.Add(x, y, z, svo.Voxel{Colour: colour}))
				case z == height-1:
					require.NoError(t, b.Add(x, y, z, svo.Voxel{Colour: svo.Colour{90, 90, 95}}))
				}
			}
		}
	}
	tree, err := b.Build(context.Background())
	require.NoError(t, err)
	return tree
}

// town is side x side houses of 50 models on a square of ground, 50 units apart
// and up to 40 wide, taller towards the middle.
func town(t require.TestingT, side, models int) *render.Scene {
	random := rand.New(rand.NewPCG(5, 0))
	trees := make([]*svo.Tree, models)
	for i := range trees {
		trees[i] = block(t, random, 24+uint32(i%4)*8, 16+uint32(i)*3)
	}
	s := &render.Scene{Tracked: true}
	middle := float64(side) / 2
	for y := range side {
		for x := range side {
			off := math.Hypot(float64(x)-middle, float64(y)-middle) / middle
			tree := trees[min(models-1, int(float64(models)*random.Float64()*max(0.2, 1.2-off)))]
			low, high := tree.Bounds()
			half := float64(high[0]-low[0]) / 2
			m := mgl64.Translate3D(50*float64(x), 50*float64(y), 0).
				Mul4(mgl64.HomogRotate3DZ(math.Pi / 2 * float64(random.IntN(4)))).
				Mul4(mgl64.Translate3D(-half, -half, 0))
			s.Instances = append(s.Instances, render.Instance{Tree: tree, Transform: m})
		}
	}
	return s
}

// townCameras look at a town of some side: from a street, from above the roofs,
// and from so far that all of it is seen.
func townCameras(side int) map[string]func(step float64) project.Camera {
	width := 50 * float64(side)
	facing := func(x, y, z, tx, ty, tz float64) func(float64) project.Camera {
		return func(step float64) project.Camera {
			move := mgl64.Vec3{0, step, 0}
			return project.Camera{Eye: mgl64.Vec3{x, y, z}.Mul(width).Add(move), Target: mgl64.Vec3{tx, ty, tz}.Mul(width).Add(move), Up: mgl64.Vec3{0, 0, 1}, FovY: 60}
		}
	}
	street := func(step float64) project.Camera {
		x, y := 50*math.Round(float64(side)/2)+25, width/4+step
		return project.Camera{Eye: mgl64.Vec3{x, y, 12}, Target: mgl64.Vec3{x + 10, y + 100, 20}, Up: mgl64.Vec3{0, 0, 1}, FovY: 60}
	}
	return map[string]func(float64) project.Camera{
		"street": street,
		"roofs":  facing(.3, .3, 200/width, .5, .5, 0),
		"all":    facing(.5, -.6, .5, .5, .4, 0),
	}
}

// BenchmarkTown draws 100,000 instances of 50 models at 1280x720 with one
// worker: the camera moving, standing, and with nothing changed at all.
func BenchmarkTown(b *testing.B) {
	const side = 316
	scene := town(b, side, 50)
	for name, camera := range townCameras(side) {
		for _, without := range []render.Rungs{0, render.RungFrame} {
			for _, speed := range []float64{0.5, 0} {
				if without == 0 && speed > 0 {
					continue
				}
				b.Run(fmt.Sprintf("%s/speed=%g/without=%v", name, speed, without), func(b *testing.B) {
					r, err := render.NewRenderer(render.Options{Width: 1280, Height: 720, Workers: 1, Without: without})
					require.NoError(b, err)
					step := 0.0
					for b.Loop() {
						_, err := r.Draw(b.Context(), scene, camera(step))
						require.NoError(b, err)
						step += speed
					}
					stats := r.CullStats().Views[0]
					b.ReportMetric(float64(stats.Instances.Drawn), "drawn")
					b.ReportMetric(float64(stats.Projected), "projected")
					b.ReportMetric(float64(stats.GroupsTested), "groups")
				})
			}
		}
	}
}

// BenchmarkTownChanges draws the street while instances move, a few, many or
// all, and where nobody promised to tell which.
func BenchmarkTownChanges(b *testing.B) {
	const side = 316
	for _, moving := range []int{0, 100, 10_000, side * side} {
		for _, tracked := range []bool{true, false} {
			b.Run(fmt.Sprintf("moving=%d/tracked=%v", moving, tracked), func(b *testing.B) {
				scene := town(b, side, 50)
				scene.Tracked = tracked
				r, err := render.NewRenderer(render.Options{Width: 64, Height: 36, Workers: 1, Without: render.RungFrame})
				require.NoError(b, err)
				camera := townCameras(side)["street"](0)
				_, err = r.Draw(b.Context(), scene, camera)
				require.NoError(b, err)
				random := rand.New(rand.NewPCG(1, 1))
				some := random.Perm(len(scene.Instances))[:moving]
				for b.Loop() {
					for _, i := range some {
						scene.SetTransform(i, mgl64.Translate3D(0, 0.01, 0).Mul4(scene.Instances[i].Transform))
					}
					_, err := r.Draw(b.Context(), scene, camera)
					require.NoError(b, err)
				}
			})
		}
	}
}
