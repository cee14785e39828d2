package witness_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render/witness"
	"github.com/cfef80af/eightfold/svo"
)

// splatter draws one tree front to back by rectangles around projected nodes,
// in the manner of the renderer but in the plainest way: what it draws must
// not count as wrong.
type splatter struct {
	tree    *svo.Tree
	matrix  mgl64.Mat4
	inverse mgl64.Mat4
	view    project.View
	frame   witness.Frame
}

func splat(tree *svo.Tree, matrix mgl64.Mat4, view project.View) witness.Frame {
	n := view.Width * view.Height
	s := splatter{tree, matrix, matrix.Inv(), view, witness.Frame{Width: view.Width, Height: view.Height,
		Depth: make([]float32, n), Face: make([]uint8, n), Voxel: make([]witness.Voxel, n)}}
	for at := range n {
		s.frame.Depth[at], s.frame.Face[at], s.frame.Voxel[at].Instance = float32(math.Inf(1)), 6, -1
	}
	s.node(witness.Voxel{})
	return s.frame
}

func (s *splatter) node(v witness.Voxel) {
	size := float64(int(1) << (s.tree.Depth - int(v.Level)))
	low := mgl64.Vec3{float64(v.Min[0]), float64(v.Min[1]), float64(v.Min[2])}
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	near, far := math.Inf(1), math.Inf(-1)
	for i := range 8 {
		corner := low.Add(mgl64.Vec3{float64(i & 1), float64(i >> 1 & 1), float64(i >> 2)}.Mul(size))
		d := mgl64.TransformCoordinate(corner, s.matrix).Sub(s.view.Eye)
		z := d.Dot(s.view.Forward)
		scale := s.view.Focal
		if !s.view.Parallel {
			scale /= z
		}
		x, y := d.Dot(s.view.Right)*scale+float64(s.view.Width)/2, d.Dot(s.view.Down)*scale+float64(s.view.Height)/2
		x0, x1, y0, y1 = math.Min(x0, x), math.Max(x1, x), math.Min(y0, y), math.Max(y1, y)
		near, far = math.Min(near, z), math.Max(far, z)
	}
	if far <= 0 && !s.view.Parallel {
		return
	}
	crosses := near <= 0 && !s.view.Parallel
	if crosses {
		x0, y0, x1, y1 = 0, 0, float64(s.view.Width), float64(s.view.Height)
	}
	i0, i1 := max(0, int(math.RoundToEven(x0))), min(s.view.Width, int(math.RoundToEven(x1)))
	j0, j1 := max(0, int(math.RoundToEven(y0))), min(s.view.Height, int(math.RoundToEven(y1)))
	small := !crosses && math.Max(x1-x0, y1-y0) <= 1
	leaf := int(v.Level) == s.tree.Depth
	if leaf || small {
		for j := j0; j < j1; j++ {
			for i := i0; i < i1; i++ {
				s.pixel(i, j, v, low, size, small)
			}
		}
		return
	}
	open := false // also where the node is outside, or between the pixel centres
	for j := j0; j < j1 && !open; j++ {
		for i := i0; i < i1 && !open; i++ {
			open = s.frame.Voxel[j*s.view.Width+i].Instance < 0
		}
	}
	if !open {
		return
	}
	eye := mgl64.TransformCoordinate(s.view.Eye, s.inverse)
	if s.view.Parallel {
		eye = eye.Sub(s.inverse.Mat3().Mul3x1(s.view.Forward).Mul(1e9))
	}
	nearest := 0
	for axis := range 3 {
		if eye[axis] > low[axis]+size/2 {
			nearest |= 1 << axis
		}
	}
	node := s.tree.Nodes[v.ID]
	for i := range 8 {
		octant := i ^ nearest
		if !node.Has(octant) {
			continue
		}
		child := witness.Voxel{ID: node.Child(octant), Min: v.Min, Level: v.Level + 1}
		for axis := range 3 {
			child.Min[axis] += int32(size/2) * int32(octant>>axis&1)
		}
		s.node(child)
	}
}

func (s *splatter) pixel(i, j int, v witness.Voxel, low mgl64.Vec3, size float64, small bool) {
	at := j*s.view.Width + i
	if s.frame.Voxel[at].Instance >= 0 {
		return
	}
	origin, direction := s.view.Ray(i, j)
	o, d := mgl64.TransformCoordinate(origin, s.inverse), s.inverse.Mat3().Mul3x1(direction)
	in, out, face := math.Inf(-1), math.Inf(1), 0
	for axis := range 3 {
		a, b, f := (low[axis]-o[axis])/d[axis], (low[axis]+size-o[axis])/d[axis], 2*axis
		if a > b {
			a, b, f = b, a, f+1
		}
		if a > in {
			in, face = a, f
		}
		out = math.Min(out, b)
	}
	if !small && (in >= out || in <= 0 && !s.view.Parallel) {
		return
	}
	if in >= out {
		centre := mgl64.TransformCoordinate(low.Add(mgl64.Vec3{size / 2, size / 2, size / 2}), s.matrix)
		in = centre.Sub(s.view.Eye).Dot(s.view.Forward)
	}
	s.frame.Voxel[at], s.frame.Depth[at], s.frame.Face[at] = v, float32(in), uint8(face)
}

func TestSplattingIsNoFault(t *testing.T) {
	for name, tree := range map[string]*svo.Tree{
		"ball":    plant(6, ball(6)),
		"dust":    plant(6, scatter(6, 300, 3)),
		"thicket": plant(6, scatter(6, 20000, 3)),
		"sponge":  sponge(6),
	} {
		t.Run(name, func(t *testing.T) {
			s := sceneOf(tree)
			s.Models[0].Transform = mgl64.HomogRotate3D(.7, mgl64.Vec3{1, 2, 3}.Normalize())
			var sum witness.Report
			for _, c := range witness.Cameras(12, s, 45, 6) {
				view, err := c.View(60, 45)
				require.NoError(t, err)
				p := cast(t, s, c, 60, 45)
				r := compare(t, splat(tree, s.Models[0].Transform, view), p)
				require.NoError(t, r.Err(), "%+v", c)
				sum.Add(r)
			}
			require.Positive(t, sum.Faults[witness.Fattened])
			require.Less(t, sum.Fattening(witness.Detail), 0.2)
			require.Zero(t, sum.Faults[witness.Fattened]-sum.Fat[witness.Detail])
		})
	}
}
