package render

import (
	"math"
	"time"

	"github.com/cfef80af/eightfold/ortho"
)

// tileSide is the edge of a tile in pixels: small enough that a tile's coverage
// and what its pixels see stay in the second-level cache, large enough that
// walking down from the root once a tile costs little. It does not depend on
// the number of workers, and so the picture doesn't either.
const tileSide = 256

// tiles counts the tiles of the picture along both sides.
func (r *Renderer) tiles() (across, down int) {
	return (r.options.Width + tileSide - 1) / tileSide, (r.options.Height + tileSide - 1) / tileSide
}

// work draws tiles until none is left, the frame's context ends or another
// worker has panicked.
func (r *Renderer) work(t *traverser) {
	across, down := r.tiles()
	for r.ctx.Err() == nil && r.broken.Load() == nil {
		i := int(r.nextTile.Add(1)) - 1
		if i >= across*down {
			return
		}
		x, y := i%across*tileSide, i/across*tileSide
		tile := ortho.Rect{X0: x, X1: min(x+tileSide, r.options.Width), Y0: y, Y1: min(y+tileSide, r.options.Height)}
		if !r.traced.in(tile) {
			continue
		}
		start := time.Now()
		r.traverse(t, tile)
		traversed := time.Now()
		r.resolve(t, tile)
		t.stats.Traverse += traversed.Sub(start)
		t.stats.Resolve += time.Since(traversed)
	}
}

// traverse draws every instance that may be seen in a tile, the nearest first.
// farthest is the depth that the instances drawn so far may reach: one that
// begins beyond it is hidden by them or beside them, any other has to contest
// their pixels.
func (r *Renderer) traverse(t *traverser, tile ortho.Rect) {
	t.canvas.Reset(tile, ortho.Scene{Trees: r.trees, Poses: r.poses, LaterWins: r.scene.LaterWins}, r.options.Planes&PlaneVisits != 0)
	farthest := math.Inf(-1)
	for i := range r.candidates {
		c := &r.candidates[i]
		part := ortho.Rect{
			X0: max(tile.X0, c.bounds.X0), X1: min(tile.X1, c.bounds.X1),
			Y0: max(tile.Y0, c.bounds.Y0), Y1: min(tile.Y1, c.bounds.Y1),
		}
		if part.X0 >= part.X1 || part.Y0 >= part.Y1 {
			continue
		}
		if r.ctx.Err() != nil {
			return
		}
		contested := c.bounds.Near < farthest
		// A brick's leaves are widened, and may reach a pixel beyond the bounds.
		reach := ortho.Rect{
			X0: max(tile.X0, part.X0-1), X1: min(tile.X1, part.X1+1),
			Y0: max(tile.Y0, part.Y0-1), Y1: min(tile.Y1, part.Y1+1),
		}
		if contested {
			t.watch.begin(tile)
			t.canvas.Contest(reach, func(other int32) bool { return c.bounds.Near < r.far[other] })
			t.watch.end(&t.stats.Contest)
		}
		t.drawInstance(c.index, r.trees[c.index], &r.poses[c.index], &c.bounds, part)
		if contested {
			t.watch.begin(tile)
			t.canvas.Merge(reach)
			t.watch.end(&t.stats.Contest)
		}
		farthest = max(farthest, c.bounds.Far)
	}
}
