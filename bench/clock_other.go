//go:build !unix

package main

import (
	"errors"
	"time"
)

func cpuTime() (time.Duration, error) {
	return 0, errors.New("this system doesn't tell processor time here: use --clock wall")
}
