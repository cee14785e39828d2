package render

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/svo"
)

// faceNormals are the outward normals of a cube's faces, in the order of Face.
var faceNormals = [6]mgl64.Vec3{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}}

// faceLight is the world normal of a face and how much light it gets, 0 to 1.
type faceLight struct {
	normal mgl64.Vec3
	light  float64
}

// faceLights lights the six faces of an instance's cubes: every voxel shares
// them.
func (r *Renderer) faceLights(p *project.Pose) (lights [6]faceLight) {
	for face := range lights {
		n := p.Normal(faceNormals[face])
		lights[face] = faceLight{normal: n, light: r.light(n)}
	}
	return lights
}

// light is Lambert's law with an ambient term.
func (r *Renderer) light(normal mgl64.Vec3) float64 {
	return r.ambient + (1-r.ambient)*max(0, normal.Dot(r.sun))
}

// normalOf is the world normal of what a pixel sees and its light: the stored
// normal, turned towards the viewer, or that of the face.
func (r *Renderer) normalOf(tree *svo.Tree, id uint32, instance int32, face int) faceLight {
	if tree.Normals != nil && tree.Normals[id] != 0 {
		v := tree.Normals[id].Vec3()
		n := r.poses[instance].Normal(mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])})
		// Scanners and voxelisers disagree about which side of a surface is out.
		if n.Dot(r.view.Forward) > 0 {
			n = n.Mul(-1)
		}
		return faceLight{normal: n, light: r.light(n)}
	}
	return r.lights[instance][face]
}

// shade dims a colour. In floating point the product is rounded on its own, so
// that every processor gives the same byte.
func shade(c svo.Colour, light float64) svo.Colour {
	for i := range c {
		c[i] = uint8(float64(float64(c[i])*light) + 0.5)
	}
	return c
}
