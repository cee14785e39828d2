package render

import (
	"math"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/cfef80af/eightfold/ortho"
)

// resolve finds out, once for each pixel of a tile, what the surface that it
// sees looks like there.
func (r *Renderer) resolve(t *traverser, tile ortho.Rect) {
	start := time.Now()
	r.paint(t, tile)
	t.stats.Shade += time.Since(start)
	if r.options.Planes == 0 {
		return
	}
	if r.frame.Order != nil {
		t.turns = t.canvas.Turns(t.turns)
	}
	for y := tile.Y0; y < tile.Y1; y++ {
		r.resolveRow(t, tile, y)
	}
}

// resolveRow writes the planes that were asked for.
func (r *Renderer) resolveRow(t *traverser, tile ortho.Rect, y int) {
	seen := t.canvas.SeenRow(y)
	first := y * r.options.Width
	for x := tile.X0; x < tile.X1; x++ {
		if ref := seen[x-tile.X0]; ref != 0 {
			s := t.canvas.Surface(ref)
			r.resolvePixel(t, &s, x, y, first+x)
		} else {
			r.resolveEmpty(first + x)
		}
	}
	if r.frame.Order != nil {
		for i, ref := range seen {
			turn := uint32(0)
			if ref != 0 {
				turn = t.turns[t.canvas.Patch(ref)]
			}
			r.frame.Order[first+tile.X0+i] = turn
		}
	}
	if r.frame.Visits != nil {
		copy(r.frame.Visits[first+tile.X0:], t.canvas.VisitsRow(y))
	}
}

func (r *Renderer) resolvePixel(t *traverser, s *ortho.Surface, x, y, i int) {
	f := r.frame
	if f.Depth != nil {
		f.Depth[i] = float32(t.canvas.Depth(s, x, y))
	}
	if f.Face != nil || f.Normal != nil {
		face := r.faceOf(s, x, y)
		if f.Face != nil {
			f.Face[i] = Face(face)
		}
		if f.Normal != nil {
			n, ok := r.storedNormal(r.trees[s.Instance], s.ID, s.Instance)
			if !ok {
				n = r.normals[s.Instance][face]
			}
			f.Normal[i] = mgl32.Vec3{float32(n[0]), float32(n[1]), float32(n[2])}
		}
	}
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
	f := r.frame
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
