package overlay

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// verdictColours are the colours of nodes by what became of them.
var verdictColours = [...]color.NRGBA{
	render.VerdictBehind:   {120, 124, 134, 255},
	render.VerdictOutside:  {158, 164, 178, 255},
	render.VerdictEmpty:    {190, 130, 220, 255},
	render.VerdictSubpixel: {176, 120, 70, 255},
	render.VerdictOccluded: {235, 85, 70, 255},
	render.VerdictOpened:   {86, 180, 233, 255},
	render.VerdictDrawn:    {80, 220, 120, 255},
}

// Boxes draws the nodes of a trace as boxes over the picture that the camera
// sees, in the colours of their verdicts; those that don't cover the pixel
// traced are faint.
func (p *Pen) Boxes(s *render.Scene, c project.Camera, steps []render.Step) error {
	eye, err := p.eye(c)
	if err != nil {
		return err
	}
	// What is drawn last stays: small over large, drawn over the rest.
	order := slices.Clone(steps)
	slices.SortStableFunc(order, func(a, b render.Step) int {
		if a.Under != b.Under {
			return map[bool]int{false: -1, true: 1}[a.Under]
		}
		return int(a.Verdict) - int(b.Verdict)
	})
	for i := range order {
		if step := &order[i]; int(step.Instance) < len(s.Instances) {
			p.box(&eye, s.Instances[step.Instance].Transform, step)
		}
	}
	return nil
}

func (p *Pen) box(e *eye, m mgl64.Mat4, step *render.Step) {
	colour, width := verdictColours[step.Verdict], 1.0
	switch {
	case !step.Under:
		colour.A = 70
	case step.Verdict == render.VerdictDrawn:
		width = 2
	}
	low := mgl64.Vec3{float64(step.Low[0]), float64(step.Low[1]), float64(step.Low[2])}
	corners := project.Corners(low, low.Add(mgl64.Vec3{step.Edge, step.Edge, step.Edge}))
	for i, corner := range corners {
		corners[i] = mgl64.TransformCoordinate(corner, m)
	}
	for from := range corners {
		for axis := range 3 {
			if to := from | 1<<axis; to != from {
				p.segment(e, corners[from], corners[to], colour, width)
			}
		}
	}
}

// Segment draws a line between two points of the world that the camera sees,
// such as what is measured.
func (p *Pen) Segment(c project.Camera, from, to mgl64.Vec3, colour color.NRGBA) error {
	eye, err := p.eye(c)
	if err != nil {
		return err
	}
	p.segment(&eye, from, to, colour, 2)
	return nil
}

// eye takes points of the world to the picture.
type eye struct {
	view   project.View
	cx, cy float64
}

func (p *Pen) eye(c project.Camera) (e eye, err error) {
	e.view, err = c.View(p.img.Bounds().Dx(), p.img.Bounds().Dy())
	e.cx, e.cy = e.view.Principal()
	return e, err
}

// segment draws the part of a line that lies before the eye.
func (p *Pen) segment(e *eye, from, to mgl64.Vec3, colour color.NRGBA, width float64) {
	a, b := e.point(from), e.point(to)
	if !e.view.Parallel {
		// Much nearer than anything that is looked at by its boxes.
		near := 1e-4 * (math.Abs(a[2]) + math.Abs(b[2]))
		if a[2] < near && b[2] < near {
			return
		}
		if a[2] < near {
			a = a.Add(b.Sub(a).Mul((near - a[2]) / (b[2] - a[2])))
		}
		if b[2] < near {
			b = b.Add(a.Sub(b).Mul((near - b[2]) / (a[2] - b[2])))
		}
		a, b = mgl64.Vec3{a[0] / a[2], a[1] / a[2]}, mgl64.Vec3{b[0] / b[2], b[1] / b[2]}
	}
	at := p.img.Bounds().Min
	move := mgl64.Vec2{e.cx + float64(at.X), e.cy + float64(at.Y)}
	p.line(a.Vec2().Add(move), b.Vec2().Add(move), colour, width*p.scale)
}

// point is a point in camera space: x and y in pixels at depth 1.
func (e *eye) point(w mgl64.Vec3) mgl64.Vec3 {
	d := w.Sub(e.view.Eye)
	return mgl64.Vec3{d.Dot(e.view.Right) * e.view.Focal, d.Dot(e.view.Down) * e.view.Focal, d.Dot(e.view.Forward)}
}

// Verdicts counts what became of the nodes of a trace.
func Verdicts(steps []render.Step) Table {
	t := Table{Title: "nodes at the cursor", Align: "lr"}
	var counts [render.VerdictDrawn + 1]int
	for i := range steps {
		counts[steps[i].Verdict]++
	}
	for v, n := range counts {
		if n > 0 {
			t.Rows = append(t.Rows, Row{Cells: []string{render.Verdict(v).String(), fmt.Sprint(n)}, Swatch: verdictColours[v]})
		}
	}
	t.Rows = append(t.Rows, Row{Cells: []string{"in all", fmt.Sprint(len(steps))}, Look: Strong})
	return t
}
