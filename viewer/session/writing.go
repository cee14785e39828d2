package session

import (
	"bufio"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// writeResult is what became of a file that was written in the background.
type writeResult struct {
	path string
	err  error
}

// Screenshot draws the picture once more, all pixels and one sample, as
// `eightfold render` does for the same camera, and writes it as PNG in the
// background. transparent leaves the background out. Its size is the window's,
// or that of Options, times larger. The status line then tells the name.
func (s *Session) Screenshot(transparent bool, times int) {
	if s.model == nil {
		s.Say("nothing to take a screenshot of: no model is loaded yet")
		return
	}
	width, height := s.options.ScreenshotWidth, s.options.ScreenshotHeight
	if width == 0 || height == 0 {
		width, height = s.width, s.height
	}
	width, height = width*times, height*times
	if width > project.MaxSide || height > project.MaxSide {
		s.tell(fmt.Errorf("screenshot: %dx%d: each side must be 1 to %d pixels", width, height, project.MaxSide))
		return
	}
	options := s.renderOptions(width, height)
	options.StageTimes = false
	if transparent {
		options.Background.R, options.Background.G, options.Background.B, options.Background.A = 0, 0, 0, 0
	}
	shot := shot{scene: s.Scene(), camera: s.Nav.Camera(height), options: options, least: s.Look.LeastSize}
	pattern := filepath.Join(s.options.Folder, fileName(s.model.name)+"-%03d.png")
	s.Say("taking a screenshot of %dx%d pixels", width, height)
	s.write(func() (string, error) {
		picture, err := shot.offline()
		if err != nil {
			return "", err
		}
		return writeNumbered(pattern, func(w io.Writer) error { return png.Encode(w, picture) })
	})
}

// offline draws the shot with a renderer of its own.
func (s shot) offline() (image.Image, error) {
	renderer, err := render.NewRenderer(s.options)
	if err != nil {
		return nil, err
	}
	if err := renderer.SetMinScreenSize(s.least); err != nil {
		return nil, err
	}
	frame, err := renderer.Draw(context.Background(), s.scene, s.camera)
	if err != nil {
		return nil, err
	}
	if s.options.Planes != 0 {
		return frame.Picture(s.options.Planes, render.Range{})
	}
	return frame.Colour, nil
}

// write writes a file in the background.
func (s *Session) write(work func() (path string, err error)) {
	s.writers++
	go func() {
		var r writeResult
		r.err = guard("writing", func() (err error) {
			r.path, err = work()
			return err
		})
		s.writing <- r
	}()
}

func (s *Session) pollWriting() {
	for s.writers > 0 {
		select {
		case r := <-s.writing:
			s.wrote(r)
		default:
			return
		}
	}
}

func (s *Session) wrote(r writeResult) {
	s.writers--
	if r.err != nil {
		s.tell(r.err)
		return
	}
	s.Say("written: %s", r.path)
}

// fileName is a model's name without folder and extension, and without what
// names of files can't have.
func fileName(model string) string {
	if model == "" {
		return "eightfold"
	}
	name := filepath.Base(model)
	if short := strings.TrimSuffix(name, filepath.Ext(name)); short != "" {
		name = short
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|&=`, r) || r < ' ' {
			return '-'
		}
		return r
	}, strings.TrimPrefix(name, "proc:"))
}

// writeNumbered writes a file under the first number of the pattern that is
// free.
func writeNumbered(pattern string, encode func(io.Writer) error) (path string, err error) {
	pattern = strings.ReplaceAll(pattern, "%", "%%")
	pattern = strings.ReplaceAll(pattern, "%%03d", "%03d")
	for n := 1; ; n++ {
		path = fmt.Sprintf(pattern, n)
		if _, err := os.Lstat(path); os.IsNotExist(err) {
			return path, writeFile(path, encode)
		} else if err != nil {
			return path, writeError(path, err)
		}
	}
}

// writeFile writes a file under a temporary name and renames it: it is there as
// a whole or not at all.
func writeFile(path string, encode func(io.Writer) error) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".eightfold-*.tmp")
	if err != nil {
		return writeError(path, err)
	}
	buffer := bufio.NewWriterSize(file, 1<<16)
	err = encode(buffer)
	for _, step := range []func() error{
		buffer.Flush, func() error { return file.Chmod(0o644) }, file.Close,
		func() error { return os.Rename(file.Name(), path) },
	} {
		if err == nil {
			err = step()
		}
	}
	if err != nil {
		file.Close()
		os.Remove(file.Name())
		return writeError(path, err)
	}
	return nil
}

// writeError names the file that was wanted, not the temporary one.
func writeError(path string, err error) error {
	for {
		switch e := err.(type) {
		case *os.PathError:
			err = e.Err
			continue
		case *os.LinkError:
			err = e.Err
			continue
		}
		return fmt.Errorf("%s: can't be written: %w; choose another folder with --folder", path, err)
	}
}
