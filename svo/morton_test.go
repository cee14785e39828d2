package svo_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/svo"
)

func TestMortonInterleavesBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.Uint32Range(0, 1<<21-1)
		x, y, z := coordinate.Draw(t, "x"), coordinate.Draw(t, "y"), coordinate.Draw(t, "z")
		want := uint64(0)
		for bit := range 21 {
			want |= uint64(x>>bit&1) << (3 * bit)
			want |= uint64(y>>bit&1) << (3*bit + 1)
			want |= uint64(z>>bit&1) << (3*bit + 2)
		}
		code := svo.EncodeMorton(x, y, z)
		require.Equal(t, want, code)
		backX, backY, backZ := svo.DecodeMorton(code)
		require.Equal(t, [3]uint32{x, y, z}, [3]uint32{backX, backY, backZ})
	})
}
