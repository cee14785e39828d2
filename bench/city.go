package main

import (
	"context"
	"slices"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// cityCmd flies through the city of 100,000 placed models, and stands still in it.
type cityCmd struct {
	settings
	cityFlags
	coreFlag
	Frames int `default:"240" help:"Pictures of the flight, in runs of consecutive ones; 0 for all of them (${default})."`
}

// Run is called by kong.
func (b *cityCmd) Run(ctx context.Context, c console) error {
	r, err := b.newReport()
	if err != nil {
		return err
	}
	subject, name, err := b.city()
	if err != nil {
		return err
	}
	flight, err := b.flight(subject, b.Frames)
	if err != nil {
		return err
	}
	average := func(value func(c *Culling) int) func(*Row) string {
		return count(func(r *Row) int { return value(r.Culling) })
	}
	r.columns = []column{
		{"drawn", average(func(c *Culling) int { return c.Drawn })},
		{"in groups", average(func(c *Culling) int { return c.Frustum })},
		{"outside", average(func(c *Culling) int { return c.Bounds })},
		{"hidden", average(func(c *Culling) int { return c.Occlusion })},
		{"poses kept", average(func(c *Culling) int { return c.PosesHeld })},
	}
	type row struct {
		name    string
		cameras []project.Camera
		without render.Rungs
	}
	still := func(c project.Camera) []project.Camera { return slices.Repeat([]project.Camera{c}, len(flight)) }
	all := []row{{"moving", flight, 0}, {"nothing changes", still(subject.flight.At(subject.flight.Duration())), 0}}
	for _, view := range subject.views {
		all = append(all, row{"drawn anew: " + view.Name, still(view.Camera), render.RungFrame})
	}
	contenders := []*contender{}
	for _, one := range all {
		o := b.core(b.options())
		o.Without = one.without
		contender, err := b.newContender(one.name, subject.scene, one.cameras, o)
		if err != nil {
			return err
		}
		contenders = append(contenders, contender)
	}
	culling := make([]Culling, len(contenders))
	err = race(ctx, contenders, b.rounds(flightRounds), func(int, []*render.Frame) {
		for i, c := range contenders {
			culling[i].add(c.renderer)
		}
	})
	if err != nil {
		return err
	}
	rows := rows(contenders, floors{})
	for i := range rows {
		culling[i].divide(len(flight))
		rows[i].Culling = &culling[i]
	}
	r.tables = []table{{name, rows}}
	r.plots = []plotted{alongPath("flight through "+name, contenders)}
	return r.write(c)
}

// add adds the counters of a renderer's last frame.
func (c *Culling) add(r *render.Renderer) {
	n, draws := r.View(0).CullStats().Instances, r.DrawStats()
	c.Tested += n.Tested
	c.Drawn += n.Drawn
	c.Frustum += n.Frustum
	c.Bounds += n.Bounds
	c.ScreenSize += n.ScreenSize
	c.Subpixel += n.Subpixel
	c.Occlusion += n.Occlusion
	c.Copies += n.Copies
	c.PosesHeld += draws.PosesHeld
}

// divide makes means of sums.
func (c *Culling) divide(n int) {
	for _, sum := range []*int{&c.Tested, &c.Drawn, &c.Frustum, &c.Bounds, &c.ScreenSize, &c.Subpixel, &c.Occlusion, &c.Copies, &c.PosesHeld} {
		*sum = (*sum + n/2) / n
	}
}
