package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/render"
)

// Whatever rungs are left out, the picture is the same; thresholds leave out what
// is small, and reports tell how much.
func TestCulling(t *testing.T) {
	folder := t.TempDir()
	write(t, voxFile(cube()), folder, "a.vox")
	write(t, []byte(`[{"model": "a.vox", "grid": {"count": [12, 12, 1], "spacing": [40, 40, 0]}}]`), folder, "list.json")
	draw := func(flags ...string) (counts render.InstanceCounts) {
		o := succeed(t, folder, append([]string{"render", "list.json", "-o", "a.png", "--size", "200x100", "--json", "--stats"}, flags...)...)
		var report struct {
			Culling  render.ViewStats
			Switches render.DrawStats
		}
		require.NoError(t, json.Unmarshal([]byte(o.stdout), &report))
		counts = report.Culling.Instances
		require.Equal(t, 144, counts.Tested)
		require.Equal(t, counts.Tested, counts.Culled()+counts.Drawn)
		require.Equal(t, counts.ScreenSize > 0, strings.Contains(o.stderr, "--min-size"))
		require.Equal(t, counts.Drawn > 0, report.Switches.Trees == 1)
		return counts
	}
	draw()
	want := readPNG(t, folder, "a.png")
	for _, without := range append(render.RungNames(), "all", "groups, occlusion") {
		draw("--without", without)
		require.Equal(t, want, readPNG(t, folder, "a.png"), without)
	}
	require.Equal(t, 144, draw("--min-size", "500").ScreenSize)
	require.Equal(t, 144, draw("--subpixel", "500").Subpixel)
	require.Zero(t, draw("--min-size", "500", "--subpixel", "500", "--without", "screensize,subpixel").Subpixel)
	fails(t, try(t, folder, "render", "a.vox", "-o", "b.png", "--without", "ladder"), 2, "--without", "ladder", "occlusion")
	fails(t, try(t, folder, "render", "a.vox", "-o", "b.png", "--min-size", "-2"), 2, "--min-size", "-2")
	fails(t, try(t, folder, "render", "a.vox", "-o", "b.png", "--subpixel", "NaN"), 2, "--subpixel")
	fails(t, try(t, folder, "render", "a.vox", "-o", "b.png", "--subpixel", "1025"), 2, "--subpixel", "1024")
}
