package models

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/svo"
)

// listed loads a list from a folder of its own, with files beside it.
func listed(t *testing.T, list string, opts Options, beside map[string]string) (*Asset, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range beside {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "list.json"), []byte(list), 0o666))
	a, err := Load(filepath.Join(dir, "list.json"), opts)
	if err != nil {
		err = fmt.Errorf("%s", strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
	}
	return a, err
}

func placed(t *testing.T, list string) []Placement {
	t.Helper()
	a, err := listed(t, list, Options{}, nil)
	require.NoError(t, err)
	placements, err := a.Placements(0)
	require.NoError(t, err)
	return placements
}

// Where a point of the model stands, for all ways to say so.
func TestTransformsOfInstances(t *testing.T) {
	for transform, want := range map[string]mgl64.Vec3{
		`{}`:                                   {1, 2, 3},
		`{"position": [10, 20, 30]}`:           {11, 22, 33},
		`{"rotation": [0, 0, 90]}`:             {-2, 1, 3},
		`{"rotation": [90, 0, 0]}`:             {1, -3, 2},
		`{"rotation": [0, -90, 0]}`:            {-3, 2, 1},
		`{"rotation": [90, 0, 90]}`:            {3, 1, 2}, // about x first
		`{"rotation": [0, 0, -630]}`:           {-2, 1, 3},
		`{"rotation": [0, 0, 1, 1]}`:           {-2, 1, 3}, // a quaternion of any length
		`{"rotation": [0,-1,0, 1,0,0, 0,0,1]}`: {-2, 1, 3},
		`{"scale": 2}`:                         {2, 4, 6},
		`{"scale": [1, -2, 0.5]}`:              {1, -4, 1.5},
		`{"position": [1, 0, 0], "rotation": [0, 0, 90], "scale": [2, 1, 1]}`: {-1, 2, 3},
		`{"matrix": [0,-1,0, 1,0,0, 0,0,1]}`:                                  {-2, 1, 3},
		`{"matrix": [0,-1,0,5, 1,0,0,6, 0,0,1,7, 0,0,0,1]}`:                   {3, 7, 10},
	} {
		p := placed(t, `[{"model": "proc:cube", "transform": `+transform+`}]`)
		require.Len(t, p, 1)
		at := mgl64.TransformCoordinate(mgl64.Vec3{1, 2, 3}, p[0].Transform)
		require.True(t, at.ApproxEqualThreshold(want, 1e-9), "%s: %v, want %v", transform, at, want)
	}
	// Right angles are exact: such scenes can be flattened.
	a, err := listed(t, `[{"model": "proc:cube?depth=2", "transform": {"rotation": [90, 180, 270], "position": [5, 0, 1e1]}}]`, Options{}, nil)
	require.NoError(t, err)
	_, err = Flatten(a, 0, Options{})
	require.NoError(t, err)
}

func TestCopiesOfInstances(t *testing.T) {
	at := func(p Placement) mgl64.Vec3 { return p.Transform.Col(3).Vec3() }
	row := placed(t, `[{"model": "proc:cube", "count": 3, "spacing": [10, 1, 0], "transform": {"position": [0, 0, 7], "rotation": [0, 0, 90]}}]`)
	require.Len(t, row, 3)
	require.Equal(t, mgl64.Vec3{20, 2, 7}, at(row[2]), "along the world's axes, whatever the rotation")
	grid := placed(t, `[{"model": "proc:cube", "grid": {"count": [2, 3, 4], "spacing": [10, 20, 30]}}]`)
	require.Len(t, grid, 24)
	require.Equal(t, mgl64.Vec3{10, 0, 0}, at(grid[1]), "x runs fastest")
	require.Equal(t, mgl64.Vec3{10, 40, 90}, at(grid[23]))

	const crowd = `[{"model": "proc:cube", "transform": {"position": [0, 0, 5]}, "scatter": {"count": 500, "seed": %d,
		"box": [[-10, 0, 1], [10, 0, 3]], "yaw": [0, 90], "scale": [0.5, 2]}}]`
	some := placed(t, fmt.Sprintf(crowd, 1))
	require.Len(t, some, 500)
	require.Equal(t, some, placed(t, fmt.Sprintf(crowd, 1)), "the same seed, the same places")
	require.NotEqual(t, some, placed(t, fmt.Sprintf(crowd, 2)))
	low, high := 99.0, 0.0
	left := 0
	for _, p := range some {
		v := at(p)
		require.True(t, v[0] >= -10 && v[0] <= 10 && v[1] == 0 && v[2] >= 6 && v[2] <= 8, "%v", v)
		if v[0] < 0 {
			left++
		}
		x := p.Transform.Mat3().Col(0)
		require.True(t, x[0] >= -1e-9 && x[1] >= -1e-9 && x[2] == 0, "turned about the vertical by 0 to 90 degrees: %v", x)
		low, high = min(low, x.Len()), max(high, x.Len())
	}
	require.InDelta(t, 250, left, 60)
	require.InDelta(t, 0.5, low, 0.05)
	require.InDelta(t, 2, high, 0.05)
}

// A file is loaded once however often and by whatever name it is placed; models
// of several files keep their own colours.
func TestModelsOfAListAreLoadedOnce(t *testing.T) {
	vox := func(c string) string {
		s := voxScene{version: 150, models: []voxSceneModel{dot}}
		s.palette = nil
		return string(s.bytes()) + c
	}
	a, err := listed(t, `[
		{"model": "a/b.vox"}, {"model": "./a/../a/b.vox", "name": "again", "hidden": true},
		{"model": "proc:cube?depth=1", "count": 2, "spacing": [3, 0, 0]}, {"model": "proc:cube?depth=1"}]`,
		Options{}, map[string]string{"a/b.vox": vox("")})
	require.NoError(t, err)
	require.Len(t, a.Models, 2)
	info, err := a.Info(0)
	require.NoError(t, err)
	require.Equal(t, "instances", info.Format)
	require.Equal(t, 5, info.Instances)
	require.Equal(t, 4, info.InstancesVisible)
	require.EqualValues(t, 1+3*8, info.VoxelsPlaced)
	placements, err := a.Placements(0)
	require.NoError(t, err)
	require.Equal(t, "again", placements[1].Name)
	own, err := Load("proc:cube?depth=1", Options{})
	require.NoError(t, err)
	require.Equal(t, own.Models[0].Tree.Colours, a.Models[1].Tree.Colours)
	require.NotEqual(t, svo.Colour{}, a.Models[0].Tree.Colours[0])
}

// Lists hold lists: what these place is moved with them.
func TestListsInLists(t *testing.T) {
	a, err := listed(t, `[{"model": "in/pair.json", "grid": {"count": [1, 2, 1], "spacing": [0, 50, 0]}, "transform": {"rotation": [0, 0, 90]}}, {"model": "proc:island"}]`,
		Options{}, map[string]string{"in/pair.json": `[{"model": "one.json", "count": 2, "spacing": [10, 0, 0]}]`,
			"in/one.json": `[{"model": "proc:cube"}]`})
	require.NoError(t, err)
	placements, err := a.Placements(0)
	require.NoError(t, err)
	require.True(t, placements[3].Transform.Col(3).ApproxEqualThreshold(mgl64.Vec4{0, 60, 0, 1}, 1e-9), "%v", placements[3].Transform)
	require.Greater(t, len(placements), 104)
	require.Equal(t, 1, a.Frames)
}

// Whatever is wrong is told in one sentence, with its place.
func TestMistakesInLists(t *testing.T) {
	const begin = `[{"model": "proc:cube", `
	deep := strings.Repeat("[", 40) + strings.Repeat("]", 40)
	for list, want := range map[string]string{
		``:                                       "list.json: the file is empty",
		`[]`:                                     "list.json: the list is empty: there is nothing to be seen",
		`{"model": "x"}`:                         `list.json:1:1: a list of instances is expected here, like [{"model": "proc:island"}]`,
		"[\n  {\"modle\": 1}]":                   `list.json:2:4: key "modle" is unknown in an instance; there are model, name, hidden, transform, count, spacing, grid, scatter`,
		`[{}]`:                                   `list.json:1:2: an instance needs a "model": a file or a name like proc:island`,
		`[3]`:                                    `list.json:1:2: an instance must be an object like {"model": ...}`,
		`[{"model": 3}]`:                         "list.json:1:12: model must be a text in quotes",
		`[{"model": ""}]`:                        "list.json:1:12: model must be a text in quotes",
		`[{"model": "x.vox"}]`:                   "list.json:1:12: x.vox: no such file or directory",
		`[{"model": "proc:x"}]`:                  "list.json:1:12: proc:x: no such model; there are proc:island, ",
		`[{"model": "proc:cube"}`:                "list.json:1:24: the text ends in the middle of a value",
		"[{\"model\": \"proc:cube\"},\n \u00e4]": "list.json:2:2: this is no JSON: invalid character",
		`[{"model": "proc:cube"}] []`:            "list.json:1:26: there is something after the end of the list; remove it",
		begin + `"model": "proc:cube"}]`:         `list.json:1:25: key "model" stands here twice`,
		deep:                                     "list.json:1:33: values are nested deeper than 32",
		begin + `"name": 4}]`:                    "list.json:1:33: name must be a text in quotes",
		begin + `"hidden": 1}]`:                  "list.json:1:35: hidden must be true or false",
		begin + `"transform": 1}]`:               `list.json:1:38: transform must be an object like {"position": ...}`,
		begin + `"transform": {"pos": []}}]`:     `list.json:1:39: key "pos" is unknown in transform; there are position, rotation, scale, matrix`,
		begin + `"transform": {"position": 1}}]`: "list.json:1:51: position must be a list of 3 numbers",
		begin + `"transform": {"position": [1, 2, "z"]}}]`:                                  "list.json:1:58: number 3 of position must be a number from -1e+09 to 1e+09",
		begin + `"transform": {"position": [1, 2, 1e10]}}]`:                                 "list.json:1:58: number 3 of position must be a number from -1e+09 to 1e+09",
		begin + `"transform": {"rotation": [1, 2]}}]`:                                       "list.json:1:51: rotation must be a list of 3, 4 or 9 numbers",
		begin + `"transform": {"rotation": [0, 0, 0, 0]}}]`:                                 "list.json:1:51: a rotation by the quaternion 0, 0, 0, 0 is none",
		begin + `"transform": {"rotation": [1,0,0, 0,1,0, 1,1,0]}}]`:                        "list.json:1:51: the rotation flattens what it is applied to: its determinant is too near to 0",
		begin + `"transform": {"scale": 0}}]`:                                               "list.json:1:48: a scale of 0 leaves nothing to be seen; the least is 1e-06",
		begin + `"transform": {"scale": "big"}}]`:                                           "list.json:1:48: scale must be a number from -1e+06 to 1e+06",
		begin + `"transform": {"scale": [1, 2]}}]`:                                          "list.json:1:48: scale must be a list of 3 numbers",
		begin + `"transform": {"matrix": [1]}}]`:                                            "list.json:1:49: matrix must be a list of 9 or 16 numbers",
		begin + `"transform": {"matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 5,6,7,1]}}]`:           "list.json:1:49: the last row of a matrix must be 0, 0, 0, 1; the numbers stand row by row",
		begin + `"transform": {"matrix": [1,0,0, 0,1,0, 0,0,1], "scale": 2}}]`:              "list.json:1:38: a matrix says it all: leave out position, rotation and scale, or the matrix",
		begin + `"count": 0, "spacing": [1, 0, 0]}]`:                                        "list.json:1:34: count must be a whole number from 1 to 1048576",
		begin + `"count": 2.5, "spacing": [1, 0, 0]}]`:                                      "list.json:1:34: count must be a whole number from 1 to 1048576",
		begin + `"count": 1e9, "spacing": [1, 0, 0]}]`:                                      "list.json:1:34: count must be a whole number from 1 to 1048576",
		begin + `"count": 2}]`:                                                              `list.json:1:34: a count needs a "spacing": the step from one to the next, like [10, 0, 0]`,
		begin + `"spacing": [1, 0, 0]}]`:                                                    "list.json:1:36: spacing belongs to a count; a grid has its own",
		begin + `"count": 1, "grid": {}}]`:                                                  "list.json:1:2: an instance has one of count, grid and scatter: leave out the others",
		begin + `"grid": {}}]`:                                                              `list.json:1:33: a grid needs a "count" and a "spacing", each along x, y and z`,
		begin + `"grid": {"count": 3, "spacing": []}}]`:                                     "list.json:1:43: count of a grid must be a list of 3 numbers",
		begin + `"grid": {"count": [1048576, 1048576, 1048576], "spacing": [1, 1, 1]}}]`:    "list.json:1:43: a grid of more than 1048576 copies exceeds the limit; choose fewer or raise the limit",
		begin + `"scatter": {"count": 3}}]`:                                                 `list.json:1:36: scatter needs a "count" and a "box": its lowest and its highest corner`,
		begin + `"scatter": {"count": 3, "box": [1, 2, 3]}}]`:                               "list.json:1:56: box must be a list of 2 corners, each a list of 3 numbers",
		begin + `"scatter": {"count": 3, "box": [[0, 0, 0], [1, -1, 0]]}}]`:                 "list.json:1:56: box: 0 is above -1 along y; give the lowest corner first",
		begin + `"scatter": {"count": 3, "box": [[0, 0, 0], [1, 1, 0]], "seed": -1}}]`:      "list.json:1:88: seed must be a whole number from 0 to 9007199254740991",
		begin + `"scatter": {"count": 3, "box": [[0, 0, 0], [1, 1, 0]], "yaw": [2, 1]}}]`:   "list.json:1:87: yaw goes from 2 to 1; give the lower one first",
		begin + `"scatter": {"count": 3, "box": [[0, 0, 0], [1, 1, 0]], "scale": [0, 1]}}]`: "list.json:1:90: number 1 of scale must be a number from 1e-06 to 1e+06",
		begin + `"count": 1048576, "spacing": [1, 0, 0]}, {"model": "proc:cube"}]`:          "list.json:1:66: 1 copies of 1 placed models exceed the limit of 1048576 for the whole list; choose fewer or raise the limit",
		`[{"model": "proc:island", "count": 100000, "spacing": [1, 0, 0]}]`:                 "list.json:1:2: 100000 copies of ",
		`[{"model": "list.json"}]`:                                                          "list.json:1:12: list.json places itself by way of this list: there would be no end to it",
		`[{"model": "loop.json"}]`:                                                          "list.json:1:12: loop.json:1:12: list.json places itself by way of this list: there would be no end to it",
		`[{"model": "bad.json"}]`:                                                           "list.json:1:12: bad.json:1:2: an instance must be an object",
	} {
		_, err := listed(t, list, Options{}, map[string]string{"loop.json": `[{"model": "list.json"}]`, "bad.json": `[1]`})
		require.ErrorContains(t, err, want)
		require.True(t, strings.HasPrefix(err.Error(), want), "%s\nwant %s", err, want)
		require.NotContains(t, err.Error(), "\n")
	}
}

func TestListsKeepWithinMemory(t *testing.T) {
	_, err := listed(t, `[{"model": "proc:cube", "count": 10000, "spacing": [1, 0, 0]}]`, Options{MaxMemory: 1 << 20}, nil)
	require.EqualError(t, err, "list.json:1:2: with this the list exceeds the memory limit of 1 MiB; choose fewer models and copies or raise the limit")
	// Nothing is kept of what is wrong: a text is not taken for a tree of values
	// that takes a hundred times as much.
	values := strings.Repeat("0,", 1_000_000) + "0"
	for text, want := range map[string]string{
		"[" + values + "]":                    "list.json:1:2: an instance must be an object",
		`[{"model": [` + values + "]}]":       "list.json:1:2009: more than 1000 values stand in one",
		strings.Repeat("[", 1_000_000):        "list.json:1:33: values are nested deeper than 32",
		"[" + strings.Repeat(" ", 20_000_000): "list.json:1:20000002: the text ends in the middle of a value",
	} {
		data := []byte(text)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := decodeInstances(data, "list.json", Options{})
		runtime.ReadMemStats(&after)
		require.ErrorContains(t, err, want)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(6*len(data)))
	}
}

func TestExampleListLoads(t *testing.T) {
	a, err := LoadInstances("../docs/scenes/archipelago.json", Options{})
	require.NoError(t, err)
	info, err := a.Info(0)
	require.NoError(t, err)
	require.Greater(t, info.Instances, 500)
}

// FuzzInstances: whatever the text, it ends in a sound asset within its limits,
// or in one sentence that names the file. No file is read for it.
func FuzzInstances(f *testing.F) {
	opts := Options{MaxMemory: 4 << 20, MaxPlacements: 1000}
	cube, err := Load("proc:cube?depth=1", Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l := newLister(opts)
		l.load = func(path string, _ Options) (*Asset, error) {
			if strings.HasSuffix(path, "cube") {
				return cube, nil
			}
			return nil, fmt.Errorf("%s: no such model", path)
		}
		l.read = func(path string, _ Options) ([]byte, error) { return data, nil }
		a, err := l.list(data, "fuzz.json", "fuzz.json")
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "fuzz.json:"), err)
			return
		}
		placements, err := a.Placements(0)
		require.NoError(t, err)
		require.LessOrEqual(t, len(placements), opts.MaxPlacements)
		for _, p := range placements {
			require.Less(t, p.Model, len(a.Models))
			for _, v := range p.Transform {
				require.False(t, v-v != 0, "%v", p.Transform)
			}
			require.NotZero(t, p.Transform.Mat3().Det())
		}
	})
}
