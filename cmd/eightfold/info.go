package main

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/cfef80af/eightfold/models"
)

// infoCmd tells what is in a model.
type infoCmd struct {
	Model string `arg:"" optional:"" help:"File, - for standard input, or a model made by a formula such as proc:sponge. Without one, the model that is built in."`
	Frame int    `placeholder:"N" help:"Frame of an animated model, from 0."`
	Hash  bool   `help:"Also flatten the scene: count the voxels that are seen and give the hashes of their positions and colours."`
	JSON  bool   `name:"json" help:"Print JSON."`

	loadFlags `embed:""`
}

func (infoCmd) Help() string {
	return `Examples:

  eightfold info castle.vox
  eightfold info castle.vox --json --hash
  cat castle.vox | eightfold info -`
}

// Run prints the summary that models makes.
func (f *infoCmd) Run(ctx context.Context, std streams) error {
	if err := f.loadFlags.check(); err != nil {
		return err
	}
	var typed []string
	if f.Model != "" {
		typed = []string{f.Model}
	}
	all, err := f.models(typed)
	if err != nil {
		return err
	}
	f.Model = all[0]
	asset, err := f.load(ctx, f.Model, std)
	if err != nil {
		return err
	}
	info, err := await(ctx, displayName(f.Model), func() (models.Info, error) {
		info, err := asset.Info(f.Frame)
		if err == nil && f.Hash {
			info.Hash, err = asset.Hash(f.Frame, f.options())
		}
		return info, err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", displayName(f.Model), err)
	}
	if f.JSON {
		return printJSON(std.out, info)
	}
	_, err = std.out.Write(infoTable(displayName(f.Model), info))
	return outputError(standardOutput, err)
}

// infoTable is the summary for people.
func infoTable(name string, info models.Info) []byte {
	var text bytes.Buffer
	t := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\n", name)
	format := info.Format
	if info.Version != 0 {
		format = fmt.Sprintf("%s, version %d", format, info.Version)
	}
	fmt.Fprintf(t, "  format\t%s\n", format)
	fmt.Fprintf(t, "  models\t%s\n", grouped(info.Models))
	fmt.Fprintf(t, "  instances\t%s, %s visible\n", grouped(info.Instances), grouped(info.InstancesVisible))
	fmt.Fprintf(t, "  frames\t%s\n", grouped(info.Frames))
	fmt.Fprintf(t, "  voxels stored\t%s\n", grouped(info.VoxelsStored))
	if info.VoxelsPlaced != info.VoxelsStored {
		fmt.Fprintf(t, "  voxels placed\t%s\n", grouped(info.VoxelsPlaced))
	}
	fmt.Fprintf(t, "  bounds\t%s to %s\n", point(info.Bounds.Min), point(info.Bounds.Max))
	fmt.Fprintf(t, "  depth\t%d levels\n", info.Depth)
	fmt.Fprintf(t, "  memory\t%.3g bytes a voxel\n", info.BytesPerVoxel)
	fmt.Fprintf(t, "  colours\t%s\n", grouped(info.Colours))
	if len(info.Views) > 0 {
		fmt.Fprintf(t, "  views\t%s\n", strings.Join(info.Views, ", "))
	}
	if info.Hash != nil {
		fmt.Fprintf(t, "  voxels seen\t%s\n", grouped(info.Voxels))
		fmt.Fprintf(t, "  hash of positions\t%s\n", info.PosHash)
		fmt.Fprintf(t, "  hash with colours\t%s\n", info.FlatHash)
	}
	for _, warning := range info.Warnings {
		fmt.Fprintf(t, "  warning\t%s\n", warning)
	}
	t.Flush()
	return text.Bytes()
}

// point writes a position as flags take it.
func point(p [3]float64) string {
	var numbers []string
	for _, v := range p {
		numbers = append(numbers, strconv.FormatFloat(v, 'f', -1, 64))
	}
	return strings.Join(numbers, ",")
}
