package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// program is the command as users run it.
var program string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		folder, err := os.MkdirTemp("", "eightfold")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(folder)
		program = filepath.Join(folder, "eightfold")
		if runtime.GOOS == "windows" {
			program += ".exe"
		}
		if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// outcome is what a run leaves behind for who typed it.
type outcome struct {
	status         int
	stdout, stderr string
}

func finish(t *testing.T, command *exec.Cmd) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if command.Stdout == nil {
		command.Stdout = &stdout
	}
	command.Stderr = &stderr
	err := command.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	o := outcome{command.ProcessState.ExitCode(), stdout.String(), stderr.String()}
	require.NotContains(t, o.stderr, "goroutine", "no panic trace, whatever happens")
	return o
}

// try runs the command in a folder.
func try(t *testing.T, folder string, args ...string) outcome {
	t.Helper()
	command := exec.Command(program, args...)
	command.Dir = folder
	return finish(t, command)
}

// succeed runs the command and expects that it has nothing to complain about.
func succeed(t *testing.T, folder string, args ...string) outcome {
	t.Helper()
	o := try(t, folder, args...)
	require.Zero(t, o.status, o.stderr)
	return o
}

// fails expects one sentence on standard error that holds all of words.
func fails(t *testing.T, o outcome, status int, words ...string) {
	t.Helper()
	require.Equal(t, status, o.status, o.stderr)
	require.Equal(t, 1, strings.Count(o.stderr, "\n"), "one line: %s", o.stderr)
	require.True(t, strings.HasPrefix(o.stderr, "eightfold: "), o.stderr)
	for _, word := range words {
		require.Contains(t, o.stderr, word)
	}
}

// names lists what is in a folder.
func names(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	list := []string{}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func decodePNG(t *testing.T, data []byte) image.Image {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	return picture
}

func readPNG(t *testing.T, path ...string) image.Image {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return decodePNG(t, data)
}

func at(picture image.Image, x, y int) color.NRGBA {
	return color.NRGBAModel.Convert(picture.At(x, y)).(color.NRGBA)
}

// voxel is x, y, z and palette index, as a .vox file has it.
type voxel [4]byte

// palette colours of the test files, by index.
var testPalette = map[byte]color.NRGBA{1: {200, 30, 40, 255}, 2: {40, 180, 60, 255}, 3: {50, 70, 210, 255}}

// voxFile is a .vox file of models of size 8x8x8; of several, each is a frame
// of an animation.
func voxFile(models ...[]voxel) []byte {
	var chunks bytes.Buffer
	chunk := func(id string, content []byte) {
		chunks.WriteString(id)
		binary.Write(&chunks, binary.LittleEndian, [2]uint32{uint32(len(content)), 0})
		chunks.Write(content)
	}
	numbers := func(n ...uint32) []byte {
		data, _ := binary.Append(nil, binary.LittleEndian, n)
		return data
	}
	if len(models) > 1 {
		chunk("PACK", numbers(uint32(len(models))))
	}
	for _, model := range models {
		chunk("SIZE", numbers(8, 8, 8))
		content := numbers(uint32(len(model)))
		for _, v := range model {
			content = append(content, v[:]...)
		}
		chunk("XYZI", content)
	}
	colours := make([]byte, 1024)
	for index, c := range testPalette {
		copy(colours[4*(int(index)-1):], []byte{c.R, c.G, c.B, c.A})
	}
	chunk("RGBA", colours)
	file := append([]byte("VOX "), numbers(150)...)
	file = append(file, "MAIN"...)
	file = append(file, numbers(0, uint32(chunks.Len()))...)
	return append(file, chunks.Bytes()...)
}

// cube is solid, its three pairs of faces in three colours where it can be.
func cube() []voxel {
	var voxels []voxel
	for i := range 512 {
		x, y, z := byte(i&7), byte(i>>3&7), byte(i>>6)
		v := voxel{x, y, z, 1}
		switch {
		case z == 0 || z == 7:
			v[3] = 3
		case x == 0 || x == 7:
			v[3] = 2
		}
		voxels = append(voxels, v)
	}
	return voxels
}

func write(t *testing.T, data []byte, path ...string) string {
	t.Helper()
	name := filepath.Join(path...)
	require.NoError(t, os.WriteFile(name, data, 0o666))
	return name
}

func TestNewcomersFirstCommand(t *testing.T) {
	folder := t.TempDir()
	o := succeed(t, folder, "render", "-o", "out.png")
	require.Empty(t, o.stdout+o.stderr)
	require.Equal(t, []string{"out.png"}, names(t, folder))
	picture := readPNG(t, folder, "out.png")
	require.Equal(t, image.Rect(0, 0, 1280, 720), picture.Bounds())
	colours := map[color.NRGBA]bool{}
	for x := range 1280 {
		colours[at(picture, x, 360)] = true
	}
	require.Greater(t, len(colours), 10, "there is something to see")
}

// D13: no display, no window system.
func TestHeadless(t *testing.T) {
	folder := t.TempDir()
	write(t, voxFile(cube()), folder, "a.vox")
	command := exec.Command(program, "render", "a.vox", "-o", "a.png", "--size", "64x64")
	command.Dir = folder
	command.Env = []string{"LC_ALL=C"}
	require.Zero(t, finish(t, command).status)
	require.EqualValues(t, 255, at(readPNG(t, folder, "a.png"), 32, 32).A)
}

// D14: what isn't the model is transparent unless a background is given.
func TestBackground(t *testing.T) {
	folder := t.TempDir()
	write(t, voxFile(cube()), folder, "a.vox")
	succeed(t, folder, "render", "a.vox", "-o", "a.png", "--size", "80x60")
	succeed(t, folder, "render", "a.vox", "-o", "b.png", "--size", "80x60", "--background", "#336699")
	a, b := readPNG(t, folder, "a.png"), readPNG(t, folder, "b.png")
	for _, corner := range [][2]int{{0, 0}, {79, 0}, {0, 59}, {79, 59}} {
		require.Zero(t, at(a, corner[0], corner[1]).A)
		require.Equal(t, color.NRGBA{0x33, 0x66, 0x99, 255}, at(b, corner[0], corner[1]))
	}
	require.EqualValues(t, 255, at(a, 40, 30).A)
	require.Equal(t, at(a, 40, 30), at(b, 40, 30))
}

// Without shading every pixel has the palette's own colour or none.
func TestShadingNoneIsExact(t *testing.T) {
	folder := t.TempDir()
	write(t, voxFile(cube()), folder, "a.vox")
	succeed(t, folder, "render", "a.vox", "-o", "a.png", "--shading", "none", "--size", "512x512",
		"--eye", "-13,-17,15", "--target", "0,0,0", "--fov", "50")
	picture := readPNG(t, folder, "a.png")
	seen := map[color.NRGBA]int{}
	for y := range 512 {
		for x := range 512 {
			seen[at(picture, x, y)]++
		}
	}
	for _, c := range testPalette {
		require.Greater(t, seen[c], 1000)
		delete(seen, c)
	}
	require.Greater(t, seen[color.NRGBA{}], 1000)
	delete(seen, color.NRGBA{})
	require.Empty(t, seen, "no other colours")
}

// The fitted model lies in the middle and fills 90 % of the frame.
func TestFittedView(t *testing.T) {
	folder := t.TempDir()
	write(t, voxFile(cube()), folder, "a.vox")
	for _, flags := range []string{"--view front", "--view top --ortho", "--view iso", "--yaw 200 --pitch -60", "--view left --up y"} {
		succeed(t, folder, append([]string{"render", "a.vox", "-o", "a.png", "--size", "300x200"}, strings.Fields(flags)...)...)
		seen := visible(readPNG(t, folder, "a.png"))
		require.InDelta(t, 180, seen.Dy(), 2, flags)
		require.InDelta(t, 200, seen.Min.Y+seen.Max.Y, 2, flags)
		require.InDelta(t, 300, seen.Min.X+seen.Max.X, 2, flags)
	}
	succeed(t, folder, "render", "a.vox", "-o", "a.png", "--size", "300x200", "--zoom", "0.5")
	require.InDelta(t, 90, visible(readPNG(t, folder, "a.png")).Dy(), 2)
	succeed(t, folder, "render", "a.vox", "-o", "a.png", "--size", "300x200", "--ortho", "--view", "front", "--scale", "7")
	require.Equal(t, image.Pt(56, 56), visible(readPNG(t, folder, "a.png")).Size(), "8 voxels of 7 pixels")
}

// visible is the box around the pixels that aren't transparent.
func visible(picture image.Image) image.Rectangle {
	var box image.Rectangle
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			if at(picture, x, y).A != 0 {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return box
}

// Each named view shows the side it is named after: the model has a lone voxel
// before its front, at the left and at the bottom of it.
func TestNamedViews(t *testing.T) {
	folder := t.TempDir()
	voxels := []voxel{{0, 0, 0, 1}, {7, 7, 7, 2}}
	write(t, voxFile(voxels), folder, "a.vox")
	red := testPalette[1]
	for view, want := range map[string]struct{ left, top bool }{
		"front": {true, false}, "back": {false, false}, "left": {false, false}, "right": {true, false},
		"top": {true, false}, "bottom": {true, true},
	} {
		succeed(t, folder, "render", "a.vox", "-o", "a.png", "--size", "100x100", "--ortho", "--shading", "none", "--view", view)
		picture := readPNG(t, folder, "a.png")
		x, y := 90, 90
		if want.left {
			x = 9
		}
		if want.top {
			y = 9
		}
		require.Equal(t, red, at(picture, x, y), view)
	}
}

// D05: an old animation shows one frame at a time.
func TestFrames(t *testing.T) {
	folder := t.TempDir()
	write(t, voxFile([]voxel{{0, 0, 0, 1}}, []voxel{{1, 0, 0, 2}}, []voxel{{2, 0, 0, 3}}, []voxel{{3, 0, 0, 1}, {0, 0, 0, 2}}), folder, "deer.vox")
	pictures := map[string]bool{}
	for frame := range 4 {
		succeed(t, folder, "render", "deer.vox", "-o", "a.png", "--size", "64x64", "--frame", fmt.Sprint(frame))
		data, err := os.ReadFile(filepath.Join(folder, "a.png"))
		require.NoError(t, err)
		pictures[string(data)] = true
	}
	require.Len(t, pictures, 4)
	fails(t, try(t, folder, "render", "deer.vox", "-o", "b.png", "--frame", "9"), 1, "deer.vox", "frame 9", "4")
	fails(t, try(t, folder, "render", "deer.vox", "-o", "b.png", "--frame=-1"), 1, "deer.vox", "frame -1")
	require.Equal(t, []string{"a.png", "deer.vox"}, names(t, folder))
}

// X3: the command works in a pipe.
func TestStandardStreams(t *testing.T) {
	folder := t.TempDir()
	data := voxFile(cube())
	write(t, data, folder, "a.vox")
	succeed(t, folder, "render", "a.vox", "-o", "a.png", "--size", "64x64")
	command := exec.Command(program, "render", "-", "-o", "-", "--size", "64x64")
	command.Stdin = bytes.NewReader(data)
	o := finish(t, command)
	require.Zero(t, o.status, o.stderr)
	want, err := os.ReadFile(filepath.Join(folder, "a.png"))
	require.NoError(t, err)
	require.Equal(t, string(want), o.stdout)

	command = exec.Command(program, "render", "-", "-o", "out.png")
	command.Dir = folder
	command.Stdin = strings.NewReader("")
	fails(t, finish(t, command), 1, "standard input", "empty")

	command = exec.Command(program, "info", "-")
	command.Stdin = bytes.NewReader(data)
	require.Contains(t, finish(t, command).stdout, "512")
}

// D13: a hundred files in one call, one of them broken.
func TestManyFilesInOneCall(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, "out"), 0o777))
	args := []string{"render", "-o", "out/", "--size", "32x32"}
	for i := range 100 {
		data := voxFile([]voxel{{byte(i) % 8, byte(i / 8 % 8), byte(i / 64), 1}})
		if i == 50 {
			data = data[:40]
		}
		args = append(args, write(t, data, folder, fmt.Sprintf("m%02d.vox", i)))
	}
	o := try(t, folder, args...)
	fails(t, o, 1, "m50.vox")
	pictures := names(t, filepath.Join(folder, "out"))
	require.Len(t, pictures, 99)
	require.NotContains(t, pictures, "m50.png")
	require.EqualValues(t, 255, at(readPNG(t, folder, "out", "m99.png"), 16, 16).A)
}

func TestNamesFromATemplate(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"a.vox", "b.c.vox", ".vox"} {
		write(t, voxFile(cube()), folder, name)
	}
	succeed(t, folder, "render", "a.vox", "b.c.vox", ".vox", "-o", "{n}-{name}.PNG", "--size", "8x8")
	succeed(t, folder, "render", "a.vox", "-o", "./", "--size", "8x8")
	require.Equal(t, []string{".vox", "1-a.PNG", "2-b.c.PNG", "3-.vox.PNG", "a.png", "a.vox", "b.c.vox"}, names(t, folder))
}

// What can't work is refused in one sentence that says what to do, before
// anything is written.
func TestWrongUsage(t *testing.T) {
	folder := t.TempDir()
	write(t, voxFile(cube()), folder, "a.vox")
	require.NoError(t, os.Mkdir(filepath.Join(folder, "dir"), 0o777))
	before := names(t, folder)
	for line, words := range map[string]string{
		"fly":                              "unexpected argument fly",
		"render a.vox":                     "-o is missing",
		"render a.vox --nonsense -o a.png": "--nonsense",
		"render a.vox -o a.jpg":            ".jpg is not written .png",
		"render a.vox -o picture":          "no extension .png",
		"render a.vox -o dir":              "is a folder dir/",
		"render a.vox a.vox -o x.png":      "2 models {name}",
		"render a.vox a.vox -o dir/":       "{n}",
		"render a.vox a.vox -o -":          "2 models",
		"render a.vox -o a.png --aov depth --range=-1e308,1e308": "-1e308,1e308 lower",
		"render - - -o dir/":                            "only once",
		"render a.vox -o - --json":                      "standard output",
		"render a.vox -o a.png --size 0x5":              "0x5 1280x720",
		"render a.vox -o a.png --size 40000x5":          "40000x5 32768",
		"render a.vox -o a.png --size big":              "big 1280x720",
		"render a.vox -o a.png --fov 180":               "--fov 180",
		"render a.vox -o a.png --fov 9 --ortho":         "--fov parallel",
		"render a.vox -o a.png --scale 9":               "--scale --ortho",
		"render a.vox -o a.png --zoom 0":                "--zoom 0",
		"render a.vox -o a.png --yaw NaN":               "--yaw NaN",
		"render a.vox -o a.png --lod 0":                 "--lod 0",
		"render a.vox -o a.png --lod NaN":               "--lod NaN",
		"render a.vox -o a.png --threads -1":            "--threads -1",
		"render a.vox -o a.png --repeat 0":              "--repeat 0",
		"render a.vox -o a.png --samples 0":             "--samples 0",
		"render a.vox -o a.png --samples 257":           "--samples 256",
		"render a.vox -o a.png --samples 4 --aov depth": "--samples --aov",
		"render a.vox -o a.png --section 0,0,0,1":       "0,0,0,1 section",
		"render a.vox -o a.png --section 1,2,3":         "1,2,3 four numbers",
		"render a.vox -o a.png --max-memory 0":          "--max-memory 0",
		"render a.vox -o a.png --target 1,2,3":          "--target --eye",
		"render a.vox -o a.png --eye 1,2":               "1,2 three numbers",
		"render a.vox -o a.png --eye 1,2,inf":           "1,2,inf three numbers",
		"render a.vox -o a.png --up 0,0,0":              "0,0,0 direction",
		"render a.vox -o a.png --eye 1,2,3 --yaw 4":     "--eye --yaw",
		"render a.vox -o a.png --view inside":           "--view three-quarter",
		"render a.vox -o a.png --projection 3":          "--projection 3",
		"render a.vox -o a.png --kernel gpu":            "--kernel gpu",
		"render a.vox -o a.png --background red":        "red #336699",
		"render a.vox -o a.png --aov fog":               "--aov fog",
		"render a.vox -o a.png --range 1,2":             "--range --aov",
		"render a.vox -o a.png --aov level --range 2,1": "2,1 lower",
		"info a.vox a.vox":                              "unexpected argument a.vox",
	} {
		o := try(t, folder, strings.Fields(line)...)
		fails(t, o, 2, strings.Fields(words)...)
		require.Empty(t, o.stdout, line)
	}
	require.Equal(t, before, names(t, folder))
}

func TestFailures(t *testing.T) {
	folder := t.TempDir()
	write(t, voxFile(cube()), folder, "a.vox")
	write(t, []byte("no model at all"), folder, "b.vox")
	write(t, voxFile([]voxel{}), folder, "empty.vox")
	before := names(t, folder)
	for line, words := range map[string]string{
		"render b.vox -o b.png":                            "b.vox",
		"render missing.vox -o b.png":                      "missing.vox: no such file",
		"render empty.vox -o b.png":                        "empty.vox",
		"render a.vox -o nowhere/b.png":                    "nowhere/b.png folder",
		"render a.vox -o nowhere/":                         "nowhere/ folder",
		"render a.vox -o a.vox/b.png":                      "a.vox/b.png",
		"render a.vox -o b.png --eye 1,2,3 --target 1,2,3": "a.vox eye target",
		"info b.vox":                                       "b.vox",
		"info missing.vox":                                 "missing.vox",
		"info a.vox --frame 3":                             "a.vox frame 3",
	} {
		o := try(t, folder, strings.Fields(filepath.FromSlash(line))...)
		fails(t, o, 1, strings.Fields(filepath.FromSlash(words))...)
		require.Empty(t, o.stdout, line)
	}
	require.Equal(t, before, names(t, folder))
}

// A file that exists is replaced by a complete new one or not at all.
func TestExistingFilesAreReplacedWhole(t *testing.T) {
	folder := t.TempDir()
	write(t, voxFile(cube()), folder, "a.vox")
	write(t, voxFile(cube())[:60], folder, "broken.vox")
	write(t, []byte("precious"), folder, "a.png")
	fails(t, try(t, folder, "render", "broken.vox", "-o", "a.png"), 1, "broken.vox")
	data, err := os.ReadFile(filepath.Join(folder, "a.png"))
	require.NoError(t, err)
	require.Equal(t, "precious", string(data))
	succeed(t, folder, "render", "a.vox", "-o", "a.png", "--size", "16x16")
	require.Equal(t, 16, readPNG(t, folder, "a.png").Bounds().Dx())
	require.Equal(t, []string{"a.png", "a.vox", "broken.vox"}, names(t, folder))
}

// Samples only change the pixels at edges; a section takes away what it should.
func TestSamplesAndSections(t *testing.T) {
	folder := t.TempDir()
	write(t, voxFile(cube()), folder, "a.vox")
	picture := func(flags ...string) *image.NRGBA {
		succeed(t, folder, append([]string{"render", "a.vox", "-o", "a.png", "--size", "96x96", "--yaw", "-12"}, flags...)...)
		p := readPNG(t, folder, "a.png")
		n := image.NewNRGBA(p.Bounds())
		draw.Draw(n, n.Rect, p, image.Point{}, draw.Src)
		return n
	}
	shown := func(p *image.NRGBA) (full, partly int) {
		for i := 3; i < len(p.Pix); i += 4 {
			switch p.Pix[i] {
			case 0:
			case 255:
				full++
			default:
				partly++
			}
		}
		return full, partly
	}
	plain := picture()
	require.Equal(t, plain.Pix, picture("--samples", "1").Pix)
	full, partly := shown(plain)
	require.Zero(t, partly)
	smoothFull, smoothPartly := shown(picture("--samples", "16"))
	require.Positive(t, smoothPartly)
	require.InDelta(t, full, smoothFull+smoothPartly/2, float64(smoothPartly)/4)
	require.Equal(t, plain.Pix, picture("--section", "0,0,1,-99").Pix)
	require.Contains(t, succeed(t, folder, "render", "a.vox", "--json", "--section", "0,0,1,-99").stdout, "-99")
	rest, _ := shown(picture("--section", "0,0,-1,0"))
	require.Less(t, rest, full)
	require.Positive(t, rest)
}

// The camera that --json prints draws the same picture when it is typed.
func TestReportedCameraDrawsTheSamePicture(t *testing.T) {
	folder := t.TempDir()
	write(t, voxFile(cube()), folder, "a.vox")
	for _, view := range []string{"three-quarter", "top", "iso"} {
		o := succeed(t, folder, "render", "a.vox", "-o", "a.png", "--size", "120x90", "--view", view, "--json", "--repeat", "3")
		var report struct {
			Model, Output string
			Size          [2]int
			Camera        struct {
				Eye, Target, Up [3]json.Number
				Fov, Scale      *json.Number
			}
			Counters map[string]int
			MS       map[string]float64
		}
		require.NoError(t, json.Unmarshal([]byte(o.stdout), &report), o.stdout)
		require.Equal(t, "a.vox", report.Model)
		require.Equal(t, "a.png", report.Output)
		require.Equal(t, [2]int{120, 90}, report.Size)
		require.Positive(t, report.Counters["pixels"])
		require.Positive(t, report.Counters["tested"])
		require.Positive(t, report.MS["draw"])
		require.LessOrEqual(t, report.MS["draw_min"], report.MS["draw"])
		require.EqualValues(t, 3, report.MS["repeat"])

		list := func(v [3]json.Number) string { return fmt.Sprintf("%s,%s,%s", v[0], v[1], v[2]) }
		args := []string{"render", "a.vox", "-o", "b.png", "--size", "120x90",
			"--eye", list(report.Camera.Eye), "--target", list(report.Camera.Target), "--up", list(report.Camera.Up)}
		if report.Camera.Fov != nil {
			args = append(args, "--fov", report.Camera.Fov.String())
		} else {
			args = append(args, "--ortho", "--scale", report.Camera.Scale.String())
		}
		succeed(t, folder, args...)
		require.Equal(t, readPNG(t, folder, "a.png"), readPNG(t, folder, "b.png"), view)
	}
}

// Several models make several JSON objects, one after the other; without -o
// nothing is written.
func TestReportsWithoutPicture(t *testing.T) {
	folder := t.TempDir()
	write(t, voxFile(cube()), folder, "a.vox")
	write(t, voxFile([]voxel{{1, 2, 3, 1}}), folder, "b.vox")
	o := succeed(t, folder, "render", "a.vox", "b.vox", "--size", "64x64", "--json", "--stats")
	decoder := json.NewDecoder(strings.NewReader(o.stdout))
	for _, model := range []string{"a.vox", "b.vox"} {
		var report struct{ Model string }
		require.NoError(t, decoder.Decode(&report))
		require.Equal(t, model, report.Model)
	}
	require.False(t, decoder.More())
	for _, row := range []string{"nodes tested", "occluded", "orthographic", "of bricks", "inherited", "pixels that see", "traverse"} {
		require.Equal(t, 2, strings.Count(o.stderr, row), row)
	}
	require.Equal(t, []string{"a.vox", "b.vox"}, names(t, folder))
}

// The picture does not depend on kernels, threads or how bounds are projected.
func TestSamePictureWhateverTheMethod(t *testing.T) {
	folder := t.TempDir()
	write(t, voxFile(cube()), folder, "a.vox")
	succeed(t, folder, "render", "a.vox", "-o", "want.png", "--size", "300x200")
	want := readPNG(t, folder, "want.png")
	for _, flags := range []string{"--kernel go", "--kernel auto --threads 1", "--threads 2", "--projection 4", "--projection 8"} {
		succeed(t, folder, append([]string{"render", "a.vox", "-o", "got.png", "--size", "300x200"}, strings.Fields(flags)...)...)
		require.Equal(t, want, readPNG(t, folder, "got.png"), flags)
	}
}

func TestPlanes(t *testing.T) {
	folder := t.TempDir()
	write(t, voxFile(cube()), folder, "a.vox")
	draw := func(flags ...string) image.Image {
		succeed(t, folder, append([]string{"render", "a.vox", "-o", "a.png", "--size", "200x100"}, flags...)...)
		return readPNG(t, folder, "a.png")
	}
	require.IsType(t, &image.Gray16{}, draw("--aov", "depth"))
	require.Equal(t, color.NRGBA{128, 0, 128, 255}, at(draw("--aov", "normal", "--view", "front"), 100, 50), "the front looks along -y")
	coverage := draw("--aov", "coverage")
	require.Equal(t, color.NRGBA{255, 255, 255, 255}, at(coverage, 100, 50))
	require.Equal(t, color.NRGBA{0, 0, 0, 255}, at(coverage, 0, 0))
	for _, plane := range []string{"level", "visits"} {
		whole := draw("--aov", plane)
		require.Equal(t, 200, whole.Bounds().Dx())
		require.Greater(t, whole.Bounds().Dy(), 100, "a legend lies below")
		require.NotEqual(t, whole, draw("--aov", plane, "--range", "0,1000"))
		draw("--aov", plane, "--pixel-rule", "rounded")
	}
	require.Equal(t, draw("--aov", "color"), draw())
}

// Issue 2 and the reports name these.
func TestInfoJSON(t *testing.T) {
	folder := t.TempDir()
	write(t, voxFile(cube()), folder, "a.vox")
	var info map[string]any
	require.NoError(t, json.Unmarshal([]byte(succeed(t, folder, "info", "a.vox", "--json").stdout), &info))
	for _, key := range []string{"format", "version", "models", "voxels_stored", "instances", "instances_visible",
		"frames", "bounds", "depth", "bytes_per_voxel", "colours", "warnings"} {
		require.Contains(t, info, key)
	}
	require.NotContains(t, info, "flat_hash")
	require.NoError(t, json.Unmarshal([]byte(succeed(t, folder, "info", "a.vox", "--json", "--hash").stdout), &info))
	require.EqualValues(t, 512, info["voxels"])
	require.Len(t, info["pos_hash"], 16)
	require.Len(t, info["flat_hash"], 16)
	require.Equal(t, map[string]any{"min": []any{-4., -4., -4.}, "max": []any{4., 4., 4.}}, info["bounds"])
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{}, {"--help"}, {"render", "--help"}, {"info", "--help"}} {
		o := succeed(t, t.TempDir(), args...)
		require.Contains(t, o.stdout, "Examples:")
		require.Empty(t, o.stderr)
	}
	require.Regexp(t, `^eightfold \S+ .*go1`, succeed(t, t.TempDir(), "version").stdout)
}
