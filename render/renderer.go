package render

import (
	"context"
	"errors"

	"github.com/cfef80af/eightfold/project"
)

// Renderer draws frames of one size. It keeps its buffers between frames; use
// one per goroutine.
type Renderer struct {
	opts  Options
	frame Frame
}

// NewRenderer checks the options and makes a renderer.
func NewRenderer(opts Options) (*Renderer, error) {
	return nil, errors.New("under construction")
}

// Draw draws the scene as seen by the camera. It stops early, with the
// context's error, when ctx ends. The frame is valid until the next Draw.
func (r *Renderer) Draw(ctx context.Context, s *Scene, c project.Camera) (*Frame, error) {
	return nil, errors.New("under construction")
}
