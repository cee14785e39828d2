package render_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/occlusion"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/render/witness"
	"github.com/cfef80af/eightfold/svo"
)

// The figures that every picture is held to, besides those of witness.Compare
// that allow no fault at all.
const (
	fatteningOfCubes  = 0.02 // on average, voxels larger than two pixels
	fatteningOfDetail = 0.35 // on average, smaller voxels
)

// subject is a scene to be looked at.
type subject struct {
	name  string
	scene func(t *testing.T) *render.Scene
	// endless trees are cast to an eighth of a pixel, not to their leaves.
	endless bool
	// dust is a scene of lone voxels: far away most pixels are silhouette, and
	// there is no edge to relate their fattening to.
	dust bool
}

// subjects are what the pictures are of: first our own, then, where they are
// at hand, models from elsewhere.
func subjects() []subject {
	list := []subject{
		{name: "ball", scene: func(t *testing.T) *render.Scene { return place(ball(t), mgl64.Ident4()) }},
		{name: "crowd", scene: crowd},
		{name: "stack", scene: stack},
		{name: "dust", scene: func(t *testing.T) *render.Scene {
			return place(scatter(t, 6, 400), mgl64.HomogRotate3D(1, mgl64.Vec3{1, 2, 3}.Normalize()))
		}, dust: true},
		{name: "tiles", scene: tiles},
		{name: "sponge", scene: loaded("proc:sponge"), endless: true},
		{name: "shared", scene: smallSponge},
		{name: "shell", scene: loaded("proc:sphere?size=100")},
		{name: "terrain", scene: loaded("proc:terrain?size=256&seed=3")},
		{name: "island", scene: loaded("")},
	}
	for _, file := range []string{"monu1", "monu9", "nature", "chr_knight", "phantom_mansion", "test_multiple_model_scene"} {
		path := filepath.Join("..", "..", "shared", "models", "vox", file+".vox")
		list = append(list, subject{name: file, scene: loaded(path)})
	}
	return list
}

// seeThroughRarely is in how many pixels one may be see-through in a scene of
// many instances; one was found in 236,565.
const seeThroughRarely = 100_000

func TestPicturesShowWhatTheRaysSee(t *testing.T) {
	const width, height, cameras = 160, 120, 30
	cores := map[string]render.Core{"bricks": render.CoreBricks, "classic": render.CoreClassic}
	all := map[string]*witness.Report{"bricks": {}, "classic": {}}
	for _, s := range subjects() {
		t.Run(s.name, func(t *testing.T) {
			scene := s.scene(t)
			truth := truthOf(scene, s.endless)
			list := fewer(witness.Cameras(cameras, truth, height, 1))
			pictures := make([]*witness.Picture, len(list))
			for k, camera := range list {
				pictures[k] = truthPicture(t, truth, camera, width, height)
			}
			for name, core := range cores {
				renderer := newRenderer(t, render.Options{Width: width, Height: height, Core: core})
				var sum witness.Report
				for k, camera := range list {
					sum.Add(judge(t, fmt.Sprintf("%s%02d-%s", s.name, k, name), pictures[k], renderer, scene, camera))
				}
				t.Log(name, sum.String())
				all[name].Add(sum)
				if testing.Short() {
					continue // means and frequencies are those of all pictures
				}
				require.LessOrEqual(t, sum.Faults[witness.SeeThrough], sum.Hits/seeThroughRarely)
				require.Greater(t, sum.Hits, width*height) // of 30 pictures: the test saw something
				if !s.endless {
					require.Greater(t, sum.CubesChecked, 10*width)
				}
				require.LessOrEqual(t, sum.Fattening(witness.Cubes), fatteningOfCubes)
				if !s.dust {
					require.LessOrEqual(t, sum.Fattening(witness.Detail), fatteningOfDetail)
				}
			}
		})
	}
	for name, sum := range all {
		t.Log(name, sum.String())
	}
}

// In small pictures perspective shows in all but the smallest bricks, most of all
// near the edges. No ray of these cameras grazes a voxel: see bench/NOTES.md.
func TestSmallPicturesShowWhatTheRaysSee(t *testing.T) {
	const width, height, cameras = 40, 30, 120
	for _, s := range subjects()[:9] {
		t.Run(s.name, func(t *testing.T) {
			scene := s.scene(t)
			truth := truthOf(scene, s.endless)
			renderer := newRenderer(t, render.Options{Width: width, Height: height})
			var sum witness.Report
			for k, camera := range fewer(witness.Cameras(cameras, truth, height, 9)) {
				camera.FovY += (110 - camera.FovY) / 2
				picture := truthPicture(t, truth, camera, width, height)
				sum.Add(judge(t, fmt.Sprintf("%s%02d", s.name, k), picture, renderer, scene, camera))
			}
			require.LessOrEqual(t, sum.Faults[witness.SeeThrough], sum.Hits/seeThroughRarely)
		})
	}
}

// fewer leaves out cameras in a short run, such as that under the race detector,
// which takes ten times as long. Every fifth stays: kinds of cameras come round
// in sixes, so that of thirty one of each is left.
func fewer(cameras []project.Camera) (some []project.Camera) {
	if !testing.Short() {
		return cameras
	}
	for k := 0; k < len(cameras); k += 5 {
		some = append(some, cameras[k])
	}
	return some
}

// However a picture is drawn it has no faults, and the same bytes from every
// kernel, every number of workers and every coverage buffer.
func TestEveryWayToDrawShowsWhatTheRaysSee(t *testing.T) {
	const width, height, cameras = 64, 48, 6
	for _, s := range subjects()[:6] {
		t.Run(s.name, func(t *testing.T) {
			scene := s.scene(t)
			truth := truthOf(scene, s.endless)
			for k, camera := range fewer(witness.Cameras(cameras, truth, height, 2)) {
				picture := truthPicture(t, truth, camera, width, height)
				for i, way := range ways() {
					if testing.Short() && i%4 != 0 {
						continue
					}
					name := fmt.Sprintf("%s%d-%d-%g-%d-%d-%v-%v", s.name, k, way.Core, way.LOD, way.Projection, way.PixelRule, way.NoOrtho, way.SortAll)
					way.Width, way.Height = width, height
					way.Kernel, way.Workers, way.Coverage = asm.Go, 1, occlusion.StripCoverage
					renderer := newRenderer(t, way)
					judge(t, name, picture, renderer, scene, camera)
					frame := draw(t, renderer, scene, camera)
					for _, kernel := range asm.Offered() {
						way.Kernel, way.Workers = kernel.Kernel, 3
						if way.Core == render.CoreClassic {
							way.Coverage = occlusion.ByteCoverage
						}
						other := draw(t, newRenderer(t, way), scene, camera)
						require.Equal(t, frame.Colour.Pix, other.Colour.Pix, "%s, kernel %v", name, kernel.Kernel)
						require.Equal(t, frame.Depth, other.Depth, "%s, kernel %v", name, kernel.Kernel)
						require.Equal(t, frame.Voxel, other.Voxel, "%s, kernel %v", name, kernel.Kernel)
						require.Equal(t, frame.Face, other.Face, "%s, kernel %v", name, kernel.Kernel)
					}
				}
			}
		})
	}
}

// ways are all combinations of the options that may change how a picture is
// drawn, but not what is in it.
func ways() (list []render.Options) {
	for _, lod := range []float64{0.7, 1, render.MaxBrickLOD} {
		list = append(list, render.Options{Core: render.CoreBricks, LOD: lod})
	}
	for _, projection := range []project.Method{project.TwoCorners, project.FourPoints, project.EightCorners} {
		for _, rule := range []project.PixelRule{project.Float, project.Rounded} {
			for _, noOrtho := range []bool{false, true} {
				for _, sortAll := range []bool{false, true} {
					list = append(list, render.Options{Core: render.CoreClassic, Projection: projection, PixelRule: rule, NoOrtho: noOrtho, SortAll: sortAll})
				}
			}
		}
	}
	return list
}

// judge draws a picture and holds it to the truth. Where the test has failed a
// picture of the difference is left, see witness.WriteDiff.
func judge(t *testing.T, name string, truth *witness.Picture, r *render.Renderer, s *render.Scene, c project.Camera) witness.Report {
	frame := plain(draw(t, r, s, c))
	report, err := witness.Compare(frame, truth)
	require.NoError(t, err)
	// Where instances run into one another, a node that rightly comes first in
	// its own instance, but reaches over and lies deep, may lose its pixel to
	// another instance: judged by how often it happens, see seeThroughRarely.
	strict := report
	if len(s.Instances) > 1 {
		strict.Faults[witness.SeeThrough] = 0
	}
	if err := strict.Err(); err != nil {
		path, diffErr := witness.WriteDiff(t.ArtifactDir(), name, frame, truth)
		require.NoError(t, diffErr)
		t.Errorf("%s, camera %+v: %v\n%s\nset %s=FOLDER to keep %s", name, c, err, report.String(), witness.DiffVariable, path)
	}
	return report
}

func draw(t *testing.T, r *render.Renderer, s *render.Scene, c project.Camera) *render.Frame {
	frame, err := r.Draw(context.Background(), s, c)
	require.NoError(t, err)
	requireLadderAddsUp(t, r)
	return frame
}

func newRenderer(t *testing.T, o render.Options) *render.Renderer {
	o.Planes |= render.PlaneDepth | render.PlaneFace | render.PlaneVoxel
	r, err := render.NewRenderer(o)
	require.NoError(t, err)
	return r
}

// plain is a frame as the witness takes it.
func plain(f *render.Frame) witness.Frame {
	w := witness.Frame{Width: f.Width, Height: f.Height, Depth: f.Depth,
		Face: make([]uint8, len(f.Face)), Voxel: make([]witness.Voxel, len(f.Voxel))}
	for k, face := range f.Face {
		w.Face[k] = uint8(face)
	}
	for k, voxel := range f.Voxel {
		w.Voxel[k] = witness.Voxel(voxel)
	}
	return w
}

// truthOf is a scene as the witness takes it.
func truthOf(s *render.Scene, endless bool) witness.Scene {
	truth := witness.Scene{LaterWins: s.LaterWins, Models: make([]witness.Model, len(s.Instances))}
	if endless {
		truth.MaxFootprint = 0.125
	}
	for k, instance := range s.Instances {
		if !instance.Hidden {
			truth.Models[k] = witness.Model{Tree: instance.Tree, Transform: instance.Transform}
		}
	}
	return truth
}

func truthPicture(t *testing.T, s witness.Scene, c project.Camera, width, height int) *witness.Picture {
	p, err := witness.Cast(s, c, width, height)
	require.NoError(t, err)
	return p
}

// loaded is the scene of a file or of a procedural model. Files that aren't
// there are skipped.
func loaded(path string) func(t *testing.T) *render.Scene {
	return func(t *testing.T) *render.Scene {
		if matches, _ := filepath.Glob(path); filepath.Ext(path) == ".vox" && matches == nil {
			t.Skipf("%s is not there", path)
		}
		asset, err := models.Load(path, models.Options{})
		require.NoError(t, err)
		scene, err := render.SceneOf(asset, 0)
		require.NoError(t, err)
		return scene
	}
}

func place(tree *svo.Tree, transforms ...mgl64.Mat4) *render.Scene {
	s := &render.Scene{}
	for _, m := range transforms {
		s.Instances = append(s.Instances, render.Instance{Tree: tree, Transform: m})
	}
	return s
}

// crowd is some trees at random places that run into one another, turned,
// scaled, some mirrored, sheared or hidden.
func crowd(t *testing.T) *render.Scene {
	random := rand.New(rand.NewPCG(4, 4))
	number := func(low, high float64) float64 { return low + (high-low)*random.Float64() }
	trees := []*svo.Tree{ball(t), scatter(t, 4, 300), scatter(t, 3, 20)}
	s := &render.Scene{}
	for k := range 24 {
		m := mgl64.Translate3D(number(0, 90), number(0, 90), number(0, 90)).
			Mul4(mgl64.HomogRotate3D(number(0, 6), mgl64.Vec3{number(.1, 1), number(-1, 1), number(-1, 1)}.Normalize())).
			Mul4(mgl64.Scale3D(number(.3, 1), number(.3, 1), number(.3, 1)))
		if k%3 == 0 {
			m = m.Mul4(mgl64.Scale3D(1, -1, 1))
		}
		if k%4 == 0 {
			m = m.Mul4(mgl64.ShearX3D(number(0, .5), 0))
		}
		s.Instances = append(s.Instances, render.Instance{Tree: trees[k%3], Transform: m, Hidden: k%8 == 7})
	}
	return s
}

// stack is what editors make: trees on one grid, turned by quarters, that
// touch or fill the same voxels.
func stack(t *testing.T) *render.Scene {
	tree := scatter(t, 4, 1500)
	turned := mgl64.Mat4FromCols(mgl64.Vec4{0, 1, 0, 0}, mgl64.Vec4{-1, 0, 0, 0}, mgl64.Vec4{0, 0, 1, 0}, mgl64.Vec4{16, 0, 0, 1})
	s := place(tree,
		mgl64.Ident4(),
		mgl64.Translate3D(16, 0, 0),
		mgl64.Translate3D(0, 16, 0).Mul4(turned),
		mgl64.Translate3D(8, 8, 4).Mul4(turned),
		mgl64.Translate3D(4, 0, 10))
	s.LaterWins = true
	return s
}

// tiles is a floor and two walls of many small trees side by side, some on
// top of others.
func tiles(t *testing.T) *render.Scene {
	s := &render.Scene{}
	for k, tree := range []*svo.Tree{scatter(t, 3, 200), scatter(t, 3, 600), scatter(t, 2, 40)} {
		for i := range 36 {
			at := mgl64.Vec3{float64(i % 6 * 8), float64(i / 6 * 8)}
			at[0], at[1], at[2] = at[k%3], at[(k+1)%3], at[(k+2)%3]
			s.Instances = append(s.Instances, render.Instance{Tree: tree, Transform: mgl64.Translate3D(at[0], at[1], at[2])})
		}
	}
	return s
}

func ball(t *testing.T) *svo.Tree {
	const size = 40
	var b svo.Builder
	for z := range uint32(size) {
		for y := range uint32(size) {
			for x := range uint32(size) {
				dx, dy, dz := 2*int(x)+1-size, 2*int(y)+1-size, 2*int(z)+1-size
				if dx*dx+dy*dy+dz*dz < size*size {
					require.NoError(t, b.Add(x, y, z, svo.Voxel{Colour: svo.Colour{uint8(6 * x), uint8(6 * y), uint8(6 * z)}}))
				}
			}
		}
	}
	return build(t, &b)
}

// scatter is n random voxels.
func scatter(t *testing.T, depth, n int) *svo.Tree {
	random := rand.New(rand.NewPCG(uint64(depth), uint64(n)))
	b := svo.NewBuilder(depth)
	for range n {
		colour := svo.Colour{uint8(random.Uint32()), uint8(random.Uint32()), uint8(random.Uint32())}
		require.NoError(t, b.Add(random.Uint32N(1<<depth), random.Uint32N(1<<depth), random.Uint32N(1<<depth), svo.Voxel{Colour: colour}))
	}
	return build(t, b)
}

func build(t *testing.T, b *svo.Builder) *svo.Tree {
	tree, err := b.Build(context.Background())
	require.NoError(t, err)
	return tree
}
