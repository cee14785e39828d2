package session

import (
	"os"
	"testing"
	"time"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/render"
)

// BenchmarkOrbit is the viewer's own time for a frame of 1280x720 pixels while
// the model of EIGHTFOLD_MODEL (else the island) is turned, all pixels drawn.
func BenchmarkOrbit(b *testing.B) {
	model := os.Getenv("EIGHTFOLD_MODEL")
	if model == "" {
		model = "proc:island"
	}
	for _, shading := range []render.Shading{render.ShadeFlat, render.ShadeNone} {
		b.Run(shadings[shading], func(b *testing.B) {
			s, err := New([]string{model}, Options{Samples: 1, FixedResolution: true, Kernel: asm.Auto, Shading: shading})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			for !s.Ready() {
				s.Tick(time.Now())
				time.Sleep(time.Millisecond)
			}
			b.ReportAllocs()
			for b.Loop() {
				s.Nav.Orbit(5, 0)
				s.Tick(time.Now())
				if picture, _ := s.Advance(time.Now(), time.Minute); picture == nil {
					b.Fatal("no picture")
				}
			}
		})
	}
}
