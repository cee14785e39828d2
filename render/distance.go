package render

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/svo"
)

// Distance returns how far a point is from the nearest voxel of the scene, in
// world units: 0 inside of one. Far away it may be a hundredth short, since nodes
// that small count as solid. ok is false where nothing can be seen.
func (s *Scene) Distance(point mgl64.Vec3) (distance float64, ok bool) {
	distance = math.Inf(1)
	for i := range s.Instances {
		instance := &s.Instances[i]
		if !instance.visible() {
			continue
		}
		if s := instance.sphere(); s.centre.Sub(point).Len()-s.radius >= distance {
			continue
		}
		n := newNearby(instance, point, distance)
		if n.cuts = s.Section.cuts(); n.cuts {
			n.there = s.Section.halfSpace(instance)
		}
		n.descend(0, instance.Tree.Root(), 0, [3]int32{}, n.to([3]int32{}, math.Ldexp(1, instance.Tree.Depth)))
		distance = n.least
	}
	return distance, !math.IsInf(distance, 1)
}

// solidBelow is the size of a node, by its distance, below which it is solid.
const solidBelow = 1. / 128

// nearby searches one tree for the leaf nearest to a point.
type nearby struct {
	tree  *svo.Tree
	point mgl64.Vec3    // from the tree's origin, along the world's axes
	axes  [3]mgl64.Vec3 // the tree's in the world
	gram  [3][3]float64 // their products
	edge  float64       // of a voxel, the longest
	cuts  bool          // a section does
	there halfSpace
	least float64
}

func newNearby(i *Instance, point mgl64.Vec3, least float64) (n nearby) {
	n.tree, n.point, n.least = i.Tree, point.Sub(i.Transform.Col(3).Vec3()), least
	for k := range 3 {
		n.axes[k] = i.Transform.Col(k).Vec3()
		n.edge = math.Max(n.edge, n.axes[k].Len())
	}
	for j := range 3 {
		for k := range 3 {
			n.gram[j][k] = n.axes[j].Dot(n.axes[k])
		}
	}
	return n
}

// settlings is how often the nearest point of a sheared cube is improved.
const settlings = 24

// to is the distance of the point to a cube. Where the axes are at right angles,
// the nearest point is found axis by axis; in a sheared cube each axis disturbs
// the others, and it is approached by going round.
func (n *nearby) to(low [3]int32, edge float64) float64 {
	corner := n.point
	for k := range 3 {
		corner = corner.Sub(n.axes[k].Mul(float64(low[k])))
	}
	var at [3]float64
	for round := range settlings {
		moved := 0.0
		for k := range 3 {
			along := corner.Dot(n.axes[k])
			for j := range 3 {
				if j != k {
					along -= at[j] * n.gram[j][k]
				}
			}
			new := math.Max(0, math.Min(edge, along/n.gram[k][k]))
			moved = math.Max(moved, math.Abs(new-at[k]))
			at[k] = new
		}
		if round > 0 && moved < 1e-9*edge {
			break
		}
	}
	for k := range 3 {
		corner = corner.Sub(n.axes[k].Mul(at[k]))
	}
	return corner.Len()
}

// descend looks into a node at a distance, its nearest octants first.
func (n *nearby) descend(id uint32, node svo.Node, level int, low [3]int32, distance float64) {
	if distance >= n.least {
		return
	}
	edge := math.Ldexp(1, n.tree.Depth-level)
	if level == n.tree.Depth || edge*n.edge < solidBelow*distance {
		n.least = distance
		return
	}
	var distances [8]float64
	var corners [8][3]int32
	left := node.Mask()
	for octant := range 8 {
		distances[octant], corners[octant] = math.Inf(1), low
		for k := range 3 {
			corners[octant][k] += int32(edge/2) * int32(octant>>k&1)
		}
		if n.cuts && n.there.gone(corners[octant], edge/2) {
			left &^= 1 << octant
		} else if node.Has(octant) {
			distances[octant] = n.to(corners[octant], edge/2)
		}
	}
	for left != 0 {
		nearest := -1
		for octant := range 8 {
			if left>>octant&1 != 0 && (nearest < 0 || distances[octant] < distances[nearest]) {
				nearest = octant
			}
		}
		left &^= 1 << nearest
		child, childNode := n.tree.Child(id, node, level, nearest)
		n.descend(child, childNode, level+1, corners[nearest], distances[nearest])
	}
}
