package ortho_test

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/ortho"
)

func TestOffsetsLeadToTheOctants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := posed(t, mgl64.Vec3{8, 8, 8}, 2)
		var fans ortho.Fans
		fan, size := fans.For(&p, 4)
		for nearest, offsets := range fan.Offsets {
			for i := range 8 {
				want := p.Octant(i^nearest, 1/size)
				if p.View.Parallel {
					want[2] = 0 // nothing moves in depth
				}
				got := []float64{float64(offsets.DX[i]), float64(offsets.DY[i]), float64(offsets.DZ[i])}
				require.InDeltaSlice(t, want[:], got, 1e-3)
			}
		}
	})
}

func TestInOrder(t *testing.T) {
	for nearest := range 8 {
		for mask := range 256 {
			ordered := ortho.InOrder(uint8(mask), nearest)
			for i := range 8 {
				require.Equal(t, mask>>(i^nearest)&1, int(ordered>>i&1))
			}
		}
	}
}
