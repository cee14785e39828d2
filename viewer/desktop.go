//go:build viewer || js || windows

package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
)

// desktop is what surrounds the window. Ebiten has no clipboard: what is copied
// is kept, printed, and given to a program that has one, if there is such a
// program.
type desktop struct {
	out  io.Writer
	text string
}

// A clipboard is a pair of programs, one that takes a text and one that gives it.
var clipboards = []struct{ take, give []string }{
	{[]string{"wl-copy"}, []string{"wl-paste", "--no-newline"}},
	{[]string{"xclip", "-selection", "clipboard"}, []string{"xclip", "-selection", "clipboard", "-o"}},
	{[]string{"xsel", "-ib"}, []string{"xsel", "-ob"}},
	{[]string{"pbcopy"}, []string{"pbpaste"}},
	{[]string{"clip"}, []string{"powershell", "-command", "Get-Clipboard"}},
}

// slow is how long such a program may take.
const slow = 500 * time.Millisecond

func (d *desktop) Copy(text string) {
	d.text = text
	fmt.Fprintln(d.out, text)
	for _, c := range clipboards {
		ctx, cancel := context.WithTimeout(context.Background(), slow)
		command := exec.CommandContext(ctx, c.take[0], c.take[1:]...)
		command.Stdin = strings.NewReader(text)
		err := command.Run()
		cancel()
		if err == nil {
			return
		}
	}
}

func (d *desktop) Paste() string {
	for _, c := range clipboards {
		ctx, cancel := context.WithTimeout(context.Background(), slow)
		text, err := exec.CommandContext(ctx, c.give[0], c.give[1:]...).Output()
		cancel()
		if err == nil && len(text) > 0 {
			return string(text)
		}
	}
	return d.text
}

func (d *desktop) ToggleFullScreen() { ebiten.SetFullscreen(!ebiten.IsFullscreen()) }
