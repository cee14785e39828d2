// Package asm holds the vector kernels and the pure Go twin of each, which is
// its specification: both give the same bytes.
package asm

// Kernel names a family of kernels.
type Kernel int

// The kernels.
const (
	Auto Kernel = iota // the fastest this CPU offers
	Go                 // the pure Go twins
	AVX2
)
