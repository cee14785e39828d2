package main

import (
	"fmt"
	"time"
)

// now tells the time by the clock asked for.
type now func() time.Duration

// wall is the time of day, as far as differences go.
func wall() now {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// clock is the one asked for. On a machine that others use as well, the time
// of a processor tells what a picture costs, and the wall what others left.
func (s *settings) clock() (now, error) {
	if s.Clock == "wall" {
		return wall(), nil
	}
	if _, err := cpuTime(); err != nil {
		return nil, fmt.Errorf("--clock cpu: %w", err)
	}
	return func() time.Duration { t, _ := cpuTime(); return t }, nil
}
