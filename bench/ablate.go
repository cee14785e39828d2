package main

import (
	"context"
	"fmt"

	"github.com/cfef80af/eightfold/models"
)

// ablateCmd leaves out every optimisation, one at a time.
type ablateCmd struct {
	settings
	cityFlags
	Models []string `arg:"" optional:"" name:"model" help:"Models to draw: files or procedural ones; a sponge and a terrain where none is given."`
	Scene  string   `default:"models" enum:"models,city" help:"models: the optimisations of both cores; city: the rungs of the culling ladder, on a flight through a city (${default})."`
	Frames int      `default:"0" help:"Pictures of the camera path: 30 around each model where not given, through the city all of the flight; fewer are runs of consecutive ones."`
}

// Run is called by kong.
func (a *ablateCmd) Run(ctx context.Context, c console) error {
	r, err := a.newReport()
	if err != nil {
		return err
	}
	if a.Frames < 0 {
		return fmt.Errorf("--frames %d: must be 1 or more", a.Frames)
	}
	r.columns = []column{
		{"saves ms", number(3, func(r *Row) float64 { return r.SavedMS })},
		{"saves %", number(1, func(r *Row) float64 { return r.SavedPercent })},
		{"pixels changed", count(func(r *Row) int { return r.Changed })},
		{"in ten thousand", number(2, func(r *Row) float64 { return 1e4 * float64(r.Changed) / float64(r.Of) })},
		{"worst picture", count(func(r *Row) int { return r.Worst })},
	}
	if a.Scene == "city" {
		if len(a.Models) > 0 {
			return fmt.Errorf("--scene city and the model %s exclude each other", a.Models[0])
		}
		if err := a.ladder(ctx, r); err != nil {
			return err
		}
		return r.write(c)
	}
	if a.Frames == 0 {
		a.Frames = 30
	}
	floors := floors{}
	kernel, err := a.kernel()
	if err != nil {
		return err
	}
	for _, model := range usualModels(a.Models) {
		s, err := load(model, models.Options{})
		if err != nil {
			return err
		}
		for _, ablation := range ablations(kernel) {
			if err := a.ablate(ctx, r, &s, model, ablation, floors); err != nil {
				return err
			}
		}
	}
	return r.write(c)
}

// ablate adds the table of one core.
func (a *ablateCmd) ablate(ctx context.Context, r *report, s *subject, model string, core ablation, floors floors) error {
	contenders, err := a.compete(s, append([]variant{core.full}, core.without...), a.Frames)
	if err != nil {
		return err
	}
	found := newDifferences(len(contenders))
	if err := race(ctx, contenders, a.rounds(usualRounds), found.look); err != nil {
		return err
	}
	rows := rows(contenders, floors)
	for i := range rows {
		rows[i].Saving = saving(contenders[0].samples, contenders[i].samples)
		found.tell(rows[i].Saving, i, a.Frames*a.Size.width*a.Size.height)
	}
	title := fmt.Sprintf("%s or, %s", core.full.name, model)
	r.tables = append(r.tables, table{title, rows})
	r.plots = append(r.plots, bars("saved by "+title, "saved, % of the time without", rows[1:], func(r *Row) float64 { return r.SavedPercent }))
	return nil
}

// saving compares times taken in pairs, with an optimisation and without it.
// Medians of the pairs, not differences of medians: what disturbs one frame
// disturbs both of a pair.
func saving(with, without []float64) *Saving {
	difference, percent := make([]float64, len(with)), make([]float64, len(with))
	for i := range with {
		difference[i] = without[i] - with[i]
		percent[i] = 100 * difference[i] / without[i]
	}
	return &Saving{SavedMS: median(difference), SavedPercent: median(percent)}
}

// pixelsChanged counts the pixels in which two pictures of four bytes a pixel
// differ.
func pixelsChanged(a, b []uint8) (n int) {
	for i := 0; i < len(a); i += 4 {
		if [4]uint8(a[i:i+4]) != [4]uint8(b[i:i+4]) {
			n++
		}
	}
	return n
}
