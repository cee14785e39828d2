//go:build !amd64 || purego

package asm

// Offered lists the kernels of this CPU and build, the fastest last.
func Offered() []Kernels { return []Kernels{pureGo} }
