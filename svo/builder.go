package svo

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"runtime"
)

// AutoDepth asks the Builder for the smallest depth that holds all voxels.
const AutoDepth = 0

// Voxel is what a voxel looks like. A tree has normals, or materials, when at
// least one of its voxels has.
type Voxel struct {
	Colour   Colour
	Material uint8  // palette index, 0 for none
	Normal   Normal // 0 for none
}

// Builder makes a tree from voxels in any order. Where several are added at
// the same place the last one wins. The zero value is ready for use and has
// AutoDepth. It holds 16 bytes for each voxel added; Build takes as much again,
// and the tree. A Builder is not safe for use by several goroutines at once;
// the building itself is spread over them.
type Builder struct {
	// Workers is how many goroutines Build uses; 0 means one per available CPU.
	// The tree does not depend on it.
	Workers int

	depth  int       // 1 to MaxBuiltDepth, or AutoDepth
	block  []entry   // the block being filled
	blocks [][]entry // the full ones: growing never copies
	set    uint64    // the bits set in at least one code
	unset  uint64    // the bits not set in at least one code
}

// entry is a voxel at its place.
type entry struct {
	code uint64 // EncodeMorton
	Voxel
}

// Blocks grow with what is added, so that a small model stays small.
const firstBlock, largestBlock = 1 << 8, 1 << 16

// NewBuilder returns a builder of trees of the given depth, 1 to MaxBuiltDepth
// or AutoDepth. Any other depth makes Build fail.
func NewBuilder(depth int) *Builder { return &Builder{depth: depth} }

// Add adds a voxel. It fails, and adds nothing, where a coordinate is not
// below 2^depth (2^MaxBuiltDepth with AutoDepth).
func (b *Builder) Add(x, y, z uint32, v Voxel) error {
	if (x|y|z)>>b.limit() != 0 {
		return b.outside(x, y, z)
	}
	if len(b.block) == cap(b.block) {
		b.grow()
	}
	code := EncodeMorton(x, y, z)
	b.set |= code
	b.unset |= ^code
	b.block = append(b.block, entry{code, v})
	return nil
}

// limit is how many bits a coordinate may have.
func (b *Builder) limit() uint {
	if b.depth == AutoDepth {
		return MaxBuiltDepth
	}
	return uint(b.depth)
}

func (b *Builder) outside(x, y, z uint32) error {
	if err := b.checkDepth(); err != nil {
		return err
	}
	return fmt.Errorf("octree: voxel (%d, %d, %d) lies outside: coordinates must be below %d at depth %d; choose a greater depth or a coarser grid",
		x, y, z, 1<<b.limit(), b.limit())
}

func (b *Builder) checkDepth() error {
	if b.depth < 0 || b.depth > MaxBuiltDepth {
		return fmt.Errorf("octree: depth %d can't be built: choose 1 to %d, or %d for the smallest that fits",
			b.depth, MaxBuiltDepth, AutoDepth)
	}
	return nil
}

func (b *Builder) grow() {
	size := firstBlock
	if cap(b.block) > 0 {
		b.blocks = append(b.blocks, b.block)
		size = min(2*cap(b.block), largestBlock)
	}
	b.block = make([]entry, 0, size)
}

// Build makes the tree and leaves the builder empty, as new. It fails when ctx
// ends, when the depth is out of range, and when the tree would need more ids
// than 32 bits hold.
//
// Voxels are dealt out to subtrees some levels below the root. Each of these is
// sorted and counted by itself; the counts tell which ids it takes, and it is
// written by itself. That leaves the few nodes above the subtrees.
func (b *Builder) Build(ctx context.Context) (*Tree, error) {
	blocks, differing := b.blocks, b.set&b.unset
	if len(b.block) > 0 {
		blocks = append(blocks, b.block)
	}
	depth := b.depth
	if depth == AutoDepth {
		depth = max(levels(b.set), 1)
	}
	workers := b.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	*b = Builder{depth: b.depth, Workers: b.Workers}
	if err := b.checkDepth(); err != nil {
		return nil, err
	}

	subtrees, err := deal(ctx, blocks, depth, differing, workers)
	if err != nil {
		return nil, err
	}
	scratch := make([][]entry, workers)
	err = parallel(ctx, workers, len(subtrees), func(worker, i int) { subtrees[i].sort(&scratch[worker]) })
	if err != nil {
		return nil, err
	}
	t, err := layOut(depth, subtrees)
	if err != nil {
		return nil, err
	}
	err = parallel(ctx, workers, len(subtrees), func(_, i int) { subtrees[i].write(t) })
	if err != nil {
		return nil, err
	}
	writeTop(t, subtrees)
	if t.packed() {
		t.findGrandchildren()
	}
	return t, nil
}

// levels is how many levels a code with these bits needs.
func levels(code uint64) int { return (bits.Len64(code) + 2) / 3 }

// layOut gives every subtree its ids on each level, breadth-first, and makes
// the arrays of a tree that holds them all.
func layOut(depth int, subtrees []subtree) (*Tree, error) {
	t := &Tree{Depth: depth}
	if len(subtrees) == 0 {
		return t, nil
	}
	var starts [MaxBuiltDepth + 1]uint64 // the first id of each level
	ids := uint64(0)
	for level := range depth + 1 {
		starts[level] = ids
		for i := range subtrees {
			s := &subtrees[i]
			count := s.next[level]
			if level < s.level { // the subtree hangs on one node there
				if i > 0 && depth-levels(s.code^subtrees[i-1].code) >= level {
					s.next[level] = subtrees[i-1].next[level] // on the same as the one before
					continue
				}
				count = 1
			}
			s.next[level] = uint32(ids)
			ids += uint64(count)
		}
	}
	if ids > math.MaxUint32 {
		return nil, fmt.Errorf("octree: %d nodes and voxels: at most %d fit; choose a coarser grid", ids, uint32(math.MaxUint32))
	}
	if depth == 1 {
		t.Nodes = make([]Node, 1)
	} else {
		t.Nodes = make([]Node, starts[depth-1])
		t.Bricks = make([]uint64, starts[depth-1])
		t.FirstLeaf = make([]uint32, starts[depth-1]-starts[depth-2])
	}
	t.Colours = make([]Colour, ids)
	t.voxels = ids - starts[depth]
	var used Voxel
	box := emptyBox
	for i := range subtrees {
		used.Normal |= subtrees[i].used.Normal
		used.Material |= subtrees[i].used.Material
		box = box.union(subtrees[i].box)
	}
	if used.Normal != 0 {
		t.Normals = make([]Normal, ids)
	}
	if used.Material != 0 {
		t.Materials = make([]uint8, ids)
	}
	t.min, t.max = box.bounds()
	return t, nil
}
