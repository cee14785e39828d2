// Command bench measures eightfold: what each of its optimisations saves, how
// its time grows, and how it compares with others. See README.md.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// commandLine is what can be typed; kong reads it.
type commandLine struct {
	Tables  tablesCmd  `cmd:"" help:"The four tables of the source document: projection, order, orthographic mode, coverage."`
	Ablate  ablateCmd  `cmd:"" help:"Leave out every optimisation, one at a time: what does it save, does the picture change?"`
	City    cityCmd    `cmd:"" help:"A flight through a city of 100,000 placed models, and standing still in it."`
	Scaling scalingCmd `cmd:"" help:"Time against resolution, depth, instances and threads."`
	Poses   posesCmd   `cmd:"" help:"The poses of a file, such as those at which other renderers were measured."`
	Sponge  spongeCmd  `cmd:"" help:"The six sponge poses at which the source document's own program was measured."`
	Walk    walkCmd    `cmd:"" help:"A long random walk through models: no fault, no leak, no hole."`
	Voxels  voxelsCmd  `cmd:"" help:"Voxels of some pixels, as the cubes they are and subdivided further."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "bench: %s\n", strings.Join(strings.Fields(err.Error()), " "))
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out, notes io.Writer) error {
	var line commandLine
	parser, err := kong.New(&line,
		kong.Name("bench"),
		kong.Description("Measures eightfold. Run it on an idle machine, from the project's root: go run ./bench COMMAND."),
		kong.Writers(out, notes),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
	)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return fmt.Errorf("%w; bench --help tells more", err)
	}
	parsed.BindTo(ctx, (*context.Context)(nil))
	return parsed.Run(console{out: out, notes: notes})
}

// console is where rows and remarks go. They are apart so that --json leaves
// nothing but JSON on out.
type console struct{ out, notes io.Writer }

// note tells what a reader of the rows should know.
func (c console) note(format string, args ...any) { fmt.Fprintf(c.notes, format+"\n", args...) }
