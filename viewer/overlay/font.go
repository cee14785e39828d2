package overlay

import (
	"image"
	"image/draw"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// fonts are the letters of one size. Each is drawn once and kept: outlines take
// long, and a frame has a thousand letters.
type fonts struct {
	face            font.Face
	ascent, descent int // pixels
	glyphs          map[rune]glyph
}

type glyph struct {
	mask    *image.Alpha // around the pen's place; nil where there is nothing
	advance fixed.Int26_6
}

func newFonts(size int) *fonts {
	// The font is part of the program: these can't fail.
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		panic(err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		panic(err)
	}
	m := face.Metrics()
	return &fonts{face: face, ascent: m.Ascent.Round(), descent: m.Descent.Round(), glyphs: map[rune]glyph{}}
}

func (f *fonts) glyph(r rune) glyph {
	if g, ok := f.glyphs[r]; ok {
		return g
	}
	to, mask, from, advance, ok := f.face.Glyph(fixed.Point26_6{}, r)
	if !ok { // the font has none: as anything else that it lacks
		to, mask, from, advance, ok = f.face.Glyph(fixed.Point26_6{}, '\ufffd')
	}
	g := glyph{advance: advance}
	if ok && !to.Empty() {
		// The face draws its next letter into the same mask.
		g.mask = image.NewAlpha(to)
		draw.Draw(g.mask, to, mask, from, draw.Src)
	}
	f.glyphs[r] = g
	return g
}
