package control

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/viewer/keys"
	"github.com/cfef80af/eightfold/viewer/session"
)

// hands do what a person would, at sixty ticks a second.
type hands struct {
	t       *testing.T
	c       *Control
	in      Input
	clip    string
	full    int
	picture *session.Picture
	pixels  []byte
}

func (h *hands) Copy(text string)  { h.clip = text }
func (h *hands) Paste() string     { return h.clip }
func (h *hands) ToggleFullScreen() { h.full++ }

func sit(t *testing.T, habit string, o session.Options, files ...string) *hands {
	m, err := keys.Named(habit)
	require.NoError(t, err)
	s, err := session.New(files, o)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	h := &hands{t: t, in: Input{Now: time.Now(), Width: 160, Height: 90, X: 80, Y: 45, Scale: 1}}
	h.c = &Control{Session: s, Keys: m, Desktop: h}
	h.rest()
	return h
}

// tick lets a sixtieth of a second pass.
func (h *hands) tick() (busy bool) {
	held := h.c.Apply(h.in)
	ticking := h.c.Session.Tick(h.in.Now)
	picture, more := h.c.Session.Advance(h.in.Now, time.Second)
	if picture != nil {
		h.picture = picture
		h.pixels = append(h.pixels[:0], picture.Pix...)
	}
	h.in.Now = h.in.Now.Add(time.Second / 60)
	h.in.Pressed, h.in.Wheel, h.in.Dropped = nil, 0, nil
	return held || ticking || more
}

// rest waits until nothing moves any more.
func (h *hands) rest() string {
	h.t.Helper()
	for i := 0; h.tick(); i++ {
		require.Less(h.t, i, 20000, "it never comes to rest")
		time.Sleep(100 * time.Microsecond)
	}
	return h.seen()
}

// seen stands for the picture shown.
func (h *hands) seen() string { return fmt.Sprintf("%x", sha256.Sum256(h.pixels)) }

func (h *hands) stroke(chord keys.Chord) {
	h.in.Mods, h.in.Pressed = chord.Mods, []string{chord.Key}
	h.tick()
	h.in.Mods = 0
}

func (h *hands) hold(key string, ticks int) {
	h.in.Held = []string{key}
	for range ticks {
		h.tick()
	}
	h.in.Held = nil
}

func (h *hands) drag(g keys.Gesture, dx, dy float64) {
	x, y := h.in.X, h.in.Y
	h.in.Mods, h.in.Down = g.Mods, []keys.Button{g.Button}
	h.tick()
	for range 10 {
		h.in.X, h.in.Y = h.in.X+dx/10, h.in.Y+dy/10
		h.tick()
	}
	h.in.Down, h.in.Mods = nil, 0
	h.tick()
	h.in.X, h.in.Y = x, y
	h.tick()
}

func (h *hands) press(b keys.Button, clicks int) {
	for range clicks {
		h.in.Down = []keys.Button{b}
		h.tick()
		h.in.Down = nil
		h.tick()
	}
}

// chordOf is how an action is started by a key, or held.
func chordOf(m keys.Map, a keys.Action) (chord keys.Chord, held, ok bool) {
	for _, b := range m.Bindings {
		if b.Action == a && len(b.Chords) > 0 {
			return b.Chords[0], b.Held, true
		}
	}
	return chord, false, false
}

func TestEveryDragAndKeyThatMovesTheCamera(t *testing.T) {
	for _, habit := range keys.Names() {
		if testing.Short() && habit != keys.Names()[0] {
			continue
		}
		t.Run(habit, func(t *testing.T) {
			h := sit(t, habit, session.Options{Samples: 1}, "proc:sphere?size=64")
			chord, _, _ := chordOf(h.c.Keys, keys.Reset)
			first := h.rest()
			back := func() {
				h.stroke(chord)
				require.Equal(t, first, h.rest(), "%v is the first view again", chord)
			}
			for _, binding := range h.c.Keys.Bindings {
				for _, g := range binding.Gestures {
					if g.Clicks > 0 || binding.Action == keys.DragSection {
						continue
					}
					h.drag(g, 20, 30)
					assert.NotEqual(t, first, h.rest(), "%v: %s", g, binding.Help)
					back()
				}
				if a := binding.Action; a >= keys.FlyForward && a <= keys.FlyUp || a >= keys.ViewFront && a <= keys.ViewIsometric {
					for _, chord := range binding.Chords {
						if binding.Held {
							h.hold(chord.Key, 10)
						} else {
							h.stroke(chord)
						}
						assert.NotEqual(t, first, h.rest(), "%v: %s", chord, binding.Help)
						back()
					}
				}
			}
			h.in.Wheel = 2
			assert.NotEqual(t, first, h.rest(), "wheel")
			h.in.Wheel = -2
			h.rest()
			back()
		})
	}
}

func TestZoomStaysAtTheCursor(t *testing.T) {
	h := sit(t, "f3d", session.Options{Samples: 1}, "proc:island")
	h.in.X, h.in.Y = 100, 60
	before, ok := h.c.Session.At(100, 60)
	require.True(t, ok)
	for range 12 {
		h.in.Wheel = 1
		h.tick()
	}
	after, ok := h.c.Session.At(100, 60)
	require.True(t, ok)
	assert.Equal(t, before.ID, after.ID, "the same voxel")
	assert.Less(t, after.Distance, before.Distance/4)
}

func TestClicks(t *testing.T) {
	h := sit(t, "f3d", session.Options{Samples: 1}, "proc:island")
	h.in.X, h.in.Y = 90, 55
	s := h.c.Session
	camera := s.Nav.Camera(90)
	h.press(keys.Left, 1)
	require.Len(t, s.Picks, 1)
	assert.Equal(t, camera, s.Nav.Camera(90), "a click moves nothing")
	h.stroke(keys.Chord{Key: "C"})
	assert.Contains(t, h.clip, "voxel ")
	h.in.Now = h.in.Now.Add(time.Second)
	h.press(keys.Left, 2)
	assert.NotEqual(t, camera, s.Nav.Camera(90), "a double click sets the focus")
	h.stroke(keys.Chord{Key: "Home"})
	h.press(keys.Middle, 1)
	assert.NotEqual(t, camera, s.Nav.Camera(90), "so does the middle button")

	h.stroke(keys.Chord{Key: "Home"})
	h.stroke(keys.Chord{Key: "M"})
	h.press(keys.Left, 1)
	h.in.X, h.in.Now = 60, h.in.Now.Add(time.Second)
	h.press(keys.Left, 1)
	_, distance, ok := s.Distance()
	assert.True(t, ok)
	assert.Greater(t, distance, 1.0)
	h.stroke(keys.Chord{Key: "C"})
	assert.Contains(t, h.clip, "distance ")
}

func TestTheCameraIsCopiedAndPasted(t *testing.T) {
	h := sit(t, "f3d", session.Options{Samples: 1}, "proc:island")
	h.drag(keys.Gesture{Button: keys.Left}, 40, 10)
	want := h.rest()
	h.stroke(keys.Chord{Key: "C", Mods: keys.Ctrl})
	assert.Contains(t, h.clip, "--eye ")
	h.stroke(keys.Chord{Key: "Home"})
	require.NotEqual(t, want, h.rest())
	h.stroke(keys.Chord{Key: "V", Mods: keys.Ctrl})
	assert.Equal(t, want, h.rest())
}

func TestInertia(t *testing.T) {
	h := sit(t, "f3d", session.Options{Samples: 1, Inertia: true}, "proc:sphere?size=16")
	h.drag(keys.Gesture{Button: keys.Left}, 60, 0)
	yaw := h.c.Session.Nav.Yaw
	h.rest()
	assert.NotEqual(t, yaw, h.c.Session.Nav.Yaw, "it runs on")
	yaw = h.c.Session.Nav.Yaw
	for range 100 {
		h.tick()
	}
	assert.Equal(t, yaw, h.c.Session.Nav.Yaw, "and ends")
}

func TestTheMouseLooksAroundWhileFlying(t *testing.T) {
	h := sit(t, "f3d", session.Options{Samples: 1}, "proc:island")
	eye := h.c.Session.Nav.Eye()
	h.stroke(keys.Chord{Key: "Tab"})
	h.drag(keys.Gesture{Button: keys.Left}, 30, 5)
	assert.InDelta(t, 0, eye.Sub(h.c.Session.Nav.Eye()).Len(), 1e-6)
	h.stroke(keys.Chord{Key: "Tab"})
	h.drag(keys.Gesture{Button: keys.Left}, 30, 5)
	assert.Greater(t, eye.Sub(h.c.Session.Nav.Eye()).Len(), 1.0)
}

func TestEveryOtherKey(t *testing.T) {
	folder := t.TempDir()
	h := sit(t, "f3d", session.Options{Samples: 1, Folder: folder}, "proc:island", "proc:sphere?size=32")
	s := h.c.Session
	stroke := func(a keys.Action) string {
		chord, held, ok := chordOf(h.c.Keys, a)
		require.True(t, ok)
		require.False(t, held)
		h.stroke(chord)
		return h.rest()
	}
	first := h.rest()
	for _, a := range []keys.Action{keys.ShowLevel, keys.ShowVisits, keys.ShowDepth, keys.ShowNormal, keys.ShowCoverage, keys.ShowColour, keys.SunLeft, keys.SunUp, keys.Shading, keys.Background, keys.NextFile} {
		before := h.seen()
		assert.NotEqual(t, before, stroke(a), "action %d", a)
	}
	stroke(keys.PreviousFile)
	h.rest()
	for a, flag := range map[keys.Action]*bool{
		keys.Help: &h.c.Show.Help, keys.Panel: &h.c.Show.Panel, keys.Layers: &h.c.Show.Layers, keys.Boxes: &h.c.Show.Boxes,
		keys.Graph: &h.c.Show.Graph, keys.Top: &h.c.Show.Top, keys.Statistics: &h.c.Show.Statistics,
	} {
		stroke(a)
		assert.True(t, *flag)
	}
	stroke(keys.Cancel)
	for h.c.Session.Clear() {
	}
	stroke(keys.Cancel)
	assert.Equal(t, Overlays{}, h.c.Show, "Esc hides the overlays")
	assert.Zero(t, s.Look.Plane)

	for a := keys.Toggle1; a <= keys.Toggle10; a++ {
		before := s.Switches()[a-keys.Toggle1]
		stroke(a)
		now := s.Switches()[a-keys.Toggle1]
		if before.Name != "kernel" && before.Name != "threads" {
			assert.NotEqual(t, before.Value, now.Value, before.Name)
		}
	}
	for a, file := range map[keys.Action]string{
		keys.Screenshot: "island-001.png", keys.SaveState: "island.view.json",
	} {
		stroke(a)
		assert.FileExists(t, filepath.Join(folder, file))
	}
	stroke(keys.ScreenshotClear)
	stroke(keys.ScreenshotLarge)
	assert.FileExists(t, filepath.Join(folder, "island-003.png"))
	stroke(keys.LoadState)
	_, failure := s.Message()
	assert.False(t, failure, s.Status())
	for _, a := range []keys.Action{keys.Play, keys.StepForward, keys.StepBack, keys.Layer1, keys.Layer9, keys.Reload, keys.Adapt, keys.NextView} {
		stroke(a)
		_, failure := s.Message()
		assert.False(t, failure, s.Status())
	}
	stroke(keys.FullScreen)
	assert.Equal(t, 1, h.full)
	before := h.rest()
	chord, _, _ := chordOf(h.c.Keys, keys.Fill)
	h.stroke(chord)
	h.tick()
	h.tick()
	assert.NotEqual(t, before, h.seen(), "it begins with an empty picture")
	assert.Equal(t, before, h.rest(), "and ends with the whole")
	assert.NotEmpty(t, first)
	stroke(keys.Quit)
	assert.True(t, h.c.Quit)
}

func TestADroppedFileOpens(t *testing.T) {
	h := sit(t, "f3d", session.Options{Samples: 1}, "proc:island")
	before := h.rest()
	broken := filepath.Join(t.TempDir(), "broken.ply")
	require.NoError(t, os.WriteFile(broken, []byte("ply\nnonsense"), 0o644))
	h.in.Dropped = []string{broken}
	assert.Equal(t, before, h.rest(), "a broken file leaves the model")
	text, failure := h.c.Session.Message()
	assert.True(t, failure)
	assert.Contains(t, text, "broken.ply")
	h.in.Dropped = []string{"../../docs/models/house.vox"}
	assert.NotEqual(t, before, h.rest())
}

// TestRandomHands does anything, for EIGHTFOLD_RANDOM_INPUT (a duration, such as
// 5m), else for a moment.
func TestRandomHands(t *testing.T) {
	duration := 2 * time.Second
	if text := os.Getenv("EIGHTFOLD_RANDOM_INPUT"); text != "" {
		var err error
		duration, err = time.ParseDuration(text)
		require.NoError(t, err)
	}
	folder := t.TempDir()
	broken := filepath.Join(folder, "broken.vox")
	require.NoError(t, os.WriteFile(broken, []byte("VOX "), 0o644))
	h := sit(t, "f3d", session.Options{Samples: 3, Folder: folder, Inertia: true}, "proc:island", "proc:sphere?size=32", "../../docs/models/house.vox", broken)
	goroutines, start := runtime.NumGoroutine(), time.Now()
	seed := uint64(time.Now().UnixNano())
	random := Random{Rand: rand.New(rand.NewPCG(seed, 0)), Files: []string{broken, "proc:cube", "../../docs/models/tree.vox", folder}}
	defer func() {
		if t.Failed() {
			fmt.Println("seed", seed)
		}
	}()
	for time.Since(start) < duration {
		random.Next(&h.in, h.c.Keys)
		h.tick()
		if h.picture != nil {
			require.Len(t, h.picture.Pix, 4*h.picture.Width*h.picture.Height)
		}
	}
	h.in = Input{Now: h.in.Now, Width: 160, Height: 90, Scale: 1}
	h.c.Session.Clear()
	h.rest()
	assert.LessOrEqual(t, runtime.NumGoroutine(), goroutines+4, "no goroutine is left behind")
	assert.True(t, h.c.Session.Ready())
}
