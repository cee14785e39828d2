package render

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/ortho"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/svo"
)

// Section cuts a scene open by a plane: voxels whose centre p, in world
// coordinates, has Normal·p < Offset are not there. The normal points to what is
// kept and may have any length; the zero Section cuts nothing.
//
// Where nodes are drawn instead of voxels, the plane is as sharp as their
// grandchildren: a node is drawn if it may hold a voxel that is there.
type Section struct {
	Normal mgl64.Vec3
	Offset float64
}

// cuts tells whether there is a plane at all.
func (s *Section) cuts() bool { return s.Normal != mgl64.Vec3{} }

func (s *Section) check() error {
	for _, f := range [4]float64{s.Normal[0], s.Normal[1], s.Normal[2], s.Offset} {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("section: normal %v and offset %g must be finite numbers", s.Normal, s.Offset)
		}
	}
	return nil
}

// halfSpace is a section in the coordinates of a tree. Its function of a point,
// normal·p + offset, is at least 0 for what is there.
type halfSpace struct {
	normal [3]float64
	offset float64
	spread float64 // half of how much the function differs within a cube of edge 1
}

// onPlane is how far, in voxels, a centre may lie beyond the plane to lie on it:
// rounding alone must not decide.
const onPlane = 1e-9

// unit is the section with a normal that is neither long nor short, so that
// products stay in range. It takes a power of two, which loses nothing.
func (s *Section) unit() (normal mgl64.Vec3, offset float64) {
	_, exponent := math.Frexp(math.Max(math.Abs(s.Normal[0]), math.Max(math.Abs(s.Normal[1]), math.Abs(s.Normal[2]))))
	for k := range normal {
		normal[k] = math.Ldexp(s.Normal[k], -exponent)
	}
	return normal, math.Ldexp(s.Offset, -exponent)
}

// halfSpace takes the section to the coordinates of an instance's tree.
func (s *Section) halfSpace(i *Instance) (h halfSpace) {
	normal, offset := s.unit()
	h.offset = normal.Dot(i.Transform.Col(3).Vec3()) - offset
	for k := range 3 {
		h.normal[k] = normal.Dot(i.Transform.Col(k).Vec3())
		h.spread += math.Abs(h.normal[k]) / 2
	}
	h.offset += onPlane * h.spread
	return h
}

// removes tells whether nothing of an instance is there.
func (s *Section) removes(i *Instance) bool {
	h := s.halfSpace(i)
	return h.gone([3]int32{}, math.Ldexp(1, i.Tree.Depth))
}

// at is the function at the centre of a cube.
func (h *halfSpace) at(low [3]int32, edge float64) float64 {
	half := edge / 2
	v := h.offset
	for k := range 3 {
		v += float64(h.normal[k] * (float64(low[k]) + half))
	}
	return v
}

// reach is by how much the function at the centres of the voxels of a node
// differs from that at its own.
func (h *halfSpace) reach(edge float64) float64 { return h.spread * (edge - 1) }

// gone tells whether no voxel of a node is there, whatever it holds.
func (h *halfSpace) gone(low [3]int32, edge float64) bool { return h.at(low, edge)+h.reach(edge) < 0 }

// cut is the section through the instance being drawn.
type cut struct {
	halfSpace
	// octant is the function at the centre of each octant, less that at the
	// node's, for a node of edge 1.
	octant [8]float64
	// ranks are the same of the 64 octants of the octants, ascending, and above
	// the bits (as in svo.Tree.Bricks) of those from a rank on.
	ranks [64]float64
	above [65]uint64
}

// prepare sets up the walk through an instance. crosses is false where the plane
// passes it by, there where it is on the right side of it.
func (c *cut) prepare(s *Section, i *Instance) (there, crosses bool) {
	c.halfSpace = s.halfSpace(i)
	edge := math.Ldexp(1, i.Tree.Depth)
	at, reach := c.at([3]int32{}, edge), c.reach(edge)
	if at+reach < 0 || at-reach >= 0 {
		return at+reach >= 0, false
	}
	var order [64]uint8
	var offsets [64]float64
	for o := range c.octant {
		c.octant[o] = 0
		for k := range 3 {
			c.octant[o] += float64(o>>k&1*2-1) * c.normal[k] / 4
		}
	}
	for bit := range offsets {
		order[bit], offsets[bit] = uint8(bit), c.octant[bit>>3]+c.octant[bit&7]/2
	}
	slices.SortFunc(order[:], func(a, b uint8) int { return cmp.Compare(offsets[a], offsets[b]) })
	c.above[64] = 0
	for rank := 63; rank >= 0; rank-- {
		bit := order[rank]
		c.ranks[rank], c.above[rank] = offsets[bit], c.above[rank+1]|1<<bit
	}
	return true, true
}

// grandchildren are those of a node, of which some voxel may be there; at is the
// function at the node's centre.
func (c *cut) grandchildren(at, edge float64) uint64 {
	least := (-c.reach(edge/4) - at) / edge
	rank := 0
	for step := 32; step > 0; step /= 2 {
		if c.ranks[rank+step-1] < least {
			rank += step
		}
	}
	if rank == 63 && c.ranks[63] < least {
		rank = 64
	}
	return c.above[rank]
}

// holds tells whether a node may hold a voxel that is there, from as far as its
// grandchildren tell.
func (c *cut) holds(tree *svo.Tree, id uint32, node svo.Node, level int, low [3]int32) bool {
	edge := math.Ldexp(1, tree.Depth-level)
	at := c.at(low, edge)
	switch tree.Depth - level {
	case 0:
		return at >= 0
	case 1:
		return c.octants(node.Mask(), at, edge) != 0
	}
	return tree.Bricks[id]&c.grandchildren(at, edge) != 0
}

// octants leaves of a mask those octants of a node of which some voxel may be
// there.
func (c *cut) octants(mask uint8, at, edge float64) uint8 {
	reach := c.reach(edge / 2)
	for rest := mask; rest != 0; rest &= rest - 1 {
		if o := bits.TrailingZeros8(rest); at+float64(edge*c.octant[o])+reach < 0 {
			mask &^= 1 << o
		}
	}
	return mask
}

// cutOpen sets up the section through an instance. It returns whether there is
// anything left of it.
func (t *traverser) cutOpen(index int32, bounds *project.Bounds) (there bool) {
	i := &t.scene.Instances[index]
	there, t.crossed = t.cut.prepare(&t.scene.Section, i)
	if t.crossed && t.rootIsSmall(bounds) {
		return t.cut.holds(i.Tree, 0, i.Tree.Root(), 0, [3]int32{})
	}
	return there
}

// cutOctants leaves of the octants of a node that the plane crosses those that
// are there, and notes which of them it crosses.
func (t *traverser) cutOctants(p *opened, mask uint8) uint8 {
	at, reach := t.cut.at(p.low, p.edge), t.cut.reach(p.edge/2)
	mask = t.cut.octants(mask, at, p.edge)
	p.across = 0
	for rest := mask; rest != 0; rest &= rest - 1 {
		o := bits.TrailingZeros8(rest)
		if at+float64(p.edge*t.cut.octant[o])-reach >= 0 {
			continue
		}
		p.across |= 1 << o
		if t.core == CoreClassic && p.small>>o&1 != 0 {
			if id, node := t.tree.Child(p.id, p.node, p.level, o); !t.cut.holds(t.tree, id, node, p.level+1, p.lowOf(o)) {
				mask &^= 1 << o
			}
		}
	}
	return mask
}

// cutLeaves leaves of the leaves of a node's octants, which the plane crosses, those
// that are there.
func (t *traverser) cutLeaves(p *opened, leaves uint64) uint64 {
	for rest := p.across; rest != 0; rest &= rest - 1 {
		o := bits.TrailingZeros8(rest)
		left := t.cut.octants(0xff, t.cut.at(p.lowOf(o), p.edge/2), p.edge/2)
		leaves &^= uint64(^left) << (8 * o)
	}
	return leaves
}

// cutBricks takes out of the bricks of a bottom node, which the plane crosses,
// the leaves that are not there. It returns the octants of which something is
// left.
func (t *traverser) cutBricks(b *asm.Bottoms, id uint32, node svo.Node, level int, low [3]int32, kind ortho.Kind) (left uint8) {
	w, c := &t.bricks.bottom, &t.cut
	edge := math.Ldexp(1, t.tree.Depth-level)
	at, reach := c.at(low, edge), c.reach(edge/2)
	mask := node.Mask()
	copy(w.whole[:], b.Bricks[:bits.OnesCount8(mask)])
	for n := 0; mask != 0; mask &= mask - 1 {
		o := bits.TrailingZeros8(mask)
		word, here := w.whole[n], at+float64(edge*c.octant[o])
		switch {
		case here+reach < 0:
			word = 0
		case here-reach >= 0:
		case kind == ortho.HalfBricks:
			word &= asm.HalfBrick(c.octants(0xff, here, edge/2))
		case edge == 8: // its leaves are voxels
			word &= c.grandchildren(here, edge/2)
		default:
			brick, brickNode := t.tree.Child(id, node, level, o)
			word &= t.cutBrick(brick, brickNode, level+1, here, edge/2)
		}
		w.words[n] = word
		if n++; word != 0 {
			left |= 1 << o
		}
	}
	b.Bricks, b.Leaves = w.words[:], w.whole[:]
	return left
}

// cutBrick are the leaves of a brick, nodes themselves, of which something may
// be there.
func (t *traverser) cutBrick(id uint32, node svo.Node, level int, at, edge float64) (left uint64) {
	c := &t.cut
	reach := c.reach(edge / 2)
	for mask := node.Mask(); mask != 0; mask &= mask - 1 {
		o := bits.TrailingZeros8(mask)
		here := at + float64(edge*c.octant[o])
		switch {
		case here+reach < 0:
		case here-reach >= 0:
			left |= 0xff << (8 * o)
		default:
			child, _ := t.tree.Child(id, node, level, o)
			left |= uint64(nonZeroBytes(t.tree.Bricks[child]&c.grandchildren(here, edge/2))) << (8 * o)
		}
	}
	return left
}

// nonZeroBytes has bit o set where byte o is not 0.
func nonZeroBytes(word uint64) uint8 {
	const low7, firstBits = 0x7f7f7f7f7f7f7f7f, 0x0101010101010101
	set := ((word&low7 + low7) | word) >> 7 & firstBits
	return uint8(set * 0x0102040810204080 >> 56)
}
