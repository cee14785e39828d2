package witness_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render/witness"
	"github.com/cfef80af/eightfold/svo"
)

// cast is witness.Cast for tests in which it must work.
func cast(t require.TestingT, s witness.Scene, c project.Camera, width, height int) *witness.Picture {
	p, err := witness.Cast(s, c, width, height)
	require.NoError(t, err)
	return p
}

func sceneOf(trees ...*svo.Tree) (s witness.Scene) {
	for _, tree := range trees {
		s.Models = append(s.Models, witness.Model{Tree: tree, Transform: mgl64.Ident4()})
	}
	return s
}

// covered is the rectangle of pixels that hit, and how many they are.
func covered(p *witness.Picture) (x0, y0, x1, y1, count int) {
	x0, y0 = p.Width, p.Height
	for j := range p.Height {
		for i := range p.Width {
			if p.At(i, j).Model >= 0 {
				x0, y0, x1, y1, count = min(x0, i), min(y0, j), max(x1, i), max(y1, j), count+1
			}
		}
	}
	return x0, y0, x1, y1, count
}

func TestOneCubeHeadOnCoversKnownPixels(t *testing.T) {
	s := sceneOf(plant(1, map[point]bool{{0, 0, 0}: true}))
	for name, c := range map[string]project.Camera{
		"parallel":    {Scale: 10},
		"perspective": {FovY: 90}, // 50 pixels from the middle to the top at distance 1: 10 a unit at 5
	} {
		t.Run(name, func(t *testing.T) {
			c.Eye, c.Target, c.Up = mgl64.Vec3{.5, .5, -5}, mgl64.Vec3{.5, .5, 0}, mgl64.Vec3{0, 1, 0}
			p := cast(t, s, c, 120, 100)
			x0, y0, x1, y1, count := covered(p)
			require.Equal(t, []int{55, 45, 64, 54, 100}, []int{x0, y0, x1, y1, count})
			h := *p.At(60, 50)
			require.InDelta(t, 5, h.Depth, 1e-12)
			require.InDelta(t, 10, h.Footprint, 1e-9)
			require.EqualValues(t, 4, h.Face)
			require.EqualValues(t, 1, h.ID)
		})
	}
}

func TestPictureIsTheRightWayRound(t *testing.T) {
	// From the front of a .vox (-y), z is up and x runs to the right.
	s := sceneOf(plant(1, map[point]bool{{0, 0, 0}: true, {1, 0, 0}: true, {0, 0, 1}: true}))
	p := cast(t, s, project.Camera{Eye: mgl64.Vec3{1, -9, 1}, Target: mgl64.Vec3{1, 0, 1}, Up: mgl64.Vec3{0, 0, 1}, Scale: 8}, 16, 16)
	require.Equal(t, [3]int32{0, 0, 0}, p.At(3, 12).Min)
	require.Equal(t, [3]int32{1, 0, 0}, p.At(12, 12).Min)
	require.Equal(t, [3]int32{0, 0, 1}, p.At(3, 3).Min)
	require.EqualValues(t, -1, p.At(12, 3).Model)
	require.EqualValues(t, 2, p.At(3, 3).Face)
}

func TestFacesAreThoseOfTheTree(t *testing.T) {
	tree := plant(1, map[point]bool{{0, 0, 0}: true, {1, 1, 1}: true})
	look := project.Camera{Eye: mgl64.Vec3{-9, .5, .5}, Target: mgl64.Vec3{0, .5, .5}, Up: mgl64.Vec3{0, 0, 1}, FovY: 1}
	for name, c := range map[string]struct {
		transform mgl64.Mat4
		face      uint8
		voxel     [3]int32
	}{
		"as it is":   {mgl64.Ident4(), 0, [3]int32{}},
		"mirrored":   {mgl64.Translate3D(2, 0, 0).Mul4(mgl64.Scale3D(-1, 1, 1)), 1, [3]int32{}},
		"turned":     {mgl64.Translate3D(1, 0, 0).Mul4(mgl64.HomogRotate3DZ(math.Pi / 2)), 3, [3]int32{0, 0, 0}},
		"point-wise": {mgl64.Translate3D(2, 2, 2).Mul4(mgl64.Scale3D(-1, -1, -1)), 1, [3]int32{1, 1, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			s := witness.Scene{Models: []witness.Model{{Tree: tree, Transform: c.transform}}}
			h := cast(t, s, look, 3, 3).At(1, 1)
			require.EqualValues(t, 0, h.Model)
			require.Equal(t, c.face, h.Face)
			require.Equal(t, c.voxel, h.Min)
		})
	}
}

func TestVoxelAroundTheEyeIsNotSeen(t *testing.T) {
	full := plant(2, fill(2, func(x, y, z int32) bool { return true }))
	c := project.Camera{Eye: mgl64.Vec3{1.5, 1.5, 1.5}, Target: mgl64.Vec3{9, 1.5, 1.5}, Up: mgl64.Vec3{0, 0, 1}, FovY: 60}
	p := cast(t, sceneOf(full), c, 9, 9)
	h := p.At(4, 4)
	require.Equal(t, [3]int32{2, 1, 1}, h.Min)
	require.InDelta(t, .5, h.Depth, 1e-12)

	alone := cast(t, sceneOf(plant(2, map[point]bool{{1, 1, 1}: true})), c, 9, 9)
	_, _, _, _, count := covered(alone)
	require.Zero(t, count)
}

func TestNothingIsBehindAParallelCamera(t *testing.T) {
	s := sceneOf(plant(1, map[point]bool{{0, 0, 0}: true}))
	c := project.Camera{Eye: mgl64.Vec3{.5, .5, 7}, Target: mgl64.Vec3{.5, .5, 8}, Up: mgl64.Vec3{0, 1, 0}, Scale: 4}
	h := cast(t, s, c, 8, 8).At(4, 4)
	require.EqualValues(t, 0, h.Model)
	require.InDelta(t, -7, h.Depth, 1e-12)
}

func TestTiesFollowTheRule(t *testing.T) {
	tree := plant(1, map[point]bool{{0, 0, 0}: true})
	s := sceneOf(tree, nil, tree, tree)
	s.Models[3].Transform = mgl64.Translate3D(0, 0, 0.5)
	c := project.Camera{Eye: mgl64.Vec3{.4, .6, -5}, Target: mgl64.Vec3{.4, .6, 0}, Up: mgl64.Vec3{0, 1, 0}, FovY: 10}
	h := cast(t, s, c, 3, 3).At(1, 1)
	require.EqualValues(t, 0, h.Model)
	require.True(t, h.Tied)
	s.LaterWins = true
	require.EqualValues(t, 2, cast(t, s, c, 3, 3).At(1, 1).Model)
	s.Models = s.Models[2:]
	require.False(t, cast(t, s, c, 3, 3).At(1, 1).Tied)
}

func TestImpossibleScenesAreErrors(t *testing.T) {
	s := sceneOf(plant(1, map[point]bool{{0, 0, 0}: true}))
	good := project.Camera{Eye: mgl64.Vec3{0, 0, -5}, Up: mgl64.Vec3{0, 1, 0}, FovY: 60}
	_, err := witness.Cast(s, project.Camera{FovY: 60}, 4, 4)
	require.ErrorContains(t, err, "cannot see")
	_, err = witness.Cast(s, good, 0, 4)
	require.ErrorContains(t, err, "0x4")
	s.Models[0].Transform = mgl64.Scale3D(1, 0, 1)
	_, err = witness.Cast(s, good, 4, 4)
	require.ErrorContains(t, err, "model 0: its transform")
	s.Models[0].Transform = mgl64.Scale3D(1, math.NaN(), 1)
	_, err = witness.Cast(s, good, 4, 4)
	require.ErrorContains(t, err, "model 0: its transform")
}

// bruteForce tries every voxel: the first depth in front of the eye, or +Inf.
// It is not sure where a hair decides whether a voxel is met, or when: where a
// ray grazes an edge or a face, or the eye lies on a face.
func bruteForce(voxels map[point]bool, inverse mgl64.Mat4, origin, direction mgl64.Vec3, parallel bool) (first float64, where point, sure bool) {
	const hair, moment = 1e-7, 1e-3
	first, second, sure := math.Inf(1), math.Inf(1), true
	o := inverse.Mul4x1(origin.Vec4(1)).Vec3()
	d := inverse.Mul4x1(direction.Vec4(0)).Vec3()
	for v := range voxels {
		in, crossed := enters(v, 0, o, d)
		early, grown := enters(v, hair, o, d)
		late, shrunk := enters(v, -hair, o, d)
		ahead := func(in float64) bool { return parallel || in > 0 }
		if grown != shrunk || grown && (late-early > moment || ahead(early) != ahead(late)) {
			sure = false
		}
		if crossed && ahead(in) {
			if in < first {
				first, second, where = in, first, v
			} else {
				second = math.Min(second, in)
			}
		}
	}
	return first, where, sure && (math.IsInf(first, 1) || second-first > hair)
}

// enters tells when a ray enters a voxel grown on all sides, and whether it does.
func enters(v point, growth float64, o, d mgl64.Vec3) (float64, bool) {
	in, out := math.Inf(-1), math.Inf(1)
	for axis := range 3 {
		a, b := (float64(v[axis])-growth-o[axis])/d[axis], (float64(v[axis])+1+growth-o[axis])/d[axis]
		in, out = math.Max(in, math.Min(a, b)), math.Min(out, math.Max(a, b))
	}
	return in, in < out
}

func TestAgreesWithBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(name string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(t, name) }
		depth := rapid.IntRange(1, 4).Draw(t, "depth")
		size := float64(int(1) << depth)
		voxels := scatter(depth, rapid.IntRange(1, 60).Draw(t, "voxels"), rapid.Uint64().Draw(t, "seed"))
		sign := float64(rapid.SampledFrom([]int{-1, 1}).Draw(t, "mirror"))
		transform := mgl64.Translate3D(number("tx", -9, 9), number("ty", -9, 9), 0).
			Mul4(mgl64.HomogRotate3D(number("angle", 0, 6), mgl64.Vec3{1, number("ay", -1, 1), number("az", -1, 1)}.Normalize())).
			Mul4(mgl64.Scale3D(sign*number("sx", .2, 3), 1, number("sz", .2, 3))).
			Mul4(mgl64.ShearX3D(number("shear", 0, 1), 0))
		point := func(name string) mgl64.Vec3 {
			v := mgl64.Vec3{number(name+"x", -.5, 1.5), number(name+"y", -.5, 1.5), number(name+"z", -.5, 1.5)}
			return mgl64.TransformCoordinate(v.Mul(size), transform)
		}
		c := project.Camera{Eye: point("eye"), Target: point("target"), Up: mgl64.Vec3{.1, .2, 1}, FovY: number("fov", 5, 150)}
		if rapid.Bool().Draw(t, "parallel") {
			c.Scale = number("scale", .1, 10)
		}
		view, err := c.View(8, 6)
		if err != nil || c.Target.Sub(c.Eye).Len() < 1e-3 {
			t.Skip("no camera")
		}
		p := cast(t, witness.Scene{Models: []witness.Model{{Tree: plant(depth, voxels), Transform: transform}}}, c, 8, 6)
		for j := range 6 {
			for i := range 8 {
				origin, direction := view.Ray(i, j)
				first, where, sure := bruteForce(voxels, transform.Inv(), origin, direction, c.Scale > 0)
				if !sure {
					continue
				}
				h := p.At(i, j)
				if math.IsInf(first, 1) || h.Model < 0 {
					require.Equal(t, math.IsInf(first, 1), h.Model < 0, "pixel (%d,%d)", i, j)
					continue
				}
				require.InDelta(t, first, h.Depth, 1e-7*(1+math.Abs(first)), "pixel (%d,%d)", i, j)
				require.Equal(t, [3]int32(where), h.Min, "pixel (%d,%d)", i, j)
			}
		}
	})
}

// The Builder leaves out nodes that planted trees have; rays meet the same.
func TestPackedTreesAreCastAsFullOnes(t *testing.T) {
	for _, depth := range []int{1, 2, 5} {
		voxels := scatter(depth, 60, 7)
		b := svo.NewBuilder(depth)
		for p := range voxels {
			require.NoError(t, b.Add(uint32(p[0]), uint32(p[1]), uint32(p[2]), svo.Voxel{}))
		}
		packed, err := b.Build(t.Context())
		require.NoError(t, err)
		full := plant(depth, voxels)
		require.Equal(t, depth > 1, len(packed.Nodes) < len(full.Nodes))
		size := float64(int(1) << depth)
		c := project.Camera{Eye: mgl64.Vec3{-size, .7 * size, -.6 * size}, Target: mgl64.Vec3{size / 2, size / 2, size / 2}, Up: mgl64.Vec3{0, 1, 0}, FovY: 50}
		want, got := cast(t, sceneOf(full), c, 60, 50), cast(t, sceneOf(packed), c, 60, 50)
		for j := range 50 {
			for i := range 60 {
				require.Equal(t, *want.At(i, j), *got.At(i, j), "depth %d, pixel (%d, %d)", depth, i, j)
			}
		}
	}
}

func TestZeroDirectionComponentsMeetEachVoxelOnce(t *testing.T) {
	// Rays along the planes between voxels: the voxel above the plane is met.
	s := sceneOf(plant(2, fill(2, func(x, y, z int32) bool { return true })))
	c := project.Camera{Eye: mgl64.Vec3{2, -3, 2}, Target: mgl64.Vec3{2, 0, 2}, Up: mgl64.Vec3{0, 0, 1}, Scale: 1}
	p := cast(t, s, c, 5, 5)
	for k := range 5 {
		want := int32(k) // columns at world x 0..4, the last outside
		if k == 4 {
			require.EqualValues(t, -1, p.At(k, 2).Model)
			continue
		}
		require.Equal(t, [3]int32{want, 0, 2}, p.At(k, 2).Min)
	}
}

func TestSpongeIsCastToTheFinestGeometry(t *testing.T) {
	coarse := plant(6, fill(6, func(x, y, z int32) bool { return inSponge(6, point{x, y, z}) }))
	c := project.Camera{Eye: mgl64.Vec3{-.9, -.7, 1.8}, Target: mgl64.Vec3{.5, .5, .5}, Up: mgl64.Vec3{0, 0, 1}, FovY: 50}
	unit := func(tree *svo.Tree) witness.Scene {
		edge := 1 / float64(int(1)<<tree.Depth)
		return witness.Scene{Models: []witness.Model{{Tree: tree, Transform: mgl64.Scale3D(edge, edge, edge)}}}
	}
	grown, planted := cast(t, unit(sponge(6)), c, 64, 64), cast(t, unit(coarse), c, 64, 64)
	endless := unit(sponge(30))
	endless.MaxFootprint = 0.125
	fine := cast(t, endless, c, 64, 64)
	hits := 0
	for j := range 64 {
		for i := range 64 {
			a, b := *grown.At(i, j), *planted.At(i, j)
			a.ID, b.ID = 0, 0 // the shared nodes have ids of their own
			require.Equal(t, b, a, "pixel (%d,%d)", i, j)
			if h := fine.At(i, j); h.Model >= 0 {
				hits++
				require.GreaterOrEqual(t, b.Model, int32(0), "pixel (%d,%d) hits what isn't in the coarser sponge", i, j)
				require.GreaterOrEqual(t, h.Depth, b.Depth-1e-9)
				require.Less(t, h.Footprint, 0.125)
				require.Greater(t, h.Footprint, 0.125/2.1)
				require.True(t, inSponge(int(h.Level)&^1, point{h.Min[0] >> (30 - h.Level&^1), h.Min[1] >> (30 - h.Level&^1), h.Min[2] >> (30 - h.Level&^1)}))
			}
		}
	}
	require.Greater(t, hits, 100)
}

func BenchmarkCast(b *testing.B) {
	// 1.1 million voxels, 256x256, on all CPUs.
	s := sceneOf(plant(7, ball(7)))
	c := project.Camera{Eye: mgl64.Vec3{-90, -70, 190}, Target: mgl64.Vec3{64, 64, 64}, Up: mgl64.Vec3{0, 0, 1}, FovY: 40}
	for b.Loop() {
		if _, err := witness.Cast(s, c, 256, 256); err != nil {
			b.Fatal(err)
		}
	}
}
