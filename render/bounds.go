package render

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
)

// Corners returns the corners of what can be seen of the scene, in world
// coordinates: eight for each instance that is not hidden or empty, those of
// the box around its voxels in the tree's own axes. project.Fit takes them.
func (s *Scene) Corners() []mgl64.Vec3 {
	var corners []mgl64.Vec3
	s.eachCorner(func(corner mgl64.Vec3) { corners = append(corners, corner) })
	return corners
}

// eachCorner visits Corners; of a million instances they take much memory.
func (s *Scene) eachCorner(visit func(mgl64.Vec3)) {
	for i := range s.Instances {
		instance := &s.Instances[i]
		if !instance.visible() {
			continue
		}
		low, high := instance.Tree.Bounds()
		for _, corner := range project.Corners(vec3(low), vec3(high)) {
			visit(mgl64.TransformCoordinate(corner, instance.Transform))
		}
	}
}

// Bounds returns the box around Corners. It is the box of the voxels
// themselves where every instance stands along the world's axes. Where nothing
// can be seen, ok is false.
func (s *Scene) Bounds() (low, high mgl64.Vec3, ok bool) {
	low = mgl64.Vec3{math.Inf(1), math.Inf(1), math.Inf(1)}
	high = low.Mul(-1)
	s.eachCorner(func(corner mgl64.Vec3) {
		for axis, c := range corner {
			low[axis], high[axis] = math.Min(low[axis], c), math.Max(high[axis], c)
		}
		ok = true
	})
	if !ok {
		return mgl64.Vec3{}, mgl64.Vec3{}, false
	}
	return low, high, true
}

func vec3(p [3]uint32) mgl64.Vec3 {
	return mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}
}
