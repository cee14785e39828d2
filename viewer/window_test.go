//go:build viewer

package main

import (
	"bytes"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/viewer/control"
	"github.com/cfef80af/eightfold/viewer/keys"
	"github.com/cfef80af/eightfold/viewer/session"
)

func TestTheWindowShowsTheOfflinePicture(t *testing.T) {
	bench.fresh(t, "proc:island")
	pix := bench.rest(t)
	require.Len(t, pix, 4*testWidth*testHeight)
	assert.True(t, bytes.Equal(bench.offline(t, testWidth, testHeight, 2), pix))
	assert.Contains(t, bench.title, "proc:island")
}

func TestSharedModels(t *testing.T) {
	const model = "../../shared/models/vox/monu1.vox"
	if _, err := os.Stat(model); err != nil {
		t.Skip("../shared is not here")
	}
	bench.fresh(t, model)
	assert.True(t, bytes.Equal(bench.offline(t, testWidth, testHeight, 2), bench.rest(t)))
	assert.Contains(t, bench.title, "monu1.vox")
	first := bench.seen(t)
	bench.stroke(t, keys.Chord{Key: "ArrowRight"})
	require.NotEqual(t, first, bench.seen(t), "the next file of the folder")
	assert.NotContains(t, bench.title, "monu1.vox")
}

func TestEveryKeyAndGestureChangesThePixels(t *testing.T) {
	for _, habit := range keys.Names() {
		t.Run(habit, func(t *testing.T) {
			m, err := keys.Named(habit)
			require.NoError(t, err)
			s := bench.fresh(t, "proc:island", "proc:sphere?size=32")
			bench.do(t, func() { bench.control.Keys = m })
			first := bench.seen(t)
			back := func() {
				bench.quiet(t)
				bench.do(t, func() {
					s.Look.Plane, s.Section = 0, session.Section{}
					bench.control.Show, bench.control.FlyMode = control.Overlays{}, false
					s.Picks, s.Measuring = nil, false
				})
				bench.stroke(t, keys.Chord{Key: "Enter"})
				bench.quiet(t)
				require.Equal(t, first, bench.seen(t))
			}
			for _, b := range m.Bindings {
				if b.Action == keys.Quit || b.Action == keys.FullScreen || b.Action == keys.Reset || b.Action == keys.Cancel ||
					b.Action == keys.FrameAll || b.Action == keys.Reload || b.Action == keys.ShowColour || b.Action == keys.DragSection ||
					b.Action == keys.Fill || b.Action == keys.SectionFlip {
					continue // they leave the first view as it is
				}
				if b.Action >= keys.Toggle1 || b.Action == keys.NextFile || b.Action == keys.PreviousFile ||
					b.Action == keys.Background || b.Action == keys.Shading || b.Action >= keys.SunLeft && b.Action <= keys.SunDown {
					continue // tried in the sessions' own tests; here they would stay
				}
				if len(b.Chords) > 0 && habit == keys.Names()[0] { // keys are much the same in all
					c := b.Chords[0]
					if b.Held {
						bench.input(t, func(in *control.Input) { in.Held = []string{c.Key} })
						time.Sleep(100 * time.Millisecond)
						bench.input(t, func(in *control.Input) { in.Held = nil })
					} else {
						bench.stroke(t, c)
					}
					assert.NotEqual(t, first, bench.seen(t), "%v: %s", c, b.Help)
					back()
				}
				for _, g := range b.Gestures {
					if g.Clicks == 0 {
						bench.drag(t, g, 40, 50)
					}
					for range g.Clicks {
						bench.input(t, func(in *control.Input) { in.Mods, in.Down = g.Mods, []keys.Button{g.Button} })
						bench.input(t, func(in *control.Input) { in.Mods, in.Down = 0, nil })
					}
					assert.NotEqual(t, first, bench.seen(t), "%v: %s", g, b.Help)
					time.Sleep(450 * time.Millisecond) // the next click is no double click
					back()
				}
			}
			bench.input(t, func(in *control.Input) { in.Wheel = 3 })
			assert.NotEqual(t, first, bench.seen(t), "wheel")
			back()
			bench.stroke(t, keys.Chord{Key: "K"})
			cut := bench.seen(t)
			bench.drag(t, keys.Gesture{Button: keys.Left, Mods: keys.Ctrl}, 30, 30)
			assert.NotEqual(t, cut, bench.seen(t), "the section plane follows")
			bench.quiet(t)
			cut = bench.seen(t)
			bench.stroke(t, keys.Chord{Key: "K", Mods: keys.Ctrl})
			assert.NotEqual(t, cut, bench.seen(t), "its other side")
		})
	}
	m, _ := keys.Named("f3d")
	bench.do(t, func() { bench.control.Keys = m })
}

func TestRealKeysAndMouse(t *testing.T) {
	if _, err := exec.LookPath("xdotool"); err != nil {
		t.Skip("there is no xdotool here")
	}
	bench.fresh(t, "proc:island")
	bench.do(t, func() { bench.script.on, bench.delay = false, time.Second })
	defer bench.do(t, func() { bench.delay = 10 * time.Millisecond })
	tool := func(args ...string) string {
		out, err := exec.Command("xdotool", args...).CombinedOutput()
		require.NoError(t, err, "xdotool %v: %s", args, out)
		return strings.TrimSpace(string(out))
	}
	windows := strings.Fields(tool("search", "--name", "proc:island - eightfold"))
	require.NotEmpty(t, windows)
	id := windows[len(windows)-1]
	tool("windowfocus", id)
	tool("mousemove", "--window", id, "320", "180")
	key := func(name string) {
		tool("keydown", name)
		time.Sleep(80 * time.Millisecond)
		tool("keyup", name)
		time.Sleep(80 * time.Millisecond)
	}
	pause := func() { time.Sleep(150 * time.Millisecond) }
	bench.quiet(t)
	first := bench.seen(t)
	change := func(what string, act func()) {
		act()
		pause()
		bench.quiet(t)
		assert.NotEqual(t, first, bench.seen(t), what)
		key("Home")
		bench.quiet(t)
		assert.Equal(t, first, bench.seen(t), "Home after "+what)
	}
	for _, name := range []string{"1", "3", "7", "9", "5"} {
		change(name, func() { key(name) })
	}
	change("w held", func() { key("w") })
	for button, what := range map[string]string{"1": "left drag", "2": "middle drag", "3": "right drag"} {
		change(what, func() {
			tool("mousedown", button)
			pause()
			for range 5 {
				tool("mousemove_relative", "--", "9", "9")
				time.Sleep(20 * time.Millisecond)
			}
			tool("mouseup", button)
			pause()
			tool("mousemove", "--window", id, "320", "180")
		})
	}
	change("wheel", func() { tool("click", "4"); pause(); tool("click", "4") })
	change("Ctrl+7", func() {
		tool("keydown", "ctrl")
		key("7")
		tool("keyup", "ctrl")
	})
	change("H", func() {
		key("h")
		assert.True(t, bench.control.Show.Help)
		key("1")
		key("h")
	})
	tool("mousedown", "1")
	pause()
	tool("mouseup", "1")
	pause()
	picks := 0
	bench.do(t, func() { picks = len(bench.control.Session.Picks) })
	assert.Equal(t, 1, picks, "a click picks")
}

func TestAScreenshotIsWhatTheCommandDraws(t *testing.T) {
	folder := t.TempDir()
	s, err := session.New([]string{"proc:island"}, session.Options{Samples: 1, Folder: folder})
	require.NoError(t, err)
	bench.fresh(t, "proc:island")
	bench.do(t, func() { bench.control.Session.Close(); bench.control.Session = s })
	bench.rest(t)
	bench.drag(t, keys.Gesture{Button: keys.Left}, 70, 25)
	bench.stroke(t, keys.Chord{Key: "K"})
	bench.stroke(t, keys.Chord{Key: "F12"})
	bench.rest(t)
	flags := ""
	bench.do(t, func() { flags = s.CopyCamera() })
	got := readPNG(t, filepath.Join(folder, "island-001.png"))
	bench.quiet(t)
	assert.True(t, bytes.Equal(got.Pix, bench.rest(t)), "the window shows it too")

	want := filepath.Join(folder, "command.png")
	args := append([]string{"run", "../cmd/eightfold", "render", "proc:island", "-o", want}, strings.Fields(strings.ReplaceAll(flags, "'", ""))...)
	out, err := exec.Command("go", args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.True(t, bytes.Equal(readPNG(t, want).Pix, got.Pix), "eightfold render %s", flags)
}

func readPNG(t *testing.T, path string) *image.NRGBA {
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	picture, err := png.Decode(file)
	require.NoError(t, err)
	if opaque, ok := picture.(*image.RGBA); ok { // no alpha below 255: the same bytes
		return &image.NRGBA{Pix: opaque.Pix, Stride: opaque.Stride, Rect: opaque.Rect}
	}
	return picture.(*image.NRGBA)
}

func TestADroppedFile(t *testing.T) {
	bench.fresh(t, "proc:island")
	first := bench.seen(t)
	broken := filepath.Join(t.TempDir(), "broken.vox")
	require.NoError(t, os.WriteFile(broken, []byte("VOX or not"), 0o644))
	bench.input(t, func(in *control.Input) { in.Dropped = []string{broken} })
	assert.NotEqual(t, first, bench.seen(t), "the error is shown")
	text, failure := bench.control.Session.Message()
	assert.True(t, failure)
	assert.Contains(t, text, "broken.vox")
	bench.stroke(t, keys.Chord{Key: "Escape"})
	assert.Equal(t, first, bench.seen(t), "the model is still there")
	bench.input(t, func(in *control.Input) { in.Dropped = []string{"../docs/models/house.vox"} })
	assert.NotEqual(t, first, bench.seen(t))
	assert.Contains(t, bench.title, "house.vox")

	assert.Nil(t, paths(nil))
	assert.Equal(t, []string{filepath.Clean(broken)}, paths(os.DirFS(filepath.Dir(broken))))
}

func TestAnotherSize(t *testing.T) {
	bench.fresh(t, "proc:island")
	bench.do(t, func() { ebiten.SetWindowSize(400, 300) })
	defer func() {
		bench.do(t, func() { ebiten.SetWindowSize(testWidth, testHeight) })
		bench.wait(t, testWidth, testHeight)
	}()
	pix := bench.wait(t, 400, 300)
	assert.True(t, bytes.Equal(bench.offline(t, 400, 300, 2), pix))
}

// wait waits until the window has a size and is at rest.
func (h *harness) wait(t *testing.T, width, height int) []byte {
	for range 500 {
		if pix := h.rest(t); len(pix) == 4*width*height {
			return h.rest(t)
		}
		time.Sleep(10 * time.Millisecond)
	}
	require.Fail(t, "the size does not change")
	return nil
}

func TestNothingIsPaintedAtRest(t *testing.T) {
	bench.fresh(t, "proc:island")
	bench.rest(t)
	painted, uploaded, drawn := bench.painted, bench.uploaded, bench.control.Session.Drawn()
	before := cpuTime()
	time.Sleep(time.Second)
	t.Logf("processor time in a second at rest: %v", cpuTime()-before)
	assert.True(t, bench.resting)
	assert.Equal(t, []int{painted, uploaded, drawn}, []int{bench.painted, bench.uploaded, bench.control.Session.Drawn()})
	bench.stroke(t, keys.Chord{Key: "Digit1"})
	bench.rest(t)
	assert.Greater(t, bench.painted, painted)
}

func TestATransparentBackgroundShowsPaper(t *testing.T) {
	s := bench.fresh(t, "proc:island")
	bench.do(t, func() { require.NoError(t, s.SetBackground("none")) })
	pix := bench.rest(t)
	assert.Equal(t, []byte{0x66, 0x66, 0x66, 255}, pix[:4])
	assert.Equal(t, []byte{0x4c, 0x4c, 0x4c, 255}, pix[4*16:4*16+4])
}

// TestRandomInput runs for EIGHTFOLD_RANDOM_INPUT (a duration, such as 5m), or
// ten seconds.
func TestRandomInput(t *testing.T) {
	duration := 10 * time.Second
	if text := os.Getenv("EIGHTFOLD_RANDOM_INPUT"); text != "" {
		var err error
		duration, err = time.ParseDuration(text)
		require.NoError(t, err)
	}
	broken := filepath.Join(t.TempDir(), "broken.vox")
	require.NoError(t, os.WriteFile(broken, []byte("VOX "), 0o644))
	bench.fresh(t, "proc:island", "proc:sphere?size=32", "../docs/models/house.vox", broken)
	defer bench.fresh(t, "proc:island")
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := control.Random{Rand: rand.New(rand.NewPCG(seed, 1)), Files: []string{broken, "proc:cube", "../docs/models/tree.vox"}}
	memory := func() (heap uint64, goroutines int) {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc, runtime.NumGoroutine()
	}
	var heap uint64
	var goroutines int
	start := time.Now()
	for steps := 0; time.Since(start) < duration; steps++ {
		bench.do(t, func() {
			in := &bench.script.in
			in.Width, in.Height = testWidth, testHeight
			random.Next(in, bench.control.Keys)
		})
		if heap == 0 && time.Since(start) > duration/2 {
			heap, goroutines = memory()
		}
	}
	bench.input(t, func(in *control.Input) { *in = control.Input{X: 320, Y: 180} })
	bench.do(t, func() {
		for bench.control.Session.Clear() {
		}
	})
	bench.rest(t)
	heapAfter, goroutinesAfter := memory()
	t.Logf("heap %d MiB after half of it, %d MiB at the end; goroutines %d, %d", heap>>20, heapAfter>>20, goroutines, goroutinesAfter)
	assert.LessOrEqual(t, heapAfter, heap+200<<20, "no leak")
	assert.LessOrEqual(t, goroutinesAfter, goroutines+8)
}
