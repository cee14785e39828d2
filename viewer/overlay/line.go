package overlay

import (
	"image/color"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// line draws a line with smooth edges. Along its longer axis it goes pixel by
// pixel, across it each pixel gets as much as the line covers of it.
func (p *Pen) line(from, to mgl64.Vec2, c color.NRGBA, width float64) {
	from, to, ok := p.clip(from, to, width)
	if !ok {
		return
	}
	long := 0
	if math.Abs(to[1]-from[1]) > math.Abs(to[0]-from[0]) {
		long = 1
	}
	if from[long] > to[long] {
		from, to = to, from
	}
	slope := 0.0
	if to[long] > from[long] {
		slope = (to[1-long] - from[1-long]) / (to[long] - from[long])
	}
	half := width / 2 * math.Hypot(1, slope) // across, in the direction of the pixels
	for i := int(math.Floor(from[long])); i <= int(math.Floor(to[long])); i++ {
		ends := math.Min(float64(i+1), to[long]) - math.Max(float64(i), from[long]) // how much of the pixel it runs through
		middle := from[1-long] + slope*(math.Min(math.Max(float64(i)+0.5, from[long]), to[long])-from[long])
		for j := int(math.Floor(middle - half)); j <= int(math.Floor(middle+half)); j++ {
			across := math.Min(float64(j+1), middle+half) - math.Max(float64(j), middle-half)
			at := [2]int{i, j}
			p.blend(at[long], at[1-long], c, math.Max(ends, 0)*math.Max(across, 0))
		}
	}
}

// clip is the part of a line that lies in the image, or little beyond it (Y.-D.
// Liang and B. A. Barsky, A New Concept and Method for Line Clipping, 1984).
func (p *Pen) clip(from, to mgl64.Vec2, beyond float64) (a, b mgl64.Vec2, ok bool) {
	r := p.img.Bounds()
	low := mgl64.Vec2{float64(r.Min.X) - beyond, float64(r.Min.Y) - beyond}
	high := mgl64.Vec2{float64(r.Max.X) + beyond, float64(r.Max.Y) + beyond}
	first, last := 0.0, 1.0
	for k := range 2 {
		d := to[k] - from[k]
		if d == 0 {
			if from[k] < low[k] || from[k] > high[k] {
				return a, b, false
			}
			continue
		}
		in, out := (low[k]-from[k])/d, (high[k]-from[k])/d
		first, last = math.Max(first, math.Min(in, out)), math.Min(last, math.Max(in, out))
	}
	if !(first < last) {
		return a, b, false
	}
	d := to.Sub(from)
	return from.Add(d.Mul(first)), from.Add(d.Mul(last)), true
}

// blend lays a colour over a pixel, by the part of it that is covered.
func (p *Pen) blend(x, y int, c color.NRGBA, part float64) {
	r := p.img.Bounds()
	if x < r.Min.X || y < r.Min.Y || x >= r.Max.X || y >= r.Max.Y {
		return
	}
	alpha := uint32(math.Round(float64(c.A) * math.Min(part, 1)))
	pixel := p.img.Pix[p.img.PixOffset(x, y):]
	for k, v := range [3]uint8{c.R, c.G, c.B} {
		pixel[k] = uint8((uint32(v)*alpha + uint32(pixel[k])*(255-alpha) + 127) / 255)
	}
	pixel[3] = uint8((255*alpha + uint32(pixel[3])*(255-alpha) + 127) / 255)
}
