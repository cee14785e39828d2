package render

import (
	"math"
	"slices"
	"unsafe"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/ortho"
	"github.com/cfef80af/eightfold/project"
)

// A tile draws its instances in the order of their nearest points, or, if they
// are slabs, their farthest. They come from a queue that holds groups of instances
// too: a group's nearest point is before that of all in it, so that a group that
// is never the nearest, because the tile is full before, is never opened; one
// whose pixels are taken costs one test.

// entry is something to be drawn: an instance, or a group, which is negative.
type entry struct {
	turn float64 // the depth at which it is
	what int32
	slab bool
}

// groupEntry packs the level of a group and its place there.
func groupEntry(level, i int) int32 { return -1 - int32(level+i<<levelBits) }

const levelBits = 4 // fan to the power of 2^levelBits is more than enough

func (e *entry) group() (level, i int) {
	g := int(-1 - e.what)
	return g & (1<<levelBits - 1), g >> levelBits
}

// before is the order of drawing: by depth, then by place in the scene. A group
// comes before what may be in it.
func (e *entry) before(o *entry) bool {
	return e.turn < o.turn || e.turn == o.turn && e.what < o.what
}

// queue is a binary heap.
type queue []entry

func (q *queue) push(e entry) {
	*q = append(*q, e)
	h := *q
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !e.before(&h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
}

func (q *queue) pop() entry {
	h := *q
	top, e := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	for i := 0; ; {
		down := 2*i + 1
		if down >= len(h) {
			if i < len(h) {
				h[i] = e
			}
			return top
		}
		if down+1 < len(h) && h[down+1].before(&h[down]) {
			down++
		}
		if !h[down].before(&e) {
			h[i] = e
			return top
		}
		h[i] = h[down]
		i = down
	}
}

// walker is a tile's way through the instances of the scene.
type walker struct {
	queue   queue
	slabs   []pending // those in the queue
	pending []pending // the next to be drawn, in order
	horizon horizon
	rivals  rivals
	last    int32 // the instance drawn last, or nobody
}

// pending is an instance whose turn has come.
type pending struct {
	instance int32
	part     ortho.Rect // of its bounds in the tile
	reach    ortho.Rect // its pixels: leaves are widened, and may reach one beyond the bounds
	cells    ortho.Rect // of the canvas that it reaches
}

// runWindow is how many instances whose turn has come are looked through for
// one of the tree that was drawn last.
const runWindow = 16

// traverse draws every instance that may be seen in a tile, the nearest first.
func (r *Renderer) traverse(t *traverser, tile ortho.Rect) {
	v, w := r.current, &t.walker
	t.canvas.Reset(tile, ortho.Scene{Trees: r.trees, Poses: r.poses, LaterWins: r.scene.LaterWins}, r.options.Planes&PlaneVisits != 0)
	w.queue, w.slabs, w.pending, w.last = w.queue[:0], w.slabs[:0], w.pending[:0], nobody
	w.horizon.reset(t.canvas.CellSize())
	w.rivals.reset(nobody)
	r.enter(t, tile)
	for r.ctx.Err() == nil {
		if len(w.pending) == 0 && !r.await(t, tile) {
			return
		}
		if v.rungs.runs {
			r.lookAhead(t, tile)
		}
		p := w.take(r, &t.ladder)
		r.drawPending(t, tile, &p)
	}
}

// What has been dropped because its pixels are taken must not be able to win
// them back. Nothing that is still to be drawn begins before the front, the turn
// that has come: what lies wholly before it is settled. Slabs may begin before
// it; a pixel is settled if they are behind what is seen there, too.

// enter puts what the hierarchy begins with into the queue, or every instance
// where it is left out.
func (r *Renderer) enter(t *traverser, tile ortho.Rect) {
	if !r.current.rungs.groups {
		for i := range r.index.items {
			r.enterInstance(t, tile, int32(i), math.Inf(-1))
		}
		return
	}
	top := len(r.index.levels) - 1
	for i := range r.index.levels[top] {
		r.enterGroup(t, tile, top, i, math.Inf(-1))
	}
}

// enterGroup queues a group unless a rung drops it.
func (r *Renderer) enterGroup(t *traverser, tile ortho.Rect, level, i int, front float64) {
	v, g := r.current, &r.index.levels[level][i]
	if g.visible == 0 {
		return
	}
	s := &v.groups[level][i]
	if s.isOutside(v.frames) {
		return
	}
	t.ladder.groupsTested++
	if v.rungs.verdicts && s.epoch == v.epoch.number && s.version == g.version {
		t.ladder.groupsCulled++
		s.note(v.frames, groupBelowPixel)
		return
	}
	b := r.frustum.Bounds(&g.low, &g.high, g.near)
	p := part(tile, &b)
	if p.X0 >= p.X1 || p.Y0 >= p.Y1 {
		return
	}
	switch {
	case v.least > 0 && ballBelow(&r.view, g.radius, b.Near, v.least):
		s.note(v.frames, groupBelowSize)
	case v.subpixel > 0 && r.spanBelow(g.radius, &b, v.subpixel):
		s.note(v.frames, groupBelowPixel)
	case r.hidden(t, p, front):
		s.note(v.frames, groupHidden)
	default:
		t.walker.queue.push(entry{turn: b.Near, what: groupEntry(level, i)})
		return
	}
	t.ladder.groupsCulled++
}

// spanBelow tells whether everything of at most a radius in bounds spans less
// than so many pixels. A span along the line of sight is seen from aside at the
// edges of the picture, hence the second term.
func (r *Renderer) spanBelow(radius float64, b *project.Bounds, pixels float64) bool {
	if r.view.Parallel {
		return 2*radius*r.view.Focal < pixels
	}
	if !(b.Near > 2*radius) {
		return false
	}
	aside := max(-b.X0, b.X1, -b.Y0, b.Y1) + max(r.view.Width, r.view.Height)
	return 2*radius*(r.view.Focal+float64(aside)) < pixels*b.Near
}

// openGroup queues what is in a group.
func (r *Renderer) openGroup(t *traverser, tile ortho.Rect, level, i int, front float64) {
	v := r.current
	v.groups[level][i].note(v.frames, groupOpened)
	if level == 0 {
		var seen [fan]int32
		n := 0
		for k := fan * i; k < min(fan*i+fan, len(r.index.boxes)); k++ {
			if b := &r.index.boxes[k]; b.visible && r.boxSeen(t, tile, b, front) {
				seen[n] = b.instance
				n++
				fetch(&t.kernels, &v.seats[b.instance])
			}
		}
		for _, instance := range seen[:n] {
			r.enterInstance(t, tile, instance, front)
		}
		return
	}
	for k := fan * i; k < min(fan*i+fan, len(r.index.levels[level-1])); k++ {
		r.enterGroup(t, tile, level-1, k, front)
	}
}

// fetch asks the processor for something that will be looked at soon. Of many
// instances most is not in its caches; waiting for one after the other takes
// longer than all else that is done with a small one.
func fetch[T any](k *asm.Kernels, what *T) {
	if k.Fetch != nil {
		k.Fetch((*uint64)(unsafe.Pointer(what)), (int(unsafe.Sizeof(*what))+63)/64)
	}
}

// boxSeen tells whether something of an instance may be seen in a tile, from its
// box alone.
func (r *Renderer) boxSeen(t *traverser, tile ortho.Rect, b *box, front float64) bool {
	bounds := r.frustum.Bounds(&b.low, &b.high, b.near)
	p := part(tile, &bounds)
	return p.X0 < p.X1 && p.Y0 < p.Y1 && !r.hidden(t, p, front)
}

// enterInstance queues an instance unless a rung drops it.
func (r *Renderer) enterInstance(t *traverser, tile ortho.Rect, i int32, front float64) {
	s, f := r.appraise(t, i)
	if f < candidate {
		return
	}
	p := part(tile, &s.bounds)
	if p.X0 >= p.X1 || p.Y0 >= p.Y1 || r.hidden(t, grown(p, tile), front) {
		return
	}
	e := entry{turn: s.bounds.Near, what: i}
	if r.isSlab(&r.index.items[i]) {
		e.turn, e.slab = s.bounds.Far, true
		t.walker.slabs = append(t.walker.slabs, r.pendingOf(t, tile, i))
	}
	t.walker.queue.push(e)
}

// flat is how many times as long and as wide as it is thick a slab is at least.
const flat = 4

// isSlab tells whether an instance is flat and seen from outside across its
// faces, such as the ground of a city. It begins near the eye, but mostly what
// stands on it is seen before it: it is drawn when all of that has been, and
// needs no more than the pixels that are left.
func (r *Renderer) isSlab(it *item) bool {
	for k := range 3 {
		thick := flat * (it.high[k] - it.low[k])
		a, b := (k+1)%3, (k+2)%3
		if thick < it.high[a]-it.low[a] && thick < it.high[b]-it.low[b] {
			return r.view.Parallel || r.view.Eye[k] >= it.high[k] || r.view.Eye[k] <= it.low[k]
		}
	}
	return false
}

// grown is a rectangle with a pixel more on each side, in a tile.
func grown(p, tile ortho.Rect) ortho.Rect {
	return ortho.Rect{
		X0: max(tile.X0, p.X0-1), X1: min(tile.X1, p.X1+1),
		Y0: max(tile.Y0, p.Y0-1), Y1: min(tile.Y1, p.Y1+1),
	}
}

// hidden tells whether all pixels of a rectangle are taken, by instances that
// nothing from depth near on can beat. Who watches wants to be told of each
// instance that is hidden, when its turn comes.
func (r *Renderer) hidden(t *traverser, p ortho.Rect, near float64) bool {
	if !r.current.rungs.occlusion || t.see != nil || t.canvas.AnyOpen(p) {
		return false
	}
	cells := t.canvas.Cells(p)
	return !t.walker.horizon.beyond(cells, near) && !r.unsettled(t, cells)
}

// unsettled tells whether a slab in the queue may be seen before what is in some
// of the cells.
func (r *Renderer) unsettled(t *traverser, cells ortho.Rect) bool {
	for i := range t.walker.slabs {
		slab := t.walker.slabs[i]
		slab.cells = both(slab.cells, cells)
		if r.contested(t, &slab) {
			return true
		}
	}
	return false
}

// await makes the next instance pending; there may be none left.
func (r *Renderer) await(t *traverser, tile ortho.Rect) bool {
	w := &t.walker
	for len(w.queue) > 0 {
		e := w.pop()
		if e.what >= 0 {
			r.makePending(t, tile, e)
			return true
		}
		level, i := e.group()
		if r.groupHidden(t, tile, level, i) {
			continue
		}
		r.openGroup(t, tile, level, i, e.turn)
	}
	return false
}

// pop takes the first entry out of the queue.
func (w *walker) pop() entry {
	e := w.queue.pop()
	if e.slab {
		w.slabs = slices.DeleteFunc(w.slabs, func(p pending) bool { return p.instance == e.what })
	}
	return e
}

// groupHidden tests a group whose turn has come once more: much may have been
// drawn since it was queued.
func (r *Renderer) groupHidden(t *traverser, tile ortho.Rect, level, i int) bool {
	v, g := r.current, &r.index.levels[level][i]
	b := r.frustum.Bounds(&g.low, &g.high, g.near)
	if !r.hidden(t, part(tile, &b), b.Near) {
		return false
	}
	v.groups[level][i].note(v.frames, groupHidden)
	t.ladder.groupsCulled++
	return true
}

// makePending puts an instance behind those whose turn has come. Of several of
// one tree at one place, which follow one another, only the one that is seen.
func (r *Renderer) makePending(t *traverser, tile ortho.Rect, e entry) {
	v, w := r.current, &t.walker
	for v.rungs.copies && len(w.queue) > 0 && w.queue[0].turn == e.turn && w.queue[0].what >= 0 && r.same(e.what, w.queue[0].what) {
		other := w.pop()
		if r.scene.LaterWins {
			e, other = other, e
		}
		v.seats[other.what].pass(v.frames, candidate, copied)
	}
	fetch(&t.kernels, &r.poses[e.what])
	w.pending = append(w.pending, r.pendingOf(t, tile, e.what))
}

func (r *Renderer) pendingOf(t *traverser, tile ortho.Rect, i int32) pending {
	p := pending{instance: i, part: part(tile, &r.current.seats[i].bounds)}
	p.reach = grown(p.part, tile)
	p.cells = t.canvas.Cells(p.reach)
	return p
}

// lookAhead makes instances pending as long as they are the next.
func (r *Renderer) lookAhead(t *traverser, tile ortho.Rect) {
	w := &t.walker
	for len(w.pending) < runWindow && len(w.queue) > 0 && w.queue[0].what >= 0 {
		r.makePending(t, tile, w.pop())
	}
}

// take returns the next instance to be drawn: the first one, or one of the tree
// drawn last if no instance before it shares a cell with it. What shares no cell
// can be drawn in any order.
func (w *walker) take(r *Renderer, counts *ladderCounts) pending {
	next := 0
	if w.last != nobody && r.current.rungs.runs {
		tree := r.index.items[w.last].tree
	search:
		for i := range w.pending {
			if r.index.items[w.pending[i].instance].tree != tree {
				continue
			}
			for k := range w.pending[:i] {
				if overlap(&w.pending[k].cells, &w.pending[i].cells) {
					continue search
				}
			}
			next = i
			break
		}
	}
	if next > 0 {
		counts.moved++
	}
	p := w.pending[next]
	w.pending = append(w.pending[:next], w.pending[next+1:]...)
	return p
}

func overlap(a, b *ortho.Rect) bool {
	return a.X0 < b.X1 && b.X0 < a.X1 && a.Y0 < b.Y1 && b.Y0 < a.Y1
}

// drawPending draws an instance in a tile.
func (r *Renderer) drawPending(t *traverser, tile ortho.Rect, p *pending) {
	v, w := r.current, &t.walker
	contested := r.contested(t, p)
	if !contested && v.rungs.occlusion && !t.canvas.AnyOpen(p.part) {
		t.dropInstance(p.instance, r.trees[p.instance], p.part)
		return
	}
	t.watch.begin(tile)
	t.canvas.Begin(p.cells)
	if contested {
		r.reopen(t, p)
	}
	t.watch.end(&t.stats.Contest)
	if !v.rungs.occlusion || t.canvas.AnyOpen(p.part) {
		s := &v.seats[p.instance]
		r.pose(t, s, p.instance)
		r.countSwitch(t, p.instance)
		t.drawInstance(p.instance, r.trees[p.instance], &r.poses[p.instance], &s.bounds, p.part)
	} else {
		t.dropInstance(p.instance, r.trees[p.instance], p.part)
	}
	t.watch.begin(tile)
	far := v.seats[p.instance].bounds.Far
	t.canvas.End(func(x, y int) { w.horizon.add(x, y, p.instance, far) })
	t.watch.end(&t.stats.Contest)
}

// same tells whether two instances are of one tree at one place.
func (r *Renderer) same(a, b int32) bool {
	first, second := &r.scene.Instances[a], &r.scene.Instances[b]
	return first.Tree == second.Tree && first.Transform == second.Transform
}
