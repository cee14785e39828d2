// Package keys says which key, button or wheel does what. One table holds it
// all: the window asks it what to do, and the help is made of it.
package keys

import (
	"fmt"
	"slices"
	"strings"
)

// Mods are the modifier keys that are held.
type Mods uint8

// The modifiers.
const (
	Ctrl Mods = 1 << iota
	Shift
	Alt
)

// Chord is a key with its modifiers. Keys have the names that Ebiten gives them,
// by their place on a US keyboard: "A", "Digit1", "Numpad1", "ArrowLeft", "F12".
type Chord struct {
	Key  string
	Mods Mods
}

// Button is a button of the mouse.
type Button uint8

// The buttons, and none.
const (
	NoButton Button = iota
	Left
	Middle
	Right
)

// Gesture is a drag or a click with its modifiers.
type Gesture struct {
	Button Button
	Mods   Mods
	Clicks int // 0 for a drag
}

// Binding is one action with everything that starts it.
type Binding struct {
	Action   Action
	Chords   []Chord
	Gestures []Gesture
	Wheel    bool
	Help     string
	// Held actions last as long as the key does; others happen once a stroke.
	Held bool
}

// Map is a whole table, for one of the habits that people bring along.
type Map struct {
	Name     string
	Bindings []Binding
}

// Names are the key maps that there are, the usual one first.
func Names() []string { return []string{"f3d", "magicavoxel", "blender"} }

// Named returns the map of a name, as Names lists them.
func Named(name string) (Map, error) {
	m := Map{Name: strings.ToLower(name), Bindings: table()}
	switch m.Name {
	case "f3d":
		m.gestures(Orbit, drag(Left, 0))
		m.gestures(Pan, drag(Middle, 0), drag(Left, Shift))
		m.gestures(Dolly, drag(Right, 0))
		m.gestures(FocusHere, click(Left, 2), click(Middle, 1))
	case "magicavoxel":
		m.gestures(Orbit, drag(Right, 0), drag(Left, 0))
		m.gestures(Pan, drag(Middle, 0), drag(Right, Shift), drag(Left, Shift))
		m.gestures(Dolly, drag(Right, Alt))
		m.gestures(FocusHere, click(Left, 2))
		m.chords(Screenshot, key("Digit6"))
	case "blender":
		m.gestures(Orbit, drag(Middle, 0), drag(Left, Alt))
		m.gestures(Pan, drag(Middle, Shift), drag(Left, Shift))
		m.gestures(Dolly, drag(Middle, Ctrl), drag(Right, 0))
		m.gestures(FocusHere, click(Left, 2))
		m.take(FrameAll, key("Home"))
		m.chords(FocusHere, key("NumpadDecimal"))
	default:
		return Map{}, fmt.Errorf("keys %q: must be one of %s", name, strings.Join(Names(), ", "))
	}
	return m, nil
}

func key(name string) Chord         { return Chord{Key: name} }
func ctrl(name string) Chord        { return Chord{Key: name, Mods: Ctrl} }
func shift(name string) Chord       { return Chord{Key: name, Mods: Shift} }
func alt(name string) Chord         { return Chord{Key: name, Mods: Alt} }
func drag(b Button, m Mods) Gesture { return Gesture{Button: b, Mods: m} }
func click(b Button, n int) Gesture { return Gesture{Button: b, Clicks: n} }

func (m *Map) at(a Action) *Binding {
	i := slices.IndexFunc(m.Bindings, func(b Binding) bool { return b.Action == a })
	return &m.Bindings[i]
}

func (m *Map) gestures(a Action, g ...Gesture) { b := m.at(a); b.Gestures = append(b.Gestures, g...) }
func (m *Map) chords(a Action, c ...Chord)     { b := m.at(a); b.Chords = append(b.Chords, c...) }

// take gives an action a chord that another one has.
func (m *Map) take(a Action, c Chord) {
	for i := range m.Bindings {
		m.Bindings[i].Chords = slices.DeleteFunc(m.Bindings[i].Chords, func(o Chord) bool { return o == c })
	}
	m.chords(a, c)
}

// Stroke is the action of a key that goes down; None where it has none.
// Movements that are held don't mind modifiers but Ctrl and Alt.
func (m *Map) Stroke(c Chord) Action {
	for _, b := range m.Bindings {
		if !b.Held && slices.Contains(b.Chords, c) {
			return b.Action
		}
	}
	return None
}

// Hold is the action of a key that is held down; None where it has none.
func (m *Map) Hold(c Chord) Action {
	for _, b := range m.Bindings {
		if b.Held && slices.Contains(b.Chords, Chord{c.Key, c.Mods &^ Shift}) {
			return b.Action
		}
	}
	return None
}

// Gesture is the action of a drag or click; None where it has none.
func (m *Map) Gesture(g Gesture) Action {
	for _, b := range m.Bindings {
		if slices.Contains(b.Gestures, g) {
			return b.Action
		}
	}
	return None
}

// Line is a line of the help: the keys and what they do.
type Line struct{ Keys, Help string }

// Help lists everything that the map binds, in the order of the table.
func (m *Map) Help() []Line {
	var lines []Line
	for _, b := range m.Bindings {
		var names []string
		for _, g := range b.Gestures {
			names = append(names, g.String())
		}
		if b.Wheel {
			names = append(names, "wheel")
		}
		for _, c := range b.Chords {
			if name := c.String(); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			lines = append(lines, Line{strings.Join(names, ", "), b.Help})
		}
	}
	return lines
}

// String is the modifiers as people write them, with a trailing plus.
func (m Mods) String() string {
	text := ""
	for i, name := range [...]string{"Ctrl+", "Shift+", "Alt+"} {
		if m>>i&1 != 0 {
			text += name
		}
	}
	return text
}

// names of keys that differ from Ebiten's.
var names = map[string]string{
	"ArrowLeft": "Left", "ArrowRight": "Right", "ArrowUp": "Up", "ArrowDown": "Down",
	"Escape": "Esc", "Comma": ",", "Period": ".", "NumpadEnter": "Enter", "NumpadDecimal": "Numpad .",
	"Minus": "-", "Equal": "=", "BracketLeft": "[", "BracketRight": "]", "Slash": "/",
}

// String is the chord as people write it; a digit of the numpad is a digit.
func (c Chord) String() string {
	name := c.Key
	if short, ok := names[name]; ok {
		name = short
	} else if digit, ok := strings.CutPrefix(name, "Digit"); ok {
		name = digit
	} else if digit, ok := strings.CutPrefix(name, "Numpad"); ok {
		name = digit
	}
	return c.Mods.String() + name
}

// String is the gesture as people write it.
func (g Gesture) String() string {
	text := g.Mods.String() + [...]string{"no", "left", "middle", "right"}[g.Button]
	switch g.Clicks {
	case 0:
		return text + " drag"
	case 1:
		return text + " click"
	}
	return text + " double click"
}
