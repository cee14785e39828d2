//go:build viewer || js || windows

package main

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"

	"github.com/cfef80af/eightfold/viewer/control"
	"github.com/cfef80af/eightfold/viewer/keys"
)

// hands are the user's, as Ebiten tells of them.
type hands struct{ keys []ebiten.Key }

var buttons = map[ebiten.MouseButton]keys.Button{
	ebiten.MouseButtonLeft: keys.Left, ebiten.MouseButtonMiddle: keys.Middle, ebiten.MouseButtonRight: keys.Right,
}

// Poll returns what happened since it was asked last.
func (h *hands) Poll(width, height int, scale float64) control.Input {
	in := control.Input{Width: width, Height: height, Scale: scale}
	x, y := ebiten.CursorPosition()
	in.X, in.Y = float64(x), float64(y)
	_, in.Wheel = ebiten.Wheel()
	for mod, key := range map[keys.Mods]ebiten.Key{keys.Ctrl: ebiten.KeyControl, keys.Shift: ebiten.KeyShift, keys.Alt: ebiten.KeyAlt} {
		if ebiten.IsKeyPressed(key) {
			in.Mods |= mod
		}
	}
	if ebiten.IsKeyPressed(ebiten.KeyMeta) {
		in.Mods |= keys.Ctrl // as people with such a key expect
	}
	for _, key := range inpututil.AppendJustPressedKeys(h.keys[:0]) {
		in.Pressed = append(in.Pressed, key.String())
	}
	for _, key := range inpututil.AppendPressedKeys(h.keys[:0]) {
		in.Held = append(in.Held, key.String())
	}
	for _, button := range []ebiten.MouseButton{ebiten.MouseButtonLeft, ebiten.MouseButtonMiddle, ebiten.MouseButtonRight} {
		if ebiten.IsMouseButtonPressed(button) {
			in.Down = append(in.Down, buttons[button])
		}
	}
	in.Dropped = paths(ebiten.DroppedFiles())
	return in
}

// paths are where dropped files really are. In a browser they are nowhere.
func paths(dropped fs.FS) []string {
	if dropped == nil {
		return nil
	}
	entries, err := fs.ReadDir(dropped, ".")
	if err != nil {
		return nil
	}
	var list []string
	for _, entry := range entries {
		file, err := dropped.Open(entry.Name())
		if err != nil {
			list = append(list, entry.Name()) // the session tells why it can't be opened
			continue
		}
		if real, ok := file.(*os.File); ok {
			list = append(list, filepath.Clean(real.Name()))
		}
		file.Close()
	}
	return list
}
