// Package witness tells what a picture of octrees must show, so that tests can
// hold the renderer to it. It is a plain ray caster: one ray through the centre
// of each pixel, in double precision, down the octree by slab tests. It shares
// no code with the renderer, not even the camera's axes.
package witness

import (
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/go-gl/mathgl/mgl64"
	"golang.org/x/sync/errgroup"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/svo"
)

// Model is a tree and its place in the world. A nil or empty tree is never
// seen; it keeps the indices of the others where instances are hidden.
type Model struct {
	Tree      *svo.Tree
	Transform mgl64.Mat4 // affine and invertible, from the tree's voxels to the world
}

// Scene is what the rays are cast into.
type Scene struct {
	Models []Model
	// LaterWins settles ties: where the hits in two models are equally deep (to
	// 1e-9 of the depth), the later model is seen, else the earlier one.
	LaterWins bool
	// MaxFootprint, when above 0, ends a ray at the first node whose edge takes
	// fewer pixels than this where the ray enters it. The whole node then counts
	// as solid, so that the witness errs by MaxFootprint pixels at most: this is
	// how a tree that contains itself, whose leaves are out of reach, is cast
	// against "the finest geometry". 0 casts down to the leaves.
	MaxFootprint float64
}

// The faces of a voxel, in the tree's axes, as in render.Face.
const (
	faceMinX uint8 = iota
	faceMaxX
	faceMinY
	faceMaxY
	faceMinZ
	faceMaxZ
	noFace
)

// Hit is what a ray meets first: a leaf, or a node below Scene.MaxFootprint.
type Hit struct {
	Model     int32    // index into Scene.Models, -1 where the ray meets nothing
	ID        uint32   // the node's id in the model's tree
	Min       [3]int32 // its lower corner in the tree's voxels
	Level     uint8    // its level, the tree's depth for a leaf
	Face      uint8    // the face entered: 0 to 5 for -x, +x, -y, +y, -z, +z of the tree
	Tied      bool     // another model has a hit at the same depth
	Depth     float64  // camera z of the point of entry, world units
	Footprint float64  // edge of the node in pixels at that depth
}

// seen tells whether the ray met anything.
func (h *Hit) seen() bool { return h.Model >= 0 }

// Picture holds the hits of all pixels, and of a margin one pixel wide around
// them, so that each pixel has eight neighbours.
type Picture struct {
	Width, Height int
	scene         Scene
	lens          lens
	spaces        []space
	hits          []Hit
}

// At returns the hit of pixel (i, j), with -1 <= i <= Width and
// -1 <= j <= Height.
func (p *Picture) At(i, j int) *Hit { return &p.hits[(j+1)*(p.Width+2)+i+1] }

// Cast casts a ray through each pixel of a picture of the given size. It fails
// where the camera's numbers make no rays or a transform has no inverse.
//
// A ray sees from the eye on: a voxel whose point of entry is not in front of
// the eye, such as the voxel around the eye itself, is passed over. In a
// parallel projection nothing is behind the eye.
func Cast(s Scene, c project.Camera, width, height int) (*Picture, error) {
	l, err := newLens(c, width, height)
	if err != nil {
		return nil, err
	}
	p := &Picture{Width: width, Height: height, scene: s, lens: l, hits: make([]Hit, (width+2)*(height+2))}
	for i, m := range s.Models {
		sp, err := newSpace(m, &l)
		if err != nil {
			return nil, fmt.Errorf("witness: model %d: %w", i, err)
		}
		if sp.tree != nil {
			sp.bounds = p.outline(&sp, [3]int32{}, int32(1)<<sp.tree.Depth)
		}
		p.spaces = append(p.spaces, sp)
	}
	var rows errgroup.Group
	rows.SetLimit(runtime.GOMAXPROCS(0))
	for j := -1; j <= height; j++ {
		rows.Go(func() error {
			for i := -1; i <= width; i++ {
				*p.At(i, j) = p.cast(float64(i)+0.5, float64(j)+0.5)
			}
			return nil
		})
	}
	return p, rows.Wait()
}

// space is a model as its rays see it: the camera in the tree's own voxels.
type space struct {
	tree               *svo.Tree // nil where there is nothing to see
	matrix             mgl64.Mat4
	eye                mgl64.Vec3
	right, up, forward mgl64.Vec3
	edge               float64 // longest edge of a voxel, world units
	bounds             outline // of the whole tree
}

func newSpace(m Model, l *lens) (space, error) {
	if m.Tree == nil || len(m.Tree.Nodes) == 0 {
		return space{}, nil
	}
	linear, eye, err := inverse(m.Transform, l.eye)
	if err != nil {
		return space{}, err
	}
	sp := space{
		tree:    m.Tree,
		matrix:  m.Transform,
		eye:     eye,
		right:   linear.Mul3x1(l.right),
		up:      linear.Mul3x1(l.up),
		forward: linear.Mul3x1(l.forward),
	}
	for axis := range 3 {
		sp.edge = max(sp.edge, m.Transform.Col(axis).Vec3().Len())
	}
	return sp, nil
}

// inverse returns the linear part of the inverse of an affine transform, and
// the point that the transform takes to the given one. It does not use
// mgl64.Mat4.Inv, which takes the determinants of small scales for 0.
func inverse(m mgl64.Mat4, point mgl64.Vec3) (mgl64.Mat3, mgl64.Vec3, error) {
	a, b, c := m.Col(0).Vec3(), m.Col(1).Vec3(), m.Col(2).Vec3()
	volume := a.Dot(b.Cross(c))
	linear := mgl64.Mat3FromRows(b.Cross(c).Mul(1/volume), c.Cross(a).Mul(1/volume), a.Cross(b).Mul(1/volume))
	from := linear.Mul3x1(point.Sub(m.Col(3).Vec3()))
	for _, f := range append(linear[:], from[:]...) {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return linear, from, errors.New("its transform is not finite or has no inverse")
		}
	}
	return linear, from, nil
}

// tieTolerance is how far two depths may differ, relative to their size, and
// still be a tie.
const tieTolerance = 1e-9

// cast follows the ray through the point (x, y) of the picture, in pixels.
func (p *Picture) cast(x, y float64) Hit {
	best := Hit{Model: -1, Face: noFace, Depth: math.Inf(1)}
	right, up := p.lens.offset(x, y)
	for m := range p.spaces {
		sp := &p.spaces[m]
		if sp.tree == nil || !sp.bounds.around(x, y) {
			continue
		}
		hit, ok := p.castModel(sp, right, up, best.Depth+tolerance(best.Depth, sp.edge))
		if !ok {
			continue
		}
		hit.Model = int32(m)
		tied := best.seen() && math.Abs(hit.Depth-best.Depth) <= tolerance(best.Depth, sp.edge)
		if !tied || p.scene.LaterWins {
			best = hit
		}
		best.Tied = tied
	}
	return best
}

// tolerance is the distance within which two hits at this depth are a tie.
func tolerance(depth, edge float64) float64 {
	if math.IsInf(depth, 0) {
		return 0
	}
	return tieTolerance * (math.Abs(depth) + edge)
}

// castModel follows a ray into one tree, no deeper than limit.
func (p *Picture) castModel(sp *space, right, up, limit float64) (Hit, bool) {
	r := ray{tree: sp.tree, depth: sp.tree.Depth, limit: limit, origin: sp.eye, direction: sp.forward}
	offset := sp.right.Mul(right).Add(sp.up.Mul(up))
	if p.lens.parallel {
		r.origin = r.origin.Add(offset)
		r.first = math.Inf(-1)
	} else {
		r.direction = r.direction.Add(offset)
	}
	r.stopScale = p.scene.MaxFootprint / (sp.edge * p.lens.focal)
	r.parallel = p.lens.parallel
	for axis, d := range r.direction {
		if math.Abs(d) < 1e-300 {
			r.direction[axis] = 0
		} else if r.inverse[axis] = 1 / d; d < 0 {
			r.flip |= 1 << axis
		}
	}
	size := int32(1) << r.depth
	var near, far [3]float64
	for axis := range near {
		near[axis], far[axis] = r.time(axis, 0), r.time(axis, size)
		if r.flip>>axis&1 != 0 {
			near[axis], far[axis] = far[axis], near[axis]
		}
	}
	if !r.crosses(near, far) || !r.enter(0, r.tree.Root(), 0, [3]int32{}, near, far) {
		return Hit{}, false
	}
	r.hit.Footprint = sp.edge * float64(int64(1)<<(r.depth-int(r.hit.Level))) * p.lens.pixels(r.hit.Depth)
	return r.hit, true
}

// ray is one ray in a tree's voxels, and what it has met.
type ray struct {
	tree              *svo.Tree
	depth             int
	origin, direction mgl64.Vec3
	inverse           [3]float64 // 1/direction, where that is not zero
	flip              int        // bit for each axis along which the ray runs down
	first, limit      float64    // entries at first or before, or at limit or after, don't count
	stopScale         float64    // a node of this edge, per unit of depth, ends the ray
	parallel          bool
	hit               Hit
}

// time is when the ray crosses a plane across an axis. A ray along the plane
// is in [plane, ...) for ever or never, so that it belongs to one voxel only.
func (r *ray) time(axis int, plane int32) float64 {
	if r.direction[axis] == 0 {
		if r.origin[axis] < float64(plane) {
			return math.Inf(1)
		}
		return math.Inf(-1)
	}
	return (float64(plane) - r.origin[axis]) * r.inverse[axis]
}

// crosses tells whether the ray passes through the inside of a box, within
// reach, given when it crosses the near and the far plane of each axis.
func (r *ray) crosses(near, far [3]float64) bool {
	in, out := latest(near), min(far[0], far[1], far[2])
	return in < out && out > r.first && in < r.limit
}

// enter follows the ray into a node that it crosses: true if it ends there.
// Children come in the order in which the ray meets them: octants of the near
// half on each axis first, by the sign of the direction.
func (r *ray) enter(id uint32, node svo.Node, level int, corner [3]int32, near, far [3]float64) bool {
	in := latest(near)
	if level == r.depth || r.stops(in, level) {
		if in <= r.first {
			return false
		}
		r.hit = Hit{ID: id, Min: corner, Level: uint8(level), Depth: in, Face: r.face(near)}
		return true
	}
	half := int32(1) << (r.depth - level - 1)
	var middle [3]float64
	for axis := range middle {
		middle[axis] = r.time(axis, corner[axis]+half)
	}
	for i := range 8 {
		octant := i ^ r.flip
		if !node.Has(octant) {
			continue
		}
		childNear, childFar, childCorner := near, middle, corner
		for axis := range 3 {
			if i>>axis&1 != 0 {
				childNear[axis], childFar[axis] = middle[axis], far[axis]
			}
			if octant>>axis&1 != 0 {
				childCorner[axis] += half
			}
		}
		if !r.crosses(childNear, childFar) {
			continue
		}
		childID, child := r.tree.Child(id, node, level, octant)
		if r.enter(childID, child, level+1, childCorner, childNear, childFar) {
			return true
		}
	}
	return false
}

// stops tells whether a node entered at depth in is below Scene.MaxFootprint.
func (r *ray) stops(in float64, level int) bool {
	edge := float64(int64(1) << (r.depth - level))
	if r.parallel {
		return edge < r.stopScale
	}
	return in > 0 && edge < r.stopScale*in
}

// face is the face through which a box is entered: that of the plane crossed last.
func (r *ray) face(near [3]float64) uint8 {
	axis := 0
	for a := 1; a < 3; a++ {
		if near[a] > near[axis] {
			axis = a
		}
	}
	return uint8(2*axis + r.flip>>axis&1)
}

func latest(t [3]float64) float64 { return max(t[0], t[1], t[2]) }
