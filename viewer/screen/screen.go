// Package screen paints what the window shows above the picture: the status
// line and the overlays. It knows no window either.
package screen

import (
	"image"
	"image/color"
	"image/draw"
	"time"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"github.com/cfef80af/eightfold/viewer/control"
	"github.com/cfef80af/eightfold/viewer/session"
)

// Screen is what is above the picture.
type Screen struct {
	control *control.Control
	image   *image.RGBA
	painted string
}

// New makes the screen of a control.
func New(c *control.Control) *Screen {
	return &Screen{control: c, image: image.NewRGBA(image.Rectangle{})}
}

// Image is what was painted last: transparent but for overlays, premultiplied.
func (s *Screen) Image() *image.RGBA { return s.image }

// Drawn tells of a picture that is shown, and how long its upload took.
func (s *Screen) Drawn(p *session.Picture, upload time.Duration) {}

// Click tells whether an overlay took a click at (x, y).
func (s *Screen) Click(x, y float64) bool { return false }

// Paint paints what has changed, for a window of a size, and returns the region
// that changed.
func (s *Screen) Paint(width, height int, scale float64) (changed image.Rectangle, any bool) {
	status := s.control.Session.Status()
	if size := image.Rect(0, 0, width, height); s.image.Rect != size {
		s.image = image.NewRGBA(size)
	} else if status == s.painted {
		return image.Rectangle{}, false
	}
	s.painted = status
	line := image.Rect(0, height-20, width, height)
	draw.Draw(s.image, line, image.Transparent, image.Point{}, draw.Src)
	if status != "" {
		draw.Draw(s.image, line, image.NewUniform(color.RGBA{0, 0, 0, 160}), image.Point{}, draw.Src)
		pen := font.Drawer{Dst: s.image, Src: image.White, Face: basicfont.Face7x13, Dot: fixed.P(8, height-6)}
		pen.DrawString(status)
	}
	return line, true
}
