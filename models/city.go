package models

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"golang.org/x/sync/errgroup"

	"github.com/cfef80af/eightfold/svo"
)

// City is a city of so many placed octrees of 50 models, laid out around its
// centre: streets and blocks, towers, offices, houses with shops, a river with
// bridges, parks, trees, lamps, cars and people. Its unit is the metre, z is up.
// With 100,000 instances it has 2e12 voxels: the models share their windows,
// bays and storeys, and so take some megabytes. Each seed gives another city,
// the same on every machine.
func City(instances int, seed uint32) (*Asset, error) {
	models, err := cityModels()
	if err != nil {
		return nil, err
	}
	plan := newCityPlan(models, instances, seed)
	plan.build()
	a := still("proc", models...)
	a.placements = func(int) []Placement { return slices.Clone(plan.places) }
	a.Views, a.Flight = cityViews(), cityFlight()
	return a, nil
}

// cityMemory is about what the models take while they are made, in bytes.
const cityMemory = 100 << 20

// kind is an index into the city's models.
type kind int

// The models, those of a sort one after the other.
const (
	groundYard kind = iota
	groundGarden
	groundPark
	groundSquare
	groundPitch
	groundRiver
	groundBridge
	towerGlass // 9 x 9 bays
	towerDark
	towerDeco  // 10 x 10
	towerTwin  // 14 x 10
	towerSlabA // 11 x 5
	towerSlabB
	towerTerraced // 8 x 8
	officeRibbon  // all 8 x 8
	officeStone
	officeGlass
	officeBrick
	houseOchre // with flats: 4 x 5
	houseRose
	houseIvory
	houseBrick
	houseSage
	houseFlats
	rowRed // 2 x 3
	rowBrown
	rowPale
	rowIvory
	villaIvory // 4 x 3
	villaOchre
	villaBrick
	hallChurch // 6 x 12
	hallMuseum // 12 x 9
	hallMarket // 12 x 7
	hallWorks  // 12 x 9
	treePlane
	treeLinden
	treeBlossom
	treeMaple
	treePoplar
	carRed
	carBlue
	carWhite
	carTaxi
	carBus
	thingLamp
	thingBench
	thingFountain
	walkerDark
	walkerBright
	cityKinds
)

// cityModels makes all models, several at a time.
func cityModels() ([]Model, error) {
	makers := map[kind]func() (Model, error){
		towerGlass: glassTower(svo.Colour{86, 126, 150}, svo.Colour{150, 190, 206}, steel, whiteFrame),
		towerDark:  glassTower(svo.Colour{60, 92, 96}, svo.Colour{112, 156, 152}, oxide, steel),
		towerDeco:  decoTower,
		towerSlabA: slabTower(ivory, skyWall), towerSlabB: slabTower(rose, whiteFrame),
		towerTwin: twinTower, towerTerraced: terracedTower,

		officeRibbon: office("office block", 8, 8, 12, concrete, plaster(concrete), entrance(plaster(concrete), darkFrame), ribbon(plaster(sandstone), darkFrame)),
		officeStone: office("office block", 8, 8, 9, limestone, ashlar(limestone), entrance(ashlar(sandstone), darkFrame), masonry{
			opening: opening{u0: 16, u1: 48, z0: 12, z1: 52, sashes: 3, rows: 2, frame: darkFrame}, wall: ashlar(limestone), trim: sandstone, surround: 4, pediment: true}.facade),
		officeGlass: glassOffice,
		officeBrick: office("warehouse", 8, 8, 7, sandstone, bricks(redBrick, mortar), shopFront(bricks(redBrick, mortar), sage, darkFrame, darkFrame), masonry{
			opening: opening{u0: 8, u1: 56, z0: 16, z1: 56, arch: true, sashes: 3, rows: 4, frame: darkFrame}, wall: bricks(redBrick, mortar), trim: sandstone}.facade),

		houseOchre: apartments(4, 5, 6, plaster(ochre), limestone, red, roofSlate, false),
		houseRose:  apartments(4, 5, 5, plaster(rose), ivory, sage, roofSlate, true),
		houseIvory: apartments(4, 5, 7, ashlar(ivory), limestone, slate, oxide, false),
		houseBrick: apartments(4, 5, 5, bricks(redBrick, mortar), sandstone, ochre, roofBrown, true),
		houseSage:  apartments(4, 5, 6, plaster(sage), ivory, brick, roofTile, false),
		houseFlats: flats(4, 5, 7, ivory, oxide),

		rowRed: rowHouse(bricks(redBrick, mortar), ivory, roofSlate, doorPaint), rowBrown: rowHouse(bricks(brownBrick, mortar), sandstone, roofBrown, oxide),
		rowPale: rowHouse(bricks(paleBrick, mortar), ivory, roofTile, slate), rowIvory: rowHouse(plaster(skyWall), ivory, roofSlate, red),
		villaIvory: villa(plaster(ivory), sandstone, roofTile), villaOchre: villa(plaster(ochre), ivory, roofBrown), villaBrick: villa(bricks(paleBrick, mortar), ivory, roofSlate),

		hallChurch: church, hallMuseum: museum, hallMarket: market, hallWorks: works,

		treePlane:   broadleaf("plane tree", 172, 54, svo.Colour{100, 150, 70}, 1),
		treeLinden:  broadleaf("linden", 136, 42, svo.Colour{126, 170, 76}, 2),
		treeBlossom: broadleaf("cherry tree", 104, 38, svo.Colour{240, 176, 190}, 3),
		treeMaple:   broadleaf("maple", 150, 46, svo.Colour{226, 148, 70}, 4),
		treePoplar:  poplar,

		carRed: car(red, false), carBlue: car(slate, false), carWhite: car(whiteFrame, false), carTaxi: car(paint(shades(svo.Colour{244, 196, 62}, 3, 3)), true),
		carBus: bus, thingLamp: lamp, thingBench: bench, thingFountain: fountain,
		walkerDark: walkerFigure(darkFrame, slate, timber), walkerBright: walkerFigure(red, dark, straw),
	}
	models := make([]Model, cityKinds)
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	work.Go(func() error {
		made, err := grounds()
		copy(models[groundYard:], made)
		return err
	})
	for k, make := range makers {
		work.Go(func() (err error) {
			if models[k], err = make(); err != nil {
				err = fmt.Errorf("model %d of the city: %w", k, err)
			}
			return err
		})
	}
	return models, work.Wait()
}

// glassOffice is a block behind a curtain wall.
func glassOffice() (Model, error) {
	b := newBuilding(8, 8, 17)
	wall := curtain{low: svo.Colour{92, 130, 140}, high: svo.Colour{164, 198, 200}, band: whiteFrame, post: whiteFrame, apart: 32, sill: 8}
	k := kit{
		ground: b.storey(wallDepth, core{bay, filling}, facades(displays, entrance(plaster(ivory), darkFrame))...),
		middle: b.storey(wallDepth, core{bay, filling}, wall.tints()...),
		roof:   b.roofOf(plaster(ivory), whiteFrame, 20),
	}
	b.floor(k.ground, 0, 0, 0, 8, 8)
	b.tower(k, 1, 15, 0, 0, 8, 8)
	b.machines(15, 0, 0, 8, 8)
	return b.model("office block")
}

// put places a model with the middle of its floor at a place of the world in
// metres, turned by quarters from x to y and by degrees on top of it, and scaled.
func (p *cityPlan) put(k kind, x, y float64, quarter int, degrees, scale float64) {
	size := p.models[k].Size
	z := 0.0
	switch {
	case k <= groundBridge:
		z = -groundBays * bay * cityVoxel
	case k >= carRed && k <= carBus:
		z = -kerbHeight * cityVoxel
	}
	turn := mgl64.Ident4()
	c, s := [4]float64{1, 0, -1, 0}[quarter&3], [4]float64{0, 1, 0, -1}[quarter&3] // exactly
	turn.SetRow(0, mgl64.Vec4{c, -s, 0, 0})
	turn.SetRow(1, mgl64.Vec4{s, c, 0, 0})
	if degrees != 0 {
		turn = turn.Mul4(mgl64.HomogRotate3DZ(mgl64.DegToRad(degrees)))
	}
	scale *= cityVoxel
	p.places = append(p.places, Placement{
		Model: int(k), Name: p.models[k].Name, Layer: -1,
		Transform: mgl64.Translate3D(x, y, z).Mul4(turn).Mul4(mgl64.Scale3D(scale, scale, scale)).
			Mul4(mgl64.Translate3D(-float64(size[0])/2, -float64(size[1])/2, 0)),
	})
}
