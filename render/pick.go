package render

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/svo"
)

// Hit is what a pixel sees, and where.
type Hit struct {
	VoxelRef
	Name string // of the instance
	Face Face   // by which the ray enters
	// Point is where the ray meets the surface, Centre the middle of the voxel,
	// both in world coordinates.
	Point, Centre mgl64.Vec3
	// Depth is the distance along the direction of view, as in Frame.Depth,
	// Distance that along the ray: from the eye, or in a parallel projection
	// from the plane in which it lies.
	Depth, Distance float64
	// Normal is the face's in the world, or the voxel's own where it has one.
	Normal   mgl64.Vec3
	Colour   svo.Colour
	Material uint8 // palette index, 0 where the tree has none
}

// Pick returns what pixel (x, y) of a picture of width x height pixels sees:
// always a voxel, whatever the level of detail. It casts one ray and draws
// nothing. ok is false where there is nothing to be seen. It fails where Draw
// would.
func Pick(s *Scene, c project.Camera, width, height, x, y int) (hit Hit, ok bool, err error) {
	view, err := c.View(width, height)
	if err != nil {
		return Hit{}, false, err
	}
	if err := s.Section.check(); err != nil {
		return Hit{}, false, err
	}
	origin, direction := view.Ray(x, y)
	var best struct {
		found caught
		pose  project.Pose
		index int
	}
	for i := range s.Instances {
		instance := &s.Instances[i]
		if !instance.visible() || !instance.sphere().meets(origin, direction) {
			continue
		}
		pose, err := project.NewPose(view, instance.Transform, instance.Tree.Depth)
		if err != nil {
			return Hit{}, false, fmt.Errorf("instance %d (%q): %w", i, instance.Name, err)
		}
		ray := ray{tree: instance.Tree, rays: &pose.Rays, x: x, y: y, limit: math.Inf(1), cuts: s.Section.cuts()}
		if ray.cuts {
			ray.there = s.Section.halfSpace(instance)
		}
		if !view.Parallel {
			ray.first = 0
		} else {
			ray.first = math.Inf(-1)
		}
		slack := 0.0
		if ok {
			slack = pickTie * math.Abs(best.found.depth)
			ray.limit = best.found.depth + slack
		}
		if !ray.cast() || ok && !s.LaterWins && ray.found.depth >= best.found.depth-slack {
			continue
		}
		best.found, best.pose, best.index, ok = ray.found, pose, i, true
	}
	if !ok {
		return Hit{}, false, nil
	}
	f := &best.found
	ref := VoxelRef{Instance: int32(best.index), ID: f.id, Min: f.low, Level: uint8(s.Instances[best.index].Tree.Depth)}
	return s.hit(view, &best.pose, ref, f.face, f.depth, x, y), true, nil
}

// sphere holds an instance's voxels, in world coordinates: of many instances, it
// rules out most with little work.
type sphere struct {
	centre mgl64.Vec3
	radius float64
}

func (i *Instance) sphere() (s sphere) {
	low, high := i.Tree.Bounds()
	s.centre = i.Transform.Col(3).Vec3()
	for k := range 3 {
		axis := i.Transform.Col(k).Vec3()
		s.centre = s.centre.Add(axis.Mul((float64(low[k]) + float64(high[k])) / 2))
		s.radius += axis.Len() * (float64(high[k]) - float64(low[k])) / 2
	}
	return s
}

// meets tells whether a line may pass through the sphere; rounding doesn't rule it
// out.
func (s sphere) meets(origin, direction mgl64.Vec3) bool {
	to := s.centre.Sub(origin)
	length := direction.Dot(direction)
	along := to.Dot(direction) / length
	apart := to.Sub(direction.Mul(along)).Len()
	return !(apart > s.radius*(1+1e-9)+1e-9*to.Len())
}

// pickTie is the relative difference of depths below which two surfaces lie at
// the same place, as when a picture is drawn.
const pickTie = 1e-9

// Pick returns what pixel (x, y) of the frame sees, which at level of detail may
// be a node that holds many voxels. The scene and the camera are those that it
// was drawn from. It fails where the frame lacks PlaneVoxel, PlaneDepth or
// PlaneFace, or the pixel is none of its.
func (f *Frame) Pick(s *Scene, c project.Camera, x, y int) (hit Hit, ok bool, err error) {
	if f.Voxel == nil || f.Depth == nil || f.Face == nil {
		return Hit{}, false, fmt.Errorf("pick: the frame lacks a plane: ask for PlaneVoxel, PlaneDepth and PlaneFace in Options.Planes")
	}
	if x < 0 || y < 0 || x >= f.Width || y >= f.Height {
		return Hit{}, false, fmt.Errorf("pick: pixel (%d, %d) is outside the frame of %dx%d", x, y, f.Width, f.Height)
	}
	i := y*f.Width + x
	ref := f.Voxel[i]
	if ref.Instance < 0 {
		return Hit{}, false, nil
	}
	if int(ref.Instance) >= len(s.Instances) || s.Instances[ref.Instance].Tree == nil {
		return Hit{}, false, fmt.Errorf("pick: the frame shows instance %d, which the scene doesn't have", ref.Instance)
	}
	instance := &s.Instances[ref.Instance]
	view, err := c.View(f.Width, f.Height)
	if err != nil {
		return Hit{}, false, err
	}
	pose, err := project.NewPose(view, instance.Transform, instance.Tree.Depth)
	if err != nil {
		return Hit{}, false, err
	}
	return s.hit(view, &pose, ref, f.Face[i], float64(f.Depth[i]), x, y), true, nil
}

// hit tells all there is to know of a voxel at a depth.
func (s *Scene) hit(v project.View, p *project.Pose, ref VoxelRef, face Face, depth float64, x, y int) Hit {
	instance := &s.Instances[ref.Instance]
	tree := instance.Tree
	origin, direction := v.Ray(x, y)
	half := math.Ldexp(1, tree.Depth-int(ref.Level)) / 2
	low := mgl64.Vec3{float64(ref.Min[0]), float64(ref.Min[1]), float64(ref.Min[2])}
	h := Hit{
		VoxelRef: ref, Name: instance.Name, Face: face, Colour: tree.Colours[ref.ID],
		Point: origin.Add(direction.Mul(depth)), Depth: depth, Distance: depth * direction.Len(),
		Centre: mgl64.TransformCoordinate(low.Add(mgl64.Vec3{half, half, half}), instance.Transform),
		Normal: p.Normal(faceNormals[face]),
	}
	if tree.Normals != nil && tree.Normals[ref.ID] != 0 {
		h.Normal = p.Normal(octahedron(tree.Normals[ref.ID]))
		if h.Normal.Dot(v.Forward) > 0 {
			h.Normal = h.Normal.Mul(-1)
		}
	}
	if tree.Materials != nil {
		h.Material = tree.Materials[ref.ID]
	}
	return h
}

// caught is the leaf that a ray meets.
type caught struct {
	id    uint32
	low   [3]int32
	face  Face
	depth float64
}

// ray is a pixel's ray on its way through one tree.
type ray struct {
	tree         *svo.Tree
	rays         *project.Rays
	x, y         int
	first, limit float64 // entries at first or before, or beyond limit, don't count
	cuts         bool    // a section does
	there        halfSpace
	found        caught
}

// cast tells whether the ray meets a leaf.
func (r *ray) cast() bool {
	enter, leave, _ := r.rays.Through([3]int32{}, math.Ldexp(1, r.tree.Depth), r.x, r.y)
	return r.passes(enter, leave) && r.descend(0, r.tree.Root(), 0, [3]int32{})
}

// passes tells whether the ray is inside of something on a stretch that counts.
func (r *ray) passes(enter, leave float64) bool {
	return enter < leave && leave > r.first && enter <= r.limit
}

// descend follows the ray through the octants of a node, front to back.
func (r *ray) descend(id uint32, node svo.Node, level int, low [3]int32) bool {
	edge := math.Ldexp(1, r.tree.Depth-level)
	nearest, _ := r.rays.Nearest(low, edge)
	half := int32(1) << (r.tree.Depth - level - 1)
	for i := range 8 {
		octant := i ^ nearest
		if !node.Has(octant) {
			continue
		}
		corner := low
		for k := range corner {
			corner[k] += half * int32(octant>>k&1)
		}
		enter, leave, face := r.rays.Through(corner, edge/2, r.x, r.y)
		if !r.passes(enter, leave) || r.cuts && r.there.gone(corner, edge/2) {
			continue
		}
		child, childNode := r.tree.Child(id, node, level, octant)
		switch {
		case level+1 < r.tree.Depth:
			if r.descend(child, childNode, level+1, corner) {
				return true
			}
		case enter > r.first:
			r.found = caught{id: child, low: corner, face: Face(face), depth: enter}
			return true
		}
	}
	return false
}
