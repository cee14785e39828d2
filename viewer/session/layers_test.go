package session

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// le writes numbers as .vox files have them.
func le(numbers ...int32) (b []byte) {
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return b
}

func dict(words ...string) (b []byte) {
	b = le(int32(len(words) / 2))
	for _, w := range words {
		b = append(append(b, le(int32(len(w)))...), w...)
	}
	return b
}

func join(parts ...[]byte) (b []byte) {
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

func chunk(id string, content ...[]byte) []byte {
	body := join(content...)
	return join([]byte(id), le(int32(len(body)), 0), body)
}

func vox(chunks ...[]byte) []byte {
	body := join(chunks...)
	return join([]byte("VOX "), le(150), []byte("MAIN"), le(0, int32(len(body))), body)
}

// cubeModel is a voxel as a model.
func cubeModel(colour byte) []byte {
	return join(chunk("SIZE", le(1, 1, 1)), chunk("XYZI", le(1), []byte{0, 0, 0, colour}))
}

// twoLayers is a file with a voxel in each of two layers, the second hidden.
func twoLayers() []byte {
	transform := func(id, child, layer int32, at string) []byte {
		return chunk("nTRN", le(id), dict(), le(child, -1, layer, 1), dict("_t", at))
	}
	shape := func(id, model int32) []byte { return chunk("nSHP", le(id), dict(), le(1, model), dict()) }
	return vox(cubeModel(10), cubeModel(200),
		transform(0, 1, -1, "0 0 0"), chunk("nGRP", le(1), dict(), le(2, 2, 4)),
		transform(2, 3, 0, "0 0 0"), shape(3, 0), transform(4, 5, 1, "4 0 0"), shape(5, 1),
		chunk("LAYR", le(0), dict("_name", "walls"), le(-1)), chunk("LAYR", le(1), dict("_name", "roof", "_hidden", "1"), le(-1)))
}

func open(t *testing.T, data []byte) *Session {
	file := filepath.Join(t.TempDir(), "model.vox")
	require.NoError(t, os.WriteFile(file, data, 0o644))
	s := start(t, Options{Samples: 1}, file)
	settle(t, s)
	_, failure := s.Message()
	require.False(t, failure, s.Status())
	return s
}

func TestLayersAreHidden(t *testing.T) {
	s := open(t, twoLayers())
	require.Len(t, s.Layers(), 2)
	assert.Equal(t, "roof", s.Layers()[1].Name)
	assert.True(t, s.Layers()[1].Hidden, "as the file says")
	s.ToggleLayer(1)
	s.Reset() // so that both are in the picture
	s.ToggleLayer(1)
	first := settled(t, s)
	s.ToggleLayer(1)
	assert.Contains(t, s.Status(), "roof")
	both := settled(t, s)
	assert.NotEqual(t, first, both)
	s.ToggleLayer(0)
	assert.NotEqual(t, both, settled(t, s))
	state, err := s.State()
	require.NoError(t, err)
	assert.Equal(t, []int{0}, state.Hidden)
	s.ToggleLayer(0)
	assert.Equal(t, both, settled(t, s))
	require.NoError(t, s.Apply(state))
	assert.True(t, s.Layers()[0].Hidden)
	s.ToggleLayer(0)
	s.ToggleLayer(1)
	assert.Equal(t, first, settled(t, s))
	s.ToggleLayer(0)
	s.Reload()
	settle(t, s)
	assert.True(t, s.Layers()[0].Hidden, "loaded again, what was chosen stays")
	s.ToggleLayer(1000)
	s.ToggleLayer(-1)
}

func TestFramesOfAnAnimation(t *testing.T) {
	s := open(t, vox(chunk("PACK", le(3)), cubeModel(10), cubeModel(100), cubeModel(200)))
	_, frames := s.Frame()
	require.Equal(t, 3, frames)
	seen := map[string]bool{}
	for range 3 {
		s.StepFrame(1)
		seen[settled(t, s)] = true
	}
	assert.Len(t, seen, 3)
	s.SetFrame(2)
	assert.Contains(t, s.CopyCamera(), "--frame 2")
}
