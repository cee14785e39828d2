package navigate

import "math"

// coast is a drag that runs on: its speed in pixels a second.
type coast struct {
	orbit, pan [2]float64
	running    bool
}

// Measures of inertia: how fast speeds are learned and lost, per second, and
// the pixels a second below which nothing moves any more.
const (
	learning = 20.0
	friction = 5.0
	slowest  = 4.0
)

// Dragged notes how a drag went on for some seconds, for the inertia that takes
// over when it is let go.
func (n *Navigator) Dragged(orbit, pan [2]float64, seconds float64) {
	n.coast.running = false
	if !n.Inertia || !(seconds > 0) {
		return
	}
	share := 1 - math.Exp(-learning*seconds)
	for axis := range 2 {
		n.coast.orbit[axis] += share * (orbit[axis]/seconds - n.coast.orbit[axis])
		n.coast.pan[axis] += share * (pan[axis]/seconds - n.coast.pan[axis])
	}
}

// Release lets a drag go: with inertia it runs on.
func (n *Navigator) Release() { n.coast.running = n.Inertia }

// Stop ends what runs on.
func (n *Navigator) Stop() { n.coast = coast{} }

// Coast moves on for some seconds what runs on by inertia, in a picture of the
// given height, and tells whether anything does.
func (n *Navigator) Coast(seconds float64, height int) bool {
	if !n.coast.running {
		return false
	}
	c := &n.coast
	speed := math.Hypot(math.Hypot(c.orbit[0], c.orbit[1]), math.Hypot(c.pan[0], c.pan[1]))
	if !(speed > slowest) {
		n.Stop()
		return false
	}
	n.Orbit(c.orbit[0]*seconds, c.orbit[1]*seconds)
	n.Pan(c.pan[0]*seconds, c.pan[1]*seconds, 0, height)
	loss := math.Exp(-friction * seconds)
	for axis := range 2 {
		c.orbit[axis] *= loss
		c.pan[axis] *= loss
	}
	return true
}
