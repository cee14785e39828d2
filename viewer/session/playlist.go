package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cfef80af/eightfold/models"
)

// playlist are the models to go through, and which of them is shown.
type playlist struct {
	names []string
	at    int
}

func (l *playlist) current() string { return l.names[l.at] }

// newPlaylist lists what was asked for. A folder stands for the models in it,
// and a single file for those of its folder, beginning with it.
func newPlaylist(files []string) (playlist, error) {
	if len(files) == 0 {
		return playlist{names: []string{""}}, nil
	}
	var list playlist
	for _, file := range files {
		info, err := os.Stat(file)
		if errors.Is(err, fs.ErrNotExist) && file != "" && !strings.HasPrefix(file, "proc:") {
			return playlist{}, fmt.Errorf("%s: there is no such file; check the name", file)
		}
		if err != nil || !info.IsDir() {
			list.names = append(list.names, file) // what can't be read is told when its turn comes
			continue
		}
		names, err := modelsIn(file)
		if err != nil {
			return playlist{}, err
		}
		if len(names) == 0 {
			return playlist{}, fmt.Errorf("%s: no model in this folder; models end in %s", file, strings.Join(models.Extensions(), ", "))
		}
		list.names = append(list.names, names...)
	}
	if len(files) == 1 && len(list.names) == 1 {
		list.addNeighbours()
	}
	return list, nil
}

// addNeighbours puts the other models of the folder around a single file.
func (l *playlist) addNeighbours() {
	file := l.names[0]
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return
	}
	names, err := modelsIn(filepath.Dir(file))
	if err != nil {
		return
	}
	for i, name := range names {
		if filepath.Base(name) == filepath.Base(file) {
			names[i] = file
			l.names, l.at = names, i
			return
		}
	}
}

// modelsIn lists the models of a folder by name, numbers in their order.
func modelsIn(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("%s: can't be listed: %w", folder, err)
	}
	var names []string
	for _, entry := range entries {
		if !entry.IsDir() && slices.Contains(models.Extensions(), strings.ToLower(filepath.Ext(entry.Name()))) {
			names = append(names, filepath.Join(folder, entry.Name()))
		}
	}
	slices.SortFunc(names, natural)
	return names, nil
}

// natural compares names so that 2 comes before 10.
func natural(a, b string) int {
	for a != "" && b != "" {
		na, nb := digits(a), digits(b)
		if na > 0 && nb > 0 {
			x, y := strings.TrimLeft(a[:na], "0"), strings.TrimLeft(b[:nb], "0")
			if len(x) != len(y) {
				return len(x) - len(y)
			}
			if c := strings.Compare(x, y); c != 0 {
				return c
			}
			a, b = a[na:], b[nb:]
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

// digits counts the digits that a text starts with.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// Next shows the model that is steps further in the list, round and round.
func (s *Session) Next(steps int) {
	n := len(s.list.names)
	if n == 1 {
		s.Say("there is no other model in the list")
		return
	}
	s.list.at = ((s.list.at+steps)%n + n) % n
	s.open(s.list, false)
}

// Reload loads the model once more and keeps the view.
func (s *Session) Reload() { s.open(s.list, true) }

// Drop opens files dropped on the window: they become the list. A saved view is
// applied. Where they can't be opened the model shown stays.
func (s *Session) Drop(files []string) {
	if len(files) == 0 {
		return
	}
	if len(files) == 1 && strings.HasSuffix(files[0], stateSuffix) {
		s.tell(s.openState(files[0]))
		return
	}
	list, err := newPlaylist(files)
	if err != nil {
		s.tell(err)
		return
	}
	s.open(list, false)
}

// displayName is how the window calls a model.
func displayName(name string) string {
	if name == "" {
		return "built-in model"
	}
	if strings.HasPrefix(name, "proc:") {
		return name
	}
	return filepath.Base(name)
}
