package overlay

import (
	"fmt"
	"image"

	"github.com/cfef80af/eightfold/render"
)

const (
	legendWidth = 256
	legendBar   = 12
)

// Legend draws what the colours of a heatmap mean: those of render.Heat from low
// to high. beyond tells that there are greater values too.
func (p *Pen) Legend(at Corner, title string, across render.Range, beyond bool) Placed {
	size := image.Pt(max(p.px(legendWidth), p.width(title)), p.px(2*lineHeight+legendBar+4))
	rect := p.place(at, size.Add(image.Pt(2*p.px(padding), 2*p.px(padding))))
	p.panel(rect)
	inner := rect.Inset(p.px(padding))
	p.text(inner.Min.X, inner.Min.Y-p.px(2), title, accent)
	top := inner.Min.Y + p.px(lineHeight+2)
	for x := inner.Min.X; x < inner.Max.X; x++ {
		share := float64(x-inner.Min.X) / float64(max(inner.Dx()-1, 1))
		p.fill(image.Rect(x, top, x+1, top+p.px(legendBar)), render.Heat(share))
	}
	y := top + p.px(legendBar+2)
	for part := range 3 {
		text := fmt.Sprintf("%.4g", across.Min+(across.Max-across.Min)*float64(part)/2)
		if part == 2 && beyond {
			text += "+"
		}
		p.text(inner.Min.X+(inner.Dx()-p.width(text))*part/2, y, text, dim)
	}
	return Placed{Rect: rect}
}
