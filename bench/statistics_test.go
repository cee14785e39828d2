package main

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestStatisticsOfKnownSamples(t *testing.T) {
	require.Equal(t, statistics{}, describe(nil))
	require.Equal(t, statistics{Median: 3, Min: 3, Mean: 3, Max: 3, Runs: 1}, describe([]float64{3}))
	s := describe([]float64{9, 2, 4, 4, 5, 5, 7, 4})
	require.InDelta(t, 4.5, s.Median, 1e-12)
	require.InDelta(t, 5, s.Mean, 1e-12)
	require.InDelta(t, math.Sqrt(32.0/7), s.Deviation, 1e-12)
	require.Equal(t, [3]float64{2, 9, 8}, [3]float64{s.Min, s.Max, float64(s.Runs)})
}

func TestStatisticsDontDependOnTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sample := rapid.SliceOfN(rapid.Float64Range(0, 1e4), 1, 50).Draw(t, "sample")
		before := slices.Clone(sample)
		s := describe(sample)
		require.Equal(t, before, sample, "the sample is left as it is")
		slices.Sort(before)
		sorted := describe(before)
		require.Equal(t, s.Median, sorted.Median)
		require.InDelta(t, s.Mean, sorted.Mean, 1e-6)
		require.LessOrEqual(t, s.Min, s.Median)
		require.LessOrEqual(t, s.Median, s.Max)
		below := 0
		for _, v := range sample {
			if v < s.Median {
				below++
			}
		}
		require.LessOrEqual(t, below, len(sample)/2)
	})
}

// A pair disturbed as a whole changes neither figure much; differences of
// medians would be at its mercy.
func TestSavingComparesPairs(t *testing.T) {
	s := saving([]float64{1, 10, 2, 3, 2}, []float64{2, 20, 4, 6, 4})
	require.InDelta(t, 2, s.SavedMS, 1e-12)
	require.InDelta(t, 50, s.SavedPercent, 1e-12)
}

func TestPixelsChangedCountsPixelsNotBytes(t *testing.T) {
	a := make([]uint8, 16)
	b := slices.Clone(a)
	require.Zero(t, pixelsChanged(a, b))
	b[4], b[5], b[15] = 1, 1, 1
	require.Equal(t, 2, pixelsChanged(a, b))
}
