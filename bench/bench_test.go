package main

import (
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/project"
)

// call runs the program and returns what it prints and notes.
func call(t *testing.T, args ...string) (out, notes string) {
	t.Helper()
	var o, n strings.Builder
	require.NoError(t, run(t.Context(), args, &o, &n))
	return o.String(), n.String()
}

// posesFile is a file with poses around proc:sphere?size=32.
func posesFile(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "poses.txt")
	text := "# scene pose eye target\nball far 16 40 80 16 16 16\nball near 16 20 40 16 16 16 # a remark\n\nother far 1 2 3 4 5 6\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

// Each sub-command on something tiny, and how many rows it gives on this
// machine at least.
func commands(t *testing.T) map[string]struct {
	args []string
	rows int
} {
	type command = struct {
		args []string
		rows int
	}
	tiny := []string{"--size", "64x64", "--rounds", "1"}
	with := func(args ...string) []string { return append(args, tiny...) }
	return map[string]command{
		"tables": {with("tables", "--frames", "2", "proc:sphere?size=32"), 3 + 2 + 2 + 2 + 1 + 3},
		"ablate": {with("ablate", "--frames", "2", "proc:sphere?size=128"), 3 + 6},
		"scaling": {with("scaling", "depth", "instances", "threads", "--model", "proc:sphere?size=32", "--shape", "sphere",
			"--deepest", "512", "--crowd", "proc:cube?depth=2", "--instances", "100"), 2 + 3 + 2},
		"city":   {with("city", "--frames", "4", "--instances", "3000"), 2 + 4},
		"ladder": {with("ablate", "--scene", "city", "--frames", "2", "--instances", "3000"), 8 + 6 + 6},
		"poses":  {with("poses", "--scene", "proc:sphere?size=32", "--poses", posesFile(t), "--name", "ball"), 2},
		"sponge": {with("sponge", "--depth", "6"), 6},
		"walk":   {with("walk", "--frames", "120", "--check", "40", "proc:sphere?size=32", "proc:sponge?depth=8"), 4},
	}
}

func TestRowsCarryAllKeys(t *testing.T) {
	for name, command := range commands(t) {
		t.Run(name, func(t *testing.T) {
			out, _ := call(t, append(command.args, "--json")...)
			var rows []map[string]any
			require.NoError(t, json.Unmarshal([]byte(out), &rows))
			require.GreaterOrEqual(t, len(rows), command.rows)
			for _, row := range rows {
				for _, key := range []string{"table", "name", "size", "threads", "median_ms", "min_ms", "mean_ms", "deviation_ms",
					"max_ms", "runs", "pixels", "ns_per_pixel", "floor_ms", "floor_share", "cpu", "cores", "go", "kernel"} {
					require.Contains(t, row, key)
				}
				require.Equal(t, "64x64", row["size"])
				require.Positive(t, row["median_ms"])
				require.LessOrEqual(t, row["min_ms"], row["median_ms"])
				require.LessOrEqual(t, row["median_ms"], row["max_ms"])
				if strings.HasPrefix(row["table"].(string), "culling ladder") { // no rung may change a byte
					require.Zero(t, row["changed_pixels"], row["name"])
				}
				if !strings.HasPrefix(row["name"].(string), "screen size") { // which drops all of a small picture
					require.Positive(t, row["pixels"], "%v sees nothing", row["name"])
				}
			}
		})
	}
}

func TestTablesNameTheMachineAndEveryRow(t *testing.T) {
	out, _ := call(t, commands(t)["sponge"].args...)
	require.Contains(t, out, "cores, go1")
	for _, name := range []string{"z=0.5", "z=0.7", "z=0.9", "z=1.5", "rotated z=1.5", "288 cubes", "median ms", "ns/pixel", "floor %"} {
		require.Contains(t, out, name)
	}
}

func TestFlightInPieces(t *testing.T) {
	path := &project.Path{Keys: []project.Key{{Target: mgl64.Vec3{0, 1}}, {Seconds: 20, Eye: mgl64.Vec3{1200}, Target: mgl64.Vec3{0, 1}}}}
	flags, s := cityFlags{Fps: 60}, &subject{flight: path}
	all, err := flags.flight(s, 0)
	require.NoError(t, err)
	require.Len(t, all, 1200)
	some, err := flags.flight(s, 36)
	require.NoError(t, err)
	require.Equal(t, append(append(slices.Clone(all[194:206]), all[594:606]...), all[994:1006]...), some, "three runs of twelve")
	few, err := flags.flight(s, 5)
	require.NoError(t, err)
	require.Equal(t, all[598:603], few)
	_, err = flags.flight(&subject{}, 5)
	require.Error(t, err)
	_, err = flags.flight(s, -1)
	require.Error(t, err)
}

// Which kernels draw, in which order, how coverage is kept: none of these
// changes a picture. What may change one is counted against itself as well.
func TestAblationTellsWhatChangesThePicture(t *testing.T) {
	out, _ := call(t, append(commands(t)["ablate"].args, "--json")...)
	var rows []Row
	require.NoError(t, json.Unmarshal([]byte(out), &rows))
	changed := map[string]int{}
	for _, row := range rows {
		require.Equal(t, 2*64*64, row.Of)
		changed[row.Table[:strings.Index(row.Table, " ")]+"/"+row.Name] = row.Changed
	}
	for name, n := range changed {
		if strings.Contains(name, "kernels") || strings.Contains(name, "coverage") || name == "bricks/bricks" || name == "classic/classic" {
			require.Zero(t, n, name)
		}
	}
	require.Positive(t, changed["bricks/classic"], "the cores differ on a ball of voxels near a pixel")
}

func TestClassicCoreIsComparedAtTheFatteningOfBricks(t *testing.T) {
	out, _ := call(t, "tables", "--size", "64x64", "--rounds", "1", "--frames", "1", "--json", "proc:terrain?size=256")
	var rows []Row
	require.NoError(t, json.Unmarshal([]byte(out), &rows))
	fat := map[string]Fatness{}
	for _, row := range rows {
		if strings.HasPrefix(row.Table, "cores") {
			fat[row.Name] = *row.Fatness
		}
	}
	require.Len(t, fat, 3)
	require.Positive(t, fat["bricks"].Fattening)
	require.InDelta(t, fat["bricks"].Fattening, fat["classic, as fat"].Fattening, 0.02)
	require.InDelta(t, 1, fat["classic"].LOD, 0)
}

func TestPlotsArePictures(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "plots")
	_, notes := call(t, append(commands(t)["scaling"].args, "--plots", dir)...)
	call(t, append(commands(t)["tables"].args, "--plots", dir)...)
	call(t, append(commands(t)["sponge"].args, "--plots", dir)...)
	require.Contains(t, notes, dir)
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(names), 3+6+1)
	for _, name := range names {
		file, err := os.Open(name)
		require.NoError(t, err)
		config, err := png.DecodeConfig(file)
		require.NoError(t, err, name)
		require.NoError(t, file.Close())
		require.Greater(t, config.Width, config.Height)
	}
}

// At level of detail the sponge and the ball are drawn without a fault, so the
// walk ends well and says that it looked.
func TestWalkHoldsPicturesToRays(t *testing.T) {
	out, notes := call(t, append(commands(t)["walk"].args, "--json")...)
	require.Contains(t, notes, "allocations a picture")
	var rows []Row
	require.NoError(t, json.Unmarshal([]byte(out), &rows))
	require.Len(t, rows, 4)
	for _, row := range rows {
		require.Positive(t, row.Checked, row.Name)
		require.Zero(t, row.Faults, row.Name)
	}
}

func TestMistakesAreToldInASentence(t *testing.T) {
	poses := posesFile(t)
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"size":          {[]string{"sponge", "--size", "64"}, "not a size"},
		"size of 0":     {[]string{"sponge", "--size", "0x64"}, "0"},
		"threads":       {[]string{"sponge", "--threads", "0"}, "--threads 0"},
		"rounds":        {[]string{"sponge", "--rounds", "0"}, "--rounds 0"},
		"kernel":        {[]string{"sponge", "--kernel", "sse"}, "must be one of"},
		"core":          {[]string{"sponge", "--core", "fast"}, "bricks"},
		"frames":        {[]string{"tables", "--frames", "0", "proc:cube"}, "--frames 0"},
		"walk":          {[]string{"walk", "--check", "0"}, "--check 0"},
		"model":         {[]string{"ablate", "proc:nothing"}, "proc:nothing"},
		"curve":         {[]string{"scaling", "colours"}, "resolution"},
		"no such pose":  {[]string{"poses", "--scene", "proc:cube", "--poses", poses, "--name", "cat"}, `"cat"`},
		"field of view": {[]string{"poses", "--scene", "proc:cube", "--poses", poses, "--across", "180"}, "--across 180"},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			err := run(t.Context(), c.args, &out, &out)
			require.ErrorContains(t, err, c.says)
			require.Empty(t, out.String())
		})
	}
}
