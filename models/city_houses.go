package models

// apartments is a town house of rented flats: shops on the ground, a mansard on
// top.
func apartments(nx, ny, storeys int, wall texture, trim, awning, roof paint, arch bool) func() (Model, error) {
	return func() (Model, error) {
		b := newBuilding(nx, ny, storeys+1)
		look := masonry{
			opening: opening{u0: 20, u1: 44, z0: 12, z1: 52, arch: arch, sashes: 2, rows: 2, frame: whiteFrame},
			wall:    wall, trim: trim, surround: 4, pediment: !arch,
		}
		ground := b.storey(wallDepth, core{bay, filling}, facades(displays, shopFront(ashlar(trim), awning, awning, darkFrame))...)
		middle := b.storey(wallDepth, core{bay, filling}, facades(panes, look.facade)...)
		top := b.storey(mansardDepth, core{mansardTop, of(roof[len(roof)/2])}, facades(panes, mansard(roof, whiteFrame))...)
		b.floor(ground, 0, 0, 0, nx, ny)
		b.floors(middle, 1, storeys, 0, 0, nx, ny)
		b.floor(top, storeys, 0, 0, nx, ny)
		return b.model("apartment house")
	}
}

// flats is an apartment house of the last century: loggias, and a flat roof.
func flats(nx, ny, storeys int, wall, railing paint) func() (Model, error) {
	return func() (Model, error) {
		b := newBuilding(nx, ny, storeys+2)
		look := masonry{
			opening: opening{u0: 16, u1: 48, z0: 16, z1: 48, sashes: 3, rows: 1, frame: whiteFrame},
			wall:    plaster(wall), trim: concrete,
		}
		ground := b.storey(wallDepth, core{bay, filling}, facades(panes, look.facade)...)
		middle := b.storey(balconyDepth, core{bay, filling}, facades(panes, balconies(plaster(wall), railing))...)
		b.floor(ground, 0, 0, 0, nx, ny)
		b.floors(middle, 1, storeys, 0, 0, nx, ny)
		b.floor(b.roofOf(plaster(wall), concrete, 16), storeys, 0, 0, nx, ny)
		b.machines(storeys, 0, 0, nx, ny)
		return b.model("block of flats")
	}
}

// gable is a roof with its ridge along x, or, where hip is set, with four slopes.
type gable struct {
	nx, ny    int // bays
	rise, run int // its slope
	roof      paint
	wall      texture
	hip       bool
	chimney   bool
}

const eaves = 4 // how far the roof starts from the edge of its bays

// height is how high the roof is above a place, from its foot.
func (g gable) height(x, y int) int {
	w, d := g.nx*bay, g.ny*bay
	edge := min(y, d-1-y)
	if g.hip {
		edge = min(edge, x, w-1-x)
	}
	return (edge - eaves) * g.rise / g.run
}

func (g gable) field() *field {
	w, d := g.nx*bay, g.ny*bay
	top := (d/2*g.rise/g.run + 24 + bay - 1) / bay * bay
	f := &field{size: [3]int{w, d, top}}
	f.at = func(x, y, z int) cell {
		h := g.height(x, y)
		if g.chimney && within(x, 28, 48) && within(y, d/2-22, d/2-6) && z < d/2*g.rise/g.run+18 && z > h-8 {
			return redBrick.at(x>>1, z>>1)
		}
		switch {
		case h < 0 || z > h || x < 2 || x >= w-2:
			return air
		case z > h-6:
			if z&7 == 7 {
				return shade(g.roof.at(x>>3, z>>3), 226)
			}
			return g.roof.at((x+z>>3&1*4)>>3, z>>3)
		case !g.hip && (x < wallPlane || x >= w-wallPlane):
			return air
		}
		return g.wall(x+y, z)
	}
	f.same = func(x, y, z, edge int) (cell, bool) {
		if z > (min(d/2, max(y+edge, d-y))+1)*g.rise/g.run+24 {
			return air, true
		}
		inner := min(g.height(x, y), g.height(x+edge, y), g.height(x, y+edge), g.height(x+edge, y+edge))
		return filling, z+edge < inner-8 && x > wallPlane+2 && x+edge < w-wallPlane-2
	}
	return f
}

// rowHouse is a narrow house of brick with a gabled roof, its eaves to the
// street.
func rowHouse(wall texture, trim, roof, door paint) func() (Model, error) {
	return func() (Model, error) {
		b := newBuilding(2, 3, 6)
		look := masonry{
			opening: opening{u0: 20, u1: 44, z0: 16, z1: 52, sashes: 2, rows: 2, frame: whiteFrame},
			wall:    wall, trim: trim, surround: 4,
		}
		entry := masonry{
			opening: opening{u0: 20, u1: 44, z0: 4, z1: 48, arch: true, sashes: 2, rows: 1, frame: door},
			wall:    wall, trim: trim, surround: 4,
		}
		home := b.storey(wallDepth, core{bay, filling}, facades(panes, look.facade)...)
		front := b.storey(wallDepth, core{bay, filling}, entry.facade(blind))
		b.floors(home, 0, 3, 0, 0, 2, 3)
		b.set(1, 0, 0, front.corners[1])
		b.shape(0, 0, 3, gable{nx: 2, ny: 3, rise: 1, run: 1, roof: roof, wall: wall, chimney: true}.field())
		return b.model("row house")
	}
}

// villa is a detached house under a hipped roof.
func villa(wall texture, trim, roof paint) func() (Model, error) {
	return func() (Model, error) {
		b := newBuilding(4, 3, 4)
		look := masonry{
			opening: opening{u0: 16, u1: 48, z0: 16, z1: 48, sashes: 3, rows: 2, frame: whiteFrame},
			wall:    wall, trim: trim, surround: 4,
		}
		entry := masonry{
			opening: opening{u0: 20, u1: 44, z0: 4, z1: 48, sashes: 2, rows: 1, frame: doorPaint},
			wall:    wall, trim: trim, surround: 4,
		}
		home := b.storey(wallDepth, core{bay, filling}, facades(panes, look.facade)...)
		b.floors(home, 0, 2, 0, 0, 4, 3)
		front := b.storey(wallDepth, core{bay, filling}, entry.facade(blind))
		b.set(1, 0, 0, front.walls[0][0])
		b.shape(0, 0, 2, gable{nx: 4, ny: 3, rise: 1, run: 2, roof: roof, wall: wall, hip: true, chimney: true}.field())
		return b.model("villa")
	}
}

// church has a nave with a steep roof and a tower with a spire before it.
func church() (Model, error) {
	b := newBuilding(6, 12, 22)
	stone := ashlar(limestone)
	low := masonry{opening: opening{u0: 18, u1: 46, z0: 12, z1: bay + 1, sashes: 2, rows: 3, frame: darkFrame}, wall: stone, trim: sandstone}
	high := masonry{opening: opening{u0: 18, u1: 46, z0: 0, z1: 48, arch: true, sashes: 2, rows: 2, frame: darkFrame}, wall: stone, trim: limestone, surround: 3}
	blank := masonry{opening: opening{u0: 26, u1: 38, z0: 24, z1: 48, arch: true, sashes: 1, rows: 1, frame: darkFrame}, wall: stone, trim: sandstone}
	bell := masonry{opening: opening{u0: 14, u1: 50, z0: 8, z1: 56, arch: true, sashes: 3, rows: 8, frame: darkFrame}, wall: stone, trim: sandstone}
	portal := masonry{opening: opening{u0: 8, u1: 56, z0: 0, z1: 58, arch: true, sashes: 4, rows: 1, frame: timber}, wall: stone, trim: sandstone, surround: 5}
	lowStorey := b.storey(wallDepth, core{bay, filling}, low.facade(curtains))
	highStorey := b.storey(wallDepth, core{bay, filling}, high.facade(open))
	blankStorey := b.storey(wallDepth, core{bay, filling}, blank.facade(open))
	bellStorey := b.storey(wallDepth, core{bay, filling}, bell.facade(open))
	b.floor(lowStorey, 0, 0, 2, 6, 12)
	b.floor(highStorey, 1, 0, 2, 6, 12)
	nave := gable{nx: 10, ny: 6, rise: 1, run: 1, roof: roofSlate, wall: stone}.field()
	for z := 0; z*bay < nave.size[2]; z++ { // its ridge goes along y
		for x := range 10 {
			for y := range 6 {
				b.set(5-y, 2+x, 2+z, b.turn(b.weave(nave, x*bay, y*bay, z*bay, bayLevel)))
			}
		}
	}
	b.floors(blankStorey, 0, 10, 1, 0, 4, 3)
	b.floors(bellStorey, 8, 10, 1, 0, 4, 3)
	b.set(2, 0, 0, b.storey(wallDepth, core{bay, filling}, portal.facade(blind)).walls[0][0])
	spire := pyramid(3, 6, oxide)
	b.shape(1, 0, 10, &spire)
	return b.model("church")
}

// museum stands behind columns, with a low roof of copper.
func museum() (Model, error) {
	b := newBuilding(12, 9, 8)
	stone := ashlar(ivory)
	low := b.storey(colonnadeDepth, core{bay, filling}, colonnade(stone, false))
	high := b.storey(colonnadeDepth, core{bay, filling}, colonnade(stone, true))
	steps := field{size: [3]int{12 * bay, 9 * bay, bay / 2}, at: func(x, y, z int) cell {
		if min(x, y, 12*bay-1-x, 9*bay-1-y) < z/4*4 {
			return air
		}
		return limestone.at(x>>3, y>>3)
	}}
	steps.same = func(x, y, z, edge int) (cell, bool) {
		if z >= bay/2 {
			return air, true
		}
		return filling, z+edge < bay/2 && min(x, y, 12*bay-x-edge, 9*bay-y-edge) > bay
	}
	b.shape(0, 0, 0, &steps)
	for z, s := range []storey{low, low, high} {
		b.floor(s, z+1, 1, 1, 11, 8)
	}
	b.shape(1, 1, 4, gable{nx: 10, ny: 7, rise: 1, run: 4, roof: oxide, wall: stone, hip: true}.field())
	return b.model("museum")
}

// market is a hall of brick under a vault of glass.
func market() (Model, error) {
	const nx, ny = 12, 7
	b := newBuilding(nx, ny, 8)
	wall := bricks(paleBrick, mortar)
	arch := masonry{opening: opening{u0: 8, u1: 56, z0: 0, z1: 58, arch: true, sashes: 4, rows: 2, frame: darkFrame}, wall: wall, trim: sandstone, surround: 4}
	high := masonry{opening: opening{u0: 10, u1: 54, z0: 12, z1: 50, arch: true, sashes: 3, rows: 2, frame: darkFrame}, wall: wall, trim: sandstone, surround: 4}
	b.floor(b.storey(wallDepth, core{bay, filling}, facades(panes, arch.facade)...), 0, 0, 0, nx, ny)
	b.floor(b.storey(wallDepth, core{bay, filling}, facades(panes, high.facade)...), 1, 0, 0, nx, ny)
	const w, d, sink = nx * bay, ny * bay, 100 // the middle of the vault lies so far below its foot
	const r = d/2 - wallPlane
	reach := func(y, z int) int { dy, dz := 2*y+1-d, 2*(z+sink); return dy*dy + dz*dz }
	const outer = (2*r)*(2*r) + 4*sink*sink
	vault := field{size: [3]int{w, d, 3 * bay}, at: func(x, y, z int) cell {
		switch {
		case !within(x, wallPlane, w-wallPlane) || !within(y, wallPlane, d-wallPlane) || reach(y, z) > outer:
			return air
		case x%32 < 3 || z%24 < 2:
			return oxide.at(x, z)
		}
		return open.glass(x%64, (y+z)%64, 64, 64)
	}}
	vault.same = func(x, y, z, edge int) (cell, bool) {
		near, far := 0, max(abs(2*y+1-d), abs(2*(y+edge)+1-d))
		if y > d/2 {
			near = y - d/2
		} else if y+edge < d/2 {
			near = d/2 - y - edge
		}
		if 4*near*near+4*(z+sink)*(z+sink) > outer+4*d {
			return air, true
		}
		inside := (far+4)*(far+4)+4*(z+edge+sink+1)*(z+edge+sink+1) < outer
		return filling, inside && x > wallPlane+1 && x+edge < w-wallPlane-1 && y > wallPlane+1 && y+edge < d-wallPlane-1
	}
	b.shape(0, 0, 2, &vault)
	return b.model("market hall")
}

// works is a factory: sawtooth roofs and a chimney.
func works() (Model, error) {
	const nx, ny = 12, 9
	b := newBuilding(nx, ny, 15)
	wall := bricks(brownBrick, mortar)
	look := masonry{opening: opening{u0: 8, u1: 56, z0: 16, z1: 56, arch: true, sashes: 3, rows: 4, frame: darkFrame}, wall: wall, trim: redBrick, surround: 4}
	b.floors(b.storey(wallDepth, core{bay, filling}, facades(panes, look.facade)...), 0, 2, 0, 0, nx, ny)
	tooth := field{size: [3]int{2 * bay, bay, bay}, at: func(x, y, z int) cell {
		switch h := 6 + x*52/(2*bay); {
		case z > h:
			return air
		case x > 2*bay-4 && z > 10 && y%16 > 1 && z%16 > 1:
			return open.glass(y, z, bay, bay)
		case x > 2*bay-4:
			return darkFrame.at(y, z)
		}
		return roofBrown.at(x>>3, y>>3)
	}}
	for x := 0; x < nx; x += 2 {
		for y := range ny {
			b.shape(x, y, 2, &tooth)
		}
	}
	chimney := field{size: [3]int{bay, bay, 15 * bay}, at: func(x, y, z int) cell {
		dx, dy := 2*x-63, 2*y-63
		r := 60 - z/32
		if z > 15*bay-28 {
			r += 4
		}
		if dx*dx+dy*dy > r*r || z > 15*bay-8 {
			return air
		}
		if within(z, 15*bay-120, 15*bay-80) {
			return ivory.at(x, z)
		}
		return redBrick.at((x+y)>>2, z>>2)
	}}
	chimney.same = func(x, y, z, edge int) (cell, bool) {
		return filling, z+edge < 14*bay && min(x, y) >= 24 && max(x, y)+edge <= 40
	}
	b.shape(10, 7, 0, &chimney)
	return b.model("factory")
}
