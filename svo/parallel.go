package svo

import (
	"context"
	"sync"
	"sync/atomic"
)

// parallel calls task for every i below n, from so many goroutines, and waits
// for all. Each call is told which of the workers it runs on, so that buffers
// can be kept from one to the next. Once ctx has ended no more are started and
// its error is returned.
func parallel(ctx context.Context, workers, n int, task func(worker, i int)) error {
	var next atomic.Int64
	var group sync.WaitGroup
	for worker := range min(workers, n) {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				task(worker, i)
			}
		})
	}
	group.Wait()
	return ctx.Err()
}
