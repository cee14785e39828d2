//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// ignoreBrokenPipes makes a write to a closed pipe an error like any other,
// told in a sentence, instead of the silent end of the process.
func ignoreBrokenPipes() { signal.Ignore(syscall.SIGPIPE) }
