package main

import (
	"io"
	"os"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// progress counts the models of a run by a bar on a terminal. What is written
// to it appears above the bar, and the bar is gone when the run has ended.
type progress struct {
	io.Writer
	bars *mpb.Progress // nil where nothing is shown
	bar  *mpb.Bar
}

// newProgress shows a bar where w is a terminal and there is more than one
// model to wait for.
func newProgress(w io.Writer, models int) *progress {
	if models < 2 || !isTerminal(w) {
		return &progress{Writer: w}
	}
	bars := mpb.New(mpb.WithOutput(w), mpb.WithWidth(40))
	bar := bars.AddBar(int64(models), mpb.BarRemoveOnComplete(),
		mpb.AppendDecorators(decor.CountersNoUnit("%d of %d models, "), decor.AverageETA(decor.ET_STYLE_GO), decor.Name(" left")))
	return &progress{Writer: bars, bars: bars, bar: bar}
}

// step counts one model, drawn or not.
func (p *progress) step() {
	if p.bars != nil {
		p.bar.Increment()
	}
}

// end removes the bar, also one that is not full.
func (p *progress) end() {
	if p.bars != nil {
		p.bar.Abort(true)
		p.bars.Wait()
	}
}

// isTerminal tells whether w is a device that shows characters: a terminal, or
// one that doesn't mind.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
