package svo

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// Normal is a unit vector in octahedral form: 16 bits each for the two
// coordinates of the folded octahedron (Cigolle et al., A Survey of Efficient
// Representations for Independent Unit Vectors, JCGT 3(2), 2014). The error is
// below 0.005 degrees. Zero means "no normal".
type Normal uint32

// NewNormal packs v, which need not be of unit length; the zero vector and
// vectors that are not finite give 0, "no normal".
func NewNormal(v mgl32.Vec3) Normal {
	sum := abs(v[0]) + abs(v[1]) + abs(v[2])
	if !(sum > 0) || math.IsInf(float64(sum), 0) {
		return 0
	}
	x, y := v[0]/sum, v[1]/sum
	if v[2] < 0 {
		x, y = (1-abs(y))*sign(x), (1-abs(x))*sign(y)
	}
	return Normal(quantise(x))<<16 | Normal(quantise(y))
}

// Vec3 is the unit vector, or the zero vector for "no normal".
func (n Normal) Vec3() mgl32.Vec3 {
	if n == 0 {
		return mgl32.Vec3{}
	}
	x := float32(int32(n>>16)-32768) / 32767
	y := float32(int32(n&0xffff)-32768) / 32767
	z := 1 - abs(x) - abs(y)
	if z < 0 {
		x, y = (1-abs(y))*sign(x), (1-abs(x))*sign(y)
	}
	return mgl32.Vec3{x, y, z}.Normalize()
}

// quantise maps -1..1 to 1..65535, so that 0 stays free for "no normal".
func quantise(f float32) uint16 {
	return uint16(int32(math.RoundToEven(float64(f)*32767)) + 32768)
}

func abs(f float32) float32 {
	return math.Float32frombits(math.Float32bits(f) &^ (1 << 31))
}

func sign(f float32) float32 {
	if f < 0 {
		return -1
	}
	return 1
}
