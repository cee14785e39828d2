package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"unicode"

	"github.com/cfef80af/eightfold/render"
)

// The exit statuses besides 0.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 128 + 2 // as shells number a process that SIGINT ended
)

// usageError is a command line that makes no sense, whatever the files hold.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errReported ends a run of several models of which some failed: each has been
// reported already.
var errReported = errors.New("reported")

// report writes an error as one line, without what upsets a terminal: file
// names may hold anything.
func report(w io.Writer, err error) {
	if errors.Is(err, errReported) {
		return
	}
	text := err.Error()
	if errors.Is(err, context.Canceled) {
		text = "interrupted; no unfinished file is left behind"
	}
	line := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.Join(strings.Fields(text), " "))
	fmt.Fprintf(w, "eightfold: %s\n", line)
}

func exitStatus(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, new(usageError)):
		return exitUsage
	}
	return exitFailed
}

// guard turns a panic in the work on subject into an error that asks for a
// report: whatever happens, the user reads a sentence, not a stack.
func guard(subject string, work func() error) (err error) {
	defer func() {
		if bug := recover(); bug != nil {
			stack := debug.Stack()
			if worker, ok := bug.(*render.WorkerPanic); ok {
				bug, stack = worker.Value, worker.Stack
			}
			err = fmt.Errorf("%s: this is a bug in eightfold (%v at %s); please report it with the command line and the model", subject, bug, culprit(stack))
		}
	}()
	return work()
}

// culprit finds the line of this module that panicked in a stack: the first
// one after the runtime's. Folders are left out, they are the builder's.
func culprit(stack []byte) string {
	_, below, _ := strings.Cut(string(stack), "\npanic(")
	for _, line := range strings.Split(below, "\n") {
		place, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(line, "\t") && !strings.Contains(place, "/runtime/") {
			return filepath.Base(place)
		}
	}
	return "an unknown place"
}

// await runs work on subject that can't be stopped, and doesn't wait for it any
// longer when ctx ends: the process is about to.
func await[T any](ctx context.Context, subject string, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		o.err = guard(subject, func() (err error) {
			o.value, err = work()
			return err
		})
		done <- o
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// outputError says what went wrong with an output file and what to do about it.
func outputError(path string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	// Which call failed on which temporary name is of no use to the reader.
	var pathError *fs.PathError
	var linkError *os.LinkError
	switch {
	case errors.As(err, &pathError):
		err = pathError.Err
	case errors.As(err, &linkError):
		err = linkError.Err
	}
	remedy := ""
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%s: the disk is full (%w); make room or write elsewhere", path, err)
	case errors.Is(err, syscall.EPIPE):
		return fmt.Errorf("%s: the reader closed the pipe before everything was written (%w)", path, err)
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		remedy = "; choose a file and folder you may write to"
	case errors.Is(err, fs.ErrNotExist):
		remedy = "; make the folder " + filepath.Dir(path) + " first"
	}
	return fmt.Errorf("%s: can't be written: %w%s", path, err, remedy)
}
