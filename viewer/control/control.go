// Package control turns what hands do, on keys and mouse, into what the session
// does. It knows no window: input comes as a value for each tick.
package control

import (
	"math"
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/viewer/keys"
	"github.com/cfef80af/eightfold/viewer/session"
)

// Input is what has happened since the tick before, and what is held now.
type Input struct {
	Now time.Time
	// Width and Height are the size of the picture in pixels, Scale is how many
	// of them are a unit of text: 1, or 2 on a dense screen.
	Width, Height int
	Scale         float64
	// X and Y are the cursor's place in the picture, in pixels.
	X, Y float64
	// Mods are the modifiers held.
	Mods keys.Mods
	// Pressed are the keys that went down, Held all that are down.
	Pressed, Held []string
	// Down are the buttons of the mouse that are held.
	Down []keys.Button
	// Wheel is by how many steps the wheel turned, away from the hand.
	Wheel float64
	// Dropped are files dropped on the window.
	Dropped []string
}

// Desktop is what surrounds the window.
type Desktop interface {
	// Copy puts a text on the clipboard, Paste returns what is there.
	Copy(text string)
	Paste() string
	// ToggleFullScreen fills the screen, or no longer.
	ToggleFullScreen()
}

// Overlays are what is shown above the picture.
type Overlays struct {
	Help, Panel, Layers, Boxes, Graph, Top, Statistics bool
}

// Surface is where overlays are that can be clicked on.
type Surface interface {
	// Click tells whether an overlay took a click at (x, y).
	Click(x, y float64) bool
	// Release lets go of what an overlay holds, and tells whether it held
	// anything.
	Release() bool
}

// Control is the hands' state between ticks.
type Control struct {
	Session *session.Session
	Keys    keys.Map
	Desktop Desktop
	// Surface may be nil.
	Surface Surface
	Show    Overlays
	// FlyMode makes the mouse look around instead of turning the model.
	FlyMode bool
	// Quit tells that the window is to be closed.
	Quit bool
	// X and Y are where the cursor was last.
	X, Y float64

	last   time.Time
	press  press
	click  click
	anchor anchor
}

// press is a button that is held.
type press struct {
	button   keys.Button // NoButton while none is
	mods     keys.Mods
	x, y     float64 // where it went down
	lastX    float64 // where it was at the tick before
	lastY    float64
	dragging bool
	taken    bool // by an overlay
	action   keys.Action
	depth    float64    // of what was under the cursor, for panning
	point    mgl64.Vec3 // and where it was, for zooming
}

// click is the last one, which a second one may make a double click.
type click struct {
	button keys.Button
	at     time.Time
	x, y   float64
}

// anchor is the point that zooming keeps in its place, while the cursor rests.
type anchor struct {
	x, y  float64
	at    time.Time
	point mgl64.Vec3
}

const (
	// A press that moves less than this, in units of text, is a click.
	dragDistance = 4
	// Two clicks within this time are a double click.
	doubleClick = 400 * time.Millisecond
	// Turns of the wheel within this time go to the same point.
	sameZoom = 700 * time.Millisecond
	// Pixels of a drag that zoom as much as a step of the wheel.
	dollyStep = 25
)

// Apply does what the input of a tick asks for. It tells whether something is
// held, so that the next tick is to come soon.
func (c *Control) Apply(in Input) (held bool) {
	s := c.Session
	seconds := 0.0
	if !c.last.IsZero() {
		seconds = math.Max(0, math.Min(in.Now.Sub(c.last).Seconds(), 0.1))
	}
	c.last = in.Now
	if in.Scale <= 0 {
		in.Scale = 1
	}
	if in.Width > 0 && in.Height > 0 {
		s.Resize(in.Width, in.Height)
	}
	if len(in.Dropped) > 0 {
		s.Drop(in.Dropped)
	}
	for _, key := range in.Pressed {
		c.do(c.Keys.Stroke(keys.Chord{Key: key, Mods: in.Mods}), in)
	}
	flying := c.fly(in, seconds)
	c.mouse(in, seconds, flying)
	c.wheel(in)
	c.X, c.Y = in.X, in.Y
	return flying || c.press.button != keys.NoButton
}

// fly moves the eye by the keys that are held.
func (c *Control) fly(in Input, seconds float64) bool {
	var right, up, forward float64
	for _, key := range in.Held {
		switch c.Keys.Hold(keys.Chord{Key: key, Mods: in.Mods}) {
		case keys.FlyForward:
			forward++
		case keys.FlyBack:
			forward--
		case keys.FlyRight:
			right++
		case keys.FlyLeft:
			right--
		case keys.FlyUp:
			up++
		case keys.FlyDown:
			up--
		}
	}
	if right == 0 && up == 0 && forward == 0 {
		return false
	}
	if in.Mods&keys.Shift != 0 {
		seconds *= 4
	}
	c.Session.Nav.Stop()
	c.Session.Nav.Fly(right, up, forward, seconds, c.Session.NearestSurface())
	return true
}

// mouse follows the buttons through presses, drags and clicks. Of several
// buttons the one that went down first counts.
func (c *Control) mouse(in Input, seconds float64, flying bool) {
	p := &c.press
	if p.button == keys.NoButton {
		if len(in.Down) > 0 {
			c.begin(in.Down[0], in, flying)
		}
		return
	}
	if !p.dragging && math.Hypot(in.X-p.x, in.Y-p.y) > dragDistance*in.Scale && !p.taken {
		p.dragging = true
		c.Session.Nav.Stop()
	}
	if p.dragging {
		c.drag(in.X-p.lastX, in.Y-p.lastY, seconds)
		p.lastX, p.lastY = in.X, in.Y
	}
	if !slices.Contains(in.Down, p.button) {
		c.release(in)
	}
}

func (c *Control) begin(button keys.Button, in Input, flying bool) {
	p := press{button: button, mods: in.Mods, x: in.X, y: in.Y, lastX: in.X, lastY: in.Y}
	p.taken = button == keys.Left && c.Surface != nil && c.Surface.Click(in.X, in.Y)
	p.action = c.Keys.Gesture(keys.Gesture{Button: button, Mods: in.Mods})
	if p.action == keys.Orbit && (c.FlyMode || flying) {
		p.action = keys.Look
	}
	switch p.action {
	case keys.Pan:
		p.depth = c.Session.DepthAt(in.X, in.Y)
	case keys.Dolly:
		p.point = c.Session.PointAt(in.X, in.Y)
	}
	c.press = p
}

func (c *Control) drag(dx, dy, seconds float64) {
	s := c.Session
	orbit, pan := [2]float64{}, [2]float64{}
	switch c.press.action {
	case keys.Orbit:
		s.Nav.Orbit(dx, dy)
		orbit = [2]float64{dx, dy}
	case keys.Look:
		s.Nav.Look(dx, dy)
	case keys.Pan:
		_, height := s.Size()
		s.Nav.Pan(dx, dy, c.press.depth, height)
		pan = [2]float64{dx, dy}
	case keys.Dolly:
		s.Nav.Zoom(-dy/dollyStep, c.press.point)
	case keys.DragSection:
		s.DragSection(dx, dy)
	}
	s.Nav.Dragged(orbit, pan, seconds)
}

func (c *Control) release(in Input) {
	p := c.press
	c.press = press{}
	if p.taken {
		return
	}
	if p.dragging {
		if p.action == keys.Orbit || p.action == keys.Pan {
			c.Session.Nav.Release()
		}
		return
	}
	clicks := 1
	near := math.Hypot(p.x-c.click.x, p.y-c.click.y) <= dragDistance*in.Scale
	if p.button == c.click.button && in.Now.Sub(c.click.at) <= doubleClick && near {
		clicks = 2
		c.click = click{}
	} else {
		c.click = click{p.button, in.Now, p.x, p.y}
	}
	in.X, in.Y = p.x, p.y
	c.do(c.Keys.Gesture(keys.Gesture{Button: p.button, Mods: p.mods, Clicks: clicks}), in)
}

// wheel zooms to what is under the cursor. It is looked up once: it stays there.
func (c *Control) wheel(in Input) {
	if in.Wheel == 0 {
		return
	}
	s := c.Session
	a := &c.anchor
	if in.X != a.x || in.Y != a.y || in.Now.Sub(a.at) > sameZoom {
		*a = anchor{x: in.X, y: in.Y, point: s.PointAt(in.X, in.Y)}
	}
	a.at = in.Now
	s.Nav.Stop()
	s.Nav.Zoom(math.Max(-10, math.Min(10, in.Wheel)), a.point)
}

// views are the named views by their actions.
var views = map[keys.Action]string{
	keys.ViewFront: "front", keys.ViewBack: "back", keys.ViewLeft: "left", keys.ViewRight: "right",
	keys.ViewTop: "top", keys.ViewBottom: "bottom", keys.ViewIsometric: "iso",
}

// planes are the planes by the actions that show them.
var planes = map[keys.Action]render.Planes{
	keys.ShowColour: 0, keys.ShowLevel: render.PlaneLevel, keys.ShowVisits: render.PlaneVisits, keys.ShowDepth: render.PlaneDepth,
	keys.ShowNormal: render.PlaneNormal, keys.ShowCoverage: render.PlaneCoverage,
}

// sunStep is how many degrees a stroke turns the sun.
const sunStep = 15

// do does an action, at the place of the cursor where it needs one.
func (c *Control) do(a keys.Action, in Input) {
	s := c.Session
	if name, ok := views[a]; ok {
		viewpoint, _ := project.ViewpointNamed(name)
		s.Nav.From(viewpoint)
		return
	}
	if plane, ok := planes[a]; ok {
		if s.Look.Plane == plane {
			plane = 0 // the same key shows colours again
		}
		s.Look.Plane = plane
		return
	}
	switch {
	case a >= keys.Toggle1 && a <= keys.Toggle10:
		s.Turn(int(a - keys.Toggle1))
		return
	case a >= keys.Layer1 && a <= keys.Layer9:
		s.ToggleLayer(int(a - keys.Layer1))
		return
	}
	if flag := c.overlay(a); flag != nil {
		*flag = !*flag
		return
	}
	if act, ok := simple[a]; ok {
		act(s)
		return
	}
	switch a {
	case keys.Pick:
		s.PickAt(in.X, in.Y)
	case keys.FocusHere:
		s.FocusAt(in.X, in.Y)
	case keys.ToggleFly:
		c.FlyMode = !c.FlyMode
		s.Say("fly mode: %s", map[bool]string{true: "drag looks around, W A S D Q E fly", false: "off"}[c.FlyMode])
	case keys.Cancel:
		if !s.Clear() && (c.Surface == nil || !c.Surface.Release()) {
			c.Show = Overlays{}
			s.Look.Plane = 0
		}
	case keys.Copy:
		c.copy(s.Copy())
	case keys.CopyCamera:
		c.copy(s.CopyCamera())
	case keys.PasteCamera:
		s.PasteCamera(c.Desktop.Paste())
	case keys.FullScreen:
		c.Desktop.ToggleFullScreen()
	case keys.Quit:
		c.Quit = true
	}
}

// simple are the actions that need nothing but the session.
var simple = map[keys.Action]func(*session.Session){
	keys.ToggleParallel: func(s *session.Session) { s.Nav.ToggleParallel() },
	keys.Reset:          (*session.Session).Reset,
	keys.FrameAll:       (*session.Session).FrameAll,
	keys.NextView:       (*session.Session).NextView,
	keys.NextFile:       func(s *session.Session) { s.Next(1) },
	keys.PreviousFile:   func(s *session.Session) { s.Next(-1) },
	keys.Reload:         (*session.Session).Reload,
	keys.Play:           (*session.Session).Play,
	keys.StepForward:    func(s *session.Session) { s.StepFrame(1) },
	keys.StepBack:       func(s *session.Session) { s.StepFrame(-1) },
	keys.Shading:        (*session.Session).NextShading,
	keys.SunLeft:        func(s *session.Session) { s.TurnSun(-sunStep, 0) },
	keys.SunRight:       func(s *session.Session) { s.TurnSun(sunStep, 0) },
	keys.SunUp:          func(s *session.Session) { s.TurnSun(0, sunStep) },
	keys.SunDown:        func(s *session.Session) { s.TurnSun(0, -sunStep) },
	keys.Background:     (*session.Session).NextBackground,
	keys.Measure:        (*session.Session).Measure,
	keys.Section:        (*session.Session).ToggleSection,
	keys.SectionAxis:    (*session.Session).TurnSection,
	keys.SectionFlip:    (*session.Session).FlipSection,
	keys.Screenshot:     func(s *session.Session) { s.Screenshot(false, 1) },
	keys.ScreenshotClear: func(s *session.Session) {
		s.Screenshot(true, 1)
	},
	keys.ScreenshotLarge: func(s *session.Session) { s.Screenshot(false, 2) },
	keys.SaveState:       (*session.Session).SaveState,
	keys.LoadState:       (*session.Session).LoadSavedState,
	keys.Adapt: func(s *session.Session) {
		s.Pace.Adapt = !s.Pace.Adapt
		s.Say("resolution %s", map[bool]string{true: "adapts while moving", false: "is fixed"}[s.Pace.Adapt])
	},
	keys.Fill: (*session.Session).Fill,
}

// overlay is the flag that an action turns, nil where it turns none.
func (c *Control) overlay(a keys.Action) *bool {
	switch a {
	case keys.Help:
		return &c.Show.Help
	case keys.Panel:
		return &c.Show.Panel
	case keys.Layers:
		return &c.Show.Layers
	case keys.Boxes:
		return &c.Show.Boxes
	case keys.Graph:
		return &c.Show.Graph
	case keys.Top:
		return &c.Show.Top
	case keys.Statistics:
		return &c.Show.Statistics
	}
	return nil
}

// copy puts a text on the clipboard, if there is one.
func (c *Control) copy(text string) {
	if text != "" {
		c.Desktop.Copy(text)
	}
}
