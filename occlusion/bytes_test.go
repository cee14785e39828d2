package occlusion

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The buffer answers as a map of taken pixels would, for any rectangle.
func TestBytesAnswerAsASetOfPixels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, height := rapid.IntRange(1, 40).Draw(t, "width"), rapid.IntRange(1, 20).Draw(t, "height")
		var b Bytes
		b.Reset(rapid.IntRange(1, 50).Draw(t, "old width"), 30) // what an earlier frame leaves
		for y := range 30 {
			for x := range b.Row(y) {
				b.Take(x, y)
			}
		}
		b.Reset(width, height)
		taken := map[[2]int]bool{}
		for range rapid.IntRange(0, 30).Draw(t, "strokes") {
			y := rapid.IntRange(0, height-1).Draw(t, "y")
			x0 := rapid.IntRange(0, width-1).Draw(t, "x0")
			x1 := rapid.IntRange(x0, width).Draw(t, "x1")
			erase := rapid.IntRange(0, 4).Draw(t, "erase") == 0
			for x := x0; x < x1; x++ {
				if erase {
					b.Reopen(x, y)
					delete(taken, [2]int{x, y})
				} else {
					b.Take(x, y)
					taken[[2]int{x, y}] = true
				}
			}
		}
		require.Equal(t, len(taken), b.Taken())
		for range 20 {
			x0, x1 := rapid.IntRange(0, width).Draw(t, "x0"), rapid.IntRange(0, width).Draw(t, "x1")
			y0, y1 := rapid.IntRange(0, height).Draw(t, "y0"), rapid.IntRange(0, height).Draw(t, "y1")
			open := false
			for y := y0; y < y1; y++ {
				for x := x0; x < x1; x++ {
					open = open || !taken[[2]int{x, y}]
				}
			}
			require.Equal(t, open, b.AnyOpen(x0, x1, y0, y1), "x %d..%d y %d..%d", x0, x1, y0, y1)
		}
	})
}
