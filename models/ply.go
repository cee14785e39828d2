package models

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/svo"
)

// plyFormat is PLY, the polygon file format of Greg Turk (Stanford, 1994), of
// which the points are read: a header that tells which tables there are and
// what their columns mean, then the numbers, as text or binary.
var plyFormat = format{
	title:      "Stanford PLY",
	extensions: []string{".ply"},
	magic: func(head []byte) bool {
		return hasMagic("ply\n")(head) || hasMagic("ply\r")(head) || hasMagic("ply ")(head)
	},
	decode: decodePLY,
}

func decodePLY(data []byte, name string, opts Options) (*Asset, error) {
	var w warnings
	model, transform, err := plyModel(data, opts, &w)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	a := still("ply", model)
	a.Version, a.Warnings = 1, w.list()
	a.Up, a.Front = mgl64.Vec3{0, 1, 0}, mgl64.Vec3{0, 0, 1}
	a.placements = func(int) []Placement { return []Placement{{Transform: transform, Layer: -1}} }
	return a, nil
}

// plyModel makes a model of the points and tells where it stands.
func plyModel(data []byte, opts Options, w *warnings) (Model, mgl64.Mat4, error) {
	fail := func(err error) (Model, mgl64.Mat4, error) { return Model{}, mgl64.Ident4(), err }
	h, err := readPLYHeader(data)
	if err != nil {
		return fail(err)
	}
	*w = h.warnings
	r := &plyReader{data: data, at: h.size, encoding: h.encoding}
	var points *cloud
	for i := range h.elements {
		e := &h.elements[i]
		if e.name == "vertex" && points == nil {
			points, err = r.points(h, e, opts)
		} else {
			if e.count > 0 {
				w.add("element", "element %s skipped (%d entries): only the points are drawn", plyWord(e.name), e.count)
			}
			if points == nil { // those behind the points needn't be read
				err = r.skip(h, e)
			}
		}
		if err != nil {
			return fail(err)
		}
	}
	if points == nil {
		return fail(fmt.Errorf("header: no element vertex, so there are no points"))
	}
	return points.voxelise(opts, w)
}

// plyReader reads the numbers after the header one by one.
type plyReader struct {
	data     []byte
	at       int64
	encoding plyEncoding
}

// left is how many bytes there still are.
func (r *plyReader) left() uint64 { return uint64(int64(len(r.data)) - r.at) }

// points makes a cloud of the vertices. Where all take the same room it looks
// them up in the file's own bytes.
func (r *plyReader) points(h *plyHeader, e *plyElement, opts Options) (*cloud, error) {
	fields, err := e.fields()
	if err != nil {
		return nil, err
	}
	if err := h.check(e, r.left()); err != nil {
		return nil, err
	}
	has := func(slot int) bool {
		return fields[slot].present && fields[slot+1].present && fields[slot+2].present
	}
	c := &cloud{count: int(e.count), coloured: has(3), oriented: has(6)}
	size, fixed := e.fixed()
	memory := uint64(memoryPerVoxel)
	if fixed = fixed && r.encoding != plyASCII; !fixed {
		memory += memoryPerStoredPoint
	}
	if err := fits(e.count*memory+uint64(len(r.data)), opts); err != nil {
		return nil, err
	}
	if fixed {
		records := plyRecords{r.data[r.at : r.at+int64(size)*int64(e.count)], size, fields, r.encoding == plyBigEndian, c}
		r.at += int64(len(records.data))
		c.read = records.read
		return c, nil
	}
	stored := newBatch(c.count)
	if err := r.readPoints(e, fields, c, stored); err != nil {
		return nil, err
	}
	c.read = func(from int, b *batch) {
		part := stored.slice(from, from+len(b.colours))
		for axis := range b.at {
			copy(b.at[axis], part.at[axis])
		}
		copy(b.colours, part.colours)
		copy(b.normals, part.normals)
	}
	return c, nil
}

// memoryPerStoredPoint is what a point of a batch takes.
const memoryPerStoredPoint = 3*8 + 3 + 4

// readPoints reads vertices of different sizes.
func (r *plyReader) readPoints(e *plyElement, fields [plySlots]plyField, c *cloud, stored *batch) error {
	slots := make([]int, len(e.properties)) // where each property goes, the last one for none
	for i := range slots {
		slots[i] = plySlots
	}
	for slot, f := range fields {
		if f.present {
			slots[f.property] = slot
		}
	}
	start := r.at
	var values [plySlots + 1]float64
	for i := range c.count {
		for k := range e.properties {
			v, err := r.property(&e.properties[k])
			if err != nil {
				return r.within(e, start, i, err)
			}
			values[slots[k]] = v
		}
		for axis := range 3 {
			stored.at[axis][i] = values[axis]
		}
		if c.coloured {
			for channel := range 3 {
				stored.colours[i][channel] = plyLevel(values[3+channel], fields[3+channel].typ)
			}
		}
		if c.oriented {
			stored.normals[i] = svo.NewNormal(mgl32.Vec3{float32(values[6]), float32(values[7]), float32(values[8])})
		}
	}
	return nil
}

// skip passes by an element.
func (r *plyReader) skip(h *plyHeader, e *plyElement) error {
	if err := h.check(e, r.left()); err != nil {
		return err
	}
	if size, ok := e.fixed(); ok && r.encoding != plyASCII {
		r.at += int64(size) * int64(e.count)
		return nil
	}
	if len(e.properties) == 0 {
		return nil // of which there may be any number
	}
	start := r.at
	for i := range int(e.count) {
		for k := range e.properties {
			if _, err := r.property(&e.properties[k]); err != nil {
				return r.within(e, start, i, err)
			}
		}
	}
	return nil
}

// within says where in an element something is wrong.
func (r *plyReader) within(e *plyElement, start int64, entry int, err error) error {
	return fmt.Errorf("element %s at %s, entry %d of %d at %s: %w",
		plyWord(e.name), r.place(start), entry+1, e.count, r.place(r.at), err)
}

// place is for people: the line in a text, else the byte.
func (r *plyReader) place(at int64) string {
	if r.encoding != plyASCII {
		return fmt.Sprintf("byte %d", at)
	}
	before := r.data[:at]
	return fmt.Sprintf("line %d", 1+max(bytes.Count(before, []byte("\n")), bytes.Count(before, []byte("\r"))))
}

var errPLYEnd = fmt.Errorf("the file ends within it")

// property reads a number, and passes by a list.
func (r *plyReader) property(p *plyProperty) (float64, error) {
	if !p.list {
		return r.number(p.typ)
	}
	n, err := r.number(p.counts)
	if err != nil {
		return 0, err
	}
	if !(n >= 0 && n == math.Trunc(n)) {
		return 0, fmt.Errorf("list %s has the count %g", plyWord(p.name), n)
	}
	if r.encoding != plyASCII {
		bytes := n * float64(p.typ.size()) // exact: counts have 32 bits
		if bytes > float64(r.left()) {
			return 0, errPLYEnd
		}
		r.at += int64(bytes)
		return 0, nil
	}
	for ; n > 0; n-- {
		if _, err := r.number(p.typ); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// number reads one.
func (r *plyReader) number(t plyType) (float64, error) {
	if r.encoding == plyASCII {
		return r.text()
	}
	size := t.size()
	if r.left() < uint64(size) {
		return 0, errPLYEnd
	}
	v := plyNumber(r.data[r.at:], t, r.encoding == plyBigEndian)
	r.at += int64(size)
	return v, nil
}

// text reads a number written in digits. Some programs write NaN in odd ways.
func (r *plyReader) text() (float64, error) {
	at, data := int(r.at), r.data
	for at < len(data) && data[at] <= ' ' {
		at++
	}
	start := at
	for at < len(data) && data[at] > ' ' {
		at++
	}
	r.at = int64(at)
	word := data[start:at]
	if len(word) == 0 {
		return 0, errPLYEnd
	}
	v, err := strconv.ParseFloat(string(word), 64)
	if err == nil || math.IsInf(v, 0) { // too large for a double
		return v, nil
	}
	if odd := strings.ToLower(string(word[:min(len(word), 16)])); strings.Contains(odd, "nan") || strings.Contains(odd, "#ind") || strings.Contains(odd, "#inf") {
		return math.NaN(), nil
	}
	return 0, fmt.Errorf("%s is not a number", plyWord(string(word)))
}

// plyNumber is the number at the beginning of data.
func plyNumber(data []byte, t plyType, big bool) float64 {
	switch t {
	case plyInt8:
		return float64(int8(data[0]))
	case plyUint8:
		return float64(data[0])
	case plyInt16, plyUint16:
		u := binary.LittleEndian.Uint16(data)
		if big {
			u = bits.ReverseBytes16(u)
		}
		if t == plyInt16 {
			return float64(int16(u))
		}
		return float64(u)
	case plyFloat64:
		u := binary.LittleEndian.Uint64(data)
		if big {
			u = bits.ReverseBytes64(u)
		}
		return math.Float64frombits(u)
	}
	u := binary.LittleEndian.Uint32(data)
	if big {
		u = bits.ReverseBytes32(u)
	}
	switch t {
	case plyInt32:
		return float64(int32(u))
	case plyUint32:
		return float64(u)
	}
	return float64(math.Float32frombits(u))
}

// plyRecords are vertices that all take the same room.
type plyRecords struct {
	data   []byte
	size   int // of one
	fields [plySlots]plyField
	big    bool
	cloud  *cloud
}

func (r *plyRecords) read(from int, b *batch) {
	points := len(b.colours)
	data := r.data[from*r.size : (from+points)*r.size]
	for axis := range b.at {
		r.readPlaces(data, axis, b.at[axis])
	}
	if r.cloud.coloured {
		for channel := range 3 {
			r.readChannel(data, channel, b.colours)
		}
	}
	if r.cloud.oriented {
		r.readNormals(data, b.normals)
	}
}

// readPlaces and readChannel have a loop of their own for the types that nearly
// all files use: it takes a third of the time.

func (r *plyRecords) readPlaces(data []byte, axis int, out []float64) {
	f := r.fields[axis]
	if f.typ == plyFloat32 && !r.big {
		for i := range out {
			out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[i*r.size+f.offset:])))
		}
		return
	}
	for i := range out {
		out[i] = plyNumber(data[i*r.size+f.offset:], f.typ, r.big)
	}
}

func (r *plyRecords) readChannel(data []byte, channel int, out []svo.Colour) {
	f := r.fields[3+channel]
	if f.typ == plyUint8 {
		for i := range out {
			out[i][channel] = data[i*r.size+f.offset]
		}
		return
	}
	for i := range out {
		out[i][channel] = plyLevel(plyNumber(data[i*r.size+f.offset:], f.typ, r.big), f.typ)
	}
}

func (r *plyRecords) readNormals(data []byte, out []svo.Normal) {
	for i := range out {
		var v mgl32.Vec3
		for axis := range v {
			f := r.fields[6+axis]
			v[axis] = float32(plyNumber(data[i*r.size+f.offset:], f.typ, r.big))
		}
		out[i] = svo.NewNormal(v)
	}
}
