package session

import (
	"fmt"
	"image/color"
	"math"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/occlusion"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// Look is how the model is shown: what of render.Options can be changed live.
type Look struct {
	Shading    render.Shading
	Sun        render.Sun
	Background Background
	// Plane is what is shown instead of colours; 0 shows colours.
	Plane render.Planes

	Core       render.Core
	Coverage   occlusion.Kind
	SortAll    bool
	NoOrtho    bool
	PixelRule  project.PixelRule
	Projection project.Method
	LOD        float64
	Kernel     asm.Kernel
	Threads    int
	// Without are the rungs of the culling ladder that are left out, Subpixel is
	// the threshold of subpixel culling and LeastSize that of instances, both in
	// pixels.
	Without             render.Rungs
	Subpixel, LeastSize float64
}

// Background is what is seen where the model is not.
type Background struct {
	Name   string
	Colour color.NRGBA // transparent: the window shows a chequered paper
}

// Backgrounds are those that there are, the first one at the start.
var Backgrounds = []Background{
	{"dusk", color.NRGBA{0x22, 0x26, 0x2e, 255}},
	{"sky", color.NRGBA{0xbf, 0xdc, 0xef, 255}},
	{"white", color.NRGBA{255, 255, 255, 255}},
	{"grey", color.NRGBA{128, 128, 128, 255}},
	{"black", color.NRGBA{0, 0, 0, 255}},
	{"none", color.NRGBA{}},
}

// options are those of the renderer for a picture of a size.
func (l *Look) options(width, height int) render.Options {
	o := render.Options{
		Width: width, Height: height,
		Workers: l.Threads, Kernel: l.Kernel, Core: l.Core, LOD: l.LOD,
		PixelRule: l.PixelRule, Projection: l.Projection, Coverage: l.Coverage,
		NoOrtho: l.NoOrtho, SortAll: l.SortAll,
		Shading: l.Shading, Sun: l.Sun, Background: l.Background.Colour, Planes: l.Plane,
		Without: l.Without, Subpixel: render.Subpixel{Threshold: l.Subpixel},
	}
	if l.Plane == render.PlaneVisits || l.Plane == render.PlaneLevel && o.Core == render.CoreAuto {
		o.Core = render.CoreClassic // as `eightfold render --aov level` does: it is about the method of the source
	}
	return o
}

// NextBackground changes to the next background.
func (s *Session) NextBackground() {
	at := 0
	for i, b := range Backgrounds {
		if b == s.Look.Background {
			at = i + 1
		}
	}
	s.Look.Background = Backgrounds[at%len(Backgrounds)]
	s.Say("background: %s", s.Look.Background.Name)
}

// shadings are the names of the shadings, in their order.
var shadings = []string{render.ShadeFlat: "flat", render.ShadeNone: "none"}

// ParseShading is the shading of a name.
func ParseShading(name string) (render.Shading, error) {
	for i, n := range shadings {
		if n == name {
			return render.Shading(i), nil
		}
	}
	return 0, fmt.Errorf("shading %q: must be one of %v", name, shadings)
}

// NextShading changes to the next shading.
func (s *Session) NextShading() {
	s.Look.Shading = (s.Look.Shading + 1) % render.Shading(len(shadings))
	s.Say("shading: %s", shadings[s.Look.Shading])
}

// TurnSun moves the sun by degrees around the model, to the right as seen from
// the front, and upwards.
func (s *Session) TurnSun(right, up float64) {
	if s.model == nil {
		return
	}
	sun := s.Look.Sun.Direction
	if sun == (mgl64.Vec3{}) {
		sun = render.DefaultSun
	}
	sun = sun.Normalize()
	axisUp, front := s.model.asset.Up, s.model.asset.Front
	side := axisUp.Cross(front)
	yaw := math.Atan2(sun.Dot(side), sun.Dot(front)) + right*math.Pi/180
	pitch := math.Asin(math.Max(-1, math.Min(1, sun.Dot(axisUp)))) + up*math.Pi/180
	// Straight above there is no yaw left to come back to.
	const highest = 89 * math.Pi / 180
	pitch = math.Max(-highest, math.Min(highest, pitch))
	flat := front.Mul(math.Cos(yaw)).Add(side.Mul(math.Sin(yaw)))
	s.Look.Sun.Direction = flat.Mul(math.Cos(pitch)).Add(axisUp.Mul(math.Sin(pitch)))
	s.Say("sun: %.0f degrees from the front, %.0f degrees high", yaw*180/math.Pi, pitch*180/math.Pi)
}

// frameTime is how long a frame of an animation is shown.
const frameTime = time.Second / 8

// Frame is the frame of the animation shown, and how many there are.
func (s *Session) Frame() (frame, frames int) {
	if s.model == nil {
		return 0, 1
	}
	return s.model.frame, s.model.asset.Frames
}

// SetFrame shows a frame of the animation; those beyond the last begin anew.
func (s *Session) SetFrame(frame int) {
	if s.model == nil {
		return
	}
	n := s.model.asset.Frames
	s.model.frame = (frame%n + n) % n
	s.arrange()
}

// StepFrame shows the frame that is steps further, and stops playing.
func (s *Session) StepFrame(steps int) {
	frame, frames := s.Frame()
	if frames == 1 {
		s.Say("the model has no animation")
		return
	}
	s.playing = false
	s.SetFrame(frame + steps)
	s.Say("frame %d of %d", s.model.frame, frames)
}

// Play starts and stops the animation.
func (s *Session) Play() {
	if _, frames := s.Frame(); frames == 1 {
		s.Say("the model has no animation")
		return
	}
	s.playing, s.sincePlayed = !s.playing, 0
}

// Playing tells whether the animation plays.
func (s *Session) Playing() bool { return s.playing }

func (s *Session) play(passed time.Duration) {
	if !s.playing {
		return
	}
	for s.sincePlayed += passed; s.sincePlayed >= frameTime; s.sincePlayed -= frameTime {
		s.SetFrame(s.model.frame + 1)
	}
}

// Layers are the model's layers and whether they are hidden.
func (s *Session) Layers() []models.Layer {
	if s.model == nil {
		return nil
	}
	return s.model.layers
}

// ToggleLayer hides or shows a layer, the first being 0.
func (s *Session) ToggleLayer(i int) {
	if i < 0 || i >= len(s.Layers()) {
		s.Say("the model has %d layers", len(s.Layers()))
		return
	}
	layer := &s.model.layers[i]
	layer.Hidden = !layer.Hidden
	s.arrange()
	s.Say("layer %d %s: %s", i+1, layer.Name, map[bool]string{true: "hidden", false: "shown"}[layer.Hidden])
}

// arrange makes the scene of the frame and the layers chosen. A placement that
// the file hides together with its layer counts as hidden by the layer.
func (s *Session) arrange() {
	m := s.model
	scene, err := render.SceneOf(m.asset, m.frame)
	if err != nil {
		s.tell(err)
		return
	}
	placements, err := m.asset.Placements(m.frame)
	if err != nil {
		s.tell(err)
		return
	}
	for i, p := range placements {
		if p.Layer >= 0 && p.Layer < len(m.layers) {
			itself := p.Hidden && !m.asset.Layers[p.Layer].Hidden
			scene.Instances[i].Hidden = itself || m.layers[p.Layer].Hidden
		}
	}
	scene.Tracked = true // none that is drawn is changed: another takes its place
	m.scene, m.cut = scene, nil
	s.Picks = nil // they name instances of the scene before
}
