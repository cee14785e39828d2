package render

import (
	"context"
	"fmt"

	"github.com/cfef80af/eightfold/ortho"
	"github.com/cfef80af/eightfold/project"
)

// Tracer draws to be watched: with the traversal that a Renderer of the same
// options has, on one goroutine, telling what it does with each node. It is for
// looking at, not for speed; renderers that nobody watches pay nothing.
type Tracer struct{ r *Renderer }

// NewTracer makes a tracer; it fails where NewRenderer does.
func NewTracer(options Options) (*Tracer, error) {
	options.Workers = 1
	options.Without |= RungFrame // every frame is drawn
	r, err := NewRenderer(options)
	if err != nil {
		return nil, err
	}
	return &Tracer{r: r}, nil
}

// Watch draws a frame and tells of every node that is tested, when its verdict
// falls: tile after tile, front to back, a node before what is in it. Every
// verdict occurs as often as the frame's Stats say. see must not draw with the
// same tracer nor keep the Visit.
func (t *Tracer) Watch(ctx context.Context, s *Scene, c project.Camera, see func(*Visit)) (*Frame, error) {
	t.r.workers[0].see = see
	defer func() { t.r.workers[0].see = nil }()
	return t.r.Draw(ctx, s, c)
}

// Step is a node that was tested on the way to what a pixel sees.
type Step struct {
	Visit
	// Parent is the index in the trace of the node whose octant it is, -1 for the
	// root of an instance.
	Parent int
	// Under tells whether the node may cover the pixel. Only such nodes are
	// followed further.
	Under bool
}

// Trace returns what the traversal did for pixel (x, y): the roots of the
// instances that may cover it, and all octants of the nodes that do and were
// opened, in the order of their verdicts. Of bricks, whose parts are found pixel
// by pixel, it has the brick as a whole. It draws the pixel's tile alone.
func (t *Tracer) Trace(ctx context.Context, s *Scene, c project.Camera, x, y int) ([]Step, error) {
	if x < 0 || y < 0 || x >= t.r.options.Width || y >= t.r.options.Height {
		return nil, fmt.Errorf("trace: pixel (%d, %d) is outside the picture of %dx%d", x, y, t.r.options.Width, t.r.options.Height)
	}
	t.r.traced = &tracedPixel{x: x, y: y}
	defer func() { t.r.traced = nil }()
	p := path{x: x, y: y}
	if t.r.Core() == CoreBricks {
		p.reach = 1 // leaves are widened, and may reach a pixel beyond their node
	}
	_, err := t.Watch(ctx, s, c, p.see)
	return p.steps, err
}

// tracedPixel is the pixel that a trace is of.
type tracedPixel struct{ x, y int }

// in tells whether a tile is to be drawn.
func (p *tracedPixel) in(tile ortho.Rect) bool {
	return p == nil || tile.X0 <= p.x && p.x < tile.X1 && tile.Y0 <= p.y && p.y < tile.Y1
}

// path collects the steps of a trace.
type path struct {
	x, y  int
	reach int // in pixels, of a node beyond its rectangle
	steps []Step
	// open has, for each level, the node under the pixel that was opened last:
	// its index in steps. Octants follow the node that holds them before another
	// of its level is opened.
	open []int
}

func (p *path) see(v *Visit) {
	step := Step{Visit: *v, Parent: -1, Under: v.Rect != (ortho.Rect{}) && v.covers(p.x, p.y, p.reach)}
	if v.Level > 0 {
		if v.Level > len(p.open) {
			return
		}
		step.Parent = p.open[v.Level-1]
		if parent := &p.steps[step.Parent]; parent.Instance != v.Instance || !parent.holds(v) {
			return
		}
	} else if !step.Under {
		p.open = p.open[:0]
		return
	}
	if p.open = p.open[:min(v.Level, len(p.open))]; step.Under && v.Verdict == VerdictOpened {
		p.open = append(p.open, len(p.steps))
	}
	p.steps = append(p.steps, step)
}

// holds tells whether a node lies in this one.
func (v *Visit) holds(inner *Visit) bool {
	for k := range 3 {
		if d := float64(inner.Low[k] - v.Low[k]); d < 0 || d >= v.Edge {
			return false
		}
	}
	return true
}
