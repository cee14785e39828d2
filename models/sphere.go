package models

import (
	"context"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/cfef80af/eightfold/svo"
)

// SphereShell is a hollow sphere of size voxels in diameter and one in
// thickness, without a hole in it, and with exact normals. The size is 1 to
// 2^svo.MaxBuiltDepth; it fails for others.
func SphereShell(size int) (*svo.Tree, error) {
	if err := checkSize(size); err != nil {
		return nil, err
	}
	b := svo.NewBuilder(svo.AutoDepth)
	// In half voxels from the centre, so that odd and even sizes are alike.
	half := func(i int) int { return 2*i + 1 - size }
	for y := range size {
		for x := range size {
			top := sphereTop(half(x), half(y), size)
			if top < 0 {
				continue
			}
			// Down to the top of the lowest neighbour the column is seen from the
			// side; where that is outside, the column is seen down to the equator.
			bottom := top
			for _, n := range [4][2]int{{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}} {
				bottom = min(bottom, max(sphereTop(half(n[0]), half(n[1]), size)+2, half(size/2)))
			}
			for z := bottom; z <= top; z += 2 {
				for _, h := range [2]int{z, -z} {
					v := sphereVoxel(half(x), half(y), h)
					if err := b.Add(uint32(x), uint32(y), uint32((h+size-1)/2), v); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	return b.Build(context.Background())
}

func checkSize(size int) error {
	if size < 1 || size > 1<<svo.MaxBuiltDepth {
		return fmt.Errorf("size %d: must be 1 to %d voxels", size, 1<<svo.MaxBuiltDepth)
	}
	return nil
}

// sphereTop is the centre of the highest voxel inside a sphere above x, y, all
// in half voxels from the centre, or below the equator where none is.
func sphereTop(x, y, size int) int {
	rest := size*size - x*x - y*y
	if rest < 0 {
		return -2
	}
	top := int(math.Sqrt(float64(rest))) // rounded alike on every machine
	return top - (top+size+1)&1          // the centres have the other parity than the size
}

// sphereVoxel is coloured like a map: the normal's axes as red, green and blue.
func sphereVoxel(x, y, z int) svo.Voxel {
	length := math.Sqrt(float64(x*x + y*y + z*z))
	channel := func(c int) uint8 { return uint8(140 + float64(90*c)/length) }
	return svo.Voxel{
		Colour: svo.Colour{channel(x), channel(y), channel(z)},
		Normal: svo.NewNormal(mgl32.Vec3{float32(x), float32(y), float32(z)}),
	}
}
