// Package models makes octrees: from files, from formulas, from what the
// binary carries with it.
package models

import (
	"fmt"
	"image/color"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/svo"
)

// Asset is what a file holds: models, each an octree of its own, and the
// places where they stand. A model placed a thousand times is one tree and a
// thousand transforms.
type Asset struct {
	// Format is the short name of the file format ("vox"), Version the number
	// the file itself gives.
	Format  string
	Version int
	// Up is the axis that points up by the format's custom, and Front the
	// direction from which the model is looked at: both unit vectors. They only
	// decide the default camera and the named views.
	Up, Front mgl64.Vec3
	Models    []Model
	// Frames is the number of animation frames, 1 for a still.
	Frames int
	// Palette holds the colour of palette index i at i, 1 to 255; entry 0 stands
	// for no voxel. It is nil for formats without a palette. Materials are the
	// properties of palette indices, in the words of the file.
	Palette   []color.NRGBA
	Materials map[int]map[string]string
	// Layers and their visibility, as written in the file.
	Layers []Layer
	// Warnings tell what was skipped or repaired, one clear sentence a kind.
	Warnings []string

	// Views are cameras that the model itself suggests, in its own units.
	Views []View
	// Flight is a way of a camera through the model that shows all of it, nil
	// where there is none.
	Flight *project.Path

	// LaterWins tells who owns a voxel that two placements fill: the later one,
	// or the earlier.
	LaterWins bool

	placements func(frame int) []Placement
}

// Placements lists where the models stand in a frame, hidden ones included, in
// the order that LaterWins speaks of. It fails where the asset has no such
// frame; the first is 0.
func (a *Asset) Placements(frame int) ([]Placement, error) {
	if frame < 0 || frame >= a.Frames {
		return nil, fmt.Errorf("frame %d: the model has %d, counted from 0", frame, a.Frames)
	}
	return a.placements(frame), nil
}

// View finds the view of a name among Views.
func (a *Asset) View(name string) (View, bool) {
	i := slices.IndexFunc(a.Views, func(v View) bool { return v.Name == name })
	if i < 0 {
		return View{}, false
	}
	return a.Views[i], true
}

// still is the asset of models that stand where they are, once each.
func still(format string, models ...Model) *Asset {
	a := &Asset{
		Format: format, Frames: 1, Models: models,
		Up: mgl64.Vec3{0, 0, 1}, Front: mgl64.Vec3{0, -1, 0},
	}
	all := make([]Placement, len(models))
	for i := range models {
		all[i] = Placement{Model: i, Transform: mgl64.Ident4(), Name: models[i].Name, Layer: -1}
	}
	a.placements = func(int) []Placement { return slices.Clone(all) }
	return a
}

// Model is one octree of an asset. Voxel v of the model is voxel v of the tree.
type Model struct {
	Name string
	Size [3]int // the extent announced by the file, at least that of the voxels
	// Stored is how many voxels the file holds, those at the same place counted
	// one by one.
	Stored uint64
	Tree   *svo.Tree
}

// View is a camera with a name, of one word.
type View struct {
	Name   string
	Camera project.Camera
}

// Layer is a named group of placements that can be hidden.
type Layer struct {
	Name   string
	Hidden bool
}

// Placement puts a model into the world.
type Placement struct {
	Model     int        // index into Asset.Models
	Transform mgl64.Mat4 // from the tree's coordinates to the world's
	Name      string
	Layer     int  // index into Asset.Layers, -1 for none
	Hidden    bool // by itself, a group above it, or its layer
}
