package session

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

func TestACameraIsItsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float64Range(-1e6, 1e6)
		point := func(name string) mgl64.Vec3 {
			return mgl64.Vec3{number.Draw(t, name+" x"), number.Draw(t, name+" y"), number.Draw(t, name+" z")}
		}
		c := project.Camera{Eye: point("eye"), Target: point("target"), Up: point("up")}
		if rapid.Bool().Draw(t, "parallel") {
			c.Scale = rapid.Float64Range(1e-3, 1e3).Draw(t, "scale")
		} else {
			c.FovY = rapid.Float64Range(1, 179).Draw(t, "fov")
		}
		got, height, err := ParseCamera("eightfold render castle.vox " + FormatCamera(c, 640, 360) + " -o out.png")
		if c.Eye == c.Target {
			return
		}
		require.NoError(t, err)
		assert.Equal(t, c, got)
		assert.Equal(t, 360, height)
	})
}

func TestTextsThatAreNoCamera(t *testing.T) {
	for _, text := range []string{
		"", "hello", "--eye 1,2,3", "--eye 1,2 --target 0,0,0", "--eye 1,2,x --target 0,0,0", "--eye 0,0,0 --target 0,0,0",
		"--eye 1,2,3 --target 0,0,0 --fov 200", "--eye 1,2,3 --target 0,0,0 --ortho", "--eye 1,2,3 --target 0,0,0 --ortho --scale -1",
		"--eye NaN,2,3 --target 0,0,0", "--eye 1,2,3 --target 0,0,0 --size 10x-5", "--eye 1,2,3 --target 0,0,0 --size axb", "--eye",
	} {
		_, _, err := ParseCamera(text)
		assert.Error(t, err, text)
	}
	c, height, err := ParseCamera("--eye=1,2,3 --target='0,0,0'")
	require.NoError(t, err)
	assert.Equal(t, project.Camera{Eye: mgl64.Vec3{1, 2, 3}, Up: mgl64.Vec3{0, 0, 1}, FovY: 30}, c)
	assert.Zero(t, height)
}

func FuzzParseCamera(f *testing.F) {
	f.Add("--eye 1,2,3 --target 0,0,0 --up 0,0,1 --fov 40 --size 640x360")
	f.Add("--eye=1,2,3 --target=0,0,0 --ortho --scale=3")
	f.Fuzz(func(t *testing.T, text string) {
		c, height, err := ParseCamera(text)
		if err != nil {
			return
		}
		again, _, err := ParseCamera(FormatCamera(c, max(height, 1), max(height, 1)))
		assert.NoError(t, err)
		assert.Equal(t, c, again)
	})
}

func TestCopiedAndPastedCameras(t *testing.T) {
	s := start(t, Options{Samples: 1}, "proc:island")
	settle(t, s)
	s.Nav.Orbit(100, 20)
	want, text := settled(t, s), s.CopyCamera()
	s.Reset()
	require.NotEqual(t, want, settled(t, s))
	s.PasteCamera(text)
	assert.Equal(t, want, settled(t, s))
	s.PasteCamera("what is this")
	_, failure := s.Message()
	assert.True(t, failure)
	assert.Equal(t, want, settled(t, s))
	s.Nav.ToggleParallel()
	want, text = settled(t, s), s.CopyCamera()
	assert.Contains(t, text, "--ortho")
	s.Reset()
	s.PasteCamera(text)
	assert.Equal(t, want, settled(t, s))
}

func TestAScreenshotIsTheOfflinePicture(t *testing.T) {
	folder := t.TempDir()
	s := start(t, Options{Samples: 3, Folder: folder}, "proc:island")
	settle(t, s)
	s.Nav.Orbit(33, 12)
	want := offline(t, s, 1)
	s.Screenshot(false, 1)
	settle(t, s)
	got := read(t, filepath.Join(folder, "island-001.png"))
	assert.Equal(t, want.Pix, got.Pix)
	assert.Contains(t, s.Status(), "island-001.png")

	s.Screenshot(true, 2)
	settle(t, s)
	got = read(t, filepath.Join(folder, "island-002.png"))
	assert.Equal(t, image.Pt(320, 180), got.Rect.Size())
	assert.Zero(t, got.NRGBAAt(0, 0).A)
	assert.Equal(t, uint8(255), got.NRGBAAt(160, 100).A)

	s.Look.Plane = render.PlaneNormal
	s.Screenshot(false, 1)
	settle(t, s)
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	assert.Len(t, entries, 3, "and nothing else is left there")

	s.options.Folder = filepath.Join(folder, "none")
	s.Screenshot(false, 1)
	settle(t, s)
	text, failure := s.Message()
	assert.True(t, failure)
	assert.Contains(t, text, "can't be written")
	s.Screenshot(false, 1000)
	_, failure = s.Message()
	assert.True(t, failure, "too large")

	s.options = Options{Folder: folder, ScreenshotWidth: 64, ScreenshotHeight: 64}
	s.Look.Plane = 0
	s.Screenshot(false, 1)
	settle(t, s)
	assert.Equal(t, image.Pt(64, 64), read(t, filepath.Join(folder, "island-004.png")).Rect.Size())
}

func read(t *testing.T, path string) *image.NRGBA {
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	picture, err := png.Decode(file)
	require.NoError(t, err)
	if nrgba, ok := picture.(*image.NRGBA); ok {
		return nrgba
	}
	opaque := image.NewNRGBA(picture.Bounds())
	for i := range picture.Bounds().Dx() * picture.Bounds().Dy() {
		x, y := i%picture.Bounds().Dx(), i/picture.Bounds().Dx()
		opaque.Set(x, y, picture.At(x, y))
	}
	return opaque
}

func TestASavedViewComesBack(t *testing.T) {
	folder := t.TempDir()
	s := start(t, Options{Samples: 1, Folder: folder}, "proc:island")
	settle(t, s)
	s.Nav.Orbit(70, -5)
	s.NextShading()
	s.TurnSun(20, 10)
	s.NextBackground()
	s.Turn(0)
	for i := range s.Switches() { // but for the kernel and the threads, which are the machine's
		if name := s.Switches()[i].Name; i > 0 && name != "kernel" && name != "threads" {
			s.Turn(i)
		}
	}
	s.ToggleSection()
	want, state := settled(t, s), s.Section
	s.SaveState()
	saved := filepath.Join(folder, "island.view.json")
	require.FileExists(t, saved)

	other := start(t, Options{Samples: 1, Folder: folder}, "proc:island")
	settle(t, other)
	require.NotEqual(t, want, settled(t, other))
	other.LoadSavedState()
	assert.Equal(t, want, settled(t, other))
	assert.Equal(t, state, other.Section)
	for i, sw := range s.Switches() {
		if sw.Name != "resolution" {
			assert.Equal(t, sw.Value, other.Switches()[i].Value, sw.Name)
		}
	}

	dropped := start(t, Options{Samples: 1}, sphere)
	settle(t, dropped)
	dropped.Drop([]string{saved})
	assert.Equal(t, want, settled(t, dropped), "its model is opened, too")
	opened := start(t, Options{Samples: 1}, saved)
	assert.Equal(t, want, settled(t, opened))

	for name, text := range map[string]string{
		"none": "", "no JSON": "{", "no view": "{}", "other version": `{"version":9}`,
		"camera": `{"version":1,"shading":"flat","background":"sky","plane":"colour","method":{"core":"auto","projection":2}}`,
	} {
		require.NoError(t, os.WriteFile(saved, []byte(text), 0o644))
		assert.Error(t, other.LoadState(saved), name)
	}
	assert.Equal(t, want, settled(t, other), "a broken view changes nothing")
}

func TestStatesThatMakeNoSense(t *testing.T) {
	s := start(t, Options{Samples: 1}, sphere)
	settle(t, s)
	good, err := s.State()
	require.NoError(t, err)
	require.NoError(t, s.Apply(good))
	for name, spoil := range map[string]func(*State){
		"shading": func(s *State) { s.Shading = "?" }, "plane": func(s *State) { s.Plane = "?" },
		"core": func(s *State) { s.Method.Core = "?" }, "projection": func(s *State) { s.Method.Projection = 3 },
		"background": func(s *State) { s.Background = "?" }, "frame": func(s *State) { s.Frame = 5 },
		"lod": func(s *State) { s.Method.LOD = -1 }, "least": func(s *State) { s.Method.LeastSize = -1 },
		"rungs": func(s *State) { s.Method.Without = "?" }, "subpixel": func(s *State) { s.Method.Subpixel = -1 }, "height": func(s *State) { s.Camera.Height = 0 },
		"eye": func(s *State) { s.Camera.Eye = s.Camera.Target },
	} {
		bad := good
		spoil(&bad)
		assert.Error(t, s.Apply(bad), name)
	}
	now, err := s.State()
	require.NoError(t, err)
	assert.True(t, now.Camera == good.Camera && now.Method == good.Method)
}

func TestTheSectionPlaneFollowsTheHand(t *testing.T) {
	s := start(t, Options{Samples: 1}, "proc:island")
	settle(t, s)
	s.DragSection(5, 5)
	assert.Zero(t, s.Section)
	whole := settled(t, s)
	s.ToggleSection()
	assert.NotEqual(t, whole, settled(t, s))
	s.ToggleSection()
	assert.Equal(t, whole, settled(t, s))
	s.ToggleSection()
	low, high, _ := s.Scene().Bounds()
	middle := low.Add(high).Mul(0.5)
	for range len(sectionAxes) {
		normal := mgl64.Vec3(s.Section.Normal)
		direction, _ := s.Nav.Axes()
		assert.Greater(t, normal.Dot(direction), 0.0, "the side that faces the camera is cut off")
		assert.InDelta(t, normal.Dot(middle), s.Section.Offset, 1e-9)
		view, err := s.Nav.Camera(90).View(160, 90)
		require.NoError(t, err)
		before := s.Section.Offset
		s.DragSection(10*normal.Dot(view.Right), 10*normal.Dot(view.Down))
		if s.Section.Axis < 3 {
			assert.Greater(t, s.Section.Offset, before, "dragged along its normal it goes there")
		}
		s.DragSection(1e9, 1e9)
		s.DragSection(-1e9, -1e9)
		assert.Less(t, s.Section.Offset, 1e4, "it stays with the model")
		s.TurnSection()
	}
	section := s.Section
	kept := settled(t, s)
	s.FlipSection()
	assert.NotEqual(t, kept, settled(t, s))
	assert.Equal(t, -section.Offset, s.Section.Offset)
	s.FlipSection()
	assert.Equal(t, section, s.Section)
}
