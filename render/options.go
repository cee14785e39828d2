package render

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/occlusion"
	"github.com/cfef80af/eightfold/project"
)

// Options are settled when a Renderer is made. The zero value of every field
// but Width and Height is its default.
type Options struct {
	// Width and Height of the picture in pixels.
	Width, Height int
	// Workers is how many goroutines draw; 0 means one per available CPU. The
	// picture does not depend on it.
	Workers int
	// Kernel chooses the vector kernels; the picture does not depend on it.
	Kernel asm.Kernel
	// Core chooses how octrees are traversed.
	Core Core
	// LOD is the footprint in pixels at which a node is drawn instead of being
	// opened; 0 means DefaultLOD, or DefaultBrickLOD where the brick core draws.
	LOD float64
	// PixelRule tells how a footprint is measured for LOD.
	PixelRule project.PixelRule
	// Projection chooses how the bounds of a node are projected.
	Projection project.Method
	// Coverage chooses the buffer that knows which pixels are taken; the picture
	// does not depend on it.
	Coverage occlusion.Kind
	// NoOrtho keeps perspective projection down to the pixel.
	NoOrtho bool
	// SortAll decides the order of every node's children anew instead of
	// inheriting it.
	SortAll bool
	// Shading turns what a pixel sees into its colour.
	Shading Shading
	// Sun is where the light comes from.
	Sun Sun
	// Background fills the pixels that see nothing; the zero value is transparent.
	Background color.NRGBA
	// Planes are the planes a frame keeps besides the colours.
	Planes Planes
	// StageTimes asks for all of Stats.Times. Off, it costs nothing; on, about a
	// fiftieth of a frame, by looking at the clock for a few nodes only.
	StageTimes bool
	// Without names rungs of the culling ladder that are left out.
	Without Rungs
	// Subpixel drops what is too small to be seen; off by default.
	Subpixel Subpixel
}

// Core is a way to traverse octrees.
type Core int

// The cores.
const (
	// CoreAuto is CoreBricks, unless an option is set that only CoreClassic has:
	// Projection, PixelRule, NoOrtho, SortAll, byte coverage, the plane of
	// visits, or a LOD above MaxBrickLOD.
	CoreAuto Core = iota
	// CoreBricks ends at bricks of 4x4x4 nodes that are resolved pixel by pixel.
	CoreBricks
	// CoreClassic tests every node, down to the pixel.
	CoreClassic
)

var coreNames = [...]string{CoreAuto: "auto", CoreBricks: "bricks", CoreClassic: "classic"}

// String is the core's name as ParseCore takes it.
func (c Core) String() string {
	if c < 0 || int(c) >= len(coreNames) {
		return fmt.Sprintf("Core(%d)", int(c))
	}
	return coreNames[c]
}

// ParseCore is the core of a name: auto, bricks or classic.
func ParseCore(name string) (Core, error) {
	for c, n := range coreNames {
		if n == name {
			return Core(c), nil
		}
	}
	return CoreAuto, fmt.Errorf("core %q: must be one of %s", name, strings.Join(coreNames[:], ", "))
}

// MaxBrickLOD is the greatest LOD of the brick core, in pixels.
const MaxBrickLOD = 1.5

// core settles CoreAuto, or says why a core can't do what is asked.
func (o *Options) core() (Core, error) {
	why := ""
	switch {
	case o.Projection != project.TwoCorners:
		why = "a projection"
	case o.PixelRule != project.Float:
		why = "the rounded pixel rule"
	case o.NoOrtho:
		why = "perspective down to the pixel"
	case o.SortAll:
		why = "sorting every node"
	case o.Coverage != occlusion.StripCoverage:
		why = "byte coverage"
	case o.Planes&PlaneVisits != 0:
		why = "the plane of visits"
	case o.LOD > MaxBrickLOD:
		why = fmt.Sprintf("a level of detail above %g pixels", MaxBrickLOD)
	}
	switch {
	case o.Core < CoreAuto || o.Core > CoreClassic:
		return 0, fmt.Errorf("core %d: must be one of CoreAuto, CoreBricks and CoreClassic", o.Core)
	case o.Core == CoreBricks && why != "":
		return 0, fmt.Errorf("the brick core does not offer %s: use CoreClassic, or CoreAuto", why)
	case o.Core == CoreClassic || why != "":
		return CoreClassic, nil
	}
	return CoreBricks, nil
}

// The level of detail: the footprint in pixels at which a node is drawn, by
// default and at the extremes.
const (
	DefaultLOD = 1.0
	// DefaultBrickLOD is a little larger: the brick core's exact leaves then
	// fatten silhouettes by about a fifth of a pixel on average.
	DefaultBrickLOD = 1.05
	MinLOD          = 1.0 / 16
	MaxLOD          = 1024.0
)

// Shading is how the colour of a visible voxel becomes the colour of a pixel.
type Shading int

// The shadings there are.
const (
	// ShadeFlat lights each face, or the stored normal, by a sun and an ambient
	// term.
	ShadeFlat Shading = iota
	// ShadeNone shows the voxel's own colour, exactly.
	ShadeNone
)

// Planes is a set of per-pixel planes.
type Planes uint

// The planes a frame can keep.
const (
	PlaneDepth    Planes = 1 << iota // distance along the line of sight, world units
	PlaneNormal                      // world-space normal of what is seen
	PlaneLevel                       // level of the node drawn
	PlaneVisits                      // how many nodes were tested on the pixel
	PlaneFace                        // which face of the cube is seen
	PlaneVoxel                       // instance, node id and position of what is seen
	PlaneCoverage                    // which pixels are taken
	PlaneOrder                       // in which order they were taken
)

// Sun is a light at infinity with an ambient term.
type Sun struct {
	// Direction points towards the sun, in world coordinates, of any length;
	// the zero vector is DefaultSun.
	Direction mgl64.Vec3
	// Ambient is the light, 0 to 1, that a face turned away from the sun still
	// gets; 0 means DefaultAmbient.
	Ambient float64
}

// DefaultSun stands above and to the front left of a model whose z axis points
// up and whose front is -y: its three visible faces get three shades.
var DefaultSun = mgl64.Vec3{-0.42, -0.62, 0.9}

// DefaultAmbient is the share of light that reaches a face the sun doesn't.
const DefaultAmbient = 0.45
