package main

import (
	"context"
	"fmt"

	"github.com/cfef80af/eightfold/models"
)

// tablesCmd measures the tables of the source document, and both cores.
type tablesCmd struct {
	settings
	Models []string `arg:"" optional:"" name:"model" help:"Models to draw: files or procedural ones; a sponge and a terrain where none is given."`
	Frames int      `default:"60" help:"Pictures of the camera path around each model (${default})."`
}

// Run is called by kong.
func (t *tablesCmd) Run(ctx context.Context, c console) error {
	r, err := t.newReport()
	if err != nil {
		return err
	}
	if t.Frames < 1 {
		return fmt.Errorf("--frames %d: must be 1 or more", t.Frames)
	}
	kernel, err := t.kernel()
	if err != nil {
		return err
	}
	r.columns = []column{
		{"LOD", func(r *Row) string { return r.fatText(func(f *Fatness) float64 { return f.LOD }) }},
		{"fattening", func(r *Row) string { return r.fatText(func(f *Fatness) float64 { return f.Fattening }) }},
	}
	floors := floors{}
	for _, model := range usualModels(t.Models) {
		s, err := load(model, models.Options{})
		if err != nil {
			return err
		}
		fattener, err := newFattener(&s)
		if err != nil {
			return fmt.Errorf("%s: %w", model, err)
		}
		cores, fat, err := fattener.cores(ctx, t.options())
		if err != nil {
			return fmt.Errorf("%s: %w", model, err)
		}
		for _, comparison := range append(comparisons(kernel), comparison{"cores", cores}) {
			title := fmt.Sprintf("%s, %s", comparison.title, model)
			contenders, err := t.compete(&s, comparison.rows, t.Frames)
			if err != nil {
				return err
			}
			if err := race(ctx, contenders, t.rounds(usualRounds), nil); err != nil {
				return err
			}
			rows := rows(contenders, floors)
			if comparison.title == "cores" {
				for i := range rows {
					rows[i].Fatness = fat[i]
				}
			}
			r.tables = append(r.tables, table{title, rows})
			r.plots = append(r.plots, alongPath(title, contenders))
		}
	}
	return r.write(c)
}

// compete lets variants draw the same pictures of a subject.
func (s *settings) compete(subject *subject, variants []variant, frames int) ([]*contender, error) {
	cameras, err := subject.around(s.Size, frames)
	if err != nil {
		return nil, err
	}
	var contenders []*contender
	for _, v := range variants {
		contender, err := s.newContender(v.name, subject.scene, cameras, v.apply(s.options()))
		if err != nil {
			return nil, err
		}
		contenders = append(contenders, contender)
	}
	return contenders, nil
}

func rows(contenders []*contender, floors floors) []Row {
	var rows []Row
	for _, c := range contenders {
		rows = append(rows, c.row(floors))
	}
	return rows
}
