package render_test

import (
	"context"
	"image"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/render/witness"
)

// Shifted pictures are what rays beside the pixels' centres see, in both cores,
// projections and from every kernel.
func TestShiftedPicturesShowWhatTheRaysSee(t *testing.T) {
	const width, height, cameras = 90, 70, 12
	random := rand.New(rand.NewPCG(3, 9))
	for _, s := range subjects()[:6] {
		t.Run(s.name, func(t *testing.T) {
			scene := s.scene(t)
			truth := truthOf(scene, s.endless)
			for k, camera := range fewer(witness.Cameras(cameras, truth, height, 5)) {
				camera.Shift = mgl64.Vec2{random.Float64() - 0.5, random.Float64() - 0.5}
				picture := truthPicture(t, truth, camera, width, height)
				for _, core := range []render.Core{render.CoreBricks, render.CoreClassic} {
					o := render.Options{Width: width, Height: height, Core: core, Kernel: asm.Go}
					renderer := newRenderer(t, o)
					judge(t, s.name+core.String(), picture, renderer, scene, camera)
					frame := draw(t, renderer, scene, camera)
					o.Kernel = asm.Auto
					other := draw(t, newRenderer(t, o), scene, camera)
					require.Equal(t, frame.Colour.Pix, other.Colour.Pix, "camera %d", k)
					require.Equal(t, frame.Voxel, other.Voxel, "camera %d", k)
				}
			}
		})
	}
}

// A shift by a whole pixel shows what the neighbours saw.
func TestAShiftMovesThePictureByPixels(t *testing.T) {
	scene := place(ball(t), mgl64.Ident4())
	for _, scale := range []float64{0, 7} {
		camera := project.Camera{Eye: mgl64.Vec3{-20, -50, 61}, Target: mgl64.Vec3{20, 20, 20}, Up: mgl64.Vec3{0, 0, 1}, FovY: 35, Scale: scale}
		o := render.Options{Width: 90, Height: 80, Planes: render.PlaneVoxel}
		still := drawFrame(t, o, scene, camera)
		camera.Shift = mgl64.Vec2{1, -1}
		moved := drawFrame(t, o, scene, camera)
		differ := 0
		for y := 1; y < 80; y++ {
			for x := range 89 {
				if still.Voxel[(y-1)*90+x+1] != moved.Voxel[y*90+x] {
					differ++
				}
			}
		}
		require.Less(t, differ, 20, "pixels whose centre lies on an edge, to single precision")
	}
}

func TestShiftsOfSamples(t *testing.T) {
	require.Zero(t, render.SampleShift(0), "the first sample is the picture without any")
	for _, n := range []int{4, 16, 64, 256} {
		var mean mgl64.Vec2
		quarters := map[[2]bool]int{}
		for i := range n {
			s := render.SampleShift(i)
			require.True(t, math.Abs(s[0]) <= 0.5 && math.Abs(s[1]) <= 0.5)
			mean = mean.Add(s.Mul(1 / float64(n)))
			quarters[[2]bool{s[0] > 0, s[1] > 0}]++
		}
		require.Less(t, mean.Len(), 0.6/math.Sqrt(float64(n)), "the picture doesn't move")
		for _, share := range quarters {
			require.InDelta(t, float64(n)/4, share, math.Sqrt(float64(n))/2+1, "every part of the pixel counts")
		}
	}
}

// A picture by itself, however often it is added, stays as it is.
func TestTheMeanOfEqualPicturesIsThePicture(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		picture := image.NewNRGBA(image.Rect(0, 0, 3, 2))
		for i := range picture.Pix {
			picture.Pix[i] = rapid.Byte().Draw(t, "channel")
		}
		a := render.NewAccumulator(3, 2)
		for range rapid.SampledFrom([]int{1, 2, 7, render.MaxSamples}).Draw(t, "samples") {
			require.NoError(t, a.Add(picture))
		}
		mean := a.Picture()
		for i := 0; i < len(mean.Pix); i += 4 {
			want := picture.Pix[i : i+4]
			if want[3] == 0 {
				want = make([]byte, 4) // what can't be seen has no colour
			}
			require.Equal(t, want, mean.Pix[i:i+4])
		}
	})
}

func TestTheMeanIsOneOfLight(t *testing.T) {
	pixel := func(channels ...uint8) *image.NRGBA {
		p := image.NewNRGBA(image.Rect(0, 0, 1, 1))
		copy(p.Pix, channels)
		return p
	}
	a := render.NewAccumulator(1, 1)
	require.Equal(t, []uint8{0, 0, 0, 0}, a.Picture().Pix, "nothing added")
	require.NoError(t, a.Add(pixel(0, 0, 0, 255)))
	require.NoError(t, a.Add(pixel(255, 255, 255, 255)))
	require.Equal(t, []uint8{188, 188, 188, 255}, a.Picture().Pix, "half the light of white")
	a.Reset()
	require.NoError(t, a.Add(pixel(200, 100, 50, 255)))
	require.NoError(t, a.Add(pixel(0, 0, 0, 0)))
	require.Equal(t, []uint8{200, 100, 50, 128}, a.Picture().Pix, "an edge to nothing has no other colour")
	require.Equal(t, 2, a.Samples())
	require.ErrorContains(t, a.Add(image.NewNRGBA(image.Rect(0, 0, 2, 1))), "can't be added")
	for range render.MaxSamples - 2 {
		require.NoError(t, a.Add(pixel(255, 255, 255, 255)))
	}
	require.Equal(t, uint8(255), a.Picture().Pix[0])
	require.ErrorContains(t, a.Add(pixel()), "at most")
}

func TestSmoothGoldenPictures(t *testing.T) {
	for _, g := range goldens()[:2] {
		path := filepath.Join("testdata", "golden", "smooth-"+g.name+".png")
		scene := g.scene(t)
		smooth := func(samples int, kernel asm.Kernel) *image.NRGBA {
			r, err := render.NewRenderer(render.Options{Width: goldenSide, Height: goldenSide, Kernel: kernel, Core: g.options.Core})
			require.NoError(t, err)
			a := render.NewAccumulator(goldenSide, goldenSide)
			_, err = r.DrawSamples(context.Background(), scene, g.camera, samples, a)
			require.NoError(t, err)
			return a.Picture()
		}
		if *update {
			writePicture(t, path, smooth(16, asm.Go))
		}
		requireSamePicture(t, path, readPicture(t, path), smooth(16, asm.Auto), asm.Auto)
		require.Equal(t, g.draw(t, scene, asm.Auto).Pix, smooth(1, asm.Auto).Pix)
	}
}

func TestSamplesOutOfRange(t *testing.T) {
	r, err := render.NewRenderer(render.Options{Width: 8, Height: 8})
	require.NoError(t, err)
	for _, n := range []int{0, -1, render.MaxSamples + 1} {
		_, err := r.DrawSamples(context.Background(), &render.Scene{}, overview(), n, render.NewAccumulator(8, 8))
		require.ErrorContains(t, err, "samples")
	}
	camera := overview()
	for _, shift := range []float64{1.5, -2, math.NaN(), math.Inf(1)} {
		camera.Shift = mgl64.Vec2{0, shift}
		_, err := r.Draw(context.Background(), &render.Scene{}, camera)
		require.ErrorContains(t, err, "shift")
	}
}

// The stages make up the traversal, and nobody looks at the clock unasked.
func TestStageTimesMakeUpTheTraversal(t *testing.T) {
	scene := heap(t, 40)
	close := overview()
	close.Eye = mgl64.Vec3{10, 0, 30}
	flat := overview()
	flat.Scale, flat.FovY = 6, 0
	for _, core := range []render.Core{render.CoreBricks, render.CoreClassic} {
		for _, camera := range []project.Camera{overview(), close, flat} {
			o := render.Options{Width: 300, Height: 200, Core: core, StageTimes: true}
			times := drawFrame(t, o, scene, camera).Stats.Times
			require.Equal(t, times.Traverse, times.LevelA+times.Ortho+times.Leaves+times.Contest)
			for _, stage := range []int64{int64(times.LevelA), int64(times.Ortho), int64(times.Leaves), int64(times.Contest)} {
				require.GreaterOrEqual(t, stage, int64(0))
			}
			require.Positive(t, times.Contest)
			require.Positive(t, times.Ortho+times.Leaves)
			require.Positive(t, times.Shade)
			require.LessOrEqual(t, times.Shade, times.Resolve)
			o.StageTimes = false
			times = drawFrame(t, o, scene, camera).Stats.Times
			require.Zero(t, times.LevelA+times.Ortho+times.Leaves+times.Contest)
			require.Positive(t, times.Traverse)
		}
	}
}

func BenchmarkAccumulator(b *testing.B) {
	r, err := render.NewRenderer(render.Options{Width: 1280, Height: 720})
	require.NoError(b, err)
	frame, err := r.Draw(context.Background(), heap(b, 20), overview())
	require.NoError(b, err)
	a := render.NewAccumulator(1280, 720)
	b.Run("add", func(b *testing.B) {
		for b.Loop() {
			if a.Samples() == render.MaxSamples {
				a.Reset()
			}
			require.NoError(b, a.Add(frame.Colour))
		}
	})
	b.Run("picture", func(b *testing.B) {
		for b.Loop() {
			a.Picture()
		}
	})
}
