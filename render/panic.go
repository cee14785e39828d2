package render

import (
	"fmt"
	"runtime/debug"
)

// WorkerPanic is what Draw panics with where one of its goroutines did: left
// there, a panic would end the process, whatever the caller recovers from.
type WorkerPanic struct {
	Value any    // what the goroutine panicked with
	Stack []byte // where, as of debug.Stack
}

// Error is the value and the stack.
func (p *WorkerPanic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// workSafely works, and keeps the first panic for drawTiles.
func (r *Renderer) workSafely(t *traverser) {
	defer func() {
		if value := recover(); value != nil {
			r.broken.CompareAndSwap(nil, &WorkerPanic{value, debug.Stack()})
		}
	}()
	r.work(t)
}
