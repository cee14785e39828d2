package models

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"strconv"
)

// voxScene is a .vox file to be written, for the tests.
type voxScene struct {
	version int32
	pack    bool
	models  []voxSceneModel
	palette [][4]byte // of index 1 and up; nil for none
	root    *voxSceneNode
	layers  []bool // hidden?
	extra   []byte // chunks at the end
}

type voxSceneModel struct {
	size       [3]int32
	voxels     [][4]byte
	compressed bool // as TDCZ
}

// voxSceneNode is a transform over a group or, where it has none, a shape.
type voxSceneNode struct {
	name     string
	hidden   bool
	layer    int32
	loop     bool
	moves    []voxSceneMove
	children []*voxSceneNode
	models   []voxSceneKey
}

type voxSceneMove struct {
	frame    int // -1: none written
	rotation int // -1: none written
	t        [3]int
}

type voxSceneKey struct {
	frame int // -1: none written
	model int32
}

// oneShape is a node that shows a model at a place.
func oneShape(model int32, t [3]int) *voxSceneNode {
	return &voxSceneNode{layer: -1, moves: []voxSceneMove{{-1, -1, t}}, models: []voxSceneKey{{-1, model}}}
}

// group is a node with children and no transformation of its own.
func group(children ...*voxSceneNode) *voxSceneNode {
	return &voxSceneNode{layer: -1, moves: []voxSceneMove{{-1, -1, [3]int{}}}, children: children}
}

func (s *voxScene) bytes() []byte {
	var body []byte
	if s.pack {
		body = append(body, voxChunk("PACK", le32(int32(len(s.models))))...)
	}
	for _, m := range s.models {
		body = append(body, voxChunk("SIZE", le32(m.size[:]...))...)
		if m.compressed {
			body = append(body, m.tdcz()...)
			continue
		}
		content := le32(int32(len(m.voxels)))
		for _, v := range m.voxels {
			content = append(content, v[:]...)
		}
		body = append(body, voxChunk("XYZI", content)...)
	}
	if s.root != nil {
		ids := map[*voxSceneNode]int32{}
		body = s.root.append(body, ids)
	}
	for i, hidden := range s.layers {
		properties := []string{"_name", fmt.Sprint("layer ", i)}
		if hidden {
			properties = append(properties, "_hidden", "1")
		}
		body = append(body, voxChunk("LAYR", le32(int32(i)), voxDict(properties...), le32(-1))...)
	}
	if s.palette != nil {
		var content []byte
		for _, c := range s.palette {
			content = append(content, c[:]...)
		}
		body = append(body, voxChunk("RGBA", content)...)
	}
	body = append(body, s.extra...)
	return voxFileOf(s.version, body)
}

// voxFileOf puts the header and MAIN before chunks.
func voxFileOf(version int32, body []byte) []byte {
	file := append([]byte("VOX "), le32(version)...)
	file = append(file, "MAIN"...)
	return append(append(file, le32(0, int32(len(body)))...), body...)
}

// tdcz writes a model as Teardown does: a zlib stream that is flushed but never
// ended.
func (m voxSceneModel) tdcz() []byte {
	w, h, d := int(m.size[0]), int(m.size[1]), int(m.size[2])
	box := make([]byte, w*h*d)
	for _, v := range m.voxels {
		box[(int(v[2])*h+int(v[1]))*w+int(v[0])] = v[3]
	}
	var packed bytes.Buffer
	stream := zlib.NewWriter(&packed)
	stream.Write(box) // a bytes.Buffer never fails
	stream.Flush()
	return voxChunk("TDCZ", le32(m.size[:]...), packed.Bytes())
}

// append writes a node as nTRN with nGRP or nSHP, and what is below it; a node
// that several groups share is written once.
func (n *voxSceneNode) append(body []byte, ids map[*voxSceneNode]int32) []byte {
	id := int32(2 * len(ids))
	ids[n] = id
	var properties []string
	if n.name != "" {
		properties = append(properties, "_name", n.name)
	}
	if n.hidden {
		properties = append(properties, "_hidden", "1")
	}
	var loop []string
	if n.loop {
		loop = []string{"_loop", "1"}
	}
	content := append(le32(id), voxDict(append(properties, loop...)...)...)
	content = append(content, le32(id+1, -1, n.layer, int32(len(n.moves)))...)
	for _, m := range n.moves {
		frame := keyFrame(m.frame)
		if m.rotation >= 0 {
			frame = append(frame, "_r", strconv.Itoa(m.rotation))
		}
		frame = append(frame, "_t", fmt.Sprintf("%d %d %d", m.t[0], m.t[1], m.t[2]))
		content = append(content, voxDict(frame...)...)
	}
	body = append(body, voxChunk("nTRN", content)...)
	if len(n.models) > 0 {
		content := append(le32(id+1), voxDict(loop...)...)
		content = append(content, le32(int32(len(n.models)))...)
		for _, key := range n.models {
			content = append(append(content, le32(key.model)...), voxDict(keyFrame(key.frame)...)...)
		}
		return append(body, voxChunk("nSHP", content)...)
	}
	below := le32(id+1, 0, int32(len(n.children)))
	var chunks []byte
	for _, child := range n.children {
		if _, written := ids[child]; !written {
			chunks = child.append(chunks, ids)
		}
		below = append(below, le32(ids[child])...)
	}
	return append(append(body, voxChunk("nGRP", below)...), chunks...)
}

func keyFrame(frame int) []string {
	if frame < 0 {
		return nil
	}
	return []string{"_f", strconv.Itoa(frame)}
}

func voxChunk(id string, parts ...[]byte) []byte {
	content := bytes.Join(parts, nil)
	return append(append([]byte(id), le32(int32(len(content)), 0)...), content...)
}

func voxDict(words ...string) []byte {
	d := le32(int32(len(words) / 2))
	for _, w := range words {
		d = append(append(d, le32(int32(len(w)))...), w...)
	}
	return d
}

func le32(numbers ...int32) []byte {
	var b []byte
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return b
}
