package render

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// fan is how many instances make a group, and how many groups a greater one.
const fan = 8

// hierarchy is a bounding volume hierarchy over the instances of a scene. They
// are put into an order in which neighbours stand close together; eight in a row
// are a group, eight groups in a row a group of the next level, up to a single
// one. So nothing but the order has to be kept, and a change is carried upwards
// by dividing by eight.
//
// Boxes are refitted when instances move. The order is made anew when the groups
// have grown to twice the surface that they had, or by a tenth where more than half
// of the instances have moved at once: not when all march in step.
type hierarchy struct {
	order  []int32   // the instances
	boxes  []box     // theirs, in that order
	place  []int32   // of each instance in the order
	levels [][]group // of groups; levels[l][i] holds the groups, or instances, 8*i to 8*i+7 of the level below
	counts struct{ built, refitted int }

	clock   uint64 // counts changes
	stale   bool   // the order is to be made anew
	touched []int32
	dirty   [2][]int32 // groups to be refitted on a level and the next
	marked  []bool
	surface float64 // of the groups of instances, all added up
	asBuilt float64
	keys    []key
}

// group is what is told of all instances in it.
type group struct {
	low, high mgl64.Vec3 // around their boxes; upside down if none is visible
	radius    float64    // the greatest
	near      float64    // the greatest
	visible   int32
	version   uint64 // the clock when any of it last changed
}

// box is what a tile asks first of an instance, side by side with those of its
// neighbours: looking up everything else takes longer.
type box struct {
	low, high mgl64.Vec3
	near      float64
	instance  int32
	visible   bool
}

// touch notes that an instance has changed.
func (h *hierarchy) touch(i int) {
	if !h.stale {
		h.touched = append(h.touched, int32(i))
	}
}

// refresh makes the hierarchy fit the items again.
func (h *hierarchy) refresh(items []item) {
	if h.stale {
		h.build(items)
		return
	}
	worst := 2.0
	if len(h.touched) > len(items)/2 {
		worst = 1.1
	}
	h.refit(items)
	if h.surface > worst*h.asBuilt {
		h.build(items)
	}
}

// refit brings the groups of the touched instances up to date.
func (h *hierarchy) refit(items []item) {
	h.counts.refitted += len(h.touched)
	this, next := h.dirty[0][:0], h.dirty[1][:0]
	for _, i := range h.touched {
		this = h.mark(this, h.place[i]/fan)
	}
	h.touched = h.touched[:0]
	for level := range h.levels {
		for _, g := range this {
			h.marked[g] = false
		}
		next = next[:0]
		for _, g := range this {
			if level == 0 {
				h.surface += h.gather(items, int(g))
			} else {
				h.merge(level, int(g))
			}
			if level+1 < len(h.levels) {
				next = h.mark(next, g/fan)
			}
		}
		this, next = next, this
	}
	h.dirty = [2][]int32{this, next}
}

func (h *hierarchy) mark(list []int32, g int32) []int32 {
	if h.marked[g] {
		return list
	}
	h.marked[g] = true
	return append(list, g)
}

func emptyGroup(version uint64) group {
	inf := math.Inf(1)
	return group{low: mgl64.Vec3{inf, inf, inf}, high: mgl64.Vec3{-inf, -inf, -inf}, version: version}
}

// gather makes a group of instances anew; it returns by how much its surface
// has grown.
func (h *hierarchy) gather(items []item, i int) float64 {
	was := &h.levels[0][i]
	g := emptyGroup(h.clock)
	for k := fan * i; k < min(fan*i+fan, len(h.order)); k++ {
		it := &items[h.order[k]]
		h.boxes[k] = box{it.low, it.high, it.near, h.order[k], it.visible}
		if !it.visible {
			continue
		}
		g.visible++
		g.include(it.low, it.high, it.radius, it.near)
	}
	growth := g.surface() - was.surface()
	*was = g
	return growth
}

// merge makes a group of groups anew.
func (h *hierarchy) merge(level, i int) {
	below := h.levels[level-1]
	g := emptyGroup(h.clock)
	for k := fan * i; k < min(fan*i+fan, len(below)); k++ {
		member := &below[k]
		g.visible += member.visible
		g.include(member.low, member.high, member.radius, member.near)
	}
	h.levels[level][i] = g
}

func (g *group) include(low, high mgl64.Vec3, radius, near float64) {
	for k := range 3 {
		g.low[k], g.high[k] = min(g.low[k], low[k]), max(g.high[k], high[k])
	}
	g.radius, g.near = max(g.radius, radius), max(g.near, near)
}

func (g *group) surface() float64 {
	if g.visible == 0 {
		return 0
	}
	d := g.high.Sub(g.low)
	return d[0]*d[1] + d[1]*d[2] + d[2]*d[0]
}

// build puts the instances into a new order and makes all groups.
func (h *hierarchy) build(items []item) {
	h.counts.built++
	h.stale, h.touched = false, h.touched[:0]
	h.sort(items)
	n := len(items)
	for level := 0; ; level++ {
		n = (n + fan - 1) / fan
		if level == len(h.levels) {
			h.levels = append(h.levels, nil)
		}
		h.levels[level] = resized(h.levels[level], n)
		if level == 0 {
			h.marked = resized(h.marked, n)
			clear(h.marked)
			h.surface = 0
			for i := range n {
				h.levels[0][i] = emptyGroup(0)
				h.surface += h.gather(items, i)
			}
			h.asBuilt = h.surface
		} else {
			for i := range n {
				h.merge(level, i)
			}
		}
		if n <= 1 {
			h.levels = h.levels[:level+1]
			return
		}
	}
}

// resized is a slice of n elements, some of which may be old ones.
func resized[T any](s []T, n int) []T {
	if cap(s) >= n {
		return s[:n]
	}
	return append(s[:cap(s)], make([]T, n-cap(s))...) // which leaves room for more
}

// key is an instance and the middle of its box.
type key struct {
	at       [3]float32
	instance int32
}

// sort puts instances that stand close together side by side.
func (h *hierarchy) sort(items []item) {
	n := len(items)
	h.keys, h.order, h.place = resized(h.keys, n), resized(h.order, n), resized(h.place, n)
	h.boxes = resized(h.boxes, n)
	for i := range items {
		h.keys[i].instance = int32(i)
		for k := range 3 {
			// What is not visible, or not to be placed, goes to the origin.
			if at := float32((items[i].low[k] + items[i].high[k]) / 2); at-at == 0 {
				h.keys[i].at[k] = at
			} else {
				h.keys[i].at[k] = 0
			}
		}
	}
	unit := fan
	for unit < n {
		unit *= fan
	}
	cluster(h.keys, unit/fan)
	for i, k := range h.keys {
		h.order[i], h.place[k.instance] = k.instance, int32(i)
	}
}

// cluster divides keys into groups of unit keys, only the last of which may have
// fewer, and these likewise: by halves, each across the longest side.
func cluster(keys []key, unit int) {
	for unit >= fan && len(keys) <= unit {
		unit /= fan
	}
	if unit < fan {
		return
	}
	units := (len(keys) + unit - 1) / unit
	middle := (units + 1) / 2 * unit
	selectNth(keys, middle, longestSide(keys))
	cluster(keys[:middle], unit)
	cluster(keys[middle:], unit)
}

// longestSide is the axis along which keys lie farthest apart.
func longestSide(keys []key) (axis int) {
	low, high := keys[0].at, keys[0].at
	for i := range keys {
		for k, at := range &keys[i].at {
			if at < low[k] {
				low[k] = at
			}
			if at > high[k] {
				high[k] = at
			}
		}
	}
	for k := range 3 {
		if high[k]-low[k] > high[axis]-low[axis] {
			axis = k
		}
	}
	return axis
}

// selectNth puts the n smallest keys along an axis first: C. A. R. Hoare's Find.
func selectNth(keys []key, n, axis int) {
	for low, high := 0, len(keys)-1; low < high; {
		a, b, c := keys[low].at[axis], keys[(low+high)/2].at[axis], keys[high].at[axis]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := low, high
		for i <= j {
			for keys[i].at[axis] < pivot {
				i++
			}
			for keys[j].at[axis] > pivot {
				j--
			}
			if i <= j {
				keys[i], keys[j] = keys[j], keys[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case n <= j:
			high = j
		case n >= i:
			low = i
		default:
			return
		}
	}
}
