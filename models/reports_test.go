package models

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/svo"
)

// The tests of this file hold the reader to what users of other programs
// reported, each named after the symptom. They use public files that are not
// part of the project, beside our own where these can show the same.

func shared(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(sharedVox, file))
	if err != nil {
		t.Skip("the shared models are absent:", err)
	}
	return data
}

func sharedInfo(t *testing.T, file string) (Info, []Voxel) {
	t.Helper()
	a := decode(t, shared(t, file))
	info, err := a.Info(0)
	require.NoError(t, err)
	return info, flatten(t, a, 0)
}

func TestReportRotatedOddSizesAreNotOneVoxelOff(t *testing.T) {
	// A bar of 3 on a bar of 3 that is turned about z: they share the middle.
	bar := voxSceneModel{size: [3]int32{3, 1, 1}, voxels: [][4]byte{{0, 0, 0, 1}, {1, 0, 0, 1}, {2, 0, 0, 1}}}
	turned := oneShape(0, [3]int{0, 0, 1})
	turned.moves[0].rotation = 1 | 0<<2 | 1<<4 // x from -y, y from x
	a := decode(t, (&voxScene{version: 200, models: []voxSceneModel{bar}, root: group(oneShape(0, [3]int{}), turned)}).bytes())
	require.Equal(t, [][3]int32{{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {-1, -1, 1}, {-1, 0, 1}, {-1, 1, 1}}, places(flatten(t, a, 0)))

	t.Run("skyscraper", func(t *testing.T) {
		_, flat := sharedInfo(t, "skyscraper_01_000.vox")
		require.Len(t, flat, 88680)
		layers := map[int32]int{}
		for _, v := range flat {
			layers[v.At[2]]++
		}
		for z := range int32(150) {
			require.NotZero(t, layers[z], "layer %d", z)
		}
		require.Len(t, layers, 150)
	})
}

func TestReportRotationIsNotTransposed(t *testing.T) {
	// x to y, y to z, z to x: its transpose goes the other way round.
	n := oneShape(0, [3]int{})
	n.moves[0].rotation = 2 | 0<<2
	m := voxSceneModel{size: [3]int32{1, 1, 1}, voxels: [][4]byte{{0, 5, 0, 1}}}
	a := decode(t, (&voxScene{version: 200, models: []voxSceneModel{m}, root: n}).bytes())
	require.Equal(t, [][3]int32{{0, 0, 5}}, places(flatten(t, a, 0)))

	t.Run("vox_character", func(t *testing.T) {
		info, flat := sharedInfo(t, "vox_character.vox")
		require.Len(t, flat, 4260)
		require.Equal(t, Bounds{[3]float64{-9, -5, 0}, [3]float64{9, 6, 58}}, info.Bounds)
	})
}

func TestReportAllModelsAreImported(t *testing.T) {
	info, flat := sharedInfo(t, "phantom_mansion.vox")
	require.Equal(t, 17, info.Models)
	require.Len(t, flat, 633134)
	require.Equal(t, Bounds{[3]float64{81, 118, 0}, [3]float64{343, 353, 247}}, info.Bounds)
}

func TestReportClonesAreNotDropped(t *testing.T) {
	info, flat := sharedInfo(t, "test_multiple_model_scene.vox")
	require.Equal(t, []int{41, 104, 12926}, []int{info.Models, info.Instances, len(flat)})
}

func TestReportOldAnimationShowsOneFrame(t *testing.T) {
	a := decode(t, shared(t, "deer.vox"))
	require.Equal(t, 4, a.Frames)
	require.Len(t, flatten(t, a, 0), 355)
	total, seen := 0, map[uint64]bool{}
	for frame := range a.Frames {
		flat := flatten(t, a, frame)
		_, hash := Hashes(flat)
		total, seen[hash] = total+len(flat), true
	}
	require.Equal(t, 1415, total)
	require.Len(t, seen, 4, "four different pictures")
	_, err := a.Placements(9)
	require.EqualError(t, err, "frame 9: the model has 4, counted from 0")
}

func TestReportVersion200IsRead(t *testing.T) {
	for file, voxels := range map[string]int{"mxcop_toad.vox": 313, "meg_castle.vox": 2628} {
		info, flat := sharedInfo(t, file)
		require.Equal(t, 200, info.Version)
		require.Len(t, flat, voxels)
		require.Empty(t, info.Warnings)
	}
}

func TestReportUnknownChunkDoesNotStopTheReader(t *testing.T) {
	data := shared(t, "placeholder.vox")
	require.Empty(t, decode(t, data).Warnings)
	data = append(data, voxChunk("ZZZZ", []byte("made up"))...)
	binary.LittleEndian.PutUint32(data[16:], uint32(len(data)-20))
	a := decode(t, append(data, 0))
	require.Len(t, flatten(t, a, 0), 4)
	require.Len(t, a.Warnings, 1)
}

func TestReportTeardownModelsAreRead(t *testing.T) {
	info, flat := sharedInfo(t, "teardown.vox")
	require.Equal(t, 8, info.Models)
	require.Len(t, flat, 10864)
	require.Empty(t, info.Warnings)
}

func TestReportMissingPaletteIsTheDefaultOne(t *testing.T) {
	info, flat := sharedInfo(t, "chr_cat.vox")
	require.Equal(t, 12, info.Colours)
	counts := colourCounts(flat)
	require.Equal(t, 335, counts[svo.Colour{34, 34, 34}], "a black cat")
	require.Equal(t, 13, counts[svo.Colour{255, 153, 102}], "with some orange")
	require.Zero(t, counts[svo.Colour{102, 153, 255}], "which is not blue")
}

func TestReportPaletteIsNotOffByOne(t *testing.T) {
	a := decode(t, (&voxScene{version: 150, models: []voxSceneModel{dot}, palette: [][4]byte{{10, 20, 30, 255}, {1, 1, 1, 255}}}).bytes())
	require.Equal(t, svo.Colour{10, 20, 30}, flatten(t, a, 0)[0].Colour)

	t.Run("monu1", func(t *testing.T) {
		_, flat := sharedInfo(t, "monu1.vox")
		raw, err := os.ReadFile(filepath.Join(sharedVox, "../xraw/monu1.xraw"))
		if err != nil {
			t.Skip("the shared models are absent:", err)
		}
		require.Equal(t, xrawColours(raw), colourCounts(flat))
	})
}

// xrawColours counts the colours of MagicaVoxel's own raw export: a header of
// 24 bytes (magic, 4 bytes of types, size x y z, size of the palette), one byte
// a voxel, then the palette, whose first colour is index 0.
func xrawColours(raw []byte) map[svo.Colour]int {
	size := func(i int) int { return int(binary.LittleEndian.Uint32(raw[8+4*i:])) }
	voxels := raw[24 : 24+size(0)*size(1)*size(2)]
	palette := raw[24+len(voxels):]
	counts := map[svo.Colour]int{}
	for _, index := range voxels {
		if index != 0 {
			counts[svo.Colour(palette[4*int(index):][:3])]++
		}
	}
	return counts
}

func colourCounts(flat []Voxel) map[svo.Colour]int {
	counts := map[svo.Colour]int{}
	for _, v := range flat {
		counts[v.Colour]++
	}
	return counts
}

func TestReportImapChangesNoColour(t *testing.T) {
	order := make([]byte, 256)
	for i := range order {
		order[i] = byte(i + 17)
	}
	s := &voxScene{version: 150, models: []voxSceneModel{dot}}
	plain := flatten(t, decode(t, s.bytes()), 0)
	s.extra = voxChunk("IMAP", order)
	require.Equal(t, plain, flatten(t, decode(t, s.bytes()), 0))

	t.Run("meg_Crate", func(t *testing.T) {
		info, _ := sharedInfo(t, "meg_Crate.vox")
		require.Equal(t, 4, info.Colours)
	})
}

func TestReportModelsOf256AreRead(t *testing.T) {
	m := voxSceneModel{size: [3]int32{256, 256, 256}, voxels: [][4]byte{{0, 0, 0, 1}, {255, 255, 255, 255}}}
	a := decode(t, (&voxScene{version: 200, models: []voxSceneModel{m}}).bytes())
	require.Equal(t, [][3]int32{{-128, -128, -128}, {127, 127, 127}}, places(flatten(t, a, 0)))

	t.Run("dragon", func(t *testing.T) {
		info, flat := sharedInfo(t, "mxcop_dragon.vox")
		require.Len(t, flat, 691967)
		require.Equal(t, []float64{-128, -128, 128, 128}, slices.Concat(info.Bounds.Min[:2], info.Bounds.Max[:2]))
	})
	t.Run("plane", func(t *testing.T) {
		_, flat := sharedInfo(t, "sven_plane.vox")
		require.Len(t, flat, 65536)
	})
}
