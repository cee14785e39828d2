package witness_test

import (
	"math/rand/v2"

	"github.com/cfef80af/eightfold/svo"
)

// point is a voxel's position.
type point [3]int32

// plant makes a tree of the voxels, by the plainest of ways, so that the
// witness' tests don't rest on svo.Builder.
func plant(depth int, voxels map[point]bool) *svo.Tree {
	levels := make([]map[point]bool, depth+1)
	levels[depth] = voxels
	for level := depth; level > 0; level-- {
		levels[level-1] = map[point]bool{}
		for p := range levels[level] {
			levels[level-1][point{p[0] >> 1, p[1] >> 1, p[2] >> 1}] = true
		}
	}
	var nodes []svo.Node
	row := []point{{}}
	ids := uint32(1)
	for level := range depth {
		var below []point
		for _, p := range row {
			first, mask := ids, uint8(0)
			for octant := range int32(8) {
				child := point{2*p[0] + octant&1, 2*p[1] + octant>>1&1, 2*p[2] + octant>>2}
				if levels[level+1][child] {
					mask |= 1 << octant
					ids++
					below = append(below, child)
				}
			}
			nodes = append(nodes, svo.NewNode(first, mask))
		}
		row = below
	}
	colours := make([]svo.Colour, ids)
	for i := range colours {
		colours[i] = svo.Colour{uint8(80 + i*37%170), uint8(80 + i*59%170), uint8(80 + i*83%170)}
	}
	return tree(depth, nodes, colours)
}

func tree(depth int, nodes []svo.Node, colours []svo.Colour) *svo.Tree {
	t, err := svo.New(depth, nodes, colours, nil, nil)
	if err != nil {
		panic(err)
	}
	return t
}

// fill lists the voxels below 2^depth that are in a shape.
func fill(depth int, shape func(x, y, z int32) bool) map[point]bool {
	voxels := map[point]bool{}
	size := int32(1) << depth
	for z := range size {
		for y := range size {
			for x := range size {
				if shape(x, y, z) {
					voxels[point{x, y, z}] = true
				}
			}
		}
	}
	return voxels
}

func ball(depth int) map[point]bool {
	size := int32(1) << depth
	return fill(depth, func(x, y, z int32) bool {
		x, y, z = 2*x+1-size, 2*y+1-size, 2*z+1-size
		return x*x+y*y+z*z < size*size
	})
}

// scatter is n random voxels.
func scatter(depth, n int, seed uint64) map[point]bool {
	random := rand.New(rand.NewPCG(seed, 1))
	voxels := map[point]bool{}
	for range n {
		voxels[point{random.Int32N(1 << depth), random.Int32N(1 << depth), random.Int32N(1 << depth)}] = true
	}
	return voxels
}

// sponge is a sponge without end: of each 4x4x4 block
// only the edges are left, and each of its cells is a block again.
func sponge(depth int) *svo.Tree {
	nodes := []svo.Node{svo.NewNode(1, 255)}
	for octant := range 8 {
		mask := uint8(0)
		for cell := range 8 {
			outer := 0 // coordinates in which the cell lies at the block's outside
			for axis := range 3 {
				if octant>>axis&1 == cell>>axis&1 {
					outer++
				}
			}
			if outer >= 2 {
				mask |= 1 << cell
			}
		}
		nodes = append(nodes, svo.NewNode(9, mask))
	}
	for range 4 {
		nodes = append(nodes, svo.NewNode(1, 255))
	}
	return tree(depth, nodes, make([]svo.Colour, 13))
}

// inSponge tells whether a voxel is in the sponge, from its coordinates alone.
func inSponge(depth int, p point) bool {
	for bit := depth - 2; bit >= 0; bit -= 2 {
		outer := 0
		for _, c := range p {
			if cell := c >> bit & 3; cell == 0 || cell == 3 {
				outer++
			}
		}
		if outer < 2 {
			return false
		}
	}
	return true
}
