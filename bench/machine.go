package main

import (
	"fmt"
	"runtime"

	"github.com/klauspost/cpuid/v2"

	"github.com/cfef80af/eightfold/asm"
)

// machine is where the figures come from; every row carries it, so that rows
// of several runs can be put together.
type machine struct {
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"`
	Go     string `json:"go"`
	Kernel string `json:"kernel"`
	Clock  string `json:"clock"` // wall or cpu
}

// thisMachine is the one the program runs on, drawing with the given kernels
// and timed by the given clock.
func thisMachine(kernel asm.Kernel, clock string) machine {
	cpu := cpuid.CPU.BrandName
	if cpu == "" {
		cpu = "unknown CPU"
	}
	return machine{
		CPU: cpu, Cores: runtime.NumCPU(), Kernel: kernel.String(), Clock: clock,
		Go: fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH),
	}
}

func (m machine) String() string {
	return fmt.Sprintf("%s, %d cores, %s, kernels %s, %s time", m.CPU, m.Cores, m.Go, m.Kernel, m.Clock)
}
