package session

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/viewer/navigate"
)

// loading is a model on its way.
type loading struct {
	name    string
	keep    bool     // the view: the model is the one that is shown, changed
	list    playlist // takes the place of the present one once the model is shown
	apply   *State   // the view to show it in, or nil
	started time.Time
	now     time.Time
	cancel  context.CancelFunc
	read    *atomic.Int64
	size    *atomic.Int64
	done    chan loaded
}

type loaded struct {
	asset *models.Asset
	scene *render.Scene
	stamp stamp
	err   error
}

// Progress tells how far loading is.
type Progress struct {
	Name string
	// Read and Size are bytes of the file; Size is 0 where there is none, or it
	// isn't known yet. Once all is read the octree is built.
	Read, Size int64
	Elapsed    time.Duration
}

// String is the progress for people.
func (p Progress) String() string {
	switch {
	case p.Size > 0 && p.Read < p.Size:
		return fmt.Sprintf("reading %s: %d %%", displayName(p.Name), 100*p.Read/p.Size)
	case p.Elapsed >= time.Second:
		return fmt.Sprintf("building %s: %d s", displayName(p.Name), int(p.Elapsed.Seconds()))
	}
	return "building " + displayName(p.Name)
}

// Loading tells how far the model is that is being loaded, if one is.
func (s *Session) Loading() (Progress, bool) {
	if s.loading == nil {
		return Progress{}, false
	}
	l := s.loading
	p := Progress{Name: l.name, Read: l.read.Load(), Size: l.size.Load()}
	if !l.started.IsZero() {
		p.Elapsed = l.now.Sub(l.started)
	}
	return p, true
}

// open begins to load a model in the background.
func (s *Session) open(list playlist, keep bool) {
	s.stopLoading()
	name := list.current()
	ctx, cancel := context.WithCancel(context.Background())
	l := &loading{name: name, keep: keep, list: list, cancel: cancel, read: new(atomic.Int64), size: new(atomic.Int64), done: make(chan loaded, 1)}
	s.loading = l
	opts := s.options.Load
	go func() {
		var result loaded
		result.stamp = stampOf(name)
		err := guard(displayName(name), func() (err error) {
			if result.asset, err = load(ctx, name, opts, l); err != nil {
				return err
			}
			if result.scene, err = render.SceneOf(result.asset, 0); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			result.scene.Tracked = true
			if _, _, ok := result.scene.Bounds(); !ok {
				return fmt.Errorf("%s: there is nothing to see in it: it has no visible voxel", displayName(name))
			}
			return nil
		})
		result.err = err
		l.done <- result
	}()
}

// load reads a model, counting what is read of its file.
func load(ctx context.Context, name string, opts models.Options, l *loading) (*models.Asset, error) {
	if name == "" || strings.HasPrefix(name, "proc:") {
		return models.Load(name, opts)
	}
	file, err := os.Open(name)
	if err != nil {
		_, err = models.Load(name, opts) // for the sentence it has
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil {
		l.size.Store(info.Size())
	}
	return models.Decode(counted{file, ctx, l.read}, name, opts)
}

// counted is a file that tells how much of it was read, and ends when its
// context does.
type counted struct {
	fs.File
	ctx  context.Context
	read *atomic.Int64
}

func (c counted) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.File.Read(p[:min(len(p), 1<<20)]) // so that it is counted while it goes on
	c.read.Add(int64(n))
	return n, err
}

// stopLoading lets go of a model on its way. Reading stops; what is being built
// already is dropped when it is done.
func (s *Session) stopLoading() {
	if s.loading != nil {
		s.loading.cancel()
		s.loading = nil
	}
}

// pollLoading shows the model that was loaded. A broken one leaves the model
// shown as it is.
func (s *Session) pollLoading(now time.Time) {
	l := s.loading
	if l == nil {
		return
	}
	if l.started.IsZero() {
		l.started = now
	}
	l.now = now
	select {
	case result := <-l.done:
		s.stopLoading()
		if result.err != nil {
			s.watch.seen = result.stamp // not again until it changes once more
			s.tell(result.err)
			return
		}
		s.show(l, result)
	default:
	}
}

// show puts a loaded model into the place of the one shown.
func (s *Session) show(l *loading, result loaded) {
	asset := result.asset
	m := &model{name: l.name, asset: asset, scene: result.scene, stamp: result.stamp}
	m.layers = append(m.layers, asset.Layers...)
	old := s.model
	s.model, s.watch.seen = m, result.stamp
	s.message, s.Picks = message{}, nil
	s.list = l.list
	if l.keep && old != nil && old.name == l.name {
		s.keepView(old)
	} else {
		s.firstView()
	}
	switch n := len(asset.Warnings); {
	case n == 1:
		s.Say("%s", asset.Warnings[0])
	case n > 1:
		s.Say("%s (and %d other warnings)", asset.Warnings[0], n-1)
	}
	if l.apply != nil {
		s.tell(s.Apply(*l.apply))
	}
}

// firstView looks at a new model from its front left.
func (s *Session) firstView() {
	m := s.model
	low, high, _ := m.scene.Bounds()
	inertia := s.Nav.Inertia
	s.Nav = navigate.New(m.asset.Up, m.asset.Front, high.Sub(low).Len())
	s.Nav.Inertia = inertia
	s.playing = false
	s.Section = Section{Axis: s.Section.Axis}
	s.Reset()
}

// keepView keeps what was chosen for a model that has changed.
func (s *Session) keepView(old *model) {
	for i := range s.model.layers {
		if i < len(old.layers) && s.model.layers[i].Name == old.layers[i].Name {
			s.model.layers[i].Hidden = old.layers[i].Hidden
		}
	}
	s.SetFrame(min(old.frame, s.model.asset.Frames-1))
}

// stamp tells whether a file has changed.
type stamp struct {
	modified time.Time
	size     int64
}

// stampOf is the file's stamp now, the zero value where there is no file.
func stampOf(name string) stamp {
	info, err := os.Stat(name)
	if err != nil {
		return stamp{}
	}
	return stamp{info.ModTime(), info.Size()}
}

// watch looks after the file that is shown.
type watch struct {
	next time.Time
	seen stamp // what is shown, or known to be broken
	last stamp // at the last look: a file that is being written is left in peace
}

// WatchEvery is how often a watched file is looked at.
const WatchEvery = 300 * time.Millisecond

// Watching tells whether files are watched.
func (s *Session) Watching() bool { return s.options.Watch }

// pollWatch loads the file again once it has changed and stopped changing.
func (s *Session) pollWatch(now time.Time) {
	if !s.options.Watch || s.model == nil || s.loading != nil || now.Before(s.watch.next) {
		return
	}
	s.watch.next = now.Add(WatchEvery)
	stamp := stampOf(s.list.current())
	settled := stamp == s.watch.last
	s.watch.last = stamp
	if settled && stamp.size > 0 && stamp != s.watch.seen {
		s.Reload()
	}
}
