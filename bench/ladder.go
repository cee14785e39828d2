package main

import (
	"context"
	"fmt"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// rungVariant is a way to draw with the culling ladder.
type rungVariant struct {
	variant
	least float64 // pixels for SetMinScreenSize
}

func without(name string, rungs render.Rungs) rungVariant {
	return rungVariant{variant: variant{name, func(o *render.Options) { o.Without = rungs }}}
}

func smaller(name string, threshold float64, rungs render.Rungs) rungVariant {
	return rungVariant{variant: variant{name, func(o *render.Options) { o.Subpixel.Threshold, o.Without = threshold, rungs }}}
}

// usualThreshold is the subpixel threshold that its source proposes, in pixels.
const usualThreshold = 0.4

// exactRungs are the rungs that a moving camera uses and that have no threshold,
// one at a time and all together: none of them may change a picture.
func exactRungs() []rungVariant {
	list := []rungVariant{without("whole ladder", 0)}
	for i, name := range render.RungNames() {
		switch rung := render.Rungs(1) << i; rung {
		case render.RungFrame, render.RungScreenSize, render.RungSubpixel, render.RungVerdicts:
		default:
			list = append(list, without("without "+name, rung))
		}
	}
	return append(list, without("without all", render.AllRungs))
}

// thresholds are what drops more than nobody can see, against the ladder
// without it.
func thresholds() []rungVariant {
	return []rungVariant{
		without("no threshold", 0),
		smaller(fmt.Sprintf("subpixel %g px", usualThreshold), usualThreshold, 0),
		smaller(fmt.Sprintf("subpixel %g px, no verdicts", usualThreshold), usualThreshold, render.RungVerdicts),
		smaller("subpixel 1 px", 1, 0),
		{variant{"screen size 0.5 px", nil}, 0.5},
		{variant{"screen size 2 px", nil}, 2},
	}
}

// ladder adds the tables of the culling ladder in the city.
func (a *ablateCmd) ladder(ctx context.Context, r *report) error {
	subject, name, err := a.city()
	if err != nil {
		return err
	}
	cameras, err := a.flight(subject, a.Frames)
	if err != nil {
		return err
	}
	floors := floors{}
	if err := a.rungs(ctx, r, subject, "culling ladder, "+name, exactRungs(), cameras, floors, false); err != nil {
		return err
	}
	if err := a.rungs(ctx, r, subject, "thresholds, "+name, thresholds(), cameras, floors, true); err != nil {
		return err
	}
	return a.rungs(ctx, r, subject, "thresholds from afar, "+name, thresholds(), a.afar(subject, min(len(cameras), runLength)), floors, true)
}

// rungs adds a table of ways to draw the same pictures. The first one has what
// the others lack, or, with, lacks what they have.
func (a *ablateCmd) rungs(ctx context.Context, r *report, s *subject, title string, ways []rungVariant, cameras []project.Camera, floors floors, with bool) error {
	var contenders []*contender
	for _, v := range ways {
		c, err := a.newContender(v.name, s.scene, cameras, v.apply(a.options()))
		if err == nil {
			err = c.renderer.SetMinScreenSize(v.least)
		}
		if err != nil {
			return err
		}
		contenders = append(contenders, c)
	}
	found := newDifferences(len(contenders))
	if err := race(ctx, contenders, a.rounds(flightRounds), found.look); err != nil {
		return err
	}
	rows := rows(contenders, floors)
	for i := range rows {
		first, other := contenders[0].samples, contenders[i].samples
		if with {
			first, other = other, first
		}
		rows[i].Saving = saving(first, other)
		found.tell(rows[i].Saving, i, len(cameras)*a.Size.width*a.Size.height)
	}
	r.tables = append(r.tables, table{title, rows})
	r.plots = append(r.plots,
		bars("saved by the "+title, "saved, % of the time without", rows[1:], func(r *Row) float64 { return r.SavedPercent }),
		alongPath("flight, "+title, []*contender{contenders[0], contenders[len(contenders)-1]}))
	return nil
}

// differences counts the pixels in which pictures differ from the first
// contender's.
type differences struct{ total, worst []int }

func newDifferences(contenders int) *differences {
	return &differences{make([]int, contenders), make([]int, contenders)}
}

// look compares the frames of a camera, by contender.
func (d *differences) look(_ int, frames []*render.Frame) {
	for i, frame := range frames {
		n := pixelsChanged(frames[0].Colour.Pix, frame.Colour.Pix)
		d.total[i] += n
		d.worst[i] = max(d.worst[i], n)
	}
}

// tell fills in what was found of a contender, of so many pixels.
func (d *differences) tell(s *Saving, contender, of int) {
	s.Changed, s.Worst, s.Of = d.total[contender], d.worst[contender], of
}
