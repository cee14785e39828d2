// Package overlay draws what the viewer shows above the picture: help, tables,
// graphs, lists that can be clicked on, and the boxes of nodes. It draws into an
// image and knows no window.
package overlay

import (
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/math/fixed"
)

// The looks: one paper, one ink and some accents, all for dark panels. Colours
// are not premultiplied.
var (
	paper  = color.NRGBA{16, 18, 24, 214}
	border = color.NRGBA{255, 255, 255, 28}
	ink    = color.NRGBA{232, 234, 240, 255}
	dim    = color.NRGBA{150, 156, 170, 255}
	accent = color.NRGBA{255, 205, 96, 255}
	alarm  = color.NRGBA{255, 122, 110, 255}
)

// Measures in units: pixels of a screen of ordinary density.
const (
	textSize   = 13
	lineHeight = 18
	padding    = 10
	margin     = 12 // between panels, and to the borders of the picture
	columnGap  = 18
)

// Corner is where on the picture a panel stands. Panels of one corner stand
// below one another (above one another at the bottom), in the order in which
// they are drawn.
type Corner int

// The corners, and the middle.
const (
	TopLeft Corner = iota
	TopRight
	BottomLeft
	BottomRight
	Middle
)

// Pen draws overlays. It keeps the letters from frame to frame; it belongs to one
// goroutine.
type Pen struct {
	img   *image.RGBA
	scale float64
	fonts map[int]*fonts // by the size in pixels
	font  *fonts
	used  [Middle + 1]int // pixels from the top or the bottom that panels take
}

// Begin starts the overlays of a frame on an image, which may hold the picture or
// be transparent. scale is how many pixels a unit is: 1, or 2 on a dense screen.
func (p *Pen) Begin(img *image.RGBA, scale float64) {
	if !(scale >= 0.5) {
		scale = 1
	}
	p.img, p.used = img, [Middle + 1]int{}
	p.setScale(math.Min(scale, 8))
}

// setScale changes the size of everything that follows.
func (p *Pen) setScale(scale float64) {
	if p.fonts == nil {
		p.fonts = map[int]*fonts{}
	}
	size := int(math.Round(textSize * scale))
	if p.fonts[size] == nil {
		p.fonts[size] = newFonts(size)
	}
	p.scale, p.font = scale, p.fonts[size]
}

// px is a measure in pixels.
func (p *Pen) px(units float64) int { return int(math.Round(units * p.scale)) }

// fill blends a colour over a rectangle.
func (p *Pen) fill(r image.Rectangle, c color.NRGBA) {
	r = r.Intersect(p.img.Bounds())
	rest := 255 - uint32(c.A)
	var over uint32 // the colour, premultiplied
	for k, v := range [4]uint8{c.R, c.G, c.B, 255} {
		over |= (uint32(v)*uint32(c.A) + 127) / 255 << (8 * k)
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := p.img.Pix[p.img.PixOffset(r.Min.X, y):][:4*r.Dx()]
		for ; len(row) >= 4; row = row[4:] {
			under := uint32(0)
			if rest != 0 {
				under = times(binary.LittleEndian.Uint32(row), rest)
			}
			binary.LittleEndian.PutUint32(row, over+under)
		}
	}
}

// times multiplies the four bytes of a pixel by f/255, two at a time, rounded.
func times(pixel, f uint32) uint32 {
	const pair, half = 0x00ff00ff, 0x00800080
	even, odd := (pixel&pair)*f+half, (pixel>>8&pair)*f+half
	even = (even + even>>8&pair) >> 8 & pair
	odd = (odd + odd>>8&pair) >> 8 & pair
	return even | odd<<8
}

// beside is the corner beside another one if a table has room there, next to the
// panel in it; else it is the corner itself.
func (p *Pen) beside(at Corner, t *Table, panel image.Rectangle) Corner {
	opposite := at ^ 1
	size, edge := p.layOut(opposite, t).size, p.px(margin)
	if size.X+panel.Dx()+3*edge <= p.img.Bounds().Dx() {
		return opposite
	}
	return at
}

// place finds room for a panel of a size in pixels.
func (p *Pen) place(at Corner, size image.Point) image.Rectangle {
	all, edge := p.img.Bounds(), p.px(margin)
	corner := all.Min.Add(image.Pt(edge, edge+p.used[at]))
	if at == TopRight || at == BottomRight {
		corner.X = all.Max.X - edge - size.X
	}
	if at == BottomLeft || at == BottomRight {
		corner.Y = all.Max.Y - edge - p.used[at] - size.Y
	}
	if at == Middle {
		corner = all.Min.Add(image.Pt(max(0, (all.Dx()-size.X)/2), max(0, (all.Dy()-size.Y)/2)))
	} else {
		p.used[at] += size.Y + edge
	}
	return image.Rectangle{Min: corner, Max: corner.Add(size)}
}

// panel draws the paper of a panel.
func (p *Pen) panel(r image.Rectangle) {
	p.fill(r, paper)
	w := max(p.px(1), 1)
	p.fill(image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+w), border)
	p.fill(image.Rect(r.Min.X, r.Max.Y-w, r.Max.X, r.Max.Y), border)
	p.fill(image.Rect(r.Min.X, r.Min.Y+w, r.Min.X+w, r.Max.Y-w), border)
	p.fill(image.Rect(r.Max.X-w, r.Min.Y+w, r.Max.X, r.Max.Y-w), border)
}

// text writes with its left end at x, in the line whose top is at y, and returns
// the column after it.
func (p *Pen) text(x, y int, text string, c color.NRGBA) int {
	f := p.font
	line := y + (p.px(lineHeight)+f.ascent-f.descent)/2
	pen := fixed.I(x)
	paint := image.NewUniform(c)
	for _, r := range text {
		g := f.glyph(r)
		if g.mask != nil {
			to := g.mask.Rect.Add(image.Pt(pen.Round(), line))
			draw.DrawMask(p.img, to, paint, image.Point{}, g.mask, g.mask.Rect.Min, draw.Over)
		}
		pen += g.advance
	}
	return pen.Ceil()
}

// width is how many pixels a text takes.
func (p *Pen) width(text string) int {
	var w fixed.Int26_6
	for _, r := range text {
		w += p.font.glyph(r).advance
	}
	return w.Ceil()
}
