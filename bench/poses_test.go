package main

import (
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
)

func TestPosesAreReadLineByLine(t *testing.T) {
	poses, err := parsePoses(strings.NewReader("# remark\n\ndragon far 1 2.5 -3e1 4 5 6 # remark\r\n  terrain\tmed 0 0 0 1 1 1"))
	require.NoError(t, err)
	require.Equal(t, []pose{
		{"dragon", "far", mgl64.Vec3{1, 2.5, -30}, mgl64.Vec3{4, 5, 6}},
		{"terrain", "med", mgl64.Vec3{}, mgl64.Vec3{1, 1, 1}},
	}, poses)
}

func TestBrokenPosesNameTheLine(t *testing.T) {
	for text, says := range map[string]string{
		"a b 1 2 3 4 5":                    "line 1: 7 fields",
		"\na b 1 2 3 4 5 6 7":              "line 2: 9 fields",
		"a b 1 2 3 4 5 6\na b 1 2 x 4 5 6": `line 2: "x"`,
		"a b 1 2 NaN 4 5 6":                `line 1: "NaN"`,
		"a b 1 2 1e999 4 5 6":              `line 1: "1e999"`,
		strings.Repeat("a", 1<<17):         "line 1",
	} {
		_, err := parsePoses(strings.NewReader(text))
		require.ErrorContains(t, err, says)
	}
}

func FuzzParsePoses(f *testing.F) {
	f.Add("a b 1 2 3 4 5 6\n# c\n")
	f.Add("a b 1 2 3 4 5")
	f.Add("a b 1 2 3 4 5 inf")
	f.Fuzz(func(t *testing.T, text string) {
		poses, err := parsePoses(strings.NewReader(text))
		if err != nil {
			require.Empty(t, poses)
			require.NotContains(t, err.Error(), "line 0")
			return
		}
		require.LessOrEqual(t, len(poses), 1+strings.Count(text, "\n"))
	})
}

// 60 degrees across 16:9 are the 36 degrees that the shared pose file names.
func TestFieldOfViewIsGivenAcross(t *testing.T) {
	p := posesCmd{Across: 60}
	p.Size = size{1280, 720}
	require.InDelta(t, 36, p.fovY(), 0.05)
	p.Size = size{512, 512}
	require.InDelta(t, 60, p.fovY(), 1e-9)
}

func TestPeersAreThoseOfTheSamePictureOnOneThread(t *testing.T) {
	row := Row{Name: "dragon med", Size: "1280x720", Threads: 1}
	row.Median = 10.14
	require.Equal(t, "discrete-mirage", peerOf(&row).Peer)
	require.InDelta(t, 5, peerOf(&row).Speedup, 1e-9)
	row.Threads = 2
	require.Nil(t, peerOf(&row))
}
