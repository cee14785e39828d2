package main

import (
	"context"
	"math"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/render/witness"
)

// Fatness is how exact a way to draw is at level of detail.
type Fatness struct {
	LOD       float64 `json:"lod"`       // pixels up to which a node is drawn
	Fattening float64 `json:"fattening"` // pixels too many for each pixel of silhouette
}

// fattener measures fattening: it keeps what rays see from some cameras.
type fattener struct {
	subject  *subject
	cameras  []project.Camera
	pictures []*witness.Picture
}

// The pictures that fattening is measured on: rays take their time, and a
// fraction of a pixel is the same in a small picture.
const (
	fatSide     = 128
	fatPictures = 6
)

// newFattener casts the rays.
func newFattener(s *subject) (*fattener, error) {
	cameras, err := s.around(size{fatSide, fatSide}, fatPictures)
	if err != nil {
		return nil, err
	}
	f := &fattener{subject: s, cameras: cameras}
	for _, camera := range cameras {
		picture, err := witness.Cast(s.truth(), camera, fatSide, fatSide)
		if err != nil {
			return nil, err
		}
		f.pictures = append(f.pictures, picture)
	}
	return f, nil
}

// measure is the fattening of what these options draw, 0 where all voxels are
// larger than two pixels.
func (f *fattener) measure(ctx context.Context, o render.Options) (float64, error) {
	o.Width, o.Height, o.Planes = fatSide, fatSide, checkedPlanes
	renderer, err := render.NewRenderer(o)
	if err != nil {
		return 0, err
	}
	var sum witness.Report
	for i, camera := range f.cameras {
		frame, err := renderer.Draw(ctx, f.subject.scene, camera)
		if err != nil {
			return 0, err
		}
		report, err := witness.Compare(plain(frame), f.pictures[i])
		if err != nil {
			return 0, err
		}
		sum.Add(report)
	}
	return sum.Fattening(witness.Detail), nil
}

// asFat is the level of detail at which the options draw as fat as wanted, and
// how fat that is: bisection on a logarithmic scale, to a hundredth.
func (f *fattener) asFat(ctx context.Context, o render.Options, wanted float64) (fat Fatness, err error) {
	for low, high := render.DefaultLOD/4, render.DefaultLOD*4; high/low > 1.01; {
		fat.LOD = math.Sqrt(low * high)
		o.LOD = fat.LOD
		if fat.Fattening, err = f.measure(ctx, o); err != nil {
			return fat, err
		}
		if fat.Fattening < wanted {
			low = fat.LOD
		} else {
			high = fat.LOD
		}
	}
	return fat, nil
}

// cores are both cores as they are, and the classic one at the level of detail
// at which it draws as fat as the brick core, with the fatness of each.
func (f *fattener) cores(ctx context.Context, o render.Options) (variants []variant, fat []*Fatness, err error) {
	own, err := f.measure(ctx, classic.apply(o))
	if err != nil {
		return nil, nil, err
	}
	wanted, err := f.measure(ctx, bricks.apply(o))
	if err != nil {
		return nil, nil, err
	}
	same := Fatness{render.DefaultLOD, own}
	if wanted > 0 {
		if same, err = f.asFat(ctx, classic.apply(o), wanted); err != nil {
			return nil, nil, err
		}
	}
	equal := variant{"classic, as fat", func(o *render.Options) { o.LOD = same.LOD }}
	return []variant{classic, equal.over(classic), bricks},
		[]*Fatness{{render.DefaultLOD, own}, &same, {render.DefaultBrickLOD, wanted}}, nil
}
