package overlay

import (
	"fmt"
	"strings"

	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/viewer/keys"
)

// Statistics are the counters of a frame of width x height pixels.
func Statistics(s render.Stats, width, height int) Table {
	t := Table{Title: "statistics of the frame", Align: "lrr"}
	row := func(name string, n, of int) {
		share := ""
		if of > 0 {
			share = fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
		}
		t.Rows = append(t.Rows, Row{Cells: []string{name, grouped(n), share}})
	}
	verdict := func(v render.Verdict, n, of int) {
		row("  "+v.String(), n, of)
		t.Rows[len(t.Rows)-1].Swatch = verdictColours[v]
	}
	row("instances", s.Instances, 0)
	row("  not drawn", s.InstancesCulled, s.Instances)
	row("nodes tested", s.Tested, 0)
	verdict(render.VerdictBehind, s.Behind, s.Tested)
	verdict(render.VerdictOutside, s.Outside, s.Tested)
	verdict(render.VerdictEmpty, s.Empty, s.Tested)
	verdict(render.VerdictSubpixel, s.Subpixel, s.Tested)
	verdict(render.VerdictOccluded, s.Occluded, s.Tested)
	verdict(render.VerdictOpened, s.Opened, s.Tested)
	verdict(render.VerdictDrawn, s.Drawn, s.Tested)
	row("exact cubes", s.Cubes, s.Drawn)
	row("batches of eight", s.Batches, 0)
	row("  orthographic", s.OrthoBatches, s.Batches)
	row("  of bricks", s.Bottoms, s.Batches)
	row("tables for bricks", s.Tables, 0)
	row("orders inherited", s.OrderInherited, s.OrderInherited+s.OrderDecided)
	row("pixels taken", s.Pixels, width*height)
	if s.Pixels > 0 {
		t.Rows = append(t.Rows, Row{Cells: []string{"nodes tested a pixel", fmt.Sprintf("%.2f", float64(s.Tested)/float64(s.Pixels)), ""}})
	}
	return t
}

// grouped writes a count in groups of three digits.
func grouped(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + " " + text[i:]
	}
	return text
}

// Help lists what keys and buttons do.
func Help(title string, lines []keys.Line) Table {
	t := Table{Title: title, Align: "ll"}
	for i := 0; i < len(lines); {
		l, n := lines[i], run(lines[i:])
		if i += n; n > 1 {
			last := lines[i-1]
			l = keys.Line{Keys: l.Keys + " to " + last.Keys[strings.LastIndex(last.Keys, "+")+1:], Help: withoutNumber(l.Help)}
		}
		t.Rows = append(t.Rows, Row{Cells: []string{l.Keys, l.Help}, Look: Keyed})
	}
	return t
}

// run is how many lines from the first on differ in a number alone, like those of
// switches 1 to 10; they need but one row.
func run(lines []keys.Line) int {
	n := 1
	for text := withoutNumber(lines[0].Help); text != lines[0].Help && n < len(lines) && withoutNumber(lines[n].Help) == text; {
		n++
	}
	return n
}

// withoutNumber puts a letter for the number in a text.
func withoutNumber(text string) string {
	from := strings.IndexAny(text, "0123456789")
	if from < 0 {
		return text
	}
	rest := strings.TrimLeft(text[from:], "0123456789")
	return text[:from] + "n" + rest
}

// Switch is something with a state that can be clicked on.
type Switch struct {
	Name, Value, Key string
	On               bool
}

// Switches are a panel of them; Placed.Row tells which one is at a point.
func Switches(title string, list []Switch) Table {
	t := Table{Title: title, Align: "lll"}
	for _, s := range list {
		row := Row{Cells: []string{s.Name, s.Value, s.Key}, Box: Empty}
		if s.On {
			row.Box = Ticked
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
