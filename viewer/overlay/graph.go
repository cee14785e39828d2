package overlay

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"time"
)

// History is how many frames the graph shows.
const History = 256

// Graph is the times of the last frames, stage upon stage. The zero value is
// empty.
type Graph struct {
	frames [History]Frame
	count  int // of all frames ever; the last is Number count
	held   Frame
	rect   image.Rectangle // of the bars, where they were drawn last
	bar    int             // width of one in pixels
}

// Add appends a frame and numbers it, from 1 on.
func (g *Graph) Add(f Frame) {
	g.count++
	f.Number = g.count
	g.frames[g.count%History] = f
}

// Frames are the last frames, the latest last.
func (g *Graph) Frames() []Frame {
	n := min(g.count, History)
	list := make([]Frame, 0, n)
	for number := g.count - n + 1; number <= g.count; number++ {
		list = append(list, g.frames[number%History])
	}
	return list
}

// Held returns the frame that is held, and whether one is.
func (g *Graph) Held() (f Frame, ok bool) { return g.held, g.held.Number != 0 }

// Release lets go of the frame held.
func (g *Graph) Release() { g.held = Frame{} }

// Click holds the frame whose bar is at (x, y), or releases it if it was held. It
// tells whether the point lies on the graph.
func (g *Graph) Click(x, y float64) bool {
	at := image.Pt(int(math.Floor(x)), int(math.Floor(y)))
	if !at.In(g.rect) || g.bar == 0 {
		return false
	}
	number := g.count - (g.rect.Max.X-1-at.X)/g.bar
	switch {
	case number < 1 || number <= g.count-History:
		g.Release()
	case number == g.held.Number:
		g.Release()
	default:
		g.held = g.frames[number%History]
	}
	return true
}

const (
	graphHeight = 96
	axisWidth   = 44 // for the numbers on the left
)

// Graph draws the graph in a corner, with the colours' meaning below it, and
// beside it the figures of the frame that is held.
func (p *Pen) Graph(at Corner, g *Graph) Placed {
	g.bar = p.px(2)
	if p.img.Bounds().Dx() < p.px(2*History+axisWidth+2*padding+2*margin) {
		g.bar = max(p.px(1), 1)
	}
	legend := p.legendLines(g.bar * History)
	size := image.Pt(p.px(axisWidth)+g.bar*History, p.px(lineHeight+4)+p.px(graphHeight)+p.px(6)+len(legend)*p.px(lineHeight))
	rect := p.place(at, size.Add(image.Pt(2*p.px(padding), 2*p.px(padding))))
	p.panel(rect)
	inner := rect.Inset(p.px(padding))
	p.graphTitle(inner, g)
	g.rect = image.Rect(inner.Min.X+p.px(axisWidth), inner.Min.Y+p.px(lineHeight+4), inner.Max.X, inner.Min.Y+p.px(lineHeight+4)+p.px(graphHeight))
	frames := g.Frames()
	top := scaleOf(frames)
	p.rules(g.rect, inner.Min.X, top)
	for i := range frames {
		p.bar(&frames[i], g, len(frames)-1-i, top)
	}
	p.graphLegend(image.Pt(g.rect.Min.X, g.rect.Max.Y+p.px(6)), legend)
	if held, ok := g.Held(); ok {
		figures := held.Figures()
		p.Table(p.beside(at, &figures, rect), figures)
	}
	return Placed{Rect: rect}
}

func (p *Pen) graphTitle(inner image.Rectangle, g *Graph) {
	p.text(inner.Min.X, inner.Min.Y-p.px(2), "frame times", accent)
	if g.count == 0 {
		return
	}
	last := g.frames[g.count%History]
	text := milliseconds(last.Total())
	if _, ok := g.Held(); !ok {
		text = "click on a frame to hold it    " + text
	}
	p.text(inner.Max.X-p.width(text), inner.Min.Y-p.px(2), text, dim)
}

// scaleOf is the time at the top of the graph: one of few, so that it doesn't
// change with each frame; a few frames may reach beyond it.
func scaleOf(frames []Frame) time.Duration {
	var totals []time.Duration
	for i := range frames {
		totals = append(totals, frames[i].Total())
	}
	const ms = time.Millisecond
	tops := []time.Duration{4 * ms, 8 * ms, 16 * ms, 33 * ms, 66 * ms, 133 * ms, 266 * ms, 533 * ms, 1066 * ms, 2133 * ms}
	for _, top := range tops {
		beyond := 0
		for _, t := range totals {
			if t > top {
				beyond++
			}
		}
		if beyond <= len(totals)/32 {
			return top
		}
	}
	return 10 * time.Second
}

// rules are the lines at the top and at a half, and their times.
func (p *Pen) rules(r image.Rectangle, left int, top time.Duration) {
	line := max(p.px(1), 1)
	for part := range 3 {
		y := r.Max.Y - r.Dy()*part/2
		p.fill(image.Rect(r.Min.X, y, r.Max.X, y+line), border)
		text := fmt.Sprintf("%g ms", float64(top)*float64(part)/2/float64(time.Millisecond))
		if part == 0 {
			text = "0"
		}
		p.text(left+p.px(axisWidth-6)-p.width(text), y-p.px(lineHeight)/2, text, dim)
	}
}

// bar draws a frame, so many bars from the right.
func (p *Pen) bar(f *Frame, g *Graph, back int, top time.Duration) {
	x := g.rect.Max.X - (back+1)*g.bar
	column := image.Rect(x, g.rect.Min.Y, x+g.bar, g.rect.Max.Y)
	if f.Number == g.held.Number {
		p.fill(column, color.NRGBA{255, 255, 255, 60})
	}
	height := func(t time.Duration) int {
		return min(int(float64(t)/float64(top)*float64(g.rect.Dy())+0.5), g.rect.Dy())
	}
	var sum time.Duration
	for s, d := range f.Stages {
		from := height(sum)
		sum += d
		if to := height(sum); to > from {
			p.fill(image.Rect(x, g.rect.Max.Y-to, x+g.bar, g.rect.Max.Y-from), stageColours[s])
		}
	}
	if sum > top { // it goes on above
		p.fill(image.Rect(x, g.rect.Min.Y, x+g.bar, g.rect.Min.Y+p.px(2)), alarm)
	}
	if f.Number == g.held.Number {
		p.fill(image.Rect(x, g.rect.Min.Y-p.px(3), x+g.bar, g.rect.Min.Y), accent)
	}
}

// legendLines breaks the stages' names into lines of a width.
func (p *Pen) legendLines(width int) (lines [][]Stage) {
	x := 0
	for s := range stages {
		w := p.legendWidth(s)
		if len(lines) == 0 || x+w > width {
			lines, x = append(lines, nil), 0
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], s)
		x += w
	}
	return lines
}

func (p *Pen) legendWidth(s Stage) int { return p.px(15) + p.width(s.String()) + p.px(12) }

func (p *Pen) graphLegend(at image.Point, lines [][]Stage) {
	side := p.px(10)
	for i, line := range lines {
		x, y := at.X, at.Y+i*p.px(lineHeight)
		for _, s := range line {
			middle := y + (p.px(lineHeight)-side)/2
			p.fill(image.Rect(x, middle, x+side, middle+side), stageColours[s])
			p.text(x+p.px(15), y, s.String(), ink)
			x += p.legendWidth(s)
		}
	}
}
