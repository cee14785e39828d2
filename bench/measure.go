package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// contender is something that draws pictures and is timed while it does. All
// contenders of a race have the same number of cameras.
type contender struct {
	name     string
	scene    *render.Scene
	cameras  []project.Camera
	options  render.Options
	renderer *render.Renderer
	clock    string
	now      now

	samples []float64 // milliseconds, by rounds, each by cameras
	pixels  int       // that see something, all cameras together
}

func (s *settings) newContender(name string, scene *render.Scene, cameras []project.Camera, o render.Options) (*contender, error) {
	renderer, err := render.NewRenderer(o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	now, err := s.clock()
	return &contender{name: name, scene: scene, cameras: cameras, options: o, renderer: renderer, clock: s.Clock, now: now}, err
}

// draw draws a camera's picture and returns how long that took.
func (c *contender) draw(ctx context.Context, camera int) (*render.Frame, float64, error) {
	// One that draws with n threads has n and no more, whoever was before it.
	if runtime.GOMAXPROCS(0) != c.options.Workers {
		runtime.GOMAXPROCS(c.options.Workers)
	}
	start := c.now()
	frame, err := c.renderer.Draw(ctx, c.scene, c.cameras[camera])
	elapsed := c.now() - start
	if err != nil {
		return nil, 0, fmt.Errorf("%s, picture %d: %w", c.name, camera+1, err)
	}
	return frame, milliseconds(elapsed), nil
}

// race times the contenders, camera by camera in turn, so that whatever else
// the machine does meets all of them alike; who begins changes from turn to
// turn. look, if any, sees the frames of a camera, by contender, in the first
// round.
func race(ctx context.Context, contenders []*contender, rounds int, look func(camera int, frames []*render.Frame)) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	if err := warmUp(ctx, contenders); err != nil {
		return err
	}
	runtime.GC()
	frames := make([]*render.Frame, len(contenders))
	for turn := range rounds * len(contenders[0].cameras) {
		round, camera := turn/len(contenders[0].cameras), turn%len(contenders[0].cameras)
		for k := range contenders {
			i := (k + turn) % len(contenders)
			c := contenders[i]
			frame, elapsed, err := c.draw(ctx, camera)
			if err != nil {
				return err
			}
			c.samples = append(c.samples, elapsed)
			if frames[i] = frame; round == 0 {
				c.pixels += frame.Stats.Pixels
			}
		}
		if look != nil && round == 0 {
			look(camera, frames)
		}
	}
	return nil
}

// warmUp lets each contender draw once: that makes its buffers, and brings what
// it needs into the caches. It is the last picture, so that the first is new.
func warmUp(ctx context.Context, contenders []*contender) error {
	for _, c := range contenders {
		if _, _, err := c.draw(ctx, len(c.cameras)-1); err != nil {
			return err
		}
	}
	return nil
}

// row is what the race tells of a contender.
func (c *contender) row(floors floors) Row {
	s := size{c.options.Width, c.options.Height}
	row := Row{
		Name: c.name, Size: s.String(), Threads: c.options.Workers,
		statistics: describe(c.samples),
		Pixels:     c.pixels / len(c.cameras),
		machine:    thisMachine(c.renderer.Kernel(), c.clock),
	}
	row.settle(floors.of(s, c.options.Workers))
	return row
}

// perCamera is the median time of each camera's picture.
func (c *contender) perCamera() []float64 {
	medians := make([]float64, len(c.cameras))
	for camera := range medians {
		var rounds []float64
		for i := camera; i < len(c.samples); i += len(c.cameras) {
			rounds = append(rounds, c.samples[i])
		}
		medians[camera] = median(rounds)
	}
	return medians
}
