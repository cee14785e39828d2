package models

import (
	"slices"

	"github.com/cfef80af/eightfold/svo"
)

// plantTrees scatters trees: firs on high ground, leafy ones below, denser
// where a slow noise says so, and a few palms along the beach.
func (s *island) plantTrees() error {
	var firs, leafy []int
	for i := range 3 {
		k, err := s.add(fir(16+5*i, paint(shades(svo.Colour{58, 112, 74}, 4, 9))), "fir")
		if err != nil {
			return err
		}
		firs = append(firs, k)
	}
	for i, c := range []svo.Colour{{104, 158, 60}, {126, 170, 64}, {84, 140, 62}, {226, 150, 62}, {238, 168, 190}} {
		k, err := s.add(leafTree(11+i%3, shades(c, 5, 9)), "tree")
		if err != nil {
			return err
		}
		leafy = append(leafy, k)
	}
	palm, err := s.add(palm(), "palm")
	if err != nil {
		return err
	}
	// Every spot once, in an order without a pattern.
	spots := make([]point, 0, 60*60)
	for y := 4; y < islandSide-4; y += 4 {
		for x := 4; x < islandSide-4; x += 4 {
			h := hash3(uint32(x), uint32(y), 11)
			spots = append(spots, point{x + int(h&3), y + int(h>>2&3)})
		}
	}
	slices.SortFunc(spots, func(a, b point) int {
		return int(hash3(uint32(a.x), uint32(a.y), 13)>>1) - int(hash3(uint32(b.x), uint32(b.y), 13)>>1)
	})
	for _, p := range spots {
		h := hash3(uint32(p.x), uint32(p.y), 17)
		wood := fractal(int64(p.x)*one/30, int64(p.y)*one/30, 2, 23)
		top := s.ground[p.y][p.x]
		turn := int(h >> 8 & 3)
		switch {
		case top > seaLevel && top <= seaLevel+2 && h&31 == 0 && !s.taken[p.y*islandSide+p.x] && s.steep[p.y][p.x] < 2:
			s.put(palm, p.x, p.y, top, turn)
			s.take(p.x-5, p.y-5, p.x+6, p.y+6)
		case !s.free(p.x-2, p.y-2, p.x+3, p.y+3, 1):
		case wood < one*44/100 && h&15 != 0:
		case top > 26 || wood > one*62/100:
			s.put(firs[h>>4%3], p.x, p.y, top, turn)
			s.take(p.x-2, p.y-2, p.x+3, p.y+3)
		default:
			kind := h >> 4 % 16
			s.put(leafy[[16]int{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 0, 4, 2}[kind]], p.x, p.y, top, turn)
			s.take(p.x-3, p.y-3, p.x+4, p.y+4)
		}
	}
	return nil
}

func fir(height int, needles paint) *canvas {
	c := newCanvas(13, 13, height+2)
	c.box(6, 6, 0, 7, 7, height-2, timber)
	for z := 3; z < height; z++ {
		// Layers of branches, each wider below than above, shrinking to the tip.
		r2 := (height-z)*11/height + 1 - (z-3)%4
		c.disc(6, 6, z, max(r2, 1), needles)
	}
	c.set(6, 6, height, needles)
	return c
}

func leafTree(height int, leaves paint) *canvas {
	c := newCanvas(13, 13, height+6)
	c.box(6, 6, 0, 7, 7, height-2, timber)
	c.set(5, 6, 0, timber)
	c.set(6, 7, 0, timber)
	c.ball(6, 6, height-2, 10, 10, 8, leaves)
	c.ball(4, 5, height-4, 7, 7, 6, leaves)
	c.ball(8, 7, height-3, 7, 8, 6, leaves)
	c.ball(6, 6, height+1, 6, 6, 5, leaves)
	return c
}

func palm() *canvas {
	c := newCanvas(13, 13, 16)
	leaves := shades(svo.Colour{96, 164, 78}, 4, 9)
	for z := range 12 {
		c.box(4+z/5, 6, z, 6+z/5, 7, z+1, plank)
	}
	for _, d := range [8]point{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}} {
		for i := 1; i < 6-(abs(d.x)+abs(d.y))/2; i++ {
			c.set(6+d.x*i, 6+d.y*i, 13-i*i/8, leaves)
			c.set(6+d.x*i, 6+d.y*i, 12-i*i/8, leaves)
		}
	}
	c.set(6, 6, 12, leaves)
	c.set(6, 6, 13, leaves)
	c.set(5, 5, 11, plank)
	c.set(7, 6, 11, plank)
	return c
}
