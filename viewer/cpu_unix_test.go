//go:build viewer && unix

package main

import (
	"syscall"
	"time"
)

// cpuTime is how much processor time the process has taken.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
