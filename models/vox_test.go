package models

import (
	"bytes"
	"compress/zlib"
	"image/color"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/svo"
)

// dot is a model of one voxel.
var dot = voxSceneModel{size: [3]int32{1, 1, 1}, voxels: [][4]byte{{0, 0, 0, 1}}}

func decode(t *testing.T, data []byte) *Asset {
	t.Helper()
	a, err := Decode(bytes.NewReader(data), "scene.vox", Options{})
	require.NoError(t, err)
	return a
}

func flatten(t *testing.T, a *Asset, frame int) []Voxel {
	t.Helper()
	flat, err := Flatten(a, frame, Options{})
	require.NoError(t, err)
	return flat
}

func places(flat []Voxel) (list [][3]int32) {
	for _, v := range flat {
		list = append(list, v.At)
	}
	return list
}

func TestPlacementsShareTheirModel(t *testing.T) {
	const copies = 3000
	box := voxSceneModel{size: [3]int32{16, 16, 16}}
	for i := range 16 * 16 * 16 {
		box.voxels = append(box.voxels, [4]byte{byte(i % 16), byte(i / 16 % 16), byte(i / 256), 7})
	}
	root := group()
	for i := range copies {
		root.children = append(root.children, oneShape(0, [3]int{20 * i, 0, 0}))
	}
	data := (&voxScene{version: 200, models: []voxSceneModel{box}, root: root}).bytes()

	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	a := decode(t, data)
	placements, err := a.Placements(0)
	require.NoError(t, err)
	runtime.GC()
	runtime.ReadMemStats(&after)

	require.Len(t, a.Models, 1)
	require.Len(t, placements, copies)
	for _, p := range placements {
		require.Zero(t, p.Model)
	}
	require.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(5<<20), "merged, they would take 12 million voxels")
	runtime.KeepAlive(a)
}

func TestPlacementKeepsNameLayerAndVisibility(t *testing.T) {
	hidden, lit, inside := oneShape(0, [3]int{}), oneShape(0, [3]int{1, 0, 0}), oneShape(0, [3]int{2, 0, 0})
	hidden.hidden, hidden.name = true, "lamp"
	lit.layer, lit.name = 1, "sun"
	veil := group(inside)
	veil.layer = 0
	a := decode(t, (&voxScene{
		version: 150, models: []voxSceneModel{dot}, layers: []bool{true, false}, root: group(hidden, lit, veil),
	}).bytes())
	placements, err := a.Placements(0)
	require.NoError(t, err)
	require.Equal(t, []Layer{{"layer 0", true}, {"layer 1", false}}, a.Layers)
	require.Len(t, placements, 3)
	require.Equal(t, []any{"lamp", -1, true}, []any{placements[0].Name, placements[0].Layer, placements[0].Hidden})
	require.Equal(t, []any{"sun", 1, false}, []any{placements[1].Name, placements[1].Layer, placements[1].Hidden})
	require.True(t, placements[2].Hidden, "its group is on a hidden layer")
	require.Equal(t, [][3]int32{{1, 0, 0}}, places(flatten(t, a, 0)))
}

func TestFramesHoldAndLoop(t *testing.T) {
	moving := func(loop bool) *Asset {
		n := oneShape(0, [3]int{})
		n.loop = loop
		n.moves = []voxSceneMove{{2, -1, [3]int{1, 0, 0}}, {4, -1, [3]int{2, 0, 0}}}
		still := oneShape(0, [3]int{0, 5, 0})
		still.moves = []voxSceneMove{{0, -1, [3]int{0, 5, 0}}, {9, -1, [3]int{0, 6, 0}}}
		return decode(t, (&voxScene{version: 200, models: []voxSceneModel{dot}, root: group(n, still)}).bytes())
	}
	for _, tt := range []struct {
		loop bool
		x    []int32 // by frame
	}{
		{false, []int32{1, 1, 1, 1, 2, 2, 2, 2, 2, 2}},
		{true, []int32{1, 2, 1, 1, 2, 1, 1, 2, 1, 1}}, // three frames a round, 2 to 4
	} {
		a := moving(tt.loop)
		require.Equal(t, len(tt.x), a.Frames)
		for frame, x := range tt.x {
			require.Equal(t, [3]int32{x, 0, 0}, flatten(t, a, frame)[0].At, "loop %v, frame %d", tt.loop, frame)
		}
	}
	_, err := moving(false).Placements(10)
	require.EqualError(t, err, "frame 10: the model has 10, counted from 0")
	_, err = moving(false).Placements(-1)
	require.Error(t, err)
}

func TestSeveralModelsWithoutSceneGraph(t *testing.T) {
	long := voxSceneModel{size: [3]int32{3, 1, 1}, voxels: [][4]byte{{0, 0, 0, 1}, {2, 0, 0, 1}}}
	s := &voxScene{version: 150, models: []voxSceneModel{dot, long}}
	require.Equal(t, [][3]int32{{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}}, places(flatten(t, decode(t, s.bytes()), 0)), "all at once")
	s.pack = true
	a := decode(t, s.bytes())
	require.Equal(t, 2, a.Frames, "PACK makes an animation of them")
	require.Equal(t, [][3]int32{{0, 0, 0}}, places(flatten(t, a, 0)))
	require.Equal(t, [][3]int32{{-1, 0, 0}, {1, 0, 0}}, places(flatten(t, a, 1)))
}

func TestOverlapBelongsToTheLaterBeforeVersion200(t *testing.T) {
	other := dot
	other.voxels = [][4]byte{{0, 0, 0, 2}}
	s := &voxScene{
		models:  []voxSceneModel{dot, other},
		palette: [][4]byte{{1, 1, 1, 255}, {2, 2, 2, 255}},
		root:    group(oneShape(0, [3]int{}), oneShape(1, [3]int{})),
	}
	s.version = 150
	require.Equal(t, []Voxel{{Colour: svo.Colour{2, 2, 2}}}, flatten(t, decode(t, s.bytes()), 0))
	s.version = 200
	require.Equal(t, []Voxel{{Colour: svo.Colour{1, 1, 1}}}, flatten(t, decode(t, s.bytes()), 0))
}

func TestVoxelWrittenTwice(t *testing.T) {
	m := voxSceneModel{size: [3]int32{2, 1, 1}, voxels: [][4]byte{{0, 0, 0, 1}, {0, 0, 0, 2}, {1, 0, 0, 0}}}
	a := decode(t, (&voxScene{version: 150, models: []voxSceneModel{m}, palette: [][4]byte{{1, 1, 1, 255}, {2, 2, 2, 255}}}).bytes())
	require.Equal(t, []Voxel{{At: [3]int32{-1, 0, 0}, Colour: svo.Colour{2, 2, 2}}}, flatten(t, a, 0), "the last wins, index 0 is nothing")
	require.EqualValues(t, 2, a.Models[0].Stored)
	require.EqualValues(t, 1, a.Models[0].Tree.Voxels())
}

func TestDefaultPalette(t *testing.T) {
	palette := decode(t, (&voxScene{version: 150, models: []voxSceneModel{dot}}).bytes()).Palette
	require.Len(t, palette, 256)
	for index, want := range map[int]color.NRGBA{
		1: {255, 255, 255, 255}, 2: {255, 255, 204, 255}, 7: {255, 204, 255, 255}, 37: {204, 255, 255, 255}, 215: {0, 0, 51, 255},
		216: {238, 0, 0, 255}, 226: {0, 238, 0, 255}, 236: {0, 0, 238, 255}, 246: {238, 238, 238, 255}, 255: {17, 17, 17, 255},
	} {
		require.Equal(t, want, palette[index], "index %d", index)
	}
}

func TestMaterialsAreKept(t *testing.T) {
	extra := voxChunk("MATL", le32(3), voxDict("_type", "_glass", "_trans", "0.5"))
	// A MATT chunk of early files: emissive, half weight, with roughness and power.
	extra = append(extra, voxChunk("MATT", le32(4, 3, 0x3f000000, 2|32, 0x3e800000, 0x40000000))...)
	a := decode(t, (&voxScene{version: 150, models: []voxSceneModel{dot}, extra: extra}).bytes())
	require.Equal(t, map[int]map[string]string{
		3: {"_type": "_glass", "_trans": "0.5"},
		4: {"_type": "_emit", "_weight": "0.5", "_rough": "0.25", "_flux": "2"},
	}, a.Materials)
}

func TestMatrixPutsVoxelsOnWholeCells(t *testing.T) {
	// Cross-check of the table's rule, floor(R (v + 1/2 - floor(size/2))) + t, for
	// odd and even sizes and all rotations, with the matrix that instances get.
	for _, side := range []int64{1, 2, 3, 4, 5} {
		for _, b := range rotations() {
			n := voxSceneMove{rotation: b}
			r, ok := parseRotation(strconv.Itoa(b))
			require.True(t, ok)
			m := motion{r, [3]int64{10, -20, 30}}.matrix([3]int64{side / 2, side / 2, side / 2})
			v := [3]int64{side - 1, 0, side / 2}
			c := n.apply([3]int{int(2*v[0] + 1 - side/2*2), int(2*v[1] + 1 - side/2*2), int(2*v[2] + 1 - side/2*2)})
			centre := mgl64.TransformCoordinate(mgl64.Vec3{float64(v[0]) + 0.5, float64(v[1]) + 0.5, float64(v[2]) + 0.5}, m)
			require.Equal(t, mgl64.Vec3{float64(c[0])/2 + 10, float64(c[1])/2 - 20, float64(c[2])/2 + 30}, centre)
		}
	}
}

func TestBadVoxFiles(t *testing.T) {
	size, xyzi := voxChunk("SIZE", le32(1, 1, 1)), voxChunk("XYZI", le32(1), []byte{0, 0, 0, 1})
	model := append(bytes.Clone(size), xyzi...)
	with := func(chunks ...[]byte) []byte {
		return voxFileOf(150, append(bytes.Clone(model), bytes.Join(chunks, nil)...))
	}
	trn := func(id, child int32) []byte {
		return voxChunk("nTRN", le32(id), voxDict(), le32(child, -1, -1, 1), voxDict())
	}
	grp := func(id int32, children ...int32) []byte {
		return voxChunk("nGRP", le32(id), voxDict(), le32(int32(len(children))), le32(children...))
	}
	shp := func(id int32) []byte { return voxChunk("nSHP", le32(id), voxDict(), le32(1, 0), voxDict()) }

	var fan, chain []byte
	for i := range int32(30) {
		fan = append(fan, grp(i, i+1, i+1)...)
	}
	fan = append(fan, shp(30)...)
	for i := range int32(2000) {
		chain = append(chain, trn(i, i+1)...)
	}
	chain = append(chain, shp(2000)...)

	for _, tt := range []struct {
		name, want string
		data       []byte
	}{
		{"header alone", "castle.vox: the file ends at byte 8, within the header of 20 bytes", []byte("VOX \x96\x00\x00\x00")},
		{"no MAIN", "castle.vox: chunk MAIN expected at byte 8, found NIAM", append([]byte("VOX \x96\x00\x00\x00NIAM"), make([]byte, 40)...)},
		{"no model", "castle.vox: no model in it, there is no pair of SIZE and XYZI chunks", voxFileOf(150, nil)},
		{"voxels missing", "castle.vox: chunk XYZI at byte 44: 512 voxels announced, 17 present",
			voxFileOf(150, append(bytes.Clone(size), voxChunk("XYZI", le32(512), make([]byte, 17*4))...))},
		{"negative count", "castle.vox: chunk XYZI at byte 44: 4294967295 voxels announced, 0 present",
			voxFileOf(150, append(bytes.Clone(size), voxChunk("XYZI", le32(-1))...))},
		{"size missing", "castle.vox: chunk XYZI at byte 20: no chunk SIZE before it", voxFileOf(150, xyzi)},
		{"size negative", "castle.vox: chunk SIZE at byte 20: size -1x1x1, each side must be 0 to 65536", voxFileOf(150, voxChunk("SIZE", le32(-1, 1, 1)))},
		{"chunk too long", "castle.vox: chunk IMAP at byte 64: 256 bytes announced, 3 present", with([]byte("IMAP"), le32(256, 0), make([]byte, 3))},
		{"children too long", "castle.vox: chunk IMAP at byte 64: 4294967295 bytes announced, 0 present", with([]byte("IMAP"), le32(0, -1))},
		{"rest of a header", "castle.vox: the file is cut short at byte 64, within the header of a chunk", with([]byte("IMAP"))},
		{"string too long", "castle.vox: chunk MATL at byte 64: 1000 characters announced, 4 present", with(voxChunk("MATL", le32(1, 1, 1000, 0)))},
		{"properties missing", "castle.vox: chunk nGRP at byte 64: 9 properties announced, 0 present", with(voxChunk("nGRP", le32(0, 9)))},
		{"itself", "castle.vox: scene graph: node 0 contains itself", with(grp(0, 1), grp(1, 0))},
		{"fan-out", "castle.vox: scene graph: more than 1048576 placed models; raise the limit if the file is to be trusted", with(fan)},
		{"deep", "castle.vox: scene graph: nodes nested deeper than 128", with(chain)},
		{"broken zlib", "castle.vox: chunk TDCZ at byte 44: its zlib stream is broken: zlib: invalid header",
			voxFileOf(150, append(bytes.Clone(size), voxChunk("TDCZ", le32(1, 1, 1), []byte("not zlib"))...))},
		{"short zlib", "castle.vox: chunk TDCZ at byte 44: 27 cells announced, 2 present",
			voxFileOf(150, append(bytes.Clone(size), voxChunk("TDCZ", le32(3, 3, 3), deflated([]byte{1, 2}))...))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Decode(bytes.NewReader(tt.data), "castle.vox", Options{})
			require.EqualError(t, err, tt.want)
		})
	}
}

func deflated(data []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(data) // a bytes.Buffer never fails
	w.Close()
	return b.Bytes()
}

func TestRepairedVoxFilesWarn(t *testing.T) {
	base := voxScene{version: 150, models: []voxSceneModel{dot}}
	for _, tt := range []struct {
		name, want string
		change     func(*voxScene)
	}{
		{"version", "version 151 is unknown, read like 150 and 200", func(s *voxScene) { s.version = 151 }},
		{"unknown chunks", "unknown chunk ZZZZ at byte 64 skipped (and 2 more like it)",
			func(s *voxScene) { s.extra = bytes.Repeat(voxChunk("ZZZZ", []byte("data")), 3) }},
		{"chunk name", `unknown chunk "\x1b[2J" at byte 64 skipped`, func(s *voxScene) { s.extra = voxChunk("\x1b[2J") }},
		{"size alone", "a chunk SIZE without voxels ignored", func(s *voxScene) { s.extra = voxChunk("SIZE", le32(1, 1, 1)) }},
		{"palette", "chunk RGBA at byte 64 has 8 bytes instead of 1024; what is missing is taken from the default palette",
			func(s *voxScene) { s.palette = [][4]byte{{1, 2, 3, 255}, {4, 5, 6, 255}} }},
		{"outside", "model 0 has voxels outside its size of 1x1x1; they are kept",
			func(s *voxScene) { s.models = []voxSceneModel{{size: dot.size, voxels: [][4]byte{{0, 3, 0, 1}}}} }},
		{"no such model", "scene graph: node 3 shows model 9, there are 1: it is left out",
			func(s *voxScene) { s.root = group(oneShape(9, [3]int{})) }},
		{"no such child", "scene graph: node 1 has a child 77 that is missing",
			func(s *voxScene) { s.root = nil; s.extra = voxChunk("nGRP", le32(1), voxDict(), le32(1, 77)) }},
		{"rotation", `scene graph: rotation "5" is not a signed permutation, ignored`,
			func(s *voxScene) { s.root = oneShape(0, [3]int{}); s.root.moves[0].rotation = 5 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := base
			tt.change(&s)
			a := decode(t, s.bytes())
			require.Equal(t, []string{tt.want}, a.Warnings)
			_, err := Flatten(a, 0, Options{})
			require.NoError(t, err)
		})
	}
}

func TestVoxFileCutAnywhere(t *testing.T) {
	n := group(oneShape(0, [3]int{1, 2, 3}), oneShape(1, [3]int{-4, 0, 0}))
	data := (&voxScene{
		version: 200, models: []voxSceneModel{dot, {size: dot.size, voxels: dot.voxels, compressed: true}},
		root: n, layers: []bool{false, true}, palette: make([][4]byte, 255), extra: voxChunk("MATL", le32(1), voxDict("_type", "_metal")),
	}).bytes()
	for end := range data {
		a, err := Decode(bytes.NewReader(data[:end]), "cut.vox", Options{})
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "cut.vox: "), err)
			require.NotContains(t, err.Error(), "\n")
			continue
		}
		require.NotEmpty(t, a.Warnings, "cut at byte %d", end)
	}
}

func TestMemoryLimit(t *testing.T) {
	small := Options{MaxMemory: 100_000}
	zeros := voxFileOf(150, append(voxChunk("SIZE", le32(256, 256, 256)),
		voxChunk("TDCZ", le32(256, 256, 256), deflated(make([]byte, 256*256*256)))...))
	_, err := Decode(bytes.NewReader(zeros), "bomb.vox", small)
	require.EqualError(t, err, "bomb.vox: chunk TDCZ at byte 44: its voxels exceed the memory limit of 97.7 KiB; raise the limit")

	many := voxSceneModel{size: [3]int32{256, 256, 1}}
	for i := range 5000 {
		many.voxels = append(many.voxels, [4]byte{byte(i), byte(i >> 8), 0, 1})
	}
	data := (&voxScene{version: 150, models: []voxSceneModel{many}}).bytes()
	_, err = Decode(bytes.NewReader(data), "many.vox", small)
	require.EqualError(t, err, "many.vox: chunk XYZI at byte 44: its voxels exceed the memory limit of 97.7 KiB; raise the limit")
	_, err = Decode(bytes.NewReader(data), "many.vox", Options{MaxMemory: 1000})
	require.EqualError(t, err, "many.vox: larger than the memory limit of 1000 bytes; raise the limit")

	a := decode(t, data)
	_, err = Flatten(a, 0, Options{MaxMemory: 5000 * 36})
	require.NoError(t, err)
	_, err = Flatten(a, 0, Options{MaxMemory: 5000*36 - 1})
	require.ErrorContains(t, err, "too many voxels to flatten: more than the 4999 that a memory limit of 176 KiB allows")
}

func TestPlacementLimitCanBeRaised(t *testing.T) {
	data := (&voxScene{version: 200, models: []voxSceneModel{dot}, root: group(oneShape(0, [3]int{}), oneShape(0, [3]int{1, 0, 0}))}).bytes()
	_, err := Decode(bytes.NewReader(data), "two.vox", Options{MaxPlacements: 1})
	require.EqualError(t, err, "two.vox: scene graph: more than 1 placed models; raise the limit if the file is to be trusted")
	_, err = Decode(bytes.NewReader(data), "two.vox", Options{MaxPlacements: 2})
	require.NoError(t, err)
}

func TestSceneGraphThatLeadsNowhere(t *testing.T) {
	shape := func(models ...int32) []byte {
		content := append(le32(0), voxDict()...)
		content = append(content, le32(int32(len(models)))...)
		for _, m := range models {
			content = append(append(content, le32(m)...), voxDict()...)
		}
		return voxChunk("nSHP", content)
	}
	for name, graph := range map[string][]byte{
		"shape without a model":    shape(),
		"shape of a missing model": shape(7),
		"shape of a negative one":  shape(-1),
		"empty group":              voxChunk("nGRP", le32(0), voxDict(), le32(0)),
		"transform of nothing":     voxChunk("nTRN", le32(0), voxDict(), le32(5, -1, -1, 0)),
	} {
		a := decode(t, (&voxScene{version: 200, models: []voxSceneModel{dot}, extra: graph}).bytes())
		info, err := a.Info(0)
		require.NoError(t, err, name)
		require.Zero(t, info.Instances, name)
		require.Equal(t, Bounds{}, info.Bounds, name)
		require.Empty(t, flatten(t, a, 0), name)
	}
}
