package svo

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// subtree is a node some levels below the root with all that hangs on it: what
// one goroutine sorts and writes by itself.
type subtree struct {
	level   int     // of its root
	depth   int     // of the tree it belongs to
	code    uint64  // of its first voxel
	entries []entry // in the order added; once sorted, in Morton order without duplicates
	used    Voxel   // the bits set in any normal and any material
	box     mortonBox
	// next has for each level at first how many nodes the subtree has there,
	// once laid out the id of the first of them or, above its root, of the node
	// that it hangs on.
	next [MaxBuiltDepth + 1]uint32
	// Of its root, once written.
	mask uint8
	sum  sum
}

// Voxels are dealt out over at most maxDealt levels: the 4096 parts of a large
// model then fit a second-level cache. Parts of dealtSize voxels aren't worth
// splitting further; those above largestPart are dealt out anew, lest a few
// voxels far away leave all others to one goroutine.
const maxDealt, dealtSize, largestPart = 4, 1 << 12, 1 << 18

// deal splits the entries into subtrees, in Morton order; those of the same
// subtree keep their order. differing are the bits in which codes differ.
func deal(ctx context.Context, blocks [][]entry, depth int, differing uint64, workers int) ([]subtree, error) {
	total := 0
	for _, block := range blocks {
		total += len(block)
	}
	if uint64(total) > math.MaxUint32 {
		return nil, fmt.Errorf("octree: %d voxels: at most %d can be added; choose a coarser grid", total, uint32(math.MaxUint32))
	}
	return split(ctx, blocks, make([]entry, total), depth, differing, workers)
}

// split does deal's work and writes the entries to the given place. Above the
// differing bits the tree is a chain, so that splitting begins below.
func split(ctx context.Context, blocks [][]entry, entries []entry, depth int, differing uint64, workers int) ([]subtree, error) {
	below := levels(differing)
	dealt := 0
	for dealt < min(maxDealt, below-1) && len(entries)>>(3*dealt) > dealtSize {
		dealt++
	}
	level := min(depth-below+dealt, depth-1)
	shift := 3 * (depth - level)
	parts := 1 << (3 * dealt)

	ends, err := scatter(ctx, blocks, entries, shift, parts, workers)
	if err != nil {
		return nil, err
	}
	var subtrees []subtree
	start := uint32(0)
	for _, end := range ends {
		part := entries[start:end:end]
		start = end
		switch {
		case len(part) == 0:
		case len(part) > largestPart && dealt > 0:
			blocks := slices.Collect(slices.Chunk(slices.Clone(part), largestBlock))
			finer, err := split(ctx, blocks, part, depth, differences(part), workers)
			if err != nil {
				return nil, err
			}
			subtrees = append(subtrees, finer...)
		default:
			subtrees = append(subtrees, subtree{level: level, depth: depth, entries: part})
		}
	}
	return subtrees, nil
}

// scatter sorts the blocks' entries by the bits of their codes above shift, of
// which there are so many parts, and returns where each part ends.
func scatter(ctx context.Context, blocks [][]entry, entries []entry, shift, parts, workers int) (ends []uint32, err error) {
	// Each worker takes a run of neighbouring blocks and, in every part, writes
	// behind the worker of the run before.
	workers = min(workers, len(blocks))
	counts := make([][]uint32, workers)
	run := func(worker int) [][]entry {
		return blocks[len(blocks)*worker/workers : len(blocks)*(worker+1)/workers]
	}
	err = parallel(ctx, workers, workers, func(_, i int) {
		count := make([]uint32, parts)
		for _, block := range run(i) {
			for j := range block {
				count[int(block[j].code>>shift)&(parts-1)]++
			}
		}
		counts[i] = count
	})
	if err != nil {
		return nil, err
	}
	end := uint32(0)
	ends = make([]uint32, parts)
	for part := range ends {
		for _, count := range counts {
			count[part], end = end, end+count[part]
		}
		ends[part] = end
	}
	err = parallel(ctx, workers, workers, func(_, i int) {
		place := counts[i]
		for _, block := range run(i) {
			for j := range block {
				part := int(block[j].code>>shift) & (parts - 1)
				entries[place[part]] = block[j]
				place[part]++
			}
		}
	})
	return ends, err
}

// differences are the bits in which codes differ.
func differences(entries []entry) uint64 {
	differing := uint64(0)
	for i := range entries {
		differing |= entries[i].code ^ entries[0].code
	}
	return differing
}

// sort brings the subtree's entries into Morton order, keeps the last of those
// at the same place, and tallies what is needed to lay the tree out.
func (s *subtree) sort(scratch *[]entry) {
	radixSort(s.entries, scratch)
	kept := s.entries[:0]
	var shared [MaxBuiltDepth + 1]uint32 // how many voxels part from the one before below each level
	s.box = emptyBox
	for i, e := range s.entries {
		if i+1 < len(s.entries) && s.entries[i+1].code == e.code {
			continue
		}
		if len(kept) > 0 {
			shared[s.depth-levels(e.code^kept[len(kept)-1].code)]++
		}
		s.used.Material |= e.Material
		s.used.Normal |= e.Normal
		s.box.add(e.code)
		kept = append(kept, e)
	}
	s.entries = kept
	s.code = kept[0].code
	s.next[s.level] = 1
	for level := s.level; level < s.depth; level++ {
		s.next[level+1] = s.next[level] + shared[level]
	}
}

// write writes the subtree, its root included, into the tree.
func (s *subtree) write(t *Tree) {
	p := path{tree: t, top: s.level, bottom: s.depth, next: s.next, leaf: s.next[s.depth]}
	for i := range s.entries {
		e := &s.entries[i]
		p.enter(e.code, s.depth)
		p.addVoxel(e.Voxel)
	}
	p.close(p.top)
	s.mask, s.sum = p.open[s.level].mask, p.open[s.level].sum
}

// writeTop writes the nodes above the subtrees, once these are written.
func writeTop(t *Tree, subtrees []subtree) {
	if len(subtrees) == 0 || subtrees[0].level == 0 {
		return
	}
	p := path{tree: t}
	for i := range subtrees {
		p.addSubtree(&subtrees[i])
	}
	p.close(0)
}
