//go:build !unix

package main

// ignoreBrokenPipes has nothing to do where there is no such signal.
func ignoreBrokenPipes() {}
