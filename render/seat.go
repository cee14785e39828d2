package render

import (
	"runtime"
	"sync/atomic"

	"github.com/cfef80af/eightfold/ortho"
	"github.com/cfef80af/eightfold/project"
)

// seat is what a view remembers of an instance. The worker that comes to it
// first in a frame brings it up to date; state tells the others what came out.
type seat struct {
	state atomic.Uint64 // the frame, and in the lowest bits the fate

	camera  uint64 // that bounds hold for, and the version of the instance
	version uint64
	bounds  project.Bounds

	poseCamera, poseVersion uint64 // that the pose holds for; its lights hold for the version

	epoch, epochVersion uint64 // in which it was too small to be seen
}

// fate is what became of an instance in a frame.
type fate uint64

const (
	busy       fate = iota // somebody is finding out
	invisible              // hidden, or nothing in it
	outside                // of the picture
	cutAway                // by the section, all of it
	belowSize              // below the least size on the screen
	belowPixel             // below a pixel
	candidate              // to be drawn where it isn't hidden
	posing                 // about to be drawn for the first time
	drawn
	hidden // behind others
	copied // another at the same place was drawn instead

	fateBits = 4
)

func (s *seat) fateIn(frame uint64) (f fate, known bool) {
	state := s.state.Load()
	return fate(state & (1<<fateBits - 1)), state>>fateBits == frame
}

func (s *seat) set(frame uint64, f fate) { s.state.Store(frame<<fateBits | uint64(f)) }

// pass changes a seat's fate in a frame, unless somebody else has done so.
func (s *seat) pass(frame uint64, from, to fate) bool {
	return s.state.CompareAndSwap(frame<<fateBits|uint64(from), frame<<fateBits|uint64(to))
}

// appraise finds out, once a frame, whether an instance has to be drawn.
func (r *Renderer) appraise(t *traverser, i int32) (*seat, fate) {
	v := r.current
	s := &v.seats[i]
	for {
		state := s.state.Load()
		if state>>fateBits == v.frames {
			if f := fate(state & (1<<fateBits - 1)); f != busy || r.broken.Load() != nil {
				return s, f
			}
			runtime.Gosched()
			continue
		}
		if s.state.CompareAndSwap(state, v.frames<<fateBits|uint64(busy)) {
			f := r.judge(t, s, i)
			s.set(v.frames, f)
			return s, f
		}
	}
}

// judge goes up the rungs of a single instance.
func (r *Renderer) judge(t *traverser, s *seat, i int32) fate {
	v, it := r.current, &r.index.items[i]
	if !it.visible {
		return invisible
	}
	if v.rungs.verdicts && s.epoch == v.epoch.number && s.epochVersion == it.version {
		t.ladder.verdictsHeld++
		return belowPixel
	}
	if !v.rungs.poses || s.camera != v.camera || s.version != it.version {
		instance := &r.scene.Instances[i]
		low, high := instance.Tree.Bounds()
		s.bounds = r.view.Bounds(&instance.Transform, low, high, it.near)
		s.camera, s.version = v.camera, it.version
		t.ladder.projected++
	}
	b := &s.bounds
	switch {
	case v.rungs.bounds && !v.inPicture(b):
		return outside
	case r.scene.Section.cuts() && r.scene.Section.removes(&r.scene.Instances[i]):
		return cutAway
	case v.least > 0 && v.radiusBelow(r, it):
		return belowSize
	case v.subpixel > 0 && b.Size < v.subpixel:
		s.epoch, s.epochVersion = v.epoch.number, it.version
		return belowPixel
	}
	return candidate
}

// pose sets an instance up for being drawn, once a frame; f is its fate so far.
func (r *Renderer) pose(t *traverser, s *seat, i int32) {
	v := r.current
	for {
		if s.pass(v.frames, candidate, posing) || s.pass(v.frames, copied, posing) {
			break
		}
		if f, _ := s.fateIn(v.frames); f == drawn || r.broken.Load() != nil {
			return
		}
		runtime.Gosched()
	}
	it := &r.index.items[i]
	t.ladder.trees.add(it.tree)
	t.ladder.palettes.add(it.palette)
	if placed := v.rungs.poses && s.poseVersion == it.version; placed && s.poseCamera == v.camera {
		t.ladder.posesHeld++
	} else {
		pose, instance := &v.poses[i], &r.scene.Instances[i]
		if placed {
			pose.Move(&v.seen, &instance.Transform, instance.Tree.Depth)
		} else {
			// Sync and checkRange have seen to it that it can be placed.
			pose.Place(&v.seen, &instance.Transform, instance.Tree.Depth, it.near)
			v.lights[i], v.normals[i] = r.faceLights(pose)
		}
		s.poseCamera, s.poseVersion = v.camera, it.version
		t.ladder.posesRenewed++
	}
	s.set(v.frames, drawn)
}

// groupSeat is what a view remembers of a group of instances.
type groupSeat struct {
	state          atomic.Uint64 // the frame, and in the lowest bits the group's fate
	epoch, version uint64        // in which all in it were too small to be seen
}

// groupFate is what became of a group in a frame. The greatest in any tile
// counts.
type groupFate uint64

const (
	groupUntouched groupFate = iota // it reached no tile
	groupOutside                    // of the view
	groupBelowSize
	groupBelowPixel
	groupHidden
	groupOpened
)

// note takes in a group's fate in a tile.
func (s *groupSeat) note(frame uint64, f groupFate) {
	for {
		state := s.state.Load()
		if state>>fateBits == frame && groupFate(state&(1<<fateBits-1)) >= f || s.state.CompareAndSwap(state, frame<<fateBits|uint64(f)) {
			return
		}
	}
}

func (s *groupSeat) fateIn(frame uint64) groupFate {
	state := s.state.Load()
	if state>>fateBits != frame {
		return groupUntouched
	}
	return groupFate(state & (1<<fateBits - 1))
}

func (s *groupSeat) isOutside(frame uint64) bool { return s.fateIn(frame) == groupOutside }

func (v *View) inPicture(b *project.Bounds) bool {
	o := &v.renderer.options
	return b.Seen && b.X1 > 0 && b.Y1 > 0 && b.X0 < o.Width && b.Y0 < o.Height
}

// part is what of a rectangle lies in a tile.
func part(tile ortho.Rect, b *project.Bounds) ortho.Rect {
	return ortho.Rect{
		X0: max(tile.X0, b.X0), X1: min(tile.X1, b.X1),
		Y0: max(tile.Y0, b.Y0), Y1: min(tile.Y1, b.Y1),
	}
}

// radiusBelow tells whether the ball around an instance is below the least size
// on the screen. Its radius is that of a ball before the camera at the depth of
// its middle: size does not depend on where in the picture it stands.
func (v *View) radiusBelow(r *Renderer, it *item) bool {
	return ballBelow(&r.view, it.radius, r.view.DepthOf(it.low.Add(it.high).Mul(0.5)), v.least)
}

// ballBelow tells whether a ball whose middle has a depth takes less than so
// many pixels. The camera's own surroundings are never below.
func ballBelow(view *project.View, radius, depth, pixels float64) bool {
	if view.Parallel {
		return radius*view.Focal < pixels
	}
	return depth > radius && radius*view.Focal < pixels*depth
}
