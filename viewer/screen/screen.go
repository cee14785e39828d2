// Package screen paints what the window shows above the picture: the status
// line and the overlays, and knows what of them was clicked on. It knows no
// window either.
package screen

import (
	"fmt"
	"image"
	"image/draw"
	"math"
	"time"

	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/viewer/control"
	"github.com/cfef80af/eightfold/viewer/overlay"
	"github.com/cfef80af/eightfold/viewer/session"
)

// Screen is what is above the picture.
type Screen struct {
	control *control.Control
	image   *image.RGBA
	pen     overlay.Pen
	graph   overlay.Graph
	picture *session.Picture // shown, nil before the first
	shown   int              // pictures so far

	painted state
	regions []image.Rectangle // that are not transparent
	panel   overlay.Placed
	layers  overlay.Placed
	graphed overlay.Placed
	clicked int // times that an overlay took a click
}

// state is everything that the overlays depend on: they are painted anew once it
// has changed.
type state struct {
	size    image.Point
	scale   float64
	show    control.Overlays
	status  string
	failure bool
	picture int // where an overlay follows each of them
	model   string
	clicked int
	switches,
	layers string
	x, y  int // the cursor, where it matters
	picks [2]render.VoxelRef
}

// New makes the screen of a control.
func New(c *control.Control) *Screen {
	return &Screen{control: c, image: image.NewRGBA(image.Rectangle{})}
}

// Image is what was painted last: transparent but for overlays, premultiplied.
func (s *Screen) Image() *image.RGBA { return s.image }

// Drawn tells of a picture that is shown, and how long its upload took.
func (s *Screen) Drawn(p *session.Picture, upload time.Duration) {
	s.picture = p
	s.shown++
	s.graph.Add(overlay.NewFrame(p.Stats, upload, p.Width, p.Height, p.Samples-1))
}

// Click tells whether an overlay took a click at (x, y), and does what it asks
// for: a switch turns, a layer hides, the graph holds a frame.
func (s *Screen) Click(x, y float64) bool {
	show := &s.control.Show
	taken := true
	switch {
	case show.Panel && s.panel.In(x, y):
		if row, ok := s.panel.Row(x, y); ok {
			s.control.Session.Turn(row)
		}
	case show.Layers && s.layers.In(x, y):
		if row, ok := s.layers.Row(x, y); ok && row < len(s.control.Session.Layers()) {
			s.control.Session.ToggleLayer(row)
		}
	case show.Graph && s.graphed.In(x, y):
		s.graph.Click(x, y)
	default:
		taken = false
	}
	if taken {
		s.clicked++
	}
	return taken
}

// Release lets go of a frame that is held, and tells whether one was.
func (s *Screen) Release() bool {
	_, held := s.graph.Held()
	s.graph.Release()
	if held {
		s.clicked++
	}
	return held
}

// Paint paints what has changed, for a window of a size, and returns the regions
// that changed.
func (s *Screen) Paint(width, height int, scale float64) []image.Rectangle {
	// What the overlays tell of a frame is only measured while they are shown.
	show := s.control.Show
	s.control.Session.StageTimes = show.Graph || show.Top
	now := s.state(width, height, scale)
	if now == s.painted {
		return nil
	}
	if s.image.Rect.Size() != now.size {
		s.image = image.NewRGBA(image.Rect(0, 0, width, height))
		s.regions = []image.Rectangle{s.image.Rect}
	}
	s.painted = now
	changed := s.regions
	for _, r := range s.regions {
		draw.Draw(s.image, r, image.Transparent, image.Point{}, draw.Src)
	}
	s.regions = nil
	s.paint(now)
	return disjoint(append(changed, s.regions...))
}

// disjoint joins regions that meet, so that none is handed over twice.
func disjoint(list []image.Rectangle) (joined []image.Rectangle) {
	for _, r := range list {
		for i := 0; i < len(joined); i++ {
			if joined[i].Overlaps(r) {
				r = r.Union(joined[i])
				joined = append(joined[:i], joined[i+1:]...)
				i = -1
			}
		}
		if !r.Empty() {
			joined = append(joined, r)
		}
	}
	return joined
}

func (s *Screen) state(width, height int, scale float64) state {
	c, session := s.control, s.control.Session
	now := state{size: image.Pt(width, height), scale: scale, show: c.Show, status: session.Status(), clicked: s.clicked}
	_, now.failure = session.Message()
	if s.picture != nil {
		now.model = fmt.Sprint(s.picture.Plane)
	}
	if c.Show.Graph || c.Show.Top || c.Show.Statistics || c.Show.Boxes || len(session.Picks) > 0 || s.heatmap() {
		now.picture = s.shown
	}
	if c.Show.Panel {
		now.switches = fmt.Sprint(session.Switches())
	}
	if c.Show.Layers {
		now.layers = fmt.Sprint(session.Layers())
	}
	if c.Show.Boxes {
		now.x, now.y = int(math.Floor(c.X)), int(math.Floor(c.Y))
	}
	for i, p := range session.Picks {
		now.picks[i] = p.VoxelRef
		now.picks[i].Instance++ // the zero value is no pick
	}
	return now
}

// heatmap tells whether the picture shows one.
func (s *Screen) heatmap() bool {
	return s.picture != nil && s.picture.Across != (render.Range{}) && s.picture.Plane != render.PlaneDepth
}

func (s *Screen) paint(now state) {
	c, session := s.control, s.control.Session
	s.pen.Begin(s.image, now.scale)
	if now.status != "" {
		s.add(s.pen.Status(now.status, now.failure))
	}
	s.paintInWorld(now)
	if now.show.Panel {
		s.panel = s.place(overlay.TopLeft, switches(session))
	}
	if now.show.Layers {
		s.layers = s.place(overlay.TopLeft, layers(session))
	}
	if p := s.picture; p != nil {
		if now.show.Statistics {
			s.place(overlay.TopRight, overlay.Statistics(p.Stats, p.Width, p.Height))
		}
		if now.show.Top {
			s.place(overlay.TopRight, overlay.Top(s.graph.Frames()))
		}
		if s.heatmap() {
			s.add(s.pen.Legend(overlay.BottomRight, titles[p.Plane], p.Across, p.Beyond).Rect)
		}
	}
	if now.show.Graph {
		s.graphed = s.pen.Graph(overlay.BottomLeft, &s.graph)
		s.add(s.graphed.Rect.Inset(-int(32 * now.scale))) // long times reach beyond its border
		if _, held := s.graph.Held(); held {              // its figures stand beside it
			s.add(s.image.Rect)
		}
	}
	if now.show.Help {
		s.place(overlay.Middle, overlay.Help("eightfold - keys of "+c.Keys.Name, c.Keys.Help()))
	}
}

// titles tell what the colours of a heatmap mean.
var titles = map[render.Planes]string{
	render.PlaneLevel: "level of the node drawn", render.PlaneVisits: "nodes tested on the pixel",
}

func (s *Screen) place(at overlay.Corner, t overlay.Table) overlay.Placed {
	placed := s.pen.Table(at, t)
	s.add(placed.Rect)
	return placed
}

func (s *Screen) add(r image.Rectangle) { s.regions = append(s.regions, r.Intersect(s.image.Rect)) }

// switches is the panel of what can be turned.
func switches(s *session.Session) overlay.Table {
	var list []overlay.Switch
	for i, sw := range s.Switches() {
		key := ""
		if i < 10 {
			key = fmt.Sprintf("Alt+%d", (i+1)%10)
		}
		list = append(list, overlay.Switch{Name: sw.Name, Value: sw.Value, Key: key, On: sw.On})
	}
	return overlay.Switches("switches", list)
}

// layers is the list of what can be hidden.
func layers(s *session.Session) overlay.Table {
	var list []overlay.Switch
	for i, layer := range s.Layers() {
		name, key := layer.Name, ""
		if name == "" {
			name = fmt.Sprintf("layer %d", i)
		}
		if i < 9 {
			key = fmt.Sprintf("Shift+%d", i+1)
		}
		list = append(list, overlay.Switch{Name: name, Value: map[bool]string{true: "hidden", false: "shown"}[layer.Hidden], Key: key, On: !layer.Hidden})
	}
	if len(list) == 0 {
		return overlay.Table{Title: "layers", Align: "l", Rows: []overlay.Row{{Cells: []string{"the model has none"}}}}
	}
	return overlay.Switches("layers", list)
}
