package witness

import (
	"math"
	"math/rand/v2"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/svo"
)

// Cameras returns n cameras around and inside a scene, the same for the same
// seed. In turn they are: outside, far to near; close to a voxel; looking along
// an axis; among the voxels, in empty space; inside a voxel; in a parallel
// projection. Each kind goes through footprints from 0.1 to 40 pixels a voxel in
// a picture of the given height, several fields of view and odd rolls. In a
// tree finer than 1024 voxels across, a 1024th of the scene counts as the voxel.
func Cameras(n int, s Scene, height int, seed uint64) []project.Camera {
	placer := newPlacer(s, height, seed)
	cameras := make([]project.Camera, n)
	for k := range cameras {
		kind, round, rounds := k%6, k/6, (n+5)/6
		placer.fov = []float64{45, 20, 60, 90, 120}[(k+round)%5]
		along := (float64(round) + placer.Float64()) / float64(rounds)
		switch kind {
		case 0:
			cameras[k] = placer.outside(0.1*math.Pow(20, along), placer.direction())
		case 1:
			cameras[k] = placer.outside(2*math.Pow(20, along), placer.direction())
		case 2:
			cameras[k] = placer.outside(0.2*math.Pow(100, along), placer.axis())
		case 3:
			cameras[k] = placer.from(placer.gap())
		case 4:
			cameras[k] = placer.from(placer.leaf())
		case 5:
			direction := placer.direction()
			if round%2 == 1 {
				direction = placer.axis()
			}
			cameras[k] = placer.outside(1, direction)
			cameras[k].Scale = 0.1 * math.Pow(200, along) / placer.voxel
		}
	}
	return cameras
}

// placer chooses places for cameras.
type placer struct {
	*rand.Rand
	scene  Scene
	box    box     // around all voxels, world units
	voxel  float64 // the edge of what counts as a voxel, world units
	height int
	fov    float64
}

func newPlacer(s Scene, height int, seed uint64) *placer {
	p := &placer{Rand: rand.New(rand.NewPCG(seed, 8)), box: emptyBox(), height: height}
	var corners box
	for _, m := range s.Models {
		if m.Tree == nil || len(m.Tree.Nodes) == 0 {
			continue
		}
		p.scene.Models = append(p.scene.Models, m)
		low, high := m.Tree.Bounds()
		for axis := range 3 {
			corners.min[axis], corners.max[axis] = float64(low[axis]), float64(high[axis])
		}
		p.box.addBox(corners, m.Transform)
		for axis := range 3 {
			p.voxel = max(p.voxel, m.Transform.Col(axis).Vec3().Len())
		}
	}
	p.voxel = max(p.voxel, p.box.max.Sub(p.box.min).Len()/1024)
	return p
}

// direction is a random unit vector.
func (p *placer) direction() mgl64.Vec3 {
	for {
		v := mgl64.Vec3{2*p.Float64() - 1, 2*p.Float64() - 1, 2*p.Float64() - 1}
		if l := v.Len(); l > 0.1 && l < 1 {
			return v.Normalize()
		}
	}
}

// axis is a random direction along an axis of the world.
func (p *placer) axis() (v mgl64.Vec3) {
	v[p.IntN(3)] = float64(2*p.IntN(2) - 1)
	return v
}

// outside looks along a direction at a voxel that takes so many pixels.
func (p *placer) outside(pixels float64, direction mgl64.Vec3) project.Camera {
	target := p.leaf()
	focal := float64(p.height) / 2 / math.Tan(mgl64.DegToRad(p.fov)/2)
	eye := target.Sub(direction.Mul(focal * p.voxel / pixels))
	return project.Camera{Eye: eye, Target: target, Up: p.direction(), FovY: p.fov}
}

// from looks from a place towards some voxel.
func (p *placer) from(eye mgl64.Vec3) project.Camera {
	return project.Camera{Eye: eye, Target: eye.Add(p.leaf().Sub(eye).Add(p.direction())), Up: p.direction(), FovY: p.fov}
}

// leaf is a point well inside some leaf, or inside some node of level 10.
func (p *placer) leaf() mgl64.Vec3 {
	m := p.scene.Models[p.IntN(len(p.scene.Models))]
	id, node := uint32(0), m.Tree.Root()
	size, corner := float64(int64(1)<<m.Tree.Depth), mgl64.Vec3{}
	for level := range min(m.Tree.Depth, 10) {
		octant := p.IntN(8)
		for !node.Has(octant) {
			octant = p.IntN(8)
		}
		id, node = m.Tree.Child(id, node, level, octant)
		size /= 2
		for axis := range corner {
			corner[axis] += size * float64(octant>>axis&1)
		}
	}
	for axis := range corner {
		corner[axis] += size * (0.25 + 0.5*p.Float64())
	}
	return mgl64.TransformCoordinate(corner, m.Transform)
}

// gap is a point in the scene's box, outside all leaves where one can be found.
func (p *placer) gap() (point mgl64.Vec3) {
	for range 100 {
		for axis := range point {
			point[axis] = p.box.min[axis] + p.Float64()*(p.box.max[axis]-p.box.min[axis])
		}
		if !p.solid(point) {
			break
		}
	}
	return point
}

// solid tells whether a point lies in a leaf of any model.
func (p *placer) solid(point mgl64.Vec3) bool {
	for _, m := range p.scene.Models {
		if _, v, err := inverse(m.Transform, point); err == nil && holds(m.Tree, v) {
			return true
		}
	}
	return false
}

// holds tells whether a point lies in a leaf of the tree.
func holds(t *svo.Tree, point mgl64.Vec3) bool {
	for _, c := range point {
		if !(c >= 0 && c < float64(int64(1)<<t.Depth)) {
			return false
		}
	}
	id, node := uint32(0), t.Root()
	for level := range t.Depth {
		octant := 0
		for axis, c := range point {
			octant |= int(c) >> (t.Depth - 1 - level) & 1 << axis
		}
		if !node.Has(octant) {
			return false
		}
		id, node = t.Child(id, node, level, octant)
	}
	return true
}

// box is an axis-aligned box.
type box struct{ min, max mgl64.Vec3 }

func emptyBox() box {
	inf := math.Inf(1)
	return box{mgl64.Vec3{inf, inf, inf}, mgl64.Vec3{-inf, -inf, -inf}}
}

func (b *box) add(v mgl64.Vec3) {
	for axis := range v {
		b.min[axis], b.max[axis] = min(b.min[axis], v[axis]), max(b.max[axis], v[axis])
	}
}

// addBox adds the eight corners of another box, transformed.
func (b *box) addBox(o box, m mgl64.Mat4) {
	for i := range 8 {
		v := o.min
		for axis := range v {
			if i>>axis&1 != 0 {
				v[axis] = o.max[axis]
			}
		}
		b.add(mgl64.TransformCoordinate(v, m))
	}
}
