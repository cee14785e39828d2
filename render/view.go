package render

import (
	"context"
	"fmt"

	"github.com/cfef80af/eightfold/project"
)

// View is one of several looks that a renderer has at a scene, such as the
// halves of a split screen: it has its own frame, its own thresholds, and its
// own memory of what it saw last.
type View struct {
	renderer      *Renderer
	index         int
	minScreenSize float64
	frame         Frame
	stats         ViewStats
	draws         DrawStats
}

// View is the view with an index, from 0 on; it is made when first asked for.
// Renderer.Draw draws view 0.
func (r *Renderer) View(index int) *View {
	for len(r.views) <= index {
		r.views = append(r.views, &View{
			renderer: r, index: len(r.views), frame: newFrame(r.options, r.options.Width*r.options.Height),
		})
	}
	return r.views[index]
}

// Index is the view's place in CullStats.Views.
func (v *View) Index() int { return v.index }

// SetMinScreenSize drops instances whose radius on the screen is below so many
// pixels, from the next frame on; 0, the default, drops none. The radius is
// that of the ball around the instance's bounds, so the same threshold means
// the same size on the screen at any distance and field of view.
func (v *View) SetMinScreenSize(pixels float64) error {
	if !(pixels >= 0) {
		return fmt.Errorf("least size on the screen %g: must be 0 pixels or more", pixels)
	}
	v.minScreenSize = pixels
	return nil
}

// MinScreenSize is what SetMinScreenSize set.
func (v *View) MinScreenSize() float64 { return v.minScreenSize }

// Draw draws the scene as the camera sees it, as Renderer.Draw does. The frame
// is valid until the next Draw of this view.
func (v *View) Draw(ctx context.Context, s *Scene, c project.Camera) (*Frame, error) {
	return v.renderer.draw(ctx, v, s, c)
}

// SetMinScreenSize is that of view 0.
func (r *Renderer) SetMinScreenSize(pixels float64) error { return r.View(0).SetMinScreenSize(pixels) }

// MinScreenSize is that of view 0.
func (r *Renderer) MinScreenSize() float64 { return r.View(0).MinScreenSize() }

// CullStats tells what the culling ladder did in the last frame of each view.
func (r *Renderer) CullStats() CullStats {
	s := CullStats{Views: make([]ViewStats, len(r.views))}
	for i, v := range r.views {
		s.Views[i] = v.stats
	}
	return s
}

// CullStats tells what the culling ladder did in the view's last frame.
func (v *View) CullStats() ViewStats { return v.stats }

// DrawStats tells what view 0's last frame spent on going from model to model.
func (r *Renderer) DrawStats() DrawStats { return r.View(0).draws }

// DrawStats tells what the view's last frame spent on going from model to model.
func (v *View) DrawStats() DrawStats { return v.draws }

// count fills in the counters of a frame that has been drawn.
func (v *View) count(s *Stats, drawn int) {
	v.stats.Frames++
	v.stats.Nodes = s.nodeCounts()
	v.stats.Instances = InstanceCounts{Tested: s.Instances, Bounds: s.InstancesCulled, Drawn: drawn}
}
