package models

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Options bound what a decoder may use. The zero value is the default of every
// field.
type Options struct {
	// MaxMemory is how many bytes a model may take while it is made, estimated
	// from its counts before anything is allocated; 0 means DefaultMaxMemory.
	MaxMemory int64
	// VoxelSize is the edge of a voxel in the file's units, for formats that hold
	// points: MinVoxelSize to MaxVoxelSize. 0 means one that suits the points: 1 where they are
	// the voxels of a model (all coordinates along an axis are whole numbers, or
	// all halves), else such that a voxel for each point would cover the box
	// around them.
	VoxelSize float64
	// MaxPlacements is how many placed models a scene may have; 0 means
	// DefaultMaxPlacements.
	MaxPlacements int
}

// DefaultMaxMemory is 2 GiB: some fifty million voxels.
const DefaultMaxMemory = 2 << 30

// Voxels have sizes between these; beyond, the squares of distances overflow.
const MinVoxelSize, MaxVoxelSize = 1e-30, 1e30

// DefaultMaxPlacements is far above what editors write, and stops a file of a
// few hundred bytes from announcing 2^30 copies.
const DefaultMaxPlacements = 1 << 20

func (o Options) maxMemory() int64 {
	if o.MaxMemory > 0 {
		return o.MaxMemory
	}
	return DefaultMaxMemory
}

func (o Options) maxPlacements() uint64 {
	if o.MaxPlacements > 0 {
		return uint64(o.MaxPlacements)
	}
	return DefaultMaxPlacements
}

// format is one file format. A new one is added by a line in formats.
type format struct {
	title      string // as users know it
	extensions []string
	// magic tells by the first bytes whether a file is of this format; nil for
	// formats that only their extension gives away.
	magic  func(head []byte) bool
	decode func(data []byte, name string, opts Options) (*Asset, error)
}

func formats() []format {
	return []format{voxFormat, plyFormat, instancesFormat()}
}

// Extensions lists the extensions of the files that Load reads, lower case with
// their dot.
func Extensions() []string {
	var list []string
	for _, f := range formats() {
		list = append(list, f.extensions...)
	}
	return list
}

// Load makes an asset of a file, of a procedural model where path is one of
// Names or starts with "proc:", or of the default model where path is empty.
// The file's format is told by its first bytes, else by its extension. Errors
// start with the path.
func Load(path string, opts Options) (*Asset, error) {
	if path == "" || strings.HasPrefix(path, procPrefix) {
		return generate(path, opts)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	defer file.Close()
	return Decode(file, path, opts)
}

// Decode makes an asset of what r holds. The name is used in messages, and its
// extension where the first bytes don't tell the format. It reads no more than
// opts.MaxMemory bytes.
func Decode(r io.Reader, name string, opts Options) (*Asset, error) {
	data, err := readModel(r, name, opts)
	if err != nil {
		return nil, err
	}
	if f, ok := recognise(data, name); ok {
		return f.decode(data, name, opts)
	}
	return nil, fmt.Errorf("%s: it starts with %q and is no model in a known format (%s)", name, data[:min(4, len(data))], formatList())
}

// readModel reads all of r, if there is something and memory allows.
func readModel(r io.Reader, name string, opts Options) ([]byte, error) {
	data, err := readAll(r, opts.maxMemory()+1)
	switch {
	case err != nil:
		return nil, fileError(name, err)
	case int64(len(data)) > opts.maxMemory():
		return nil, fmt.Errorf("%s: larger than the memory limit of %s; raise the limit", name, bytesText(opts.maxMemory()))
	case len(data) == 0:
		return nil, fmt.Errorf("%s: the file is empty", name)
	}
	return data, nil
}

// readAll reads up to limit bytes. Of a file it knows how many to expect, so
// that they are not copied from one buffer to the next as these grow.
func readAll(r io.Reader, limit int64) ([]byte, error) {
	var buffer bytes.Buffer
	if file, ok := r.(fs.File); ok {
		if stat, err := file.Stat(); err == nil && stat.Mode().IsRegular() {
			buffer.Grow(int(min(stat.Size(), limit)) + bytes.MinRead)
		}
	}
	_, err := buffer.ReadFrom(io.LimitReader(r, limit))
	return buffer.Bytes(), err
}

// recognise finds the format by the first bytes, then by the extension.
func recognise(data []byte, name string) (format, bool) {
	for _, f := range formats() {
		if f.magic != nil && f.magic(data) {
			return f, true
		}
	}
	ext := strings.ToLower(filepath.Ext(name))
	for _, f := range formats() {
		for _, e := range f.extensions {
			if e == ext && f.magic == nil {
				return f, true
			}
		}
	}
	return format{}, false
}

func formatList() string {
	var list []string
	for _, f := range formats() {
		list = append(list, f.title+" "+strings.Join(f.extensions, " "))
	}
	return strings.Join(list, ", ")
}

func hasMagic(magic string) func([]byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }
}

// fileError puts the name once and the reason after it; the wrapped error stays
// testable with errors.Is.
func fileError(name string, err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// bytesText is a size for people.
func bytesText(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.3g GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.3g MiB", float64(n)/(1<<20))
	case n >= 1<<12:
		return fmt.Sprintf("%.3g KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}
