package main

import (
	"runtime"
	"sync"
	"time"
)

// floors are the memory floors of this run, by picture size and threads: they
// are measured when first asked for.
type floors map[pictureOn]float64

type pictureOn struct {
	size    size
	threads int
}

// of is the least time in milliseconds that memory lets a picture take.
func (f floors) of(s size, threads int) float64 {
	key := pictureOn{s, threads}
	if _, ok := f[key]; !ok {
		f[key] = memoryFloor(s, threads)
	}
	return f[key]
}

// memoryFloor clears four bytes a pixel, writes each once and reads it once,
// row by row: what any renderer has to do that keeps a word per pixel between
// seeing and shading. It is the median of several runs.
func memoryFloor(s size, threads int) float64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	plane := make([]uint32, s.width*s.height)
	sums := make([]uint32, threads)
	var sample []float64
	for run := range 9 {
		start := time.Now()
		if threads == 1 {
			sums[0] += touch(plane, uint32(run))
		} else {
			var bands sync.WaitGroup
			for t := range threads {
				band := plane[len(plane)*t/threads : len(plane)*(t+1)/threads]
				bands.Go(func() { sums[t] += touch(band, uint32(run)) })
			}
			bands.Wait()
		}
		sample = append(sample, milliseconds(time.Since(start)))
	}
	runtime.KeepAlive(sums)
	return median(sample)
}

// touch clears, writes and reads a part of the picture.
func touch(plane []uint32, value uint32) (sum uint32) {
	clear(plane)
	for i := range plane {
		plane[i] = value + uint32(i)
	}
	for _, v := range plane {
		sum += v
	}
	return sum
}
