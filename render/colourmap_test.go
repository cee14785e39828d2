package render

import (
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// luminance is the relative luminance of IEC 61966-2-1.
func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// Who sees no colours at all still sees which of two values is larger.
func TestHeatGetsLighterThroughout(t *testing.T) {
	h := newHeat()
	for i := 1; i < len(h); i++ {
		require.Greater(t, luminance(h[i]), luminance(h[i-1]), "entry %d", i)
	}
	require.Less(t, luminance(h[0]), 0.04)
	require.Greater(t, luminance(h[255]), 0.7)
}

// Equal steps are seen as equal: none of 64 is twice as long as another, also
// after rounding to 8 bits.
func TestHeatHasEvenSteps(t *testing.T) {
	h := newHeat()
	least, most := math.Inf(1), 0.0
	for i := 0; i+4 < len(h); i += 4 {
		step := fromSRGB(h[i]).distance(fromSRGB(h[i+4]))
		least, most = math.Min(least, step), math.Max(most, step)
	}
	require.Less(t, most/least, 1.5)
}

func TestHeatEnds(t *testing.T) {
	h := newHeat()
	require.Equal(t, h[0], h.at(0))
	require.Equal(t, h[0], h.at(-3))
	require.Equal(t, h[0], h.at(math.NaN()))
	require.Equal(t, h[255], h.at(1))
	require.Equal(t, h[255], h.at(math.Inf(1)))
	require.Equal(t, h[128], h.at(128./255))
}

// fromSRGB is the inverse of oklab.srgb, by the matrices of the same source.
func fromSRGB(c color.NRGBA) oklab {
	var v [3]float64
	for i, s := range []uint8{c.R, c.G, c.B} {
		v[i] = float64(s) / 255
		if v[i] <= 0.04045 {
			v[i] /= 12.92
		} else {
			v[i] = math.Pow((v[i]+0.055)/1.055, 2.4)
		}
	}
	long := math.Cbrt(0.4122214708*v[0] + 0.5363325363*v[1] + 0.0514459929*v[2])
	medium := math.Cbrt(0.2119034982*v[0] + 0.6806995451*v[1] + 0.1073969566*v[2])
	short := math.Cbrt(0.0883024619*v[0] + 0.2817188376*v[1] + 0.6299787005*v[2])
	return oklab{
		0.2104542553*long + 0.7936177850*medium - 0.0040720468*short,
		1.9779984951*long - 2.4285922050*medium + 0.4505937099*short,
		0.0259040371*long + 0.7827717662*medium - 0.8086757660*short,
	}
}
