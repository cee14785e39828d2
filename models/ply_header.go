package models

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// plyType is the type of a number in a PLY file.
type plyType uint8

const (
	plyInt8 plyType = iota
	plyUint8
	plyInt16
	plyUint16
	plyInt32
	plyUint32
	plyFloat32
	plyFloat64
)

// plyTypeOf knows the names of the format's description and those with sizes.
func plyTypeOf(name string) (plyType, bool) {
	switch name {
	case "char", "int8":
		return plyInt8, true
	case "uchar", "uint8":
		return plyUint8, true
	case "short", "int16":
		return plyInt16, true
	case "ushort", "uint16":
		return plyUint16, true
	case "int", "int32":
		return plyInt32, true
	case "uint", "uint32":
		return plyUint32, true
	case "float", "float32":
		return plyFloat32, true
	case "double", "float64":
		return plyFloat64, true
	}
	return 0, false
}

// size is in bytes.
func (t plyType) size() int { return [...]int{1, 1, 2, 2, 4, 4, 4, 8}[t] }

// plyEncoding is how the numbers after the header are written.
type plyEncoding uint8

const (
	plyASCII plyEncoding = iota + 1
	plyLittleEndian
	plyBigEndian
)

// plyProperty is a number of each entry of an element, or a list of numbers
// after their count.
type plyProperty struct {
	name   string
	typ    plyType
	list   bool
	counts plyType // the type of the list's count
}

// plyElement is a table: so many entries, each with the same properties.
type plyElement struct {
	name       string
	count      uint64
	properties []plyProperty
}

// fixed tells whether all entries are of the same size, and which in binary files.
func (e *plyElement) fixed() (size int, ok bool) {
	for _, p := range e.properties {
		if p.list {
			return 0, false
		}
		size += p.typ.size()
	}
	return size, true
}

// least is how many bytes an entry takes at the very least.
func (e *plyElement) least(encoding plyEncoding) uint64 {
	least := 0
	for _, p := range e.properties {
		switch {
		case encoding == plyASCII:
			least += 2 // a digit and what parts it from the next; the last one may lack that
		case p.list:
			least += p.counts.size()
		default:
			least += p.typ.size()
		}
	}
	return uint64(least)
}

// plyHeader is what the lines up to end_header say.
type plyHeader struct {
	encoding plyEncoding
	elements []plyElement
	size     int64 // in bytes, so the place where the entries begin
	warnings warnings
}

// maxPLYHeader is far above what programs write, comments included.
const maxPLYHeader = 1 << 20

// readPLYHeader reads the header: a keyword and its arguments on each line,
// which ends as the first one does: with LF, CR LF or CR.
func readPLYHeader(data []byte) (*plyHeader, error) {
	head := data[:min(len(data), maxPLYHeader)]
	newline := []byte("\n")
	if at := bytes.IndexAny(head, "\r\n"); at >= 0 && head[at] == '\r' && !bytes.HasPrefix(head[at:], []byte("\r\n")) {
		newline = []byte("\r")
	}
	h := &plyHeader{}
	for at, number := 0, 1; ; number++ {
		length := bytes.Index(head[at:], newline)
		if length < 0 {
			return nil, fmt.Errorf("header: no line end_header within the first %d bytes", len(head))
		}
		words := strings.Fields(string(head[at : at+length]))
		at += length + 1
		if len(words) == 0 || number == 1 {
			continue // the first one is the word ply
		}
		if words[0] == "end_header" {
			h.size = int64(at)
			break
		}
		if err := h.take(words); err != nil {
			return nil, fmt.Errorf("header: line %d: %w", number, err)
		}
	}
	if h.encoding == 0 {
		return nil, fmt.Errorf("header: no line that tells the format, like format ascii 1.0")
	}
	return h, nil
}

// take keeps what a line of the header says.
func (h *plyHeader) take(words []string) error {
	switch words[0] {
	case "comment", "obj_info":
		return nil
	case "format":
		return h.takeFormat(words)
	case "element":
		return h.takeElement(words)
	case "property":
		return h.takeProperty(words)
	}
	h.warnings.add("keyword", "header line that begins with %s skipped", plyWord(words[0]))
	return nil
}

func (h *plyHeader) takeFormat(words []string) error {
	name := ""
	if len(words) > 1 {
		name = words[1]
	}
	switch name {
	case "ascii":
		h.encoding = plyASCII
	case "binary_little_endian":
		h.encoding = plyLittleEndian
	case "binary_big_endian":
		h.encoding = plyBigEndian
	default:
		return fmt.Errorf("format %s is none of ascii, binary_little_endian and binary_big_endian", plyWord(name))
	}
	return nil
}

func (h *plyHeader) takeElement(words []string) error {
	if len(words) != 3 {
		return fmt.Errorf("an element needs a name and a count, like element vertex 8")
	}
	count, err := strconv.ParseUint(words[2], 10, 64)
	if err != nil {
		return fmt.Errorf("element %s: %s is not a count", plyWord(words[1]), plyWord(words[2]))
	}
	h.elements = append(h.elements, plyElement{name: words[1], count: count})
	return nil
}

func (h *plyHeader) takeProperty(words []string) error {
	if len(h.elements) == 0 {
		return fmt.Errorf("a property before the first element")
	}
	var p plyProperty
	types := words[1:]
	if p.list = len(types) > 0 && types[0] == "list"; p.list {
		types = types[1:]
	}
	if want := 2 + len(words) - len(types) - 1; len(types) != want {
		return fmt.Errorf("a property needs a type and a name, like property float x or property list uchar int vertex_indices")
	}
	p.name = types[len(types)-1]
	for i, name := range types[:len(types)-1] {
		typ, ok := plyTypeOf(name)
		if !ok {
			return fmt.Errorf("property %s: %s is not a type", plyWord(p.name), plyWord(name))
		}
		if p.list && i == 0 {
			p.counts = typ
		}
		p.typ = typ
	}
	if p.list && p.counts >= plyFloat32 {
		return fmt.Errorf("property %s: the count of a list must be of a whole type", plyWord(p.name))
	}
	e := &h.elements[len(h.elements)-1]
	e.properties = append(e.properties, p)
	return nil
}

// check fails where an element can't be in what the file holds after the header.
func (h *plyHeader) check(e *plyElement, left uint64) error {
	least := e.least(h.encoding)
	if h.encoding == plyASCII {
		left++ // the last number may end with the file
	}
	if least > 0 && e.count > left/least {
		return fmt.Errorf("element %s: %d entries announced, at most %d present; the file may be cut short", plyWord(e.name), e.count, left/least)
	}
	return nil
}

// plySlot is where a property of a point belongs, and false for others: 0 to 2
// the place, 3 to 5 the colour, 6 to 8 the normal.
func plySlot(name string) (int, bool) {
	switch name {
	case "x":
		return 0, true
	case "y":
		return 1, true
	case "z":
		return 2, true
	case "red", "r", "diffuse_red":
		return 3, true
	case "green", "g", "diffuse_green":
		return 4, true
	case "blue", "b", "diffuse_blue":
		return 5, true
	case "nx":
		return 6, true
	case "ny":
		return 7, true
	case "nz":
		return 8, true
	}
	return 0, false
}

// plySlots is how many there are.
const plySlots = 9

// plyField is where a number of a point stands.
type plyField struct {
	present  bool
	typ      plyType
	property int // index
	offset   int // in bytes, where entries are of the same size
}

// fields finds the properties that a point needs. It fails without a place.
func (e *plyElement) fields() (fields [plySlots]plyField, err error) {
	offset := 0
	for i, p := range e.properties {
		if slot, ok := plySlot(p.name); ok && !p.list && !fields[slot].present {
			fields[slot] = plyField{true, p.typ, i, offset}
		}
		offset += p.typ.size()
	}
	for axis := range 3 {
		if !fields[axis].present {
			return fields, fmt.Errorf("header: element vertex has no property %c", "xyz"[axis])
		}
	}
	return fields, nil
}

// plyLevel is a colour channel, 0 to 255, of a number: of 16 bits the upper
// ones count, fractions go from 0 to 1, what is beyond counts as the bound.
func plyLevel(v float64, t plyType) uint8 {
	switch t {
	case plyUint16:
		v /= 257
	case plyFloat32, plyFloat64:
		v *= 255
	}
	if !(v > 0) { // NaN too
		return 0
	}
	return uint8(math.Round(math.Min(v, 255)))
}

// plyWord is a word of the file for people: the beginning of a long one.
func plyWord(word string) string { return printable(word[:min(len(word), 32)]) }
