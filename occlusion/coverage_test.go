package occlusion

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Either buffer answers as a set of taken pixels would, for any rectangle;
// where it may err, on the side of open.
func TestCoverageAnswersAsASetOfPixels(t *testing.T) {
	for name, kind := range map[string]Kind{"strips": StripCoverage, "bytes": ByteCoverage} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { checkCoverage(t, kind) })
		})
	}
}

func checkCoverage(t *rapid.T, kind Kind) {
	width, height := rapid.IntRange(1, 140).Draw(t, "width"), rapid.IntRange(1, 140).Draw(t, "height")
	c := New(kind)
	c.Reset(rapid.IntRange(1, 200).Draw(t, "old width"), 30) // what an earlier frame leaves
	c.Take(0, 0)
	c.Reset(width, height)
	taken := map[[2]int]bool{}
	const exact = 57
	ask := func(times int) {
		for range times {
			x0, y0 := rapid.IntRange(0, width).Draw(t, "x0"), rapid.IntRange(0, height).Draw(t, "y0")
			x1, y1 := rapid.IntRange(0, width).Draw(t, "x1"), rapid.IntRange(0, height).Draw(t, "y1")
			open := false
			for y := y0; y < y1; y++ {
				for x := x0; x < x1; x++ {
					require.Equal(t, !taken[[2]int{x, y}], c.Open(x, y))
					open = open || !taken[[2]int{x, y}]
				}
			}
			if always := kind == ByteCoverage || x1-x0 <= exact && y1-y0 <= exact; always || open {
				require.Equal(t, open, c.AnyOpen(x0, x1, y0, y1), "x %d..%d y %d..%d", x0, x1, y0, y1)
			}
		}
	}
	for range rapid.IntRange(0, 12).Draw(t, "strokes") {
		x0, y0 := rapid.IntRange(0, width-1).Draw(t, "x0"), rapid.IntRange(0, height-1).Draw(t, "y0")
		x1, y1 := rapid.IntRange(x0, width).Draw(t, "x1"), rapid.IntRange(y0, height).Draw(t, "y1")
		erase := rapid.IntRange(0, 4).Draw(t, "erase") == 0
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				if erase {
					c.Reopen(x, y)
					delete(taken, [2]int{x, y})
				} else {
					c.Take(x, y)
					taken[[2]int{x, y}] = true
				}
			}
		}
		ask(2)
	}
	ask(20)
	if len(taken) == width*height {
		require.False(t, c.AnyOpen(0, width, 0, height), "all is taken")
	}
}

// A window of the strips is the 8x8 pixels at its corner, closed beyond the
// border; closing one changes these and no others.
func TestWindows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, height := rapid.IntRange(1, 60).Draw(t, "width"), rapid.IntRange(1, 60).Draw(t, "height")
		var s Strips
		s.Reset(width, height)
		open := func(x, y int) bool { return x >= 0 && y >= 0 && x < width && y < height }
		x, y := rapid.IntRange(-Pad, width+Pad-8).Draw(t, "x"), rapid.IntRange(-Pad, height+Pad-8).Draw(t, "y")
		window := s.Pixels.Window(x+Pad, y+Pad)
		for i := range 64 {
			require.Equal(t, open(x+i&7, y+i>>3), window>>i&1 != 0)
		}
		mask := rapid.Uint64().Draw(t, "mask")
		s.Pixels.Close(x+Pad, y+Pad, mask)
		require.Equal(t, window&^mask, s.Pixels.Window(x+Pad, y+Pad))
		for v := range height {
			for u := range width {
				closed := u >= x && u < x+8 && v >= y && v < y+8 && mask>>(8*(v-y)+u-x)&1 != 0
				require.Equal(t, !closed, s.Open(u, v))
			}
		}
	})
}
