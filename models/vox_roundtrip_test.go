package models

import (
	"bytes"
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/svo"
)

// rotations are the rotation bytes of all 48 signed permutations.
func rotations() (list []int) {
	for b := range 128 {
		if i, j := b&3, b>>2&3; i != 3 && j != 3 && i != j {
			list = append(list, b)
		}
	}
	return list
}

// drawScene makes a random scene of depth levels of groups at most.
func drawScene(t *rapid.T) *voxScene {
	s := &voxScene{version: rapid.SampledFrom([]int32{150, 200}).Draw(t, "version")}
	for range rapid.IntRange(1, 3).Draw(t, "models") {
		m := voxSceneModel{compressed: rapid.Bool().Draw(t, "compressed")}
		for axis := range m.size {
			m.size[axis] = rapid.Int32Range(1, 5).Draw(t, "side")
		}
		seen := map[[3]byte]bool{}
		for range rapid.IntRange(0, 12).Draw(t, "voxels") {
			v := [4]byte{3: rapid.Byte().Draw(t, "index")}
			for axis := range 3 {
				v[axis] = byte(rapid.Int32Range(0, m.size[axis]-1).Draw(t, "at"))
			}
			// Where the same place has both a colour and index 0, formats differ.
			if at := [3]byte(v[:3]); !seen[at] {
				seen[at] = true
				m.voxels = append(m.voxels, v)
			}
		}
		s.models = append(s.models, m)
	}
	for i := range 255 {
		s.palette = append(s.palette, [4]byte{byte(i), byte(i * 7), byte(255 - i), 255})
	}
	for range rapid.IntRange(0, 3).Draw(t, "layers") {
		s.layers = append(s.layers, rapid.Bool().Draw(t, "hidden layer"))
	}
	var nodes []*voxSceneNode
	var draw func(depth int) *voxSceneNode
	draw = func(depth int) *voxSceneNode {
		if len(nodes) > 0 && rapid.IntRange(0, 4).Draw(t, "share") == 0 {
			return rapid.SampledFrom(nodes).Draw(t, "shared")
		}
		n := &voxSceneNode{
			hidden: rapid.IntRange(0, 6).Draw(t, "hidden") == 0,
			layer:  rapid.Int32Range(-1, 3).Draw(t, "layer"),
			loop:   rapid.Bool().Draw(t, "loop"),
		}
		frame := -1
		for range rapid.IntRange(1, 3).Draw(t, "keys") {
			frame += rapid.IntRange(1, 4).Draw(t, "frames")
			m := voxSceneMove{frame: frame, rotation: rapid.SampledFrom(append(rotations(), -1)).Draw(t, "rotation")}
			for axis := range m.t {
				m.t[axis] = rapid.IntRange(-9, 9).Draw(t, "move")
			}
			n.moves = append(n.moves, m)
		}
		if depth == 0 || rapid.Bool().Draw(t, "shape") {
			frame := -1
			for range rapid.IntRange(1, 3).Draw(t, "shown") {
				frame += rapid.IntRange(1, 4).Draw(t, "frames")
				n.models = append(n.models, voxSceneKey{frame, int32(rapid.IntRange(0, len(s.models)-1).Draw(t, "model"))})
			}
		} else {
			for range rapid.IntRange(0, 3).Draw(t, "children") {
				n.children = append(n.children, draw(depth-1))
			}
		}
		nodes = append(nodes, n)
		return n
	}
	s.root = draw(3)
	return s
}

// keyAt is the index of the key that holds at a frame, by the words of the
// format: the last one not after it, the first before any; a loop wraps from
// the last key's frame to the first's.
func keyAt(keys []int, loop bool, frame int) int {
	first, last := keys[0], keys[len(keys)-1]
	for loop && frame > last && last > first {
		frame -= last - first + 1
	}
	for loop && frame < first && last > first {
		frame += last - first + 1
	}
	best := 0
	for i, k := range keys {
		if k <= frame {
			best = i
		}
	}
	return best
}

// expect flattens a scene the long way round: each voxel's centre, doubled to
// stay whole, goes through full 3x3 matrices one transform after the other.
func (s *voxScene) expect(frame int) []Voxel {
	world := map[[3]int32]svo.Colour{}
	var walk func(n *voxSceneNode, up []voxSceneMove)
	walk = func(n *voxSceneNode, up []voxSceneMove) {
		if n.hidden || n.layer >= 0 && int(n.layer) < len(s.layers) && s.layers[n.layer] {
			return
		}
		var keys []int
		for _, m := range n.moves {
			keys = append(keys, m.frame)
		}
		up = append([]voxSceneMove{n.moves[keyAt(keys, n.loop, frame)]}, up...)
		for _, child := range n.children {
			walk(child, up)
		}
		if len(n.models) == 0 {
			return
		}
		keys = nil
		for _, m := range n.models {
			keys = append(keys, m.frame)
		}
		model := s.models[n.models[keyAt(keys, n.loop, frame)].model]
		for _, v := range model.voxels {
			if v[3] == 0 {
				continue
			}
			var c [3]int
			for axis := range c {
				c[axis] = 2*int(v[axis]) + 1 - 2*int(model.size[axis]/2)
			}
			for _, m := range up {
				c = m.apply(c)
			}
			var at [3]int32
			for axis := range at {
				at[axis] = int32((c[axis] - 1) >> 1)
			}
			rgba := s.palette[v[3]-1]
			if _, there := world[at]; !there || s.version < 200 {
				world[at] = svo.Colour{rgba[0], rgba[1], rgba[2]}
			}
		}
	}
	walk(s.root, nil)
	flat := make([]Voxel, 0, len(world))
	for at, c := range world {
		flat = append(flat, Voxel{at, c})
	}
	slices.SortFunc(flat, func(a, b Voxel) int {
		return cmp.Or(cmp.Compare(a.At[2], b.At[2]), cmp.Compare(a.At[1], b.At[1]), cmp.Compare(a.At[0], b.At[0]))
	})
	return flat
}

// apply moves a doubled centre by the matrix that the rotation byte spells.
func (m voxSceneMove) apply(c [3]int) (moved [3]int) {
	matrix := [3][3]int{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	if m.rotation >= 0 {
		matrix = [3][3]int{}
		columns := []int{m.rotation & 3, m.rotation >> 2 & 3}
		columns = append(columns, 3-columns[0]-columns[1])
		for row, column := range columns {
			matrix[row][column] = 1
			if m.rotation&(16<<row) != 0 {
				matrix[row][column] = -1
			}
		}
	}
	for row := range 3 {
		for column := range 3 {
			moved[row] += matrix[row][column] * c[column]
		}
		moved[row] += 2 * m.t[row]
	}
	return moved
}

func TestVoxRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		a, err := Decode(bytes.NewReader(s.bytes()), "scene.vox", Options{})
		require.NoError(t, err)
		frame := rapid.IntRange(0, a.Frames-1).Draw(t, "frame")
		flat, err := Flatten(a, frame, Options{})
		require.NoError(t, err)
		require.Equal(t, s.expect(frame), flat)
		info, err := a.Info(frame)
		require.NoError(t, err)
		if len(flat) > 0 {
			low, high := flat[0].At, flat[0].At
			for _, v := range flat {
				for axis, c := range v.At {
					low[axis], high[axis] = min(low[axis], c), max(high[axis], c)
				}
			}
			for axis := range 3 {
				require.EqualValues(t, low[axis], info.Bounds.Min[axis])
				require.EqualValues(t, high[axis]+1, info.Bounds.Max[axis])
			}
		}
	})
}
