package overlay

import (
	"image"
	"image/color"
	"math"
	"strings"
)

// Table is a panel of rows.
type Table struct {
	Title string
	// Align has a letter for each column: l or r.
	Align string
	Rows  []Row
}

// Row is a row of a table.
type Row struct {
	Cells []string
	// Swatch is a patch of colour before the first cell; the zero colour is none.
	Swatch color.NRGBA
	// Box is a box before the first cell: empty, or ticked.
	Box Box
	// Bar is a bar below the row, 0 to 1 of its width.
	Bar float64
	// Look is how the text looks.
	Look Look
}

// Box is a box that can be ticked.
type Box int

// The boxes.
const (
	NoBox Box = iota
	Empty
	Ticked
)

// Look is how the text of a row looks.
type Look int

// The looks.
const (
	Plain Look = iota
	Keyed      // the first cell stands out
	Faint
	Strong
	Wrong
)

// Placed is where a panel was drawn, and its rows.
type Placed struct {
	Rect image.Rectangle
	Rows []image.Rectangle
}

// In tells whether a point lies on the panel.
func (p *Placed) In(x, y float64) bool {
	return image.Pt(int(math.Floor(x)), int(math.Floor(y))).In(p.Rect)
}

// Row returns the row at a point, the first being 0.
func (p *Placed) Row(x, y float64) (row int, ok bool) {
	for i, r := range p.Rows {
		if image.Pt(int(math.Floor(x)), int(math.Floor(y))).In(r) {
			return i, true
		}
	}
	return 0, false
}

// Table draws a table in a corner. One that is higher than the picture goes on
// beside itself; if that becomes wider than the picture, all of it is drawn
// smaller, down to half its size.
func (p *Pen) Table(at Corner, t Table) Placed {
	whole := p.scale
	defer p.setScale(whole)
	l := p.layOut(at, &t)
	for l.size.X > p.img.Bounds().Dx()-2*p.px(margin) && p.scale > whole/2 {
		p.setScale(p.scale * 0.95)
		l = p.layOut(at, &t)
	}
	rect := p.place(at, l.size)
	p.panel(rect)
	placed := Placed{Rect: rect}
	inner := rect.Inset(p.px(padding))
	if t.Title != "" {
		p.text(inner.Min.X, inner.Min.Y-p.px(2), t.Title, accent)
	}
	x := inner.Min.X
	for k, part := range l.parts {
		for i := range part.rows {
			y := inner.Min.Y + l.top + i*l.line
			row := image.Rect(x, y, x+part.width(), y+l.line)
			if k == len(l.parts)-1 {
				row.Max.X = inner.Max.X
			}
			p.row(&part.rows[i], row, &part.columns, t.Align)
			placed.Rows = append(placed.Rows, row)
		}
		x += part.width() + p.px(2*columnGap)
	}
	return placed
}

// layout is where the parts of a table go, in pixels.
type layout struct {
	size      image.Point
	top, line int // where the rows begin, and how high one is
	parts     []part
}

// part is rows of a table that stand below one another.
type part struct {
	rows []Row
	columns
}

func (p *Pen) layOut(at Corner, t *Table) (l layout) {
	l.line = p.px(lineHeight)
	if t.Title != "" {
		l.top = p.px(lineHeight + 6)
	}
	room := p.img.Bounds().Dy() - 2*p.px(margin+padding) - l.top
	if at == Middle {
		room -= 2 * max(p.used[BottomLeft], p.used[BottomRight])
	} else {
		room -= p.used[TopLeft+at&1] + p.used[BottomLeft+at&1]
	}
	fit := max(room/max(l.line, 1), 1)
	parts := max((len(t.Rows)+fit-1)/fit, 1)
	each := (len(t.Rows) + parts - 1) / parts // as high as each other
	width := 0
	for rows := t.Rows; len(rows) > 0; rows = rows[min(each, len(rows)):] {
		part := part{rows: rows[:min(each, len(rows))]}
		part.columns = p.columns(part.rows)
		if len(l.parts) > 0 {
			width += p.px(2 * columnGap)
		}
		width += part.width()
		l.parts = append(l.parts, part)
	}
	l.size = image.Pt(max(width, p.width(t.Title))+2*p.px(padding), l.top+each*l.line+2*p.px(padding))
	return l
}

// columns are the widths of a table's columns in pixels.
type columns struct {
	lead   int // room for swatches and boxes
	widths []int
	sum    int
}

func (c *columns) width() int { return c.lead + c.sum }

func (p *Pen) columns(rows []Row) (c columns) {
	for i := range rows {
		r := &rows[i]
		if r.Swatch != (color.NRGBA{}) || r.Box != NoBox {
			c.lead = p.px(lineHeight)
		}
		for k, cell := range r.Cells {
			if k == len(c.widths) {
				c.widths = append(c.widths, 0)
			}
			c.widths[k] = max(c.widths[k], p.width(cell))
		}
	}
	for k, w := range c.widths {
		if c.sum += w; k > 0 {
			c.sum += p.px(columnGap)
		}
	}
	return c
}

func (p *Pen) row(r *Row, at image.Rectangle, c *columns, align string) {
	if r.Bar > 0 {
		bar := at
		bar.Min.Y, bar.Max.Y = at.Max.Y-p.px(2), at.Max.Y-p.px(1)
		bar.Min.X += c.lead
		p.fill(bar, border)
		bar.Max.X = bar.Min.X + int(float64(bar.Dx())*math.Min(r.Bar, 1))
		colour := r.Swatch
		if colour == (color.NRGBA{}) {
			colour = accent
		}
		p.fill(bar, colour)
	}
	side := p.px(10)
	patch := image.Rect(0, 0, side, side).Add(image.Pt(at.Min.X, at.Min.Y+(at.Dy()-side)/2))
	if r.Swatch != (color.NRGBA{}) {
		p.fill(patch, r.Swatch)
	}
	if r.Box != NoBox {
		p.fill(patch, dim)
		p.fill(patch.Inset(max(p.px(1), 1)), color.NRGBA{24, 27, 36, 255})
		if r.Box == Ticked {
			p.fill(patch.Inset(p.px(3)), accent)
		}
	}
	first, rest := ink, ink
	switch r.Look {
	case Keyed:
		first = accent
	case Faint:
		first, rest = dim, dim
	case Strong:
		first, rest = accent, accent
	case Wrong:
		first, rest = alarm, alarm
	}
	x := at.Min.X + c.lead
	for k, cell := range r.Cells {
		colour := rest
		if k == 0 {
			colour = first
		}
		left := x
		if k < len(align) && align[k] == 'r' {
			left += c.widths[k] - p.width(cell)
		}
		p.text(left, at.Min.Y, cell, colour)
		x += c.widths[k] + p.px(columnGap)
	}
}

// Status draws the status line along the bottom of the picture, in the colour of
// errors if it tells of one. It leaves its height free for the corners at the
// bottom: draw it first.
func (p *Pen) Status(text string, failure bool) image.Rectangle {
	all := p.img.Bounds()
	height := p.px(lineHeight + 6)
	rect := image.Rect(all.Min.X, all.Max.Y-height, all.Max.X, all.Max.Y)
	p.used[BottomLeft] += height
	p.used[BottomRight] += height
	colour := ink
	if failure {
		colour = alarm
	}
	p.fill(rect, paper)
	p.fill(image.Rect(rect.Min.X, rect.Min.Y, rect.Max.X, rect.Min.Y+max(p.px(1), 1)), border)
	p.text(rect.Min.X+p.px(padding), rect.Min.Y+p.px(3), p.shorten(text, rect.Dx()-2*p.px(padding)), colour)
	return rect
}

// shorten cuts a text in its middle so that it fits: its ends tell the most.
func (p *Pen) shorten(text string, width int) string {
	text = strings.ReplaceAll(text, "\n", " ")
	letters := []rune(text)
	for keep := len(letters) - 1; p.width(text) > width && keep > 0; keep -= max(1, keep/16) {
		half := keep / 2
		text = string(letters[:keep-half]) + "…" + string(letters[len(letters)-half:])
	}
	return text
}
