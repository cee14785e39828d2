package render_test

import (
	"context"
	"image"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/render/witness"
)

// counted are the verdicts as a frame counts them.
func counted(s render.Stats) map[render.Verdict]int {
	return map[render.Verdict]int{
		render.VerdictBehind: s.Behind, render.VerdictOutside: s.Outside, render.VerdictEmpty: s.Empty, render.VerdictSubpixel: s.Subpixel,
		render.VerdictOccluded: s.Occluded, render.VerdictOpened: s.Opened, render.VerdictDrawn: s.Drawn,
	}
}

// eachTraced runs a test for scenes, cameras and cores of all kinds.
func eachTraced(t *testing.T, test func(t *testing.T, o render.Options, s *render.Scene, c project.Camera)) {
	for name, scene := range map[string]*render.Scene{
		"crowd": crowd(t), "sponge": loaded("proc:sponge")(t), "dust": place(scatter(t, 6, 400), turned()), "tiny": place(scatter(t, 1, 5), turned()),
		"shared": smallSponge(t),
	} {
		cameras := witness.Cameras(6, truthOf(scene, false), 100, 6)
		for _, core := range []render.Core{render.CoreBricks, render.CoreClassic} {
			t.Run(name+"-"+core.String(), func(t *testing.T) {
				for _, camera := range fewer(cameras) {
					test(t, render.Options{Width: 300, Height: 100, Core: core, Planes: render.PlaneVoxel | render.PlaneOrder | render.PlaneCoverage}, scene, camera)
				}
			})
		}
	}
}

// Whoever watches is told of every node that is counted, and of the picture that
// everybody sees.
func TestWatchingTellsWhatIsCounted(t *testing.T) {
	eachTraced(t, func(t *testing.T, o render.Options, s *render.Scene, c project.Camera) {
		tracer, err := render.NewTracer(o)
		require.NoError(t, err)
		told := map[render.Verdict]int{}
		orphans := 0
		opened := map[[5]int32]bool{} // instance, level and corner; in any tile
		frame, err := tracer.Watch(context.Background(), s, c, func(v *render.Visit) {
			told[v.Verdict]++
			if v.Verdict == render.VerdictOpened {
				opened[[5]int32{v.Instance, int32(v.Level), v.Low[0], v.Low[1], v.Low[2]}] = true
			}
			if v.Level > 0 {
				edge := int32(2 * v.Edge)
				parent := [5]int32{v.Instance, int32(v.Level) - 1, v.Low[0] / edge * edge, v.Low[1] / edge * edge, v.Low[2] / edge * edge}
				if !opened[parent] {
					orphans++
				}
			}
		})
		require.NoError(t, err)
		require.Zero(t, orphans, "an octant comes after the node that holds it")
		for verdict, n := range counted(frame.Stats) {
			require.Equal(t, n, told[verdict], verdict.String())
		}
		samePicture(t, drawFrame(t, o, s, c), frame, "watched")
	})
}

// The trace of a pixel ends at what it sees, and leads there from the root.
func TestATraceLeadsToWhatThePixelSees(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	traced := 0
	eachTraced(t, func(t *testing.T, o render.Options, s *render.Scene, c project.Camera) {
		frame := drawFrame(t, o, s, c)
		tracer, err := render.NewTracer(o)
		require.NoError(t, err)
		for range 4 {
			x, y := random.IntN(o.Width), random.IntN(o.Height)
			for range 200 { // rather one that sees something
				if frame.Coverage[y*o.Width+x] == 0 {
					x, y = random.IntN(o.Width), random.IntN(o.Height)
				}
			}
			steps, err := tracer.Trace(context.Background(), s, c, x, y)
			require.NoError(t, err)
			seen := frame.Voxel[y*o.Width+x]
			leads := false
			for i, step := range steps {
				if step.Parent < 0 {
					require.Zero(t, step.Level)
					require.True(t, step.Under)
				} else {
					parent := steps[step.Parent]
					require.Less(t, step.Parent, i)
					require.Equal(t, render.VerdictOpened, parent.Verdict)
					require.True(t, parent.Under)
					require.Equal(t, parent.Level+1, step.Level)
					require.Equal(t, parent.Edge, 2*step.Edge)
					require.Equal(t, parent.Instance, step.Instance)
				}
				if step.Verdict == render.VerdictDrawn && step.Under && step.Instance == seen.Instance && within(seen.Min, step.Visit) {
					leads = true
				}
			}
			if seen.Instance >= 0 {
				traced++
				require.True(t, leads, "pixel %d,%d, camera %+v", x, y, c)
			}
		}
	})
	if !testing.Short() {
		require.Greater(t, traced, 20)
	}
}

func within(p [3]int32, v render.Visit) bool {
	for k := range 3 {
		if d := float64(p[k] - v.Low[k]); d < 0 || d >= v.Edge {
			return false
		}
	}
	return true
}

func TestTracesOutsideThePicture(t *testing.T) {
	tracer, err := render.NewTracer(render.Options{Width: 20, Height: 10})
	require.NoError(t, err)
	for _, at := range [][2]int{{-1, 0}, {20, 0}, {0, 10}} {
		_, err := tracer.Trace(context.Background(), heap(t, 1), overview(), at[0], at[1])
		require.ErrorContains(t, err, "outside the picture")
	}
	_, err = render.NewTracer(render.Options{})
	require.Error(t, err)
}

// A tile fills node by node: what is taken stays, nothing else is shown, and in
// the end all is there.
func TestAPictureFillsInTheOrderOfItsNodes(t *testing.T) {
	eachTraced(t, func(t *testing.T, o render.Options, s *render.Scene, c project.Camera) {
		frame := drawFrame(t, o, s, c)
		o.Workers, o.Kernel = 1, 1
		require.Equal(t, frame.Order, drawFrame(t, o, s, c).Order, "the order depends on nothing else")
		last := frame.LastOrder()
		require.LessOrEqual(t, int(last), frame.Stats.Drawn)
		for i, order := range frame.Order {
			if (frame.Coverage[i] != 0) != (order != 0) {
				require.Failf(t, "wrong", "pixel %d has order %d", i, order)
			}
		}
		before := image.NewNRGBA(frame.Colour.Rect)
		now := image.NewNRGBA(frame.Colour.Rect)
		for _, nodes := range []uint32{0, min(1, last), (last + 1) / 2, last} {
			frame.Filling(nodes, now)
			for i := 3; i < len(now.Pix); i += 4 {
				if (frame.Order[i/4] != 0 && frame.Order[i/4] <= nodes) != (now.Pix[i] != 0) || before.Pix[i] != 0 && now.Pix[i] == 0 {
					require.Failf(t, "wrong", "pixel %d after %d nodes", i/4, nodes)
				}
			}
			copy(before.Pix, now.Pix)
		}
		require.Equal(t, frame.Colour.Pix, now.Pix)
	})
}

func turned() mgl64.Mat4 {
	return mgl64.HomogRotate3D(1, mgl64.Vec3{1, 2, 3}.Normalize())
}

// Subpixel nodes are told as well, and so is every frame after the first.
func TestWatchingWhatIsBelowAPixel(t *testing.T) {
	eachTraced(t, func(t *testing.T, o render.Options, s *render.Scene, c project.Camera) {
		o.Subpixel.Threshold = 3
		tracer, err := render.NewTracer(o)
		require.NoError(t, err)
		for range 2 {
			told := map[render.Verdict]int{}
			frame, err := tracer.Watch(context.Background(), s, c, func(v *render.Visit) { told[v.Verdict]++ })
			require.NoError(t, err)
			requireCountersAddUp(t, frame)
			for verdict, n := range counted(frame.Stats) {
				require.Equal(t, n, told[verdict], verdict.String())
			}
		}
	})
}
