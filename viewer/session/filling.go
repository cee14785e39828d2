package session

import (
	"image"
	"time"

	"github.com/cfef80af/eightfold/render"
)

// How long it is played how the picture fills, and in how many steps.
const (
	fillTime  = 4 * time.Second
	fillSteps = 240
)

// filling is how far the picture is filled while that is played.
type filling struct {
	on     bool
	passed time.Duration
}

// Fill plays in which order the pixels of the picture are taken, front to back,
// or stops that.
func (s *Session) Fill() {
	if s.model == nil {
		return
	}
	s.filling = filling{on: !s.filling.on}
	if s.filling.on {
		s.Say("the pixels, in the order in which they are taken")
	}
}

func (f *filling) tick(passed time.Duration) {
	if f.passed += passed; f.on && f.passed > fillTime {
		*f = filling{}
	}
}

// step is 1 to fillSteps while it is played, else 0.
func (f *filling) step() int {
	if !f.on {
		return 0
	}
	return 1 + int(int64(fillSteps-1)*int64(f.passed)/int64(fillTime))
}

// filled is how far the frame was filled by then, on its background.
func filled(frame *render.Frame, step int, background []byte) []byte {
	picture := image.NewNRGBA(image.Rect(0, 0, frame.Width, frame.Height))
	frame.Filling(uint32(uint64(frame.LastOrder())*uint64(step)/fillSteps), picture)
	for i := 0; i < len(picture.Pix); i += 4 {
		if picture.Pix[i+3] == 0 {
			copy(picture.Pix[i:i+4], background)
		}
	}
	return premultiplied(picture)
}
