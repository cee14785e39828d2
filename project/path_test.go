package project

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A path passes its keys at their times, without a jump anywhere, and stands
// still before and after them.
func TestPathPassesItsKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vector := rapid.Custom(func(t *rapid.T) mgl64.Vec3 {
			c := rapid.Float64Range(-100, 100)
			return mgl64.Vec3{c.Draw(t, "x"), c.Draw(t, "y"), c.Draw(t, "z")}
		})
		path := Path{Up: mgl64.Vec3{0, 0, 1}, FovY: 50}
		seconds := 0.0
		for range rapid.IntRange(1, 6).Draw(t, "keys") {
			path.Keys = append(path.Keys, Key{seconds, vector.Draw(t, "eye"), vector.Draw(t, "target")})
			seconds += rapid.Float64Range(0.1, 5).Draw(t, "step")
		}
		for _, k := range path.Keys {
			for _, nearby := range []float64{-1e-7, 0, 1e-7} {
				c := path.At(k.Seconds + nearby)
				require.InDelta(t, 0, c.Eye.Sub(k.Eye).Len(), 1e-2)
				require.InDelta(t, 0, c.Target.Sub(k.Target).Len(), 1e-2)
			}
		}
		last := path.Keys[len(path.Keys)-1]
		require.Equal(t, path.Keys[0].Eye, path.At(-1).Eye)
		require.Equal(t, last.Target, path.At(path.Duration()+9).Target)
		cameras := path.Cameras(10)
		require.Len(t, cameras, 10)
		require.Equal(t, path.At(path.Duration()*3/10).Eye, cameras[3].Eye)
		require.InDelta(t, 50, cameras[9].FovY, 0)
	})
	require.Zero(t, (&Path{}).Duration())
}

// Keys on a line at equal steps are passed evenly.
func TestPathIsEvenOnALine(t *testing.T) {
	var path Path
	for i := range 5 {
		path.Keys = append(path.Keys, Key{float64(i), mgl64.Vec3{3 * float64(i)}, mgl64.Vec3{0, 1}})
	}
	for _, s := range []float64{1, 1.25, 2.5, 2.9} {
		require.InDelta(t, 3*s, path.At(s).Eye[0], 1e-12)
	}
}
