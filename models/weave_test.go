package models

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/svo"
)

// Whatever is woven, the tree is sound and holds the voxels of the field, also
// after quarter turns.
func TestWovenTreesHoldTheirField(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		level := rapid.IntRange(4, 5).Draw(t, "level")
		seed := rapid.Uint32().Draw(t, "seed")
		period := rapid.SampledFrom([]int{1, 2, 8, 64}).Draw(t, "period")
		density := rapid.Uint32Range(1, 16).Draw(t, "density")
		f := field{size: [3]int{
			rapid.IntRange(1, 32).Draw(t, "x"), rapid.IntRange(1, 32).Draw(t, "y"), rapid.IntRange(1, 32).Draw(t, "z"),
		}}
		f.at = func(x, y, z int) cell {
			h := hash3(uint32(x%period), uint32(y%period), uint32(z%period)^seed)
			if h&15 >= density && x+y+z > 0 {
				return air
			}
			return of(svo.Colour{uint8(h>>8) & 3, uint8(h>>16) & 3, 7})
		}
		w := newWeaver()
		p := w.weave(&f, 0, 0, 0, level)
		for quarter := range 4 {
			tree, err := w.tree(p, level)
			require.NoError(t, err)
			require.NoError(t, tree.Validate())
			edge, count := 1<<level, uint64(0)
			for z := range edge {
				for y := range edge {
					for x := range edge {
						want := air
						if x < f.size[0] && y < f.size[1] && z < f.size[2] {
							want = f.at(x, y, z)
						}
						u, v := x, y
						for range quarter {
							u, v = edge-1-v, u
						}
						id, there := tree.At(uint32(u), uint32(v), uint32(z))
						if there {
							count++
						}
						if there != (want != air) || there && tree.Colours[id] != want.colour() {
							t.Fatalf("voxel %d, %d, %d turned %d times: %v, want %x", x, y, z, quarter, there, want)
						}
					}
				}
			}
			require.Equal(t, count, tree.Voxels())
			p = w.turn(p)
		}
	})
}

// What repeats is woven once: a wall of 64 x 64 windows takes hardly more
// nodes than one of 2 x 2.
func TestWhatRepeatsIsShared(t *testing.T) {
	wall := func(side int) *svo.Tree {
		f := field{size: [3]int{side, 16, side}, at: func(x, y, z int) cell {
			if x&15 > 4 && z&15 > 4 && y < 3 {
				return air
			}
			return brick.at(x, z)
		}}
		level := 4
		for 1<<level < side {
			level++
		}
		w := newWeaver()
		tree, err := w.tree(w.weave(&f, 0, 0, 0, level), level)
		require.NoError(t, err)
		return tree
	}
	small, large := wall(32), wall(1024)
	require.Equal(t, 1024*small.Voxels(), large.Voxels())
	require.Less(t, len(large.Nodes), 2*len(small.Nodes)+64)
}

// From afar a piece has the colour of what is seen of it.
func TestHiddenVoxelsLendNoColour(t *testing.T) {
	red, grey := of(svo.Colour{200, 0, 0}), of(svo.Colour{90, 90, 90})
	inside := svo.Colour{90, 90, 90}
	for _, hide := range []bool{false, true} {
		f := field{size: [3]int{32, 32, 32}, at: func(x, y, z int) cell {
			switch {
			case y < 2:
				return air
			case y == 2:
				return red
			case hide:
				return grey | hidden
			}
			return grey
		}}
		w := newWeaver()
		tree, err := w.tree(w.weave(&f, 0, 0, 0, 5), 5)
		require.NoError(t, err)
		id, ok := tree.At(5, 9, 5)
		require.True(t, ok)
		require.Equal(t, inside, tree.Colours[id])
		if hide {
			require.Equal(t, svo.Colour{200, 0, 0}, tree.Colours[0])
		} else {
			require.Equal(t, svo.Colour{94, 87, 87}, tree.Colours[0])
		}
	}
}
