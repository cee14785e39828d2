package render

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"strconv"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// legend tells what the colours of a heatmap mean: a title, the colours from
// left to right, and numbers below them.
type legend struct {
	title        string
	across       Range
	below, above bool // there are values beyond the range
	colours      *heat
}

// Measures of a legend in pixels, from its upper border downwards.
const (
	legendHeight = 52
	legendMargin = 8 // left and right
	titleLine    = 16
	barTop       = 21
	barBottom    = 33
	numberLine   = 46
)

var (
	legendPaper = color.NRGBA{18, 18, 22, 255} // also where a heatmap has no value
	legendInk   = color.NRGBA{225, 225, 225, 255}
)

// draw fills the rows of the picture from top on.
func (l legend) draw(picture *image.NRGBA, top int) {
	bounds := picture.Bounds()
	draw.Draw(picture, image.Rect(0, top, bounds.Max.X, bounds.Max.Y), image.NewUniform(legendPaper), image.Point{}, draw.Src)
	left, right := legendMargin, bounds.Max.X-legendMargin
	if right <= left {
		return
	}
	write(picture, l.title, left, top+titleLine)

	// Few whole numbers are patches of their own, as wide as each other; many
	// are a band of colours.
	patches := 0
	if n := l.across.Max - l.across.Min + 1; n == math.Trunc(n) && n <= 32 && 3*int(n) <= right-left {
		patches = int(n)
	}
	for x := left; x < right; x++ {
		v := l.across.Min + (l.across.Max-l.across.Min)*float64(x-left)/float64(max(right-left-1, 1))
		if patches > 0 {
			v = l.across.Min + math.Floor(float64(x-left)*float64(patches)/float64(right-left))
		}
		for y := top + barTop; y < top+barBottom; y++ {
			picture.SetNRGBA(x, y, l.colours.at(l.across.share(v)))
		}
	}
	l.numbers(picture, left, right, top+numberLine, patches)
}

// numbers writes as many round numbers below the bar as fit.
func (l legend) numbers(picture *image.NRGBA, left, right, line, patches int) {
	place := func(v float64) int {
		if patches > 0 {
			return left + int((v-l.across.Min+0.5)*float64(right-left)/float64(patches))
		}
		return left + int(l.across.share(v)*float64(right-left))
	}
	widest := width(l.label(l.across.Max)) + 12
	step := 1.0
	if distance := l.across.Max - l.across.Min; distance > 0 {
		step = roundUp(distance * float64(widest) / float64(right-left))
	}
	free := 0 // the first column that no number has taken
	for i := range right - left {
		v := (math.Ceil(l.across.Min/step) + float64(i)) * step
		if v > l.across.Max {
			break
		}
		text := l.label(v)
		x := place(v) - width(text)/2
		x = min(max(x, left), right-width(text))
		if x < free {
			continue
		}
		write(picture, text, x, line)
		free = x + width(text) + 7
	}
}

// label returns the number, marked where its colour also stands for what lies
// beyond it.
func (l legend) label(v float64) string {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	switch {
	case v == l.across.Max && l.above:
		return text + "+"
	case v == l.across.Min && l.below:
		return "<" + text
	}
	return text
}

func width(text string) int { return font.MeasureString(basicfont.Face7x13, text).Ceil() }

// write puts text with its left end at x, on the line y.
func write(picture *image.NRGBA, text string, x, y int) {
	pen := font.Drawer{Dst: picture, Src: image.NewUniform(legendInk), Face: basicfont.Face7x13, Dot: fixed.P(x, y)}
	pen.DrawString(text)
}
