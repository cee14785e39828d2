package ortho

import (
	"math"
	"math/bits"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/project"
)

// The traversal writes four bytes a pixel, a Ref, and keeps what many pixels
// share in two lists: a Record for each node or brick that some pixel sees, and
// a Patch for the node that held it. Where, how deep and of what colour a pixel
// is gets found out afterwards, once a pixel.

// Ref tells what a pixel sees: the index of a record and a part (0 to 63) whose
// meaning depends on the record's patch. 0 is nothing.
type Ref = asm.Ref

// NewRef names part (0 to 63) of a record.
func NewRef(record, part int) Ref { return Ref(record<<6 | part) }

// Record is one node of a patch that some pixel sees, or one of its bricks.
type Record = asm.Record

// NewPlace names an octant (0 to 7) of a patch.
func NewPlace(patch, octant int) uint32 { return uint32(patch<<3 | octant) }

// Kind tells what the octants of a patch, and the parts of a Ref, are.
type Kind = asm.Kind

// The kinds of patches, see asm.
const (
	Single       = asm.Single
	Bricks       = asm.Bricks
	SharedBricks = asm.SharedBricks
	HalfBricks   = asm.HalfBricks
	LeafCubes    = asm.LeafCubes
)

// Patch is a node drawn at once.
type Patch = asm.Patch

// Surface is the node or leaf that a pixel sees.
type Surface struct {
	Instance int32
	ID       uint32   // its id in the instance's tree
	Low      [3]int32 // its lower corner in voxels
	Edge     float64  // its size in voxels
	Level    uint8
	Face     int8 // the face seen, -1 if the drawing didn't tell
}

// InstanceOf is whom a pixel sees; r must not be 0.
func (c *Canvas) InstanceOf(r Ref) int32 {
	return c.Patches[c.Patch(r)].Instance()
}

// Surface looks up what a pixel sees; r must not be 0.
func (c *Canvas) Surface(r Ref) Surface {
	s := c.cube(r)
	s.ID, _ = c.ID(r)
	return s
}

// whole is the node that a patch is, without its id.
func (c *Canvas) whole(patch int) Surface {
	p := &c.Patches[patch]
	s := Surface{Instance: p.Instance(), Low: p.Low, Level: uint8(p.Level()), Face: -1}
	s.Edge = float64(int64(1) << (c.trees[s.Instance].Depth - p.Level()))
	return s
}

// cube is a surface without its id.
func (c *Canvas) cube(r Ref) Surface {
	record := &c.Records[r>>6]
	patch := int(record.Place >> 3)
	s, kind := c.whole(patch), c.Patches[patch].Kind()
	octant, part := int(record.Place&7), int(r&63)
	if kind != Single && kind != LeafCubes {
		s.moveTo(octant)
	}
	switch kind {
	case Bricks, SharedBricks:
		s.moveTo(part >> 3)
		s.moveTo(part & 7)
	case HalfBricks:
		s.moveTo(part >> 3)
	case LeafCubes:
		s.moveTo(part >> 3)
		s.Face = int8(part & 7)
	}
	return s
}

// ID is the id of what a pixel sees, and the instance; r must not be 0.
func (c *Canvas) ID(r Ref) (id uint32, instance int32) {
	record := &c.Records[r>>6]
	p := &c.Patches[record.Place>>3]
	id, instance = record.ID, p.Instance()
	part := int(r & 63)
	switch p.Kind() {
	case Bricks:
		id += below(record.Leaves, part)
	case SharedBricks:
		nodes := c.trees[instance].Nodes
		id = nodes[nodes[id].Child(part>>3)].Child(part & 7)
	case HalfBricks, LeafCubes:
		id += below(record.Leaves, part&^7) / 8
	}
	return id, instance
}

// below counts the leaves of a brick before a part.
func below(leaves uint64, part int) uint32 { return uint32(bits.OnesCount64(leaves & (1<<part - 1))) }

// moveTo makes a surface one of its octants.
func (s *Surface) moveTo(octant int) {
	s.Level++
	s.Edge /= 2
	half := int32(s.Edge)
	s.Low[0] += half * int32(octant&1)
	s.Low[1] += half * int32(octant>>1&1)
	s.Low[2] += half * int32(octant>>2&1)
}

// Depth is the depth of a surface at the centre of pixel (x, y). Where the ray
// passes the cube by, as it may at level of detail, it is the depth of the last
// plane of the faces towards the eye that it meets, within the cube's depths.
func (c *Canvas) Depth(s *Surface, x, y int) float64 {
	pose := &c.poses[s.Instance]
	depth, _, hit := pose.Rays.Hit(s.Low, s.Edge, x, y)
	if !hit {
		centre, reach := depths(pose, s)
		depth = math.Max(centre-reach, math.Min(centre+reach, depth))
	}
	return depth
}

// depths are the depth of a surface's centre, and how far its others are from
// that at most.
func depths(pose *project.Pose, s *Surface) (centre, reach float64) {
	half := s.Edge / 2
	return pose.Depth(float64(s.Low[0])+half, float64(s.Low[1])+half, float64(s.Low[2])+half), half * pose.HalfExtents()[2]
}
