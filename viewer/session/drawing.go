package session

import (
	"context"
	"image"
	"image/draw"
	"math"
	"slices"
	"time"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/viewer/pace"
)

// Picture is a drawn picture for the window to show. It stays as it is until
// the next Advance.
type Picture struct {
	// Pix are its pixels, red, green, blue and alpha, premultiplied, row by row.
	Pix           []byte
	Width, Height int
	Level         int // of resolution, see pace.Levels
	Samples       int // how many are in it
	Stats         render.Stats
	Cull          render.ViewStats
	Took          time.Duration // to draw it, without its upload
	Core, Kernel  string
	Workers       int
	Camera        project.Camera // for its size
	Scene         *render.Scene
	Plane         render.Planes
	// Across is what the colours of a heatmap span, Beyond tells that there is
	// more than that.
	Across render.Range
	Beyond bool
}

// shot is everything that a picture depends on. Where two are equal, so are
// their pictures.
type shot struct {
	scene   *render.Scene
	camera  project.Camera
	options render.Options // for all pixels
	least   float64        // see Look.LeastSize
	fill    int            // see filling.step
}

// drawing is what is being drawn, and what is kept to draw with.
type drawing struct {
	asked     shot      // what was last asked for
	job       *job      // nil while none runs
	renderers []*drawer // the one last used first
	drawn     int
}

// drawer is a renderer with the options that it was made for.
type drawer struct {
	options  render.Options
	renderer *render.Renderer
	mean     *render.Accumulator // of the samples of meanOf so far
	meanOf   shot
}

// maxDrawers is how many renderers are kept. Each has buffers of its size; while
// something moves two sizes are in use, at rest another one.
const maxDrawers = 4

// job is a picture being drawn in the background.
type job struct {
	step    pace.Step
	shot    shot
	refines bool // what is on the screen already
	cancel  context.CancelFunc
	done    chan struct{}
	picture *Picture
	err     error
}

// Advance draws what there is to draw, in the background, and returns a new
// picture if one was finished. It waits for it up to the patience given, so that
// what was moved is on the screen with the movement. more tells whether it has
// to be called again although nothing changes.
func (s *Session) Advance(now time.Time, patience time.Duration) (picture *Picture, more bool) {
	if s.model == nil {
		return nil, s.loading != nil
	}
	d := &s.drawing
	shot := s.shot()
	changed := shot != d.asked
	if d.job != nil {
		if changed && d.job.refines {
			d.job.cancel()
		}
		if picture = s.finish(patience); d.job != nil {
			return nil, true
		}
		if picture != nil {
			if changed { // what it shows is the past, but something moves
				return picture, true
			}
			patience = 0
		}
	}
	s.Pace.Samples = s.options.Samples
	if s.Look.Plane != 0 || s.filling.on {
		s.Pace.Samples = 1
	}
	adapt := s.Pace.Adapt
	s.Pace.Adapt = adapt && !s.filling.on // each pixel counts
	step := s.Pace.Next(now, changed)
	s.Pace.Adapt = adapt
	d.asked = shot
	switch {
	case step.Kind == pace.Draw && picture == nil:
		d.job = d.begin(shot, step)
		d.job.refines = !changed
		picture = s.finish(patience)
		return picture, true
	case step.Kind == pace.Idle:
		return picture, false
	}
	return picture, true
}

// shot is what is to be drawn now.
func (s *Session) shot() shot {
	shot := shot{scene: s.Scene(), camera: s.Nav.Camera(s.height), options: s.renderOptions(s.width, s.height), least: s.Look.LeastSize}
	if shot.fill = s.filling.step(); shot.fill > 0 {
		shot.options.Planes = render.PlaneOrder
	}
	return shot
}

// renderOptions are those of the renderer for a picture of a size.
func (s *Session) renderOptions(width, height int) render.Options {
	o := s.Look.options(width, height)
	o.StageTimes = s.StageTimes
	return o
}

// at is the shot in the resolution of a level.
func (s shot) at(level int) shot {
	if level > 0 {
		side := pace.Side(level)
		full := s.options.Height
		s.options.Width = max(1, int(math.Round(float64(s.options.Width)*side)))
		s.options.Height = max(1, int(math.Round(float64(full)*side)))
		s.camera.Scale *= float64(s.options.Height) / float64(full)
	}
	return s
}

// begin draws a step in the background.
func (d *drawing) begin(full shot, step pace.Step) *job {
	ctx, cancel := context.WithCancel(context.Background())
	j := &job{step: step, shot: full, cancel: cancel, done: make(chan struct{})}
	shot := full.at(step.Level)
	drawer, err := d.drawer(shot.options)
	if err != nil {
		j.err = err
		close(j.done)
		return j
	}
	go func() {
		defer close(j.done)
		j.err = guard("drawing", func() (err error) {
			j.picture, err = drawer.draw(ctx, shot, step)
			return err
		})
		if stopped(ctx, j.err) {
			j.err = context.Canceled
		}
	}()
	return j
}

// drawer returns a renderer for the options, one that is there if possible.
func (d *drawing) drawer(o render.Options) (*drawer, error) {
	i := slices.IndexFunc(d.renderers, func(r *drawer) bool { return r.options == o })
	var found *drawer
	if i >= 0 {
		found = d.renderers[i]
		d.renderers = slices.Delete(d.renderers, i, i+1)
	} else {
		renderer, err := render.NewRenderer(o)
		if err != nil {
			return nil, err
		}
		found = &drawer{options: o, renderer: renderer}
		d.renderers = d.renderers[:min(len(d.renderers), maxDrawers-1)]
	}
	d.renderers = slices.Insert(d.renderers, 0, found)
	return found, nil
}

// draw draws one sample and adds it to those before.
func (d *drawer) draw(ctx context.Context, s shot, step pace.Step) (*Picture, error) {
	start := time.Now()
	if err := d.renderer.SetMinScreenSize(s.least); err != nil {
		return nil, err
	}
	frame, pix, err := d.pixels(ctx, s, step)
	if err != nil {
		return nil, err
	}
	across, seen := frame.Across(s.options.Planes)
	return &Picture{
		Across: across, Beyond: seen.Max > across.Max,
		Pix: pix, Width: frame.Width, Height: frame.Height, Level: step.Level, Samples: step.Sample + 1,
		Stats: frame.Stats, Cull: d.renderer.View(0).CullStats(),
		Core: d.renderer.Core().String(), Kernel: d.renderer.Kernel().String(), Workers: d.renderer.Workers(),
		Camera: s.camera, Scene: s.scene, Plane: s.options.Planes, Took: time.Since(start),
	}, nil
}

func (d *drawer) pixels(ctx context.Context, s shot, step pace.Step) (*render.Frame, []byte, error) {
	if step.Sample > 0 {
		return d.smooth(ctx, s, step.Sample)
	}
	frame, err := d.renderer.Draw(ctx, s.scene, s.camera)
	if err != nil {
		return nil, nil, err
	}
	if s.fill > 0 {
		b := s.options.Background
		return frame, filled(frame, s.fill, []byte{b.R, b.G, b.B, b.A}), nil
	}
	if s.options.Planes == 0 {
		// Alpha is 0 or 255, and no colour is left where it is 0: premultiplied
		// already.
		return frame, frame.Colour.Pix, nil
	}
	plane, err := frame.Picture(s.options.Planes, render.Range{})
	if err != nil {
		return nil, nil, err
	}
	return frame, planePixels(plane, frame.Width, frame.Height), nil
}

// smooth is the mean of the samples up to the given one. The first is drawn once
// more before the second, so that pictures in movement don't pay for a mean that
// they never become.
func (d *drawer) smooth(ctx context.Context, s shot, sample int) (frame *render.Frame, pix []byte, err error) {
	switch {
	case d.mean == nil:
		d.mean = render.NewAccumulator(s.options.Width, s.options.Height)
	case d.mean.Samples() != sample || d.meanOf != s:
		d.mean.Reset()
	}
	d.meanOf = s
	for i := d.mean.Samples(); i <= sample; i++ {
		camera := s.camera
		camera.Shift = camera.Shift.Add(render.SampleShift(i))
		if frame, err = d.renderer.Draw(ctx, s.scene, camera); err != nil {
			return nil, nil, err
		}
		if err = d.mean.Add(frame.Colour); err != nil {
			return nil, nil, err
		}
	}
	return frame, premultiplied(d.mean.Picture()), nil
}

// premultiplied returns the pixels with each colour multiplied by its alpha.
func premultiplied(p *image.NRGBA) []byte {
	for i := 0; i < len(p.Pix); i += 4 {
		if alpha := uint32(p.Pix[i+3]); alpha != 255 {
			for c := range 3 {
				p.Pix[i+c] = uint8((uint32(p.Pix[i+c])*alpha + 127) / 255)
			}
		}
	}
	return p.Pix
}

// planePixels are those of a plane's picture, premultiplied, without the legend
// that it may have below.
func planePixels(picture image.Image, width, height int) []byte {
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	if grey, ok := picture.(*image.Gray16); ok {
		for i := range width * height {
			high := grey.Pix[2*i]
			out.Pix[4*i], out.Pix[4*i+1], out.Pix[4*i+2], out.Pix[4*i+3] = high, high, high, 255
		}
		return out.Pix
	}
	draw.Draw(out, out.Rect, picture, image.Point{}, draw.Src)
	return out.Pix
}

// finish waits for the job up to the patience given and returns its picture,
// nil where it isn't done or failed.
func (s *Session) finish(patience time.Duration) *Picture {
	j := s.drawing.job
	select {
	case <-j.done:
	default:
		if patience <= 0 {
			return nil
		}
		timer := time.NewTimer(patience)
		defer timer.Stop()
		select {
		case <-j.done:
		case <-timer.C:
			return nil
		}
	}
	s.drawing.job = nil
	j.cancel()
	if j.err != nil {
		if j.err != context.Canceled {
			s.Pace.Failed(j.step)
			s.tell(j.err)
		}
		return nil
	}
	s.drawing.drawn++
	if j.shot == s.drawing.asked {
		s.Pace.Done(j.step, j.picture.Took)
	}
	return j.picture
}

// Drawn is how many pictures have been drawn so far.
func (s *Session) Drawn() int { return s.drawing.drawn }

// stop ends what is being drawn.
func (d *drawing) stop() {
	if d.job != nil {
		d.job.cancel()
		<-d.job.done
		d.job = nil
	}
}
