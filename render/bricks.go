package render

import (
	"encoding/binary"
	"math/bits"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/ortho"
	"github.com/cfef80af/eightfold/svo"
)

// The brick core walks the upper levels as the classic core does, but ends
// earlier: at nodes whose octants are bricks, 4x4x4 nodes at level of detail.
// For these only the exact centres are projected; which leaf each open pixel
// sees is read from tables that serve all bricks along a line of sight. Leaves
// larger than two pixels are drawn as cubes, all those of a node's octants at once.

// brickWalk is the state of the brick core.
type brickWalk struct {
	rays   asm.Rays
	viewed bool // rays are the instance's: only leaves need them
	canvas asm.Canvas
	leaves asm.Leaves
	// Of the node of nodes of leaves that is being opened: its leaves, and the id of the
	// first, where all have ids of their own.
	cubes       uint64
	first       uint32
	firsts      []uint32 // of such nodes, from the first of them on
	firstsBegin uint32
	fans        ortho.Fans
	fan         *ortho.Fan // the instance's, and the size of its voxels there
	size        float64
	fine        bool // the instance's bricks are
	bottom      bottomWalk
}

// halfBrickSize is the greatest size in pixels of a leaf that is not drawn as
// the exact cube it is.
const halfBrickSize = 2

// prepareBricks sets up the brick core for an instance that is so many pixels wide.
func (t *traverser) prepareBricks(width float64) {
	w := &t.bricks
	p := t.pose
	w.viewed = false
	w.canvas = t.canvas.Kernel()
	pixels := 4 * t.lod
	w.fan, w.size = w.fans.For(p, pixels)
	w.fine = w.fan.Fine(min(pixels, width/4))
	w.leaves.Colours = svo.Bytes(t.tree.Colours)
	w.firsts, w.firstsBegin = t.tree.GrandchildIDs(t.tree.Depth - 2)
	t.prepareBottoms()
}

// walkBricks visits the nodes of the instance from the root's octants down; r is
// the tile's part of its bounds.
func (t *traverser) walkBricks(r ortho.Rect) {
	if t.tree.Depth == 1 { // the root's octants are leaves
		t.watchRoot(r)
		return
	}
	t.openRoot()
	if t.tree.Depth == 2 {
		t.findLeaves(0)
		t.watchLeaves(r, &t.stack[0])
		return
	}
	root := &t.stack[0]
	t.judge(root)
	t.bricks.fan.Made = 0
	defer func() { t.stats.Tables += t.bricks.fan.Made }()
	for n := 1; n > 0; {
		parent := &t.stack[n-1]
		if parent.bottoms && parent.todo != 0 && parent.batch.Size[parent.front()] <= parent.limit {
			t.watchBottoms(parent)
		}
		p := &t.stack[n]
		if parent.parents && parent.todo != 0 && parent.isParent(parent.front()) && t.watchParents(parent, p) {
			n++
			continue
		}
		if parent.todo == 0 {
			n--
			continue
		}
		if octant := parent.nextOctant(); t.visitBricks(parent, octant) {
			leaves := parent.level+1 == t.tree.Depth-2
			if leaves {
				t.findLeaves(parent.node.Child(octant))
			}
			t.open(parent, octant, p)
			if leaves {
				t.watchLeaves(parent.rect(octant), p)
				continue
			}
			t.judge(p)
			n++
		}
	}
}

// anyOpen is the canvas' AnyOpen where the coverage is known to be strips, which
// saves the call of an interface for each node.
func (t *traverser) anyOpen(r *ortho.Rect) bool {
	left, top := t.canvas.Rect.X0, t.canvas.Rect.Y0
	return t.canvas.Strips.AnyOpen(r.X0-left, r.X1-left, r.Y0-top, r.Y1-top)
}

// visitBricks tests an octant. It draws it if it is a node of bricks, or returns
// that it is to be opened.
func (t *traverser) visitBricks(parent *opened, octant int) bool {
	r := parent.rect(octant)
	if !t.anyOpen(&r) {
		t.stats.Occluded++
		if t.see != nil {
			t.tell(parent, octant, VerdictOccluded, r)
		}
		return false
	}
	if t.subpixel > 0 && t.dropSubpixel(parent, octant, r) {
		return false
	}
	t.stats.Opened++
	if t.see != nil {
		t.tell(parent, octant, VerdictOpened, r)
	}
	if t.isBottom(parent, octant) {
		t.watchBottom(r, parent, octant)
		return false
	}
	return true
}

// orderOf is the order of an octant, inherited or found anew as for open.
func (t *traverser) orderOf(parent *opened, octant int, edge float64) (nearest int, crossed bool) {
	if !parent.crossed {
		return parent.nearest, false
	}
	return t.pose.Rays.Nearest(parent.lowOf(octant), edge)
}

// findLeaves looks up the leaves of a node of nodes of leaves, which takes its time,
// before the node is opened.
func (t *traverser) findLeaves(id uint32) {
	w := &t.bricks
	w.cubes = t.tree.Bricks[id]
	if w.firsts != nil {
		w.first = w.firsts[id-w.firstsBegin]
	}
}

// drawLeaves draws the leaves of a node's octants as the cubes they are.
func (t *traverser) drawLeaves(p *opened) {
	l := &t.bricks.leaves
	if t.subpixel > 0 {
		t.dropSubpixels(p)
	}
	t.pose.Rays.FromAnchor(&p.low, &l.Low)
	all := t.bricks.cubes
	l.Visit, l.Order, l.Draw = uint32(p.todo), p.order, all
	if p.cut {
		l.Draw &= t.cutLeaves(p, all)
	}
	if first := t.bricks.first; t.bricks.firsts != nil {
		for i, o := range p.order {
			l.First[i] = first + uint32(bits.OnesCount64(all&(1<<(8*o&63)-1)))
		}
	} else {
		for rest := p.todo; rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros8(rest)
			_, node := t.tree.Child(p.id, p.node, p.level, int(p.order[i]))
			l.First[i] = node.First()
		}
	}
	t.callDrawLeaves(&p.batch)
	if t.see != nil {
		t.tellOctants(p, l)
	}
	t.stats.Occluded += bits.OnesCount8(p.todo &^ uint8(l.Open))
	t.stats.Opened += bits.OnesCount32(l.Open)
	tested := 0
	for open := l.Open; open != 0; open &= open - 1 {
		i := bits.TrailingZeros32(open) & 7
		o := p.order[i] & 7
		tested += bits.OnesCount8(uint8(l.Draw >> (8 * o)))
		if l.Seen[i] != 0 {
			t.enterLeaves(i, svo.NewNode(l.First[i], uint8(all>>(8*o))), p, int(o))
		}
	}
	t.countLeaves(tested)
}

// drawRoot draws the root, whose octants are leaves, in a rectangle.
func (t *traverser) drawRoot(r ortho.Rect) {
	l := &t.bricks.leaves
	root := &t.stack[0]
	root.batch.X0[0], root.batch.X1[0] = int32(r.X0), int32(r.X1)
	root.batch.Y0[0], root.batch.Y1[0] = int32(r.Y0), int32(r.Y1)
	mask := t.tree.Root().Mask()
	if t.crossed {
		mask = t.cut.octants(mask, t.cut.at([3]int32{}, 2), 2)
	}
	t.pose.Rays.FromAnchor(&root.low, &l.Low)
	l.Draw, l.Visit, l.Order = uint64(mask), 1, [8]uint8{}
	t.callDrawLeaves(&root.batch)
	if t.see != nil {
		t.tellLeaves(t.tree.Root(), root.low, mask, octants(l.Seen[0]))
	}
	if l.Seen[0] != 0 {
		t.enterLeaves(0, t.tree.Root(), root, 0)
	}
	t.countLeaves(bits.OnesCount8(mask))
}

// callDrawLeaves calls the kernel, with records for eight nodes.
func (t *traverser) callDrawLeaves(b *asm.Batch) {
	w := &t.bricks
	if !w.viewed {
		w.rays, w.viewed = t.pose.Rays.Kernel(), true
	}
	w.leaves.Next = t.canvas.Reserve(8)
	t.kernels.DrawLeaves(&w.canvas, b, &w.leaves, &w.rays)
}

// enterLeaves enters the node of leaves, some of them seen, that was the i-th in the
// kernel's order; it lies where an octant does.
func (t *traverser) enterLeaves(i int, node svo.Node, p *opened, octant int) {
	patch := t.canvas.EnterLeaves(int(t.bricks.leaves.Next)+i, node)
	p.putLow(octant, &patch.Low)
	patch.Info = asm.PatchInfo(t.index, t.tree.Depth-1, ortho.LeafCubes)
}

// countLeaves counts nodes of leaves that were drawn, in which so many were tested.
func (t *traverser) countLeaves(tested int) {
	l := &t.bricks.leaves
	nodes, drawn := bits.OnesCount32(l.Open), bits.OnesCount64(binary.LittleEndian.Uint64(l.Seen[:]))
	t.stats.Batches += nodes
	t.stats.OrderInherited += nodes
	t.stats.Tested += tested
	t.stats.Drawn += drawn
	t.stats.Cubes += drawn
	t.stats.Occluded += tested - drawn
}

// dropSubpixels drops those of a node's octants that are too small to be seen.
func (t *traverser) dropSubpixels(p *opened) {
	for i, o := range p.order {
		if p.todo>>i&1 != 0 && t.dropSubpixel(p, int(o), p.rect(int(o))) {
			p.todo &^= 1 << i
		}
	}
}

// rect is the part of the tile that an octant may cover.
func (p *opened) rect(octant int) ortho.Rect {
	b := &p.batch
	return ortho.Rect{X0: int(b.X0[octant]), X1: int(b.X1[octant]), Y0: int(b.Y0[octant]), Y1: int(b.Y1[octant])}
}
