// Package render draws scenes of octrees: it culls, traverses, resolves what
// each pixel sees and shades it. It is the package most programs import.
package render

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/svo"
)

// Scene is a set of placed octrees. It may be changed between frames, not
// while one is drawn.
type Scene struct {
	Instances []Instance
	// LaterWins settles which of two instances shows where both have the same
	// face at the same place: the later one in Instances, or the earlier.
	LaterWins bool
	// Section cuts the scene open; the zero Section doesn't. What is cut away is
	// still part of Bounds, Corners and Fit, so that the camera stays in place.
	Section Section
	// Tracked promises that every change of Instances is told by SetTransform,
	// Changed or ChangedAll. Then a frame need not look for changes, and an
	// unchanged view is not drawn again. Without the promise every frame compares
	// every instance with what it was, which takes some milliseconds for 100,000,
	// and draws. Either way trees are never changed: they are read-only.
	Tracked bool

	revision uint64
	changed  []int32 // told since the last frame
	all      bool    // may have changed
	index    index
}

// SetTransform moves an instance.
func (s *Scene) SetTransform(i int, m mgl64.Mat4) {
	s.Instances[i].Transform = m
	s.Changed(i)
}

// Changed tells that Instances[i] was changed.
func (s *Scene) Changed(i int) {
	s.revision++
	switch {
	case s.all:
	case len(s.changed) < len(s.Instances):
		s.changed = append(s.changed, int32(i))
	default: // looking at all is no more work, and a list that nobody draws must end
		s.all, s.changed = true, s.changed[:0]
	}
}

// ChangedAll tells that any number of Instances were changed, or that they were
// added, removed or put into another order.
func (s *Scene) ChangedAll() {
	s.revision++
	s.all, s.changed = true, s.changed[:0]
}

// Revision changes whenever a change is told by SetTransform, Changed or
// ChangedAll, or found by a frame.
func (s *Scene) Revision() uint64 { return s.revision }

// Instance is one octree placed in the world. Its transform may rotate, scale,
// mirror and shear; it must be affine and invertible.
type Instance struct {
	Tree      *svo.Tree
	Transform mgl64.Mat4 // from the tree's coordinates to the world's
	Name      string
	Hidden    bool
}

// visible tells whether there is anything of the instance to see.
func (i *Instance) visible() bool { return !i.Hidden && i.Tree != nil && len(i.Tree.Nodes) > 0 }
