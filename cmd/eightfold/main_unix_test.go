//go:build unix

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	folder := t.TempDir()
	write(t, voxFile(cube()), folder, "a.vox")
	fails(t, try(t, folder, "render", "a.vox", "-o", "/dev/full"), 1, "/dev/full", "disk is full", "make room")

	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	for _, args := range [][]string{{"render", "a.vox", "-o", "-"}, {"render", "a.vox", "--json"}, {"info", "a.vox"}, {"version"}, {"--help"}} {
		command := exec.Command(program, args...)
		command.Dir = folder
		command.Stdout = full
		fails(t, finish(t, command), 1, "standard output", "disk is full")
	}
	require.Equal(t, []string{"a.vox"}, names(t, folder))
}

// Names are bytes here, and need not be text.
func TestAnyFileName(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"a b.vox", "a,b.vox", "100%s.vox", "${x}.vox", "@x.vox", "line\nbreak.vox", "模型.vox", "\xff\xfe.vox", "\x1b[31m.vox"} {
		write(t, voxFile(cube()), folder, name)
		succeed(t, folder, "info", name)
		succeed(t, folder, "render", name, "-o", name+".png", "--size", "9x9")
		require.Equal(t, 9, readPNG(t, folder, name+".png").Bounds().Dx())
	}
	o := try(t, folder, "info", "\x1b[31m")
	fails(t, o, 1, "\ufffd[31m: no such file")
}

func TestClosedPipe(t *testing.T) {
	folder := t.TempDir()
	write(t, voxFile(cube()), folder, "a.vox")
	for _, args := range [][]string{{"render", "a.vox", "-o", "-"}, {"info", "a.vox"}} {
		reader, writer, err := os.Pipe()
		require.NoError(t, err)
		reader.Close()
		command := exec.Command(program, args...)
		command.Dir = folder
		command.Stdout = writer
		fails(t, finish(t, command), 1, "standard output", "closed the pipe")
		writer.Close()
	}
}

// Folders and files that may not be written to are left as they are, also by
// root's deputies.
func TestReadOnly(t *testing.T) {
	folder := t.TempDir()
	model := write(t, voxFile(cube()), folder, "a.vox")
	locked := filepath.Join(folder, "locked")
	require.NoError(t, os.Mkdir(locked, 0o777))
	write(t, []byte("precious"), locked, "old.png")
	require.NoError(t, os.Chmod(locked, 0o555))
	t.Cleanup(func() { os.Chmod(locked, 0o777) })
	open := filepath.Join(folder, "open")
	require.NoError(t, os.Mkdir(open, 0o777))
	require.NoError(t, os.Chmod(open, 0o777))
	kept := write(t, []byte("precious"), open, "kept.png")
	require.NoError(t, os.Chmod(kept, 0o444))

	for _, output := range []string{filepath.Join(locked, "new.png"), filepath.Join(locked, "old.png"), locked + "/", kept} {
		command := exec.Command(program, "render", model, "-o", output)
		if os.Getuid() == 0 {
			// Nothing is read-only to root: run as nobody, who must reach the files.
			for path := folder; path != "/"; path = filepath.Dir(path) {
				if info, err := os.Stat(path); err != nil || info.Mode()&0o005 != 0o005 {
					require.NoError(t, os.Chmod(path, info.Mode().Perm()|0o055))
				}
			}
			require.NoError(t, os.Chmod(filepath.Dir(program), 0o755))
			command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			if err := exec.Command(program, "version").Run(); err != nil {
				t.Skip("nobody can't run programs here")
			}
		}
		fails(t, finish(t, command), 1, filepath.Clean(output), "can't be written", "choose")
	}
	require.Equal(t, []string{"old.png"}, names(t, locked))
	require.Equal(t, []string{"kept.png"}, names(t, open))
	for _, path := range []string{filepath.Join(locked, "old.png"), kept} {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, "precious", string(data))
	}
}

// A link stays a link and a file keeps its permissions.
func TestReplacingKeepsLinkAndMode(t *testing.T) {
	folder := t.TempDir()
	write(t, voxFile(cube()), folder, "a.vox")
	write(t, nil, folder, "target.png")
	require.NoError(t, os.Chmod(filepath.Join(folder, "target.png"), 0o640))
	require.NoError(t, os.Symlink("target.png", filepath.Join(folder, "link.png")))
	succeed(t, folder, "render", "a.vox", "-o", "link.png", "--size", "16x16")
	info, err := os.Lstat(filepath.Join(folder, "link.png"))
	require.NoError(t, err)
	require.Equal(t, fs.ModeSymlink, info.Mode().Type())
	info, err = os.Lstat(filepath.Join(folder, "target.png"))
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o640), info.Mode())
	require.Equal(t, 16, readPNG(t, folder, "target.png").Bounds().Dx())
}

// Ctrl-C ends the command soon, with nothing left behind, at whatever it is.
func TestInterrupt(t *testing.T) {
	for name, c := range map[string]struct {
		args  string
		ready func(folder string) bool
	}{
		"reading": {"render - -o out.png", func(string) bool { return true }},
		"drawing": {"render a.vox -o out.png --repeat 1000000", func(string) bool { return true }},
		"writing": {"render a.vox -o out.png --size 6000x6000 --background #336699", func(folder string) bool {
			return len(names(t, folder)) > 1 // the temporary file is there
		}},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			write(t, voxFile(cube()), folder, "a.vox")
			command := exec.Command(program, strings.Fields(c.args)...)
			command.Dir = folder
			input, err := command.StdinPipe() // stays open: reading never ends
			require.NoError(t, err)
			defer input.Close()
			var stderr strings.Builder
			command.Stderr = &stderr
			require.NoError(t, command.Start())
			time.Sleep(200 * time.Millisecond) // it is up by then, and at work
			require.Eventually(t, func() bool { return c.ready(folder) }, 20*time.Second, time.Millisecond)
			require.NoError(t, command.Process.Signal(os.Interrupt))
			asked := time.Now()
			require.Error(t, command.Wait())
			require.Less(t, time.Since(asked), 3*time.Second)
			fails(t, outcome{status: command.ProcessState.ExitCode(), stderr: stderr.String()}, exitInterrupted, "interrupted")
			require.Equal(t, []string{"a.vox"}, names(t, folder))
		})
	}
}
