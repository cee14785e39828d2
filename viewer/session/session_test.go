package session

import (
	"bytes"
	"context"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

const sphere = "proc:sphere?size=32"

// start opens files in a small window and waits until the picture is done.
func start(t *testing.T, o Options, files ...string) *Session {
	s, err := New(files, o)
	require.NoError(t, err)
	s.Resize(160, 90)
	t.Cleanup(s.Close)
	return s
}

// settle lets time pass until there is nothing left to do, and returns the last
// picture that was drawn, nil where none was.
func settle(t *testing.T, s *Session) (last *Picture) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		require.True(t, time.Now().Before(deadline), "it never comes to rest")
		busy := s.Tick(time.Now())
		picture, more := s.Advance(time.Now(), time.Second)
		if picture != nil {
			last = picture
		}
		if !busy && !more {
			return last
		}
		time.Sleep(time.Millisecond)
	}
}

// offline is what `eightfold render` draws of the model shown.
func offline(t *testing.T, s *Session, samples int) *image.NRGBA {
	r, err := render.NewRenderer(s.renderOptions(s.width, s.height))
	require.NoError(t, err)
	mean := render.NewAccumulator(s.width, s.height)
	_, err = r.DrawSamples(context.Background(), s.Scene(), s.Nav.Camera(s.height), samples, mean)
	require.NoError(t, err)
	return mean.Picture()
}

func TestThePictureAtRestIsTheOfflinePicture(t *testing.T) {
	for _, samples := range []int{1, 5} {
		s := start(t, Options{Samples: samples}, "proc:island")
		picture := settle(t, s)
		require.NotNil(t, picture)
		assert.Equal(t, samples, picture.Samples)
		assert.Equal(t, 0, picture.Level)
		assert.Equal(t, []int{160, 90}, []int{picture.Width, picture.Height})
		assert.True(t, bytes.Equal(offline(t, s, samples).Pix, picture.Pix), "%d samples", samples)

		direction, top := project.ThreeQuarter.Axes(s.Asset().Up, s.Asset().Front)
		camera, err := s.Scene().Fit(direction, top, 160, 90, 30, project.DefaultFill)
		require.NoError(t, err)
		assert.Equal(t, camera, s.Nav.Camera(90), "the first view is that of eightfold render")
	}
}

func TestNothingIsDrawnWhenNothingChanged(t *testing.T) {
	s := start(t, Options{Samples: 4}, sphere)
	settle(t, s)
	drawn := s.Drawn()
	for range 50 {
		assert.False(t, s.Tick(time.Now()))
		picture, more := s.Advance(time.Now(), 0)
		assert.Nil(t, picture)
		assert.False(t, more)
	}
	assert.Equal(t, drawn, s.Drawn())
	s.Nav.Orbit(3, 0)
	require.NotNil(t, settle(t, s))
	assert.Greater(t, s.Drawn(), drawn)
	s.Resize(100, 100)
	assert.Equal(t, 100, settle(t, s).Height)
}

func TestMovementIsDrawnCoarselyAndRefined(t *testing.T) {
	s := start(t, Options{Samples: 1, FPS: 1000, Kernel: 1}, "proc:island")
	s.Resize(640, 360)
	settle(t, s)
	coarse := false
	for range 30 {
		s.Nav.Orbit(1, 0)
		s.Tick(time.Now())
		if picture, _ := s.Advance(time.Now(), time.Second); picture != nil && picture.Level > 0 {
			coarse = true
			assert.Less(t, picture.Width, 640)
			assert.Len(t, picture.Pix, 4*picture.Width*picture.Height)
		}
	}
	assert.True(t, coarse, "a thousand frames a second are too many for the Go kernels")
	picture := settle(t, s)
	assert.Equal(t, 640, picture.Width)
	assert.True(t, bytes.Equal(offline(t, s, 1).Pix, picture.Pix))

	s.Look.Shading = render.ShadeNone
	s.Pace.Adapt = false
	s.Nav.Orbit(1, 0)
	picture, _ = s.Advance(time.Now(), 10*time.Second)
	assert.Equal(t, 640, picture.Width)
}

func TestABrokenFileLeavesTheModel(t *testing.T) {
	folder := t.TempDir()
	broken := filepath.Join(folder, "broken.vox")
	require.NoError(t, os.WriteFile(broken, []byte("VOX nothing"), 0o644))
	s := start(t, Options{Samples: 1}, sphere)
	settle(t, s)
	scene, camera := s.Scene(), s.Nav.Camera(90)
	s.Drop([]string{broken})
	settle(t, s)
	text, failure := s.Message()
	assert.True(t, failure)
	assert.Contains(t, text, "broken.vox")
	assert.Same(t, scene, s.Scene())
	assert.Equal(t, camera, s.Nav.Camera(90))
	assert.Contains(t, s.Title(), "proc:sphere")
	assert.True(t, s.Clear())
	assert.Empty(t, s.Status())
	s.Reload()
	settle(t, s)
	assert.Contains(t, s.Title(), "proc:sphere", "the list is as it was")

	s.Drop([]string{filepath.Join(folder, "missing.vox")})
	settle(t, s)
	text, _ = s.Message()
	assert.Contains(t, text, "missing.vox")
	s.Drop([]string{folder + "/empty"})
	s.Drop(nil)

	empty, err := New([]string{t.TempDir()}, Options{})
	assert.Nil(t, empty)
	assert.ErrorContains(t, err, ".vox")
}

func TestTheFirstFileMayBeBroken(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.vox")
	require.NoError(t, os.WriteFile(broken, []byte("VOX "), 0o644))
	s := start(t, Options{}, broken)
	assert.Nil(t, settle(t, s))
	_, failure := s.Message()
	assert.True(t, failure)
	assert.False(t, s.Ready())
	for _, use := range []func(){
		s.Reset, s.FrameAll, s.Play, s.NextShading, s.NextBackground, s.ToggleSection, s.TurnSection, s.FlipSection, s.Measure,
		s.SaveState, s.LoadSavedState, s.Reload, func() { s.Next(1) }, func() { s.StepFrame(1) }, func() { s.ToggleLayer(0) },
		func() { s.TurnSun(1, 1) }, func() { s.PickAt(1, 1) }, func() { s.FocusAt(1, 1) }, func() { s.Screenshot(true, 1) },
		func() { s.DragSection(1, 1) }, func() { s.Copy() }, func() { s.CopyCamera() }, func() { s.Turn(0) }, func() { s.SetFrame(3) },
	} {
		assert.NotPanics(t, use)
	}
	s.Drop([]string{sphere})
	settle(t, s)
	assert.True(t, s.Ready())
}

func TestFilesOfTheFolderFollow(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"m10.vox", "m2.vox", "m1.VOX"} {
		data, err := os.ReadFile("../../docs/models/tree.vox")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), data, 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "notes.txt"), nil, 0o644))
	s := start(t, Options{Samples: 1}, filepath.Join(folder, "m2.vox"))
	settle(t, s)
	assert.Contains(t, s.Title(), "m2.vox")
	assert.Contains(t, s.Title(), "2 of 3")
	for _, want := range []string{"m10.vox", "m1.VOX", "m2.vox"} {
		s.Next(1)
		settle(t, s)
		assert.Contains(t, s.Title(), want)
	}
	s.Next(-1)
	settle(t, s)
	assert.Contains(t, s.Title(), "m1.VOX")
	whole := start(t, Options{Samples: 1}, folder)
	settle(t, whole)
	assert.Contains(t, whole.Title(), "1 of 3")
	two := start(t, Options{Samples: 1}, "proc:cube", sphere)
	settle(t, two)
	assert.Contains(t, two.Title(), "1 of 2")
	two.Next(1)
	settle(t, two)
	assert.Contains(t, two.Title(), "sphere")
}

func TestNaturalOrder(t *testing.T) {
	assert.Negative(t, natural("a2b", "a10b"))
	assert.Positive(t, natural("a10", "a9"))
	assert.Negative(t, natural("a", "ab"))
	assert.Negative(t, natural("a1", "b0"))
	assert.Zero(t, natural("x007", "x007"))
}

func TestAChangedFileIsLoadedAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "model.vox")
	put := func(data []byte) {
		require.NoError(t, os.WriteFile(file, data, 0o644))
	}
	read := func(name string) []byte {
		data, err := os.ReadFile("../../docs/models/" + name)
		require.NoError(t, err)
		return data
	}
	put(read("tree.vox"))
	s := start(t, Options{Samples: 1, Watch: true}, file)
	settle(t, s)
	s.Nav.Orbit(40, 10)
	camera, scene := s.Nav.Camera(90), s.Scene()

	now := time.Now()
	look := func() { // time goes by as fast as the test likes
		for range 8 {
			now = now.Add(WatchEvery)
			s.Tick(now)
			if _, loading := s.Loading(); loading {
				settle(t, s)
			}
		}
	}
	look()
	assert.Same(t, scene, s.Scene(), "nothing happens while nothing changes")
	put(read("house.vox")[:200])
	look()
	_, failure := s.Message()
	assert.True(t, failure)
	assert.Same(t, scene, s.Scene(), "a broken file leaves the model")
	put(read("house.vox"))
	look()
	assert.NotSame(t, scene, s.Scene())
	assert.Equal(t, camera, s.Nav.Camera(90), "the view is kept")
	_, failure = s.Message()
	assert.False(t, failure)
}

func TestLoadingIsToldAndCancelled(t *testing.T) {
	s := start(t, Options{Samples: 1}, sphere)
	settle(t, s)
	s.Drop([]string{"proc:terrain?size=1024"})
	s.Tick(time.Now())
	p, ok := s.Loading()
	require.True(t, ok)
	assert.Contains(t, p.String(), "terrain")
	assert.Contains(t, s.Title(), "building")
	s.Nav.Orbit(2, 2)
	picture, _ := s.Advance(time.Now(), 10*time.Second)
	assert.NotNil(t, picture, "the old model can be looked at meanwhile")
	assert.True(t, s.Clear())
	assert.Contains(t, s.Status(), "cancelled")
	settle(t, s)
	time.Sleep(50 * time.Millisecond)
	settle(t, s)
	assert.Contains(t, s.Title(), "sphere")
	assert.Equal(t, "reading a.vox: 50 %", Progress{Name: "x/a.vox", Read: 5, Size: 10}.String())
	assert.Equal(t, "building a.vox: 3 s", Progress{Name: "a.vox", Read: 10, Size: 10, Elapsed: 3 * time.Second}.String())
}

func TestPickAndMeasure(t *testing.T) {
	s := start(t, Options{Samples: 1}, "proc:island")
	settle(t, s)
	s.PickAt(80, 50)
	require.Len(t, s.Picks, 1)
	hit := s.Picks[0]
	tree := s.Scene().Instances[hit.Instance].Tree
	id, ok := tree.At(uint32(hit.Min[0]), uint32(hit.Min[1]), uint32(hit.Min[2]))
	assert.True(t, ok)
	assert.Equal(t, tree.Colours[id], hit.Colour)
	assert.Contains(t, s.Copy(), "voxel ")
	s.PickAt(100, 60)
	assert.Len(t, s.Picks, 1, "one pick takes the place of the other")

	s.Measure()
	s.PickAt(80, 50)
	s.PickAt(100, 60)
	along, distance, ok := s.Distance()
	require.True(t, ok)
	assert.InDelta(t, s.Picks[0].Centre.Sub(s.Picks[1].Centre).Len(), distance, 1e-9)
	assert.NotZero(t, along)
	assert.Contains(t, s.Copy(), "distance ")
	s.PickAt(90, 55)
	assert.Len(t, s.Picks, 1, "a third pick begins anew")
	s.PickAt(0, 0)
	assert.Empty(t, s.Picks, "the sky is no voxel")
	for s.Clear() {
	}
	assert.False(t, s.Measuring)
	assert.Empty(t, s.Copy())

	before := s.Nav.Camera(90)
	s.FocusAt(100, 60)
	assert.NotEqual(t, before, s.Nav.Camera(90))
	p, ok := s.At(80, 45)
	require.True(t, ok)
	assert.Greater(t, s.NearestSurface(), 0.0)
	assert.LessOrEqual(t, s.NearestSurface(), p.Distance)
}

func TestEverySwitchDrawsInEveryPosition(t *testing.T) {
	s := start(t, Options{Samples: 1}, "proc:island")
	settle(t, s)
	for i, first := range s.Switches() {
		assert.True(t, first.On, first.Name)
		seen := map[string]bool{}
		for !seen[s.Switches()[i].Value] {
			seen[s.Switches()[i].Value] = true
			s.Turn(i)
			settle(t, s)
			_, failure := s.Message()
			assert.False(t, failure, "%s %s: %s", first.Name, s.Switches()[i].Value, s.Status())
		}
		if first.Name == "kernel" || first.Name == "threads" {
			continue
		}
		assert.Greater(t, len(seen), 1, first.Name)
		assert.Equal(t, first.Value, s.Switches()[i].Value, "%s comes round", first.Name)
	}
	s.Turn(-1)
	s.Turn(1000)
}

func TestWhatDoesNotChangeThePicture(t *testing.T) {
	s := start(t, Options{Samples: 1}, "proc:island")
	s.Look.Core = render.CoreClassic
	want := append([]byte{}, settle(t, s).Pix...)
	for i, sw := range s.Switches() {
		switch sw.Name {
		case "coverage", "kernel", "threads":
			s.Turn(i)
			if picture := settle(t, s); picture != nil && s.Switches()[i].Value != sw.Value {
				assert.True(t, bytes.Equal(want, picture.Pix), sw.Name)
			}
		}
	}
}

func TestPlanesAreShown(t *testing.T) {
	s := start(t, Options{Samples: 4}, "proc:island")
	seen := map[string]string{string(settle(t, s).Pix): "colour"}
	for plane, name := range planeNames {
		s.Look.Plane = plane
		picture := settle(t, s)
		if plane == 0 {
			continue
		}
		require.NotNil(t, picture, name)
		assert.Equal(t, 1, picture.Samples, "planes are not smoothed")
		assert.Empty(t, seen[string(picture.Pix)], "%s looks like another plane", name)
		seen[string(picture.Pix)] = name
	}
}

func TestShadingSunAndBackground(t *testing.T) {
	s := start(t, Options{Samples: 1}, "proc:island")
	seen := map[string]bool{string(settle(t, s).Pix): true}
	for _, change := range []func(){
		s.NextShading, s.NextShading, s.NextBackground, s.NextBackground,
		func() { s.TurnSun(30, 0) }, func() { s.TurnSun(0, 30) }, func() { s.TurnSun(0, 300) },
	} {
		change()
		picture := settle(t, s)
		require.NotNil(t, picture)
		seen[string(picture.Pix)] = true
	}
	assert.Len(t, seen, 7, "back to flat light once, else each is another picture")
	assert.NoError(t, s.SetBackground("#102030"))
	assert.Equal(t, []byte{0x10, 0x20, 0x30, 255}, settle(t, s).Pix[:4])
	assert.Error(t, s.SetBackground("mauve"))
	require.NoError(t, s.SetBackground("none"))
	assert.Equal(t, []byte{0, 0, 0, 0}, settle(t, s).Pix[:4])
	_, err := ParseShading("shiny")
	assert.Error(t, err)
}

func shared(t *testing.T, name string) string {
	path := filepath.Join("../../../shared/models", name)
	if _, err := os.Stat(path); err != nil {
		t.Skip("../shared is not here: ", name)
	}
	return path
}

func TestAnimation(t *testing.T) {
	s := start(t, Options{Samples: 1}, shared(t, "vox/deer.vox"))
	settle(t, s)
	_, frames := s.Frame()
	require.Equal(t, 4, frames)
	seen := map[string]bool{}
	for range 4 {
		s.StepFrame(1)
		seen[string(settle(t, s).Pix)] = true
	}
	assert.Len(t, seen, 4)
	frame, _ := s.Frame()
	assert.Zero(t, frame, "round and round")
	s.StepFrame(-1)
	frame, _ = s.Frame()
	assert.Equal(t, 3, frame)
	s.Play()
	now := time.Now()
	s.Tick(now)
	for range 4 {
		now = now.Add(frameTime / 2)
		assert.True(t, s.Tick(now))
	}
	frame, _ = s.Frame()
	assert.Equal(t, 1, frame)
	s.Play()
	assert.Contains(t, s.Title(), "frame 1 of 4")
	settle(t, s)
}

// settled is the picture once everything is at rest.
func settled(t *testing.T, s *Session) string {
	settle(t, s)
	return string(offline(t, s, 1).Pix)
}

func TestTheModelsOwnViews(t *testing.T) {
	s := start(t, Options{Samples: 1}, sphere)
	settle(t, s)
	s.NextView()
	_, failure := s.Message()
	assert.False(t, failure, "it has none")
	s.model.asset.Views = []models.View{
		{Name: "a", Camera: project.Camera{Eye: mgl64.Vec3{9, 99, 9}, Up: mgl64.Vec3{0, 0, 1}, FovY: 50}},
		{Name: "b", Camera: project.Camera{Eye: mgl64.Vec3{99, 9, 9}, Up: mgl64.Vec3{0, 0, 1}, Scale: 2}},
	}
	for i := range 4 {
		s.NextView()
		assert.Equal(t, s.model.asset.Views[i%2].Camera, s.Nav.Camera(90))
		require.NotNil(t, settle(t, s))
	}
}

func TestEveryProblemIsAnError(t *testing.T) {
	for _, o := range []Options{{FPS: -1}, {FPS: 1e9}, {Samples: -1}, {Samples: 1 << 20}, {Threads: -1}, {Kernel: 99}} {
		_, err := New(nil, o)
		assert.Error(t, err)
	}
	_, err := New([]string{"nothing.vox"}, Options{})
	assert.ErrorContains(t, err, "nothing.vox: there is no such file")
	s, err := New([]string{"nothing" + stateSuffix}, Options{})
	assert.Error(t, err)
	if s != nil {
		s.Close()
	}
}

func TestNamesOfFiles(t *testing.T) {
	assert.Equal(t, "castle", fileName("a/castle.vox"))
	assert.Equal(t, "sphere-size-32", fileName(sphere))
	assert.Equal(t, "eightfold", fileName(""))
	assert.True(t, strings.HasPrefix(displayName("x/y.vox"), "y"))
}
