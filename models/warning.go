package models

import "fmt"

// warnings counts what was skipped or repaired: the first of each kind is told
// in full, the others only add to its count.
type warnings struct {
	kinds []string
	first map[string]string
	count map[string]int
}

func (w *warnings) add(kind, sentence string, args ...any) {
	if w.count == nil {
		w.first, w.count = map[string]string{}, map[string]int{}
	}
	if w.count[kind]++; w.count[kind] > 1 {
		return
	}
	w.kinds = append(w.kinds, kind)
	w.first[kind] = fmt.Sprintf(sentence, args...)
}

// list is one sentence a kind, in the order in which they came up.
func (w *warnings) list() []string {
	var list []string
	for _, kind := range w.kinds {
		sentence := w.first[kind]
		if n := w.count[kind]; n > 1 {
			sentence += fmt.Sprintf(" (and %d more like it)", n-1)
		}
		list = append(list, sentence)
	}
	return list
}
