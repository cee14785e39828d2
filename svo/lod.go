package svo

import "math"

// sum adds up what inner nodes show the mean of. Integers make it exact, so
// that it does not matter how the work was split.
type sum struct {
	red, green, blue, voxels uint64
	normal                   [3]int64 // in units of 1/normalUnit
}

// normalUnit leaves room for the sum of 2^32 unit vectors and loses nothing
// that an octahedral normal holds.
const normalUnit = 1 << 30

func (s *sum) addColour(c Colour) {
	s.red += uint64(c[0])
	s.green += uint64(c[1])
	s.blue += uint64(c[2])
	s.voxels++
}

func (s *sum) addNormal(n Normal) {
	v := n.unit()
	for i := range s.normal {
		s.normal[i] += int64(math.RoundToEven(v[i] * normalUnit))
	}
}

func (s *sum) add(t *sum) {
	s.red += t.red
	s.green += t.green
	s.blue += t.blue
	s.voxels += t.voxels
	for i := range s.normal {
		s.normal[i] += t.normal[i]
	}
}

// colour is the mean colour, rounded to the nearest.
func (s *sum) colour() Colour {
	half := s.voxels / 2
	return Colour{
		uint8((s.red + half) / s.voxels),
		uint8((s.green + half) / s.voxels),
		uint8((s.blue + half) / s.voxels),
	}
}

// meanNormal is the direction of the summed normals; 0 where they cancel out.
func (s *sum) meanNormal() Normal {
	return packNormal(float64(s.normal[0]), float64(s.normal[1]), float64(s.normal[2]))
}

// mostFrequent returns the material that occurs most often, of several the
// lowest. counts must be all zero and is so again afterwards.
func mostFrequent(materials []uint8, counts *[256]uint32) uint8 {
	for _, m := range materials {
		counts[m]++
	}
	best := materials[0]
	for _, m := range materials {
		if counts[m] > counts[best] || counts[m] == counts[best] && m < best {
			best = m
		}
	}
	for _, m := range materials {
		counts[m] = 0
	}
	return best
}
