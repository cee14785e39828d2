// Command eightfold draws voxel models as pictures, on the CPU alone: no
// display, no graphics card, no library to install.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/cfef80af/eightfold/render"
)

// commandLine is what can be typed; kong reads it.
type commandLine struct {
	Render  renderCmd  `cmd:"" help:"Draw models and write PNG files."`
	Info    infoCmd    `cmd:"" help:"Tell what is in a model."`
	Version versionCmd `cmd:"" help:"Print the version of this program."`
}

func (commandLine) Help() string {
	return `Examples:

  eightfold render -o out.png
  eightfold render castle.vox -o castle.png --size 512x512 --view iso
  eightfold render *.vox -o thumbnails/
  eightfold info castle.vox

eightfold render --help shows all there is.`
}

// streams are the process's own, so that no command reaches for globals.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

func main() {
	ignoreBrokenPipes()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second interrupt ends the process at once.
	context.AfterFunc(ctx, stop)
	std := streams{os.Stdin, os.Stdout, os.Stderr}
	err := guard("command line", func() error { return run(ctx, os.Args[1:], std) })
	if err != nil {
		report(std.err, err)
	}
	os.Exit(exitStatus(err))
}

func run(ctx context.Context, args []string, std streams) error {
	var line commandLine
	parser, err := kong.New(&line,
		kong.Name("eightfold"),
		kong.Description("Draws voxel models as pictures, on the CPU alone."),
		kong.Writers(std.out, std.err),
		// Numbers may be negative and "-" is standard input and output.
		kong.WithHyphenPrefixedParameters(true),
		kong.KindMapper(reflect.String, kong.MapperFunc(decodeString)),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Vars{"rungs": strings.Join(render.RungNames(), ", ")},
	)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) { // --help couldn't be printed
		return outputError(standardOutput, failed)
	}
	if err != nil {
		return usageError{fmt.Errorf("%w; eightfold --help tells more", err)}
	}
	parsed.BindTo(ctx, (*context.Context)(nil))
	return parsed.Run(std)
}

// decodeString takes a word as it was typed. Kong's own mapper sends it through
// JSON, and file names needn't be UTF-8.
func decodeString(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("string")
	if err == nil {
		target.SetString(token.String())
	}
	return err
}

// versionCmd prints what the Go tool stamped into the binary.
type versionCmd struct{}

func (versionCmd) Run(std streams) error {
	version, revision := "unknown", ""
	if build, ok := debug.ReadBuildInfo(); ok {
		version = build.Main.Version
		for _, setting := range build.Settings {
			if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
				revision = " " + setting.Value[:12]
			}
		}
	}
	_, err := fmt.Fprintf(std.out, "eightfold %s%s %s %s/%s\n", version, revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return outputError(standardOutput, err)
}
