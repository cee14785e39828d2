package models

import (
	"cmp"
	"slices"
)

// squareSide is the distance from street to street in metres.
const squareSide = squareBays * bay * cityVoxel

// cityPlan decides what stands where. All chance comes from hashes of places.
type cityPlan struct {
	models    []Model
	places    []Placement
	instances int
	seed      uint32
	radius    int // in squares
}

// perSquare is about how many instances a square has, on average.
const perSquare = 36

func newCityPlan(models []Model, instances int, seed uint32) *cityPlan {
	p := &cityPlan{models: models, instances: instances, seed: seed, radius: 2}
	for p.radius*p.radius*22/7*perSquare < instances {
		p.radius++
	}
	p.places = make([]Placement, 0, instances+1<<10)
	return p
}

// build fills squares from the centre outwards until there are enough
// instances.
func (p *cityPlan) build() {
	reach := p.radius + 8
	var squares []point
	for j := -reach; j <= reach; j++ {
		for i := -reach; i <= reach; i++ {
			squares = append(squares, point{i, j})
		}
	}
	// The border is ragged.
	far := func(s point) int { return s.x*s.x + s.y*s.y + int(p.chance(s, 1)&7)*p.radius/4 }
	slices.SortFunc(squares, func(a, b point) int {
		return cmp.Or(cmp.Compare(far(a), far(b)), cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x))
	})
	for _, s := range squares {
		if len(p.places) >= p.instances {
			break
		}
		p.square(s)
	}
	p.places = p.places[:min(len(p.places), p.instances)]
}

// chance is a number that a square has, one for each purpose.
func (p *cityPlan) chance(s point, purpose uint32) uint32 {
	return hash3(uint32(s.x), uint32(s.y)^p.seed<<8, purpose+p.seed*977) >> 3
}

// density tells how much is built on a square, 0 to about 1000: most in the
// centre, and around a second one.
func (p *cityPlan) density(s point) int {
	fall := func(dx, dy, radius int) int { // 1000 in the middle, 500 at a radius of so many sixteenths
		d2, r2 := (dx*dx+dy*dy)*256, max(radius*radius, 1)
		return 1000 * r2 / (r2 + d2)
	}
	r := p.radius
	first := fall(s.x, s.y, r*16*30/100)
	second := fall(s.x-r*48/100, s.y-r*34/100, r*16*16/100) * 3 / 4
	third := fall(s.x+r*52/100, s.y-r*20/100, r*16*11/100) * 6 / 10
	return max(first, second, third) + int(p.chance(s, 2)%160) - 80
}

// riverRow is the row of squares that the river flows through.
const riverRow = -4

// square fills one square with all that stands on it.
func (p *cityPlan) square(s point) {
	b := &plot{cityPlan: p, at: s, x: float64(s.x) * squareSide, y: float64(s.y) * squareSide, density: p.density(s)}
	dice := int(p.chance(s, 3) % 100)
	switch d := b.density; {
	case s.y == riverRow:
		b.river()
	case within(s.x, 2, 5) && within(s.y, 1, 3), dice < 4 && d < 900:
		b.park()
	case d > 860, d > 760 && dice < 40:
		b.towers(dice, towerGlass, towerDeco)
	case d > 740:
		b.towers(dice, towerTwin, towerTerraced)
	case dice < 6 && d > 100:
		b.hall(dice)
	case d > 560 && dice < 45:
		b.towers(dice, towerTwin, towerTerraced)
	case d > 560, d > 430 && dice < 50:
		b.offices(dice)
	case dice < 13 && d > 100:
		b.hall(dice)
	case d > 340 && dice > 88:
		b.slabs()
	case d > 195:
		b.apartments()
	case d > 150 && dice < 75 || dice < 30:
		b.rows()
	case dice > 92:
		b.pitch()
	default:
		b.villas()
	}
	b.streets()
}

// plot is a square while it is filled.
type plot struct {
	*cityPlan
	at      point
	x, y    float64 // its corner, in metres
	density int
	drawn   uint32
}

// dice is the next number by chance, below n.
func (b *plot) dice(n int) int {
	b.drawn++
	return int(b.chance(b.at, 100+b.drawn) % uint32(n))
}

// one is one of the kinds from first to last, by chance.
func (b *plot) one(first, last kind) kind { return first + kind(b.dice(int(last-first)+1)) }

// ground lays the ground.
func (b *plot) ground(k kind) {
	b.put(k, b.x+squareSide/2, b.y+squareSide/2, 0, 0, 1)
}

// bayMetres is the width of a bay.
const bayMetres = bay * cityVoxel

// build puts a building with its lower left corner on a bay of the block. Its
// front looks to -y, x, y, -x by quarter.
func (b *plot) building(k kind, bx, by, quarter int) {
	size := b.models[k].Size
	nx, ny := float64(size[0])/bay, float64(size[1])/bay
	if quarter&1 != 0 {
		nx, ny = ny, nx
	}
	x := b.x + (streetBays+float64(bx)+nx/2)*bayMetres
	y := b.y + (streetBays+float64(by)+ny/2)*bayMetres
	b.put(k, x, y, quarter, 0, 1)
}

// tree plants a tree at a place in the block, in metres from its corner. It is
// turned by quarters alone: so the box around its crown stays tight, and free of
// the houses beside it.
func (b *plot) tree(first, last kind, x, y float64) {
	k := b.one(first, last)
	scale := 0.8 + float64(b.dice(45))/100
	b.put(k, b.x+streetBays*bayMetres+x, b.y+streetBays*bayMetres+y, b.dice(4), 0, scale)
}

// somewhere is a place within a width of a block, in metres.
func (b *plot) somewhere(low, high int) float64 {
	return float64(low) + float64(b.dice((high-low)*10))/10
}

func (b *plot) river() {
	if b.at.x%3 == 0 {
		b.ground(groundBridge)
		return
	}
	b.ground(groundRiver)
}

func (b *plot) park() {
	b.ground(groundPark)
	for i := range 34 {
		x, y := b.somewhere(1, 47), b.somewhere(1, 47)
		onPath := x > 31.5 && x < 37.5 || y > 19.5 && y < 25.5
		if pond := (x-15)*(x-15) + (y-36)*(y-36); onPath || pond < 90 {
			continue
		}
		b.tree(treePlane, [2]kind{treeLinden, treeMaple}[i%2], x, y)
	}
	for i := range 4 {
		b.put(thingBench, b.x+18+30.6, b.y+18+3+11*float64(i), 0, 0, 1)
	}
	for range 5 {
		b.walker(18+34.5+b.somewhere(-1, 1), 18+b.somewhere(1, 47))
	}
}

// towers stand on a square, one of these kinds in its middle.
func (b *plot) towers(dice int, first, last kind) {
	b.ground(groundSquare)
	switch k := b.one(first, last); k {
	case towerTerraced:
		b.building(towerTerraced, 0, 0, dice&3)
		b.building(b.one(officeRibbon, officeBrick), 8, 0, 0)
		b.building(officeGlass, 8, 8, 2)
		b.put(thingFountain, b.x+18+12, b.y+18+36, 0, 0, 1)
	case towerSlabA, towerSlabB:
		b.building(k, 2, 1, 0)
		b.building(towerSlabA+towerSlabB-k, 2, 10, 2)
		b.put(thingFountain, b.x+18+24, b.y+18+24, 0, 0, 1)
	default:
		size := b.models[k].Size
		b.building(k, (blockBays-size[0]/bay)/2, (blockBays-size[1]/bay)/2, 2*(dice&1))
		for _, corner := range [4]point{{4, 4}, {44, 4}, {4, 44}, {44, 44}} {
			b.tree(treeBlossom, treeBlossom, float64(corner.x), float64(corner.y))
		}
		b.put(thingBench, b.x+18+8, b.y+18+4, 1, 0, 1)
	}
	for range 6 {
		b.walker(18+b.somewhere(1, 47), 18+b.somewhere(0, 3))
	}
}

func (b *plot) offices(int) {
	b.ground(groundYard)
	for i := range 4 {
		k := b.one(officeRibbon, officeBrick)
		if i == b.dice(16) {
			k = towerTerraced
		}
		b.building(k, i&1*8, i>>1*8, i>>1*2)
	}
}

func (b *plot) slabs() {
	b.ground(groundPark)
	b.building(b.one(towerSlabA, towerSlabB), 0, 0, 0)
	for range 8 {
		b.tree(treePlane, treePoplar, b.somewhere(36, 47), b.somewhere(1, 19))
	}
}

// apartments line the block around a yard.
func (b *plot) apartments() {
	b.ground(groundYard)
	for i := range 4 {
		b.building(b.one(houseOchre, houseFlats), i*4, 0, 0)
	}
	for i := range 4 {
		b.building(b.one(houseOchre, houseFlats), i*4, 11, 2)
	}
	b.building(b.one(houseOchre, houseSage), 0, 6, 3)
	b.building(b.one(houseOchre, houseSage), 11, 6, 1)
	for range 2 {
		b.tree(treePlane, treeBlossom, b.somewhere(20, 28), b.somewhere(19, 29))
	}
}

// rows are two rows of narrow houses, back to back with gardens.
func (b *plot) rows() {
	b.ground(groundGarden)
	for i := range 8 {
		b.building(b.one(rowRed, rowIvory), i*2, 1, 0)
	}
	for i := range 8 {
		b.building(b.one(rowRed, rowIvory), i*2, 12, 2)
	}
	for i := range 4 {
		b.tree(treeLinden, treeMaple, 6+float64(i)*12, b.somewhere(16, 32))
	}
}

func (b *plot) villas() {
	b.ground(groundGarden)
	for i := range 3 {
		b.building(b.one(villaIvory, villaBrick), i*6, 2, 0)
		b.building(b.one(villaIvory, villaBrick), i*6, 11, 2)
	}
	for i := range 8 {
		b.tree(treePlane, treePoplar, 3+float64(i)*6, b.somewhere(17, 31))
	}
}

func (b *plot) pitch() {
	b.ground(groundPitch)
	for i := range 5 {
		b.tree(treePoplar, treePoplar, 3+float64(i)*10, 46.5)
	}
}

// hall is a public building on a square, or a factory.
func (b *plot) hall(dice int) {
	switch k := [...]kind{hallChurch, hallMuseum, hallMarket, hallWorks}[dice&3]; k {
	case hallChurch:
		b.ground(groundPark)
		b.building(k, 4, 2, 0)
	case hallWorks:
		b.ground(groundYard)
		b.building(k, 2, 3, 2*b.dice(2))
		return
	default:
		b.ground(groundSquare)
		b.building(k, 2, 5, 0)
		b.put(thingFountain, b.x+18+24, b.y+18+7, 0, 0, 1)
	}
	for i := range 6 {
		b.tree(treePlane, treeBlossom, 3+float64(i&1)*42, 4+float64(i/2)*20)
	}
}

// streets puts onto the two streets of the square what stands and drives there.
func (b *plot) streets() {
	if b.at.y == riverRow {
		b.lamps(false)
		return
	}
	b.lamps(true)
	wood := treePlane + kind(hash3(uint32(b.at.x), 0, b.seed+5)%3) // the same along a street
	for i := range 3 {
		at := 23.5 + 16*float64(i)
		b.tree(wood, wood, at-18, -18+15.9)
		b.tree(wood, wood, -18+15.9, at-18)
		if b.density < 300 || i == 1 {
			b.tree(wood, wood, at-18, -18+2.1)
		}
	}
	traffic := min(2+max(b.density, 0)/120, 7)
	for i := range traffic {
		slot := float64(21 + b.dice(7)*6)
		b.car([]float64{4.5, 13.5}[i&1], slot, i&2 != 0, false)
	}
	for i := range traffic / 2 {
		b.car([]float64{7.6, 10.4}[i&1], float64(b.dice(60)), b.dice(2) == 0, true)
	}
	for range traffic {
		across, along := []float64{1.2, 16.8}[b.dice(2)], b.somewhere(18, 65)
		if b.dice(2) == 0 {
			across, along = along, across
		}
		b.walker(across, along)
	}
}

func (b *plot) lamps(both bool) {
	for i := range 2 {
		at := b.somewhere(0, 1) + 31.5 + 16*float64(i)
		b.put(thingLamp, b.x+at, b.y+15.5, 3, 0, 1) // over the street
		if both {
			b.put(thingLamp, b.x+15.5, b.y+at, 2, 0, 1)
		}
	}
}

// car puts a car onto a street: so far from the square's lower side, so far along.
func (b *plot) car(across, along float64, upwards, drives bool) {
	k := b.one(carRed, carTaxi)
	if drives && b.dice(6) == 0 {
		k = carBus
	}
	x, y, quarter := along, across, 0
	if across > 9 {
		quarter = 2
	}
	if upwards {
		x, y, quarter = 18-across, along, quarter+1
	}
	b.put(k, b.x+x, b.y+y, quarter, 0, 1)
}

func (b *plot) walker(x, y float64) {
	b.put(b.one(walkerDark, walkerBright), b.x+x, b.y+y, 0, float64(1+b.dice(359)), 1+float64(b.dice(12)-6)/100)
}
