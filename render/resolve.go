package render

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/cfef80af/eightfold/ortho"
)

// resolve finds out, once for each pixel of a tile, what the surface that it
// sees looks like there, and writes the planes and the colour.
func (r *Renderer) resolve(t *traverser, tile ortho.Rect) {
	for y := tile.Y0; y < tile.Y1; y++ {
		seen := t.canvas.SeenRow(y)
		for x := tile.X0; x < tile.X1; x++ {
			i := y*r.options.Width + x
			if ref := seen[x-tile.X0]; ref != 0 {
				s := t.canvas.Surface(ref)
				r.resolvePixel(t, &s, x, y, i)
				t.stats.Pixels++
			} else {
				r.resolveEmpty(i)
			}
		}
	}
	if r.frame.Visits != nil {
		for y := tile.Y0; y < tile.Y1; y++ {
			copy(r.frame.Visits[y*r.options.Width+tile.X0:], t.canvas.VisitsRow(y))
		}
	}
}

func (r *Renderer) resolvePixel(t *traverser, s *ortho.Surface, x, y, i int) {
	f := &r.frame
	tree := r.scene.Instances[s.Instance].Tree
	colour := tree.Colours[s.ID]
	if r.options.Shading == ShadeFlat || r.options.Planes&(PlaneDepth|PlaneNormal|PlaneFace) != 0 {
		depth, face := t.canvas.Depth(s, x, y)
		if f.Depth != nil {
			f.Depth[i] = float32(depth)
		}
		if f.Face != nil {
			f.Face[i] = Face(face)
		}
		if r.options.Shading == ShadeFlat || f.Normal != nil {
			n := r.normalOf(tree, s.ID, s.Instance, face)
			if f.Normal != nil {
				f.Normal[i] = mgl32.Vec3{float32(n.normal[0]), float32(n.normal[1]), float32(n.normal[2])}
			}
			if r.options.Shading == ShadeFlat {
				colour = shade(colour, n.light)
			}
		}
	}
	pixel := f.Colour.Pix[4*i : 4*i+4 : 4*i+4]
	pixel[0], pixel[1], pixel[2], pixel[3] = colour[0], colour[1], colour[2], 255
	if f.Level != nil {
		f.Level[i] = s.Level
	}
	if f.Voxel != nil {
		f.Voxel[i] = VoxelRef{Instance: s.Instance, ID: s.ID, Min: s.Low, Level: s.Level}
	}
	if f.Coverage != nil {
		f.Coverage[i] = 255
	}
}

func (r *Renderer) resolveEmpty(i int) {
	f := &r.frame
	b := r.options.Background
	pixel := f.Colour.Pix[4*i : 4*i+4 : 4*i+4]
	pixel[0], pixel[1], pixel[2], pixel[3] = b.R, b.G, b.B, b.A
	if f.Depth != nil {
		f.Depth[i] = float32(math.Inf(1))
	}
	if f.Normal != nil {
		f.Normal[i] = mgl32.Vec3{}
	}
	if f.Level != nil {
		f.Level[i] = NoLevel
	}
	if f.Face != nil {
		f.Face[i] = NoFace
	}
	if f.Voxel != nil {
		f.Voxel[i] = VoxelRef{Instance: -1}
	}
	if f.Coverage != nil {
		f.Coverage[i] = 0
	}
}
