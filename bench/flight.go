package main

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/project"
)

// cityFlags choose the city that is flown through, and how much of the flight.
type cityFlags struct {
	Instances int `default:"100000" help:"Placed models of the city (${default})."`
	Seed      int `default:"1" help:"Another city for each (${default})."`
	Fps       int `default:"60" help:"Pictures for each second of the flight (${default})."`
}

// Consecutive pictures that are drawn together where not all are: what is kept
// from one to the next pays as it would in the whole flight.
const runLength = 12

// city is the subject, and its name.
func (f *cityFlags) city() (*subject, string, error) {
	if f.Fps < 1 {
		return nil, "", fmt.Errorf("--fps %d: must be 1 or more", f.Fps)
	}
	name := fmt.Sprintf("proc:city?instances=%d&seed=%d", f.Instances, f.Seed)
	s, err := load(name, models.Options{})
	if err != nil {
		return nil, "", err
	}
	s.scene.Tracked = true // nothing in it moves
	return &s, name, nil
}

// flight is the subject's flight in so many pictures, 0 for all of them: fewer
// are runs of consecutive ones, each in the middle of an equal share of it.
func (f *cityFlags) flight(s *subject, pictures int) ([]project.Camera, error) {
	if s.flight == nil {
		return nil, fmt.Errorf("the model has no flight")
	}
	all := s.flight.Cameras(int(s.flight.Duration()*float64(f.Fps) + 0.5))
	switch {
	case pictures < 0:
		return nil, fmt.Errorf("--frames %d: must be 1 or more, or 0 for the whole flight", pictures)
	case pictures == 0 || pictures >= len(all):
		return all, nil
	}
	run := min(runLength, pictures)
	runs := (pictures + run - 1) / run
	some := make([]project.Camera, pictures)
	for k := range some {
		middle := (2*(k/run) + 1) * len(all) / (2 * runs)
		some[k] = all[max(0, min(middle-run/2+k%run, len(all)-1))]
	}
	return some, nil
}

// afar are pictures of the whole city, the camera going around it by a degree
// from each to the next; nil where the model has no view from afar.
func (f *cityFlags) afar(s *subject, pictures int) []project.Camera {
	i := slices.IndexFunc(s.views, func(v models.View) bool { return v.Name == "afar" })
	if i < 0 {
		return nil
	}
	cameras := make([]project.Camera, pictures)
	for k := range cameras {
		c := s.views[i].Camera
		turn := mgl64.Rotate3DZ(mgl64.DegToRad(float64(k)))
		c.Eye = c.Target.Add(turn.Mul3x1(c.Eye.Sub(c.Target)))
		cameras[k] = c
	}
	return cameras
}
