package project

import (
	"sort"

	"github.com/go-gl/mathgl/mgl64"
)

// Key is a place of a camera path: where the eye is at a time, and what it
// looks at.
type Key struct {
	Seconds     float64
	Eye, Target mgl64.Vec3
}

// Path is a camera on its way through keys, in the order of their times, all of
// them different. It passes every key, and between them along cubics whose
// slopes at a key are those from the key before to the key after (Catmull and
// Rom, A Class of Local Interpolating Splines, 1974).
type Path struct {
	Keys []Key
	Up   mgl64.Vec3
	FovY float64 // degrees
}

// Duration is the time of the last key, in seconds; 0 where there is none.
func (p *Path) Duration() float64 {
	if len(p.Keys) == 0 {
		return 0
	}
	return p.Keys[len(p.Keys)-1].Seconds
}

// At is the camera at a time. Before the first key it stands there, after the
// last one it stays. There must be a key at least.
func (p *Path) At(seconds float64) Camera {
	k := p.Keys
	camera := Camera{Up: p.Up, FovY: p.FovY}
	after := sort.Search(len(k), func(i int) bool { return k[i].Seconds > seconds })
	switch after {
	case 0:
		camera.Eye, camera.Target = k[0].Eye, k[0].Target
		return camera
	case len(k):
		camera.Eye, camera.Target = k[after-1].Eye, k[after-1].Target
		return camera
	}
	from, to := k[after-1], k[after]
	span := to.Seconds - from.Seconds
	t := (seconds - from.Seconds) / span
	before, beyond := k[max(after-2, 0)], k[min(after+1, len(k)-1)]
	along := func(place func(k *Key) mgl64.Vec3) mgl64.Vec3 {
		slope := func(a, b *Key) mgl64.Vec3 {
			return place(b).Sub(place(a)).Mul(span / (b.Seconds - a.Seconds))
		}
		start, end := slope(&before, &to), slope(&from, &beyond)
		t2, t3 := t*t, t*t*t
		return place(&from).Mul(2*t3 - 3*t2 + 1).Add(start.Mul(t3 - 2*t2 + t)).
			Add(place(&to).Mul(3*t2 - 2*t3)).Add(end.Mul(t3 - t2))
	}
	camera.Eye = along(func(k *Key) mgl64.Vec3 { return k.Eye })
	camera.Target = along(func(k *Key) mgl64.Vec3 { return k.Target })
	return camera
}

// Cameras are so many cameras of the path at equal steps of time, the first at
// its start, the last one step before its end.
func (p *Path) Cameras(n int) []Camera {
	cameras := make([]Camera, n)
	for i := range cameras {
		cameras[i] = p.At(p.Duration() * float64(i) / float64(n))
	}
	return cameras
}
