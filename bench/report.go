package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// table is rows under a title.
type table struct {
	title string
	rows  []Row
}

// report is what a command has found.
type report struct {
	settings *settings
	machine  machine
	columns  []column // besides those of every table
	tables   []table
	plots    []plotted
}

// column is a heading and how a row fills it.
type column struct {
	head string
	text func(r *Row) string
}

func number(decimals int, value func(r *Row) float64) func(*Row) string {
	return func(r *Row) string { return fmt.Sprintf("%.*f", decimals, value(r)) }
}

func count(value func(r *Row) int) func(*Row) string {
	return func(r *Row) string { return fmt.Sprint(value(r)) }
}

// common are the columns of every table.
func common() []column {
	return []column{
		{"size", func(r *Row) string { return r.Size }},
		{"threads", count(func(r *Row) int { return r.Threads })},
		{"median ms", number(3, func(r *Row) float64 { return r.Median })},
		{"mean", number(3, func(r *Row) float64 { return r.Mean })},
		{"deviation", number(3, func(r *Row) float64 { return r.Deviation })},
		{"min", number(3, func(r *Row) float64 { return r.Min })},
		{"max", number(3, func(r *Row) float64 { return r.Max })},
		{"runs", count(func(r *Row) int { return r.Runs })},
		{"pixels", count(func(r *Row) int { return r.Pixels })},
		{"ns/pixel", number(1, func(r *Row) float64 { return r.NsPerPixel })},
		{"floor %", number(1, func(r *Row) float64 { return 100 * r.FloorShare })},
	}
}

// write prints the report as asked for, then writes the plots.
func (r *report) write(c console) error {
	print := r.text
	if r.settings.JSON {
		print = r.json
	}
	if err := print(c.out); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	if r.settings.Plots == "" {
		return nil
	}
	return writePlots(c, r.settings.Plots, r.plots)
}

func (r *report) json(out io.Writer) error {
	rows := []Row{}
	for _, t := range r.tables {
		for _, row := range t.rows {
			row.Table = t.title
			rows = append(rows, row)
		}
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(rows)
}

// text prints tables. Names stand to the left, figures to the right; tabwriter
// does either for a whole table, so names are padded here.
func (r *report) text(out io.Writer) error {
	if _, err := fmt.Fprintln(out, r.machine); err != nil {
		return err
	}
	columns := append(common(), r.columns...)
	for _, t := range r.tables {
		width := len(t.title)
		for _, row := range t.rows {
			width = max(width, len(row.Name))
		}
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(w, "\n%-*s\t", width, t.title)
		for _, c := range columns {
			fmt.Fprint(w, c.head, "\t")
		}
		fmt.Fprintln(w)
		for i := range t.rows {
			fmt.Fprintf(w, "%-*s\t", width, t.rows[i].Name)
			for _, c := range columns {
				fmt.Fprint(w, c.text(&t.rows[i]), "\t")
			}
			fmt.Fprintln(w)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// slug makes a file name of a title.
func slug(title string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	}), "-")
}
