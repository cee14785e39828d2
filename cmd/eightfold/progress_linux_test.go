package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// terminal opens a pseudo-terminal of 80x24 characters: the side that a user
// sees, and the side that a program writes to.
func terminal(t *testing.T) (screen, line *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { screen.Close() })
	control := func(request uintptr, argument unsafe.Pointer) {
		_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, screen.Fd(), request, uintptr(argument))
		require.Zero(t, errno)
	}
	unlock, number := int32(0), int32(0)
	control(syscall.TIOCSPTLCK, unsafe.Pointer(&unlock))
	control(syscall.TIOCGPTN, unsafe.Pointer(&number))
	control(syscall.TIOCSWINSZ, unsafe.Pointer(&[4]uint16{24, 80}))
	line, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { line.Close() })
	return screen, line
}

// onTerminal runs the command with a terminal as standard error, and returns
// what appeared there.
func onTerminal(t *testing.T, folder string, args ...string) string {
	t.Helper()
	screen, line := terminal(t)
	command := exec.Command(program, args...)
	command.Dir, command.Stderr = folder, line
	require.NoError(t, command.Run())
	require.NoError(t, line.Close())
	var shown bytes.Buffer
	io.Copy(&shown, screen) // ends with EIO, as the other side is closed
	return shown.String()
}

func TestATerminalShowsHowFarSeveralModelsAre(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, "out"), 0o755))
	several := []string{"render", "proc:cube", "proc:sphere", "proc:sponge", "--size", "1600x1600", "-o", "out/"}
	shown := onTerminal(t, folder, several...)
	require.Contains(t, shown, "of 3 models")
	require.Regexp(t, `\x1b\[J$`, shown, "the bar is gone in the end")

	require.Empty(t, onTerminal(t, folder, "render", "proc:cube", "-o", "one.png"), "one model needs no bar")
	require.Empty(t, onTerminal(t, folder, append(several, "--json")...), "a report needs no bar")
}
