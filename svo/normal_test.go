package svo_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/svo"
)

func TestNormalKeepsDirections(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		component := rapid.OneOf(rapid.Float32Range(-1, 1), rapid.SampledFrom([]float32{0, 1, -1}))
		length := rapid.SampledFrom([]float32{1e-30, 1, 1e30, math.MaxFloat32}).Draw(t, "length")
		v := mgl32.Vec3{component.Draw(t, "x"), component.Draw(t, "y"), component.Draw(t, "z")}
		if v.Len() < 1e-3 {
			t.Skip("no direction")
		}
		got := svo.NewNormal(v.Mul(length)).Vec3()
		require.InDelta(t, 1, got.Len(), 1e-6)
		angle := math.Asin(min(float64(v.Normalize().Cross(got).Len()), 1)) * 180 / math.Pi
		require.Less(t, angle, .005)
		require.Positive(t, v.Dot(got))
	})
}

func TestNoNormal(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, v := range []mgl32.Vec3{{}, {nan, 0, 1}, {inf, 0, 0}, {0, -inf, nan}} {
		require.Zero(t, svo.NewNormal(v), "%v", v)
	}
	require.Zero(t, svo.Normal(0).Vec3())
}
