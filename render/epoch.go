package render

import (
	"math"
	"weak"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
)

// epoch is the time for which verdicts of subpixel culling in one view of a
// scene are trusted. The scene owns one for each of its views.
type epoch struct {
	number uint64 // from 1 on; 0 is no epoch
	view   project.View
	frames int  // since it began, that one included
	still  bool // the view has been the same in all of them
}

// epochOf is the epoch of a view, a new one where it has none.
func (x *index) epochOf(v *View) *epoch {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	key := weak.Make(v)
	e, ok := x.epochs[key]
	if !ok {
		for old := range x.epochs {
			if old.Value() == nil {
				delete(x.epochs, old)
			}
		}
		if x.epochs == nil {
			x.epochs = map[weak.Pointer[View]]*epoch{}
		}
		e = &epoch{}
		x.epochs[key] = e
	}
	return e
}

// advance counts a frame. A new epoch begins when something that was dropped
// could be seen again: the camera has moved or turned too far, its lens was
// changed, or time is up.
func (e *epoch) advance(v *project.View, s *Subpixel) {
	if e.number == 0 || e.frames >= s.Frames || e.moved(v, s) {
		e.number++
		e.view, e.frames, e.still = *v, 1, true
		return
	}
	e.frames++
	e.still = e.still && e.view == *v
}

// over tells whether the next frame of an unmoved camera may show something
// new: verdicts of other places are about to end.
func (e *epoch) over(s *Subpixel) bool { return e.frames >= s.Frames && !e.still }

func (e *epoch) moved(v *project.View, s *Subpixel) bool {
	return e.view.Focal != v.Focal || e.view.Parallel != v.Parallel ||
		!(v.Eye.Sub(e.view.Eye).Len() <= s.Translate) ||
		!(turn(&e.view, v) <= s.Rotate)
}

// turn is the greatest difference between the components of the quaternions of
// two views, of which q and -q mean the same.
func turn(a, b *project.View) float64 {
	p, q := quaternion(a), quaternion(b)
	var same, opposite float64
	for i := range p {
		same, opposite = math.Max(same, math.Abs(p[i]-q[i])), math.Max(opposite, math.Abs(p[i]+q[i]))
	}
	return math.Min(same, opposite)
}

func quaternion(v *project.View) [4]float64 {
	axes := mgl64.Mat3FromCols(v.Right, v.Down, v.Forward)
	q := mgl64.Mat4ToQuat(axes.Mat4())
	return [4]float64{q.W, q.V[0], q.V[1], q.V[2]}
}
