package render

import (
	"slices"
	"time"

	"github.com/cfef80af/eightfold/ortho"
)

// stopwatch tells how long parts of the traversal take that are as short as
// reading the clock twice. So it only looks at one in seventeen and counts that
// seventeen times; what covers many pixels, and is rare, it measures each time.
type stopwatch struct {
	on      bool
	turn    int
	weight  time.Duration // of the part that runs, 0 where nobody looks
	reading time.Duration // how long reading the clock takes
	start   time.Time

	screen      int // height of the stack where the classic core ended perspective
	screenStart time.Time
	leaves      time.Duration // until then
}

const (
	sampledEvery  = 17      // not a power of 2, since parts come in eights
	largeArea     = 32 * 32 // pixels
	interruptedBy = 50 * time.Microsecond
)

// calibrate finds out how long reading the clock takes at the moment: what is as
// short as that is told from nothing only by taking it off.
func (w *stopwatch) calibrate() {
	if !w.on {
		return
	}
	var readings [31]time.Duration
	for i := range readings {
		start := time.Now()
		readings[i] = time.Since(start)
	}
	slices.Sort(readings[:])
	w.reading = readings[len(readings)/2]
}

// begin starts a part that draws in a rectangle.
func (w *stopwatch) begin(r ortho.Rect) {
	if w.on {
		w.look(r)
	}
}

// end adds the part's time to a total.
func (w *stopwatch) end(total *time.Duration) {
	if w.on && w.weight != 0 {
		*total += w.taken()
	}
}

func (w *stopwatch) look(r ortho.Rect) {
	w.turn++
	switch {
	case (r.X1-r.X0)*(r.Y1-r.Y0) > largeArea:
		w.weight = 1
	case w.turn%sampledEvery == 0:
		w.weight = sampledEvery
	default:
		w.weight = 0
		return
	}
	w.start = time.Now()
}

// taken is the time since look, by weight; a small part that takes long was
// interrupted, and stands for itself alone.
func (w *stopwatch) taken() time.Duration {
	t := time.Since(w.start) - w.reading // may come out below 0, but not on average
	if t > interruptedBy {
		return t
	}
	return t * w.weight
}

// opened notes that perspective has ended for the node at a place in the stack.
func (w *stopwatch) opened(n int, s *Stats) {
	if w.on {
		w.screen, w.screenStart, w.leaves = n, time.Now(), s.Leaves
	}
}

// closed notes that the node at a place in the stack is done.
func (w *stopwatch) closed(n int, s *Stats) {
	if w.on && n == w.screen && !w.screenStart.IsZero() {
		s.Ortho += max(time.Since(w.screenStart)-(s.Leaves-w.leaves), 0)
		w.screenStart = time.Time{}
	}
}

// watchParents is drawParents, watchBottoms drawBottoms, watchBottom drawBottom,
// watchLeaves drawLeaves and watchRoot drawRoot, on the clock.
func (t *traverser) watchParents(p, q *opened) (left bool) {
	t.watch.begin(ortho.Rect{})
	left = t.drawParents(p, q)
	t.watch.end(&t.stats.Ortho)
	return left
}

func (t *traverser) watchBottoms(p *opened) {
	t.watch.begin(ortho.Rect{})
	t.drawBottoms(p)
	t.watch.end(&t.stats.Ortho)
}

func (t *traverser) watchBottom(r ortho.Rect, parent *opened, octant int) {
	t.watch.begin(r)
	t.drawBottom(r, parent, octant)
	t.watch.end(&t.stats.Ortho)
}

func (t *traverser) watchLeaves(r ortho.Rect, p *opened) {
	t.watch.begin(r)
	t.drawLeaves(p)
	t.watch.end(&t.stats.Leaves)
}

func (t *traverser) watchRoot(r ortho.Rect) {
	t.watch.begin(r)
	t.drawRoot(r)
	t.watch.end(&t.stats.Leaves)
}

// split shares the time of a traversal: what samples say of two of its stages
// may not exceed the whole, and the rest is that of the third.
func (s *Times) split(traverse time.Duration) {
	s.Contest = max(min(s.Contest, traverse), 0)
	s.Ortho, s.Leaves = max(s.Ortho, 0), max(s.Leaves, 0)
	whole := traverse - s.Contest
	if drawn := s.Ortho + s.Leaves; drawn > whole {
		s.Ortho = time.Duration(float64(s.Ortho) / float64(drawn) * float64(whole))
		s.Leaves = whole - s.Ortho
	}
	s.LevelA = whole - s.Ortho - s.Leaves
}
