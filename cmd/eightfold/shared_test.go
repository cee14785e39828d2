package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shared returns the .vox files that people published, where they are at hand.
func shared(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "shared", "models", "vox", pattern))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("../shared/models/vox is not here")
	}
	for i, file := range files {
		files[i], err = filepath.Abs(file)
		require.NoError(t, err)
	}
	return files
}

// D13: all of them in one call; what is no model is named and stops nothing.
func TestPublishedModels(t *testing.T) {
	files := shared(t, "*.vox")
	folder := t.TempDir()
	o := try(t, folder, append([]string{"render", "-o", "./", "--size", "96x96"}, files...)...)
	fails(t, o, 1, "not_a.vox", "no model in a known format")
	require.Len(t, names(t, folder), len(files)-1)
	for _, name := range names(t, folder) {
		seen := visible(readPNG(t, folder, name)).Size()
		require.InDelta(t, 0.9*96, max(seen.X, seen.Y), 3, name)
	}
}

// D05: the frames of deer.vox are four pictures of one deer each.
func TestDeerWalks(t *testing.T) {
	deer := shared(t, "deer.vox")[0]
	folder := t.TempDir()
	pictures := map[string]bool{}
	for frame := range 4 {
		succeed(t, folder, "render", deer, "-o", "a.png", "--size", "96x96", "--frame", fmt.Sprint(frame))
		data, err := os.ReadFile(filepath.Join(folder, "a.png"))
		require.NoError(t, err)
		pictures[string(data)] = true
	}
	require.Len(t, pictures, 4)
	fails(t, try(t, folder, "render", deer, "-o", "b.png", "--frame", "9"), 1, "deer.vox", "frame 9")
	require.Contains(t, strings.Join(strings.Fields(succeed(t, folder, "info", deer, "--hash").stdout), " "), "voxels seen 355")
}
