// Package svo holds the sparse voxel octree: its nodes, the attributes that
// give each node a look, a builder that makes one from loose voxels, and the
// checks that tell a sound tree from a broken one.
//
// A tree of depth d covers the voxels 0 <= x, y, z < 2^d. Level 0 is the root,
// a cube of edge 2^d; a node of level l has the edge 2^(d-l); the leaves of
// level d are the voxels themselves, cubes of edge 1.
//
// Ids name both inner nodes and leaves. An id is the index of the node's
// attributes and, in Nodes, of the node itself. Whether an id names a leaf is
// told by its level alone, so that nodes may be shared and may even contain
// themselves: 13 nodes make a sponge without end.
//
// Trees that the Builder makes share nothing. They are packed: in breadth-first
// order, so that the ids of each level, and the leaves of each node, are
// consecutive, and without the nodes of level Depth-1, which are by far the most.
// What these would say can be told from their parents' bricks. Root and Child
// lead through trees of both kinds.
package svo

// MaxDepth is the greatest depth of a tree: coordinates fit an int32.
const MaxDepth = 30

// MaxBuiltDepth is the greatest depth the Builder makes: three coordinates fit
// a Morton code of 63 bits.
const MaxBuiltDepth = 21

// Colour is red, green and blue as stored in files: sRGB, 0 to 255, never
// premultiplied.
type Colour [3]uint8

// Tree is a sparse voxel octree. It is read-only once made: any number of
// goroutines, renderers and instances may share one. An empty tree has no nodes
// at all.
type Tree struct {
	// Depth is the number of levels below the root, 1 to MaxDepth.
	Depth int
	// Nodes are the inner nodes, the root first; in a packed tree without those
	// of level Depth-1, though their ids follow.
	Nodes []Node
	// Colours has one entry an id: a leaf's own colour, an inner node's mean
	// over the voxels it holds.
	Colours []Colour
	// Normals has one entry an id, or is nil when the source had none.
	Normals []Normal
	// Materials has one entry an id, or is nil: the palette index (1 to 255) of
	// a leaf, of an inner node the one most frequent below it.
	Materials []uint8
	// Bricks has one entry an id of the levels above Depth-1: the 64 octants of
	// the node's octants that are not empty, bit 8*o + p for octant p of octant
	// o. Its length is one more than the greatest id on these levels; ids that
	// don't occur there have 0. New and the Builder fill it.
	Bricks []uint64
	// FirstLeaf makes a tree packed, unless it is nil: for each node of level
	// Depth-2, the last in Nodes, the id of the first leaf in it. The leaf that
	// is bit b of the node's brick comes after as many as there are bits below.
	FirstLeaf []uint32

	// grandchildren is, in packed trees, for each node of the levels above
	// Depth-2 the id of its first grandchild; the others follow it.
	grandchildren []uint32

	// sharedGrandchildren is, in small trees that are not packed, for each node
	// the ids of its 64 grandchildren, 0 where there is none.
	sharedGrandchildren []uint32

	voxels uint64    // how many leaves, counted with repetition where nodes are shared
	min    [3]uint32 // bounds of the voxels in leaf units, max exclusive
	max    [3]uint32
}
