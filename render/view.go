package render

import (
	"context"
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

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

	// Settled by options and thresholds.
	rungs    rungs
	least    float64 // minScreenSize, 0 if left out
	subpixel float64 // threshold, 0 if left out

	// What is remembered of the scene, by instance and by group.
	self    *self
	seats   []seat
	groups  [][]groupSeat
	poses   []project.Pose
	lights  [][6]light // of the faces, and their normals: painting needs no others
	normals [][6]mgl64.Vec3
	epoch   *epoch
	seen    project.View
	camera  uint64 // counts the changes of seen
	frames  uint64 // drawn
	last    shot
}

// shot is what a frame depends on besides the renderer's options, which don't
// change.
type shot struct {
	scene     *Scene
	self      *self
	revision  uint64
	laterWins bool
	section   Section
	camera    project.Camera
	least     float64
}

// rungs tells which rungs are there, for those that are asked often.
type rungs struct{ groups, bounds, verdicts, occlusion, copies, poses, runs bool }

// View is the view with an index, from 0 on; it is made when first asked for.
// Renderer.Draw draws view 0.
func (r *Renderer) View(index int) *View {
	for len(r.views) <= index {
		r.views = append(r.views, r.newView(len(r.views)))
	}
	return r.views[index]
}

func (r *Renderer) newView(index int) *View {
	has := func(rung Rungs) bool { return r.options.Without&rung == 0 }
	v := &View{renderer: r, index: index, frame: newFrame(r.options, r.options.Width*r.options.Height)}
	v.rungs = rungs{
		groups: has(RungGroups), bounds: has(RungBounds), verdicts: has(RungVerdicts) && has(RungSubpixel),
		occlusion: has(RungOcclusion), copies: has(RungCopies), poses: has(RungPoses), runs: has(RungRuns),
	}
	if has(RungSubpixel) {
		v.subpixel = r.options.Subpixel.Threshold
	}
	return v
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
	if v.renderer.options.Without&RungScreenSize == 0 {
		v.least = pixels
	}
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

// held tells whether the last frame shows what is asked for.
func (v *View) held(now shot) bool {
	if !now.scene.Tracked || v.last != now || v.renderer.options.Without&RungFrame != 0 {
		return false
	}
	if v.subpixel > 0 {
		if v.epoch.over(&v.renderer.options.Subpixel) {
			return false
		}
		v.epoch.frames++
	}
	return true
}

// remember makes room for what a view remembers of a scene, and begins a frame.
func (v *View) remember(x *index, seen project.View) {
	if v.self != x.self {
		v.self, v.epoch = x.self, x.epochOf(v)
		v.forget(len(x.items))
	}
	switch n := len(x.items); {
	case n <= cap(v.seats):
		// What is left there of other instances is of other versions.
		v.seats, v.poses, v.lights, v.normals = v.seats[:n], v.poses[:n], v.lights[:n], v.normals[:n]
	default:
		room := n + n/4*min(len(v.seats), 1) // for more, once more have come
		v.seats, v.poses = make([]seat, n, room), make([]project.Pose, n, room)
		v.lights, v.normals = make([][6]light, n, room), make([][6]mgl64.Vec3, n, room)
	}
	for len(v.groups) < len(x.levels) {
		v.groups = append(v.groups, nil)
	}
	for level := range x.levels {
		if n := len(x.levels[level]); n <= cap(v.groups[level]) {
			v.groups[level] = v.groups[level][:n]
		} else {
			v.groups[level] = make([]groupSeat, n)
		}
	}
	if v.seen != seen || v.camera == 0 {
		v.seen = seen
		v.camera++
	}
	v.frames++
	v.epoch.advance(&seen, &v.renderer.options.Subpixel)
}

// forget makes a view remember nothing, with the room that it has, if a scene of so many
// instances may need that.
func (v *View) forget(instances int) {
	if cap(v.seats) > 1<<12 && cap(v.seats)/8 > instances {
		v.seats, v.groups = nil, nil
		return
	}
	clear(v.seats[:cap(v.seats)])
	for _, level := range v.groups {
		clear(level[:cap(level)])
	}
}

// look drops the groups that lie outside the view.
func (v *View) look(x *index, f *project.Frustum) {
	v.stats.GroupsTested, v.stats.GroupsCulled = 0, 0
	if !v.rungs.groups {
		return
	}
	top := len(x.levels) - 1
	for i := range x.levels[top] {
		v.lookAt(x, f, top, i)
	}
}

func (v *View) lookAt(x *index, f *project.Frustum, level, i int) {
	g := &x.levels[level][i]
	if g.visible == 0 {
		return
	}
	v.stats.GroupsTested++
	switch outside, inside := f.Box(&g.low, &g.high); {
	case outside:
		v.groups[level][i].note(v.frames, groupOutside)
		v.stats.GroupsCulled++
	case !inside && level > 0:
		for k := fan * i; k < min(fan*i+fan, len(x.levels[level-1])); k++ {
			v.lookAt(x, f, level-1, k)
		}
	}
}
