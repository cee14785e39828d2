package ortho_test

import (
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/ortho"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/svo"
)

// easel is a small open canvas on which a node is drawn.
type easel struct {
	asm.Canvas
	bottom  asm.Bottoms
	batch   asm.Batch
	offsets [8]asm.Offsets
	kernels asm.Kernels
}

const easelSide = 48

func newEasel(kernels asm.Kernels, at [2]float64) *easel {
	e := &easel{kernels: kernels}
	e.Width, e.Height = easelSide, easelSide+2*asm.Pad+8
	e.X, e.Y = int32(at[0])-easelSide/2, int32(at[1])-easelSide/2
	e.Cells = make([]uint8, ((easelSide+2*asm.Pad)/8+2)*e.Height)
	e.Seen = make([]asm.Ref, easelSide*easelSide)
	e.bottom.Records, e.bottom.Patches = make([]asm.Record, 16), make([]asm.Patch, 2)
	return e
}

// leaf draws a single leaf of a node of bricks, and tells what pixels see it.
func (e *easel) leaf(brick, octant, leaf int) func(x, y int) bool {
	for i := range e.Cells {
		strip, row := i/e.Height-asm.Pad/8, i%e.Height-asm.Pad
		e.Cells[i] = 0
		if strip >= 0 && strip < easelSide/8 && row >= 0 && row < easelSide {
			e.Cells[i] = 0xff
		}
	}
	clear(e.Seen)
	n := &e.bottom
	n.Nodes, n.Bricks, n.IDs = []uint64{uint64(svo.NewNode(0, 1<<brick))}, []uint64{1 << (8*octant + leaf)}, []uint32{7}
	n.Leaves, n.Mask, n.Only, n.Pixels = n.Bricks, 1, 0xff, ^uint64(0)
	n.Limit = 100
	for y := int32(0); y < easelSide; y += 8 {
		for x := int32(0); x < easelSide; x += 8 {
			b := &e.batch
			b.X0[0], b.X1[0], b.Y0[0], b.Y1[0] = e.X+x, e.X+x+8, e.Y+y, e.Y+y+8
			n.Todo, n.NextRecord, n.NextPatch = 1<<n.Nearest, 1, 0
			e.kernels.DrawBottoms(&e.Canvas, b, n, &e.offsets[n.Nearest])
		}
	}
	return func(x, y int) bool { return e.Seen[(y-int(e.Y))*easelSide+x-int(e.X)] != 0 }
}

// Wherever a node of bricks lies, and whatever the size of its bricks, each
// pixel whose centre the exact outline of a leaf may cover sees it, and no pixel
// farther than half a pixel beside does; tables made for one node serve others.
func TestBricksHoldEveryLeafOfTheirNode(t *testing.T) {
	kernels, err := asm.Select(asm.Auto)
	require.NoError(t, err)
	const widening = .5
	const least = .25 // narrower ones count as so wide
	served, covered, kept, fine := 0, 0, 0, 0
	checkAll(t, func(t *rapid.T) {
		level := rapid.IntRange(4, depth-3).Draw(t, "level")
		node, half := cell(t, level)
		pixels := rapid.Float64Range(4, 6).Draw(t, "brick")
		if rapid.Bool().Draw(t, "small") {
			pixels /= 6
		}
		p := posed(t, node, rapid.Float64Range(.1, 2).Draw(t, "part")*pixels/(2*half))
		var fans ortho.Fans
		fan, size := fans.For(&p, pixels)
		for range 4 {
			low, high := shadow(&p, node, half)
			in := inCamera(&p, node)
			wide := max(high[0]-low[0], high[1]-low[1])
			if in[2] > 0 && fan.Serves(in[2], half/2*size) && least <= wide && wide <= 2*pixels &&
				low[0] > 0 && low[1] > 0 && high[0] < 640 && high[1] < 480 {
				at := onScreen(&p, node)
				e := newEasel(kernels, at)
				e.offsets = fan.Offsets
				n, b := &e.bottom, &e.batch
				n.Nearest = rapid.Uint32Range(0, 7).Draw(t, "nearest")
				b.X[0], b.Y[0], b.Z[0] = float32(in[0]), float32(in[1]), float32(in[2])
				n.SetHalf(float32(half/2*size), fan.Fine(min(pixels, wide/2)))
				fine += int(n.Fine)
				cx, cy := p.View.Principal()
				n.CX, n.CY = float32(cx)-float32(e.X-asm.Pad), float32(cy)-float32(e.Y-asm.Pad)
				made := fan.Made
				fan.Aim(n, int(n.Nearest))
				inverse := 1 / b.Z[0]
				fan.Make(&kernels, int(n.Nearest), b.X[0]*inverse, b.Y[0]*inverse)
				if fan.Made == made {
					kept++
				}
				served++
				for brick := range 8 {
					octant, leaf := rapid.IntRange(0, 7).Draw(t, "octant"), rapid.IntRange(0, 7).Draw(t, "leaf")
					centre := octantOf(octantOf(octantOf(node, brick, half/2), octant, half/4), leaf, half/8)
					covered += requireLeaf(t, &p, centre, half/8, e.leaf(brick, octant, leaf), widening)
				}
			}
			for k := range 3 {
				node[k] += 2 * half * float64(rapid.IntRange(-3, 3).Draw(t, "cells on"))
			}
		}
	}, &served, &covered, &kept, &fine)
}

// checkAll checks a property until each of some counts of what it has met is
// positive: a few checks may miss what is rare.
func checkAll(t *testing.T, property func(t *rapid.T), met ...*int) {
	missing := func(n *int) bool { return *n == 0 }
	for range 20 {
		rapid.Check(t, property)
		if !slices.ContainsFunc(met, missing) {
			return
		}
	}
	require.FailNow(t, "what is rare was never met")
}

// requireLeaf holds the pixels that see a leaf to its exact outline. It returns
// how many the outline's rectangle has.
func requireLeaf(t *rapid.T, p *project.Pose, centre mgl64.Vec3, half float64, seen func(x, y int) bool, widening float64) (covered int) {
	low, high := shadow(p, centre, half)
	for y := int(low[1]) - 2; y <= int(high[1])+2; y++ {
		for x := int(low[0]) - 2; x <= int(high[0])+2; x++ {
			outside := 0.
			for c, at := range [2]float64{float64(x) + .5, float64(y) + .5} {
				outside = max(outside, low[c]-at, at-high[c])
			}
			if outside == 0 {
				covered++
				require.True(t, seen(x, y), "pixel (%d, %d) is missed: %v to %v, axes %v", x, y, low, high, p.Axes)
			} else if seen(x, y) {
				require.LessOrEqual(t, outside, widening, "pixel (%d, %d) is %g beside", x, y, outside)
			}
		}
	}
	return covered
}

// Bricks in which perspective shows are not served.
func TestBricksAreNotServedWherePerspectiveShows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		centre, half := cell(t, 4)
		p := posed(t, centre, rapid.Float64Range(20, 300).Draw(t, "pixels")/half)
		if p.View.Parallel {
			return
		}
		var fans ortho.Fans
		fan, size := fans.For(&p, 4.8)
		reach := p.HalfExtents()[2] * half
		require.False(t, fan.Serves(8*reach, half*size), "a brick an eighth of its distance deep")
		require.True(t, fan.Serves(1e4*reach, half*size))
	})
}

// What is turned alike shares a fan, in any order; a frame with one instance that
// turns needs no second one.
func TestFansAreKept(t *testing.T) {
	camera := project.Camera{Eye: mgl64.Vec3{0, -900, 100}, FovY: 40, Up: mgl64.Vec3{0, 0, 1}}
	view, err := camera.View(320, 200)
	require.NoError(t, err)
	var fans ortho.Fans
	turned := func(i int) *ortho.Fan {
		scale := 1 + float64(i)/7
		toWorld := mgl64.Translate3D(float64(i), 0, 0).Mul4(mgl64.HomogRotate3DZ(float64(i % 20))).Mul4(mgl64.Scale3D(scale, scale, scale))
		pose, err := project.NewPose(view, toWorld, 5)
		require.NoError(t, err)
		fan, size := fans.For(&pose, 4.8)
		require.Positive(t, size)
		return fan
	}
	for frame := range 3 {
		fans.Begin()
		first, second := turned(0), turned(1)
		require.NotSame(t, first, second)
		require.Same(t, first, turned(20))
		require.Same(t, second, turned(41))
		require.NotSame(t, first, turned(2+frame), "it is used in this frame")
		require.Same(t, second, turned(1))
	}
	kept := map[*ortho.Fan]bool{}
	for i := range 60 {
		kept[turned(i)] = true
	}
	require.Len(t, kept, 8, "memory is bounded")
	var single ortho.Fans
	pose, err := project.NewPose(view, mgl64.Ident4(), 5)
	require.NoError(t, err)
	only, _ := single.For(&pose, 4.8)
	for i := range 5 {
		single.Begin()
		pose, err := project.NewPose(view, mgl64.HomogRotate3DX(float64(i+1)), 5)
		require.NoError(t, err)
		same, _ := single.For(&pose, 4.8)
		require.Same(t, only, same)
	}
}
