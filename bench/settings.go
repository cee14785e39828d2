package main

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/render"
)

// settings are the flags of every command.
type settings struct {
	Size    size   `default:"512x512" placeholder:"WxH" help:"Picture size in pixels (${default})."`
	Threads int    `default:"1" help:"Threads that draw, and GOMAXPROCS (${default})."`
	Rounds  *int   `placeholder:"N" help:"How often each picture is drawn and timed (5; on flights through the city 2)."`
	Kernel  string `default:"auto" help:"Vector kernels: auto, or one that this CPU offers (${default})."`
	Shading string `default:"flat" enum:"flat,none" help:"flat lights each pixel, none shows colours as they are: ${enum} (${default})."`
	Clock   string `default:"wall" enum:"wall,cpu" help:"What is told: ${enum} time; cpu adds up the threads, and is for machines that others use as well (${default})."`
	JSON    bool   `help:"Print an array with an object for each row."`
	Plots   string `type:"path" placeholder:"DIR" help:"Also write plots, as PNG files."`
}

// coreFlag is the flag of the commands that draw with one core.
type coreFlag struct {
	Core string `default:"auto" enum:"auto,bricks,classic" help:"Core that draws: ${enum} (${default})."`
}

// core is the one asked for; kong has checked the name.
func (f *coreFlag) core(o render.Options) render.Options {
	o.Core, _ = render.ParseCore(f.Core)
	return o
}

// Validate is called by kong.
func (s *settings) Validate() error {
	if s.Threads < 1 || s.Threads > 1024 {
		return fmt.Errorf("--threads %d: must be 1 to 1024", s.Threads)
	}
	if s.Rounds != nil && *s.Rounds < 1 {
		return fmt.Errorf("--rounds %d: must be 1 or more", *s.Rounds)
	}
	if _, err := s.clock(); err != nil {
		return err
	}
	_, err := s.kernel()
	return err
}

// How often each picture is drawn where nobody says so, and on long flights.
const usualRounds, flightRounds = 5, 2

// rounds is how often each picture is drawn.
func (s *settings) rounds(usual int) int {
	if s.Rounds != nil {
		return *s.Rounds
	}
	return usual
}

// kernel is the one asked for, never asm.Auto.
func (s *settings) kernel() (asm.Kernel, error) {
	kernel, err := asm.ParseKernel(s.Kernel)
	if err != nil {
		return kernel, fmt.Errorf("--kernel: %w", err)
	}
	kernels, err := asm.Select(kernel)
	if err != nil {
		return kernel, fmt.Errorf("--kernel: %w", err)
	}
	return kernels.Kernel, nil
}

// options are the full core's, at these settings. Validate has checked them.
func (s *settings) options() render.Options {
	kernel, _ := s.kernel()
	o := render.Options{Width: s.Size.width, Height: s.Size.height, Workers: s.Threads, Kernel: kernel}
	if s.Shading == "none" {
		o.Shading = render.ShadeNone
	}
	return o
}

// allThreads is 1, 2, 4 and so on up to what the machine has; two at least,
// since a machine with one core has something to tell as well.
func allThreads() (list []int) {
	most := max(runtime.NumCPU(), 2)
	for n := 1; n < most; n *= 2 {
		list = append(list, n)
	}
	return append(list, most)
}

// size is a picture's, typed as 1280x720.
type size struct{ width, height int }

func (s size) String() string { return fmt.Sprintf("%dx%d", s.width, s.height) }

// UnmarshalText reads a size. Whether it can be drawn the renderer says.
func (s *size) UnmarshalText(text []byte) error {
	w, h, ok := strings.Cut(string(text), "x")
	width, err1 := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	if !ok || err1 != nil || err2 != nil {
		return fmt.Errorf("%q is not a size: give width and height like 1280x720", text)
	}
	s.width, s.height = width, height
	return nil
}

// newReport is an empty report of a run with these settings.
func (s *settings) newReport() (*report, error) {
	kernel, err := s.kernel()
	return &report{settings: s, machine: thisMachine(kernel, s.Clock)}, err
}
