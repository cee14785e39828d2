package render

import (
	"math"
	"math/bits"
	"slices"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/ortho"
	"github.com/cfef80af/eightfold/svo"
)

// Bottom nodes, whose octants are bricks, are drawn by a kernel that takes all
// those of a node at once, in order, as they stand in the tree. What is out of
// the ordinary is drawn one by one: those that are crossed by an axis plane of
// the camera or cut by the section, and those that are more than eight pixels wide.

// bottomWalk is what the brick core knows of bottom nodes.
type bottomWalk struct {
	all     asm.Bottoms // those of a node, as they are in the instance's tree
	parents asm.Parents // the nodes that they are in
	// For which level and octant visited first all is set up.
	level, nearest int

	// A single one that is not as in the tree.
	single asm.Bottoms
	batch  asm.Batch
	nodes  [1]uint64
	words  [8]uint64 // leaves of its bricks
	whole  [8]uint64 // of bricks that are cut
	part   [8]uint64 // of bricks that are drawn by octants
	ids    [8]uint32 // for records, where the tree has no list of them
}

// prepareBottoms sets up what all bottom nodes of an instance have in common.
func (t *traverser) prepareBottoms() {
	w := &t.bricks.bottom
	n, tree, r := &w.all, t.tree, t.canvas.Rect
	n.Nodes, n.Bricks, n.Leaves = svo.Words(tree.Nodes), tree.Bricks, tree.Bricks
	n.Colours = svo.Bytes(tree.Colours)
	n.Only, n.Pixels = 0xff, everyPixel
	w.parents.Lens, w.parents.Octants = &t.lens, &t.octants
	w.level = -1
	t.fetch = t.kernels.Fetch != nil && len(n.Nodes) > 1<<14
	n.CX, n.CY = -float32(r.X0-asm.Pad), -float32(r.Y0-asm.Pad)
	if !t.pose.View.Parallel {
		n.CX, n.CY = t.lens.CX+n.CX, t.lens.CY+n.CY
	}
	w.single.CX, w.single.CY, w.single.Colours = n.CX, n.CY, n.Colours
	w.single.Limit = float32(math.Inf(1))
}

// judge finds out how the octants of a node that was opened are drawn.
func (t *traverser) judge(p *opened) {
	p.limit = t.bottomLimit(p.level + 1)
	p.bottoms, p.parents = t.hasBottoms(p), t.hasParents(p)
}

// bottomLimit is how large nodes of a level may appear, in pixels, to be drawn as
// bottom nodes, whose leaves are then at most at the level of detail, or voxels
// small enough to be taken for eight each.
func (t *traverser) bottomLimit(level int) float32 {
	below := t.tree.Depth - level
	if below < 2 {
		return 0
	}
	return float32(min(8*t.lod, halfBrickSize*float64(int64(1)<<below)))
}

// isBottom tells whether the octants of an octant are to be drawn as bricks:
// they are small enough, there are leaves in them (or leaves that are taken for
// eight each), and perspective does not show in them.
func (t *traverser) isBottom(parent *opened, octant int) bool {
	return parent.batch.Size[octant] <= parent.limit &&
		(parent.onScreen || t.bricks.fan.Serves(float64(parent.batch.Z[octant]), parent.edge/8*t.bricks.size))
}

// ordinary tells whether bottom nodes of a level in a node are drawn as they stand
// in the tree, in the node's order, and nobody asks about them one by one.
func (t *traverser) ordinary(p *opened, level int) bool {
	return !p.crossed && !p.cut && t.see == nil && t.tree.Depth-level >= 2
}

// hasBottoms tells whether those octants of a node that are small enough may be
// drawn together.
func (t *traverser) hasBottoms(p *opened) bool {
	if !t.ordinary(p, p.level+1) || t.subpixel > 0 && t.anySubpixel(p) {
		return false
	}
	nearest := p.centre[2] - p.edge/4*float64(t.lens.RZ)
	return p.onScreen || t.bricks.fan.Serves(nearest, p.edge/8*t.bricks.size)
}

// anySubpixel tells whether an octant of a node is too small to be seen.
func (t *traverser) anySubpixel(p *opened) bool {
	for rest := p.todo; rest != 0; rest &= rest - 1 {
		if float64(p.batch.Size[p.order[bits.TrailingZeros8(rest)&7]]) < t.subpixel {
			return true
		}
	}
	return false
}

// drawBottoms draws the octants of a node that are bottom nodes, up to the first
// that is not, or has to be drawn by itself.
func (t *traverser) drawBottoms(p *opened) {
	t.setBottoms(p.level+1, p.nearest, p.edge/2)
	t.drawOctants(p)
}

// hasParents tells whether the octants of a node may be opened and drawn by
// drawParents: all that is out of the ordinary is left to others.
func (t *traverser) hasParents(p *opened) bool {
	// What is in an octant is at least a third as large as that.
	if p.onScreen || !t.ordinary(p, p.level+2) || t.subpixel > float64(p.limit)/3 {
		return false
	}
	reach := float64(t.lens.RZ)
	return p.centre[2]-p.edge/2*reach > float64(t.lens.Near) && t.bricks.fan.Serves(p.centre[2]-p.edge*3/8*reach, p.edge/16*t.bricks.size)
}

// isParent tells whether the octants of an octant are about as large as bottom
// nodes.
func (p *opened) isParent(octant int) bool {
	size := p.batch.Size[octant]
	return p.limit < size && size <= 2*p.limit
}

// drawParents opens the octants of a node, up to the first that is not about as large
// as a bottom node, and draws those of their own octants that are bottom nodes: most of a
// picture goes through here. It returns whether some of an octant are left, which are
// then to be visited in q.
func (t *traverser) drawParents(p, q *opened) (left bool) {
	w := &t.bricks.bottom
	a, n := &w.parents, &w.all
	half := p.edge / 4
	t.setBottoms(p.level+2, p.nearest, half)
	a.Centre[0], a.Centre[1], a.Centre[2] = p.centre[0], p.centre[1], p.centre[2]
	a.Half, a.H, a.Limit = half, float32(half/2), p.limit
	a.First, a.Mask, a.Todo = p.node.First(), uint32(p.node.Mask()), uint32(p.todo)
	a.Low[0], a.Low[1], a.Low[2] = p.low[0], p.low[1], p.low[2] // as they were put: see putLow
	a.Info, a.Edge = n.Info, int32(p.edge/2)
	t.reserve(n, 8)
	t.kernels.DrawParents(&t.bricks.canvas, &p.batch, a, &q.batch, n, &t.bricks.fan.Offsets[p.nearest])
	t.commit(n)
	p.todo = uint8(a.Todo)

	s, opened := &t.stats, int(a.Opened)
	s.Opened += opened
	s.Batches += opened
	s.OrderInherited += opened
	s.Occluded += int(a.Hidden)
	s.Tested += int(a.Tested)
	s.Behind += int(a.Behind)
	s.Empty += int(a.Empty)
	s.Outside += int(a.Outside)
	t.countBottoms(n)
	if n.Todo == 0 {
		return false
	}
	octant := int(a.Last)
	q.id = p.node.Child(octant)
	q.node = t.tree.Nodes[q.id]
	q.level, q.edge = p.level+1, p.edge/2
	p.putLow(octant, &q.low)
	for c := range q.centre {
		q.centre[c] = p.centre[c] + float64(half*t.octants[octant][c])
	}
	q.todo, q.nearest = uint8(n.Todo), p.nearest
	q.order, q.crossed, q.cut, q.onScreen = p.order, false, false, false
	q.bottoms, q.parents, q.limit = true, false, n.Limit
	return true
}

// setBottoms sets up what bottom nodes of a level and of one order, which are so
// large, have in common.
func (t *traverser) setBottoms(level, nearest int, edge float64) {
	w := &t.bricks
	n := &w.bottom.all
	if w.bottom.level == level && w.bottom.nearest == nearest {
		return
	}
	w.bottom.level, w.bottom.nearest = level, nearest
	kind := t.bricksBelow(n, level)
	n.Nearest = uint32(nearest)
	n.Limit = t.bottomLimit(level)
	n.Edge = int32(edge)
	n.SetHalf(float32(edge/4*w.size), w.fine)
	n.Info = asm.PatchInfo(t.index, level, kind)
	w.fan.Aim(n, nearest)
}

// drawOctants draws the octants of a node that are bottom nodes; they are set up.
func (t *traverser) drawOctants(p *opened) {
	n := &t.bricks.bottom.all
	n.First, n.Mask, n.Todo = p.node.First(), uint32(p.node.Mask()), uint32(p.todo)
	n.Low[0], n.Low[1], n.Low[2] = p.low[0], p.low[1], p.low[2] // as they were put: see putLow
	t.strike(n, &p.batch)
	p.todo = uint8(n.Todo)
	t.countBottoms(n)
}

// countBottoms counts bottom nodes that were drawn.
func (t *traverser) countBottoms(n *asm.Bottoms) {
	s, opened, tested, drawn := &t.stats, int(n.Opened), int(n.Tested), int(n.Drawn)
	s.Opened += opened
	s.Batches += opened
	s.Bottoms += opened
	s.OrderInherited += opened
	s.Tested += tested
	s.Drawn += drawn
	s.Occluded += int(n.Hidden) + tested - drawn
}

// bricksBelow tells bottom nodes of a level where the tree has the bricks in them.
func (t *traverser) bricksBelow(n *asm.Bottoms, level int) ortho.Kind {
	n.Half = 0
	if level == t.tree.Depth-2 {
		n.Half = 1
		n.IDs, n.IDFrom = t.tree.GrandchildIDs(level)
		return ortho.HalfBricks
	}
	if n.IDs, n.IDFrom = t.tree.GrandchildIDs(level + 1); n.IDs == nil {
		return ortho.SharedBricks
	}
	return ortho.Bricks
}

// strike draws bottom nodes.
func (t *traverser) strike(n *asm.Bottoms, b *asm.Batch) {
	t.reserve(n, 1)
	t.kernels.DrawBottoms(&t.bricks.canvas, b, n, &t.bricks.fan.Offsets[n.Nearest])
	t.commit(n)
}

// reserve makes room for what is seen of the bottom nodes in so many nodes; commit
// takes over what was.
func (t *traverser) reserve(n *asm.Bottoms, nodes int) {
	c := &t.canvas
	c.Patches, c.Records = slices.Grow(c.Patches, 8*nodes), slices.Grow(c.Records, 8*8*nodes)
	n.Patches, n.NextPatch = c.Patches[:cap(c.Patches)], uint32(len(c.Patches))
	n.Records, n.NextRecord = c.Records[:cap(c.Records)], uint32(len(c.Records))
}

func (t *traverser) commit(n *asm.Bottoms) {
	c := &t.canvas
	c.Patches, c.Records = c.Patches[:n.NextPatch], c.Records[:n.NextRecord]
}

// drawBottom draws an octant that is a bottom node by itself.
func (t *traverser) drawBottom(r ortho.Rect, parent *opened, octant int) {
	w := &t.bricks.bottom
	n := &w.single
	level := parent.level + 1
	nearest, crossed := t.orderOf(parent, octant, parent.edge/2)
	id, node := t.tree.Child(parent.id, parent.node, parent.level, octant)
	mask := node.Mask()
	w.nodes[0] = uint64(svo.NewNode(0, mask))
	n.Nodes, n.First, n.Mask = w.nodes[:], 0, 1<<octant
	var kind ortho.Kind
	n.Bricks, n.IDs, kind = w.bricksOf(t.tree, id, node, level)
	n.Leaves = n.Bricks
	n.SetHalf(float32(parent.edge/8*t.bricks.size), t.bricks.fine)
	if parent.cut && parent.across>>octant&1 != 0 {
		mask = t.cutBricks(n, id, node, level, parent.lowOf(octant), kind)
	}
	n.Low, n.Edge = parent.low, int32(parent.edge/2)
	n.Info = asm.PatchInfo(t.index, level, kind)

	s := stroke{parent: parent, octant: octant, rect: r}
	if crossed {
		t.drawCrossed(&s, mask, nearest)
	} else {
		t.drawOrdered(&s, mask, nearest)
	}

	drawn, tested := bits.OnesCount8(uint8(s.seen)), bits.OnesCount8(mask)
	if t.see != nil {
		t.tellBricks(parent, octant, node, mask, s.seen)
	}
	t.stats.Batches++
	t.stats.Bottoms++
	t.stats.OrderInherited++
	t.stats.Tested += tested
	t.stats.Drawn += drawn
	t.stats.Occluded += tested - drawn
}

// everyPixel is all pixels of a window.
const everyPixel = 1<<64 - 1

// stroke is a single bottom node being drawn, an octant of a node.
type stroke struct {
	parent *opened
	octant int
	rect   ortho.Rect
	sector sector // of which only the pixels are drawn
	sides  sides
	seen   octants
}

// drawOrdered draws some bricks of a single bottom node in the order of an octant
// visited first.
func (t *traverser) drawOrdered(s *stroke, bricks uint8, nearest int) {
	w := &t.bricks
	n, b := &w.bottom.single, &s.parent.batch
	n.Only, n.Nearest = uint32(bricks), uint32(nearest)
	w.fan.Aim(n, nearest)
	inverse := 1 / b.Z[s.octant]
	w.fan.Make(&t.kernels, nearest, float32(b.X[s.octant]*inverse), float32(b.Y[s.octant]*inverse))
	const side = 8 // of the kernel's window
	if s.rect.X1-s.rect.X0 > side || s.rect.Y1-s.rect.Y0 > side {
		w.bottom.batch = *b
		b = &w.bottom.batch
	}
	for y := s.rect.Y0; y < s.rect.Y1; y += side {
		for x := s.rect.X0; x < s.rect.X1; x += side {
			b.X0[s.octant], b.X1[s.octant] = int32(x), int32(min(x+side, s.rect.X1))
			b.Y0[s.octant], b.Y1[s.octant] = int32(y), int32(min(y+side, s.rect.Y1))
			if n.Pixels = s.pixels(&t.pose.Rays, x, y); n.Pixels == 0 {
				continue
			}
			n.Todo = 1 << (s.octant ^ nearest)
			t.strike(n, b)
			s.seen |= octants(ortho.InOrder(uint8(n.Seen), nearest))
		}
	}
}

// bricksOf are the leaves of a node's octants, and the ids for their records.
func (w *bottomWalk) bricksOf(tree *svo.Tree, id uint32, node svo.Node, level int) ([]uint64, []uint32, ortho.Kind) {
	first := node.First()
	if level == tree.Depth-2 {
		n := 0
		for mask, leaves := node.Mask(), tree.Bricks[id]; mask != 0; mask &= mask - 1 {
			octant := bits.TrailingZeros8(mask)
			_, child := tree.Child(id, node, level, octant)
			w.words[n], w.ids[n] = asm.HalfBrick(uint8(leaves>>(8*octant))), child.First()
			n++
		}
		return w.words[:n], w.ids[:n], ortho.HalfBricks
	}
	if ids, from := tree.GrandchildIDs(level + 1); ids != nil {
		return tree.Bricks[first:], ids[first-from:], ortho.Bricks
	}
	for i := range w.ids {
		w.ids[i] = first + uint32(i)
	}
	return tree.Bricks[first:], w.ids[:], ortho.SharedBricks
}
