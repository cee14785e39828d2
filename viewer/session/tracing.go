package session

import (
	"context"
	"math"

	"github.com/cfef80af/eightfold/render"
)

// tracing is the trace of a pixel that was asked for last.
type tracing struct {
	shot   shot
	x, y   int
	steps  []render.Step
	err    error
	tracer *render.Tracer // of options
	made   render.Options
}

// Trace tells which nodes the traversal visits for the pixel at (x, y) of the
// picture, and what becomes of each. What was asked for last is remembered.
func (s *Session) Trace(x, y float64) ([]render.Step, error) {
	if s.model == nil || !(x >= 0 && y >= 0 && x < float64(s.width) && y < float64(s.height)) {
		return nil, nil
	}
	shot := s.shot()
	shot.options.StageTimes, shot.options.Planes, shot.fill = false, 0, 0
	t := &s.tracing
	i, j := int(math.Floor(x)), int(math.Floor(y))
	if t.tracer != nil && t.shot == shot && t.x == i && t.y == j {
		return t.steps, t.err
	}
	if t.tracer == nil || t.made != shot.options {
		tracer, err := render.NewTracer(shot.options)
		if err != nil {
			return nil, err
		}
		t.tracer, t.made = tracer, shot.options
	}
	t.shot, t.x, t.y = shot, i, j
	t.steps, t.err = t.tracer.Trace(context.Background(), shot.scene, shot.camera, i, j)
	return t.steps, t.err
}
