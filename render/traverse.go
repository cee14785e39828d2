package render

import (
	"math"
	"math/bits"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/ortho"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/svo"
)

// traverser walks the octrees of one tile, front to back: a node whose pixels
// are all taken is dropped with everything in it, one that is small enough is
// drawn, any other is opened and its octants follow, eight at a time.
type traverser struct {
	kernels asm.Kernels
	project asm.Project // the way to bound an octant, one of the kernels
	options *Options
	core    Core
	lod     float64
	// Nodes below so many pixels are dropped; 0 for none.
	subpixel float64
	canvas   ortho.Canvas
	stats    Stats
	ladder   ladderCounts
	walker   walker
	watch    stopwatch
	see      func(*Visit) // is told of every node tested, unless it is nil

	// The instance being drawn.
	tree    *svo.Tree
	pose    *project.Pose
	lens    asm.Lens      // the pose's, clipped to the tile
	octants [8][3]float64 // from a node's centre to its octants', for half size 1
	step    asm.Step      // of the node that is being subdivided on the screen
	index   int32         // of the instance
	bricks  brickWalk
	fetch   bool // nodes ahead of their use: the tree is larger than the caches
	scene   *Scene
	crossed bool // by the scene's section
	cut     cut  // if it is
	painter painter
	turns   []uint32 // for the plane of order

	stack [svo.MaxDepth]opened
}

// opened is a node whose octants are being visited.
type opened struct {
	batch   asm.Batch
	id      uint32
	node    svo.Node
	todo    uint8    // octants that are visible and not yet visited: bit i is order[i]
	small   uint8    // octants that are drawn and not opened
	order   [8]uint8 // octants from front to back
	nearest int
	crossed bool  // by one of the camera's axis planes
	cut     bool  // by the scene's section
	across  uint8 // octants that it cuts, if it cuts the node
	level   int
	low     [3]int32
	edge    float64
	// centre is in camera space, or in pixels once the node is subdivided on
	// the screen; in double precision, so that errors don't add up on the way
	// down.
	centre   [3]float64
	onScreen bool
	// within is the node's rectangle, for the classic core: what of its octants lies
	// beside it, by rounding, must not depend on whether the node was opened.
	within  ortho.Rect
	scale   float64 // on the screen: 1 for the node that step was made for
	bottoms bool    // octants that are bottom nodes may be drawn together
	parents bool    // and so may those of its octants
	limit   float32 // how large octants that are bottom nodes may be, in pixels
}

// frontToBack has the order i^nearest for each nearest octant.
var frontToBack = func() (orders [8][8]uint8) {
	for nearest := range orders {
		for i := range orders[nearest] {
			orders[nearest][i] = uint8(i ^ nearest)
		}
	}
	return orders
}()

// drawInstance draws the part of an instance that lies in rectangle r, the
// tile's part of its bounds.
func (t *traverser) drawInstance(index int32, tree *svo.Tree, pose *project.Pose, bounds *project.Bounds, r ortho.Rect) {
	if t.crossed = false; t.scene.Section.cuts() && !t.cutOpen(index, bounds) {
		return
	}
	t.tree, t.pose = tree, pose
	pose.Lens(&t.lens, &t.octants)
	// Not the whole tile: a node that is drawn at level of detail may reach
	// beyond the bounds, where Contest and Merge don't look.
	t.lens.ClipX0, t.lens.ClipX1 = int32(r.X0), int32(r.X1)
	t.lens.ClipY0, t.lens.ClipY1 = int32(r.Y0), int32(r.Y1)
	t.lens.LOD, t.lens.LODPixels = float32(t.lod), t.lodPixels()
	t.index = index

	t.stats.Tested++
	if t.canvas.Visits != nil {
		t.canvas.Visit(r)
	}
	switch {
	case t.rootIsSmall(bounds):
		if t.see != nil {
			t.tellRoot(VerdictDrawn, r)
		}
		patch := asm.NewPatch([3]int32{}, index, 0, ortho.Single)
		t.canvas.Splat(r, 0, &patch)
		t.stats.Drawn++
	default:
		t.stats.Opened++
		if t.see != nil {
			t.tellRoot(VerdictOpened, r)
		}
		if t.core == CoreBricks {
			t.prepareBricks(bounds.Size)
			t.walkBricks(r)
		} else {
			t.walk()
		}
	}
}

// dropInstance counts an instance of which no pixel is open.
func (t *traverser) dropInstance(index int32, tree *svo.Tree, r ortho.Rect) {
	t.stats.Tested++
	t.stats.Occluded++
	if t.canvas.Visits != nil {
		t.canvas.Visit(r)
	}
	if t.see != nil {
		t.index, t.tree = index, tree
		t.tellRoot(VerdictOccluded, r)
	}
}

// lodPixels is the level of detail in whole pixels.
func (t *traverser) lodPixels() int32 { return max(1, int32(math.RoundToEven(t.lod))) }

func (t *traverser) rootIsSmall(b *project.Bounds) bool {
	if t.options.PixelRule == project.Rounded {
		return max(b.X1-b.X0, b.Y1-b.Y0) <= int(t.lodPixels())
	}
	return b.Size <= t.lod
}

// walk visits the nodes of the instance from the root's octants down.
func (t *traverser) walk() {
	t.openRoot()
	if t.stack[0].onScreen {
		t.watch.opened(0, &t.stats)
	}
	for n := 1; n > 0; {
		parent := &t.stack[n-1]
		if parent.todo == 0 {
			n--
			t.watch.closed(n, &t.stats)
			continue
		}
		if octant := parent.nextOctant(); t.visit(parent, octant) {
			t.open(parent, octant, &t.stack[n])
			if t.stack[n].onScreen && !parent.onScreen {
				t.watch.opened(n, &t.stats)
			}
			n++
		}
	}
}

// nextOctant takes the next visible octant from front to back; there must be one.
func (p *opened) nextOctant() int {
	octant := p.front()
	p.todo &= p.todo - 1
	return octant
}

// front is the next visible octant.
func (p *opened) front() int { return int(p.order[bits.TrailingZeros8(p.todo)&7]) }

// visit tests an octant and draws it if it is small enough or a leaf; it
// returns whether it is to be opened.
func (t *traverser) visit(parent *opened, octant int) bool {
	r := both(parent.rect(octant), parent.within)
	empty := r.X0 >= r.X1 || r.Y0 >= r.Y1
	if t.canvas.Visits != nil && !empty {
		t.canvas.Visit(r)
	}
	if empty || !t.canvas.AnyOpen(r) {
		t.stats.Occluded++
		if t.see != nil {
			t.tell(parent, octant, VerdictOccluded, r)
		}
		return false
	}
	if t.subpixel > 0 && t.dropSubpixel(parent, octant, r) {
		return false
	}
	small, leaf := parent.small>>octant&1 != 0, parent.level+1 == t.tree.Depth
	if !small && !leaf {
		t.stats.Opened++
		if t.see != nil {
			t.tell(parent, octant, VerdictOpened, r)
		}
		return true
	}
	t.stats.Drawn++
	if t.see != nil {
		t.tell(parent, octant, VerdictDrawn, r)
	}
	id := parent.node.Child(octant)
	patch := asm.NewPatch(parent.lowOf(octant), t.index, parent.level+1, ortho.Single)
	if small {
		t.canvas.Splat(r, id, &patch)
	} else {
		t.stats.Cubes++
		t.watch.begin(r)
		t.canvas.Cube(r, id, &patch)
		t.watch.end(&t.stats.Leaves)
	}
	return false
}

// both is where two rectangles overlap; it may be empty.
func both(a, b ortho.Rect) ortho.Rect {
	return ortho.Rect{X0: max(a.X0, b.X0), X1: min(a.X1, b.X1), Y0: max(a.Y0, b.Y0), Y1: min(a.Y1, b.Y1)}
}

// dropSubpixel tells whether an octant is too small to be seen, and counts it.
func (t *traverser) dropSubpixel(parent *opened, octant int, r ortho.Rect) bool {
	size := float64(parent.batch.Size[octant])
	if parent.onScreen {
		size = 2 * float64(max(t.step.EX, t.step.EY)) * parent.scale
	}
	if !(size < t.subpixel) {
		return false
	}
	t.stats.Subpixel++
	if t.see != nil {
		t.tell(parent, octant, VerdictSubpixel, r)
	}
	return true
}

// lowOf is the lower corner of an octant.
func (p *opened) lowOf(octant int) [3]int32 {
	return octantAt(p.low, p.edge, octant)
}

// putLow puts the lower corner of an octant where it is to stand, number by number:
// an array that is handed on is copied in larger pieces than it was written in,
// for which the processor waits.
func (p *opened) putLow(octant int, low *[3]int32) {
	half := int32(p.edge / 2)
	low[0] = p.low[0] + half*int32(octant&1)
	low[1] = p.low[1] + half*int32(octant>>1&1)
	low[2] = p.low[2] + half*int32(octant>>2&1)
}

// octantAt is the lower corner of an octant of a node that begins at low and is
// so long.
func octantAt(low [3]int32, edge float64, octant int) [3]int32 {
	half := int32(edge / 2)
	return [3]int32{low[0] + half*int32(octant&1), low[1] + half*int32(octant>>1&1), low[2] + half*int32(octant>>2&1)}
}

func (t *traverser) openRoot() {
	root := &t.stack[0]
	root.id, root.node, root.level, root.low, root.edge = 0, t.tree.Root(), 0, [3]int32{}, math.Ldexp(1, t.tree.Depth)
	root.centre, root.onScreen, root.cut = t.pose.Root, false, t.crossed
	l := &t.lens
	root.within = ortho.Rect{X0: int(l.ClipX0), X1: int(l.ClipX1), Y0: int(l.ClipY0), Y1: int(l.ClipY1)}
	t.decideOrder(root)
	if t.pose.View.Parallel {
		t.putOnScreen(root)
	}
	t.testOctants(root)
}

// open makes an octant the top of the stack: its place, its order, and the
// projections of its own octants.
func (t *traverser) open(parent *opened, octant int, p *opened) {
	p.id, p.node = t.tree.Child(parent.id, parent.node, parent.level, octant)
	p.level, p.edge = parent.level+1, parent.edge/2
	parent.putLow(octant, &p.low)
	if parent.crossed || t.options.SortAll {
		t.decideOrder(p)
	} else {
		p.order, p.nearest, p.crossed = parent.order, parent.nearest, false
		t.stats.OrderInherited++
	}
	if t.core == CoreClassic {
		p.within = both(parent.rect(octant), parent.within)
	}
	p.onScreen, p.cut = parent.onScreen, parent.cut && parent.across>>octant&1 != 0
	if p.onScreen {
		p.scale = parent.scale / 2
		p.centre[0] = parent.centre[0] + parent.scale*float64(t.step.DX[octant])
		p.centre[1] = parent.centre[1] + parent.scale*float64(t.step.DY[octant])
	} else {
		half := p.edge / 2
		for c := range 3 {
			p.centre[c] = parent.centre[c] + float64(half*t.octants[octant][c])
		}
		// An axis plane through the node would need more than one order.
		if t.core == CoreClassic && parent.batch.Ortho>>octant&1 != 0 && !p.crossed && !t.options.NoOrtho {
			t.putOnScreen(p)
		}
	}
	if t.fetch && p.level < t.tree.Depth-3 {
		ids, from := t.tree.GrandchildIDs(p.level)
		if n := &t.bricks.bottom.all; ids != nil {
			t.kernels.Fetch(&n.Nodes[ids[p.id-from]], 4)
		}
	}
	t.testOctants(p)
}

// decideOrder finds a node's order from its place alone.
func (t *traverser) decideOrder(p *opened) {
	t.stats.OrderDecided++
	p.nearest, p.crossed = t.pose.Rays.Nearest(p.low, p.edge)
	if t.options.SortAll {
		p.order = t.pose.Rays.ByDistance(p.low, p.edge)
		return
	}
	p.order = frontToBack[p.nearest]
}

// putOnScreen ends perspective for a node and everything in it.
func (t *traverser) putOnScreen(p *opened) {
	p.onScreen, p.scale = true, 1
	t.step, p.centre[0], p.centre[1] = ortho.NewStep(t.pose, p.centre, p.edge/2)
	t.step.LODPixels = t.lens.LODPixels
	t.step.ClipX0, t.step.ClipX1, t.step.ClipY0, t.step.ClipY1 = t.lens.ClipX0, t.lens.ClipX1, t.lens.ClipY0, t.lens.ClipY1
}

// testOctants projects the octants of a node and counts those that are already
// out.
func (t *traverser) testOctants(p *opened) {
	t.stats.Batches++
	b := &p.batch
	x, y := float32(p.centre[0]), float32(p.centre[1])
	if p.onScreen {
		t.stats.OrthoBatches++
		t.kernels.Split(b, &t.step, x, y, float32(p.scale))
		b.Small = 0
		size := 2 * float64(max(t.step.EX, t.step.EY)) * p.scale
		if size <= t.lod {
			b.Small = 0xff
		}
		if t.core == CoreBricks {
			for o := range b.Z {
				b.Z[o], b.Size[o] = 1, float32(size)
			}
		}
	} else {
		bound := t.project
		if reach := p.edge / 2 * float64(t.lens.RZ); t.core == CoreBricks && p.centre[2]-reach > float64(t.lens.Near) {
			bound = t.kernels.ProjectTight
		}
		bound(b, &t.lens, x, y, float32(p.centre[2]), float32(p.edge/4))
	}
	p.small = b.Small
	if t.options.PixelRule == project.Rounded {
		p.small = b.SmallPixels
	}
	mask := p.node.Mask()
	if p.cut {
		mask = t.cutOctants(p, mask)
	}
	p.todo = p.inOrder(mask & b.Visible)
	t.countOctants(p, mask)
}

// countOctants counts the octants of a node that are tested, and those already
// out.
func (t *traverser) countOctants(p *opened, mask uint8) {
	b := &p.batch
	t.stats.Tested += bits.OnesCount8(mask)
	if mask&^b.Visible != 0 {
		t.stats.Behind += bits.OnesCount8(mask & b.Behind)
		t.stats.Empty += bits.OnesCount8(mask & b.Empty &^ b.Behind)
		t.stats.Outside += bits.OnesCount8(mask &^ (b.Visible | b.Behind | b.Empty))
		if t.see != nil {
			t.tellHidden(p, mask)
		}
	}
}

// inOrder puts a mask of octants into the order of visiting.
func (p *opened) inOrder(mask uint8) (todo uint8) {
	if p.order == frontToBack[p.nearest] {
		return ortho.InOrder(mask, p.nearest)
	}
	for i, octant := range p.order {
		todo |= mask >> octant & 1 << i
	}
	return todo
}
