package render

import (
	"math/bits"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/ortho"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/svo"
)

// The brick core walks the upper levels as the classic core does, but ends
// earlier: at nodes whose octants are bricks, 4x4x4 nodes at level of detail.
// For these only the exact centres are projected; which leaf each open pixel
// sees is read from tables that serve all bricks along a line of sight. Leaves
// larger than two pixels are drawn as cubes one by one.

// brickWalk is the state of the brick core.
type brickWalk struct {
	view   asm.CubeView
	viewed bool // view is the instance's: only leaves need it
	canvas asm.Canvas
	leaves asm.Leaves
	fans   ortho.Fans
	fan    *ortho.Fan // the instance's, and the size of its voxels there
	size   float64
	bottom bottomWalk
}

// halfBrickSize is the greatest size in pixels of a leaf that is not drawn as
// the exact cube it is.
const halfBrickSize = 2

// prepareBricks sets up the brick core for an instance.
func (t *traverser) prepareBricks() {
	w := &t.bricks
	p := t.pose
	w.viewed = false
	w.canvas = t.canvas.Kernel()
	w.fan, w.size = w.fans.For(p, 4*t.lod)
	w.leaves.Colours = svo.Bytes(t.tree.Colours)
	t.prepareBottoms()
}

// walkBricks visits the nodes of the instance from the root's octants down; r is
// the tile's part of its bounds.
func (t *traverser) walkBricks(r ortho.Rect) {
	t.openRoot()
	if t.tree.Depth == 1 { // the root's octants are leaves
		t.watchLeaves(r, &t.stack[0])
		return
	}
	root := &t.stack[0]
	root.bottoms, root.parents = t.hasBottoms(root), t.hasParents(root)
	t.bricks.fan.Made = 0
	defer func() { t.stats.Tables += t.bricks.fan.Made }()
	for n := 1; n > 0; {
		parent := &t.stack[n-1]
		if parent.bottoms && parent.todo != 0 {
			t.watchBottoms(parent)
		}
		if parent.todo == 0 {
			n--
			continue
		}
		octant, p := parent.nextOctant(), &t.stack[n]
		switch {
		case parent.parents && t.isParent(parent, octant):
			if t.watchParent(parent, octant, p) {
				n++
			}
		case t.visitBricks(parent, octant, n):
			t.open(parent, octant, p)
			p.bottoms, p.parents = t.hasBottoms(p), t.hasParents(p)
			n++
		}
	}
}

// visitBricks tests an octant. It draws it if it is a node of bricks or of
// leaves; it returns whether it is to be opened. n is the stack's height.
func (t *traverser) visitBricks(parent *opened, octant, n int) bool {
	b := &parent.batch
	r := ortho.Rect{X0: int(b.X0[octant]), X1: int(b.X1[octant]), Y0: int(b.Y0[octant]), Y1: int(b.Y1[octant])}
	if left, top := t.canvas.Rect.X0, t.canvas.Rect.Y0; !t.canvas.Strips.AnyOpen(r.X0-left, r.X1-left, r.Y0-top, r.Y1-top) {
		t.stats.Occluded++
		if t.see != nil {
			t.tell(parent, octant, VerdictOccluded, r)
		}
		return false
	}
	if t.subpixel > 0 && t.dropSubpixel(parent, octant, r) {
		return false
	}
	level := parent.level + 1
	t.stats.Opened++
	if t.see != nil {
		t.tell(parent, octant, VerdictOpened, r)
	}
	switch {
	case t.isBottom(parent, octant):
		t.watchBottom(r, parent, octant)
	case level == t.tree.Depth-1:
		t.open(parent, octant, &t.stack[n])
		t.watchLeaves(r, &t.stack[n])
	default:
		return true
	}
	return false
}

// orderOf is the order of an octant, inherited or found anew as for open.
func (t *traverser) orderOf(parent *opened, octant int, edge float64) (nearest int, crossed bool) {
	if !parent.crossed && !t.options.SortAll {
		return parent.nearest, false
	}
	return t.pose.Rays.Nearest(parent.lowOf(octant), edge)
}

// drawLeaves draws the leaves of a node as the cubes they are.
func (t *traverser) drawLeaves(r ortho.Rect, p *opened) {
	w := &t.bricks
	l := &w.leaves
	if !w.viewed {
		w.view, w.viewed = t.pose.Rays.CubeView(), true
	}
	visit := p.todo & p.inOrder(t.pose.Rays.Leaves(l, p.low))
	l.Mask, l.Visit = uint32(p.node.Mask()), uint32(visit)
	l.Nearest, l.First = uint32(p.nearest), p.node.First()
	l.Place = t.canvas.Place(asm.NewPatch(p.low, t.index, p.level, ortho.LeafCubes), 8)
	l.Records, l.Next = t.canvas.Records[:cap(t.canvas.Records)], uint32(len(t.canvas.Records))
	t.kernels.DrawLeaves(&w.canvas, &p.batch, l, &w.view, &project.CubeCases)

	drawn := int(l.Next) - len(t.canvas.Records)
	if t.see != nil {
		t.tellLeaves(p, t.canvas.Records[len(t.canvas.Records):l.Next])
	}
	t.canvas.Records = t.canvas.Records[:l.Next]
	t.stats.Drawn += drawn
	t.stats.Cubes += drawn
	t.stats.Occluded += bits.OnesCount8(p.todo) - drawn
	if drawn == 0 {
		t.canvas.Withdraw()
		return
	}
	t.canvas.Settle(r)
}
