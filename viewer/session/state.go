package session

import (
	"encoding/json"
	"fmt"
	"image/color"
	"io"
	"os"
	"path/filepath"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/occlusion"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// stateSuffix ends the names of files with saved views.
const stateSuffix = ".view.json"

// State is a view of a model, to be saved and found again.
type State struct {
	Version    int         `json:"version"`
	Model      string      `json:"model"`
	Camera     StateCamera `json:"camera"`
	Frame      int         `json:"frame,omitempty"`
	Hidden     []int       `json:"hidden_layers,omitempty"`
	Shading    string      `json:"shading"`
	Sun        [3]float64  `json:"sun"` // zero: the usual one
	Background string      `json:"background"`
	Plane      string      `json:"plane"`
	Section    Section     `json:"section"`
	Method     StateMethod `json:"method"`
}

// StateCamera is the camera for a picture of a height in pixels.
type StateCamera struct {
	Eye    [3]float64 `json:"eye"`
	Target [3]float64 `json:"target"`
	Up     [3]float64 `json:"up"`
	Fov    float64    `json:"fov,omitempty"`
	Scale  float64    `json:"scale,omitempty"`
	Height int        `json:"height"`
}

// StateMethod are the switches.
type StateMethod struct {
	Core       string  `json:"core"`
	Bytes      bool    `json:"byte_coverage,omitempty"`
	SortAll    bool    `json:"sort_all,omitempty"`
	NoOrtho    bool    `json:"no_ortho,omitempty"`
	Rounded    bool    `json:"rounded,omitempty"`
	Projection int     `json:"projection"`
	LOD        float64 `json:"lod,omitempty"`
	Without    string  `json:"without,omitempty"` // rungs of the culling ladder
	Subpixel   float64 `json:"subpixel,omitempty"`
	LeastSize  float64 `json:"least_size,omitempty"`
}

const stateVersion = 1

// State is the present view.
func (s *Session) State() (State, error) {
	if s.model == nil {
		return State{}, fmt.Errorf("view: no model is loaded yet")
	}
	c := s.Nav.Camera(s.height)
	state := State{
		Version: stateVersion, Model: s.model.name, Frame: s.model.frame,
		Camera:  StateCamera{Eye: c.Eye, Target: c.Target, Up: c.Up, Fov: c.FovY, Scale: c.Scale, Height: s.height},
		Shading: shadings[s.Look.Shading], Sun: s.Look.Sun.Direction, Background: s.Look.Background.Name,
		Plane: planeName(s.Look.Plane), Section: s.Section,
		Method: StateMethod{
			Core: s.Look.Core.String(), Bytes: s.Look.Coverage == occlusion.ByteCoverage, SortAll: s.Look.SortAll,
			NoOrtho: s.Look.NoOrtho, Rounded: s.Look.PixelRule == project.Rounded,
			Projection: 2 << s.Look.Projection, LOD: s.Look.LOD,
			Without: s.Look.Without.String(), Subpixel: s.Look.Subpixel, LeastSize: s.Look.LeastSize,
		},
	}
	for i, layer := range s.model.layers {
		if layer.Hidden {
			state.Hidden = append(state.Hidden, i)
		}
	}
	return state, nil
}

// Apply shows a view of the model that is loaded. Nothing changes where the
// view makes no sense.
func (s *Session) Apply(state State) error {
	if s.model == nil {
		return fmt.Errorf("view: no model is loaded yet")
	}
	look, err := s.Look.with(state)
	if err != nil {
		return err
	}
	c := state.Camera
	camera := project.Camera{Eye: c.Eye, Target: c.Target, Up: c.Up, FovY: c.Fov, Scale: c.Scale}
	if _, err := camera.View(1, 1); err != nil {
		return fmt.Errorf("view: %w", err)
	}
	if c.Height < 1 || c.Height > project.MaxSide {
		return fmt.Errorf("view: camera height %d: must be 1 to %d pixels", c.Height, project.MaxSide)
	}
	if state.Frame < 0 || state.Frame >= s.model.asset.Frames {
		return fmt.Errorf("view: frame %d: the model has %d, counted from 0", state.Frame, s.model.asset.Frames)
	}
	for i := range s.model.layers {
		s.model.layers[i].Hidden = false
	}
	for _, i := range state.Hidden {
		if i >= 0 && i < len(s.model.layers) {
			s.model.layers[i].Hidden = true
		}
	}
	s.Look, s.Section = look, state.Section
	s.SetFrame(state.Frame)
	s.Nav.Set(camera, c.Height)
	return nil
}

// with is the look that a view asks for.
func (l Look) with(state State) (Look, error) {
	if state.Version != stateVersion {
		return l, fmt.Errorf("view: version %d: only version %d is known", state.Version, stateVersion)
	}
	var err error
	if l.Shading, err = ParseShading(state.Shading); err != nil {
		return l, fmt.Errorf("view: %w", err)
	}
	if l.Core, err = render.ParseCore(state.Method.Core); err != nil {
		return l, fmt.Errorf("view: %w", err)
	}
	if l.Background, err = parseBackground(state.Background); err != nil {
		return l, err
	}
	if l.Plane, err = parsePlane(state.Plane); err != nil {
		return l, err
	}
	m := state.Method
	l.Sun.Direction = mgl64.Vec3(state.Sun)
	l.Coverage, l.PixelRule = occlusion.StripCoverage, project.Float
	if m.Bytes {
		l.Coverage = occlusion.ByteCoverage
	}
	if m.Rounded {
		l.PixelRule = project.Rounded
	}
	switch m.Projection {
	case 2, 4, 8:
		l.Projection = project.Method(m.Projection / 4)
	default:
		return l, fmt.Errorf("view: projection %d: must be 2, 4 or 8", m.Projection)
	}
	if l.Without, err = render.ParseRungs(m.Without); err != nil {
		return l, fmt.Errorf("view: %w", err)
	}
	if !(m.LeastSize >= 0 && m.LeastSize <= project.MaxSide) {
		return l, fmt.Errorf("view: least size %g: must be 0 to %d pixels", m.LeastSize, project.MaxSide)
	}
	l.SortAll, l.NoOrtho, l.LOD, l.Subpixel, l.LeastSize = m.SortAll, m.NoOrtho, m.LOD, m.Subpixel, m.LeastSize
	if _, err := render.NewRenderer(l.options(1, 1)); err != nil {
		return l, fmt.Errorf("view: %w", err)
	}
	return l, nil
}

// planeNames are what can be shown, as --aov of `eightfold render` calls it.
var planeNames = map[render.Planes]string{
	0: "colour", render.PlaneDepth: "depth", render.PlaneNormal: "normal", render.PlaneLevel: "level",
	render.PlaneVisits: "visits", render.PlaneCoverage: "coverage",
}

func planeName(p render.Planes) string { return planeNames[p] }

func parsePlane(name string) (render.Planes, error) {
	for plane, n := range planeNames {
		if n == name {
			return plane, nil
		}
	}
	return 0, fmt.Errorf("view: plane %q: must be colour, depth, normal, level, visits or coverage", name)
}

// parseBackground is the background of a name, or of a colour like #336699.
func parseBackground(text string) (Background, error) {
	for _, b := range Backgrounds {
		if b.Name == text {
			return b, nil
		}
	}
	var r, g, b uint8
	if n, err := fmt.Sscanf(text, "#%02x%02x%02x", &r, &g, &b); err != nil || n != 3 || len(text) != 7 {
		return Background{}, fmt.Errorf("background %q: must be a colour like #336699 or one of %s", text, backgroundNames())
	}
	return Background{text, color.NRGBA{r, g, b, 255}}, nil
}

func backgroundNames() (names string) {
	for i, b := range Backgrounds {
		if i > 0 {
			names += ", "
		}
		names += b.Name
	}
	return names
}

// SetBackground chooses a background by its name or a colour like #336699.
func (s *Session) SetBackground(text string) error {
	b, err := parseBackground(text)
	if err == nil {
		s.Look.Background = b
	}
	return err
}

// statePath is where the view of the model shown is saved.
func (s *Session) statePath() string {
	return filepath.Join(s.options.Folder, fileName(s.model.name)+stateSuffix)
}

// SaveState saves the view to a file beside the screenshots.
func (s *Session) SaveState() {
	state, err := s.State()
	if err != nil {
		s.tell(err)
		return
	}
	path := s.statePath()
	err = writeFile(path, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(state)
	})
	if err != nil {
		s.tell(err)
		return
	}
	s.Say("view saved: %s", path)
}

// LoadSavedState loads the view that SaveState saved for this model.
func (s *Session) LoadSavedState() {
	if s.model == nil {
		return
	}
	s.tell(s.LoadState(s.statePath()))
}

// maxState is more than any saved view takes.
const maxState = 1 << 20

// LoadState shows the view saved in a file. It belongs to the model shown: the
// name in the file is for people, and for files that are dropped.
func (s *Session) LoadState(path string) error {
	state, err := readState(path)
	if err != nil {
		return err
	}
	if err := s.Apply(state); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	s.Say("view loaded: %s", path)
	return nil
}

func readState(path string) (state State, err error) {
	file, err := os.Open(path)
	if err != nil {
		return state, fmt.Errorf("%s: no view can be read: %w", path, err)
	}
	defer file.Close()
	if err := json.NewDecoder(io.LimitReader(file, maxState)).Decode(&state); err != nil {
		return state, fmt.Errorf("%s: this is no saved view: %w", path, err)
	}
	return state, nil
}

// openState opens the model of a saved view, and shows it like that.
func (s *Session) openState(path string) error {
	state, err := readState(path)
	if err != nil {
		return err
	}
	list := s.list
	if s.model == nil || s.model.name != state.Model {
		if list, err = newPlaylist([]string{state.Model}); err != nil {
			return err
		}
	}
	s.open(list, false)
	s.loading.apply = &state
	return nil
}
