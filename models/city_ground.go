package models

import "slices"

// The city is laid out in squares of 22 bays: a street along x at the lower
// side, one along y at the left, and a block of 16 bays.
const (
	squareBays = 22
	streetBays = 6 // a pavement at either side, two lanes to park and two to drive
	blockBays  = squareBays - streetBays
	groundBays = 4 // how deep the ground is
)

// surface is the top of a bay of ground: how far it lies below the city's level,
// and its cell.
type surface func(x, y int) (drop int, c cell)

// ground is a square of the city's ground while it is made. All of them are
// made by one weaver, for they have much in common.
type ground struct {
	*building
}

// newGround is a square with its streets, and soil in place of the block.
func newGround() *ground {
	g := &ground{building: newBuilding(squareBays, squareBays, groundBays)}
	layer := func(lower, upper paint) piece { // its border goes up and down
		f := field{size: [3]int{bay, bay, bay}, at: func(x, y, z int) cell {
			wave := min(x, bay-x)/3 + min(y, bay-y)/4 + int(hash3(uint32(x>>2), uint32(y>>2), 7)&3)
			if z < wave {
				return lower.at((x+y)>>2, z>>2)
			}
			return upper.at((x+y)>>2, z>>2)
		}}
		return g.weave(&f, 0, 0, 0, bayLevel)
	}
	for z, p := range [groundBays]piece{layer(bedrock, bedrock), layer(bedrock, clay), layer(clay, clay), layer(clay, topsoil)} {
		g.box(0, 0, z, squareBays, squareBays, z+1, p)
	}
	g.streets()
	return g
}

// next is the same square, for another block.
func (g *ground) next() *ground {
	return &ground{&building{weaver: g.weaver, n: g.n, bays: slices.Clone(g.bays)}}
}

// top is a bay of ground under a surface; below is what its sides show.
func (g *ground) top(below paint, s surface) piece {
	f := field{size: [3]int{bay, bay, bay}}
	f.at = func(x, y, z int) cell {
		drop, c := s(x, y)
		switch {
		case z >= bay-drop:
			return air
		case z >= bay-drop-3:
			return c
		}
		return below.at((x+y)>>2, z>>2) | hidden
	}
	f.same = func(_, _, z, edge int) (cell, bool) {
		return below.at(0, 0) | hidden, z+edge <= bay-16 && below[0] != quay[0]
	}
	return g.weave(&f, 0, 0, 0, bayLevel)
}

// lay paints the top bays of a box.
func (g *ground) lay(x0, y0, x1, y1 int, below paint, s surface) {
	g.box(x0, y0, groundBays-1, x1, y1, groundBays, g.top(below, s))
}

// Kerbs stand so high above the street.
const kerbHeight = 3

func slabs(p paint) surface {
	return func(x, y int) (int, cell) {
		if x&15 == 15 || y&15 == 15 {
			return 0, shade(p.at(x>>4, y>>4), 226)
		}
		return 0, p.at(x>>4, y>>4)
	}
}

func plainRoad(x, y int) (int, cell) { return kerbHeight, asphalt.at(x>>2, y>>2) }

// marked is a road with paint where a mark is.
func marked(mark func(x, y int) bool) surface {
	return func(x, y int) (int, cell) {
		if mark(x, y) {
			return kerbHeight, lanePaint.at(x>>2, y>>2)
		}
		return plainRoad(x, y)
	}
}

// along turns a surface told for the street along x into that of the one
// along y.
func (s surface) along() surface { return func(x, y int) (int, cell) { return s(y, x) } }

// streets lays both streets and where they cross.
func (g *ground) streets() {
	pavement := slabs(paving)
	edge := func(low bool) surface { // with a kerb at its upper or lower side
		return func(x, y int) (int, cell) {
			if low && y < 6 || !low && y >= bay-6 {
				return 0, kerb.at(x>>4, 0)
			}
			return pavement(x, y)
		}
	}
	park := func(low bool) surface {
		return marked(func(x, y int) bool {
			if !low {
				y = bay - 1 - y
			}
			return within(x, 31, 33) && y < 56
		})
	}
	dashes := func(low bool) surface {
		return marked(func(x, y int) bool { return within(x, 8, 40) && (low && y >= bay-2 || !low && y < 2) })
	}
	zebra := marked(func(x, y int) bool { return y>>3&1 == 0 && within(x, 8, 56) })
	lanes := [streetBays]surface{edge(false), park(true), dashes(true), dashes(false), park(false), edge(true)}
	for lane, s := range lanes {
		g.lay(streetBays, lane, squareBays, lane+1, quay, s)
		g.lay(lane, streetBays, lane+1, squareBays, quay, s.along())
		if within(lane, 1, streetBays-1) {
			for _, at := range [2]int{streetBays, squareBays - 1} {
				g.lay(at, lane, at+1, lane+1, quay, zebra)
				g.lay(lane, at, lane+1, at+1, quay, zebra.along())
			}
		}
	}
	g.lay(0, 0, streetBays, streetBays, quay, plainRoad)
	for corner := range 4 {
		x, y := corner&1*(streetBays-1), corner>>1*(streetBays-1)
		g.lay(x, y, x+1, y+1, quay, pavement)
	}
}

func grassy(p paint) surface {
	return func(x, y int) (int, cell) { return int(hash3(uint32(x>>1&3), uint32(y>>1&3), 3) & 1), p.at(x>>2, y>>2) }
}

func flat(p paint) surface { return func(x, y int) (int, cell) { return 0, p.at(x>>2, y>>2) } }

// block puts a piece onto all of the block, or onto a box of its bays.
func (g *ground) block(x0, y0, x1, y1 int, p piece) {
	g.box(streetBays+x0, streetBays+y0, groundBays-1, streetBays+x1, streetBays+y1, groundBays, p)
}

// grounds makes all squares of ground, in the order of their kinds.
func grounds() ([]Model, error) {
	g := newGround()
	var models []Model
	for _, one := range []struct {
		name string
		make func(g *ground)
	}{
		{"courtyard", (*ground).yard}, {"gardens", (*ground).garden}, {"park", (*ground).park}, {"square", (*ground).square},
		{"pitch", (*ground).pitch}, {"river", (*ground).river}, {"bridge", (*ground).bridge},
	} {
		square := g.next()
		one.make(square)
		m, err := square.model("ground: " + one.name)
		if err != nil {
			return nil, err
		}
		models = append(models, m)
	}
	return models, nil
}

// yard is the ground of a block of houses: paved, with some green inside.
func (g *ground) yard() {
	g.block(0, 0, blockBays, blockBays, g.top(topsoil, slabs(plaza)))
	g.block(6, 6, 10, 10, g.top(topsoil, grassy(lawn)))
}

// garden is the ground of detached houses.
func (g *ground) garden() {
	greens := [2]piece{g.top(topsoil, grassy(lawn)), g.top(topsoil, grassy(lawnDark))}
	for y := range blockBays {
		g.block(0, y, blockBays, y+1, greens[hash3(uint32(y), 0, 5)&1])
	}
	path := g.top(topsoil, slabs(gravel))
	for _, x := range []int{1, 4, 7, 10, 13} {
		g.block(x, 0, x+1, 3, path)
		g.block(x, 13, x+1, 16, path)
	}
	g.block(2, 7, 14, 9, g.top(topsoil, grassy(crop)))
}

// park has lawns, paths and a pond.
func (g *ground) park() {
	greens := [2]piece{g.top(topsoil, grassy(lawn)), g.top(topsoil, grassy(lawnDark))}
	for y := range blockBays {
		for x := range blockBays {
			shade := 0
			if hash3(uint32(x/2), uint32(y/2), 9)&3 == 0 {
				shade = 1
			}
			g.block(x, y, x+1, y+1, greens[shade])
		}
	}
	path := g.top(topsoil, flat(gravel))
	g.block(0, 7, blockBays, 8, path)
	g.block(11, 0, 12, blockBays, path)
	const r = 2*bay + 40
	for by := range 6 {
		for bx := range 6 {
			g.block(2+bx, 9+by, 3+bx, 10+by, g.top(topsoil, func(x, y int) (int, cell) {
				dx, dy := bx*bay+x-3*bay, by*bay+y-3*bay
				wave := int(hash3(uint32(dx>>3), uint32(dy>>3), 15) & 7)
				switch r2 := dx*dx + dy*dy*5/4; {
				case r2 < r*r:
					return 8, water.at(dx>>3, dy>>2)
				case r2 < (r+14+wave)*(r+14+wave):
					return 0, rock.at(x>>2, y>>2)
				}
				return grassy(lawn)(x, y)
			}))
		}
	}
}

// square is a paved place with a pattern.
func (g *ground) square() {
	light, dark := g.top(topsoil, slabs(plaza)), g.top(topsoil, slabs(plazaDark))
	for y := range blockBays {
		for x := range blockBays {
			p := light
			if (x+y)%4 == 0 || (x-y+blockBays)%4 == 0 {
				p = dark
			}
			g.block(x, y, x+1, y+1, p)
		}
	}
}

// pitch is a field for football, 42 metres a side, in mown stripes.
func (g *ground) pitch() {
	greens := [2]piece{g.top(topsoil, grassy(lawn)), g.top(topsoil, grassy(lawnDark))}
	g.block(0, 0, blockBays, blockBays, greens[1])
	const side, area = 14 * bay, 3*bay + 16 // of the field, and of the goal's area
	line := func(u, v int) bool {
		dx, dy := 2*u-side, 2*v-side
		switch goal := min(u, side-1-u); {
		case within(u, 4, side-4) && within(v, 4, side-4):
			return within(u, side/2-2, side/2+2) || within(dx*dx+dy*dy, 396*396, 404*404) ||
				goal <= area && abs(dy) <= 2*area && (goal > area-4 || abs(dy) > 2*area-8)
		}
		return within(u, 0, side) && within(v, 0, side)
	}
	for y := range 14 {
		for x := range 14 {
			lines := false
			for v := 0; v < bay; v += 2 {
				for u := 0; u < bay; u += 2 {
					lines = lines || line(x*bay+u, y*bay+v)
				}
			}
			g.block(x+1, y+1, x+2, y+2, greens[x&1])
			if lines {
				green := grassy([2]paint{lawn, lawnDark}[x&1])
				g.block(x+1, y+1, x+2, y+2, g.top(topsoil, func(u, v int) (int, cell) {
					if line(x*bay+u, y*bay+v) {
						return 0, lanePaint.at(u>>2, v>>2)
					}
					return green(u, v)
				}))
			}
		}
	}
}

// river is water instead of the block, between quays.
func (g *ground) river() { g.flood(0) }

// bridge is a river with a bridge in it that leads the street along y across.
func (g *ground) bridge() {
	g.flood(streetBays)
	for y := range 4 {
		for lane := range streetBays {
			p := g.arch(lane, y)
			for x := y; x < blockBays; x += 4 {
				g.set(lane, streetBays+x, groundBays-1, p)
			}
		}
	}
}

// flood puts water in place of the block and of the street along y from a bay
// on, and under that street.
func (g *ground) flood(x0 int) {
	g.box(x0, streetBays, groundBays-1, squareBays, squareBays, groundBays, voxel(air))
	f := field{size: [3]int{bay, bay, bay}, at: func(x, y, z int) cell {
		switch {
		case z >= bay-2:
			return air
		case z >= bay-6:
			return water.at(x>>3, y>>1)
		}
		return clay.at(0, 0) | hidden
	}}
	f.same = func(_, _, z, edge int) (cell, bool) { return clay.at(0, 0) | hidden, z+edge <= bay-16 }
	g.box(0, streetBays, groundBays-2, squareBays, squareBays, groundBays-1, g.weave(&f, 0, 0, 0, bayLevel))
}

// arch is a bay of a bridge: of one of its lanes, and one of the four bays that
// an arch spans.
func (g *ground) arch(lane, quarter int) piece {
	road := within(lane, 1, streetBays-1)
	f := field{size: [3]int{bay, bay, bay}, at: func(x, v, z int) cell {
		if drop := bay - z; road && drop <= kerbHeight+3 {
			_, c := plainRoad(x, v)
			if drop <= kerbHeight {
				return air
			}
			if lane == 2 && x >= bay-2 && within(v, 8, 40) {
				return lanePaint.at(x, v)
			}
			return c
		}
		if z >= bay-3 {
			_, c := slabs(paving)(x, v)
			return c
		}
		dy := 2*(quarter*bay+v) - 4*bay
		if arch := 4 * (z + 170) * (z + 170); z < bay-14 && dy*dy+arch < 430*430 {
			return air
		}
		return quay.at(v>>2, z>>2)
	}}
	return g.weave(&f, 0, 0, 0, bayLevel)
}
