package witness_test

import (
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render/witness"
)

// drawnFrom is the frame of a renderer that draws what the rays of a picture see.
func drawnFrom(p *witness.Picture) witness.Frame {
	f := witness.Frame{Width: p.Width, Height: p.Height}
	for j := range p.Height {
		for i := range p.Width {
			h := p.At(i, j)
			f.Depth = append(f.Depth, float32(h.Depth))
			f.Face = append(f.Face, h.Face)
			f.Voxel = append(f.Voxel, witness.Voxel{Instance: h.Model, ID: h.ID, Min: h.Min, Level: h.Level})
		}
	}
	return f
}

func compare(t require.TestingT, f witness.Frame, p *witness.Picture) witness.Report {
	r, err := witness.Compare(f, p)
	require.NoError(t, err)
	return r
}

// put draws on pixel (i, j) what another pixel shows.
func put(f *witness.Frame, i, j, fromI, fromJ int) {
	to, from := j*f.Width+i, fromJ*f.Width+fromI
	f.Depth[to], f.Face[to], f.Voxel[to] = f.Depth[from], f.Face[from], f.Voxel[from]
}

// twoBalls is a ball before a larger one, seen at a given number of pixels a
// voxel: 32 across in the middle of the picture, 8 more of the other around it.
func twoBalls(t require.TestingT, pixels float64, size int) *witness.Picture {
	s := sceneOf(plant(5, ball(5)), plant(5, ball(5)))
	s.Models[1].Transform = mgl64.Translate3D(-8, -8, 40).Mul4(mgl64.Scale3D(1.5, 1.5, 1.5))
	c := project.Camera{Eye: mgl64.Vec3{16.1, 15.8, -40}, Target: mgl64.Vec3{16.1, 15.8, 0}, Up: mgl64.Vec3{0, 1, 0}, Scale: pixels}
	return cast(t, s, c, size, size)
}

func TestWhatTheRaysSeeHasNoFault(t *testing.T) {
	for _, pixels := range []float64{0.3, 1, 5} {
		p := twoBalls(t, pixels, 128)
		r := compare(t, drawnFrom(p), p)
		require.NoError(t, r.Err())
		require.Zero(t, r.Faults[witness.Fattened])
		require.Positive(t, r.Hits)
		require.Equal(t, r.Hits < r.Pixels, r.Edges[witness.Cubes]+r.Edges[witness.Detail] > 0)
		require.Equal(t, r.Hits, r.DepthsChecked)
		require.Less(t, r.DepthError, 1e-3)
		if pixels > 2 {
			require.Greater(t, r.CubesChecked, 1000)
		} else {
			require.Zero(t, r.CubesChecked)
		}
	}
}

// A renderer that draws whole nodes of up to a pixel has no fault but some
// fattening: the rules are fair at the level of detail.
func TestLevelOfDetailIsNoFault(t *testing.T) {
	for name, scene := range map[string]witness.Scene{
		"ball":    sceneOf(plant(6, ball(6))),
		"scatter": sceneOf(plant(6, scatter(6, 300, 3))),
	} {
		t.Run(name, func(t *testing.T) {
			var sum witness.Report
			for _, c := range witness.Cameras(24, scene, 60, 5) {
				p := cast(t, scene, c, 80, 60)
				coarse := scene
				coarse.MaxFootprint = 1
				r := compare(t, drawnFrom(cast(t, coarse, c, 80, 60)), p)
				require.NoError(t, r.Err(), "%+v", c)
				sum.Add(r)
			}
			require.Positive(t, sum.Faults[witness.Fattened])
			require.Zero(t, sum.Fat[witness.Cubes])
			require.Positive(t, sum.DepthError)
		})
	}
}

// Every way to be wrong is planted into a right picture, and found.
func TestPlantedFaultsAreFound(t *testing.T) {
	const small, large = 0.5, 5
	nothing := witness.Voxel{Instance: -1}
	clear := func(f *witness.Frame, i, j int) {
		at := j*f.Width + i
		f.Voxel[at], f.Depth[at], f.Face[at] = nothing, float32(math.Inf(1)), 6
	}
	// At 0.5 pixels a voxel the front ball covers columns 24 to 39 of the
	// middle row, and the other one up to 4 more on each side.
	const middle = 32
	// At 5 pixels a voxel this pixel is the middle of a face.
	const cubeI, cubeJ = 34, 33
	border := func(p *witness.Picture) int { // the first column that hits
		for i := range p.Width {
			if p.At(i, middle).Model >= 0 {
				return i
			}
		}
		return -1
	}
	for name, c := range map[string]struct {
		pixels float64
		plant  func(f *witness.Frame, p *witness.Picture)
		kinds  []witness.Kind
	}{
		"removed pixel inside": {small, func(f *witness.Frame, p *witness.Picture) {
			clear(f, middle, middle)
		}, []witness.Kind{witness.HoleInside}},
		"removed pixel at the border": {small, func(f *witness.Frame, p *witness.Picture) {
			clear(f, border(p), middle)
		}, []witness.Kind{witness.HoleBorder}},
		"fattened silhouette": {small, func(f *witness.Frame, p *witness.Picture) {
			put(f, border(p)-1, middle, border(p), middle)
		}, []witness.Kind{witness.Fattened}},
		"fattened by two pixels": {small, func(f *witness.Frame, p *witness.Picture) {
			put(f, border(p)-2, middle, border(p), middle)
		}, []witness.Kind{witness.OffRay, witness.Fattened, witness.FarOff}},
		"another voxel of the same model": {large, func(f *witness.Frame, p *witness.Picture) {
			put(f, cubeI, cubeJ, cubeI+10, cubeJ)
		}, []witness.Kind{witness.WrongCube, witness.OffRay}},
		"another face": {large, func(f *witness.Frame, p *witness.Picture) {
			f.Face[cubeJ*f.Width+cubeI] ^= 1
		}, []witness.Kind{witness.WrongCube}},
		"its parent": {large, func(f *witness.Frame, p *witness.Picture) {
			v := &f.Voxel[cubeJ*f.Width+cubeI]
			*v = parent(5, p, *v)
		}, []witness.Kind{witness.WrongCube}},
		"a node that isn't there": {small, func(f *witness.Frame, p *witness.Picture) {
			f.Voxel[middle*f.Width+middle].Min = [3]int32{0, 0, 0}
		}, []witness.Kind{witness.Broken}},
		"an id of another node": {small, func(f *witness.Frame, p *witness.Picture) {
			f.Voxel[middle*f.Width+middle].ID++
		}, []witness.Kind{witness.Broken}},
		"a position outside the tree": {small, func(f *witness.Frame, p *witness.Picture) {
			f.Voxel[middle*f.Width+middle].Min[1] = -1
		}, []witness.Kind{witness.Broken}},
		"an instance that isn't there": {small, func(f *witness.Frame, p *witness.Picture) {
			f.Voxel[middle*f.Width+middle].Instance = 2
		}, []witness.Kind{witness.Broken}},
		"depth without a voxel": {small, func(f *witness.Frame, p *witness.Picture) {
			f.Depth[0] = 7
		}, []witness.Kind{witness.Broken}},
		"voxel without a face": {small, func(f *witness.Frame, p *witness.Picture) {
			f.Face[middle*f.Width+middle] = 6
		}, []witness.Kind{witness.Broken}},
		"shifted depth": {small, func(f *witness.Frame, p *witness.Picture) {
			f.Depth[middle*f.Width+middle] += 4
		}, []witness.Kind{witness.WrongDepth}},
		"depth that is not a number": {small, func(f *witness.Frame, p *witness.Picture) {
			f.Depth[middle*f.Width+middle] = float32(math.NaN())
		}, []witness.Kind{witness.WrongDepth}},
		"the ball behind": {small, func(f *witness.Frame, p *witness.Picture) {
			behind := sceneOf(nil, plant(5, ball(5)))
			behind.Models[1].Transform = mgl64.Translate3D(-8, -8, 40).Mul4(mgl64.Scale3D(1.5, 1.5, 1.5))
			c := project.Camera{Eye: mgl64.Vec3{16.1, 15.8, -40}, Target: mgl64.Vec3{16.1, 15.8, 0}, Up: mgl64.Vec3{0, 1, 0}, Scale: small}
			b := drawnFrom(cast(t, behind, c, 64, 64))
			at := middle*f.Width + middle
			f.Depth[at], f.Face[at], f.Voxel[at] = b.Depth[at], b.Face[at], b.Voxel[at]
		}, []witness.Kind{witness.SeeThrough}},
	} {
		t.Run(name, func(t *testing.T) {
			p := twoBalls(t, c.pixels, 64)
			f := drawnFrom(p)
			c.plant(&f, p)
			r := compare(t, f, p)
			var found []witness.Kind
			for k, n := range r.Faults {
				if n > 0 {
					found = append(found, witness.Kind(k))
				}
			}
			require.Equal(t, c.kinds, found, r.String())
			if len(found) == 1 && found[0] == witness.Fattened {
				require.NoError(t, r.Err())
			} else {
				require.Error(t, r.Err())
			}
		})
	}
}

// parent is the node above a node of a tree of twoBalls.
func parent(depth int, p *witness.Picture, v witness.Voxel) witness.Voxel {
	tree := plant(depth, ball(depth))
	v.Level--
	id := uint32(0)
	for level := 1; level <= int(v.Level); level++ {
		bit := depth - level
		id = tree.Nodes[id].Child(int(v.Min[0]>>bit&1 | v.Min[1]>>bit&1<<1 | v.Min[2]>>bit&1<<2))
	}
	for axis := range v.Min {
		v.Min[axis] &^= 1
	}
	v.ID = id
	return v
}

// A hole in a closed model shows what is behind: the far wall of a room where
// the near one is missing. The other way round, a voxel beyond a plane that parts
// it from the true hit, on the eye's side, may reach over it by a pixel.
func TestSeeingThroughIsToldFromReachingOver(t *testing.T) {
	walls := fill(5, func(x, y, z int32) bool { return z == 3 || z == 28 })
	for name, c := range map[string]project.Camera{
		"perspective": {Eye: mgl64.Vec3{20, 20, -100}, FovY: 30},
		"parallel":    {Eye: mgl64.Vec3{20, 20, -100}, FovY: 30, Scale: 0.7},
	} {
		t.Run(name, func(t *testing.T) {
			c.Target, c.Up = mgl64.Vec3{19.1, 20.2, 0}, mgl64.Vec3{.1, 1, 0}
			p := cast(t, sceneOf(plant(5, walls)), c, 32, 32)
			back := cast(t, sceneOf(plant(5, fill(5, func(x, y, z int32) bool { return z == 28 }))), c, 32, 32)
			f := drawnFrom(p)
			at, h := 16*32+16, back.At(16, 16)
			id, ok := plant(5, walls).At(uint32(h.Min[0]), uint32(h.Min[1]), uint32(h.Min[2]))
			require.True(t, ok)
			f.Voxel[at] = witness.Voxel{ID: id, Min: h.Min, Level: h.Level}
			f.Depth[at] = float32(h.Depth)
			r := compare(t, f, p)
			require.Equal(t, 1, r.Faults[witness.SeeThrough])
			require.ErrorContains(t, r.Err(), "1 see-through at (16,16)")
		})
	}
	// A front wall where x < 16, in front of a back wall where x >= 16: the eye
	// at x > 16 sees past the front wall's edge, so the back wall comes first.
	step := plant(5, fill(5, func(x, y, z int32) bool { return x < 16 && z == 3 || z == 28 }))
	c := project.Camera{Eye: mgl64.Vec3{40, 16, -100}, Target: mgl64.Vec3{16, 16, 10}, Up: mgl64.Vec3{0, 1, 0}, FovY: 15}
	p := cast(t, sceneOf(step), c, 32, 32)
	f := drawnFrom(p)
	reached := 0
	for i := range 31 {
		if p.At(i, 16).Min[2] == 28 && p.At(i+1, 16).Min[2] == 3 {
			put(&f, i+1, 16, i, 16)
			reached++
		}
	}
	require.Equal(t, 1, reached)
	r := compare(t, f, p)
	require.NoError(t, r.Err())
}

// A fattened picture is not far off where a voxel lies between the pixel
// centres, however small.
func TestVoxelsBetweenThePixelCentresAreNotFarOff(t *testing.T) {
	for _, pixels := range []float64{0.01, 0.2, 0.8} {
		s := sceneOf(plant(1, map[point]bool{{0, 0, 0}: true}))
		// The voxel's middle is seen at (12, 12), the corner of four pixels.
		c := project.Camera{Eye: mgl64.Vec3{.5, .5, -5}, Target: mgl64.Vec3{.5, .5, 0}, Up: mgl64.Vec3{0, 1, 0}, Scale: pixels}
		p := cast(t, s, c, 24, 24)
		_, _, _, _, count := covered(p)
		require.Zero(t, count)
		f := drawnFrom(p)
		draw := func(i, j int) witness.Report {
			at := j*f.Width + i
			f.Voxel[at], f.Depth[at], f.Face[at] = witness.Voxel{ID: 1, Level: 1}, 5, 4
			return compare(t, f, p)
		}
		r := draw(12, 12)
		require.NoError(t, r.Err(), "%v pixels", pixels)
		r = draw(13, 11)
		require.Equal(t, 0, r.Faults[witness.FarOff], "%v pixels", pixels)
		r = draw(15, 11)
		require.Equal(t, 1, r.Faults[witness.FarOff], "%v pixels", pixels)
	}
}

func TestTiedCubesAreCountedApart(t *testing.T) {
	tree := plant(1, map[point]bool{{0, 0, 0}: true})
	s := sceneOf(tree, tree)
	c := project.Camera{Eye: mgl64.Vec3{.5, .5, -5}, Target: mgl64.Vec3{.5, .5, 0}, Up: mgl64.Vec3{0, 1, 0}, Scale: 8}
	earlier := cast(t, s, c, 16, 16)
	s.LaterWins = true
	r := compare(t, drawnFrom(cast(t, s, c, 16, 16)), earlier)
	require.Equal(t, 36, r.CubesChecked)
	require.Equal(t, 36, r.Faults[witness.WrongCube])
	require.Equal(t, 36, r.WrongTied)
	require.ErrorContains(t, r.Err(), "36 wrong cube at (5,5)")
}

func TestSizesMustAgree(t *testing.T) {
	p := twoBalls(t, 1, 16)
	f := drawnFrom(p)
	f.Face = f.Face[1:]
	_, err := witness.Compare(f, p)
	require.ErrorContains(t, err, "255 faces")
}

func TestDiffShowsWhereThePictureIsWrong(t *testing.T) {
	p := twoBalls(t, 1, 64)
	f := drawnFrom(p)
	at := 32*64 + 32
	f.Voxel[at], f.Depth[at], f.Face[at] = witness.Voxel{Instance: -1}, float32(math.Inf(1)), 6
	dir := t.TempDir()
	t.Setenv(witness.DiffVariable, "")
	path, err := witness.WriteDiff(dir, "balls", f, p)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "balls.png"), path)
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	img, err := png.Decode(file)
	require.NoError(t, err)
	require.Equal(t, 192, img.Bounds().Dx())
	red, green, _, _ := img.At(128+32, 32).RGBA()
	require.True(t, red == 0xffff && green == 0)
	require.NotEqual(t, img.At(32, 32), img.At(64+32, 32))
	require.Equal(t, img.At(40, 32), img.At(64+40, 32))

	elsewhere := t.TempDir()
	t.Setenv(witness.DiffVariable, elsewhere)
	path, err = witness.WriteDiff(dir, "again", f, p)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(elsewhere, "again.png"), path)
}

func TestCamerasLookFromEverywhere(t *testing.T) {
	tree := plant(5, ball(5))
	s := sceneOf(tree)
	s.Models[0].Transform = mgl64.Translate3D(100, 0, 0).Mul4(mgl64.Scale3D(2, 2, 2))
	cameras := witness.Cameras(30, s, 120, 1)
	require.Equal(t, cameras, witness.Cameras(30, s, 120, 1))
	require.NotEqual(t, cameras, witness.Cameras(30, s, 120, 2))
	far, near, solid, gaps, parallel, seen := math.Inf(1), 0.0, 0, 0, 0, 0
	for _, c := range cameras {
		v := c.Eye.Sub(mgl64.Vec3{100, 0, 0}).Mul(.5)
		_, ok := ball(5)[point{int32(math.Floor(v[0])), int32(math.Floor(v[1])), int32(math.Floor(v[2]))}]
		pixels := 2 * 60 / math.Tan(c.FovY*math.Pi/360) / c.Target.Sub(c.Eye).Len()
		switch {
		case c.Scale > 0:
			parallel++
		case ok:
			solid++
		case v[0] > 0 && v[0] < 32 && v[1] > 0 && v[1] < 32 && v[2] > 0 && v[2] < 32:
			gaps++
		default:
			far, near = min(far, pixels), max(near, pixels)
		}
		_, _, _, _, count := covered(cast(t, s, c, 40, 30))
		if count > 0 {
			seen++
		}
	}
	require.Less(t, far, 0.2)
	require.Greater(t, near, 2.0)
	require.GreaterOrEqual(t, solid, 5)
	require.GreaterOrEqual(t, gaps, 5)
	require.Equal(t, 5, parallel)
	require.GreaterOrEqual(t, seen, 28)
}
