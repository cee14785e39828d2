package main

import (
	"math"
	"slices"
	"time"
)

// statistics describe a sample of times in milliseconds, as the tables of the
// source document do.
type statistics struct {
	Median    float64 `json:"median_ms"`
	Min       float64 `json:"min_ms"`
	Mean      float64 `json:"mean_ms"`
	Deviation float64 `json:"deviation_ms"` // of the sample: divided by n-1
	Max       float64 `json:"max_ms"`
	Runs      int     `json:"runs"`
}

// describe returns all zeros for an empty sample.
func describe(sample []float64) (s statistics) {
	if s.Runs = len(sample); s.Runs == 0 {
		return s
	}
	s.Median, s.Min, s.Max = median(sample), slices.Min(sample), slices.Max(sample)
	for _, v := range sample {
		s.Mean += v / float64(s.Runs)
	}
	if s.Runs > 1 {
		var squares float64
		for _, v := range sample {
			squares += (v - s.Mean) * (v - s.Mean)
		}
		s.Deviation = math.Sqrt(squares / float64(s.Runs-1))
	}
	return s
}

// median is the middle value, or the mean of the two in the middle; 0 if there
// is none. The sample is left as it is.
func median(sample []float64) float64 {
	if len(sample) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(sample))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
