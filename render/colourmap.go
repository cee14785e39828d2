package render

import (
	"image/color"
	"math"
	"sync"
)

// heat is a colour map for magnitudes: dark violet over blue and green to light
// yellow. Equal steps along it look equally large, and as its lightness only
// rises, it reads the same in grey and with any colour blindness.
//
// It is a path through the OKLCh space (B. Ottosson, A perceptual color space
// for image processing, 2020), cut into pieces of equal length.
type heat [256]color.NRGBA

// heats is made once: it takes longer than a small picture.
var heats = sync.OnceValue(newHeat)

// Heat returns the colour that heatmaps have for a share, 0 to 1, of their range.
func Heat(share float64) color.NRGBA { return heats().at(share) }

func newHeat() *heat {
	const fine = 4096
	var path [fine + 1]oklab
	var length [fine + 1]float64 // of the path up to each point
	for i := range path {
		path[i] = heatPath(float64(i) / fine)
		if i > 0 {
			length[i] = length[i-1] + path[i].distance(path[i-1])
		}
	}
	h := new(heat)
	at := 0
	for i := range h {
		for at < fine && length[at] < length[fine]*float64(i)/float64(len(h)-1) {
			at++
		}
		h[i] = path[at].srgb()
	}
	return h
}

// at returns the colour for t, 0 to 1; beyond these it is that of the end.
func (h *heat) at(t float64) color.NRGBA {
	if !(t > 0) {
		return h[0]
	}
	return h[int(math.Min(t, 1)*float64(len(h)-1)+0.5)]
}

// heatPath turns from violet to yellow while it gets lighter, as vivid as sRGB
// allows but for a margin that keeps the path smooth.
func heatPath(t float64) oklab {
	lightness := 0.26 + 0.68*t
	hue := (305 - 200*t) * math.Pi / 180
	sin, cos := math.Sincos(hue)
	low, high := 0.0, 0.4
	for range 30 {
		chroma := (low + high) / 2
		if (oklab{lightness, chroma * cos, chroma * sin}).displayable() {
			low = chroma
		} else {
			high = chroma
		}
	}
	chroma := math.Min(0.85*low, 0.16)
	return oklab{lightness, chroma * cos, chroma * sin}
}

// oklab is a colour by its lightness (0 to 1), its green to red and its blue to
// yellow part: distances in it are differences as they are seen.
type oklab struct{ l, a, b float64 }

func (c oklab) distance(d oklab) float64 {
	return math.Sqrt((c.l-d.l)*(c.l-d.l) + (c.a-d.a)*(c.a-d.a) + (c.b-d.b)*(c.b-d.b))
}

func (c oklab) linear() [3]float64 {
	long := c.l + 0.3963377774*c.a + 0.2158037573*c.b
	medium := c.l - 0.1055613458*c.a - 0.0638541728*c.b
	short := c.l - 0.0894841775*c.a - 1.2914855480*c.b
	long, medium, short = long*long*long, medium*medium*medium, short*short*short
	return [3]float64{
		4.0767416621*long - 3.3077115913*medium + 0.2309699292*short,
		-1.2684380046*long + 2.6097574011*medium - 0.3413193965*short,
		-0.0041960863*long - 0.7034186147*medium + 1.7076147010*short,
	}
}

func (c oklab) displayable() bool {
	for _, v := range c.linear() {
		if v < 0 || v > 1 {
			return false
		}
	}
	return true
}

func (c oklab) srgb() color.NRGBA {
	var rgb [3]uint8
	for i, v := range c.linear() {
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		rgb[i] = uint8(math.Round(math.Min(math.Max(v, 0), 1) * 255))
	}
	return color.NRGBA{rgb[0], rgb[1], rgb[2], 255}
}
