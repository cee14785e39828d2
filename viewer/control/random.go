package control

import (
	"math/rand/v2"

	"github.com/cfef80af/eightfold/viewer/keys"
)

// Random makes input that no person would: any key with any modifier, any drag,
// sizes that change, files that are dropped. Tests drive the viewer with it.
type Random struct {
	*rand.Rand
	// Files are what it drops.
	Files []string
	// Sizes keeps the size of the picture unless it is set.
	Sizes bool
}

// Next changes the input to that of the next tick. It never quits, nor writes
// more than a file now and then.
func (r *Random) Next(in *Input, m keys.Map) {
	in.Pressed, in.Wheel, in.Dropped = nil, 0, nil
	in.X = min(max(in.X+r.NormFloat64()*8, -20), float64(in.Width)+20)
	in.Y = min(max(in.Y+r.NormFloat64()*8, -20), float64(in.Height)+20)
	if r.IntN(4) == 0 {
		in.Mods = [...]keys.Mods{0, 0, 0, keys.Ctrl, keys.Shift, keys.Alt, keys.Ctrl | keys.Shift}[r.IntN(7)]
		b := m.Bindings[r.IntN(len(m.Bindings))]
		if len(b.Chords) > 0 && r.allowed(b.Action) {
			chord := b.Chords[r.IntN(len(b.Chords))]
			in.Mods, in.Pressed = chord.Mods, []string{chord.Key}
			if b.Held {
				in.Held = []string{chord.Key}
			}
		}
	}
	if r.IntN(10) == 0 {
		in.Held = nil
	}
	switch r.IntN(12) {
	case 0:
		in.Down = []keys.Button{keys.Button(1 + r.IntN(3))}
	case 1:
		in.Down = nil
	case 2:
		in.Wheel = r.NormFloat64() * 3
	}
	if len(r.Files) > 0 && r.IntN(200) == 0 {
		in.Dropped = []string{r.Files[r.IntN(len(r.Files))]}
	}
	if r.Sizes && r.IntN(100) == 0 {
		in.Width, in.Height = 1+r.IntN(400), 1+r.IntN(300)
	}
}

// allowed tells whether an action may happen at random.
func (r *Random) allowed(a keys.Action) bool {
	switch a {
	case keys.Quit, keys.FullScreen:
		return false
	case keys.Screenshot, keys.ScreenshotClear, keys.ScreenshotLarge, keys.SaveState:
		return r.IntN(20) == 0
	}
	return true
}
