package session

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/svo"
)

// Picked is a voxel that was picked.
type Picked struct {
	render.Hit
	// Type is what the file says of the voxel's material, "" where nothing.
	Type string
}

// At returns the voxel seen at (x, y) in the picture; ok is false where there
// is none.
func (s *Session) At(x, y float64) (picked Picked, ok bool) {
	if s.model == nil {
		return Picked{}, false
	}
	hit, ok, err := render.Pick(s.Scene(), s.Nav.Camera(s.height), s.width, s.height, int(math.Floor(x)), int(math.Floor(y)))
	if err != nil || !ok {
		s.tell(err)
		return Picked{}, false
	}
	return Picked{Hit: hit, Type: s.model.asset.Materials[int(hit.Material)]["_type"]}, true
}

// DepthAt is how far ahead of the eye the surface at (x, y) is; 0 where there is
// none.
func (s *Session) DepthAt(x, y float64) float64 {
	if p, ok := s.At(x, y); ok {
		return p.Depth
	}
	return 0
}

// PointAt is the point of the surface seen at (x, y); where there is none, the
// point as far away as the focus.
func (s *Session) PointAt(x, y float64) mgl64.Vec3 {
	if p, ok := s.At(x, y); ok {
		return p.Point
	}
	return s.Nav.PointAt(math.Floor(x)+0.5, math.Floor(y)+0.5, 0, s.width, s.height)
}

// PickAt picks the voxel seen at (x, y); without one, what was picked is let go.
func (s *Session) PickAt(x, y float64) {
	p, ok := s.At(x, y)
	switch {
	case !ok:
		s.Picks = nil
		return
	case !s.Measuring || len(s.Picks) > 1:
		s.Picks = nil
	}
	s.Picks = append(s.Picks, p)
	if !s.message.failure {
		s.message = message{} // the status line tells what was picked
	}
}

// FocusAt turns the camera to the voxel seen at (x, y).
func (s *Session) FocusAt(x, y float64) {
	if p, ok := s.At(x, y); ok {
		s.Nav.FocusOn(p.Point)
	}
}

// Measure starts and ends measuring.
func (s *Session) Measure() {
	s.Measuring = !s.Measuring
	s.Picks = nil
	if s.Measuring {
		s.Say("measure: pick two voxels")
	}
}

// Distance is how far the centres of the two voxels picked are from each other,
// along each axis and in all; ok is false unless there are two.
func (s *Session) Distance() (along [3]float64, distance float64, ok bool) {
	if len(s.Picks) != 2 {
		return along, 0, false
	}
	d := s.Picks[1].Centre.Sub(s.Picks[0].Centre)
	return d, d.Len(), true
}

// Picked is what was picked or measured, in words; "" where nothing was.
func (s *Session) Picked() string {
	if along, distance, ok := s.Distance(); ok {
		return fmt.Sprintf("distance %s, along the axes %s", number(distance), list(along[:]))
	}
	if len(s.Picks) == 0 {
		return ""
	}
	return s.Picks[len(s.Picks)-1].String()
}

// String tells what was picked: place in the model and the world, colour,
// material, and the model's name.
func (p Picked) String() string {
	text := fmt.Sprintf("voxel %d,%d,%d", p.Min[0], p.Min[1], p.Min[2])
	if p.Name != "" {
		text += " of " + p.Name
	}
	text += fmt.Sprintf(" at %s, %s", list(p.Centre[:]), colourText(p.Colour))
	if p.Material != 0 {
		text += fmt.Sprintf(", material %d", p.Material)
		if p.Type != "" {
			text += " " + strings.TrimPrefix(p.Type, "_")
		}
	}
	return text
}

func colourText(c svo.Colour) string { return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]) }

// number is a length with as many digits as tell something.
func number(v float64) string { return fmt.Sprintf("%.6g", v) }

func list(v []float64) string {
	var texts []string
	for _, n := range v {
		texts = append(texts, number(n))
	}
	return strings.Join(texts, ",")
}

// Status is the status line: what was said last, else what was picked.
func (s *Session) Status() string {
	if s.message.text != "" {
		return s.message.text
	}
	if text := s.Picked(); text != "" {
		return text
	}
	if p, ok := s.Loading(); ok {
		return p.String()
	}
	return ""
}

// Copy returns what was picked or measured, for the clipboard, or says that
// there is nothing.
func (s *Session) Copy() string {
	text := s.Picked()
	if text == "" {
		s.Say("nothing is picked: click on a voxel first")
		return ""
	}
	s.Say("copied: %s", text)
	return text
}
