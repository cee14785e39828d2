package models

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzVox: whatever the bytes, the reader ends in a sound asset or in one
// sentence that names the file. The corpus in testdata/fuzz was made by the
// tests' own writer.
func FuzzVox(f *testing.F) {
	opts := Options{MaxMemory: 4 << 20, MaxPlacements: 1000}
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := Decode(bytes.NewReader(data), "fuzz.vox", opts)
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "fuzz.vox: "), err)
			require.NotContains(t, err.Error(), "\n")
			return
		}
		for _, m := range a.Models {
			require.NoError(t, m.Tree.Validate())
			_, high := m.Tree.Bounds()
			for axis, side := range m.Size {
				require.LessOrEqual(t, int(high[axis]), side)
			}
		}
		for _, frame := range []int{0, a.Frames - 1} {
			info, err := a.Info(frame)
			require.NoError(t, err)
			flat, err := Flatten(a, frame, opts)
			if err != nil {
				continue // too many voxels, or too far out for 32 bits
			}
			for _, v := range flat {
				for axis, c := range v.At {
					require.GreaterOrEqual(t, float64(c), info.Bounds.Min[axis])
					require.Less(t, float64(c), info.Bounds.Max[axis])
				}
			}
		}
	})
}
