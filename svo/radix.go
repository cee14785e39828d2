package svo

import (
	"cmp"
	"math/bits"
	"slices"
)

// digitBits is the widest digit: 2048 counters stay in the first-level cache.
const digitBits = 11

// radixSort sorts entries by code and keeps the order of equals: a counting
// sort by each digit, the lowest first, over the bits in which codes differ.
// scratch is grown as needed and can be used again.
func radixSort(entries []entry, scratch *[]entry) {
	anySet, allSet, sorted := uint64(0), ^uint64(0), true
	previous := uint64(0)
	for i := range entries {
		code := entries[i].code
		anySet |= code
		allSet &= code
		sorted = sorted && code >= previous
		previous = code
	}
	if sorted {
		return
	}
	if len(entries) < 1<<8 { // below this the counters cost more than comparisons
		slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.code, b.code) })
		return
	}
	if cap(*scratch) < len(entries) {
		*scratch = make([]entry, len(entries))
	}
	from, to := entries, (*scratch)[:len(entries)]
	low, high := bits.TrailingZeros64(anySet^allSet), bits.Len64(anySet^allSet)
	passes := (high - low + digitBits - 1) / digitBits
	width := (high - low + passes - 1) / passes
	for pass := range passes {
		countingSort(from, to, low+pass*width, width)
		from, to = to, from
	}
	if passes%2 != 0 {
		copy(entries, from)
	}
}

// countingSort moves entries into the order of one digit of their codes.
func countingSort(from, to []entry, shift, width int) {
	var place [1 << digitBits]uint32
	mask := uint64(1)<<width - 1
	for i := range from {
		place[from[i].code>>shift&mask%(1<<digitBits)]++
	}
	end := uint32(0)
	for i, n := range place[:1<<width] {
		place[i] = end
		end += n
	}
	for i := range from {
		p := &place[from[i].code>>shift&mask%(1<<digitBits)]
		to[*p] = from[i]
		*p++
	}
}
