package ortho_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/ortho"
)

// lead is how many pixels of a table's window lie before the pixel of the
// brick's centre, as DrawBricks has it.
const lead = 3

// One table serves the bricks of all nodes that look alike: the place that the
// table has for a leaf holds all of it in exact perspective, so that each pixel
// whose centre it covers finds it in the table, inside the window; no leaf is
// found more than half a pixel beside.
func TestTableHoldsEveryLeafOfTheNodesItServes(t *testing.T) {
	kernels, err := asm.Select(asm.Auto)
	require.NoError(t, err)
	served, elsewhere, covered := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		level := rapid.IntRange(4, depth-3).Draw(t, "level")
		first, half := cell(t, level)
		brick := half / 2
		p := posed(t, first, rapid.Float64Range(1, 4).Draw(t, "pixels")/(2*brick))
		nearest := rapid.IntRange(0, 7).Draw(t, "nearest")
		pattern, grid, fits := ortho.NewPattern(&p, inCamera(&p, first), brick, nearest)
		if !fits {
			return
		}
		require.True(t, pattern.Serves(&p, inCamera(&p, first), brick, nearest), "the node it was made for")
		require.False(t, pattern.Serves(&p, inCamera(&p, first), brick, nearest^1), "another order")
		require.False(t, pattern.Serves(&p, inCamera(&p, first), brick/2, nearest), "another size")
		var table asm.Table
		kernels.MakeTable(&table, &grid)
		node := first
		for k := range 3 {
			node[k] += 2 * half * float64(rapid.IntRange(-3, 3).Draw(t, "cells on"))
		}
		if at := inCamera(&p, node); !(at[2] > 0) || !pattern.Serves(&p, at, brick, nearest) {
			return
		}
		served++
		if node != first {
			elsewhere++
		}
		for o := range 8 {
			centre := octantOf(node, o, brick)
			at := onScreen(&p, centre)
			columns := side{&table.X, &table.XAny, 1, &grid.DX, grid.HalfX, at[0]}
			rows := side{&table.Y, &table.YAny, 8, &grid.DY, grid.HalfY, at[1]}
			for i := range 8 {
				octant := octantOf(centre, i^nearest, brick/2)
				for j := range 8 {
					low, high := shadow(&p, octantOf(octant, j^nearest, brick/4), brick/4)
					covered += columns.requireLeaf(t, i, j, low[0], high[0])
					covered += rows.requireLeaf(t, i, j, low[1], high[1])
				}
			}
		}
	})
	require.Positive(t, served)
	require.Positive(t, elsewhere)
	require.Positive(t, covered)
}

// side is the columns or rows of a table, for a brick whose centre lies at a
// place in pixels.
type side struct {
	sets   *[asm.Phases][8]uint64
	any    *[asm.Phases]uint64
	stride int
	d      *[8]float32
	half   int32
	at     float64
}

// requireLeaf holds a side to what leaf j of octant i covers: from low to high,
// in pixels. It returns how many of the window's pixels that are.
func (s *side) requireLeaf(t *rapid.T, i, j int, low, high float64) (covered int) {
	const widening = .5
	steps := int(math.RoundToEven(asm.Unit * s.at))
	phase, first := steps&31>>1, steps>>5-lead
	place := math.RoundToEven(float64(s.d[i])) + math.RoundToEven(float64(s.d[j]/2)) + float64(steps&^1+1)
	require.LessOrEqual(t, place-float64(s.half), asm.Unit*low)
	require.GreaterOrEqual(t, place+float64(s.half), asm.Unit*high)
	require.GreaterOrEqual(t, math.Ceil(low-.5), float64(first), "before the window")
	require.Less(t, math.Floor(high-.5), float64(first+8), "behind the window")
	for k := range 8 {
		pixel := float64(first+k) + .5
		found := s.sets[phase][k]>>(8*i+j)&1 != 0 && s.any[phase]>>(k*s.stride)&1 != 0
		if low <= pixel && pixel <= high {
			covered++
			require.True(t, found, "pixel %d is missed", k)
		} else if found {
			require.True(t, low-widening <= pixel && pixel <= high+widening, "pixel %d is %g beside", k, max(low-pixel, pixel-high))
		}
	}
	return covered
}

// A node that perspective changes too much, or that is too large, has no table.
func TestNoTableWhereBricksDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		centre, half := cell(t, 4)
		p := posed(t, centre, rapid.Float64Range(20, 300).Draw(t, "pixels")/half)
		_, _, fits := ortho.NewPattern(&p, inCamera(&p, centre), half/2, 0)
		require.False(t, fits, "bricks of more than ten pixels")
	})
}

func TestOffsetsLeadToTheOctants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := posed(t, mgl64.Vec3{8, 8, 8}, 2)
		for nearest, offsets := range ortho.Offsets(&p) {
			for i := range 8 {
				want := p.Octant(i^nearest, 1)
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

func TestHalfBrick(t *testing.T) {
	for mask := range 256 {
		brick := ortho.HalfBrick(uint8(mask))
		for o := range 8 {
			require.Equal(t, uint8(mask>>o&1*0xff), uint8(brick>>(8*o)))
		}
	}
}
