package render

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
)

// MaxSamples is how many pictures an Accumulator can hold.
const MaxSamples = 256

// SampleShift returns the Camera.Shift of sample i of a picture, each within half
// a pixel. The first is zero: the first sample is the picture without any. Those
// that follow fill the pixel evenly however many there are: it is the additive
// recurrence of the plastic number (M. Roberts, "The Unreasonable Effectiveness
// of Quasirandom Sequences", 2018), begun in the pixel's middle.
func SampleShift(i int) mgl64.Vec2 {
	const plastic = 1.32471795724474602596 // x*x*x = x + 1
	shift := func(step float64) float64 {
		_, place := math.Modf(0.5 + float64(float64(i)*step))
		return place - 0.5
	}
	return mgl64.Vec2{shift(1 / plastic), shift(1 / (plastic * plastic))}
}

// Accumulator is the running mean of pictures of one size: shifted samples of
// one view become a picture with smooth edges. Colours are averaged as amounts of
// light (the linear numbers behind sRGB), each weighed by its alpha; of a single
// picture nothing changes.
type Accumulator struct {
	samples int
	sums    []sum
	picture *image.NRGBA
}

// sum adds up red, green and blue times alpha, and alpha. MaxSamples of them fit.
type sum [4]uint32

// NewAccumulator makes an empty one for pictures of width x height pixels.
func NewAccumulator(width, height int) *Accumulator {
	return &Accumulator{sums: make([]sum, width*height), picture: image.NewNRGBA(image.Rect(0, 0, width, height))}
}

// Samples is how many pictures have been added.
func (a *Accumulator) Samples() int { return a.samples }

// Reset forgets all pictures.
func (a *Accumulator) Reset() {
	clear(a.sums)
	a.samples = 0
}

// Add adds a picture, such as Frame.Colour. It fails where the size is another,
// or MaxSamples have been added.
func (a *Accumulator) Add(picture *image.NRGBA) error {
	if size := picture.Rect.Size(); size != a.picture.Rect.Size() {
		return fmt.Errorf("samples: a picture of %v pixels can't be added to one of %v", size, a.picture.Rect.Size())
	}
	if a.samples == MaxSamples {
		return fmt.Errorf("samples: at most %d pictures can be added", MaxSamples)
	}
	a.samples++
	for y := range a.picture.Rect.Dy() {
		row := picture.Pix[y*picture.Stride:]
		sums := a.sums[y*a.picture.Rect.Dx():][:a.picture.Rect.Dx()]
		for x := range sums {
			pixel := row[4*x : 4*x+4]
			s, alpha := &sums[x], uint32(pixel[3])
			s[0] += alpha * linear[pixel[0]]
			s[1] += alpha * linear[pixel[1]]
			s[2] += alpha * linear[pixel[2]]
			s[3] += alpha
		}
	}
	return nil
}

// Picture is the mean so far, all transparent where nothing was added. It is
// overwritten by the next call.
func (a *Accumulator) Picture() *image.NRGBA {
	n := uint32(max(a.samples, 1))
	for i := range a.sums {
		s, pixel := &a.sums[i], a.picture.Pix[4*i:4*i+4]
		if s[3] == 0 {
			clear(pixel)
			continue
		}
		for c := range 3 {
			pixel[c] = toSRGB((s[c] + s[3]/2) / s[3])
		}
		pixel[3] = uint8((s[3] + n/2) / n)
	}
	return a.picture
}

// fullLinear is the linear number of sRGB 255.
const fullLinear = 1<<16 - 1

// linear has the linear number of each sRGB number (IEC 61966-2-1).
var linear = func() (table [256]uint32) {
	for i := range table {
		v := float64(i) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		table[i] = uint32(math.Round(fullLinear * v))
	}
	return table
}()

// nearestSRGB has the sRGB number whose linear number is nearest to 16*i, or the
// one before it: the steps of linear are at least 16 apart.
var nearestSRGB = func() (table [1<<12 + 1]uint8) {
	for i := range table {
		at, found := slices.BinarySearch(linear[:], uint32(16*i))
		if !found {
			at--
		}
		table[i] = uint8(at)
	}
	return table
}()

// toSRGB is the sRGB number whose linear number is nearest to l.
func toSRGB(l uint32) uint8 {
	c := int(nearestSRGB[l>>4]) // the greatest whose linear number is not above l, or the one before
	for c < 255 && linear[c]+linear[c+1] < 2*l {
		c++
	}
	return uint8(c)
}

// DrawSamples draws the scene n times (1 to MaxSamples), shifted by SampleShift,
// and returns the last frame and the mean of all pictures in a. With one sample
// that is the picture that Draw makes. The frame's times are those of all.
func (r *Renderer) DrawSamples(ctx context.Context, s *Scene, c project.Camera, n int, a *Accumulator) (*Frame, error) {
	if n < 1 || n > MaxSamples {
		return nil, fmt.Errorf("samples %d: must be 1 to %d", n, MaxSamples)
	}
	a.Reset()
	var times Times
	shift := c.Shift
	for i := range n {
		c.Shift = shift.Add(SampleShift(i))
		frame, err := r.Draw(ctx, s, c)
		if err != nil {
			return nil, err
		}
		if err := a.Add(frame.Colour); err != nil {
			return nil, err
		}
		times.add(&frame.Stats.Times)
	}
	r.frame.Stats.Times = times
	return r.frame, nil
}
