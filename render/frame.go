package render

import (
	"image"
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// Frame is a drawn picture and the planes asked for in Options.Planes, all
// row by row from the top left, pixel (i, j) at index j*Width + i. It belongs
// to its View and is overwritten by the next Draw, unless nothing has changed: then
// it stays as it is, with whatever was written into it.
type Frame struct {
	Width, Height int
	// Colour is the finished picture: sRGB, alpha not premultiplied.
	Colour *image.NRGBA
	// Depth is the distance from the eye along the direction of view (the
	// camera's z, not the length of the ray), +Inf where nothing is seen.
	Depth []float32
	// Normal is the world-space normal, zero where nothing is seen.
	Normal []mgl32.Vec3
	// Level is the level of the node drawn (0 the root), NoLevel where nothing
	// is seen.
	Level []uint8
	// Visits counts the nodes that were tested on a pixel.
	Visits []uint16
	// Face is the face seen, NoFace where nothing is seen.
	Face []Face
	// Voxel tells what is seen; Instance -1 where nothing is.
	Voxel []VoxelRef
	// Coverage is 255 where the pixel was taken, else 0.
	Coverage []uint8
	// Order counts the nodes seen in the pixel's tile that were drawn until it was
	// taken, that of the pixel included (bricks of a bottom node, and voxels drawn as
	// cubes side by side, count as one); 0 where nothing is seen. Tiles are filled
	// beside one another, each in its own order, see Frame.Filling.
	Order []uint32
	Stats Stats
}

// NoLevel marks a pixel of Frame.Level that sees nothing.
const NoLevel = math.MaxUint8

// VoxelRef names the node that a pixel sees.
type VoxelRef struct {
	Instance int32    // index into Scene.Instances, -1 for nothing
	ID       uint32   // the node's or leaf's id in the instance's tree
	Min      [3]int32 // the node's lower corner in the tree's voxels
	Level    uint8    // its level; its edge is 2^(Depth-Level) voxels
}

// Face is a face of a voxel's cube, in the tree's own axes.
type Face uint8

// The faces of a cube: towards -x, +x, and so on.
const (
	FaceMinX Face = iota
	FaceMaxX
	FaceMinY
	FaceMaxY
	FaceMinZ
	FaceMaxZ
	NoFace
)
