package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// jsonValue is a value of a JSON text and where it stands.
type jsonValue struct {
	at      int // of its first byte
	token   any // json.Delim '{' or '[', string, json.Number, bool or nil
	list    []jsonValue
	members []jsonMember
}

type jsonMember struct {
	at    int // of the key
	key   string
	value jsonValue
}

// jsonFile is a JSON text that is read with an eye on places: the first thing
// wrong is kept, with its line and column, and what is asked for afterwards is
// zero.
type jsonFile struct {
	name string
	data []byte
	err  error
	// values counts those in the value being visited.
	values int
}

// maxJSONDepth is how deep values may be nested: far more than any file here
// needs.
const maxJSONDepth = 32

// maxJSONValues is how many values there may be in one that is visited, all
// together.
const maxJSONValues = 1000

// fail keeps the first error.
func (f *jsonFile) fail(at int, format string, args ...any) {
	if f.err != nil {
		return
	}
	before := f.data[:min(max(at, 0), len(f.data))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	f.err = fmt.Errorf("%s:%d:%d: %w", f.name, line, column, fmt.Errorf(format, args...))
}

// each reads the whole text, which must be a list, and visits one value after the
// other until something is wrong: together they would take a hundred times the
// memory of the text.
func (f *jsonFile) each(expected string, visit func(v *jsonValue)) {
	f.data = bytes.TrimPrefix(f.data, []byte("\ufeff"))
	d := json.NewDecoder(bytes.NewReader(f.data))
	d.UseNumber()
	if at, token := f.token(d); token != json.Delim('[') {
		f.fail(at, "%s", expected)
	}
	for f.err == nil && d.More() {
		f.values = 0
		v := f.value(d, 1)
		if f.err == nil {
			visit(&v)
		}
	}
	if f.err == nil {
		f.token(d) // the closing bracket
	}
	if at := f.next(d); f.err == nil && at < len(f.data) {
		f.fail(at, "there is something after the end of the list; remove it")
	}
}

// next is where the token after the last one begins.
func (f *jsonFile) next(d *json.Decoder) int {
	at := int(d.InputOffset())
	for at < len(f.data) && strings.IndexByte(" \t\r\n,:", f.data[at]) >= 0 {
		at++
	}
	return at
}

// token is the next token, and where it begins.
func (f *jsonFile) token(d *json.Decoder) (at int, token any) {
	at = f.next(d)
	token, err := d.Token()
	switch {
	case err == nil || f.err != nil:
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		f.fail(len(f.data), "the text ends in the middle of a value")
	default:
		f.fail(at, "this is no JSON: %w", err)
	}
	return at, token
}

func (f *jsonFile) value(d *json.Decoder, depth int) jsonValue {
	v := jsonValue{}
	v.at, v.token = f.token(d)
	f.values++
	switch {
	case depth == maxJSONDepth:
		f.fail(v.at, "values are nested deeper than %d", maxJSONDepth)
	case f.values > maxJSONValues:
		f.fail(v.at, "more than %d values stand in one", maxJSONValues)
	}
	switch v.token {
	case json.Delim('['):
		for f.err == nil && d.More() {
			v.list = append(v.list, f.value(d, depth+1))
		}
	case json.Delim('{'):
		known := map[string]bool{}
		for f.err == nil && d.More() {
			m := jsonMember{}
			var key any
			m.at, key = f.token(d)
			m.key, _ = key.(string)
			m.value = f.value(d, depth+1)
			if known[m.key] {
				f.fail(m.at, "key %q stands here twice", m.key)
			}
			known[m.key] = true
			v.members = append(v.members, m)
		}
	default:
		return v
	}
	if f.err == nil {
		f.token(d) // the closing bracket
	}
	return v
}

// member is what an object has under a key, nil where there is none.
func (v *jsonValue) member(key string) *jsonValue {
	for i := range v.members {
		if v.members[i].key == key {
			return &v.members[i].value
		}
	}
	return nil
}

// object makes sure that a value is an object with none but these keys.
func (f *jsonFile) object(v *jsonValue, what string, keys ...string) {
	if v.token != json.Delim('{') {
		f.fail(v.at, "%s must be an object like {%q: ...}", what, keys[0])
	}
	for _, m := range v.members {
		known := false
		for _, key := range keys {
			known = known || key == m.key
		}
		if !known {
			f.fail(m.at, "key %q is unknown in %s; there are %s", m.key, what, strings.Join(keys, ", "))
		}
	}
}

// text is a string that is not empty.
func (f *jsonFile) text(v *jsonValue, what string) string {
	s, ok := v.token.(string)
	if !ok || s == "" {
		f.fail(v.at, "%s must be a text in quotes", what)
	}
	return s
}

// number is a number between two bounds.
func (f *jsonFile) number(v *jsonValue, what string, low, high float64) float64 {
	n, ok := v.token.(json.Number)
	x, err := n.Float64()
	if !ok || err != nil || !(x >= low && x <= high) {
		f.fail(v.at, "%s must be a number from %g to %g", what, low, high)
		return 0
	}
	return x
}

// whole is a whole number between two bounds.
func (f *jsonFile) whole(v *jsonValue, what string, low, high uint64) uint64 {
	n, _ := v.token.(json.Number)
	x, err := parseUint(n.String())
	if err != nil || x < low || x > high {
		f.fail(v.at, "%s must be a whole number from %d to %d", what, low, high)
		return 0
	}
	return x
}

// numbers is a list of one of these lengths, of numbers between two bounds.
func (f *jsonFile) numbers(v *jsonValue, what string, low, high float64, lengths ...int) []float64 {
	fits := false
	for _, n := range lengths {
		fits = fits || len(v.list) == n
	}
	if v.token != json.Delim('[') || !fits {
		f.fail(v.at, "%s must be a list of %s numbers", what, alternatives(lengths))
		return make([]float64, lengths[0])
	}
	all := make([]float64, len(v.list))
	for i := range all {
		all[i] = f.number(&v.list[i], fmt.Sprintf("number %d of %s", i+1, what), low, high)
	}
	return all
}

func alternatives(numbers []int) string {
	text := fmt.Sprint(numbers[0])
	for i, n := range numbers[1:] {
		if i == len(numbers)-2 {
			text += fmt.Sprintf(" or %d", n)
		} else {
			text += fmt.Sprintf(", %d", n)
		}
	}
	return text
}
