package models

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/go-gl/mathgl/mgl64"
)

// instancesFormat is a list, in JSON, of models and the places where they
// stand: docs/models.md describes it.
func instancesFormat() format {
	return format{title: "list of instances", extensions: []string{instancesExtension}, decode: decodeInstances}
}

const instancesExtension = ".json"

// LoadInstances makes an asset of a list of instances, whatever its name is.
// Load does so for names that end in .json. Errors start with the path, where
// possible with line and column after it.
func LoadInstances(path string, opts Options) (*Asset, error) {
	data, err := readFile(path, opts)
	if err != nil {
		return nil, err
	}
	return decodeInstances(data, path, opts)
}

// DecodeInstances makes an asset of the list of instances that r holds. Files in
// it are looked for in the folder of the name, which is also used in messages.
func DecodeInstances(r io.Reader, name string, opts Options) (*Asset, error) {
	data, err := readModel(r, name, opts)
	if err != nil {
		return nil, err
	}
	return decodeInstances(data, name, opts)
}

// readFile reads a whole file, if it is not larger than memory allows.
func readFile(path string, opts Options) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	defer file.Close()
	return readModel(file, path, opts)
}

func decodeInstances(data []byte, name string, opts Options) (*Asset, error) {
	return newLister(opts).list(data, name, name)
}

// The bounds of what a list may say.
const (
	maxListDepth  = 16 // of lists in lists
	greatestPlace = 1e9
	largestScale  = 1e6
	leastScale    = 1e-6
	maxSeed       = 1<<53 - 1 // the whole numbers that JSON keeps everywhere
)

// lister makes assets of lists, each file once however often it is named.
type lister struct {
	opts   Options
	load   func(path string, opts Options) (*Asset, error)
	read   func(path string, opts Options) ([]byte, error)
	loaded map[string]*Asset
	placed map[*Asset]uint64 // how many placements they have, in the frame with the most
	within []string          // the lists that are being read, the outermost first
	memory uint64            // of the trees loaded so far
}

func newLister(opts Options) *lister {
	return &lister{opts: opts, load: Load, read: readFile, loaded: map[string]*Asset{}, placed: map[*Asset]uint64{}}
}

// entry is one line of a list: a model and the transforms of its copies.
type entry struct {
	asset  *Asset
	name   string
	hidden bool
	copies []mgl64.Mat4
}

// list makes the asset of one list. The identity tells files apart.
func (l *lister) list(data []byte, name, identity string) (*Asset, error) {
	l.within = append(l.within, identity)
	defer func() { l.within = l.within[:len(l.within)-1] }()
	f := &jsonFile{name: name, data: data}
	var entries []entry
	room := l.opts.maxPlacements()
	f.each(`a list of instances is expected here, like [{"model": "proc:island"}]`, func(v *jsonValue) {
		entries = append(entries, l.entry(f, v, &room))
	})
	if f.err != nil {
		return nil, f.err
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%s: the list is empty: there is nothing to be seen", name)
	}
	return merge(entries), nil
}

// entry reads one entry; room is how many placements may still come.
func (l *lister) entry(f *jsonFile, v *jsonValue, room *uint64) (e entry) {
	f.object(v, "an instance", "model", "name", "hidden", "transform", "count", "spacing", "grid", "scatter")
	model := v.member("model")
	if model == nil {
		f.fail(v.at, `an instance needs a "model": a file or a name like proc:island`)
	}
	if f.err != nil {
		return e
	}
	path := f.text(model, "model")
	if name := v.member("name"); name != nil {
		e.name = f.text(name, "name")
	}
	if hidden := v.member("hidden"); hidden != nil {
		var ok bool
		if e.hidden, ok = hidden.token.(bool); !ok {
			f.fail(hidden.at, "hidden must be true or false")
		}
	}
	base := mgl64.Ident4()
	if t := v.member("transform"); t != nil {
		base = f.transform(t)
	}
	layout := f.layout(v, l.opts.maxPlacements())
	if f.err != nil {
		return e
	}
	if e.asset = l.model(f, model.at, path); f.err != nil {
		return e
	}
	count, most := layout.count(), l.placed[e.asset]
	if count > *room/most {
		f.fail(v.at, "%d copies of %d placed models exceed the limit of %d for the whole list; choose fewer or raise the limit",
			count, most, l.opts.maxPlacements())
		return e
	}
	*room -= count * most
	if l.spend(f, v.at, count*uint64(unsafe.Sizeof(base))); f.err != nil {
		return e
	}
	e.copies = layout.transforms(base)
	return e
}

// model loads a model that is named at a place of a list, or finds it among those
// that are loaded.
func (l *lister) model(f *jsonFile, at int, path string) *Asset {
	name, identity := path, path
	file := !strings.HasPrefix(path, procPrefix)
	if file {
		if !filepath.IsAbs(path) {
			name = filepath.Join(filepath.Dir(f.name), path)
		}
		identity = identityOf(name)
	}
	if asset := l.loaded[identity]; asset != nil {
		return asset
	}
	var asset *Asset
	var err error
	if file && strings.EqualFold(filepath.Ext(path), instancesExtension) {
		switch {
		case slices.ContainsFunc(l.within, func(outer string) bool { return identityOf(outer) == identity }):
			f.fail(at, "%s places itself by way of this list: there would be no end to it", path)
			return nil
		case len(l.within) == maxListDepth:
			f.fail(at, "lists are nested deeper than %d", maxListDepth)
			return nil
		}
		var data []byte
		if data, err = l.read(name, l.opts); err == nil {
			asset, err = l.list(data, name, identity)
		}
	} else {
		asset, err = l.load(name, l.opts)
	}
	if err != nil {
		f.fail(at, "%w", err)
		return nil
	}
	for _, m := range asset.Models {
		l.spend(f, at, m.Tree.Bytes())
	}
	l.loaded[identity] = asset
	l.placed[asset] = 1 // also of nothing there may only be so many copies
	for frame := range asset.Frames {
		l.placed[asset] = max(l.placed[asset], uint64(len(asset.placements(frame))))
	}
	return asset
}

// spend counts memory that is kept.
func (l *lister) spend(f *jsonFile, at int, bytes uint64) {
	if l.memory += bytes; l.memory > uint64(l.opts.maxMemory()) {
		f.fail(at, "with this the list exceeds the memory limit of %s; choose fewer models and copies or raise the limit", bytesText(l.opts.maxMemory()))
	}
}

// identityOf is the same for all names of a file, as far as the system tells.
func identityOf(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	return path
}

// merge makes one asset of entries. Models keep their own colours; the palettes
// of their files, which are only needed to write them again, are left out.
func merge(entries []entry) *Asset {
	a := still("instances")
	first := map[*Asset]int{} // index of an asset's first model
	for _, e := range entries {
		if _, ok := first[e.asset]; ok {
			continue
		}
		first[e.asset] = len(a.Models)
		a.Models = append(a.Models, e.asset.Models...)
		a.Frames = max(a.Frames, e.asset.Frames)
		a.Warnings = append(a.Warnings, e.asset.Warnings...)
	}
	a.placements = func(frame int) (all []Placement) {
		for _, e := range entries {
			// What has fewer frames begins anew.
			own := e.asset.placements(frame % e.asset.Frames)
			all = slices.Grow(all, len(e.copies)*len(own))
			for _, move := range e.copies {
				for _, p := range own {
					p.Model += first[e.asset]
					p.Transform = move.Mul4(p.Transform)
					p.Layer, p.Hidden = -1, p.Hidden || e.hidden
					if e.name != "" {
						p.Name = e.name
					}
					all = append(all, p)
				}
			}
		}
		return all
	}
	return a
}

// parseUint reads a whole number, also where it is written as 1e5 or 20.0.
func parseUint(text string) (uint64, error) {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x != float64(uint64(x)) || x < 0 || x > maxSeed {
		return 0, strconv.ErrSyntax
	}
	return uint64(x), nil
}
