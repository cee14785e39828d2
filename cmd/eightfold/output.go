package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// standardOutput is how messages call what "-" stands for as an output.
const standardOutput = "standard output"

// outputPaths returns the file that each model's picture goes to. The pattern
// is a file, a folder (it ends in a slash), "-", or a name in which {name}
// stands for the model's name and {n} for its number on the command line.
func outputPaths(pattern string, models []string) ([]string, error) {
	if endsInSlash(pattern) {
		pattern += "{name}.png"
	}
	paths := make([]string, len(models))
	taken := map[string]string{}
	for i, model := range models {
		path := strings.NewReplacer("{name}", modelName(model), "{n}", strconv.Itoa(i+1)).Replace(pattern)
		if other, ok := taken[path]; ok {
			if path == pattern {
				return nil, usage("-o %s: %d models need as many files; use a folder (out/) or a name with {name} or {n} in it", pattern, len(models))
			}
			return nil, usage("-o %s: %s and %s would both become %s; put {n} into the name", pattern, displayName(other), displayName(model), path)
		}
		taken[path] = model
		if err := checkOutput(path); err != nil {
			return nil, err
		}
		paths[i] = path
	}
	return paths, nil
}

// modelName is a model's name without folder and extension, and without the
// characters that file names can't have.
func modelName(model string) string {
	switch model {
	case "":
		return "eightfold"
	case "-":
		return "stdin"
	}
	name := filepath.Base(model)
	if short := strings.TrimSuffix(name, filepath.Ext(name)); short != "" {
		name = short
	}
	name = strings.TrimPrefix(name, "proc:")
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|&=`, r) || r < ' ' {
			return '-'
		}
		return r
	}, name)
}

// checkOutput finds what makes a path useless before any work is done for it.
func checkOutput(path string) error {
	if path == "-" {
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return usage("-o %s: that is a folder; write %s/ to have the picture put into it", path, path)
	case err == nil && !info.Mode().IsRegular():
		return nil // a device or a pipe may have any name
	}
	if ext := filepath.Ext(path); !strings.EqualFold(ext, ".png") {
		if ext == "" {
			return usage("-o %s: the name has no extension; pictures are PNG, end it in .png", path)
		}
		return usage("-o %s: %s is not written; pictures are PNG, use a name that ends in .png", path, ext)
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return outputError(path, err)
	}
	return nil
}

func endsInSlash(path string) bool {
	return path != "" && os.IsPathSeparator(path[len(path)-1])
}

// writeOutput writes what encode produces to a path, to stdout where it is "-".
// A file appears complete under its name or not at all: it is written under a
// temporary name in the same folder, which is removed when anything fails or
// ctx ends.
func writeOutput(ctx context.Context, path string, stdout io.Writer, encode func(io.Writer) error) error {
	if path == "-" {
		return outputError(standardOutput, writeTo(ctx, stdout, encode))
	}
	target := path
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		target = resolved // renaming onto a link would replace the link
	}
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return outputError(path, replace(ctx, target, 0o666, encode))
	case err != nil:
		return outputError(path, err)
	}
	// Opening it tells whether it may be written: renaming wouldn't ask.
	file, err := os.OpenFile(target, os.O_WRONLY, 0)
	if err != nil {
		return outputError(path, err)
	}
	if info.Mode().IsRegular() {
		file.Close()
		return outputError(path, replace(ctx, target, info.Mode().Perm(), encode))
	}
	err = writeTo(ctx, file, encode) // a device or a pipe has no half-written state
	return outputError(path, errors.Join(err, file.Close()))
}

// replace puts a new file of the given permissions in the place of path.
func replace(ctx context.Context, path string, mode fs.FileMode, encode func(io.Writer) error) (err error) {
	temporary := filepath.Join(filepath.Dir(path), fmt.Sprintf(".eightfold-%s.tmp", rand.Text()))
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	err = writeTo(ctx, file, encode)
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		os.Remove(temporary)
	}
	return err
}

// writeTo encodes into w until ctx ends.
func writeTo(ctx context.Context, w io.Writer, encode func(io.Writer) error) error {
	buffer := bufio.NewWriterSize(untilDone{ctx, w}, 1<<16)
	if err := encode(buffer); err != nil {
		return err
	}
	return buffer.Flush()
}

// untilDone is a writer that fails once its context has ended.
type untilDone struct {
	ctx context.Context
	w   io.Writer
}

func (u untilDone) Write(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.w.Write(p)
}
