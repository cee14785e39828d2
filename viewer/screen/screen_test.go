package screen

import (
	"image"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/viewer/control"
	"github.com/cfef80af/eightfold/viewer/keys"
	"github.com/cfef80af/eightfold/viewer/overlay"
	"github.com/cfef80af/eightfold/viewer/session"
)

const width, height = 640, 480

type desk struct{ *testing.T }

func (desk) Copy(string)       {}
func (desk) Paste() string     { return "" }
func (desk) ToggleFullScreen() {}

// open shows the island, with its picture drawn.
func open(t *testing.T) (*Screen, *control.Control) {
	m, err := keys.Named("f3d")
	require.NoError(t, err)
	s, err := session.New([]string{"proc:island"}, session.Options{Samples: 1})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	s.Resize(width, height)
	c := &control.Control{Session: s, Keys: m, Desktop: desk{t}, X: width / 2, Y: height / 2}
	screen := New(c)
	c.Surface = screen
	shown(t, screen, s)
	return screen, c
}

// shown waits for the picture and tells the screen of it.
func shown(t *testing.T, screen *Screen, s *session.Session) {
	for range 10000 {
		busy := s.Tick(time.Now())
		picture, more := s.Advance(time.Now(), time.Second)
		if picture != nil {
			screen.Drawn(picture, time.Millisecond)
		}
		if !busy && !more {
			return
		}
		time.Sleep(time.Millisecond)
	}
	require.Fail(t, "it never comes to rest")
}

// paint paints and checks that nothing changed but in the regions told.
func paint(t *testing.T, s *Screen) []image.Rectangle {
	before := image.NewRGBA(s.Image().Rect)
	copy(before.Pix, s.Image().Pix)
	regions := s.Paint(width, height, 1)
	if before.Rect != s.Image().Rect {
		return regions
	}
	for y := range height {
		for x := range width {
			if before.RGBAAt(x, y) == s.Image().RGBAAt(x, y) {
				continue
			}
			inside := false
			for _, r := range regions {
				inside = inside || image.Pt(x, y).In(r)
			}
			require.True(t, inside, "(%d, %d) changed untold", x, y)
		}
	}
	for i, r := range regions {
		for _, o := range regions[:i] {
			require.False(t, r.Overlaps(o))
		}
	}
	return regions
}

func empty(i *image.RGBA) bool {
	for _, v := range i.Pix {
		if v != 0 {
			return false
		}
	}
	return true
}

func TestEachOverlayComesAndGoes(t *testing.T) {
	s, c := open(t)
	paint(t, s)
	assert.True(t, empty(s.Image()), "nothing is above the picture at first")
	assert.Empty(t, paint(t, s), "and nothing changes")
	seen := map[string]bool{}
	for _, flag := range []*bool{&c.Show.Help, &c.Show.Panel, &c.Show.Layers, &c.Show.Boxes, &c.Show.Graph, &c.Show.Top, &c.Show.Statistics} {
		*flag = true
		assert.NotEmpty(t, paint(t, s))
		assert.False(t, empty(s.Image()))
		assert.False(t, seen[string(s.Image().Pix)], "each looks different")
		seen[string(s.Image().Pix)] = true
		assert.Empty(t, paint(t, s), "at rest nothing is painted")
		*flag = false
		assert.NotEmpty(t, paint(t, s))
		assert.True(t, empty(s.Image()))
	}
	c.Show = control.Overlays{Help: true, Panel: true, Layers: true, Boxes: true, Graph: true, Top: true, Statistics: true}
	paint(t, s)
	c.Session.Say("hello")
	assert.NotEmpty(t, paint(t, s))
	_, failure := c.Session.Message()
	assert.False(t, failure)
}

func TestStagesAreMeasuredWhileTheyAreShown(t *testing.T) {
	s, c := open(t)
	paint(t, s)
	assert.False(t, c.Session.StageTimes)
	c.Show.Graph = true
	paint(t, s)
	assert.True(t, c.Session.StageTimes)
}

func TestSwitchesAreClicked(t *testing.T) {
	s, c := open(t)
	c.Show.Panel = true
	paint(t, s)
	require.Len(t, s.panel.Rows, len(c.Session.Switches()))
	for i, row := range s.panel.Rows {
		before := c.Session.Switches()[i]
		x, y := float64(row.Min.X+row.Max.X)/2, float64(row.Min.Y+row.Max.Y)/2
		assert.True(t, s.Click(x, y))
		now := c.Session.Switches()[i]
		if before.Name != "kernel" && before.Name != "threads" {
			assert.NotEqual(t, before.Value, now.Value, before.Name)
		}
	}
	assert.NotEmpty(t, paint(t, s))
	assert.False(t, s.Click(width-1, height/2), "beside it a click is for the picture")
	c.Show.Panel = false
	row := s.panel.Rows[0]
	assert.False(t, s.Click(float64(row.Min.X+1), float64(row.Min.Y+1)), "what is hidden is not clicked")
}

func TestAFrameIsHeld(t *testing.T) {
	s, c := open(t)
	c.Show.Graph = true
	for range 20 {
		c.Session.Nav.Orbit(3, 0)
		shown(t, s, c.Session)
		paint(t, s)
	}
	held := false
	r := s.graphed.Rect
	for x := r.Min.X; x < r.Max.X && !held; x++ {
		assert.True(t, s.Click(float64(x), float64(r.Min.Y+r.Dy()/2)))
		_, held = s.graph.Held()
	}
	require.True(t, held)
	paint(t, s)
	assert.True(t, s.Release())
	assert.False(t, s.Release())
	assert.NotEmpty(t, paint(t, s))
}

func TestPicksAndMeasuresAreDrawn(t *testing.T) {
	s, c := open(t)
	paint(t, s)
	c.Session.Measure()
	c.Session.Clear() // what it says
	c.Session.Measuring = true
	c.Session.PickAt(300, 250)
	paint(t, s)
	one := string(s.Image().Pix)
	c.Session.PickAt(350, 280)
	paint(t, s)
	assert.NotEqual(t, one, string(s.Image().Pix))
	for c.Session.Clear() {
	}
	paint(t, s)
	assert.True(t, empty(s.Image()))
}

func TestHeatmapsHaveALegend(t *testing.T) {
	s, c := open(t)
	for _, plane := range []render.Planes{render.PlaneLevel, render.PlaneVisits} {
		c.Session.Look.Plane = plane
		shown(t, s, c.Session)
		paint(t, s)
		assert.False(t, empty(s.Image()))
	}
	c.Session.Look.Plane = 0
	shown(t, s, c.Session)
	paint(t, s)
	assert.True(t, empty(s.Image()))
}

func TestAnotherSizeAndScale(t *testing.T) {
	s, c := open(t)
	c.Show.Statistics = true
	s.Paint(320, 200, 1)
	assert.Equal(t, image.Rect(0, 0, 320, 200), s.Image().Rect)
	small := string(s.Image().Pix)
	assert.NotEmpty(t, s.Paint(320, 200, 2))
	assert.NotEqual(t, small, string(s.Image().Pix))
	assert.NotEmpty(t, s.Paint(1, 1, 1))
}

func TestLayersOfAModel(t *testing.T) {
	s, c := open(t)
	if len(c.Session.Layers()) == 0 {
		assert.Equal(t, 1, len(layers(c.Session).Rows))
	}
	assert.Equal(t, overlay.Placed{}, s.layers)
}

func TestRegionsAreJoined(t *testing.T) {
	got := disjoint([]image.Rectangle{image.Rect(0, 0, 10, 10), image.Rect(20, 20, 30, 30), image.Rect(5, 5, 25, 25), {}})
	assert.Equal(t, []image.Rectangle{image.Rect(0, 0, 30, 30)}, got)
}
