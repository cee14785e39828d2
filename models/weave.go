package models

import (
	"github.com/cfef80af/eightfold/svo"
)

// cell is what fills a voxel: 0 is air, anything else opaque and a colour.
type cell uint32

const (
	air    cell = 0
	opaque cell = 1 << 24
	// hidden marks cells that nobody sees, those inside of walls: from afar a
	// piece has the mean colour of its other cells.
	hidden cell = 1 << 25
)

// of is the cell of a colour.
func of(c svo.Colour) cell { return opaque | cell(c[0])<<16 | cell(c[1])<<8 | cell(c[2]) }

func (c cell) colour() svo.Colour { return svo.Colour{uint8(c >> 16), uint8(c >> 8), uint8(c)} }

// at is the shade of a place, the same at places a multiple of 4 away: so that
// textures repeat and their nodes are shared.
func (p paint) at(u, v int) cell {
	return of(p[hash3(uint32(u&3), uint32(v&3), 29)%uint32(len(p))])
}

// piece is a cube of voxels woven into nodes: air, a single voxel, or a group of
// octants.
type piece struct {
	group int32 // index into weaver.groups, -1 for none
	cell  cell  // of the colour it has from afar, air where it is
}

// key names what looks alike: pieces of one key are interchangeable.
func (p *piece) key() uint64 { return uint64(p.group+1)<<32 | uint64(p.cell) }

// voxel is the piece of one voxel.
func voxel(c cell) piece { return piece{-1, c} }

// family is the octants of a node, woven once however often they occur.
type family struct {
	octants [8]piece
	sum     [3]uint64 // of the colours of the cells that are not hidden
	shown   uint64    // their number
	cell    cell      // of their mean
	first   uint32    // id of the first octant that is not air, once ids are given
	turned  int32     // the group a quarter turn on, -1 where it isn't known
}

// weaver makes octrees in which equal subtrees are one: a wall of a thousand
// windows is as large as one window. (Kaempe, Sintorn and Assarsson, High
// Resolution Sparse Voxel DAGs, 2013; here groups of siblings are shared, since
// children have consecutive ids.)
type weaver struct {
	groups []family
	known  map[[8]uint64]int32
	block  [blockEdge * blockEdge * blockEdge]cell
}

func newWeaver() *weaver { return &weaver{known: map[[8]uint64]int32{}} }

// join makes one piece of eight, by octant.
func (w *weaver) join(octants *[8]piece) piece {
	var key [8]uint64
	there := false
	for o := range octants {
		if p := &octants[o]; p.cell != air {
			key[o], there = p.key(), true
		}
	}
	if !there {
		return voxel(air)
	}
	index, ok := w.known[key]
	if !ok {
		index = int32(len(w.groups))
		w.known[key] = index
		w.groups = append(w.groups, w.family(octants))
	}
	return piece{index, w.groups[index].cell}
}

// family adds up the colours of octants.
func (w *weaver) family(octants *[8]piece) family {
	f := family{octants: *octants, turned: -1}
	var plain [3]uint64
	count := uint64(0)
	for o := range octants {
		p := octants[o]
		if p.cell == air {
			continue
		}
		count++
		sum, shown := [3]uint64{}, uint64(0)
		for i, v := range p.cell.colour() {
			plain[i] += uint64(v)
			sum[i] = uint64(v)
		}
		if p.group >= 0 {
			sum, shown = w.groups[p.group].sum, w.groups[p.group].shown
		} else if p.cell&hidden == 0 {
			shown = 1
		} else {
			sum = [3]uint64{}
		}
		f.shown += shown
		for i := range sum {
			f.sum[i] += sum[i]
		}
	}
	sum := plain
	if f.shown > 0 {
		sum, count = f.sum, f.shown
	}
	var mean svo.Colour
	for i := range mean {
		mean[i] = uint8((sum[i] + count/2) / count)
	}
	f.cell = of(mean)
	return f
}

// solid is a cube of 2^level voxels of one cell.
func (w *weaver) solid(c cell, level int) piece {
	p := voxel(c)
	for range level {
		p = w.join(&[8]piece{p, p, p, p, p, p, p, p})
	}
	return p
}

// turn is a piece turned about the vertical by a quarter, from x to y.
func (w *weaver) turn(p piece) piece {
	if p.group < 0 {
		return p
	}
	if t := w.groups[p.group].turned; t >= 0 {
		return piece{t, p.cell}
	}
	var octants [8]piece
	for o := range 8 {
		x, y := o&1, o>>1&1
		octants[o&4|x<<1|(1-y)] = w.turn(w.groups[p.group].octants[o])
	}
	turned := w.join(&octants)
	w.groups[p.group].turned = turned.group
	return turned
}

// field is a shape told voxel by voxel.
type field struct {
	size [3]int // there is air outside of 0 to size, exclusive
	at   func(x, y, z int) cell
	// same may tell at once what fills a cube, or that it can't; it may be nil.
	same func(x, y, z, edge int) (cell, bool)
}

// Fields are asked for blocks of 16 voxels.
const (
	blockLevel   = 4
	blockEdge    = 1 << blockLevel
	stepY, stepZ = blockEdge, blockEdge * blockEdge
)

// weave makes a piece of the cube of 2^level voxels, 16 at least, at a place.
func (w *weaver) weave(f *field, x, y, z, level int) piece {
	edge := 1 << level
	if x >= f.size[0] || y >= f.size[1] || z >= f.size[2] {
		return voxel(air)
	}
	if f.same != nil {
		if c, ok := f.same(x, y, z, edge); ok {
			return w.solid(c, level)
		}
	}
	if level == blockLevel {
		if !w.fill(f, x, y, z) {
			return voxel(air)
		}
		return w.weaveBlock(0, blockLevel)
	}
	var octants [8]piece
	for o := range octants {
		octants[o] = w.weave(f, x+o&1*edge/2, y+o>>1&1*edge/2, z+o>>2*edge/2, level-1)
	}
	return w.join(&octants)
}

// fill copies a block, and tells whether there is anything but air.
func (w *weaver) fill(f *field, x, y, z int) (any bool) {
	clear(w.block[:])
	for dz := range min(blockEdge, f.size[2]-z) {
		for dy := range min(blockEdge, f.size[1]-y) {
			row := w.block[dz*stepZ+dy*stepY:]
			for dx := range min(blockEdge, f.size[0]-x) {
				c := f.at(x+dx, y+dy, z+dz)
				row[dx] = c
				any = any || c != air
			}
		}
	}
	return any
}

// weaveBlock makes a piece of a part of the block, from a cell on.
func (w *weaver) weaveBlock(at, level int) piece {
	var octants [8]piece
	if level == 1 {
		b := &w.block
		for o, c := range [8]cell{b[at], b[at+1], b[at+stepY], b[at+stepY+1], b[at+stepZ], b[at+stepZ+1], b[at+stepZ+stepY], b[at+stepZ+stepY+1]} {
			octants[o] = voxel(c)
		}
		return w.join(&octants)
	}
	half := 1 << (level - 1)
	for o := range octants {
		octants[o] = w.weaveBlock(at+o&1*half+o>>1&1*half*stepY+o>>2*half*stepZ, level-1)
	}
	return w.join(&octants)
}

// tree makes the octree of a piece of 2^depth voxels that isn't air. Groups
// that the piece doesn't need are left out.
func (w *weaver) tree(p piece, depth int) (*svo.Tree, error) {
	order := w.reach(p.group)
	next := uint32(1) // after the root
	for _, order := range order {
		for _, g := range order {
			w.groups[g].first = next
			for o := range 8 {
				if w.groups[g].octants[o].cell != air {
					next++
				}
			}
		}
	}
	t := make([]svo.Node, 1, next)
	colours := make([]svo.Colour, 1, next)
	t[0], colours[0] = w.node(p), p.cell.colour()
	for i, order := range order {
		for _, g := range order {
			for o := range 8 {
				octant := w.groups[g].octants[o]
				if octant.cell == air {
					continue
				}
				colours = append(colours, octant.cell.colour())
				if i < 2 {
					t = append(t, w.node(octant))
				}
			}
		}
	}
	return svo.New(depth, t, colours, nil, nil)
}

// reach lists the groups below a group, itself first: those of nodes, those of
// nodes that hold voxels, and those of voxels. (So the last nodes are those
// without grandchildren, see svo.Tree.SharedGrandchildren.)
func (w *weaver) reach(root int32) (order [3][]int32) {
	seen := make([]bool, len(w.groups))
	seen[root] = true
	list := []int32{root}
	for i := 0; i < len(list); i++ {
		g := list[i]
		for o := range 8 {
			if below := w.groups[g].octants[o].group; below >= 0 && !seen[below] {
				seen[below] = true
				list = append(list, below)
			}
		}
		sort := 3 - min(w.levels(g), 3)
		order[sort] = append(order[sort], g)
	}
	return order
}

// levels is how many levels there are below the node of a group.
func (w *weaver) levels(group int32) int {
	for o := range 8 {
		if p := w.groups[group].octants[o]; p.cell != air {
			if p.group < 0 {
				return 1
			}
			return 1 + w.levels(p.group)
		}
	}
	return 1
}

// node is the node of a piece whose groups have ids.
func (w *weaver) node(p piece) svo.Node {
	mask := uint8(0)
	for o := range 8 {
		if w.groups[p.group].octants[o].cell != air {
			mask |= 1 << o
		}
	}
	return svo.NewNode(w.groups[p.group].first, mask)
}
