package models

import (
	"context"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/cfef80af/eightfold/svo"
)

// Terrain is the surface of a fractal landscape of size x size columns, z up,
// at most size/2 high, without a hole, with smooth normals and coloured by
// height and slope. Each seed gives another one, the same on every machine.
// The size is 1 to 2^svo.MaxBuiltDepth; it fails for others.
func Terrain(size int, seed uint32) (*svo.Tree, error) {
	if err := checkSize(size); err != nil {
		return nil, err
	}
	b := svo.NewBuilder(svo.AutoDepth)
	// Three rows of heights are enough to know a column's neighbours.
	before, row, after := make([]int64, size), make([]int64, size), make([]int64, size)
	terrainRow(row, 0, seed)
	copy(before, row)
	for y := range size {
		terrainRow(after, min(y+1, size-1), seed)
		for x := range size {
			west, east := row[max(x-1, 0)], row[min(x+1, size-1)]
			south, north := before[x], after[x]
			top := row[x] >> 16
			bottom := min(top, min(west, east, south, north)>>16+1)
			look := terrainVoxel(row[x], east-west, north-south, int64(size), uint32(x), uint32(y), seed)
			for z := bottom; z <= top; z++ {
				if err := b.Add(uint32(x), uint32(y), uint32(z), look); err != nil {
					return nil, err
				}
			}
		}
		before, row, after = row, after, before
	}
	return b.Build(context.Background())
}

// terrainRow fills in the heights of a row, in voxels times one.
func terrainRow(heights []int64, y int, seed uint32) {
	const hills = 4 // along a side
	size := int64(len(heights))
	octaves := 1
	for n := size / hills; n > 1; n /= 2 {
		octaves++
	}
	for x := range heights {
		u, v := int64(x)*hills*one/size, int64(y)*hills*one/size
		// Mountains where a slow noise says so, rolling land elsewhere.
		relief := ease(fractal(u/2, v/2, 2, seed+100))
		f := fractal(u, v, octaves, seed)
		ridge := one - 2*abs64(f-one/2)
		ridge = ridge * ridge >> 16
		h := one/20 + f/6 + (ridge*relief>>16*relief>>16)*7/10
		heights[x] = min(h, one-1) * size / 2
	}
}

// terrainVoxel colours by height and slope: shore, meadow, wood, rock, snow.
// height, dx and dy are in voxels times one, the differences over two voxels.
func terrainVoxel(height, dx, dy, size int64, x, y, seed uint32) svo.Voxel {
	steep := max(abs64(dx), abs64(dy)) / 2 // one is 45 degrees
	level := 2 * height / size             // of the highest there can be
	grain := int64(hash3(x, y, seed)&0xfff) - 0x800
	level += grain
	look := svo.Voxel{Normal: svo.NewNormal(mgl32.Vec3{float32(-dx), float32(-dy), 2 * one})}
	switch {
	case level > one*40/100 && steep < one*3/2:
		look.Colour = svo.Colour{238, 240, 245}
	case steep > one*5/4:
		look.Colour = mixColour(svo.Colour{104, 96, 92}, svo.Colour{140, 128, 116}, (grain+0x800)<<4)
	case level > one*32/100:
		look.Colour = mixColour(svo.Colour{122, 112, 98}, svo.Colour{150, 142, 132}, (grain+0x800)<<4)
	case level > one*23/100:
		look.Colour = mixColour(svo.Colour{58, 92, 52}, svo.Colour{84, 108, 62}, (grain+0x800)<<4)
	case level > one*13/100:
		look.Colour = mixColour(svo.Colour{96, 142, 66}, svo.Colour{124, 160, 76}, (grain+0x800)<<4)
	default:
		look.Colour = mixColour(svo.Colour{206, 190, 142}, svo.Colour{222, 208, 164}, (grain+0x800)<<4)
	}
	return look
}

// mixColour goes from a to b as t goes from 0 to one.
func mixColour(a, b svo.Colour, t int64) (c svo.Colour) {
	for i := range c {
		c[i] = uint8(blend(int64(a[i]), int64(b[i]), t))
	}
	return c
}

func abs64(n int64) int64 { return max(n, -n) }
