package render

import "fmt"

// Subpixel drops what is too small to be seen, and for how long it is not
// looked at again. The idea and the numbers are those of "Subpixel Culling" in
// the manual of the engine Aukio 3D.
type Subpixel struct {
	// Threshold in pixels: an instance, or a node of its tree, whose bounds on
	// the screen are smaller both across and down is dropped. 0, the default,
	// drops nothing; 0.4 is hardly seen.
	Threshold float64
	// What was dropped is not looked at again before the camera has moved by more
	// than Translate world units, or turned by more than Rotate (the greatest
	// difference of a component of its quaternion), or Frames frames have passed,
	// all since verdicts last ended. 0 means the default of each.
	Translate float64
	Rotate    float64
	Frames    int
}

// The defaults of Subpixel.
const (
	DefaultSubpixelTranslate = 25.0
	DefaultSubpixelRotate    = 0.01 // about 1.1 degrees
	DefaultSubpixelFrames    = 30
)

// settle fills in the defaults, or says what is out of range.
func (s *Subpixel) settle() error {
	switch {
	case !(s.Threshold >= 0 && s.Threshold <= MaxLOD):
		return fmt.Errorf("subpixel culling: threshold %g: must be 0 to %g pixels", s.Threshold, MaxLOD)
	case !(s.Translate >= 0), !(s.Rotate >= 0), s.Frames < 0:
		return fmt.Errorf("subpixel culling: distance %g, turn %g and frames %d must not be below 0", s.Translate, s.Rotate, s.Frames)
	}
	if s.Translate == 0 {
		s.Translate = DefaultSubpixelTranslate
	}
	if s.Rotate == 0 {
		s.Rotate = DefaultSubpixelRotate
	}
	if s.Frames == 0 {
		s.Frames = DefaultSubpixelFrames
	}
	return nil
}
