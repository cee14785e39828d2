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
	canvas asm.Canvas
	bottom asm.Bottom
	leaves asm.Leaves
	fans   ortho.Fans
	fan    *ortho.Fan // the instance's, and the size of its voxels there
	size   float64
	words  [8]uint64 // of half bricks
	whole  [8]uint64 // of bricks that are cut
	part   [8]uint64 // of bricks that are drawn by octants
	ids    [8]uint32 // for records, where the tree has no list of them
}

// halfBrickSize is the greatest size in pixels of a leaf that is not drawn as
// the exact cube it is.
const halfBrickSize = 2

// prepareBricks sets up the brick core for an instance.
func (t *traverser) prepareBricks() {
	w := &t.bricks
	p := t.pose
	w.view = p.Rays.CubeView()
	w.canvas = t.canvas.Kernel()
	w.fan, w.size = w.fans.For(p, 4*t.lod)
	w.bottom.Colours = svo.Bytes(t.tree.Colours)
	w.leaves.Colours = w.bottom.Colours
	b, r := &w.bottom, t.canvas.Rect
	b.CX, b.CY = p.Lens.CX-float32(r.X0-asm.Pad), p.Lens.CY-float32(r.Y0-asm.Pad)
	// A window reaches from three pixels before a brick's centre to four behind
	// it; held this far outside, it shows padding alone.
	const before, behind = 4, 2*asm.Pad - 6
	b.MinX, b.MaxX = asm.Unit*before, asm.Unit*float32(r.X1-r.X0+behind)
	b.MinY, b.MaxY = asm.Unit*before, asm.Unit*float32(r.Y1-r.Y0+behind)
}

// walkBricks visits the nodes of the instance from the root's octants down; r is
// the tile's part of its bounds.
func (t *traverser) walkBricks(r ortho.Rect) {
	t.openRoot()
	if t.tree.Depth == 1 { // the root's octants are leaves
		t.watchLeaves(r, &t.stack[0])
		return
	}
	t.bricks.fan.Made = 0
	defer func() { t.stats.Tables += t.bricks.fan.Made }()
	for n := 1; n > 0; {
		parent := &t.stack[n-1]
		if parent.todo == 0 {
			n--
			continue
		}
		if octant := parent.nextOctant(); t.visitBricks(parent, octant, n) {
			t.open(parent, octant, &t.stack[n])
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

// isBottom tells whether the octants of an octant are to be drawn as bricks:
// they are small enough, there are leaves in them (or leaves that are taken for
// eight each), and perspective does not show in them.
func (t *traverser) isBottom(parent *opened, octant int) bool {
	size := float64(parent.batch.Size[octant])
	if parent.onScreen {
		size = 2 * float64(max(t.step.EX, t.step.EY)) * parent.scale
	}
	below := t.tree.Depth - 1 - parent.level
	if below < 2 || size > 8*t.lod || size > halfBrickSize*float64(int64(1)<<below) {
		return false
	}
	return parent.onScreen || t.bricks.fan.Serves(float64(parent.batch.Z[octant]), parent.edge/8*t.bricks.size)
}

// orderOf is the order of an octant, inherited or found anew as for open.
func (t *traverser) orderOf(parent *opened, octant int, edge float64) (nearest int, crossed bool) {
	if !parent.crossed && !t.options.SortAll {
		return parent.nearest, false
	}
	return t.pose.Rays.Nearest(parent.lowOf(octant), edge)
}

// centreOf is the centre of an octant in camera space, with z = 1 in a parallel
// projection.
func (t *traverser) centreOf(parent *opened, octant int) (centre [3]float64) {
	if parent.onScreen {
		return [3]float64{
			parent.centre[0] + parent.scale*float64(t.step.DX[octant]) - float64(t.lens.CX),
			parent.centre[1] + parent.scale*float64(t.step.DY[octant]) - float64(t.lens.CY),
			1,
		}
	}
	half := parent.edge / 4
	for c := range 3 {
		centre[c] = parent.centre[c] + float64(half*t.octants[octant][c])
	}
	return centre
}

// drawBottom draws a node whose octants are bricks.
func (t *traverser) drawBottom(r ortho.Rect, parent *opened, octant int) {
	w := &t.bricks
	b := &w.bottom
	level := parent.level + 1
	nearest, crossed := t.orderOf(parent, octant, parent.edge/2)
	centre, half := t.centreOf(parent, octant), parent.edge/8
	id, node := t.tree.Child(parent.id, parent.node, parent.level, octant)
	mask := node.Mask()
	var kind ortho.Kind
	b.Words, b.IDs, kind = w.bricksOf(t.tree, id, node, level)
	b.Leaves = b.Words
	b.X, b.Y, b.Z, b.H = float32(centre[0]), float32(centre[1]), float32(centre[2]), float32(half*w.size)
	b.Mask = uint32(mask)
	low := parent.lowOf(octant)
	if parent.cut && parent.across>>octant&1 != 0 {
		mask = t.cutBricks(b, id, node, level, low, kind)
	}
	b.Place = t.canvas.Place(asm.NewPatch(low, t.index, level, kind), 8)
	b.Records, b.Next = t.canvas.Records[:cap(t.canvas.Records)], uint32(len(t.canvas.Records))
	perDepth := 1 / centre[2]
	x, y := centre[0]*perDepth, centre[1]*perDepth
	if crossed {
		t.drawCrossed(mask, low, parent.edge/2, nearest, x, y)
	} else {
		t.drawOrdered(mask, nearest, x, y)
	}

	drawn, tested := int(b.Next)-len(t.canvas.Records), bits.OnesCount8(mask)
	if t.see != nil {
		t.tellBricks(parent, octant, node, mask, t.canvas.Records[len(t.canvas.Records):b.Next])
	}
	t.canvas.Records = t.canvas.Records[:b.Next]
	t.stats.Batches++
	t.stats.Bottoms++
	t.stats.OrderInherited++
	t.stats.Tested += tested
	t.stats.Drawn += drawn
	t.stats.Occluded += tested - drawn
	if drawn == 0 {
		t.canvas.Withdraw()
		return
	}
	t.canvas.Settle(r)
}

// drawOrdered draws some bricks of the bottom node in the order of an octant
// visited first; the node is seen at (x, y) in pixels from the principal point.
func (t *traverser) drawOrdered(bricks uint8, nearest int, x, y float64) {
	w := &t.bricks
	b := &w.bottom
	b.Visit, b.Nearest = uint32(ortho.InOrder(bricks, nearest)), uint32(nearest)
	w.fan.Aim(&t.kernels, b, x, y)
	t.kernels.DrawBricks(&w.canvas, b, &w.fan.Offsets[nearest])
}

// bricksOf are the leaves of a node's octants, and the ids for their records.
func (w *brickWalk) bricksOf(tree *svo.Tree, id uint32, node svo.Node, level int) ([]uint64, []uint32, ortho.Kind) {
	first := node.First()
	if level == tree.Depth-2 {
		n := 0
		for mask, leaves := node.Mask(), tree.Bricks[id]; mask != 0; mask &= mask - 1 {
			octant := bits.TrailingZeros8(mask)
			_, child := tree.Child(id, node, level, octant)
			w.words[n], w.ids[n] = ortho.HalfBrick(uint8(leaves>>(8*octant))), child.First()
			n++
		}
		return w.words[:n], w.ids[:n], ortho.HalfBricks
	}
	if ids := tree.FirstGrandchildren(first, level+1); ids != nil {
		return tree.Bricks[first:], ids, ortho.Bricks
	}
	for i := range w.ids {
		w.ids[i] = first + uint32(i)
	}
	return tree.Bricks[first:], w.ids[:], ortho.SharedBricks
}

// drawLeaves draws the leaves of a node as the cubes they are.
func (t *traverser) drawLeaves(r ortho.Rect, p *opened) {
	w := &t.bricks
	l := &w.leaves
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
