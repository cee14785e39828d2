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
	return packNormal(float64(v[0]), float64(v[1]), float64(v[2]))
}

// Vec3 is the unit vector, or the zero vector for "no normal".
func (n Normal) Vec3() mgl32.Vec3 {
	v := n.unit()
	return mgl32.Vec3{float32(v[0]), float32(v[1]), float32(v[2])}
}

// packNormal is NewNormal in double precision, in which the three components
// of any single-precision vector add up without overflow.
func packNormal(x, y, z float64) Normal {
	sum := math.Abs(x) + math.Abs(y) + math.Abs(z)
	if !(sum > 0) || math.IsInf(sum, 0) {
		return 0
	}
	x, y = x/sum, y/sum
	if z < 0 {
		x, y = fold(x, y)
	}
	return Normal(quantise(x))<<16 | Normal(quantise(y))
}

// unit is Vec3 in double precision. Products are rounded one by one, so that
// every processor gives the same.
func (n Normal) unit() [3]float64 {
	if n == 0 {
		return [3]float64{}
	}
	x, y, z := n.Octahedron()
	length := math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z))
	return [3]float64{x / length, y / length, z / length}
}

// Octahedron is the point of the octahedron |x| + |y| + |z| = 1 that the normal
// leads through: its direction without the cost of unit length. n must not be 0.
func (n Normal) Octahedron() (x, y, z float64) {
	x = float64(int32(n>>16)-32768) / 32767
	y = float64(int32(n&0xffff)-32768) / 32767
	z = 1 - math.Abs(x) - math.Abs(y)
	if z < 0 {
		x, y = fold(x, y)
	}
	return x, y, z
}

// fold swaps the octahedron's lower half between the inside and the outside of
// the square that the upper half fills.
func fold(x, y float64) (float64, float64) {
	return math.Copysign(1-math.Abs(y), x), math.Copysign(1-math.Abs(x), y)
}

// quantise maps -1..1 to 1..65535, so that 0 stays free for "no normal".
func quantise(f float64) uint16 {
	return uint16(int32(math.RoundToEven(f*32767)) + 32768)
}
