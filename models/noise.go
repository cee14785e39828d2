package models

// one is 1 in the fixed-point numbers of the noise: whole numbers alone, so
// that every machine makes the same landscape.
const one = 1 << 16

// noise is value noise over the plane: at whole coordinates a hash of them,
// smooth in between. x and y are in units of 1/one; the result is 0 to one.
func noise(x, y int64, seed uint32) int64 {
	ix, iy := x>>16, y>>16
	fx, fy := ease(x&(one-1)), ease(y&(one-1))
	near := blend(lattice(ix, iy, seed), lattice(ix+1, iy, seed), fx)
	far := blend(lattice(ix, iy+1, seed), lattice(ix+1, iy+1, seed), fx)
	return blend(near, far, fy)
}

// fractal adds octaves of noise, each of twice the frequency and less than half
// the height of the one before: worn land. The result is 0 to one.
func fractal(x, y int64, octaves int, seed uint32) int64 {
	sum, total := int64(0), int64(0)
	weight := int64(one)
	for i := range octaves {
		sum += noise(x, y, seed+uint32(i)) * weight
		total += weight
		// An offset keeps the octaves from having their lattice points, and so
		// their flat spots, at the same places.
		x, y, weight = 2*x+one/3, 2*y+one/5, weight*29/64
	}
	return sum / total
}

// ease is 3t^2 - 2t^3 for t from 0 to one.
func ease(t int64) int64 { return t * t >> 16 * (3*one - 2*t) >> 16 }

// blend goes from a to b as t goes from 0 to one.
func blend(a, b, t int64) int64 { return a + (b-a)*t>>16 }

func lattice(x, y int64, seed uint32) int64 {
	return int64(hash3(uint32(x), uint32(y), seed) & (one - 1))
}

// hash3 mixes three numbers (the finaliser is that of MurmurHash3, Austin
// Appleby, public domain).
func hash3(x, y, z uint32) uint32 {
	h := x*0x9e3779b1 ^ y*0x85ebca77 ^ z*0xc2b2ae3d
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}
