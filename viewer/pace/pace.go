// Package pace decides when the viewer draws what: coarsely while something
// moves, so that a rate is held; sharply once it is still; then one jittered
// sample after the other until the picture is smooth; and then nothing at all.
// It is told the time and knows no clock.
package pace

import (
	"math"
	"time"
)

// Levels is how many resolutions there are. Each has 1/sqrt(2) of the pixels of
// the one before, the first all of them and the last a sixteenth.
const Levels = 9

// Side is by what a level shortens the sides of the picture: 1 for level 0, 1/4
// for the last.
func Side(level int) float64 { return math.Exp2(-float64(level) / 4) }

// Settle is how long nothing has to change before the picture is refined, so
// that the pauses of a hand are not taken for rest.
const Settle = 120 * time.Millisecond

// Kind tells what to do.
type Kind int

// What there is to do.
const (
	Idle Kind = iota // nothing, until something changes
	Wait             // nothing yet; ask again
	Draw
)

// Step is what to do next.
type Step struct {
	Kind   Kind
	Level  int // of resolution, see Levels
	Sample int // the jittered sample to add, 0 for a new picture
}

// Pace is the state. Its exported fields may be changed at any time.
type Pace struct {
	// Budget is the time that a frame may take while something moves.
	Budget time.Duration
	// Samples is how many samples a still picture takes; 1 and less mean that it
	// is drawn once.
	Samples int
	// Adapt allows coarser levels while something moves.
	Adapt bool

	level   int // while something moves
	easy    int // how many frames in a row would have had time for a finer level
	shown   Step
	changed time.Time // when something last changed
}

// spare is the share of the budget below which a finer level is tried. The gap
// to the whole keeps it from going to and fro.
const spare = 0.8

// patience is how many frames in a row have to have time to spare.
const patience = 4

// Next tells what to do at a time. changed tells whether anything that the
// picture shows has changed since it was asked last.
func (p *Pace) Next(now time.Time, changed bool) Step {
	if changed {
		p.changed = now
		p.shown = Step{}
		return Step{Kind: Draw, Level: p.moving()}
	}
	still := now.Sub(p.changed) >= Settle
	switch {
	case p.shown.Kind != Draw: // the last drawing came to nothing
		return Step{Kind: Draw, Level: p.moving()}
	case p.shown.Level == 0 && p.shown.Sample+1 >= p.Samples:
		return Step{}
	case !still:
		return Step{Kind: Wait}
	case p.shown.Level > 0:
		return Step{Kind: Draw}
	}
	return Step{Kind: Draw, Sample: p.shown.Sample + 1}
}

func (p *Pace) moving() int {
	if !p.Adapt {
		return 0
	}
	return p.level
}

// Done notes that a step was drawn, and how long that took.
func (p *Pace) Done(s Step, took time.Duration) {
	p.shown = s
	if s.Sample > 0 || !p.Adapt || p.Budget <= 0 || took <= 0 {
		return
	}
	// What a frame costs follows its pixels, a factor of sqrt(2) a level.
	excess := 2 * math.Log2(float64(took)/float64(p.Budget))
	switch {
	case excess > 0:
		p.easy = 0
		p.level = s.Level + int(math.Ceil(excess))
	case excess+1 < 2*math.Log2(spare):
		p.easy++
		if s.Level == 0 && p.level > 0 { // a refined picture shows that all can be had
			p.level, p.easy = 0, 0
		} else if p.easy >= patience {
			p.level, p.easy = p.level-1, 0
		}
	default:
		p.easy = 0
		p.level = s.Level
	}
	p.level = max(0, min(p.level, Levels-1))
}

// Failed notes that the step being drawn came to nothing: it is asked for again
// once something changes.
func (p *Pace) Failed(s Step) { p.shown = Step{Kind: Draw, Level: 0, Sample: max(s.Sample, p.Samples)} }

// Level is the resolution at which moving pictures are drawn now.
func (p *Pace) Level() int { return p.moving() }

// Sample is how many samples the picture shown has, 0 where there is none.
func (p *Pace) Sample() int {
	if p.shown.Kind != Draw {
		return 0
	}
	return min(p.shown.Sample+1, max(p.Samples, 1))
}
