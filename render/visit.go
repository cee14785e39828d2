package render

import (
	"fmt"
	"math/bits"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/ortho"
	"github.com/cfef80af/eightfold/svo"
)

// Verdict is what became of a node that the traversal tested; Stats counts them
// under the same names.
type Verdict uint8

// The verdicts.
const (
	VerdictBehind   Verdict = iota // behind the near plane
	VerdictOutside                 // outside the tile
	VerdictEmpty                   // between the pixel centres
	VerdictSubpixel                // below Options.Subpixel
	VerdictOccluded                // all its pixels taken
	VerdictOpened                  // its octants were tested
	VerdictDrawn                   // taken for what its pixels see
)

var verdictNames = [...]string{"behind", "outside", "empty", "subpixel", "occluded", "opened", "drawn"}

// String is the verdict's name.
func (v Verdict) String() string {
	if int(v) >= len(verdictNames) {
		return fmt.Sprintf("Verdict(%d)", int(v))
	}
	return verdictNames[v]
}

// Visit is one node tested.
type Visit struct {
	Instance int32    // index into Scene.Instances
	ID       uint32   // the node's in the instance's tree
	Low      [3]int32 // its lower corner in the tree's voxels
	Edge     float64  // its size in voxels
	Level    int      // 0 the root
	Verdict  Verdict
	// Rect is the pixels that it may cover within the tile; empty where nothing
	// of it is visible.
	Rect ortho.Rect
}

// covers tells whether the node, reaching so many pixels beyond its rectangle,
// may cover a pixel.
func (v *Visit) covers(x, y, reach int) bool {
	return v.Rect.X0-reach <= x && x < v.Rect.X1+reach && v.Rect.Y0-reach <= y && y < v.Rect.Y1+reach
}

// The traverser tells of nodes in the order in which it gives its verdicts, if
// somebody watches.

func (t *traverser) tell(parent *opened, octant int, verdict Verdict, r ortho.Rect) {
	t.see(&Visit{
		Instance: t.index, ID: parent.node.Child(octant), Low: parent.lowOf(octant), Edge: parent.edge / 2,
		Level: parent.level + 1, Verdict: verdict, Rect: r,
	})
}

func (t *traverser) tellRoot(verdict Verdict, r ortho.Rect) {
	t.see(&Visit{Instance: t.index, Edge: float64(int64(1) << t.tree.Depth), Verdict: verdict, Rect: r})
}

// tellHidden tells of the octants in mask that are not visible.
func (t *traverser) tellHidden(p *opened, mask uint8) {
	b := &p.batch
	for mask &^= b.Visible; mask != 0; mask &= mask - 1 {
		octant, verdict := bits.TrailingZeros8(mask), VerdictOutside
		switch {
		case b.Behind>>octant&1 != 0:
			verdict = VerdictBehind
		case b.Empty>>octant&1 != 0:
			verdict = VerdictEmpty
		}
		t.tell(p, octant, verdict, ortho.Rect{})
	}
}

// tellBricks tells of the bricks in mask of a bottom node.
func (t *traverser) tellBricks(parent *opened, octant int, node svo.Node, mask uint8, drawn octants) {
	bottom := opened{node: node, level: parent.level + 1, low: parent.lowOf(octant), edge: parent.edge / 2}
	bottom.nearest, _ = t.orderOf(parent, octant, bottom.edge)
	for i := range 8 {
		if o := i ^ bottom.nearest; mask>>o&1 != 0 {
			t.tell(&bottom, o, drawn.verdict(o), t.rectOf(bottom.lowOf(o), bottom.edge/2))
		}
	}
}

// tellOctants tells of a node's octants whose leaves were drawn, and of these.
func (t *traverser) tellOctants(p *opened, l *asm.Leaves) {
	for i, o := range p.order {
		switch {
		case p.todo>>i&1 == 0:
		case l.Open>>i&1 == 0:
			t.tell(p, int(o), VerdictOccluded, p.rect(int(o)))
		default:
			t.tell(p, int(o), VerdictOpened, p.rect(int(o)))
			node := svo.NewNode(l.First[i], uint8(t.tree.Bricks[p.id]>>(8*o)))
			t.tellLeaves(node, p.lowOf(int(o)), uint8(l.Draw>>(8*o)), octants(l.Seen[i]))
		}
	}
}

// tellLeaves tells of the leaves in mask of a node that begins at low, and which
// of them are drawn.
func (t *traverser) tellLeaves(node svo.Node, low [3]int32, mask uint8, drawn octants) {
	leaves := opened{node: node, level: t.tree.Depth - 1, low: low, edge: 2}
	nearest, _ := t.pose.Rays.Nearest(low, 2)
	for i := range 8 {
		if o := i ^ nearest; mask>>o&1 != 0 {
			t.tell(&leaves, o, drawn.verdict(o), t.rectOf(leaves.lowOf(o), 1))
		}
	}
}

// octants is a set of octants of a node.
type octants uint8

func (s octants) verdict(octant int) Verdict {
	if s>>octant&1 != 0 {
		return VerdictDrawn
	}
	return VerdictOccluded
}

// rectOf is the part of the tile that a cube may cover: the kernel that draws
// bricks doesn't tell.
func (t *traverser) rectOf(low [3]int32, edge float64) ortho.Rect {
	var from, to [3]uint32
	for k := range 3 {
		from[k], to[k] = uint32(low[k]), uint32(low[k])+uint32(edge)
	}
	b := t.pose.Bounds(from, to)
	return ortho.Rect{
		X0: max(b.X0, int(t.lens.ClipX0)), X1: min(b.X1, int(t.lens.ClipX1)),
		Y0: max(b.Y0, int(t.lens.ClipY0)), Y1: min(b.Y1, int(t.lens.ClipY1)),
	}
}
