package models

import (
	"math/bits"
)

// Buildings of the city are put together from bays: cubes of 3 metres, as wide as
// a window with its share of wall and as high as a storey.
const (
	bay      = 1 << bayLevel // voxels
	bayLevel = 6
	// cityVoxel is the edge of a voxel in metres: a fraction that has an exact
	// number, so that neighbours meet exactly.
	cityVoxel = 3.0 / bay
)

// building is a model while it is put together: bays in a box.
type building struct {
	*weaver
	n    [3]int // bays along x, y and z
	bays []piece
}

func newBuilding(nx, ny, nz int) *building {
	b := &building{weaver: newWeaver(), n: [3]int{nx, ny, nz}, bays: make([]piece, nx*ny*nz)}
	for i := range b.bays {
		b.bays[i] = voxel(air)
	}
	return b
}

// set puts a piece into a bay; what lies outside is dropped.
func (b *building) set(x, y, z int, p piece) {
	if x >= 0 && y >= 0 && z >= 0 && x < b.n[0] && y < b.n[1] && z < b.n[2] {
		b.bays[(z*b.n[1]+y)*b.n[0]+x] = p
	}
}

// box puts a piece into all bays of a box, the upper bounds exclusive.
func (b *building) box(x0, y0, z0, x1, y1, z1 int, p piece) {
	for z := z0; z < z1; z++ {
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				b.set(x, y, z, p)
			}
		}
	}
}

// shape weaves a field into the bays from one on.
func (b *building) shape(x, y, z int, f *field) {
	for dz := 0; dz*bay < f.size[2]; dz++ {
		for dy := 0; dy*bay < f.size[1]; dy++ {
			for dx := 0; dx*bay < f.size[0]; dx++ {
				b.set(x+dx, y+dy, z+dz, b.weave(f, dx*bay, dy*bay, dz*bay, bayLevel))
			}
		}
	}
}

// model makes the octree of the bays.
func (b *building) model(name string) (Model, error) {
	level := bits.Len(uint(max(b.n[0], b.n[1], b.n[2]) - 1))
	tree, err := b.tree(b.gather(0, 0, 0, level), level+bayLevel)
	if err != nil {
		return Model{}, err
	}
	m := treeModel(name, tree)
	m.Size = [3]int{b.n[0] * bay, b.n[1] * bay, b.n[2] * bay} // it stands by its bays, not by what juts out
	return m, nil
}

// gather joins the bays of a cube of 2^level of them.
func (b *building) gather(x, y, z, level int) piece {
	if x >= b.n[0] || y >= b.n[1] || z >= b.n[2] {
		return voxel(air)
	}
	if level == 0 {
		return b.bays[(z*b.n[1]+y)*b.n[0]+x]
	}
	half := 1 << (level - 1)
	var octants [8]piece
	for o := range octants {
		octants[o] = b.gather(x+o&1*half, y+o>>1&1*half, z+o>>2*half, level-1)
	}
	return b.join(&octants)
}

// facade tells what one side of a bay is made of: u goes along it to the right
// of who faces it, z up, and d in from its outermost plane.
type facade func(u, z, d int) cell

// core is what is behind the facades: a cell up to a height, air above.
type core struct {
	top int
	cell
}

// storey has the bays that a floor of a building is laid out with.
type storey struct {
	walls   [4][]piece // towards -y, x, y and -x, each in some variants
	corners [4]piece   // between the last side and this one
	inside  piece
}

// storey weaves the bays of facades that are depth voxels deep. The first of them
// also makes the corners.
func (b *building) storey(depth int, c core, looks ...facade) storey {
	var s storey
	size := [3]int{bay, bay, bay}
	behind := func(_, _, z int) cell {
		if z < c.top {
			return c.cell
		}
		return air
	}
	same := func(z, edge int) (cell, bool) { return behind(0, 0, z), z+edge <= c.top || z >= c.top }
	s.inside = b.weave(&field{size, behind, func(_, _, z, edge int) (cell, bool) { return same(z, edge) }}, 0, 0, 0, bayLevel)
	for _, look := range looks {
		wall := field{size: size}
		wall.at = func(x, y, z int) cell {
			if y < depth {
				return look(x, z, y)
			}
			return behind(x, y, z)
		}
		wall.same = func(_, y, z, edge int) (cell, bool) {
			if y < depth {
				return air, false
			}
			return same(z, edge)
		}
		s.walls[0] = append(s.walls[0], b.weave(&wall, 0, 0, 0, bayLevel))
	}
	corner := field{size: size}
	corner.at = func(x, y, z int) cell {
		front, side := opaque, opaque
		if y < depth {
			front = looks[0](x, z, y)
		}
		if x < depth {
			side = looks[0](bay-1-y, z, x)
		}
		switch {
		case front == air || side == air:
			return air
		case min(x, y) >= depth:
			return behind(x, y, z)
		case y <= x:
			return front
		}
		return side
	}
	corner.same = func(x, y, z, edge int) (cell, bool) {
		if min(x, y) < depth {
			return air, false
		}
		return same(z, edge)
	}
	s.corners[0] = b.weave(&corner, 0, 0, 0, bayLevel)
	for side := 1; side < 4; side++ {
		for _, p := range s.walls[side-1] {
			s.walls[side] = append(s.walls[side], b.turn(p))
		}
		s.corners[side] = b.turn(s.corners[side-1])
	}
	return s
}

// floor lays out a storey from bay x0, y0 to x1, y1, exclusive, at least two
// either way. Variants of walls follow each other by chance.
func (b *building) floor(s storey, z, x0, y0, x1, y1 int) {
	b.box(x0+1, y0+1, z, x1-1, y1-1, z+1, s.inside)
	pick := func(side, x, y int) piece {
		variants := s.walls[side]
		return variants[hash3(uint32(x*4+side), uint32(y), uint32(z))>>3%uint32(len(variants))]
	}
	for x := x0 + 1; x < x1-1; x++ {
		b.set(x, y0, z, pick(0, x, y0))
		b.set(x, y1-1, z, pick(2, x, y1-1))
	}
	for y := y0 + 1; y < y1-1; y++ {
		b.set(x1-1, y, z, pick(1, x1-1, y))
		b.set(x0, y, z, pick(3, x0, y))
	}
	b.set(x0, y0, z, s.corners[0])
	b.set(x1-1, y0, z, s.corners[1])
	b.set(x1-1, y1-1, z, s.corners[2])
	b.set(x0, y1-1, z, s.corners[3])
}

// floors lays out storeys from z0 up to z1, exclusive.
func (b *building) floors(s storey, z0, z1, x0, y0, x1, y1 int) {
	for z := z0; z < z1; z++ {
		b.floor(s, z, x0, y0, x1, y1)
	}
}
