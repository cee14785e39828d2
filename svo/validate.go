package svo

import (
	"fmt"
	"math"
)

// New makes a tree of nodes that are already there, among them such as are
// shared or contain themselves: ids may occur under several parents and on
// several levels. It keeps the slices, and fails as Validate does. Unlike the
// Builder it leaves the attributes of inner nodes as they are. It takes time
// for every node on each level where the node occurs, not for every voxel.
func New(depth int, nodes []Node, colours []Colour, normals []Normal, materials []uint8) (*Tree, error) {
	t := &Tree{Depth: depth, Nodes: nodes, Colours: colours, Normals: normals, Materials: materials}
	s, err := t.inspect()
	if err != nil {
		return nil, err
	}
	t.Bricks = s.bricks
	t.voxels, t.min, t.max = s.levels[depth], s.low, s.high
	t.findSharedGrandchildren()
	return t, nil
}

// Validate returns an error that names the first thing wrong with the tree: a
// depth out of range, attributes that are missing or too many, a child that
// doesn't exist, an inner node without children, an id that nothing leads to,
// or bricks, a voxel count or bounds other than the nodes have. A valid tree
// is safe to walk, whatever it came from. That a node contains itself is no
// error: the depth ends it.
func (t *Tree) Validate() error {
	s, err := t.inspect()
	if err != nil {
		return err
	}
	if len(s.bricks) != len(t.Bricks) {
		return fmt.Errorf("octree: %d bricks for nodes that need %d: use New to make a tree", len(t.Bricks), len(s.bricks))
	}
	for id, brick := range s.bricks {
		if brick != t.Bricks[id] {
			return fmt.Errorf("octree: brick %d is %#x, but the children of its node have %#x: use New to make a tree", id, t.Bricks[id], brick)
		}
	}
	if voxels := s.levels[t.Depth]; voxels != t.voxels {
		return fmt.Errorf("octree: %d voxels counted, but the nodes hold %d: use New to make a tree", t.voxels, voxels)
	}
	if s.low != t.min || s.high != t.max {
		return fmt.Errorf("octree: bounds %d to %d, but the voxels' are %d to %d: use New to make a tree", t.min, t.max, s.low, s.high)
	}
	return nil
}

// inspect surveys a tree and tells what is wrong with its nodes and attributes.
func (t *Tree) inspect() (survey, error) {
	if t.Depth < 1 || t.Depth > MaxDepth {
		return survey{}, fmt.Errorf("octree: depth %d: must be 1 to %d", t.Depth, MaxDepth)
	}
	ids := len(t.Colours)
	switch {
	case uint64(ids) > math.MaxUint32:
		return survey{}, fmt.Errorf("octree: %d ids: at most %d are possible; choose a coarser grid", ids, uint32(math.MaxUint32))
	case ids < len(t.Nodes):
		return survey{}, fmt.Errorf("octree: %d colours for %d nodes: every node and voxel needs one", ids, len(t.Nodes))
	case t.Normals != nil && len(t.Normals) != ids:
		return survey{}, fmt.Errorf("octree: %d normals for %d colours: give one for each, or none at all", len(t.Normals), ids)
	case t.Materials != nil && len(t.Materials) != ids:
		return survey{}, fmt.Errorf("octree: %d materials for %d colours: give one for each, or none at all", len(t.Materials), ids)
	}
	s, err := t.survey()
	if err != nil {
		return survey{}, err
	}
	for id := range ids {
		if !s.reached.has(uint32(id)) {
			return survey{}, fmt.Errorf("octree: id %d of %d is neither a node nor a voxel of the tree: nothing leads to it; leave it out", id, ids)
		}
	}
	return s, nil
}
