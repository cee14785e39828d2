package pace

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

const tick = time.Second / 60

// cost is a machine on which a whole picture takes full.
func cost(full time.Duration, level int) time.Duration {
	return time.Duration(float64(full) * Side(level) * Side(level))
}

func TestAStillPictureIsRefinedSmoothedAndLeftAlone(t *testing.T) {
	p := Pace{Budget: 16 * time.Millisecond, Samples: 4, Adapt: true, level: 3}
	now := start
	step := p.Next(now, true)
	assert.Equal(t, Step{Kind: Draw, Level: 3}, step, "coarse while it moves")
	p.Done(step, 15*time.Millisecond)
	assert.Equal(t, Step{Kind: Wait}, p.Next(now.Add(tick), false), "a pause is no rest")
	now = now.Add(Settle)
	for sample := range 4 {
		step = p.Next(now, false)
		assert.Equal(t, Step{Kind: Draw, Sample: sample}, step)
		p.Done(step, 60*time.Millisecond)
		assert.Equal(t, sample+1, p.Sample())
	}
	for range 1000 {
		now = now.Add(tick)
		assert.Equal(t, Step{}, p.Next(now, false), "nothing is drawn when nothing changed")
	}
	assert.Equal(t, Draw, p.Next(now, true).Kind)
}

func TestWithoutAdaptationAllPixelsAreDrawn(t *testing.T) {
	p := Pace{Budget: tick, Samples: 1}
	now := start
	for range 20 {
		step := p.Next(now, true)
		assert.Equal(t, Step{Kind: Draw}, step)
		p.Done(step, time.Second)
	}
	assert.Equal(t, Step{}, p.Next(now, false), "it was drawn in full already")
}

func TestTheRateIsHeld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		budget := 16 * time.Millisecond
		full := time.Duration(rapid.Float64Range(0.1, 15.9).Draw(t, "full, in budgets") * float64(budget))
		p := Pace{Budget: budget, Samples: 16, Adapt: true}
		now, changes, level := start, 0, 0
		for frame := range 200 {
			now = now.Add(tick)
			step := p.Next(now, true)
			took := cost(full, step.Level)
			p.Done(step, took)
			if frame > 60 {
				assert.LessOrEqual(t, took, budget)
				if step.Level != level {
					changes++
				}
				if step.Level > 0 {
					// One level finer would not have had time to spare.
					assert.GreaterOrEqual(t, float64(cost(full, step.Level-1)), spare*float64(budget)*0.999)
				}
			}
			level = step.Level
		}
		assert.LessOrEqual(t, changes, 1, "it does not go to and fro")
	})
}

func TestItFollowsALoadThatChanges(t *testing.T) {
	p := Pace{Budget: 16 * time.Millisecond, Samples: 16, Adapt: true}
	now := start
	draw := func(full time.Duration, frames int) (level int) {
		for range frames {
			now = now.Add(tick)
			step := p.Next(now, true)
			p.Done(step, cost(full, step.Level))
			level = step.Level
		}
		return level
	}
	assert.Zero(t, draw(5*time.Millisecond, 10))
	assert.Equal(t, 4, draw(60*time.Millisecond, 2), "one frame too late is enough to learn")
	assert.Equal(t, Levels-1, draw(time.Hour, 2))
	assert.Zero(t, draw(5*time.Millisecond, 100))
}

func TestARefinedPictureTellsThatAllCanBeHad(t *testing.T) {
	p := Pace{Budget: 16 * time.Millisecond, Samples: 2, Adapt: true, level: 5}
	p.Done(p.Next(start, true), time.Millisecond)
	p.Done(p.Next(start.Add(Settle), false), 9*time.Millisecond)
	assert.Zero(t, p.Level())
	p.level = 5
	p.Done(p.Next(start, true), time.Millisecond)
	p.Done(p.Next(start.Add(Settle), false), 64*time.Millisecond)
	assert.Equal(t, 4, p.Level())
}

func TestWhatFailsIsNotTriedForEver(t *testing.T) {
	p := Pace{Budget: 16 * time.Millisecond, Samples: 4, Adapt: true}
	step := p.Next(start, true)
	p.Failed(step)
	assert.Equal(t, Idle, p.Next(start.Add(time.Second), false).Kind)
	assert.Equal(t, Draw, p.Next(start.Add(time.Second), true).Kind)
}

func TestAChangeThatWasNeverDrawnIsDrawn(t *testing.T) {
	p := Pace{Budget: 16 * time.Millisecond, Samples: 1, Adapt: true}
	p.Next(start, true)
	assert.Equal(t, Draw, p.Next(start.Add(tick), false).Kind)
}

func TestSides(t *testing.T) {
	assert.Equal(t, 1.0, Side(0))
	assert.Equal(t, 0.25, Side(Levels-1))
	assert.InDelta(t, math.Sqrt2/2, Side(1)*Side(1), 1e-12)
}
