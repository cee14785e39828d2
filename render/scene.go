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
}

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
