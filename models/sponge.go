package models

import (
	"math/bits"

	"github.com/cfef80af/eightfold/svo"
)

// Sponge is a Menger-like sponge without end in 13 nodes: of 4x4x4 cells those
// 32 are kept that have at least two outer coordinates, and each kept cell is
// such a sponge again. The depth is 1 to svo.MaxDepth; two levels make one
// generation. It fails for other depths.
func Sponge(depth int) (*svo.Tree, error) {
	// Nodes 1 to 8 are the octants of the sponge. Of the children of octant o,
	// child c has an outer coordinate on each axis where c lies on the same side
	// as o; kept are those that differ from o on one axis at most.
	const firstOctant, firstCell = 1, 9
	nodes := []svo.Node{svo.NewNode(firstOctant, 0xff)}
	for o := range uint8(8) {
		mask := uint8(0)
		for c := range uint8(8) {
			if bits.OnesCount8(o^c) <= 1 {
				mask |= 1 << c
			}
		}
		nodes = append(nodes, svo.NewNode(firstCell, mask))
	}
	// Each octant has four cells, and shares them with the others: the sponge
	// itself, under four ids so that they can differ in colour.
	for range 4 {
		nodes = append(nodes, nodes[0])
	}
	colours := make([]svo.Colour, len(nodes))
	for id := range colours {
		colours[id] = svo.Colour{206, 170, 116}
	}
	copy(colours[firstCell:], []svo.Colour{{222, 184, 122}, {206, 170, 116}, {214, 162, 110}, {182, 164, 116}})
	// A sponge of a level or two has voxels in the place of octants or cells.
	switch depth {
	case 1:
		nodes, colours = nodes[:firstOctant], colours[:firstCell]
	case 2:
		nodes = nodes[:firstCell]
	}
	return svo.New(depth, nodes, colours, nil, nil)
}

// Cube is a cube of 2^depth voxels a side without a hole in it, in 9 nodes: the
// worst case for what hides nothing, and the best for what hides all. The
// depth is 1 to svo.MaxDepth; it fails for others.
func Cube(depth int) (*svo.Tree, error) {
	colours := []svo.Colour{{147, 147, 147}}
	for o := range 8 {
		// Octants of different colours show the voxels apart; their mean is the
		// root's.
		tint := func(bit int) uint8 { return uint8(120 + 54*(o>>bit&1)) }
		colours = append(colours, svo.Colour{tint(0), tint(1), tint(2)})
	}
	nodes := make([]svo.Node, len(colours))
	for id := range nodes {
		nodes[id] = svo.NewNode(1, 0xff)
	}
	return svo.New(depth, nodes, colours, nil, nil)
}
