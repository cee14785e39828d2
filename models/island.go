package models

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// Island is the default model: an island in a block of sea, with a castle on
// its hill, a village and its fields, a windmill, a lighthouse, woods and
// boats. Ground and buildings are one octree; each kind of tree, house and
// boat is another that stands there many times. It is 224 voxels wide, z up,
// its front -y, and the same on every machine.
func Island() (*Asset, error) {
	s := &island{
		canvas: newCanvas(islandSide, islandSide, 132),
		taken:  make([]bool, islandSide*islandSide),
	}
	s.shapeGround()
	s.paintGround()
	s.buildCastle(castleX, castleY, plateau)
	s.buildLighthouse(188, 62)
	s.buildWindmill(168, 128)
	s.buildPier(120, 40)
	s.layPath([]point{{120, 44}, {120, 62}, {112, 78}, {126, 94}, {118, 108}, {98, 112}, {castleX, castleY - 31}})
	s.layPath([]point{{120, 62}, {150, 66}, {166, 64}, {180, 62}})
	s.layPath([]point{{126, 94}, {146, 104}, {160, 118}, {164, 124}})
	s.layPath([]point{{112, 78}, {90, 74}, {66, 78}, {52, 84}})
	if err := s.buildVillage(); err != nil {
		return nil, err
	}
	s.layFields()
	if err := s.plantTrees(); err != nil {
		return nil, err
	}
	if err := s.launchBoats(); err != nil {
		return nil, err
	}
	return s.asset()
}

const (
	islandSide = 224
	seaLevel   = 14 // the first layer above the water
	plateau    = 50 // the ground of the castle
	castleX    = 84
	castleY    = 140
)

type point struct{ x, y int }

// island is the scene while it is made.
type island struct {
	*canvas
	ground [islandSide][islandSide]int // [y][x], the first free layer
	steep  [islandSide][islandSide]int // [y][x], how far the ground falls to a neighbour
	taken  []bool                      // columns where nothing more may stand
	models []Model
	places []Placement
}

func abs(n int) int { return max(n, -n) }

func sign(n int) int { return max(-1, min(n, 1)) }

// add makes a model that is placed later, and returns its index.
func (s *island) add(c *canvas, name string) (int, error) {
	m, err := c.model(name)
	s.models = append(s.models, m)
	return len(s.models) - 1, err
}

// put places a model upright with the middle of its floor on a column, turned
// by quarter turns.
func (s *island) put(model, x, y, z, quarter int) {
	r := [4]rotation{
		identity,
		{axis: [3]uint8{1, 0, 2}, sign: [3]int8{-1, 1, 1}},
		{axis: [3]uint8{0, 1, 2}, sign: [3]int8{-1, -1, 1}},
		{axis: [3]uint8{1, 0, 2}, sign: [3]int8{1, -1, 1}},
	}[quarter&3]
	size := s.models[model].Size
	m := motion{r, [3]int64{int64(x), int64(y), int64(z)}}
	s.places = append(s.places, Placement{
		Model: model, Name: s.models[model].Name, Layer: -1,
		Transform: m.matrix([3]int64{int64(size[0] / 2), int64(size[1] / 2), 0}),
	})
}

// asset puts the ground before everything that stands on it.
func (s *island) asset() (*Asset, error) {
	ground, err := s.model("island")
	if err != nil {
		return nil, err
	}
	a := still("proc", append(s.models, ground)...)
	last := len(s.models)
	all := append([]Placement{{Model: last, Transform: mgl64.Ident4(), Name: "island", Layer: -1}}, s.places...)
	a.placements = func(int) []Placement { return slices.Clone(all) }
	return a, nil
}
