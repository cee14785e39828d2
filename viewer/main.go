//go:build viewer || js || windows

// Command viewer opens a window in which models are looked at.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"unicode"

	"github.com/alecthomas/kong"
	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/viewer/control"
	"github.com/cfef80af/eightfold/viewer/keys"
	"github.com/cfef80af/eightfold/viewer/session"
)

// commandLine is what can be typed.
type commandLine struct {
	Models []string `arg:"" optional:"" name:"model" help:"Files, folders, saved views (.view.json), or models made by a formula such as proc:sponge. A single file brings the others of its folder along. Without any, the model that is built in."`

	Keys       string  `enum:"f3d,magicavoxel,blender" default:"f3d" help:"Habits of mouse and keys: ${enum}. H in the window lists them."`
	Size       size    `default:"1280x720" placeholder:"WxH" help:"Size of the window (${default})."`
	FPS        float64 `name:"fps" default:"60" help:"Frames a second to hold while something moves (${default})."`
	Samples    int     `default:"16" help:"Samples of a picture at rest, 1 to 256 (${default})."`
	FixedRes   bool    `name:"fixed-resolution" help:"Draw all pixels also while something moves."`
	Inertia    bool    `help:"Let movements run on when they are let go."`
	Watch      bool    `help:"Load a file again when it changes."`
	Shading    string  `enum:"flat,none" default:"flat" help:"flat: a sun and ambient light; none: the model's own colours."`
	Background string  `default:"dusk" help:"dusk, sky, white, grey, black, none or a colour like '#336699'."`
	Folder     string  `default:"." type:"path" help:"Where screenshots and views are written."`
	Screenshot size    `placeholder:"WxH" help:"Size of screenshots; that of the window where not given."`
	Threads    int     `placeholder:"N" help:"How many threads draw, 0 for all there are."`
	Kernel     string  `enum:"auto,avx512,avx2,go" default:"auto" help:"Vector kernels: ${enum}."`
	MaxMemory  int64   `placeholder:"MIB" default:"2048" help:"Memory that one model may take, in MiB."`
	VoxelSize  float64 `placeholder:"S" help:"Edge of a voxel in the file's units, for files of points."`
}

// size is typed as 1280x720.
type size struct{ width, height int }

func (s *size) UnmarshalText(text []byte) error {
	width, height, ok := strings.Cut(strings.ToLower(string(text)), "x")
	w, errW := strconv.Atoi(width)
	h, errH := strconv.Atoi(height)
	if !ok || errW != nil || errH != nil || w < 1 || h < 1 || w > 1<<15 || h > 1<<15 {
		return fmt.Errorf("%q is not a size: give width and height in pixels like 1280x720", text)
	}
	*s = size{w, h}
	return nil
}

// errUsage marks a command line that makes no sense.
var errUsage = errors.New("eightfold-view --help tells more")

func main() {
	if err := run(os.Args[1:]); err != nil {
		text := strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return ' '
			}
			return r
		}, err.Error())
		fmt.Fprintf(os.Stderr, "eightfold-view: %s\n", text)
		if errors.Is(err, errUsage) {
			os.Exit(2)
		}
		os.Exit(1)
	}
}

func run(args []string) error {
	var line commandLine
	parser, err := kong.New(&line, kong.Name("eightfold-view"),
		kong.Description("Opens a window in which voxel models are looked at. H lists the keys."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}))
	if err != nil {
		return err
	}
	if _, err := parser.Parse(args); err != nil {
		return fmt.Errorf("%w; %w", err, errUsage)
	}
	w, err := line.open()
	if err != nil {
		return err
	}
	defer w.control.Session.Close()
	// An interrupt closes the window, so that what is being written is written.
	interrupted, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(interrupted, func() {
		stop() // a second one ends the process at once
		w.closing.Store(true)
		wake()
	})
	ebiten.SetWindowSize(line.Size.width, line.Size.height)
	return ebiten.RunGame(w)
}

// open makes the window of a command line, not yet on the screen.
func (line *commandLine) open() (*window, error) {
	habits, err := keys.Named(line.Keys)
	if err != nil {
		return nil, err
	}
	kernel, err := asm.ParseKernel(line.Kernel)
	if err != nil {
		return nil, err
	}
	shading, err := session.ParseShading(line.Shading)
	if err != nil {
		return nil, err
	}
	if line.MaxMemory < 1 || line.MaxMemory > 1<<40 {
		return nil, fmt.Errorf("--max-memory %d: must be a number of MiB above 0; %w", line.MaxMemory, errUsage)
	}
	if line.VoxelSize != 0 && !(line.VoxelSize >= models.MinVoxelSize && line.VoxelSize <= models.MaxVoxelSize) {
		return nil, fmt.Errorf("--voxel-size %g: must be a number above 0; %w", line.VoxelSize, errUsage)
	}
	s, err := session.New(line.Models, session.Options{
		Load: models.Options{MaxMemory: line.MaxMemory << 20, VoxelSize: line.VoxelSize},
		FPS:  line.FPS, Samples: line.Samples, FixedResolution: line.FixedRes, Inertia: line.Inertia, Watch: line.Watch,
		Kernel: kernel, Threads: line.Threads, Shading: shading, Folder: line.Folder,
		ScreenshotWidth: line.Screenshot.width, ScreenshotHeight: line.Screenshot.height,
	})
	if err != nil {
		return nil, err
	}
	if err := s.SetBackground(line.Background); err != nil {
		s.Close()
		return nil, fmt.Errorf("%w; %w", err, errUsage)
	}
	return newWindow(&control.Control{Session: s, Keys: habits, Desktop: &desktop{out: os.Stdout}}, line.FPS), nil
}
