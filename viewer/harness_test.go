//go:build viewer

package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/viewer/control"
	"github.com/cfef80af/eightfold/viewer/keys"
	"github.com/cfef80af/eightfold/viewer/session"
)

const testWidth, testHeight = 640, 360

// harness is the window under test. Ebiten runs it on the process's first
// goroutine; the tests run beside it and ask it to do things.
type harness struct {
	*window
	begin    sync.Once
	run      func()
	ended    chan struct{}
	requests chan *request
	seeing   *request
	script   *script
}

// request is something to be done between two updates.
type request struct {
	do   func()
	see  bool // the pixels, after the next Draw
	pix  []byte
	done chan struct{}
}

// script is input that a test makes up. Unless it is on, the real hands count.
type script struct {
	on   bool
	in   control.Input
	real hands
}

func (s *script) Poll(width, height int, scale float64) control.Input {
	if !s.on {
		return s.real.Poll(width, height, scale)
	}
	in := s.in
	in.Width, in.Height, in.Scale = width, height, scale
	s.in.Pressed, s.in.Wheel, s.in.Dropped = nil, 0, nil
	return in
}

func (h *harness) Update() error {
	h.begin.Do(func() { go h.run() })
	select {
	case <-h.ended:
		return ebiten.Termination
	case r := <-h.requests:
		if r.do != nil {
			r.do()
		}
		if !r.see {
			close(r.done)
			break
		}
		h.seeing = r
	default:
	}
	return h.window.Update()
}

func (h *harness) Draw(target *ebiten.Image) {
	h.window.Draw(target)
	if r := h.seeing; r != nil {
		h.seeing = nil
		r.pix = make([]byte, 4*target.Bounds().Dx()*target.Bounds().Dy())
		target.ReadPixels(r.pix)
		close(r.done)
	}
}

// bench is the one window of all tests.
var bench = &harness{ended: make(chan struct{}), requests: make(chan *request, 1), script: &script{}}

func TestMain(m *testing.M) {
	line := commandLine{
		Models: []string{"proc:island"}, Keys: "f3d", Kernel: "auto", Shading: "flat", Background: "dusk",
		FPS: 60, Samples: 2, MaxMemory: 2048, Folder: os.TempDir(),
	}
	w, err := line.open()
	if err != nil {
		panic(err)
	}
	w.source, w.delay = bench.script, 10*time.Millisecond
	w.control.Desktop = &desktop{out: io.Discard}
	bench.window = w
	code := 1
	bench.run = func() {
		code = m.Run()
		close(bench.ended)
		wake()
	}
	ebiten.SetWindowSize(testWidth, testHeight)
	ebiten.SetRunnableOnUnfocused(true) // under Xvfb nobody gives it the focus
	if err := ebiten.RunGame(bench); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	bench.control.Session.Close()
	os.Exit(code)
}

func (h *harness) ask(t require.TestingT, r *request) []byte {
	r.done = make(chan struct{})
	h.requests <- r
	wake()
	select {
	case <-r.done:
	case <-time.After(time.Minute):
		require.Fail(t, "the window does not answer")
	}
	return r.pix
}

// do runs something between two updates.
func (h *harness) do(t require.TestingT, f func()) { h.ask(t, &request{do: f}) }

// rest waits until the window is at rest, and returns what it shows.
func (h *harness) rest(t require.TestingT) []byte {
	deadline := time.Now().Add(time.Minute)
	for {
		resting := false
		h.do(t, func() { resting = h.resting && h.control.Session.Ready() })
		if resting {
			return h.ask(t, &request{see: true})
		}
		require.True(t, time.Now().Before(deadline), "it never comes to rest")
		time.Sleep(5 * time.Millisecond)
	}
}

// seen stands for what is shown at rest.
func (h *harness) seen(t require.TestingT) string { return fmt.Sprintf("%x", sha256.Sum256(h.rest(t))) }

// fresh brings the window into the state that it has after the start with a
// model, and makes up the input from now on.
func (h *harness) fresh(t *testing.T, models ...string) *session.Session {
	t.Helper()
	folder := t.TempDir()
	s, err := session.New(models, session.Options{Samples: 2, Folder: folder})
	require.NoError(t, err)
	h.do(t, func() {
		h.control.Session.Close()
		h.control.Session = s
		h.control.Show, h.control.FlyMode = control.Overlays{}, false
		h.script.on, h.script.in = true, control.Input{X: 320, Y: 180}
	})
	h.rest(t)
	return s
}

// input changes the made up input and waits until it has been seen.
func (h *harness) input(t require.TestingT, change func(in *control.Input)) {
	h.do(t, func() { change(&h.script.in) })
	h.do(t, nil)
}

func (h *harness) stroke(t require.TestingT, c keys.Chord) {
	h.input(t, func(in *control.Input) { in.Mods, in.Pressed = c.Mods, []string{c.Key} })
	h.input(t, func(in *control.Input) { in.Mods = 0 })
}

func (h *harness) drag(t require.TestingT, g keys.Gesture, dx, dy float64) {
	h.input(t, func(in *control.Input) { in.Mods, in.Down = g.Mods, []keys.Button{g.Button} })
	for range 5 {
		h.input(t, func(in *control.Input) { in.X, in.Y = in.X+dx/5, in.Y+dy/5 })
	}
	h.input(t, func(in *control.Input) { in.Mods, in.Down = 0, nil })
	h.input(t, func(in *control.Input) { in.X, in.Y = 320, 180 })
}

// quiet empties the status line, so that pixels can be compared.
func (h *harness) quiet(t require.TestingT) {
	h.do(t, func() {
		for range 3 {
			if text, _ := h.control.Session.Message(); text != "" {
				h.control.Session.Clear()
			}
		}
	})
}

// offline is the picture of the session's camera as eightfold render draws it.
func (h *harness) offline(t *testing.T, width, height, samples int) (pix []byte) {
	var (
		camera = h.control.Session.Nav.Camera(height)
		scene  = h.control.Session.Scene()
	)
	r, err := render.NewRenderer(render.Options{Width: width, Height: height, Background: session.Backgrounds[0].Colour})
	require.NoError(t, err)
	mean := render.NewAccumulator(width, height)
	_, err = r.DrawSamples(t.Context(), scene, camera, samples, mean)
	require.NoError(t, err)
	return mean.Picture().Pix
}
