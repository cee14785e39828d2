package keys

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNothingIsBoundTwice(t *testing.T) {
	for _, name := range Names() {
		m, err := Named(name)
		require.NoError(t, err)
		chords, gestures := map[Chord]Action{}, map[Gesture]Action{}
		for _, b := range m.Bindings {
			for _, c := range b.Chords {
				other, taken := chords[c]
				assert.False(t, taken, "%s: %v means %d and %d", name, c, other, b.Action)
				chords[c] = b.Action
				if b.Held {
					assert.Equal(t, None, m.Stroke(c))
					assert.Equal(t, b.Action, m.Hold(c))
					assert.Equal(t, b.Action, m.Hold(Chord{c.Key, Shift}))
					assert.Equal(t, None, m.Hold(Chord{c.Key, Ctrl}))
				} else {
					assert.Equal(t, b.Action, m.Stroke(c))
					assert.Equal(t, None, m.Hold(c))
				}
			}
			for _, g := range b.Gestures {
				other, taken := gestures[g]
				assert.False(t, taken, "%s: %v means %d and %d", name, g, other, b.Action)
				gestures[g] = b.Action
				assert.Equal(t, b.Action, m.Gesture(g))
			}
		}
	}
}

func TestEveryMapReachesEveryAction(t *testing.T) {
	for _, name := range Names() {
		m, err := Named(name)
		require.NoError(t, err)
		bound := map[Action]bool{}
		for _, b := range m.Bindings {
			assert.NotEmpty(t, b.Help)
			if len(b.Chords)+len(b.Gestures) > 0 || b.Wheel {
				bound[b.Action] = true
			}
		}
		for a := Orbit; a <= Quit; a++ {
			// Looking around is orbiting in fly mode.
			assert.True(t, bound[a] || a == Look, "%s: action %d has no key", name, a)
		}
	}
}

func TestHabits(t *testing.T) {
	for name, want := range map[string]map[Gesture]Action{
		"f3d":         {drag(Left, 0): Orbit, drag(Middle, 0): Pan, drag(Left, Shift): Pan, drag(Right, 0): Dolly},
		"magicavoxel": {drag(Right, 0): Orbit, drag(Middle, 0): Pan},
		"blender":     {drag(Middle, 0): Orbit, drag(Left, Alt): Orbit, drag(Middle, Shift): Pan, drag(Left, 0): None},
	} {
		m, err := Named(name)
		require.NoError(t, err)
		for g, action := range want {
			assert.Equal(t, action, m.Gesture(g), "%s: %v", name, g)
		}
		assert.Equal(t, Pick, m.Gesture(click(Left, 1)))
		assert.Equal(t, FocusHere, m.Gesture(click(Left, 2)))
		for c, action := range map[Chord]Action{
			key("Digit1"): ViewFront, key("Numpad3"): ViewRight, key("Digit7"): ViewTop, ctrl("Digit7"): ViewBottom,
			key("Digit5"): ToggleParallel, key("Digit9"): ViewIsometric, key("Enter"): Reset, key("F"): FrameAll,
			key("F12"): Screenshot, ctrl("F6"): ScreenshotClear, key("Space"): Play, key("Comma"): StepBack,
		} {
			assert.Equal(t, action, m.Stroke(c), "%s: %v", name, c)
		}
	}
	blender, _ := Named("Blender")
	assert.Equal(t, FrameAll, blender.Stroke(key("Home")))
	_, err := Named("emacs")
	assert.ErrorContains(t, err, "f3d, magicavoxel, blender")
}

func TestHelpIsMadeOfTheTable(t *testing.T) {
	m, err := Named("f3d")
	require.NoError(t, err)
	help := map[string]string{}
	for _, line := range m.Help() {
		help[line.Help] = line.Keys
	}
	assert.Equal(t, "left drag", help["turn the model"])
	assert.Equal(t, "middle drag, Shift+left drag", help["move the model"])
	assert.Equal(t, "wheel", help["zoom to the cursor"])
	assert.Equal(t, "1", help["front"], "the numpad's digits are not told twice")
	assert.Equal(t, "Ctrl+7", help["bottom"])
	assert.Equal(t, ",", help["previous frame"])
	assert.Equal(t, "left double click, middle click, Ctrl+F", help["focus on the voxel under the cursor"])
	for _, keys := range help {
		assert.False(t, strings.Contains(keys, "Digit") || strings.Contains(keys, "Arrow"), keys)
	}
}
