package render

import (
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
	t.watch.calibrate()
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
