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
}

// thisMachine is the one the program runs on, drawing with the given kernels.
func thisMachine(kernel asm.Kernel) machine {
	cpu := cpuid.CPU.BrandName
	if cpu == "" {
		cpu = "unknown CPU"
	}
	return machine{
		CPU: cpu, Cores: runtime.NumCPU(), Kernel: kernel.String(),
		Go: fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH),
	}
}

func (m machine) String() string {
	return fmt.Sprintf("%s, %d cores, %s, kernels %s", m.CPU, m.Cores, m.Go, m.Kernel)
}
