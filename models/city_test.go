package models

import (
	"hash/fnv"
	"math"
	"sync"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/project"
)

// theCity is made once for all tests.
var theCity = sync.OnceValues(func() (*Asset, error) { return Load("proc:city", Options{}) })

func city(t *testing.T) (*Asset, []Placement) {
	t.Helper()
	a, err := theCity()
	require.NoError(t, err)
	placements, err := a.Placements(0)
	require.NoError(t, err)
	return a, placements
}

// A hundred thousand octrees of fifty models, all in use, with two million
// million voxels in less than 100 MB.
func TestCityIsAsLargeAsItSays(t *testing.T) {
	a, placements := city(t)
	info, err := a.Info(0)
	require.NoError(t, err)
	require.Equal(t, 50, info.Models)
	require.Equal(t, 100_000, info.Instances)
	require.InDelta(t, 2e12, float64(info.VoxelsPlaced), 0.1e12)
	used := map[int]int{}
	for _, p := range placements {
		used[p.Model]++
	}
	bytes := uint64(0)
	for i, m := range a.Models {
		require.NotZero(t, used[i], "%d, %s", i, m.Name)
		require.NotEmpty(t, m.Name)
		require.NoError(t, m.Tree.Validate(), m.Name)
		require.True(t, m.Tree.FirstLeaf != nil || m.Tree.SharedGrandchildren() != nil, "%s has too many nodes to be painted fast: %d", m.Name, len(m.Tree.Nodes))
		bytes += m.Tree.Bytes()
	}
	require.Less(t, bytes, uint64(100<<20))
}

// The same on every machine: these sums were computed on amd64. Places count
// to a tenth of a millimetre.
func TestCityIsTheSameEverywhere(t *testing.T) {
	a, placements := city(t)
	sum := fnv.New64a()
	for _, m := range a.Models {
		for _, n := range m.Tree.Nodes {
			sum.Write([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)})
		}
		for _, c := range m.Tree.Colours {
			sum.Write(c[:])
		}
	}
	require.Equal(t, uint64(0xf608da442b08ac15), sum.Sum64(), "models")
	sum.Reset()
	for _, p := range placements {
		at := p.Transform.Mul4x1(mgl64.Vec4{100, 10, 0, 1})
		for _, v := range at {
			n := int64(math.Round(v * 1e4))
			sum.Write([]byte{byte(p.Model), byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)})
		}
	}
	require.Equal(t, uint64(0xf26306db9e376386), sum.Sum64(), "places")
}

// Any number of instances is met exactly, and each seed gives another city.
func TestCitiesOfAllSizes(t *testing.T) {
	a, _ := city(t)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4000).Draw(t, "instances")
		seed := rapid.Uint32Range(0, 1<<30).Draw(t, "seed")
		plan := newCityPlan(a.Models, n, seed)
		plan.build()
		require.Len(t, plan.places, n)
		other := newCityPlan(a.Models, n, seed+1)
		other.build()
		if n > 500 {
			require.NotEqual(t, plan.places, other.places)
		}
		buildingsKeepClear(t, a, plan.places)
	})
}

func TestCityWithinLimits(t *testing.T) {
	_, err := Load("proc:city?instances=2000", Options{MaxPlacements: 1999})
	require.EqualError(t, err, "proc:city?instances=2000: 2000 placed models exceed the limit of 1999; choose fewer or raise the limit")
	_, err = Load("proc:city", Options{MaxMemory: 1 << 20})
	require.ErrorContains(t, err, "memory limit of 1 MiB")
	_, err = Load("proc:city?instances=0", Options{})
	require.EqualError(t, err, `proc:city?instances=0: instances "0" must be a whole number from 1 to 1048576`)
}

// box is the space that a placement's voxels may take.
type worldBox struct{ low, high mgl64.Vec3 }

func boxOf(a *Asset, p Placement) worldBox {
	b := a.bounds([]Placement{p})
	return worldBox{b.Min, b.Max}
}

// buildingsKeepClear: no building stands in another or on a street.
func buildingsKeepClear(t require.TestingT, a *Asset, placements []Placement) {
	const slack = 1e-6
	bySquare := map[point][]worldBox{}
	for _, p := range placements {
		if kind(p.Model) < towerGlass || kind(p.Model) > hallWorks {
			continue
		}
		b := boxOf(a, p)
		square := point{int(math.Floor(b.low[0] / squareSide)), int(math.Floor(b.low[1] / squareSide))}
		for axis, s := range [2]int{square.x, square.y} {
			require.GreaterOrEqual(t, b.low[axis], float64(s)*squareSide+streetBays*bayMetres-slack, p.Name)
			require.LessOrEqual(t, b.high[axis], float64(s+1)*squareSide+slack, p.Name)
		}
		for _, other := range bySquare[square] {
			apart := false
			for axis := range 2 {
				apart = apart || b.low[axis] >= other.high[axis]-slack || b.high[axis] <= other.low[axis]+slack
			}
			require.True(t, apart, "%s at %v", p.Name, b)
		}
		bySquare[square] = append(bySquare[square], b)
	}
}

func TestCityKeepsStreetsFree(t *testing.T) {
	a, placements := city(t)
	buildingsKeepClear(t, a, placements)
}

// The city's flight and views stay a hand's breadth outside of everything, and
// the flight leads through streets, past roofs, and above them all.
func TestCityFlightSeesAllAndTouchesNothing(t *testing.T) {
	for _, seed := range []uint32{1, 77} {
		a, _ := city(t)
		plan := newCityPlan(a.Models, 100_000, seed)
		plan.build()
		grid := map[point][]worldBox{} // by squares of 50 metres
		cell := func(v mgl64.Vec3) point { return point{int(math.Floor(v[0] / 50)), int(math.Floor(v[1] / 50))} }
		for _, p := range plan.places {
			b := boxOf(a, p)
			if kind(p.Model) == groundBridge || kind(p.Model) == groundRiver {
				continue
			}
			for y := cell(b.low).y; y <= cell(b.high).y; y++ {
				for x := cell(b.low).x; x <= cell(b.high).x; x++ {
					grid[point{x, y}] = append(grid[point{x, y}], b)
				}
			}
		}
		free := func(c project.Camera) (beside bool) {
			const hand = 0.1
			for _, b := range grid[cell(c.Eye)] {
				inside := true
				near := c.Eye[2] < b.high[2]
				for axis := range 3 {
					inside = inside && c.Eye[axis] > b.low[axis]-hand && c.Eye[axis] < b.high[axis]+hand
				}
				require.False(t, inside, "seed %d: the eye %v is in %v", seed, c.Eye, b)
				beside = beside || near
			}
			return beside
		}
		street, roofs, sky := 0, 0, 0
		for _, c := range a.Flight.Cameras(1200) {
			switch beside := free(c); {
			case c.Eye[2] < 7:
				street++
			case beside && c.Eye[2] < 150:
				roofs++
			case c.Eye[2] > 200:
				sky++
			}
		}
		require.Greater(t, street, 240, "frames in the street")
		require.Greater(t, roofs, 120, "frames beside something taller")
		require.Greater(t, sky, 240, "frames above all roofs")
		require.InDelta(t, 20, a.Flight.Duration(), 0)
		if seed == 1 {
			for _, v := range a.Views {
				free(v.Camera)
			}
		}
	}
}
