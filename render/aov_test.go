package render

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"
)

// testFrame is 4x1: a near pixel, a farther one, the farthest, nothing.
func testFrame() *Frame {
	return &Frame{
		Width: 4, Height: 1,
		Depth:    []float32{10, 15, 20, float32(math.Inf(1))},
		Normal:   []mgl32.Vec3{{1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {}},
		Level:    []uint8{3, 5, 7, NoLevel},
		Visits:   []uint16{1, 60, 90, 0},
		Coverage: []uint8{255, 255, 255, 0},
	}
}

func TestDepthPicture(t *testing.T) {
	picture, err := testFrame().Picture(PlaneDepth, Range{})
	require.NoError(t, err)
	grey := picture.(*image.Gray16)
	require.EqualValues(t, 65535, grey.Gray16At(0, 0).Y, "the nearest is white")
	require.InDelta(t, 65535*0.55, grey.Gray16At(1, 0).Y, 1, "linear between")
	require.InDelta(t, 65535*0.1, grey.Gray16At(2, 0).Y, 1, "the farthest is not black")
	require.EqualValues(t, 0, grey.Gray16At(3, 0).Y, "nothing is")

	picture, err = testFrame().Picture(PlaneDepth, Range{15, 115})
	require.NoError(t, err)
	grey = picture.(*image.Gray16)
	require.EqualValues(t, 65535, grey.Gray16At(0, 0).Y, "cut off")
	require.InDelta(t, 65535*0.955, grey.Gray16At(2, 0).Y, 1)
}

func TestDepthPictureOfOneDepth(t *testing.T) {
	f := Frame{Width: 2, Height: 1, Depth: []float32{7, float32(math.Inf(1))}}
	picture, err := f.Picture(PlaneDepth, Range{})
	require.NoError(t, err)
	require.EqualValues(t, 65535, picture.(*image.Gray16).Gray16At(0, 0).Y)
	require.Equal(t, Range{7, 7}, f.DepthRange())
	f.Depth[0] = f.Depth[1]
	require.Equal(t, Range{}, f.DepthRange())
}

func TestNormalPicture(t *testing.T) {
	picture, err := testFrame().Picture(PlaneNormal, Range{})
	require.NoError(t, err)
	require.Equal(t, color.NRGBA{255, 128, 128, 255}, picture.At(0, 0))
	require.Equal(t, color.NRGBA{128, 0, 128, 255}, picture.At(1, 0))
	require.Equal(t, color.NRGBA{128, 128, 255, 255}, picture.At(2, 0))
	require.Equal(t, color.NRGBA{}, picture.At(3, 0))
}

func TestCoveragePicture(t *testing.T) {
	picture, err := testFrame().Picture(PlaneCoverage, Range{})
	require.NoError(t, err)
	require.Equal(t, []uint8{255, 255, 255, 0}, picture.(*image.Gray).Pix)
}

func TestHeatmaps(t *testing.T) {
	h := newHeat()
	level, err := testFrame().Picture(PlaneLevel, Range{})
	require.NoError(t, err)
	require.Equal(t, h[0], level.At(0, 0), "the first level seen")
	require.Equal(t, h.at(0.5), level.At(1, 0))
	require.Equal(t, h[255], level.At(2, 0), "the last level seen")
	require.Equal(t, legendPaper, level.At(3, 0))

	visits, err := testFrame().Picture(PlaneVisits, Range{})
	require.NoError(t, err)
	require.Equal(t, h.at(0.01), visits.At(0, 0), "of 100, the round number above 90")
	require.Equal(t, h.at(0.6), visits.At(1, 0))

	visits, err = testFrame().Picture(PlaneVisits, Range{0, 60})
	require.NoError(t, err)
	require.Equal(t, h[255], visits.At(1, 0))
	require.Equal(t, h[255], visits.At(2, 0), "cut off")
}

// One pixel among many doesn't darken the picture, and the legend says so.
func TestVisitsThatStandOut(t *testing.T) {
	f := Frame{Width: 1000, Height: 1, Visits: make([]uint16, 1000)}
	for i := range 400 {
		f.Visits[i] = 50
	}
	f.Visits[7], f.Visits[9] = 9000, 8000
	h := newHeat()
	picture, err := f.Picture(PlaneVisits, Range{})
	require.NoError(t, err)
	require.Equal(t, h[255], picture.At(0, 0))
	require.Equal(t, h[255], picture.At(7, 0))
	f.Visits[8] = 7000 // three of four hundred are no exception
	picture, err = f.Picture(PlaneVisits, Range{})
	require.NoError(t, err)
	require.Equal(t, h.at(0.005), picture.At(0, 0))
}

// The legend explains the picture without taking a pixel of it, whatever its
// width, and shows the colours of the whole range.
func TestLegendLiesBelow(t *testing.T) {
	for _, width := range []int{1, 16, 17, 20, 40, 320, 3000} {
		f := Frame{Width: width, Height: 2, Level: make([]uint8, 2*width)}
		for i := range f.Level {
			f.Level[i] = uint8(4 + i%5)
		}
		for _, across := range []Range{{}, {2, 25}, {0, 1000}, {6, 7}, {-2.5, 9.5}, {1e15, 3e15}, {-1e300, 1e300}} {
			picture, err := f.Picture(PlaneLevel, across)
			require.NoError(t, err)
			require.Equal(t, image.Rect(0, 0, width, 2+legendHeight), picture.Bounds())
			if right := width - legendMargin - 1; right > legendMargin {
				y := 2 + barTop + 2
				require.Equal(t, newHeat()[0], picture.At(legendMargin, y), "width %d, %v", width, across)
				require.Equal(t, newHeat()[255], picture.At(right, y), "width %d, %v", width, across)
			}
		}
	}
}

func TestPictureRefuses(t *testing.T) {
	var empty Frame
	for plane, name := range map[Planes]string{
		PlaneDepth: "depth", PlaneNormal: "normal", PlaneLevel: "level", PlaneVisits: "visits", PlaneCoverage: "coverage",
	} {
		_, err := empty.Picture(plane, Range{})
		require.ErrorContains(t, err, "no "+name+" plane")
	}
	_, err := empty.Picture(PlaneVoxel, Range{})
	require.ErrorContains(t, err, "no picture")
	_, err = testFrame().Picture(PlaneDepth, Range{2, 1})
	require.ErrorContains(t, err, "range 2 to 1")
	_, err = testFrame().Picture(PlaneDepth, Range{0, math.NaN()})
	require.Error(t, err)
}

func TestRoundUp(t *testing.T) {
	for v, want := range map[float64]float64{0: 1, 1: 1, 1.1: 2, 3: 5, 6: 10, 10: 10, 99: 100, 101: 200, 65535: 100000} {
		require.Equal(t, want, roundUp(v), "%g", v)
	}
}
