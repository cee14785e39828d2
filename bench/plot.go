package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)

// plotted is a plot that is drawn if asked for.
type plotted struct {
	title string
	draw  func(p *plot.Plot) error
}

// The size of a plot on paper; a file has 96 pixels an inch.
const (
	plotWidth  = 8 * vg.Inch
	plotHeight = 5 * vg.Inch
)

// bars shows a figure of each row.
func bars(title, unit string, rows []Row, value func(*Row) float64) plotted {
	return plotted{title, func(p *plot.Plot) error {
		p.X.Label.Text = unit
		names, values := make([]string, len(rows)), make(plotter.Values, len(rows))
		for i := range rows { // the first row on top
			names[len(rows)-1-i], values[len(rows)-1-i] = rows[i].Name, value(&rows[i])
		}
		chart, err := plotter.NewBarChart(values, vg.Points(14))
		if err != nil {
			return err
		}
		chart.Horizontal, chart.Color = true, plotutil.Color(2)
		p.Add(plotter.NewGrid(), chart)
		p.NominalY(names...)
		p.Y.Min, p.Y.Max = -0.6, float64(len(rows))-0.4 // room for the outermost bars
		p.Y.Label.Text = " "                            // else the longest name loses its first letter
		p.X.Max += (p.X.Max - p.X.Min) / 20
		return nil
	}}
}

// curve shows the medians of rows that grow along x, both on logarithmic
// scales: proportional is a slope of one.
func curve(title, x string, rows []Row) plotted {
	return plotted{title, func(p *plot.Plot) error {
		p.X.Label.Text, p.Y.Label.Text = x, "ms, median"
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
		points := make(plotter.XYs, len(rows))
		for i, r := range rows {
			points[i] = plotter.XY{X: r.X, Y: r.Median}
		}
		p.Add(plotter.NewGrid())
		if err := plotutil.AddLinePoints(p, points); err != nil {
			return err
		}
		// A logarithmic axis needs an extent, also around a single point.
		p.X.Min, p.X.Max = p.X.Min/1.2, p.X.Max*1.2
		// Whole powers of ten are what has labels.
		p.Y.Min, p.Y.Max = math.Pow(10, math.Floor(math.Log10(p.Y.Min))), math.Pow(10, math.Ceil(math.Log10(p.Y.Max)))
		if p.Y.Min == p.Y.Max {
			p.Y.Max *= 10
		}
		return nil
	}}
}

// alongPath shows the time of each picture of a camera path.
func alongPath(title string, contenders []*contender) plotted {
	return plotted{title, func(p *plot.Plot) error {
		p.X.Label.Text, p.Y.Label.Text = "picture", "ms, median of the rounds"
		p.Y.Min = 0
		p.Legend.Top, p.Legend.XOffs = true, -vg.Points(12)
		p.Add(plotter.NewGrid())
		var lines []any
		for _, c := range contenders {
			points := make(plotter.XYs, len(c.cameras))
			for camera, ms := range c.perCamera() {
				points[camera] = plotter.XY{X: float64(camera + 1), Y: ms}
			}
			lines = append(lines, c.name, points)
		}
		err := plotutil.AddLines(p, lines...)
		p.Y.Max *= 1.25 // room for the legend
		p.X.Max += 0.2
		return err
	}}
}

// writePlots writes a PNG file for each plot, making the folder if need be.
func writePlots(c console, dir string, plots []plotted) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, planned := range plots {
		p := plot.New()
		p.Title.Text = planned.title
		if err := planned.draw(p); err != nil {
			return fmt.Errorf("plot of %s: %w", planned.title, err)
		}
		path := filepath.Join(dir, slug(planned.title)+".png")
		if err := savePlot(p, path); err != nil {
			return err
		}
		c.note("wrote %s", path)
	}
	return nil
}

// savePlot writes under another name first: no half file is left.
func savePlot(p *plot.Plot, path string) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), ".plot-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(file.Name())
		}
	}()
	png, err := p.WriterTo(plotWidth, plotHeight, "png")
	if err == nil {
		_, err = png.WriteTo(file)
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := os.Chmod(file.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
