//go:build viewer || js || windows

package main

import (
	"image"
	"image/color"
	"sync/atomic"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cfef80af/eightfold/viewer/control"
	"github.com/cfef80af/eightfold/viewer/screen"
	"github.com/cfef80af/eightfold/viewer/session"
)

// window shows what the session draws. Ebiten calls Update, Draw and LayoutF.
type window struct {
	control *control.Control
	screen  *screen.Screen
	source  source
	frame   time.Duration // the least time between two updates

	closing       atomic.Bool // the process was asked to end
	width, height int
	scale         float64
	title         string
	updated       time.Time
	delay         time.Duration // how long there has to be nothing to do before it rests
	busy          time.Time     // when there was something last
	resting       bool          // Ebiten waits for input
	alarm         *time.Timer   // that ends the rest

	picture  *ebiten.Image // what was drawn last, in its own resolution
	overlay  *ebiten.Image // above it
	opaque   bool
	paper    *ebiten.Image // below a transparent background
	dirty    bool          // the screen does not show what it should
	uploaded int           // pictures, since the start
	painted  int           // times that the screen was painted
}

// source tells what hands do.
type source interface {
	// Poll returns what happened since it was asked last, in a picture of the
	// given size.
	Poll(width, height int, scale float64) control.Input
}

// patience is how long an update waits for a picture, so that the picture shows
// the movement that it was drawn for. A slower one comes with a later update,
// and the window lives meanwhile.
const patience = 80 * time.Millisecond

func newWindow(c *control.Control, fps float64) *window {
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	ebiten.SetScreenClearedEveryFrame(false) // what is not painted is not swapped either
	ebiten.SetTPS(ebiten.SyncWithFPS)        // an update for each picture: hand and picture stay in step
	ebiten.SetWindowTitle("eightfold")
	w := &window{control: c, source: &hands{}, frame: time.Duration(float64(time.Second) / fps), scale: 1, delay: restDelay}
	w.screen = screen.New(c)
	c.Surface = w.screen
	return w
}

// LayoutF makes a pixel of the picture a pixel of the screen, also on dense
// screens.
func (w *window) LayoutF(width, height float64) (float64, float64) {
	w.scale = ebiten.Monitor().DeviceScaleFactor()
	return max(width*w.scale, 1), max(height*w.scale, 1)
}

// Layout is not called, since there is LayoutF.
func (w *window) Layout(width, height int) (int, int) { return width, height }

// Update takes the input, lets time pass and draws.
func (w *window) Update() error {
	w.pace()
	if w.width == 0 {
		return nil // the first Draw tells the size
	}
	now := time.Now()
	in := w.source.Poll(w.width, w.height, w.scale)
	in.Now = now
	s := w.control.Session
	held := w.control.Apply(in) || len(in.Pressed) > 0 || in.Wheel != 0
	busy := s.Tick(now)
	picture, more := s.Advance(now, patience)
	if picture != nil {
		w.upload(picture)
	}
	for _, region := range w.screen.Paint(w.width, w.height, w.scale) {
		w.uploadOverlay(region)
	}
	if title := s.Title(); title != w.title {
		w.title = title
		ebiten.SetWindowTitle(title)
	}
	w.rest(!held && !busy && !more, now)
	if w.control.Quit || w.closing.Load() {
		return ebiten.Termination
	}
	return nil
}

// pace waits where the screen does not: without it a display that can't wait for
// its beam would be updated without end.
func (w *window) pace() {
	if wait := w.frame - time.Since(w.updated); !w.resting && wait > time.Millisecond {
		time.Sleep(wait)
	}
	w.updated = time.Now()
}

// restDelay is how long nothing has to happen before the window rests. Ebiten
// then wakes for the next event, but forgets keys that were pressed and let go of
// before it has woken; while hands are busy it remembers them.
const restDelay = 2 * time.Second

// rest lets Ebiten wait for input while there is nothing to do.
func (w *window) rest(idle bool, now time.Time) {
	if !idle || w.dirty {
		w.busy = now
	}
	resting := now.Sub(w.busy) > w.delay
	if resting != w.resting {
		w.resting = resting
		//lint:ignore SA1019 there is no other way to wait for events instead of polling
		mode := ebiten.FPSModeVsyncOn
		if resting {
			//lint:ignore SA1019 the same
			mode = ebiten.FPSModeVsyncOffMinimum
		}
		//lint:ignore SA1019 the same
		ebiten.SetFPSMode(mode)
	}
	if !resting {
		return
	}
	// What changes without input: a sentence that goes away, and watched files.
	if until, quiet := w.control.Session.Quiet(); !quiet {
		w.wakeIn(until.Sub(now) + time.Millisecond)
	} else if w.control.Session.Watching() {
		w.wakeIn(session.WatchEvery)
	}
}

// wakeIn asks for an update after a time, once however often it is asked.
func (w *window) wakeIn(after time.Duration) {
	if w.alarm == nil {
		w.alarm = time.AfterFunc(after, wake)
		return
	}
	w.alarm.Reset(after)
}

// wake asks for an update, from any goroutine.
func wake() {
	//lint:ignore SA1019 see rest
	ebiten.ScheduleFrame()
}

// upload hands a picture to Ebiten, all of it at once.
func (w *window) upload(p *session.Picture) {
	start := time.Now()
	w.picture = sized(w.picture, p.Width, p.Height)
	w.picture.WritePixels(p.Pix)
	w.opaque = len(p.Pix) < 4 || p.Pix[3] == 255
	w.screen.Drawn(p, time.Since(start))
	w.uploaded++
	w.dirty = true
}

// uploadOverlay hands over the part of the overlay that has changed.
func (w *window) uploadOverlay(region image.Rectangle) {
	overlay := w.screen.Image()
	if w.overlay == nil || w.overlay.Bounds() != overlay.Bounds() {
		w.overlay = sized(w.overlay, overlay.Rect.Dx(), overlay.Rect.Dy())
		region = overlay.Rect
	}
	if region = region.Intersect(overlay.Rect); !region.Empty() {
		pix := overlay.Pix
		if region != overlay.Rect {
			pix = make([]byte, 0, 4*region.Dx()*region.Dy())
			for y := region.Min.Y; y < region.Max.Y; y++ {
				row := overlay.PixOffset(region.Min.X, y)
				pix = append(pix, overlay.Pix[row:row+4*region.Dx()]...)
			}
		}
		w.overlay.SubImage(region).(*ebiten.Image).WritePixels(pix)
	}
	w.dirty = true
}

// sized is the image if it has the size, else a new one in its place.
func sized(i *ebiten.Image, width, height int) *ebiten.Image {
	if i != nil && i.Bounds() == image.Rect(0, 0, width, height) {
		return i
	}
	if i != nil {
		i.Deallocate()
	}
	return ebiten.NewImage(width, height)
}

// Draw paints the screen, if it has to change.
func (w *window) Draw(target *ebiten.Image) {
	if size := target.Bounds().Size(); size != image.Pt(w.width, w.height) {
		w.width, w.height = size.X, size.Y
		w.dirty = true
	}
	if !w.dirty {
		return
	}
	w.dirty = false
	w.painted++
	switch background := w.control.Session.Look.Background.Colour; {
	case w.picture == nil && background.A > 0:
		target.Fill(background)
	case w.picture == nil || !w.opaque:
		w.chequer(target)
	}
	if w.picture != nil {
		var options ebiten.DrawImageOptions
		size := w.picture.Bounds().Size()
		if size != image.Pt(w.width, w.height) {
			options.GeoM.Scale(float64(w.width)/float64(size.X), float64(w.height)/float64(size.Y))
			options.Filter = ebiten.FilterLinear
		} else {
			options.Blend = ebiten.BlendSourceOver
		}
		target.DrawImage(w.picture, &options)
	}
	if w.overlay != nil {
		target.DrawImage(w.overlay, nil)
	}
}

// chequer paints the paper that shows through a transparent background.
func (w *window) chequer(target *ebiten.Image) {
	const square = 16
	if w.paper == nil {
		pix := make([]byte, 4*4*square*square)
		for i := range 4 * square * square {
			grey := byte(0x4c)
			if (i%(2*square) < square) == (i/(2*square) < square) {
				grey = 0x66
			}
			pix[4*i], pix[4*i+1], pix[4*i+2], pix[4*i+3] = grey, grey, grey, 255
		}
		w.paper = ebiten.NewImage(2*square, 2*square)
		w.paper.WritePixels(pix)
	}
	target.Fill(color.Black)
	var options ebiten.DrawImageOptions
	for y := 0; y < w.height; y += 2 * square {
		for x := 0; x < w.width; x += 2 * square {
			options.GeoM.Reset()
			options.GeoM.Translate(float64(x), float64(y))
			target.DrawImage(w.paper, &options)
		}
	}
}
