package overlay

import (
	"bytes"
	"context"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/viewer/keys"
)

var update = flag.Bool("update", false, "make what is drawn now the golden pictures")

// canvas is a picture to draw overlays on.
func canvas(width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			img.SetRGBA(x, y, color.RGBA{uint8(90 + 60*x/width), 130, uint8(120 + 80*y/height), 255})
		}
	}
	return img
}

// history is a graph of made-up frames: they grow, and now and then one takes
// much longer.
func history(n int) *Graph {
	g := &Graph{}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		ms := func(v float64) time.Duration {
			return time.Duration(v * (1 + 0.2*random.Float64()) * float64(time.Millisecond))
		}
		grow := 1 + math.Sin(float64(i)/30)/2
		s := render.Stats{Pixels: 400_000, Tested: 240_000, Drawn: 50_000, Opened: 40_000, Occluded: 120_000, Outside: 20_000, Empty: 10_000, Instances: 12}
		s.Times = render.Times{Cull: ms(0.3), LevelA: ms(3 * grow), Ortho: ms(6 * grow), Leaves: ms(2), Contest: ms(0.8), Shade: ms(4)}
		s.Traverse = s.LevelA + s.Ortho + s.Leaves + s.Contest
		s.Resolve = s.Shade + ms(0.7)
		s.Total = s.Cull + (s.Traverse+s.Resolve)/2
		if i%97 == 50 {
			s.Total *= 3
		}
		g.Add(NewFrame(s, ms(1.1), 1280, 720, 0))
	}
	return g
}

// traced is a trace through a model, and the picture that it is of.
func traced(t *testing.T, width, height int) (*image.RGBA, *render.Scene, project.Camera, []render.Step) {
	asset, err := models.Load("proc:sphere?size=30", models.Options{})
	require.NoError(t, err)
	scene, err := render.SceneOf(asset, 0)
	require.NoError(t, err)
	direction, up := project.ThreeQuarter.Axes(asset.Up, asset.Front)
	camera, err := scene.Fit(direction, up, width, height, 30, 0.8)
	require.NoError(t, err)
	options := render.Options{Width: width, Height: height, Core: render.CoreClassic, Background: color.NRGBA{34, 38, 46, 255}}
	r, err := render.NewRenderer(options)
	require.NoError(t, err)
	frame, err := r.Draw(context.Background(), scene, camera)
	require.NoError(t, err)
	img := image.NewRGBA(frame.Colour.Rect)
	draw.Draw(img, img.Rect, frame.Colour, image.Point{}, draw.Src)
	tracer, err := render.NewTracer(options)
	require.NoError(t, err)
	steps, err := tracer.Trace(context.Background(), scene, camera, width*45/100, height*2/5)
	require.NoError(t, err)
	return img, scene, camera, steps
}

func switches() []Switch {
	return []Switch{
		{"core", "auto", "Alt+1", true}, {"order of octants", "inherited", "Alt+2", true}, {"small nodes", "in perspective", "Alt+3", false},
		{"coverage", "strips of bits", "Alt+4", true}, {"kernel", "avx512", "Alt+5", true}, {"threads", "1", "Alt+6", false},
	}
}

// The golden pictures: whoever changes the looks looks at them.
func TestGoldenOverlays(t *testing.T) {
	usual, err := keys.Named("f3d")
	require.NoError(t, err)
	for name, make := range map[string]func(p *Pen) *image.RGBA{
		"help": func(p *Pen) *image.RGBA {
			img := canvas(1060, 620)
			p.Begin(img, 1)
			p.Table(Middle, Help("keys", usual.Help()))
			return img
		},
		"graph": func(p *Pen) *image.RGBA {
			img := canvas(900, 300)
			p.Begin(img, 1)
			g := history(300)
			p.Status("held: frame 250", false)
			p.Graph(BottomLeft, g)
			require.True(t, g.Click(float64(g.rect.Max.X-50*g.bar), float64(g.rect.Min.Y+20)))
			img = canvas(900, 300)
			p.Begin(img, 1)
			p.Status("held: frame 250", false)
			p.Graph(BottomLeft, g)
			return img
		},
		"panels": func(p *Pen) *image.RGBA {
			img := canvas(640, 420)
			p.Begin(img, 1)
			p.Status("voxel 12,40,7 of castle at 12.5,40.5,7.5, #8a6f4e, material 14 — Schloß Žižkov", false)
			p.Table(TopLeft, Switches("switches", switches()))
			p.Table(TopLeft, Switches("layers", []Switch{{"1 walls", "", "Shift+1", true}, {"2 roofs", "", "Shift+2", false}}))
			g := history(30)
			p.Table(TopRight, Statistics(g.Frames()[0].Stats, 1280, 720))
			p.Legend(BottomLeft, "nodes tested on the pixel", render.Range{Max: 50}, true)
			return img
		},
		"dense": func(p *Pen) *image.RGBA {
			img := canvas(760, 480)
			p.Begin(img, 2)
			p.Status("monu1.vox: chunk XYZI at byte 1064: 512 voxels announced, 17 present; the file is cut off, load another one", true)
			p.Table(TopLeft, Top(history(100).Frames()))
			return img
		},
		"boxes": func(p *Pen) *image.RGBA {
			img, scene, camera, steps := traced(t, 480, 400)
			p.Begin(img, 1)
			require.NoError(t, p.Boxes(scene, camera, steps))
			require.NoError(t, p.Segment(camera, mgl64.Vec3{-15, -15, 15}, mgl64.Vec3{15, -15, 15}, accent))
			p.Table(TopLeft, Verdicts(steps))
			return img
		},
	} {
		t.Run(name, func(t *testing.T) {
			var pen Pen
			got := make(&pen)
			path := filepath.Join("testdata", "golden", name+".png")
			if *update {
				var file bytes.Buffer
				require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&file, got))
				require.NoError(t, os.WriteFile(path, file.Bytes(), 0o644))
			}
			file, err := os.Open(path)
			require.NoError(t, err, "run go test ./viewer/overlay -update, and look at the picture")
			defer file.Close()
			picture, err := png.Decode(file)
			require.NoError(t, err)
			want := image.NewRGBA(picture.Bounds())
			draw.Draw(want, want.Rect, picture, image.Point{}, draw.Src)
			require.True(t, bytes.Equal(want.Pix, got.Pix), "%s has changed: where the new picture is right, run go test ./viewer/overlay -update", path)
			require.Equal(t, got.Pix, make(&pen).Pix, "with letters drawn before")
		})
	}
}

// All of a frame's time is in its stages, whatever the workers did at once.
func TestStagesMakeUpTheFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := func(name string) time.Duration { return time.Duration(rapid.Int64Range(0, 1e9).Draw(t, name)) }
		var s render.Stats
		s.LevelA, s.Ortho, s.Leaves, s.Contest = ms("a"), ms("o"), ms("l"), ms("c")
		s.Traverse = s.LevelA + s.Ortho + s.Leaves + s.Contest + ms("unknown")
		s.Shade = ms("shade")
		s.Resolve = s.Shade + ms("planes")
		s.Cull = ms("cull")
		s.Total = s.Cull + ms("passed")
		upload := ms("upload")
		f := NewFrame(s, upload, 3, 2, 0)
		require.InDelta(t, float64(s.Total+upload), float64(f.Total()), 20)
		for _, d := range f.Stages {
			require.GreaterOrEqual(t, d, time.Duration(0))
		}
	})
}

func TestTheGraphKeepsTheLastFrames(t *testing.T) {
	require.Empty(t, (&Graph{}).Frames())
	g := history(History + 10)
	frames := g.Frames()
	require.Len(t, frames, History)
	require.Equal(t, 11, frames[0].Number)
	require.Equal(t, History+10, frames[History-1].Number)
}

// A click on a bar holds that frame, whatever is added later; another click, or
// one on another bar, changes it.
func TestHoldingAFrame(t *testing.T) {
	for _, scale := range []float64{1, 1.5, 2} {
		var pen Pen
		g := history(40)
		img := canvas(700, 400)
		pen.Begin(img, scale)
		placed := pen.Graph(BottomLeft, g)
		require.True(t, g.rect.In(placed.Rect))
		at := func(back int) (x, y float64) {
			return float64(g.rect.Max.X-back*g.bar) - float64(g.bar)/2, float64(g.rect.Max.Y - 5)
		}
		require.False(t, g.Click(1, 1), "beside the graph")
		require.True(t, g.Click(at(9)))
		held, ok := g.Held()
		require.True(t, ok)
		require.Equal(t, 31, held.Number)
		for range 2 * History {
			g.Add(Frame{})
		}
		again, ok := g.Held()
		require.True(t, ok)
		require.Equal(t, held, again)
		require.True(t, g.Click(at(3)))
		held, _ = g.Held()
		require.Equal(t, 40+2*History-3, held.Number)
		require.True(t, g.Click(at(3)))
		_, ok = g.Held()
		require.False(t, ok, "released")
	}
	g := history(5)
	var pen Pen
	pen.Begin(canvas(700, 400), 1)
	pen.Graph(TopLeft, g)
	require.True(t, g.Click(float64(g.rect.Min.X+1), float64(g.rect.Min.Y+1)))
	_, ok := g.Held()
	require.False(t, ok, "no frame there")
}

// Whatever is clicked on is what is seen there: rows neither overlap nor leave
// their panel, at any scale.
func TestRowsUnderAPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []Switch
		for range rapid.IntRange(1, 60).Draw(t, "rows") {
			list = append(list, Switch{Name: rapid.StringN(0, 20, 40).Draw(t, "name"), Value: "on", On: true})
		}
		var pen Pen
		pen.Begin(image.NewRGBA(image.Rect(0, 0, 500, 300)), rapid.Float64Range(0.5, 3).Draw(t, "scale"))
		pen.Status("a line", false)
		placed := pen.Table(Corner(rapid.IntRange(0, 4).Draw(t, "corner")), Switches("switches", list))
		require.Len(t, placed.Rows, len(list))
		for i, r := range placed.Rows {
			require.True(t, r.In(placed.Rect))
			x, y := float64(r.Min.X+r.Max.X)/2, float64(r.Min.Y+r.Max.Y)/2
			row, ok := placed.Row(x, y)
			require.True(t, ok)
			require.Equal(t, i, row)
			require.True(t, placed.In(x, y))
		}
		_, ok := placed.Row(float64(placed.Rect.Min.X), float64(placed.Rect.Min.Y))
		require.False(t, ok, "the border is no row")
	})
}

// Overlays on nothing, which the window lays over the picture, look like those
// drawn on it; and nothing is drawn beyond an image that is a part of another.
func TestOverlaysOnATransparentImage(t *testing.T) {
	paint := func(img *image.RGBA) {
		var pen Pen
		pen.Begin(img, 1)
		pen.Status("status", true)
		pen.Table(TopLeft, Switches("switches", switches()))
		pen.Graph(BottomLeft, history(80))
		pen.Legend(TopRight, "level", render.Range{Min: 3, Max: 9}, false)
		pen.line(mgl64.Vec2{-20, 30}, mgl64.Vec2{900, 250}, alarm, 3)
	}
	direct := canvas(620, 400)
	paint(direct)
	clear := image.NewRGBA(image.Rect(0, 0, 620, 400))
	paint(clear)
	over := canvas(620, 400)
	draw.Draw(over, over.Rect, clear, image.Point{}, draw.Over)
	for i := range over.Pix {
		if i%4 == 3 {
			require.Equal(t, uint8(255), over.Pix[i])
		} else if clear.Pix[i] > clear.Pix[i|3] {
			require.Failf(t, "not premultiplied", "byte %d", i)
		}
		if d := int(over.Pix[i]) - int(direct.Pix[i]); d > 4 || d < -4 {
			require.Failf(t, "the pictures differ", "byte %d: %d and %d", i, over.Pix[i], direct.Pix[i])
		}
	}
	whole := canvas(720, 500)
	before := append([]uint8(nil), whole.Pix...)
	part := whole.SubImage(image.Rect(50, 50, 670, 450)).(*image.RGBA)
	paint(part)
	for i := 0; i < len(before); i += 4 {
		if at := image.Pt(i/4%720, i/4/720); !at.In(part.Rect) && !bytes.Equal(before[i:i+4], whole.Pix[i:i+4]) {
			require.Failf(t, "drawn beyond the image", "%v", at)
		}
	}
}

// Lines to anywhere end soon and stay on the image.
func TestLinesFromAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var pen Pen
		pen.Begin(image.NewRGBA(image.Rect(0, 0, 60, 40)), 1)
		number := rapid.OneOf(rapid.Float64Range(-100, 100), rapid.Float64())
		pen.line(mgl64.Vec2{number.Draw(t, "x0"), number.Draw(t, "y0")}, mgl64.Vec2{number.Draw(t, "x1"), number.Draw(t, "y1")}, ink, rapid.Float64Range(0.5, 4).Draw(t, "width"))
	})
	// A line takes as much colour as it is long and wide.
	var pen Pen
	img := image.NewRGBA(image.Rect(0, 0, 60, 40))
	pen.Begin(img, 1)
	pen.line(mgl64.Vec2{5, 5}, mgl64.Vec2{45, 35}, color.NRGBA{255, 255, 255, 255}, 2)
	sum := 0.0
	for i := 3; i < len(img.Pix); i += 4 {
		sum += float64(img.Pix[i]) / 255
	}
	require.InDelta(t, 2*math.Hypot(40, 30), sum, 3)
}

// The corners of boxes are where the renderer sees them, before the eye and
// behind it.
func TestBoxesLieWhereTheNodesAre(t *testing.T) {
	img, scene, camera, steps := traced(t, 300, 240)
	view, err := camera.View(300, 240)
	require.NoError(t, err)
	var pen Pen
	for _, step := range steps {
		if step.Verdict != render.VerdictDrawn || !step.Under {
			continue
		}
		blank := image.NewRGBA(img.Rect)
		pen.Begin(blank, 1)
		require.NoError(t, pen.Boxes(scene, camera, []render.Step{step}))
		pose, err := project.NewPose(view, scene.Instances[step.Instance].Transform, scene.Instances[step.Instance].Tree.Depth)
		require.NoError(t, err)
		var from, to [3]uint32
		for k := range 3 {
			from[k], to[k] = uint32(step.Low[k]), uint32(step.Low[k])+uint32(step.Edge)
		}
		b := pose.Bounds(from, to)
		drawn := image.Rectangle{}
		for i := 3; i < len(blank.Pix); i += 4 {
			if blank.Pix[i] > 100 {
				at := image.Pt(i/4%300, i/4/300)
				drawn = drawn.Union(image.Rectangle{at, at.Add(image.Pt(1, 1))})
			}
		}
		require.InDelta(t, b.X0, drawn.Min.X, 2)
		require.InDelta(t, b.X1, drawn.Max.X, 2)
		require.InDelta(t, b.Y0, drawn.Min.Y, 2)
		require.InDelta(t, b.Y1, drawn.Max.Y, 2)
	}
	// From inside, half of each box lies behind the eye.
	pen.Begin(img, 1)
	inside := project.Camera{Eye: mgl64.Vec3{0.3, 0.2, 0.1}, Target: mgl64.Vec3{1, 2, 3}, Up: mgl64.Vec3{0, 0, 1}, FovY: 80}
	require.NoError(t, pen.Boxes(scene, inside, steps))
	require.Error(t, pen.Boxes(scene, project.Camera{}, steps))
}

func TestTextsThatAreTooLong(t *testing.T) {
	var pen Pen
	pen.Begin(image.NewRGBA(image.Rect(0, 0, 200, 100)), 1)
	long := "a/very/long/name/of/a/file/in/many/folders/castle.vox: not found"
	short := pen.shorten(long, 150)
	require.LessOrEqual(t, pen.width(short), 150)
	require.Greater(t, pen.width(short), 110)
	require.Contains(t, short, "…")
	require.Equal(t, "as it is", pen.shorten("as it is", 150))
	require.NotPanics(t, func() { pen.Status(long, true); pen.shorten("xyz", 0); pen.Table(Middle, Table{}) })
}

func BenchmarkOverlays(b *testing.B) {
	img := canvas(1280, 720)
	usual, err := keys.Named("f3d")
	require.NoError(b, err)
	var pen Pen
	g := history(300)
	b.Run("graph", func(b *testing.B) {
		for b.Loop() {
			pen.Begin(img, 1)
			pen.Graph(BottomLeft, g)
		}
	})
	b.Run("help", func(b *testing.B) {
		for b.Loop() {
			pen.Begin(img, 1)
			pen.Table(Middle, Help("keys", usual.Help()))
		}
	})
	b.Run("statistics", func(b *testing.B) {
		for b.Loop() {
			pen.Begin(img, 1)
			pen.Table(TopRight, Statistics(g.Frames()[0].Stats, 1280, 720))
		}
	})
}

// A fill is the blend that image/draw makes, to a rounding, and never overflows.
func TestFillsBlend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := color.NRGBA{rapid.Byte().Draw(t, "r"), rapid.Byte().Draw(t, "g"), rapid.Byte().Draw(t, "b"), rapid.Byte().Draw(t, "a")}
		got, want := image.NewRGBA(image.Rect(0, 0, 2, 1)), image.NewRGBA(image.Rect(0, 0, 2, 1))
		for i := range 2 {
			under := color.NRGBA{rapid.Byte().Draw(t, "r"), rapid.Byte().Draw(t, "g"), rapid.Byte().Draw(t, "b"), rapid.Byte().Draw(t, "a")}
			got.Set(i, 0, under)
			want.Set(i, 0, under)
		}
		draw.Draw(want, want.Rect, image.NewUniform(c), image.Point{}, draw.Over)
		pen := Pen{img: got}
		pen.fill(image.Rect(-3, -3, 9, 9), c)
		for i := range got.Pix {
			require.InDelta(t, want.Pix[i], got.Pix[i], 1)
		}
	})
}
