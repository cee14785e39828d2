package navigate

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/svo"
)

// surfaceLevels is how many levels below the root a surface is looked for;
// trees may be endless.
const surfaceLevels = 16

// Nearest is the distance from a point to the nearest voxel of a scene, in
// world units; infinite where there is none, 0 inside one. Where an instance is
// stretched unevenly it is the least that the distance may be.
func Nearest(scene *render.Scene, point mgl64.Vec3) float64 {
	best := math.Inf(1)
	for i := range scene.Instances {
		instance := &scene.Instances[i]
		if instance.Hidden || instance.Tree == nil || len(instance.Tree.Nodes) == 0 {
			continue
		}
		linear := instance.Transform.Mat3()
		scale := leastScale(linear)
		if !(scale > 0) {
			continue
		}
		local := solve(linear, point.Sub(instance.Transform.Col(3).Vec3()))
		low, high := instance.Tree.Bounds()
		if boxDistance(local, vec(low), vec(high))*scale >= best {
			continue
		}
		search := surface{tree: instance.Tree, point: local, best: best / scale}
		search.visit(0, instance.Tree.Root(), 0, mgl64.Vec3{})
		best = math.Min(best, search.best*scale)
	}
	return best
}

// solve returns the vector that m takes to v. The library's inverse takes the
// small determinants of finely divided models for zero.
func solve(m mgl64.Mat3, v mgl64.Vec3) mgl64.Vec3 {
	x, y, z := m.Col(0), m.Col(1), m.Col(2)
	volume := x.Dot(y.Cross(z))
	return mgl64.Vec3{y.Cross(z).Dot(v) / volume, z.Cross(x).Dot(v) / volume, x.Cross(y).Dot(v) / volume}
}

// leastScale is a lower bound of how much a transform stretches a vector, exact
// where it stretches all alike.
func leastScale(m mgl64.Mat3) float64 {
	x, y, z := m.Col(0), m.Col(1), m.Col(2)
	least := math.Min(x.Len(), math.Min(y.Len(), z.Len()))
	const skew = 1e-9
	if bound := skew * least * least; math.Abs(x.Dot(y)) <= bound && math.Abs(y.Dot(z)) <= bound && math.Abs(z.Dot(x)) <= bound {
		return least
	}
	largest := math.Sqrt(x.Dot(x) + y.Dot(y) + z.Dot(z)) // the norm bounds each singular value
	return math.Abs(m.Det()) / (largest * largest)
}

// surface looks for the voxel nearest to a point, both in a tree's voxels.
type surface struct {
	tree  *svo.Tree
	point mgl64.Vec3
	best  float64
}

// visit opens the octants that may be nearer than the best found, the nearest first.
func (s *surface) visit(id uint32, node svo.Node, level int, low mgl64.Vec3) {
	half := math.Ldexp(1, s.tree.Depth-level-1)
	type near struct {
		octant   int
		low      mgl64.Vec3
		distance float64
	}
	var children [8]near
	list := children[:0]
	for octant := range 8 {
		if !node.Has(octant) {
			continue
		}
		corner := low
		for axis := range 3 {
			corner[axis] += half * float64(octant>>axis&1)
		}
		d := boxDistance(s.point, corner, corner.Add(mgl64.Vec3{half, half, half}))
		list = append(list, near{octant, corner, d})
	}
	slices.SortFunc(list, func(a, b near) int {
		switch {
		case a.distance < b.distance:
			return -1
		case a.distance > b.distance:
			return 1
		}
		return a.octant - b.octant
	})
	for _, c := range list {
		if c.distance >= s.best {
			return
		}
		if level+1 == s.tree.Depth || level+1 == surfaceLevels {
			s.best = c.distance
			return
		}
		childID, child := s.tree.Child(id, node, level, c.octant)
		s.visit(childID, child, level+1, c.low)
	}
}

// boxDistance is how far a point is from a box.
func boxDistance(p, low, high mgl64.Vec3) float64 {
	var away mgl64.Vec3
	for axis := range 3 {
		away[axis] = math.Max(0, math.Max(low[axis]-p[axis], p[axis]-high[axis]))
	}
	return away.Len()
}

func vec(p [3]uint32) mgl64.Vec3 {
	return mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}
}
