package models

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNamesLoad(t *testing.T) {
	for _, name := range Names() {
		load := func() (*Asset, error) { return Load(name, Options{}) }
		if name == "proc:city?instances=100000&seed=1" {
			load = theCity // which takes seconds
		}
		a, err := load()
		require.NoError(t, err, name)
		info, err := a.Info(0)
		require.NoError(t, err)
		require.NotZero(t, info.VoxelsStored, name)
		for _, m := range a.Models {
			require.NoError(t, m.Tree.Validate(), name)
		}
	}
	byDefault, err := Load("", Options{})
	require.NoError(t, err)
	named, err := Load(Names()[0], Options{})
	require.NoError(t, err)
	require.Equal(t, flatten(t, named, 0), flatten(t, byDefault, 0))
}

func TestBadNames(t *testing.T) {
	for name, want := range map[string]string{
		"proc:terain":               "proc:terain: no such model; there are proc:island, proc:sponge?depth=24, ",
		"proc:terrain?size=0":       `proc:terrain?size=0: size "0" must be a whole number from 1 to 16384`,
		"proc:terrain?size=big":     `proc:terrain?size=big: size "big" must be a whole number from 1 to 16384`,
		"proc:sponge?depth=31":      `proc:sponge?depth=31: depth "31" must be a whole number from 1 to 30`,
		"proc:cube?size=3":          `proc:cube?size=3: no parameter "size" here; see proc:island, `,
		"proc:cube?%zz":             "proc:cube?%zz: parameters have the form name=number&name=number",
		"proc:terrain?size=16384":   "proc:terrain?size=16384: about 805306368 voxels exceed the memory limit of 2 GiB; choose a smaller size or raise the limit",
		"nowhere.vox":               "nowhere.vox: no such file or directory",
		"testdata/../testdata/.vox": "testdata/../testdata/.vox: no such file or directory",
	} {
		_, err := Load(name, Options{})
		require.ErrorContains(t, err, want)
		require.True(t, strings.HasPrefix(err.Error(), want), err)
	}
}

func TestUnreadableFiles(t *testing.T) {
	dir := t.TempDir()
	_, err := Load(dir, Options{})
	require.ErrorContains(t, err, dir+": ")
	require.Equal(t, 1, strings.Count(err.Error(), dir))
	for content, want := range map[string]string{
		"":         "the file is empty",
		"DOOD....": `it starts with "DOOD" and is no model in a known format (MagicaVoxel .vox, Stanford PLY .ply, list of instances .json)`,
	} {
		path := filepath.Join(dir, "a.vox")
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		_, err := Load(path, Options{})
		require.EqualError(t, err, path+": "+want)
	}
	// A name without an extension is no obstacle.
	path := filepath.Join(dir, "model")
	require.NoError(t, os.WriteFile(path, (&voxScene{version: 150, models: []voxSceneModel{dot}}).bytes(), 0o600))
	_, err = Load(path, Options{})
	require.NoError(t, err)
}

func TestASpongeOfEachDepth(t *testing.T) {
	// Each level has the 8 octants of a sponge, or the 4 cells of each of these.
	voxels := uint64(1)
	for depth := 1; depth <= 20; depth++ {
		voxels *= uint64(8 - 4*(1-depth%2))
		tree, err := Sponge(depth)
		require.NoError(t, err, "depth %d", depth)
		require.Equal(t, voxels, tree.Voxels())
	}
}

func TestSpongeIsWhatItSaysItIs(t *testing.T) {
	tree, err := Sponge(4)
	require.NoError(t, err)
	require.Len(t, tree.Nodes, 13)
	// Two generations: a cell of 4, kept where two of its coordinates are outer,
	// inside such a cell.
	kept := func(x, y, z uint32) bool {
		outer := 0
		for _, c := range [3]uint32{x, y, z} {
			if c == 0 || c == 3 {
				outer++
			}
		}
		return outer >= 2
	}
	for z := range uint32(16) {
		for y := range uint32(16) {
			for x := range uint32(16) {
				_, there := tree.At(x, y, z)
				require.Equal(t, kept(x/4, y/4, z/4) && kept(x%4, y%4, z%4), there, "%d %d %d", x, y, z)
			}
		}
	}
	for _, depth := range []int{0, 31, -1} {
		_, err := Sponge(depth)
		require.Error(t, err)
		_, err = Cube(depth)
		require.Error(t, err)
	}
	deep, err := Sponge(30)
	require.NoError(t, err)
	_, high := deep.Bounds()
	require.Equal(t, [3]uint32{1 << 30, 1 << 30, 1 << 30}, high)
}

func TestCubeIsSolid(t *testing.T) {
	tree, err := Cube(5)
	require.NoError(t, err)
	require.EqualValues(t, 32*32*32, tree.Voxels())
	require.LessOrEqual(t, len(tree.Nodes), 9)
}

func TestSphereShellIsClosed(t *testing.T) {
	for _, size := range []int{1, 2, 3, 4, 7, 16, 33} {
		tree, err := SphereShell(size)
		require.NoError(t, err)
		inside := func(x, y, z int) bool {
			x, y, z = 2*x+1-size, 2*y+1-size, 2*z+1-size
			return x*x+y*y+z*z <= size*size
		}
		for z := range size {
			for y := range size {
				for x := range size {
					seen := inside(x, y, z) && !(inside(x-1, y, z) && inside(x+1, y, z) && inside(x, y-1, z) &&
						inside(x, y+1, z) && inside(x, y, z-1) && inside(x, y, z+1))
					_, there := tree.At(uint32(x), uint32(y), uint32(z))
					require.Equal(t, seen, there, "size %d: %d %d %d", size, x, y, z)
				}
			}
		}
	}
	for _, size := range []int{0, -5, 1<<21 + 1} {
		_, err := SphereShell(size)
		require.Error(t, err)
		_, err = Terrain(size, 1)
		require.Error(t, err)
	}
}

func TestTerrainHasNoHoles(t *testing.T) {
	const size = 64
	tree, err := Terrain(size, 5)
	require.NoError(t, err)
	var bottom, top [size][size]int
	for v := range tree.All() {
		x, y, z := v[0], v[1], int(v[2])
		if top[y][x] == 0 || z < bottom[y][x] {
			bottom[y][x] = z
		}
		top[y][x] = max(top[y][x], z)
	}
	for y := range size {
		for x := range size {
			require.NotZero(t, top[y][x])
			require.Less(t, top[y][x], size/2)
			if x > 0 {
				require.LessOrEqual(t, bottom[y][x], top[y][x-1]+1)
				require.LessOrEqual(t, bottom[y][x-1], top[y][x]+1)
			}
			if y > 0 {
				require.LessOrEqual(t, bottom[y][x], top[y-1][x]+1)
				require.LessOrEqual(t, bottom[y-1][x], top[y][x]+1)
			}
		}
	}
	other, err := Terrain(size, 6)
	require.NoError(t, err)
	require.NotEqual(t, tree.Nodes, other.Nodes, "another seed, another land")
}

// The same on every machine: these sums were computed on amd64. They change
// when the formulas are meant to change.
func TestProceduralModelsAreTheSameEverywhere(t *testing.T) {
	for name, want := range map[string]Hash{
		"proc:terrain?size=100&seed=3": {11457, "c3d1443303900e60", "6493375f77e58d1f"},
		"proc:sphere?size=50":          {6384, "1d5a68a2700dfd83", "02aaa799d9abed7b"},
		"proc:island":                  {161063, "0086dc5b5cf23b48", "6785d25d1137956c"},
	} {
		a, err := Load(name, Options{})
		require.NoError(t, err)
		hash, err := a.Hash(0, Options{})
		require.NoError(t, err)
		require.Equal(t, want, *hash, name)
	}
}

func TestIslandIsPlacedNotMerged(t *testing.T) {
	a, err := Island()
	require.NoError(t, err)
	info, err := a.Info(0)
	require.NoError(t, err)
	require.Greater(t, info.Instances, 5*info.Models)
	require.Greater(t, info.Colours, 100)
	require.GreaterOrEqual(t, info.Bounds.Max[0]-info.Bounds.Min[0], 128.0)
	require.LessOrEqual(t, info.Bounds.Max[0]-info.Bounds.Min[0], 256.0)
	require.Less(t, info.VoxelsStored, uint64(200_000))
}

func TestFlattenRefusesWhatIsNoGrid(t *testing.T) {
	tree, err := Cube(2)
	require.NoError(t, err)
	a := still("proc", treeModel("", tree))
	placements, err := a.Placements(0)
	require.NoError(t, err)
	for name, e := range map[string]struct {
		i     int
		value float64
	}{"scaled": {0, 2}, "sheared": {1, 1}, "moved by halves": {12, 0.5}, "far": {12, 1e30}, "flat": {0, 0}} {
		p := placements[0]
		p.Transform[e.i] = e.value
		a.placements = func(int) []Placement { return []Placement{p} }
		_, err := Flatten(a, 0, Options{})
		require.ErrorContains(t, err, "can't be flattened", name)
	}
	p := placements[0]
	p.Transform[12] = 1 << 40
	a.placements = func(int) []Placement { return []Placement{p} }
	_, err = Flatten(a, 0, Options{})
	require.ErrorContains(t, err, "beyond the coordinates of 32 bits")

	sponge, err := Load("proc:sponge?depth=30", Options{})
	require.NoError(t, err)
	_, err = sponge.Hash(0, Options{})
	require.ErrorContains(t, err, "too many voxels to flatten")
}

func TestInfoHasTheAgreedNames(t *testing.T) {
	a, err := Load("proc:cube?depth=2", Options{})
	require.NoError(t, err)
	info, err := a.Info(0)
	require.NoError(t, err)
	text, err := json.Marshal(info)
	require.NoError(t, err)
	require.JSONEq(t, `{"format":"proc","version":0,"models":1,"voxels_stored":64,"voxels_placed":64,"instances":1,"instances_visible":1,
		"frames":1,"bounds":{"min":[0,0,0],"max":[4,4,4]},"depth":2,"bytes_per_voxel":`+number(info.BytesPerVoxel)+`,"colours":8,"warnings":[]}`, string(text))
	info.Hash, err = a.Hash(0, Options{})
	require.NoError(t, err)
	text, err = json.Marshal(info)
	require.NoError(t, err)
	require.Contains(t, string(text), `"voxels":64,"pos_hash":"`)
	require.Contains(t, string(text), `"flat_hash":"`)
	_, err = a.Info(1)
	require.EqualError(t, err, "frame 1: the model has 1, counted from 0")
}

func number(f float64) string {
	text, _ := json.Marshal(f) // a finite number never fails
	return string(text)
}
