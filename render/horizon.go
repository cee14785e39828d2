package render

import (
	"math"

	"github.com/cfef80af/eightfold/ortho"
	"github.com/cfef80af/eightfold/project"
)

// Coverage alone decides between instances that can be put in order as wholes,
// the one before the other. Where they can't, the later one contests the pixels
// of the earlier. The horizon knows in which cells that may be.

// horizon keeps, for each cell of a tile, the depth that the instances seen
// there may reach, and which they are.
type horizon struct {
	width  int // cells in a row
	far    []float64
	owners []owners
}

// owners are the instances seen in a cell, if they are few.
type owners struct {
	list [8]int32
	n    int32 // many if there were more
}

const many = math.MaxInt32

func (h *horizon) reset(across, down int) {
	h.width = across
	h.far, h.owners = resized(h.far, across*down), resized(h.owners, across*down)
	for i := range h.far {
		h.far[i] = math.Inf(-1)
		h.owners[i].n = 0
	}
}

// beyond tells whether what is seen in some cell may reach beyond a depth.
func (h *horizon) beyond(cells ortho.Rect, depth float64) bool {
	for y := cells.Y0; y < cells.Y1; y++ {
		for _, far := range h.far[y*h.width+cells.X0 : y*h.width+cells.X1] {
			if far > depth {
				return true
			}
		}
	}
	return false
}

// add tells that an instance is seen in a cell.
func (h *horizon) add(x, y int, instance int32, far float64) {
	i := y*h.width + x
	if h.far[i] < far {
		h.far[i] = far
	}
	o := &h.owners[i]
	switch {
	case o.n == many:
	case int(o.n) == len(o.list):
		o.n = many
	default:
		o.list[o.n] = instance
		o.n++
	}
}

// contested tells whether an instance may be seen before another in some cell
// that it reaches.
func (r *Renderer) contested(t *traverser, p *pending) bool {
	for y := p.cells.Y0; y < p.cells.Y1; y++ {
		for x := p.cells.X0; x < p.cells.X1; x++ {
			if r.contestedCell(t, p, x, y) {
				return true
			}
		}
	}
	return false
}

func (r *Renderer) contestedCell(t *traverser, p *pending, x, y int) bool {
	stands, alike := r.standsInCell(t, p, x, y)
	return !alike || stands != ortho.Behind
}

// standsInCell tells how an instance stands to all that are seen in a cell, if
// it stands to them alike.
func (r *Renderer) standsInCell(t *traverser, p *pending, x, y int) (stands ortho.Rival, alike bool) {
	h := &t.walker.horizon
	i := y*h.width + x
	if !(h.far[i] > r.current.seats[p.instance].bounds.Near) {
		return ortho.Behind, true
	}
	o := &h.owners[i]
	if o.n == many {
		return ortho.Behind, false
	}
	for k, other := range o.list[:o.n] {
		switch s := t.walker.rivals.standsTo(r, p.instance, other); {
		case k == 0:
			stands = s
		case s != stands:
			return stands, false
		}
	}
	return stands, true
}

// reopen lets an instance contest the pixels that it may win.
func (r *Renderer) reopen(t *traverser, p *pending) {
	rival := func(other int32) ortho.Rival { return t.walker.rivals.standsTo(r, p.instance, other) }
	for y := p.cells.Y0; y < p.cells.Y1; y++ {
		for x := p.cells.X0; x < p.cells.X1; x++ {
			switch stands, alike := r.standsInCell(t, p, x, y); {
			case !alike:
				t.canvas.Reopen(x, y, p.reach, rival)
			case stands != ortho.Behind:
				t.canvas.ReopenAll(x, y, p.reach, stands)
			}
		}
	}
}

// rivals are how an instance stands to some of those that it has met, by the lowest
// bits of their indices: it meets the same in many cells.
type rivals struct {
	instance int32
	met      [16]int32
	stands   [16]ortho.Rival
}

// reset forgets whom some instance has met: it is another's turn.
func (s *rivals) reset(instance int32) {
	s.instance = instance
	for i := range s.met {
		s.met[i] = nobody
	}
}

// standsTo is how an instance stands to one that was drawn before.
func (s *rivals) standsTo(r *Renderer, instance, other int32) ortho.Rival {
	if s.instance != instance {
		s.reset(instance)
	}
	i := other & int32(len(s.met)-1)
	if s.met[i] != other {
		s.met[i], s.stands[i] = other, r.rival(instance, other)
	}
	return s.stands[i]
}

// rival is how an instance stands to one that was drawn before.
func (r *Renderer) rival(instance, other int32) ortho.Rival {
	seats := r.current.seats
	if seats[instance].bounds.Near >= seats[other].bounds.Far {
		return ortho.Behind
	}
	a, b := &r.index.items[instance], &r.index.items[other]
	switch {
	case before(&r.view, b, a):
		return ortho.Behind
	case before(&r.view, a, b):
		return ortho.Before
	}
	return ortho.Crossing
}

// before tells whether an instance is seen before another wherever both are,
// whatever their depths: where a plane across an axis of the world, with the eye
// on the one's side, divides their boxes, each ray meets the one first.
func before(v *project.View, one, other *item) bool {
	for k := range 3 {
		// Rounding must not keep two from standing side by side.
		slack := 1e-9 * (one.high[k] - one.low[k] + other.high[k] - other.low[k])
		if v.Parallel {
			if v.Forward[k] > 0 && one.high[k] <= other.low[k]+slack || v.Forward[k] < 0 && one.low[k] >= other.high[k]-slack {
				return true
			}
			continue
		}
		if v.Eye[k] <= other.low[k] && one.high[k] <= other.low[k]+slack || v.Eye[k] >= other.high[k] && one.low[k] >= other.high[k]-slack {
			return true
		}
	}
	return false
}
