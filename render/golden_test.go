package render_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/png"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

var update = flag.Bool("update", false, "make what is drawn now the golden pictures")

// goldenSide is the width and height of the golden pictures: small, because a
// person looks at each whenever it changes.
const goldenSide = 96

// golden is a picture that must come out the same on every machine. The
// witness tells whether a picture is right; these tell whether it has changed,
// where no witness looks: colours, light, heatmaps.
type golden struct {
	name    string
	scene   func(t *testing.T) *render.Scene
	camera  project.Camera
	options render.Options
}

func goldens() []golden {
	island, terrain := named("proc:island"), named("proc:terrain?size=128&seed=5")
	sponge, sphere := named("proc:sponge?depth=10"), named("proc:sphere?size=64")
	sky := color.NRGBA{191, 220, 239, 255}
	rounded := render.Options{Planes: render.PlaneLevel, PixelRule: project.Rounded, Core: render.CoreClassic}
	return inBothCores([]golden{
		{"island", island, facing(mgl64.Vec3{300, -270, 260}, mgl64.Vec3{112, 112, 36}, 38), render.Options{}},
		{"village", island, facing(mgl64.Vec3{100, 10, 40}, mgl64.Vec3{125, 80, 24}, 50), render.Options{Background: sky}},
		{"isometric", island, parallel(mgl64.Vec3{1, -1, 0.8}, mgl64.Vec3{110, 110, 30}, 0.3), render.Options{}},
		{"terrain", terrain, facing(mgl64.Vec3{-20, -40, 90}, mgl64.Vec3{60, 60, 10}, 60), render.Options{Background: sky}},
		{"sphere", sphere, facing(mgl64.Vec3{-60, -120, 90}, mgl64.Vec3{32, 32, 32}, 32), render.Options{}},
		{"sponge", sponge, facing(mgl64.Vec3{-900, -1500, 1300}, mgl64.Vec3{512, 512, 420}, 38), render.Options{}},
		{"inside", sponge, facing(mgl64.Vec3{512, 500, 512}, mgl64.Vec3{900, 900, 300}, 90), render.Options{Background: sky}},
		{"crossing", crossing, facing(mgl64.Vec3{-120, -250, 260}, mgl64.Vec3{0, 0, 12}, 36), render.Options{}},
		{"colours", crossing, facing(mgl64.Vec3{-120, -250, 260}, mgl64.Vec3{0, 0, 12}, 36), render.Options{Shading: render.ShadeNone}},
		{"level", sponge, facing(mgl64.Vec3{-400, -900, 900}, mgl64.Vec3{512, 400, 400}, 44), render.Options{Planes: render.PlaneLevel}},
	}, golden{"level-rounded", sponge, facing(mgl64.Vec3{-400, -900, 900}, mgl64.Vec3{512, 400, 400}, 44), rounded})
}

// inBothCores names a picture by each core, which may differ in details; those
// that only the classic core draws come last.
func inBothCores(both []golden, classic ...golden) (all []golden) {
	for _, g := range both {
		bricks := g
		g.name, g.options.Core = g.name+"-classic", render.CoreClassic
		bricks.name, bricks.options.Core = bricks.name+"-bricks", render.CoreBricks
		all = append(all, g, bricks)
	}
	return append(all, classic...)
}

// named makes the scene of a model that is made by a formula.
func named(model string) func(t *testing.T) *render.Scene {
	return func(t *testing.T) *render.Scene {
		asset, err := models.Load(model, models.Options{})
		require.NoError(t, err)
		scene, err := render.SceneOf(asset, 0)
		require.NoError(t, err)
		return scene
	}
}

// crossing is a sphere and a sponge, each several times, turned, scaled and
// pushed into one another.
func crossing(t *testing.T) *render.Scene {
	sponge, err := models.Sponge(6)
	require.NoError(t, err)
	sphere, err := models.SphereShell(64)
	require.NoError(t, err)
	middle := mgl64.Translate3D(-32, -32, -32)
	s := &render.Scene{}
	for i := range 5 {
		turn := mgl64.HomogRotate3D(0.7*float64(i+1), mgl64.Vec3{1, 2, float64(i)}.Normalize())
		sin, cos := math.Sincos(2 * math.Pi / 5 * float64(i))
		ring := mgl64.Translate3D(68*cos, 68*sin, float64(6*i))
		size := mgl64.Scale3D(1, 1, 1+float64(i)/5)
		s.Instances = append(s.Instances,
			render.Instance{Tree: sponge, Transform: ring.Mul4(turn).Mul4(size).Mul4(middle)},
			render.Instance{Tree: sphere, Transform: ring.Mul4(mgl64.Scale3D(1.5, 1.5, 0.8)).Mul4(middle)})
	}
	return s
}

func facing(eye, target mgl64.Vec3, fov float64) project.Camera {
	return project.Camera{Eye: eye, Target: target, Up: mgl64.Vec3{0, 0, 1}, FovY: fov}
}

func parallel(from, target mgl64.Vec3, scale float64) project.Camera {
	return project.Camera{Eye: target.Add(from), Target: target, Up: mgl64.Vec3{0, 0, 1}, Scale: scale}
}

func TestGoldenPictures(t *testing.T) {
	for _, g := range goldens() {
		t.Run(g.name, func(t *testing.T) {
			path := filepath.Join("testdata", "golden", g.name+".png")
			scene := g.scene(t)
			if *update {
				writePicture(t, path, g.draw(t, scene, asm.Go))
			}
			want := readPicture(t, path)
			for _, kernel := range []asm.Kernel{asm.Go, asm.Auto} {
				requireSamePicture(t, path, want, g.draw(t, scene, kernel), kernel)
			}
		})
	}
}

// draw returns the colours, or the heatmap where the options ask for levels.
func (g golden) draw(t *testing.T, scene *render.Scene, kernel asm.Kernel) *image.NRGBA {
	o := g.options
	o.Width, o.Height, o.Kernel = goldenSide, goldenSide, kernel
	r, err := render.NewRenderer(o)
	require.NoError(t, err)
	frame, err := r.Draw(context.Background(), scene, g.camera)
	require.NoError(t, err)
	if o.Planes&render.PlaneLevel == 0 {
		return frame.Colour
	}
	heatmap, err := frame.Picture(render.PlaneLevel, render.Range{})
	require.NoError(t, err)
	return toNRGBA(heatmap)
}

// requireSamePicture fails where any byte differs, and leaves the three
// pictures that a person needs to see why.
func requireSamePicture(t *testing.T, path string, want, got *image.NRGBA, kernel asm.Kernel) {
	if want.Rect == got.Rect && bytes.Equal(want.Pix, got.Pix) {
		return
	}
	// Not t.TempDir: that one is gone when the test ends.
	folder, err := os.MkdirTemp("", "golden-")
	require.NoError(t, err)
	writePicture(t, filepath.Join(folder, "want.png"), want)
	writePicture(t, filepath.Join(folder, "got.png"), got)
	diff, differing := difference(want, got)
	writePicture(t, filepath.Join(folder, "diff.png"), diff)
	require.Failf(t, "the picture has changed",
		"%s: %d pixels differ with kernel %v: see want.png, got.png and diff.png in %s; where the new picture is right, run go test ./render -run Golden -update",
		path, differing, kernel, folder)
}

// difference shows pixels that differ in white on a dark copy of what was
// wanted.
func difference(want, got *image.NRGBA) (diff *image.NRGBA, differing int) {
	diff = image.NewNRGBA(want.Rect.Union(got.Rect))
	for y := range diff.Rect.Dy() {
		for x := range diff.Rect.Dx() {
			w := want.NRGBAAt(x, y)
			shown := color.NRGBA{w.R / 4, w.G / 4, w.B / 4, 255}
			if w != got.NRGBAAt(x, y) {
				shown = color.NRGBA{255, 255, 255, 255}
				differing++
			}
			diff.SetNRGBA(x, y, shown)
		}
	}
	return diff, differing
}

func readPicture(t *testing.T, path string) *image.NRGBA {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		require.Failf(t, "no golden picture", "%s is missing: run go test ./render -run Golden -update, and look at it", path)
	}
	require.NoError(t, err)
	defer file.Close()
	picture, err := png.Decode(file)
	require.NoError(t, err)
	return toNRGBA(picture)
}

func writePicture(t *testing.T, path string, picture image.Image) {
	var file bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	require.NoError(t, encoder.Encode(&file, picture))
	require.NoError(t, os.WriteFile(path, file.Bytes(), 0o644))
}

// toNRGBA brings pictures into one form: PNG files without transparency are
// decoded into another.
func toNRGBA(picture image.Image) *image.NRGBA {
	if nrgba, ok := picture.(*image.NRGBA); ok {
		return nrgba
	}
	nrgba := image.NewNRGBA(picture.Bounds())
	imagedraw.Draw(nrgba, nrgba.Rect, picture, picture.Bounds().Min, imagedraw.Src)
	return nrgba
}
