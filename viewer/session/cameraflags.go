package session

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// FormatCamera writes a camera, for a picture of a size, as the options with
// which `eightfold render` draws the same picture, to the last bit.
func FormatCamera(c project.Camera, width, height int) string {
	text := fmt.Sprintf("--eye %s --target %s --up %s", vector(c.Eye), vector(c.Target), vector(c.Up))
	if c.Scale > 0 {
		text += " --ortho --scale " + exact(c.Scale)
	} else {
		text += " --fov " + exact(c.FovY)
	}
	return text + fmt.Sprintf(" --size %dx%d", width, height)
}

// exact is the shortest text that stands for just this number.
func exact(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func vector(v mgl64.Vec3) string { return exact(v[0]) + "," + exact(v[1]) + "," + exact(v[2]) }

// ParseCamera reads what FormatCamera writes, with "=" instead of spaces too,
// and among other words, such as a whole command line. The height is that of the
// picture that the scale is meant for, 0 where the text doesn't tell.
func ParseCamera(text string) (camera project.Camera, height int, err error) {
	values := map[string]string{}
	words := strings.Fields(strings.ReplaceAll(strings.ReplaceAll(text, "'", ""), `"`, ""))
	for i, word := range words {
		name, value, assigned := strings.Cut(word, "=")
		if !assigned && i+1 < len(words) {
			value = words[i+1]
		}
		values[name] = value
	}
	read := func(name string, usual *mgl64.Vec3) (v mgl64.Vec3) {
		given, ok := values[name]
		if !ok && usual != nil {
			return *usual
		}
		fields := strings.Split(given, ",")
		if len(fields) != 3 && err == nil {
			err = fmt.Errorf("camera: %s is missing or no point: it looks like %s 1,2.5,-3", name, name)
			return v
		}
		for i := range v {
			v[i] = parse(name, fields[min(i, len(fields)-1)], &err)
		}
		return v
	}
	camera.Eye, camera.Target = read("--eye", nil), read("--target", nil)
	camera.Up = read("--up", &mgl64.Vec3{0, 0, 1})
	_, parallel := values["--ortho"]
	switch scale, scaled := values["--scale"]; {
	case parallel && scaled:
		camera.Scale = parse("--scale", scale, &err)
	case parallel:
		return camera, 0, fmt.Errorf("camera: --ortho needs --scale here")
	default:
		camera.FovY = 30 // as of eightfold render
		if fov, ok := values["--fov"]; ok {
			camera.FovY = parse("--fov", fov, &err)
		}
	}
	if _, h, ok := strings.Cut(values["--size"], "x"); ok {
		height = int(parse("--size", h, &err))
	}
	if err != nil {
		return camera, 0, err
	}
	if height < 0 || height > project.MaxSide {
		return camera, 0, fmt.Errorf("camera: --size %s: each side must be 1 to %d pixels", values["--size"], project.MaxSide)
	}
	_, err = camera.View(1, 1)
	return camera, height, err
}

// parse reads a finite number; the first error is kept.
func parse(name, text string, failed *error) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if (err != nil || math.IsNaN(v) || math.IsInf(v, 0)) && *failed == nil {
		*failed = fmt.Errorf("camera: %s: %q is no number", name, text)
	}
	return v
}

// CopyCamera returns the camera as options of `eightfold render`, with what else
// of the view these can tell: section, frame of the animation, shading and
// background.
func (s *Session) CopyCamera() string {
	text := FormatCamera(s.Nav.Camera(s.height), s.width, s.height)
	if cut := s.Section.cut(); s.Section.On {
		text += " --section " + vector(cut.Normal) + "," + exact(cut.Offset)
	}
	if frame, _ := s.Frame(); frame > 0 {
		text += fmt.Sprintf(" --frame %d", frame)
	}
	if s.Look.Shading != render.ShadeFlat {
		text += " --shading " + shadings[s.Look.Shading]
	}
	if c := s.Look.Background.Colour; c.A > 0 {
		text += fmt.Sprintf(" --background '#%02x%02x%02x'", c.R, c.G, c.B)
	}
	s.Say("copied: %s", text)
	return text
}

// PasteCamera takes over a camera written like that.
func (s *Session) PasteCamera(text string) {
	camera, height, err := ParseCamera(text)
	if err != nil {
		s.tell(err)
		return
	}
	if height == 0 {
		height = s.height
	}
	s.Nav.Set(camera, height)
	s.Say("camera pasted")
}
