package svo

// Stats describes a tree.
type Stats struct {
	// Levels has the number of nodes on each level, from the root to the
	// voxels, those of shared nodes as often as they occur (at most the
	// greatest uint64).
	Levels []uint64
	// Nodes are the ids of inner nodes, Leaves those that occur as voxels.
	Nodes, Leaves int
	// Colours is the number of different colours among the voxels.
	Colours int
	// Bytes is the memory of the tree's arrays, BytesPerVoxel their share.
	Bytes         uint64
	BytesPerVoxel float64
}

// Bytes is how much memory the tree's arrays take.
func (t *Tree) Bytes() uint64 {
	return 8*uint64(len(t.Nodes)) + 3*uint64(len(t.Colours)) + 4*uint64(len(t.Normals)) +
		uint64(len(t.Materials)) + 8*uint64(len(t.Bricks)) + 4*uint64(len(t.FirstLeaf)+len(t.grandchildren)+len(t.sharedGrandchildren))
}

// Stats walks the whole tree once to describe it. Of a tree that is not valid
// only Nodes and Bytes are told.
func (t *Tree) Stats() Stats {
	stats := Stats{Nodes: t.Inner(), Bytes: t.Bytes()}
	s, err := t.inspect()
	if err != nil {
		return stats
	}
	stats.Levels = s.levels
	seen := newBitset(1 << 24)
	for id, c := range t.Colours {
		if !s.leaves.has(uint32(id)) {
			continue
		}
		stats.Leaves++
		if rgb := uint32(c[0])<<16 | uint32(c[1])<<8 | uint32(c[2]); !seen.has(rgb) {
			seen.set(rgb)
			stats.Colours++
		}
	}
	if voxels := s.levels[t.Depth]; voxels > 0 {
		stats.BytesPerVoxel = float64(stats.Bytes) / float64(voxels)
	}
	return stats
}
