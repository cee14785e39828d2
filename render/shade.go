package render

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/svo"
)

// faceNormals are the outward normals of a cube's faces, in the order of Face.
var faceNormals = [6]mgl64.Vec3{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}}

// light is how much light a surface gets, 0 to fullLight: whole numbers, so
// that every processor gives the same colour.
type light uint32

const fullLight = 1 << 16

// faceLights lights the six faces of an instance's cubes, and tells their world
// normals: every voxel shares them.
func (r *Renderer) faceLights(p *project.Pose) (lights [6]light, normals [6]mgl64.Vec3) {
	for face := range lights {
		normals[face] = p.Normal(faceNormals[face])
		lights[face] = r.light(normals[face])
	}
	return lights, normals
}

// light is Lambert's law with an ambient term.
func (r *Renderer) light(normal mgl64.Vec3) light {
	return light(math.Round(fullLight * (r.ambient + (1-r.ambient)*max(0, normal.Dot(r.sun)))))
}

// storedNormal is the world normal of a node, if its tree has normals; it is
// turned towards the viewer, since scanners and voxelisers disagree about which
// side of a surface is out.
func (r *Renderer) storedNormal(tree *svo.Tree, id uint32, instance int32) (n mgl64.Vec3, ok bool) {
	if tree.Normals == nil || tree.Normals[id] == 0 {
		return n, false
	}
	n = r.poses[instance].Normal(octahedron(tree.Normals[id]))
	if n.Dot(r.view.Forward) > 0 {
		n = n.Mul(-1)
	}
	return n, true
}

func octahedron(n svo.Normal) mgl64.Vec3 {
	x, y, z := n.Octahedron()
	return mgl64.Vec3{x, y, z}
}

// normalLight lights the stored normals of an instance as light does their
// storedNormal: with the sun, the direction of view and the measure of lengths
// taken to the tree's axes, so that no normal has to be taken to the world's.
type normalLight struct {
	sun, forward mgl64.Vec3
	metric       mgl64.Mat3
}

func (r *Renderer) normalLight(p *project.Pose) normalLight {
	m := p.NormalMatrix()
	back := m.Transpose()
	return normalLight{sun: back.Mul3x1(r.sun), forward: back.Mul3x1(r.view.Forward), metric: back.Mul3(m)}
}

// light is the light of a normal, which must not be 0.
func (l *normalLight) light(normal svo.Normal, ambient float64) light {
	n := octahedron(normal)
	sunny := n.Dot(l.sun) / math.Sqrt(n.Dot(l.metric.Mul3x1(n)))
	if n.Dot(l.forward) > 0 {
		sunny = -sunny
	}
	return light(math.Round(fullLight * (ambient + (1-ambient)*max(0, sunny))))
}

// shade dims a colour; the result is a pixel, red in the lowest byte.
func shade(c svo.Colour, l light) uint32 {
	const half = fullLight / 2
	red, green, blue := uint32(c[0])*uint32(l)+half, uint32(c[1])*uint32(l)+half, uint32(c[2])*uint32(l)+half
	return red>>16 | green>>16<<8 | blue>>16<<16 | opaque
}

const opaque = 0xff << 24
