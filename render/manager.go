package render

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
)

// CullingManager watches shapes for a program that wants to know which of them
// a camera can see: to stop what nobody sees from moving, to load what comes into
// sight. It calls back when that changes. The idea, and that of a shape that is
// unbounded along some axes so that what stands above the view is never culled,
// are those of the CullingManager in the Blightmare dev blog.
//
// A handle stays valid while others come and go; registering and unregistering
// take constant time, and are allowed from inside a callback. The zero value is
// ready to use. A manager is for one goroutine at a time.
type CullingManager struct {
	// Far is the depth up to which shapes count as seen, 0 for no limit. It has no
	// meaning in a parallel projection.
	Far float64

	watched []watched
	slots   []slot
	free    int32 // the first free slot, plus 1
	news    []news
}

// CullHandle names a shape of one manager; 0 is never one.
type CullHandle uint64

// watched is a shape. They lie side by side without gaps.
type watched struct {
	handle  CullHandle
	shape   Shape
	caster  bool
	seen    visibility
	changed func(visible bool)
}

type visibility uint8

const (
	unknown visibility = iota
	visible
	notVisible
)

// slot leads from a handle to its shape. A slot is used again under another
// generation, so that old handles stay dead.
type slot struct {
	generation uint32
	at         int32 // index in watched, or, if free, the next free slot plus 1
	used       bool
}

// news is a verdict that somebody is to be told.
type news struct {
	handle CullHandle
	seen   visibility
}

// CullCounts tells what a Cull found: Tested = Visible + Culled.
type CullCounts struct {
	Tested, Visible, Culled int
	Changed                 int // verdicts that were reported, the first of each shape included
}

// Register watches a shape. changed, which may be nil, is called by the next
// Cull with the first verdict, and from then on when it changes.
func (m *CullingManager) Register(shape Shape, changed func(visible bool)) CullHandle {
	return m.register(watched{shape: shape, changed: changed})
}

// RegisterCaster watches a shape that casts a shadow: it counts as visible where
// the shadow may be, though the shape may not.
func (m *CullingManager) RegisterCaster(shape Shape, changed func(visible bool)) CullHandle {
	return m.register(watched{shape: shape, caster: true, changed: changed})
}

func (m *CullingManager) register(w watched) CullHandle {
	i := m.free - 1
	if i < 0 {
		i = int32(len(m.slots))
		m.slots = append(m.slots, slot{})
	} else {
		m.free = m.slots[i].at
	}
	s := &m.slots[i]
	s.generation++
	s.used, s.at = true, int32(len(m.watched))
	w.handle = CullHandle(s.generation)<<32 | CullHandle(i)
	m.watched = append(m.watched, w)
	return w.handle
}

// find is the shape of a handle, nil if there is none any more.
func (m *CullingManager) find(h CullHandle) *watched {
	i := int(uint32(h))
	if i >= len(m.slots) || !m.slots[i].used || m.slots[i].generation != uint32(h>>32) {
		return nil
	}
	return &m.watched[m.slots[i].at]
}

// Unregister forgets a shape; it tells whether there was one of that handle. The
// last of the others takes its place.
func (m *CullingManager) Unregister(h CullHandle) bool {
	w := m.find(h)
	if w == nil {
		return false
	}
	i, last := int32(uint32(h)), len(m.watched)-1
	*w = m.watched[last]
	m.slots[uint32(w.handle)].at = m.slots[i].at
	m.watched[last] = watched{}
	m.watched = m.watched[:last]
	m.slots[i] = slot{generation: m.slots[i].generation, at: m.free}
	m.free = i + 1
	return true
}

// Move gives a handle another shape; it tells whether there was one. The verdict
// stays until the next Cull.
func (m *CullingManager) Move(h CullHandle, shape Shape) bool {
	w := m.find(h)
	if w != nil {
		w.shape = shape
	}
	return w != nil
}

// Visible is the last verdict on a shape; known is false where there is none.
func (m *CullingManager) Visible(h CullHandle) (seen, known bool) {
	w := m.find(h)
	return w != nil && w.seen == visible, w != nil && w.seen != unknown
}

// Len is how many shapes are watched.
func (m *CullingManager) Len() int { return len(m.watched) }

// Cull finds out which shapes the view may see. Then it calls back about those
// of which that has changed, in no certain order; of shapes that a callback
// unregisters nothing is told any more, those that it registers are tested by the
// next Cull. sun points towards the light, of any length; the zero vector casts no
// shadows. It may take a shape for visible that lies just outside, never the
// other way round.
func (m *CullingManager) Cull(v project.View, sun mgl64.Vec3) (counts CullCounts) {
	lens := newWatch(v, m.Far)
	// A callback may come here again: this round keeps its own list.
	list := m.news[:0]
	m.news = nil
	for i := range m.watched {
		w := &m.watched[i]
		now := notVisible
		if shadow := sun.Mul(-1); lens.sees(w.shape, w.caster && shadow != mgl64.Vec3{}, shadow) {
			now = visible
			counts.Visible++
		}
		if now != w.seen {
			list = append(list, news{w.handle, now})
		}
	}
	counts.Tested = len(m.watched)
	counts.Culled = counts.Tested - counts.Visible
	for _, n := range list {
		w := m.find(n.handle)
		if w == nil || w.seen == n.seen {
			continue
		}
		counts.Changed++
		w.seen = n.seen
		if w.changed != nil {
			w.changed(n.seen == visible)
		}
	}
	m.news = list
	return counts
}
