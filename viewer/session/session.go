// Package session is what the viewer knows and does, without a window: which
// files there are and which is shown, how, and from where; it loads and draws in
// the background, picks, measures, takes screenshots and remembers views.
//
// A Session belongs to one goroutine. Its own goroutines, which load, draw and
// write, share nothing with it but what they hand over when they are done.
package session

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/viewer/navigate"
	"github.com/cfef80af/eightfold/viewer/pace"
)

// Options are settled when a session starts. The zero value of every field is
// its default.
type Options struct {
	// Load bounds what loading may take.
	Load models.Options
	// FPS is the rate to hold while something moves; 0 means 60.
	FPS float64
	// Samples is how many samples a still picture gets; 0 means 16.
	Samples int
	// FixedResolution draws all pixels also while something moves.
	FixedResolution bool
	// Inertia lets movements run on.
	Inertia bool
	// Watch loads a file again when it changes.
	Watch bool
	// Kernel, Threads and Shading are those of render.Options.
	Kernel  asm.Kernel
	Threads int
	Shading render.Shading
	// Folder is where screenshots and views are written; "" is the current one.
	Folder string
	// ScreenshotWidth and ScreenshotHeight are the size of screenshots; 0 is that
	// of the window.
	ScreenshotWidth, ScreenshotHeight int
}

// Session is the state of the viewer.
type Session struct {
	// Look is how the model is shown.
	Look Look
	// Nav is where it is seen from.
	Nav *navigate.Navigator
	// Pace decides how finely it is drawn.
	Pace pace.Pace
	// Section cuts the model.
	Section Section
	// StageTimes asks for the times of all stages of a frame.
	StageTimes bool
	// Measuring tells that two picks make a distance.
	Measuring bool
	// Picks are the last two voxels picked, the latest last.
	Picks []Picked

	options       Options
	width, height int
	list          playlist
	model         *model // nil until the first one is loaded
	loading       *loading
	watch         watch
	playing       bool
	sincePlayed   time.Duration
	last          time.Time // of the last Tick

	filling filling
	tracing tracing
	drawing drawing
	writing chan writeResult
	writers int
	message message
	near    near
}

// model is what is loaded.
type model struct {
	name   string
	asset  *models.Asset
	scene  *render.Scene // never changed once it is drawn: another takes its place
	cut    *render.Scene // the same with the section plane
	frame  int
	view   int            // how often its own views were asked for
	layers []models.Layer // with the visibility that was chosen
	stamp  stamp          // of the file
}

// message is a sentence for the status line.
type message struct {
	text    string
	failure bool
	until   time.Time // zero: until something else is said
}

// New starts a session that shows the files given, each a file, a folder or a
// procedural model, or a saved view; without any, the built-in model. A single file brings the
// others of its folder along. Loading begins at once. It fails where the
// options or the list make no sense.
func New(files []string, options Options) (*Session, error) {
	view := ""
	if len(files) == 1 && strings.HasSuffix(files[0], stateSuffix) {
		view, files = files[0], nil
	}
	list, err := newPlaylist(files)
	if err != nil {
		return nil, err
	}
	if options.FPS == 0 {
		options.FPS = 60
	}
	if options.Samples == 0 {
		options.Samples = 16
	}
	if !(options.FPS >= 1 && options.FPS <= 1000) {
		return nil, fmt.Errorf("rate %g: must be 1 to 1000 frames a second", options.FPS)
	}
	if options.Samples < 1 || options.Samples > render.MaxSamples {
		return nil, fmt.Errorf("samples %d: must be 1 to %d", options.Samples, render.MaxSamples)
	}
	if options.Threads < 0 {
		return nil, fmt.Errorf("threads %d: must be 0 (one per CPU) or more", options.Threads)
	}
	if _, err := asm.Select(options.Kernel); err != nil {
		return nil, err
	}
	s := &Session{
		options: options, width: 1280, height: 720, list: list,
		Look:    Look{Shading: options.Shading, Kernel: options.Kernel, Threads: options.Threads, Background: Backgrounds[0]},
		Nav:     navigate.New(mgl64.Vec3{0, 0, 1}, mgl64.Vec3{0, -1, 0}, 1),
		writing: make(chan writeResult),
	}
	s.Nav.Inertia = options.Inertia
	s.Pace = pace.Pace{
		// The rest is for what comes before and after: input, upload, the screen.
		Budget: time.Duration(0.8 * float64(time.Second) / options.FPS), Samples: options.Samples, Adapt: !options.FixedResolution,
	}
	if view != "" {
		return s, s.openState(view)
	}
	s.open(list, false)
	return s, nil
}

// Resize tells the size of the picture in pixels.
func (s *Session) Resize(width, height int) {
	s.width = max(1, min(width, project.MaxSide))
	s.height = max(1, min(height, project.MaxSide))
}

// Size is the size of the picture in pixels.
func (s *Session) Size() (width, height int) { return s.width, s.height }

// Close ends what runs in the background and waits for it.
func (s *Session) Close() {
	s.stopLoading()
	s.drawing.stop()
	for s.writers > 0 {
		s.wrote(<-s.writing)
	}
}

// Tick lets time pass: loading, watching, playing and inertia go on. It tells
// whether it has to be called again soon; else only input changes anything.
func (s *Session) Tick(now time.Time) (busy bool) {
	passed := now.Sub(s.last)
	if s.last.IsZero() || passed < 0 {
		passed = 0
	}
	passed = min(passed, 100*time.Millisecond) // after a pause nothing leaps
	s.last = now
	s.pollLoading(now)
	s.pollWriting()
	s.pollWatch(now)
	s.play(passed)
	s.filling.tick(passed)
	coasting := s.Nav.Coast(passed.Seconds(), s.height)
	if !s.message.until.IsZero() && now.After(s.message.until) {
		s.message = message{}
	}
	return coasting || s.playing || s.filling.on || s.loading != nil || s.writers > 0
}

// Ready tells whether a model is shown.
func (s *Session) Ready() bool { return s.model != nil }

// Asset is the model shown, nil before the first one is loaded; Scene is what
// is drawn of it.
func (s *Session) Asset() *models.Asset {
	if s.model == nil {
		return nil
	}
	return s.model.asset
}

// Scene is what is drawn, nil before the first model is loaded.
func (s *Session) Scene() *render.Scene {
	if s.model == nil {
		return nil
	}
	m := s.model
	plane := s.Section.cut()
	if plane == (render.Section{}) {
		return m.scene
	}
	if m.cut == nil || m.cut.Section != plane {
		m.cut = &render.Scene{Instances: m.scene.Instances, LaterWins: m.scene.LaterWins, Tracked: true, Section: plane}
	}
	return m.cut
}

// Fit fits a camera to the model shown.
func (s *Session) Fit(direction, top mgl64.Vec3, fovY float64) (project.Camera, error) {
	if s.model == nil {
		return project.Camera{}, fmt.Errorf("camera: no model is loaded yet")
	}
	return s.model.scene.Fit(direction, top, s.width, s.height, fovY, project.DefaultFill)
}

// Reset shows the whole model from the front left.
func (s *Session) Reset() { s.tell(s.Nav.Reset(s.Fit, s.height)) }

// FrameAll shows the whole model from the present side.
func (s *Session) FrameAll() { s.tell(s.Nav.Frame(s.Fit, s.height)) }

// NextView shows the model from the next of the views that it brings along.
func (s *Session) NextView() {
	if s.model == nil || len(s.model.asset.Views) == 0 {
		s.Say("the model brings no views of its own")
		return
	}
	view := s.model.asset.Views[s.model.view%len(s.model.asset.Views)]
	s.model.view++
	s.Nav.Set(view.Camera, s.height)
	s.Say("view %s", view.Name)
}

// tell puts an error into the status line.
func (s *Session) tell(err error) {
	if err != nil {
		s.message = message{text: err.Error(), failure: true}
	}
}

// Tell puts an error into the status line, where there is one; it stays until
// it is cleared or the next model is loaded.
func (s *Session) Tell(err error) { s.tell(err) }

// Say puts a sentence into the status line for some seconds.
func (s *Session) Say(format string, args ...any) {
	s.message = message{text: fmt.Sprintf(format, args...), until: s.last.Add(4 * time.Second)}
}

// Message is the sentence of the status line that was last said, and whether
// it tells a failure.
func (s *Session) Message() (text string, failure bool) { return s.message.text, s.message.failure }

// Quiet tells whether nothing will change in the status line by itself, and
// else when it will.
func (s *Session) Quiet() (until time.Time, quiet bool) {
	return s.message.until, s.message.until.IsZero()
}

// Clear is what Esc does: it cancels loading, else takes back, one at a time,
// what was said, picked, and played. It tells whether there was any of these.
func (s *Session) Clear() bool {
	switch {
	case s.loading != nil:
		name := s.loading.name
		s.stopLoading()
		s.Say("%s: loading was cancelled", displayName(name))
	case s.message.text != "":
		s.message = message{}
	case s.filling.on:
		s.filling = filling{}
	case s.Measuring:
		s.Measuring, s.Picks = false, nil
	case len(s.Picks) > 0:
		s.Picks = nil
	case s.playing:
		s.playing = false
	default:
		return false
	}
	return true
}

// near remembers how near the eye was to the nearest surface. It can't have come
// nearer than it has moved since, so that it is measured seldom.
type near struct {
	scene    *render.Scene
	eye      mgl64.Vec3
	distance float64
}

// NearestSurface is the distance from the eye to the nearest voxel, at most a
// tenth less.
func (s *Session) NearestSurface() float64 {
	if s.model == nil {
		return math.Inf(1)
	}
	eye := s.Nav.Eye()
	if moved := eye.Sub(s.near.eye).Len(); s.near.scene == s.Scene() && moved <= s.near.distance/10 {
		return s.near.distance - moved
	}
	distance, ok := s.Scene().Distance(eye)
	if !ok {
		distance = math.Inf(1)
	}
	s.near = near{s.Scene(), eye, distance}
	return s.near.distance
}

// Title is what the window's title says.
func (s *Session) Title() string {
	title := "eightfold"
	if s.model != nil {
		title = displayName(s.model.name) + " - " + title
	}
	if n := len(s.list.names); n > 1 {
		title += fmt.Sprintf(" - %d of %d", s.list.at+1, n)
	}
	if s.model != nil && s.model.asset.Frames > 1 {
		title += fmt.Sprintf(" - frame %d of %d", s.model.frame, s.model.asset.Frames)
	}
	if p, ok := s.Loading(); ok {
		title += " - " + p.String()
	}
	return title
}

// guard makes an error of a panic in the background work on subject.
func guard(subject string, work func() error) (err error) {
	defer func() {
		if bug := recover(); bug != nil {
			if worker, ok := bug.(*render.WorkerPanic); ok {
				bug = worker.Value
			}
			err = fmt.Errorf("%s: this is a bug in eightfold (%v); please report it with the model", subject, bug)
		}
	}()
	return work()
}

// threads is how many threads draw where 0 asks for all.
func threads(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// stopped tells whether an error only says that work was stopped.
func stopped(ctx context.Context, err error) bool { return err != nil && ctx.Err() != nil }
