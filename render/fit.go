package render

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/svo"
)

// Fit is project.Fit for what can be seen of the scene: the voxels themselves,
// not the boxes around them, span the wanted share of the picture. Nodes more
// than fitLevels below the root of their tree count as solid.
func (s *Scene) Fit(direction, up mgl64.Vec3, width, height int, fovY, fill float64) (project.Camera, error) {
	fit := func(points []mgl64.Vec3) (project.Camera, project.View, error) {
		camera, err := project.Fit(points, direction, up, width, height, fovY, fill)
		if err != nil {
			return camera, project.View{}, err
		}
		view, err := camera.View(width, height)
		return camera, view, err
	}
	low, high, ok := s.Bounds()
	if !ok {
		return project.Fit(nil, direction, up, width, height, fovY, fill)
	}
	box := project.Corners(low, high)
	camera, view, err := fit(box[:])
	if err != nil {
		return camera, err
	}
	// How near the eye comes depends only on the outermost points across the
	// planes that bound the frame, and these have the directions they will have
	// wherever the eye is.
	sides := [4]mgl64.Vec3{view.Right, view.Right.Mul(-1), view.Down, view.Down.Mul(-1)}
	points := []mgl64.Vec3{ // the nearest and the farthest, which Fit wants to know too
		s.outermost(quotient{top: view.Forward, bottom0: 1}), s.outermost(quotient{top: view.Forward.Mul(-1), bottom0: 1}),
	}
	for i, side := range sides {
		if !view.Parallel {
			half := float64(width)
			if i >= 2 {
				half = float64(height)
			}
			side = side.Sub(view.Forward.Mul(fill * half / 2 / view.Focal))
		}
		points = append(points, s.outermost(quotient{top: side, bottom0: 1}))
	}
	camera, view, err = fit(points)
	// Centring the other direction moves the eye sideways, and what is outermost
	// may change with that: add what is until nothing does.
	for rounds := 0; err == nil && !view.Parallel && rounds < 16; rounds++ {
		known := len(points)
		for _, side := range sides {
			p := s.outermost(quotient{side, -side.Dot(view.Eye), view.Forward, -view.Forward.Dot(view.Eye)})
			if !slices.Contains(points, p) {
				points = append(points, p)
			}
		}
		if len(points) == known {
			break
		}
		camera, view, err = fit(points)
	}
	return camera, err
}

// fitLevels is how many levels below the root Fit looks for the outermost
// voxels: a picture of usual size doesn't tell more, and trees may be endless.
const fitLevels = 13

// quotient is the function (top*p + top0) / (bottom*p + bottom0) of a point p.
// Where the denominator is positive all over a box, it is greatest at a corner.
type quotient struct {
	top     mgl64.Vec3
	top0    float64
	bottom  mgl64.Vec3
	bottom0 float64
}

// outermost returns the corner of a visible voxel where q is greatest, of those
// where its denominator is positive. It branches and bounds: a node is opened
// only if its corners promise more than what is found, the best one first.
func (s *Scene) outermost(q quotient) (found mgl64.Vec3) {
	most := math.Inf(-1)
	var open []hopeful
	for i := range s.Instances {
		instance := &s.Instances[i]
		if !instance.visible() {
			continue
		}
		search := search{tree: instance.Tree, transform: instance.Transform, q: q}
		root := hopeful{node: instance.Tree.Root(), edge: uint32(1) << instance.Tree.Depth}
		search.promise(&root)
		open = append(open[:0], root)
		for len(open) > 0 {
			c := open[len(open)-1]
			open = open[:len(open)-1]
			if c.promised <= most {
				continue
			}
			if c.level == instance.Tree.Depth || c.level == fitLevels {
				if !math.IsInf(c.promised, 1) {
					most, found = c.promised, c.at
				}
				continue
			}
			first := len(open)
			open = search.children(open, c)
			slices.SortFunc(open[first:], func(a, b hopeful) int { return cmp.Compare(a.promised, b.promised) })
		}
	}
	return found
}

// search is the search for the outermost voxel of one instance.
type search struct {
	tree      *svo.Tree
	transform mgl64.Mat4
	q         quotient
}

// hopeful is a node that may hold the outermost voxel.
type hopeful struct {
	id, edge uint32
	node     svo.Node
	min      [3]uint32
	level    int
	promised float64    // no voxel in it reaches more; infinite where there is no telling
	at       mgl64.Vec3 // where that is reached, if the node is solid
}

// children appends those of c.
func (s *search) children(list []hopeful, c hopeful) []hopeful {
	for octant := range 8 {
		if !c.node.Has(octant) {
			continue
		}
		child := hopeful{edge: c.edge / 2, min: c.min, level: c.level + 1}
		child.id, child.node = s.tree.Child(c.id, c.node, c.level, octant)
		for axis := range 3 {
			child.min[axis] += uint32(octant>>axis&1) * child.edge
		}
		s.promise(&child)
		list = append(list, child)
	}
	return list
}

// promise looks at the corners of a node, as far as it lies within the bounds
// of the tree's voxels.
func (s *search) promise(c *hopeful) {
	low, high := s.tree.Bounds()
	for axis := range 3 {
		high[axis] = min(high[axis], c.min[axis]+c.edge)
		low[axis] = max(low[axis], c.min[axis])
	}
	c.promised = math.Inf(-1)
	for _, corner := range project.Corners(vec3(low), vec3(high)) {
		p := mgl64.TransformCoordinate(corner, s.transform)
		bottom := s.q.bottom.Dot(p) + s.q.bottom0
		if !(bottom > 0) {
			c.promised = math.Inf(1)
			return
		}
		if v := (s.q.top.Dot(p) + s.q.top0) / bottom; v > c.promised {
			c.promised, c.at = v, p
		}
	}
}
