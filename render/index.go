package render

import (
	"fmt"
	"math"
	"sync"
	"unsafe"
	"weak"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/svo"
)

// index is what a scene knows of its instances from frame to frame: what they
// were when it last looked, where they stand, and the hierarchy over them. All
// renderers of the scene share it: brought up to date by one at a time, before
// it draws, it is only read while any draws.
type index struct {
	mutex    sync.Mutex
	owner    *Scene // a scene that was copied starts anew
	self     *self
	known    []known
	items    []item
	trees    []*svo.Tree // by instance
	first    *Instance   // of the slice when last looked at
	visible  int
	faulty   int     // how many visible ones no view can show
	reach    float64 // the farthest of any, or of one that was there before
	treeIDs  map[*svo.Tree]int32
	palettes map[*svo.Colour]int32
	hierarchy
	epochs map[weak.Pointer[View]]*epoch
}

// self tells an index from any other, also from one that was in its place.
type self struct{ _ byte }

// known is what a frame compares an instance with.
type known struct {
	tree      *svo.Tree
	transform mgl64.Mat4
	hidden    bool
}

// item is what follows from an instance alone, whatever the view.
type item struct {
	low, high mgl64.Vec3 // its box in the world, upside down if it is not visible
	radius    float64    // of the ball around its bounds, whose centre is that of the box
	near      float64    // its project.NearPlane
	version   uint64     // the clock when it last changed
	tree      int32      // number of its tree, and of its palette
	palette   int32
	visible   bool
	faulty    bool
}

// sync brings the index up to date. It looks at what was told to have changed,
// or at all instances if nobody promised to tell.
func (s *Scene) sync() (*index, error) {
	x := &s.index
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if x.owner != s {
		x.owner, x.self = s, new(self)
		x.known, x.items, x.trees, x.treeIDs, x.hierarchy, x.epochs = nil, nil, nil, nil, hierarchy{}, nil
		x.visible, x.faulty, x.reach = 0, 0, 0
	}
	n := len(s.Instances)
	switch {
	case n > asm.MaxInstances:
		return nil, fmt.Errorf("scene: %d instances, at most %d can be drawn", n, asm.MaxInstances)
	case n != len(x.known) || x.treeIDs == nil:
		x.resize(n)
		s.all = true
	case n > 0 && x.first != unsafe.SliceData(s.Instances):
		s.all = true
	}
	x.first = unsafe.SliceData(s.Instances)
	found := x.hierarchy.stale
	if s.all || !s.Tracked {
		for i := range s.Instances {
			if instance, k := &s.Instances[i], &x.known[i]; !k.is(instance) {
				x.update(i, instance)
				found = true
			}
		}
	}
	for _, i := range s.changed {
		if int(i) < n && !x.known[i].is(&s.Instances[i]) {
			x.update(int(i), &s.Instances[i])
			found = true
		}
	}
	s.changed, s.all = s.changed[:0], false
	if found {
		s.revision++
		x.refresh(x.items)
	}
	if x.faulty > 0 {
		return nil, s.fault()
	}
	return x, nil
}

// is tells whether an instance is what it was. Transforms are compared bit by
// bit: what is not a number stays what it is, and comparing is fast.
func (k *known) is(i *Instance) bool {
	return k.tree == i.Tree && k.hidden == i.Hidden &&
		*(*[16]uint64)(unsafe.Pointer(&k.transform)) == *(*[16]uint64)(unsafe.Pointer(&i.Transform))
}

// resize makes room for n instances, all as yet unknown.
func (x *index) resize(n int) {
	if x.treeIDs == nil {
		x.treeIDs, x.palettes = map[*svo.Tree]int32{}, map[*svo.Colour]int32{}
	}
	x.clock++
	kept := min(n, len(x.known))
	for i := kept; i < len(x.items); i++ {
		x.leave(&x.items[i])
	}
	x.known, x.items, x.trees = resized(x.known, n), resized(x.items, n), resized(x.trees, n)
	clear(x.known[kept:])
	clear(x.trees[kept:])
	for i := kept; i < n; i++ {
		x.items[i] = nothing(x.clock)
	}
	x.hierarchy.stale = true
}

func (x *index) leave(was *item) {
	if was.visible {
		x.visible--
	}
	if was.faulty {
		x.faulty--
	}
}

// update takes in what an instance is now.
func (x *index) update(i int, instance *Instance) {
	was := x.items[i]
	x.leave(&was)
	x.clock++
	x.items[i] = x.itemOf(instance, x.clock)
	if x.known[i].tree == instance.Tree {
		x.items[i].tree, x.items[i].palette = was.tree, was.palette
	} else {
		x.numberTree(i, instance.Tree)
	}
	x.known[i] = known{instance.Tree, instance.Transform, instance.Hidden}
	x.trees[i] = instance.Tree
	if x.items[i].visible {
		x.visible++
	}
	if x.items[i].faulty {
		x.faulty++
	}
	x.hierarchy.touch(i)
}

func nothing(version uint64) item {
	inf := math.Inf(1)
	return item{low: mgl64.Vec3{inf, inf, inf}, high: mgl64.Vec3{-inf, -inf, -inf}, version: version}
}

func (x *index) itemOf(instance *Instance, version uint64) item {
	it := nothing(version)
	if !instance.visible() {
		return it
	}
	it.visible = true
	tree, m := instance.Tree, &instance.Transform
	if it.faulty = project.CheckTransform(m) != nil; it.faulty {
		return it
	}
	it.near = project.NearPlane(m)
	low, high := tree.Bounds()
	it.low, it.high, it.radius = boxOf(m, vec3(low), vec3(high))
	x.reach = max(x.reach, instance.reach())
	return it
}

// reach is how far anything of an instance may be from the world's origin along
// an axis.
func (i *Instance) reach() (far float64) {
	m, edge := &i.Transform, math.Ldexp(1, i.Tree.Depth)
	for c := range 3 {
		far = max(far, math.Abs(m[12+c])+edge*(math.Abs(m[c])+math.Abs(m[4+c])+math.Abs(m[8+c])))
	}
	return far
}

// numberTree gives an instance's tree and palette their numbers. They start anew
// when most of them belong to trees that are gone.
func (x *index) numberTree(i int, tree *svo.Tree) {
	if tree == nil {
		return
	}
	if len(x.treeIDs) > 2*len(x.items)+64 {
		clear(x.treeIDs)
		clear(x.palettes)
		for k := range x.items {
			x.setNumbers(&x.items[k], x.trees[k])
		}
	}
	x.setNumbers(&x.items[i], tree)
}

func (x *index) setNumbers(it *item, tree *svo.Tree) {
	if tree == nil || len(tree.Colours) == 0 {
		return
	}
	it.tree, it.palette = number(x.treeIDs, tree), number(x.palettes, &tree.Colours[0])
}

// number is the number of a key, the next one if it has none.
func number[K comparable](numbers map[K]int32, key K) int32 {
	n, ok := numbers[key]
	if !ok {
		n = int32(len(numbers))
		numbers[key] = n
	}
	return n
}

// boxOf is the box in the world around a box in a tree's coordinates, and the
// radius of the ball around the latter.
func boxOf(m *mgl64.Mat4, low, high mgl64.Vec3) (boxLow, boxHigh mgl64.Vec3, radius float64) {
	var diagonals [4]mgl64.Vec3 // from the middle to four corners that are not opposite
	for k := range 3 {
		axis := mgl64.Vec3{m[4*k], m[4*k+1], m[4*k+2]}
		half, middle := axis.Mul((high[k]-low[k])/2), axis.Mul((low[k]+high[k])/2)
		for c := range 3 {
			boxLow[c] += middle[c] - math.Abs(half[c])
			boxHigh[c] += middle[c] + math.Abs(half[c])
		}
		for d := range diagonals {
			if k > 0 && d>>(k-1)&1 != 0 {
				diagonals[d] = diagonals[d].Sub(half)
			} else {
				diagonals[d] = diagonals[d].Add(half)
			}
		}
	}
	for c := range 3 {
		boxLow[c] += m[12+c]
		boxHigh[c] += m[12+c]
	}
	for _, d := range diagonals {
		radius = max(radius, d.Len())
	}
	return boxLow, boxHigh, radius
}

// fault tells what is wrong with the first instance that no view can show.
func (s *Scene) fault() error {
	for i := range s.Instances {
		if s.index.items[i].faulty {
			return s.instanceError(i, project.CheckTransform(&s.Instances[i].Transform))
		}
	}
	return nil
}

func (s *Scene) instanceError(i int, err error) error {
	return fmt.Errorf("instance %d (%q): %w", i, s.Instances[i].Name, err)
}

// checkRange tells which instance reaches too far for the view, if one does.
func (s *Scene) checkRange(v *project.View) error {
	if v.InRange(3 * s.index.currentReach()) {
		return nil
	}
	reach := 0.0 // now: what went far away may have come back
	for i := range s.Instances {
		if s.index.items[i].visible {
			reach = max(reach, s.Instances[i].reach())
		}
	}
	s.index.setReach(reach)
	if v.InRange(3 * reach) {
		return nil
	}
	for i := range s.Instances {
		if !s.index.items[i].visible {
			continue
		}
		if _, err := project.NewPose(*v, s.Instances[i].Transform, s.Instances[i].Tree.Depth); err != nil {
			return s.instanceError(i, err)
		}
	}
	return nil
}

// currentReach is x.reach, which another renderer of the scene may be about to
// set.
func (x *index) currentReach() float64 {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	return x.reach
}

func (x *index) setReach(reach float64) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	x.reach = reach
}
