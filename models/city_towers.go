package models

import (
	"github.com/cfef80af/eightfold/svo"
)

// kit is what a tall building is made of.
type kit struct {
	ground, middle storey
	roof           storey
}

// roofOf is the storey of a flat roof.
func (b *building) roofOf(wall texture, trim paint, height int) storey {
	return b.storey(wallDepth, flatRoof(), parapet(wall, trim, height))
}

// tower is floors of one kind on top of a ground floor, under a flat roof with
// what stands on roofs.
func (b *building) tower(k kit, z0, z1, x0, y0, x1, y1 int) {
	b.floors(k.middle, z0, z1, x0, y0, x1, y1)
	b.floor(k.roof, z1, x0, y0, x1, y1)
}

// machines puts what stands on flat roofs onto some of the inner bays, of two
// kinds.
func (b *building) machines(z, x0, y0, x1, y1 int) {
	all := []func() field{coolers, stairHouse, skylight, waterTank}
	first := b.n[2] // whatever tells buildings apart
	var kinds []piece
	for i := range 2 {
		thing := all[(first+i)%len(all)]()
		kinds = append(kinds, b.weave(&thing, 0, 0, 0, bayLevel))
	}
	for y := y0 + 1; y < y1-1; y++ {
		for x := x0 + 1; x < x1-1; x++ {
			h := hash3(uint32(x), uint32(y), uint32(z)+61) >> 4
			if h%3 == 0 {
				b.set(x, y, z, kinds[h/3%uint32(len(kinds))])
			}
		}
	}
}

// onRoof is a bay of flat roof with something on it.
func onRoof(thing func(x, y, z int) cell) field {
	return field{size: [3]int{bay, bay, bay}, at: func(x, y, z int) cell {
		if z < roofFloor {
			return roofFelt.at(3, 3)
		}
		return thing(x, y, z-roofFloor)
	}}
}

func within(v, low, high int) bool { return v >= low && v < high }

func coolers() field {
	return onRoof(func(x, y, z int) cell {
		unit := within(x&31, 4, 28) && within(y, 12, 52) && z < 22
		dx, dy := 2*(x&31)-31, 2*(y-32)
		switch {
		case !unit:
			return air
		case z >= 20 && dx*dx+dy*dy > 400:
			return steel.at(x, y)
		case z >= 20:
			return darkFrame.at(x, y)
		case z%4 == 1 && within(x&31, 6, 26):
			return darkFrame.at(x, z)
		}
		return steel.at(x>>2, z>>2)
	})
}

func stairHouse() field {
	return onRoof(func(x, y, z int) cell {
		switch {
		case !within(x, 8, 56) || !within(y, 12, 52) || z > 50:
			return air
		case z > 47:
			return roofSlate.at(x, y)
		case !within(x, 10, 54) || !within(y, 14, 50):
			if y < 14 && within(x, 24, 40) && z < 40 {
				return doorPaint.at(x, z)
			}
			if z > 45 || within(x, 10, 54) && within(y, 14, 50) {
				return air
			}
			return concrete.at(x>>2, z>>2)
		}
		return concrete.at(x>>2, z>>2)
	})
}

func skylight() field {
	return onRoof(func(x, y, z int) cell {
		rise := min(x-6, 57-x, y-6, 57-y)
		switch {
		case rise < 0 || z > 6+rise/2 || z > 16:
			return air
		case z < 6:
			return concrete.at(x>>1, y>>1)
		case x%12 < 2 || y%12 < 2:
			return steel.at(x, y)
		}
		return open.glass(x, y, bay, bay)
	})
}

func waterTank() field {
	return onRoof(func(x, y, z int) cell {
		dx, dy := 2*x-63, 2*y-63
		r2 := dx*dx + dy*dy
		switch {
		case z < 18 && (within(abs(dx), 24, 32) && within(abs(dy), 24, 32)):
			return darkFrame.at(x, z)
		case within(z, 18, 46) && r2 < 44*44:
			if z%10 == 4 {
				return darkFrame.at(x, y)
			}
			return plank.at(x+y, 0)
		case within(z, 46, 58) && r2 < (58-z)*(58-z)*16:
			return roofSlate.at(x>>1, z)
		}
		return air
	})
}

// mast is a pole on a roof, thinner towards its top, over so many bays.
func mast(bays int) field {
	top := bays*bay - 4
	return field{size: [3]int{bay, bay, bays * bay}, at: func(x, y, z int) cell {
		dx, dy := 2*x-63, 2*y-63
		r := 14 - 11*z/top
		switch {
		case z < roofFloor:
			return roofFelt.at(3, 3)
		case z >= top || dx*dx+dy*dy > r*r:
			return air
		case z/24&1 == 0:
			return red.at(x, z>>2)
		}
		return whiteFrame.at(x, z>>2)
	}}
}

// pyramid is a pointed roof over a square of bays; steep tells how much higher it
// is than half its width.
func pyramid(bays, steep int, roof paint) field {
	width := bays * bay
	height := width / 2 * steep
	return field{
		size: [3]int{width, width, (height + bay - 1) / bay * bay},
		at: func(x, y, z int) cell {
			if edge := min(x, y, width-1-x, width-1-y) - 6; edge < 0 || z > edge*steep {
				return air
			}
			if (z/steep)&15 == 0 {
				return shade(roof.at(x>>2, z>>2), 220)
			}
			return roof.at((x+y)>>2, z>>2)
		},
		same: func(x, y, z, edge int) (cell, bool) {
			low := min(x, y, width-x-edge, width-y-edge) - 6
			high := min(x+edge, y+edge, width-x, width-y) - 6
			if z > (high+1)*steep {
				return air, true
			}
			return filling, z+edge+steep < low*steep
		},
	}
}

func glassTower(low, high svo.Colour, band paint, post paint) func() (Model, error) {
	return func() (Model, error) {
		b := newBuilding(9, 9, 52)
		wall := curtain{low: low, high: high, band: band, post: post, apart: 16, sill: 12}
		k := kit{
			ground: b.storey(wallDepth, core{bay, filling}, facades(displays, entrance(plaster(limestone), darkFrame))...),
			middle: b.storey(wallDepth, core{bay, filling}, wall.tints()...),
			roof:   b.roofOf(plaster(band), post, 20),
		}
		b.floors(k.ground, 0, 2, 0, 0, 9, 9)
		b.tower(k, 2, 30, 0, 0, 9, 9)
		b.machines(30, 0, 0, 9, 9)
		b.tower(k, 30, 44, 1, 1, 8, 8)
		b.tower(k, 44, 49, 2, 2, 7, 7)
		b.machines(49, 2, 2, 7, 7)
		pole := mast(3)
		b.shape(4, 4, 49, &pole)
		return b.model("glass tower")
	}
}

func decoTower() (Model, error) {
	b := newBuilding(10, 10, 74)
	look := masonry{
		opening: opening{u0: 16, u1: 48, z0: 8, z1: 56, sashes: 2, rows: 3, frame: darkFrame},
		wall:    plaster(limestone), trim: sandstone,
	}
	piers := func(p pane) facade { // the bays rise like pipes of an organ
		f := look.facade(p)
		return func(u, z, d int) cell {
			if within(d, trimPlane, wallPlane) && (u < 8 || u >= 56) {
				return limestone.at(u>>2, z>>2)
			}
			return f(u, z, d)
		}
	}
	k := kit{
		ground: b.storey(wallDepth, core{bay, filling}, facades(displays, entrance(ashlar(sandstone), darkFrame))...),
		middle: b.storey(wallDepth, core{bay, filling}, facades(panes, piers)...),
		roof:   b.roofOf(plaster(limestone), sandstone, 26),
	}
	b.floors(k.ground, 0, 2, 0, 0, 10, 10)
	b.tower(k, 2, 18, 0, 0, 10, 10)
	b.tower(k, 18, 34, 1, 1, 9, 9)
	b.tower(k, 34, 50, 2, 2, 8, 8)
	b.tower(k, 50, 58, 3, 3, 7, 7)
	top := pyramid(4, 4, oxide)
	b.shape(3, 3, 59, &top)
	b.floor(k.middle, 58, 3, 3, 7, 7)
	return b.model("art deco tower")
}

// slabTower is wide and thin, with loggias along its sides.
func slabTower(wall, railing paint) func() (Model, error) {
	return func() (Model, error) {
		b := newBuilding(11, 5, 32)
		k := kit{
			ground: b.storey(wallDepth, core{bay, filling}, facades(displays, shopFront(plaster(concrete), skyWall, rose, darkFrame))...),
			middle: b.storey(balconyDepth, core{bay, filling}, facades(panes, balconies(plaster(wall), railing))...),
			roof:   b.roofOf(plaster(wall), concrete, 20),
		}
		b.floor(k.ground, 0, 0, 0, 11, 5)
		b.tower(k, 1, 29, 0, 0, 11, 5)
		b.machines(29, 0, 0, 11, 5)
		return b.model("apartment tower")
	}
}

// twinTower is two towers on a common foot.
func twinTower() (Model, error) {
	b := newBuilding(14, 10, 50)
	wall := curtain{low: svo.Colour{88, 100, 116}, high: svo.Colour{140, 150, 160}, band: sandstone, post: limestone, apart: 32, sill: 16}
	k := kit{
		ground: b.storey(wallDepth, core{bay, filling}, facades(displays, entrance(ashlar(limestone), darkFrame))...),
		middle: b.storey(wallDepth, core{bay, filling}, wall.tints()...),
		roof:   b.roofOf(plaster(darkFrame), sandstone, 30),
	}
	b.floors(k.ground, 0, 3, 0, 0, 14, 10)
	b.floor(k.roof, 3, 0, 0, 14, 10)
	b.tower(k, 3, 40, 0, 2, 6, 8)
	b.tower(k, 3, 46, 8, 2, 14, 8)
	b.machines(40, 0, 2, 6, 8)
	b.machines(46, 8, 2, 14, 8)
	for z := 22; z < 24; z++ { // a bridge between them
		for y := 4; y < 6; y++ {
			b.box(6, y, z, 8, y+1, z+1, k.middle.walls[2*(y-4)][z%len(k.middle.walls[0])])
		}
	}
	return b.model("twin towers")
}

// terracedTower steps back at a corner every few storeys.
func terracedTower() (Model, error) {
	b := newBuilding(8, 8, 40)
	k := kit{
		ground: b.storey(wallDepth, core{bay, filling}, facades(displays, shopFront(plaster(ivory), sage, oxide, darkFrame))...),
		middle: b.storey(wallDepth, core{bay, filling}, facades(panes, ribbon(plaster(ivory), darkFrame))...),
		roof:   b.roofOf(plaster(ivory), whiteFrame, 24),
	}
	b.floor(k.ground, 0, 0, 0, 8, 8)
	z := 1
	for i, height := range []int{13, 9, 7, 6} {
		b.tower(k, z, z+height, i, i/2, 8-i/2, 8-i)
		z += height
	}
	b.machines(z, 3, 1, 7, 5)
	return b.model("terraced tower")
}

// office is a block of one kind of facade.
func office(name string, nx, ny, storeys int, trim paint, wall texture, ground, middle func(pane) facade) func() (Model, error) {
	return func() (Model, error) {
		b := newBuilding(nx, ny, storeys+2)
		k := kit{
			ground: b.storey(wallDepth, core{bay, filling}, facades(displays, ground)...),
			middle: b.storey(wallDepth, core{bay, filling}, facades(panes, middle)...),
			roof:   b.roofOf(wall, trim, 20),
		}
		b.floor(k.ground, 0, 0, 0, nx, ny)
		b.tower(k, 1, storeys, 0, 0, nx, ny)
		b.machines(storeys, 0, 0, nx, ny)
		return b.model(name)
	}
}
