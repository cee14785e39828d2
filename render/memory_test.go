package render_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// Whatever a program does with its scenes, and in whatever order, no view shows
// anything that it remembers wrongly: each frame is that of a new renderer.
func TestNoViewShowsWhatIsOutdated(t *testing.T) {
	steps := 800
	if testing.Short() {
		steps = 200
	}
	trees := append(bigVoxels(t), speckle(t, 1, 5, 4000), speckle(t, 2, 6, 900))
	random := rand.New(rand.NewPCG(3, 33))
	options := render.Options{Width: 70, Height: 50, Planes: render.PlaneVoxel | render.PlaneDepth | render.PlaneNormal}
	held, done := 0, map[string]int{}
	r := rendererOf(t, options)
	scenes := []*render.Scene{randomScene(random, trees, 40), randomScene(random, trees, 10)}
	cameras := []project.Camera{overview(), randomCamera(random, scenes[0]), randomCamera(random, scenes[1])}
	for step := range steps {
		k := random.IntN(len(scenes))
		s := scenes[k]
		n := len(s.Instances)
		i := random.IntN(max(n, 1))
		what := []string{"nothing", "nothing", "nothing", "move", "move back", "hide", "tree", "add", "remove", "swap", "rule", "section", "promise", "size", "replace", "camera"}[random.IntN(16)]
		if n == 0 {
			what = "replace"
		}
		done[what]++
		switch what {
		case "move":
			s.SetTransform(i, mgl64.Translate3D(random.NormFloat64(), random.NormFloat64(), 5*random.NormFloat64()).Mul4(s.Instances[i].Transform))
		case "move back":
			was := s.Instances[i].Transform
			s.SetTransform(i, mgl64.Translate3D(1, 2, 3))
			s.SetTransform(i, was)
		case "hide":
			s.Instances[i].Hidden = !s.Instances[i].Hidden
			s.Changed(i)
		case "tree":
			s.Instances[i].Tree = trees[random.IntN(len(trees))]
			s.Changed(i)
		case "add":
			s.Instances = append(s.Instances, s.Instances[i])
		case "remove":
			s.Instances[i] = s.Instances[n-1]
			s.Instances = s.Instances[:n-1]
			s.ChangedAll()
		case "swap":
			j := random.IntN(n)
			s.Instances[i], s.Instances[j] = s.Instances[j], s.Instances[i]
			s.Changed(i)
			s.Changed(j)
		case "rule":
			s.LaterWins = !s.LaterWins
		case "section":
			s.Section = render.Section{Normal: mgl64.Vec3{0, 1, float64(random.IntN(2))}, Offset: 20 * random.NormFloat64()}
			if random.IntN(2) == 0 {
				s.Section = render.Section{}
			}
		case "promise":
			s.Tracked = !s.Tracked
		case "size":
			require.NoError(t, r.View(random.IntN(2)).SetMinScreenSize(float64(random.IntN(6))))
		case "replace":
			*s = render.Scene{Instances: randomScene(random, trees, 30).Instances, Tracked: true}
		case "camera":
			cameras[random.IntN(len(cameras))] = randomCamera(random, s)
		}
		camera := cameras[random.IntN(len(cameras))*random.IntN(2)]
		view := r.View(random.IntN(2))
		frame, err := view.Draw(t.Context(), s, camera)
		require.NoError(t, err)
		fresh := rendererOf(t, options)
		require.NoError(t, fresh.SetMinScreenSize(view.MinScreenSize()))
		want := draw(t, fresh, &render.Scene{Instances: s.Instances, LaterWins: s.LaterWins, Section: s.Section}, camera)
		if !sameFrame(want, frame) {
			samePicture(t, want, frame, fmt.Sprintf("step %d, %s", step, what))
		}
		require.Equal(t, fresh.CullStats().Views[0].Instances.Drawn, view.CullStats().Instances.Drawn, "step %d, %s", step, what)
		requireLadderAddsUp(t, fresh)
		require.True(t, s.CheckHierarchy())
		if frame.Stats.Held {
			held++
		}
	}
	require.Greater(t, held, steps/50)
	require.Len(t, done, 14)
}
