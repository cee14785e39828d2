package main

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"time"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/occlusion"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// renderCmd draws each of the models with the same settings.
type renderCmd struct {
	Models []string `arg:"" optional:"" name:"model" help:"Files to draw, - for standard input, or a model made by a formula such as proc:sponge. Without any, the model that is built in."`
	Output string   `short:"o" placeholder:"FILE" help:"PNG to write, - for standard output. For several models a folder (out/) or a name with {name} or {n}, the model's name and number."`

	cameraFlags `embed:""`

	Size       size     `group:"Picture" default:"1280x720" placeholder:"WxH" help:"Size in pixels (${default})."`
	Background paint    `group:"Picture" default:"none" placeholder:"COLOUR" help:"What is seen where the model is not: none (transparent) or '#rrggbb'."`
	Shading    string   `group:"Picture" enum:"flat,none" default:"flat" help:"flat: a sun and ambient light; none: the model's own colours, exactly."`
	Section    section  `group:"Picture" placeholder:"NX,NY,NZ,D" help:"Cut the model open: keep the voxels whose centre p has NX*px + NY*py + NZ*pz >= D. 0,0,-1,-20 keeps all below z = 20."`
	Samples    int      `group:"Picture" default:"1" placeholder:"N" help:"Smooth edges: the mean of N pictures (1 to 256), each shifted by a part of a pixel; 16 look good."`
	Frame      int      `group:"Picture" placeholder:"N" help:"Frame of an animated model, from 0."`
	AOV        string   `group:"Picture" name:"aov" enum:"color,colour,depth,normal,level,visits,coverage,order" default:"color" placeholder:"PLANE" help:"What the picture shows: color, depth (near is bright), normal, level (heatmap of how deep the traversal went for a pixel), visits (heatmap of how many nodes it tested there), coverage, or order (heatmap of when it took the pixel)."`
	Range      span     `group:"Picture" placeholder:"LO,HI" help:"Values that the colours of depth, level, visits or order span; so that pictures can be compared."`
	Core       string   `group:"Method" enum:"auto,bricks,classic" default:"auto" help:"How octrees are traversed: bricks (fast), classic (every node, down to the pixel), or auto: bricks unless another option needs classic, or a heatmap is shown."`
	Coverage   string   `group:"Method" enum:"strips,bytes" default:"strips" help:"Which pixels are taken: bits in strips with coarse levels above them, or a byte a pixel (classic). The picture is the same."`
	LOD        *float64 `group:"Method" name:"lod" placeholder:"PX" help:"Footprint in pixels at which a node is drawn instead of being opened (bricks 1.05, classic 1)."`
	PixelRule  string   `group:"Method" enum:"float,rounded" default:"float" help:"Measure a footprint in fractions of a pixel (float) or after rounding (rounded)."`
	Projection int      `group:"Method" enum:"2,4,8" default:"2" help:"Project the bounds of a node by 2, 4 or 8 corners."`
	Kernel     string   `group:"Method" enum:"auto,avx512,avx2,go" default:"auto" help:"Vector kernels: auto, avx512, avx2 or go. The picture is the same."`
	Threads    int      `group:"Method" placeholder:"N" help:"How many threads draw, 0 for all there are. The picture is the same."`

	cullingFlags `embed:""`

	Repeat  int  `group:"Report" default:"1" placeholder:"N" help:"Draw N times and give the median and the least time."`
	Stats   bool `group:"Report" help:"Print a table of what was done and how long it took, on standard error."`
	Verbose bool `short:"v" group:"Report" help:"Also tell what was skipped or repaired in the files."`
	JSON    bool `group:"Report" name:"json" help:"Print the camera, the counters and the times as JSON, on standard output."`

	loadFlags `embed:""`
}

func (renderCmd) Help() string {
	return `Examples:

  eightfold render -o out.png
  eightfold render castle.vox -o castle.png --size 512x512 --view iso
  eightfold render castle.vox -o side.png --yaw 40 --pitch 10 --zoom 1.5
  eightfold render castle.vox -o close.png --eye 60,-80,40 --target 0,0,20 --fov 45
  eightfold render castle.vox -o smooth.png --samples 16
  eightfold render castle.vox -o inside.png --section 0,1,0,12
  eightfold render *.vox -o thumbnails/ --size 256x256
  eightfold render a.vox b.vox -o "pictures/{n}-{name}.png"
  eightfold render castle.vox -o visits.png --aov visits --pixel-rule rounded
  eightfold render castle.vox --repeat 50 --stats
  eightfold render --instances village.json -o village.png
  cat castle.vox | eightfold render - -o - > castle.png

Exit status: 0 all is done, 1 something failed, 2 the command line makes no
sense, 130 interrupted.`
}

// planes are what --aov can show besides the colours.
var planes = map[string]render.Planes{
	"depth": render.PlaneDepth, "normal": render.PlaneNormal, "level": render.PlaneLevel,
	"visits": render.PlaneVisits, "coverage": render.PlaneCoverage, "order": render.PlaneOrder,
}

// Run draws all models; one that fails doesn't keep the others from being drawn.
func (r *renderCmd) Run(ctx context.Context, std streams) error {
	var err error
	if r.Models, err = r.models(r.Models); err != nil {
		return err
	}
	outputs, err := r.check()
	if err != nil {
		return err
	}
	options, err := r.options()
	if err != nil {
		return err
	}
	renderer, err := render.NewRenderer(options)
	if err != nil {
		return usageError{err} // all it refuses are options
	}
	if err := renderer.SetMinScreenSize(r.MinSize); err != nil {
		return usageError{err}
	}
	waited := len(r.Models)
	if r.JSON || r.Stats {
		waited = 0 // the reports themselves tell how far it is
	}
	bar := newProgress(std.err, waited)
	defer bar.end()
	std.err = bar
	var failed error
	for i, model := range r.Models {
		output := ""
		if outputs != nil {
			output = outputs[i]
		}
		err := guard(displayName(model), func() error { return r.one(ctx, std, renderer, model, output) })
		if err != nil && (len(r.Models) == 1 || ctx.Err() != nil) {
			return err
		}
		if err != nil {
			report(std.err, err)
			failed = errReported
		}
		bar.step()
	}
	return failed
}

// check finds what is wrong with the command line as a whole, and returns the
// output of each model, nil where no picture is to be written.
func (r *renderCmd) check() ([]string, error) {
	if err := r.cameraFlags.check(); err != nil {
		return nil, err
	}
	if err := r.loadFlags.check(); err != nil {
		return nil, err
	}
	if err := r.cullingFlags.check(); err != nil {
		return nil, err
	}
	stdin := 0
	for _, model := range r.Models {
		if model == "-" {
			stdin++
		}
	}
	switch {
	case stdin > 1:
		return nil, usage("standard input can be read only once: give - one time")
	case r.LOD != nil && !(*r.LOD >= render.MinLOD && *r.LOD <= render.MaxLOD):
		return nil, usage("--lod %g: must be %g to %g pixels", *r.LOD, render.MinLOD, render.MaxLOD)
	case r.Threads < 0:
		return nil, usage("--threads %d: must be 0 or more", r.Threads)
	case r.Repeat < 1:
		return nil, usage("--repeat %d: must be 1 or more", r.Repeat)
	case r.Samples < 1 || r.Samples > render.MaxSamples:
		return nil, usage("--samples %d: must be 1 to %d", r.Samples, render.MaxSamples)
	case r.Samples > 1 && planes[r.AOV] != 0:
		return nil, usage("--samples is for colours: leave it out, or --aov %s", r.AOV)
	case r.Range != span{} && r.AOV != "depth" && r.AOV != "level" && r.AOV != "visits" && r.AOV != "order":
		return nil, usage("--range is for --aov depth, level, visits and order")
	case r.JSON && r.Output == "-":
		return nil, usage("--json and -o - would both write to standard output: give the picture a file")
	case r.Output != "":
		return outputPaths(r.Output, r.Models)
	case !r.JSON && !r.Stats:
		return nil, usage("-o is missing: say which PNG to write, like -o out.png")
	}
	return nil, nil
}

func (r *renderCmd) options() (render.Options, error) {
	kernel, err := asm.ParseKernel(r.Kernel)
	if err != nil {
		return render.Options{}, err
	}
	core, err := render.ParseCore(r.Core)
	if core == render.CoreAuto && r.AOV == "level" {
		core = render.CoreClassic // the heatmaps show how the method of the source document works
	}
	options := render.Options{
		Width: r.Size.width, Height: r.Size.height,
		Workers: r.Threads, Kernel: kernel, Core: core,
		Background: color.NRGBA(r.Background),
		Planes:     planes[r.AOV],
		StageTimes: r.Stats,
	}
	r.cullingFlags.set(&options)
	if r.LOD != nil {
		options.LOD = *r.LOD
	}
	if r.PixelRule == "rounded" {
		options.PixelRule = project.Rounded
	}
	switch r.Projection {
	case 4:
		options.Projection = project.FourPoints
	case 8:
		options.Projection = project.EightCorners
	}
	if r.Coverage == "bytes" {
		options.Coverage = occlusion.ByteCoverage
	}
	if r.Shading == "none" {
		options.Shading = render.ShadeNone
	}
	return options, err
}

// one draws one model and writes its picture and reports.
func (r *renderCmd) one(ctx context.Context, std streams, renderer *render.Renderer, model, output string) error {
	start := time.Now()
	asset, err := r.load(ctx, model, std)
	if err != nil {
		return err
	}
	name := displayName(model)
	if r.Verbose {
		for _, warning := range asset.Warnings {
			fmt.Fprintf(std.err, "eightfold: %s: warning: %s\n", name, warning)
		}
	}
	scene, err := render.SceneOf(asset, r.Frame)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	scene.Section = render.Section(r.Section)
	camera, err := r.camera(asset, scene, r.Size)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	rep := renderReport{
		Model: name, Output: output, Frame: r.Frame, Size: [2]int{r.Size.width, r.Size.height}, Samples: r.Samples, Camera: newCameraReport(camera),
		Core: renderer.Core().String(), Kernel: renderer.Kernel().String(), Threads: renderer.Workers(),
	}
	if r.Section != (section{}) {
		rep.Section = append(r.Section.Normal[:], r.Section.Offset)
	}
	rep.MS.Load = milliseconds(time.Since(start))

	var frame *render.Frame
	draw := func() (*render.Frame, error) { return renderer.Draw(ctx, scene, camera) }
	var smooth *render.Accumulator // takes more memory than the picture
	if r.Samples > 1 {
		smooth = render.NewAccumulator(r.Size.width, r.Size.height)
		draw = func() (*render.Frame, error) { return renderer.DrawSamples(ctx, scene, camera, r.Samples, smooth) }
	}
	times := make([]time.Duration, r.Repeat)
	for i := range times {
		if frame, err = draw(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		times[i] = frame.Stats.Total
	}
	rep.draw(renderer, frame.Stats, times)
	picture := frame.Colour
	if smooth != nil {
		picture = smooth.Picture()
	}

	if output != "" {
		start = time.Now()
		if err := r.write(ctx, std, frame, picture, output); err != nil {
			return err
		}
		rep.MS.Write = milliseconds(time.Since(start))
	}
	if r.Stats {
		rep.table(std.err)
	}
	if r.JSON {
		return printJSON(std.out, rep)
	}
	return nil
}

// write makes the picture that was asked for and writes it as PNG.
func (r *renderCmd) write(ctx context.Context, std streams, frame *render.Frame, colours image.Image, output string) error {
	picture := colours
	if plane := planes[r.AOV]; plane != 0 {
		var err error
		if picture, err = frame.Picture(plane, render.Range(r.Range)); err != nil {
			return err
		}
	}
	return writeOutput(ctx, output, std.out, func(w io.Writer) error { return png.Encode(w, picture) })
}

// displayName is how messages call a model.
func displayName(model string) string {
	switch model {
	case "":
		return "built-in model"
	case "-":
		return "standard input"
	}
	return model
}

func printJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return outputError(standardOutput, encoder.Encode(v))
}
