package session

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/render"
)

// Section is a plane that cuts the model: see render.Section, whose normal
// points to what is kept.
type Section struct {
	On bool `json:"on"`
	// Axis names the normal: 0, 1 and 2 for x, y and z of the world, 3 for one
	// that was taken from the direction of view.
	Axis   int        `json:"axis"`
	Normal [3]float64 `json:"normal"`
	// Offset is the plane's place along the normal, in world units.
	Offset float64 `json:"offset"`
}

// cut is the plane as scenes have it.
func (c Section) cut() render.Section {
	if !c.On {
		return render.Section{}
	}
	return render.Section{Normal: c.Normal, Offset: c.Offset}
}

var sectionAxes = [...]string{"x", "y", "z", "the direction of view"}

// ToggleSection turns the section plane on, through the model's middle where
// there was none yet, and off.
func (s *Session) ToggleSection() {
	if s.model == nil {
		return
	}
	s.Section.On = !s.Section.On
	if s.Section.On && s.Section.Normal == [3]float64{} {
		s.placeSection(s.Section.Axis)
	}
	s.Say("section %s", pick(s.Section.On, "on: Ctrl and drag moves it", "off"))
}

// TurnSection takes the next direction for the section plane.
func (s *Session) TurnSection() {
	if s.model == nil {
		return
	}
	s.Section.On = true
	s.placeSection((s.Section.Axis + 1) % len(sectionAxes))
	s.Say("section across %s", sectionAxes[s.Section.Axis])
}

// FlipSection shows the other side.
func (s *Session) FlipSection() {
	for i := range s.Section.Normal {
		if s.Section.Normal[i] != 0 { // no negative zeros
			s.Section.Normal[i] = -s.Section.Normal[i]
		}
	}
	s.Section.Offset = -s.Section.Offset
}

// placeSection puts the plane through the middle of the model. It cuts off the
// side that faces the camera.
func (s *Session) placeSection(axis int) {
	direction, _ := s.Nav.Axes()
	normal := direction
	if axis < 3 {
		normal = mgl64.Vec3{}
		normal[axis] = math.Copysign(1, direction[axis])
	}
	low, high, _ := s.model.scene.Bounds()
	s.Section.Axis, s.Section.Normal = axis, normal
	s.Section.Offset = normal.Dot(low.Add(high).Mul(0.5))
}

// DragSection moves the plane along its normal by a drag of dx and dy pixels: as
// far as the drag goes along the normal's picture. A plane seen head on moves by
// the drag up and down.
func (s *Session) DragSection(dx, dy float64) {
	if s.model == nil || !s.Section.On {
		return
	}
	view, err := s.Nav.Camera(s.height).View(s.width, s.height)
	if err != nil {
		return
	}
	perPixel := s.Nav.Distance / view.Focal
	if view.Parallel {
		perPixel = 1 / view.Focal
	}
	normal := mgl64.Vec3(s.Section.Normal)
	x, y := normal.Dot(view.Right), normal.Dot(view.Down)
	along := (x*dx + y*dy) / math.Max(math.Hypot(x, y), 0.2)
	if math.Hypot(x, y) < 0.1 {
		along = dy
	}
	low, high, _ := s.model.scene.Bounds()
	least, most := math.Inf(1), math.Inf(-1)
	for corner := range 8 {
		p := low
		for axis := range 3 {
			if corner>>axis&1 != 0 {
				p[axis] = high[axis]
			}
		}
		least, most = math.Min(least, normal.Dot(p)), math.Max(most, normal.Dot(p))
	}
	s.Section.Offset = math.Max(least, math.Min(most, s.Section.Offset+along*perPixel))
	s.Say("section at %s", number(s.Section.Offset))
}
