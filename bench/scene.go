package main

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/render/witness"
)

// subject is a scene to be drawn and how it likes to be looked at.
type subject struct {
	scene     *render.Scene
	up, front mgl64.Vec3
	flight    *project.Path // of the model's own, nil for none
	views     []models.View // of the model's own
}

// load makes a subject of a file or of a procedural model.
func load(name string, opts models.Options) (subject, error) {
	asset, err := models.Load(name, opts)
	if err != nil {
		return subject{}, err
	}
	scene, err := render.SceneOf(asset, 0)
	if err != nil {
		return subject{}, fmt.Errorf("%s: %w", name, err)
	}
	if _, _, ok := scene.Bounds(); !ok {
		return subject{}, fmt.Errorf("%s: there is nothing to be seen in it", name)
	}
	return subject{scene: scene, up: asset.Up, front: asset.Front, flight: asset.Flight, views: asset.Views}, nil
}

// usualModels are those asked for, else one without end that is full of holes
// and one that is a surface.
func usualModels(asked []string) []string {
	if len(asked) > 0 {
		return asked
	}
	return []string{"proc:sponge", "proc:terrain?size=1024"}
}

const (
	fovY = 40 // degrees, where a command doesn't say something else
	fill = 0.9
)

// whole is a camera that sees the whole subject from above its front, turned
// to the right by an angle, the subject filling most of the picture.
func (s *subject) whole(size size, turn, rise float64) (project.Camera, error) {
	side := s.front.Cross(s.up)
	from := s.front.Mul(math.Cos(turn)).Add(side.Mul(math.Sin(turn))).Mul(math.Cos(rise)).Add(s.up.Mul(math.Sin(rise)))
	return s.scene.Fit(from.Mul(-1), s.up, size.width, size.height, fovY, fill)
}

// around is a camera path of so many pictures: once around the subject, rising
// and sinking between 10 and 50 degrees, and coming as near as half the
// distance at which the whole of it is seen.
func (s *subject) around(size size, frames int) ([]project.Camera, error) {
	cameras := make([]project.Camera, frames)
	for k := range cameras {
		turn := 2 * math.Pi * float64(k) / float64(frames)
		camera, err := s.whole(size, turn, mgl64.DegToRad(30+20*math.Sin(3*turn)))
		if err != nil {
			return nil, err
		}
		near := 0.75 + 0.25*math.Cos(2*turn)
		camera.Eye = camera.Target.Add(camera.Eye.Sub(camera.Target).Mul(near))
		cameras[k] = camera
	}
	return cameras, nil
}

// truth is the scene as the witness takes it. Trees without end are cast to an
// eighth of a pixel, not to their leaves.
func (s *subject) truth() witness.Scene {
	truth := witness.Scene{LaterWins: s.scene.LaterWins, Models: make([]witness.Model, len(s.scene.Instances))}
	for i, instance := range s.scene.Instances {
		if instance.Hidden {
			continue
		}
		truth.Models[i] = witness.Model{Tree: instance.Tree, Transform: instance.Transform}
		if instance.Tree.Depth > 14 {
			truth.MaxFootprint = 0.125
		}
	}
	return truth
}
