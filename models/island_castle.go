package models

import (
	"github.com/cfef80af/eightfold/svo"
)

// buildCastle raises a castle around (x, y) on ground of height z.
func (s *island) buildCastle(x, y, z int) {
	const half = 24
	s.take(x-half-6, y-half-6, x+half+7, y+half+7)
	for v := y - half; v <= y+half; v++ {
		for u := x - half; u <= x+half; u++ {
			if s.ground[v][u] == z {
				p := grass
				if hash3(uint32(u), uint32(v), 3)&3 > 0 && abs(u-x) < 4 && v < y {
					p = cobble
				}
				s.set(u, v, z-1, p)
			}
		}
	}
	for _, side := range [4][4]int{
		{x - half, y - half, x + half + 1, y - half + 3}, {x - half, y + half - 2, x + half + 1, y + half + 1},
		{x - half, y - half, x - half + 3, y + half + 1}, {x + half - 2, y - half, x + half + 1, y + half + 1},
	} {
		s.wall(side, z-4, z+12)
	}
	for _, corner := range [4]point{{x - half, y - half}, {x + half, y - half}, {x - half, y + half}, {x + half, y + half}} {
		s.tower(corner.x+1, corner.y+1, z-8, z+19, 11, slate)
	}
	s.gate(x, y-half, z)
	s.keep(x, y+5, z)
	// Houses lean on the wall of the yard.
	s.hut(x-half+4, y-14, z, 8, 16, tile)
	s.hut(x+half-11, y-14, z, 8, 14, straw)
	s.box(x+10, y-12, z, x+13, y-9, z+2, darkStone) // the well
	s.set(x+11, y-11, z+1, seaPaints[2])
}

// wall is a curtain wall with a walk and battlements.
func (s *island) wall(b [4]int, z0, z1 int) {
	s.box(b[0], b[1], z0, b[2], b[3], z1, stone)
	s.box(b[0], b[1], z1-3, b[2], b[3], z1-2, darkStone)
	for y := b[1]; y < b[3]; y++ {
		for x := b[0]; x < b[2]; x++ {
			edge := x == b[0] || y == b[1] || x == b[2]-1 || y == b[3]-1
			if along := x + y; edge && along%4 < 2 {
				s.box(x, y, z1, x+1, y+1, z1+2, stone)
			}
			if along := x + y; (y == b[1] || x == b[0]) && along%8 == 3 {
				s.set(x, y, z1-6, dark)
				s.set(x, y, z1-7, dark)
			}
		}
	}
}

// tower is a round tower with a wider top, battlements, and a pointed roof with
// a flag.
func (s *island) tower(x, y, z0, z1, r2 int, roof paint) {
	s.column(x, y, z0, z1, r2, r2, stone)
	s.column(x, y, z1-5, z1-4, r2+1, r2+1, darkStone)
	s.column(x, y, z1-2, z1, r2+2, r2+2, stone)
	s.column(x, y, z1-3, z1-2, r2+1, r2+1, darkStone)
	for z := z1 - 9; z > z0+10; z -= 9 {
		reach := r2 / 2
		for _, d := range [4]point{{0, -reach}, {-reach, 0}, {reach, 0}, {0, reach}} {
			s.box(x+d.x, y+d.y, z, x+d.x+1, y+d.y+1, z+3, dark)
		}
	}
	height := r2 + 5
	s.column(x, y, z1, z1+1, r2+3, r2+3, roof)
	s.column(x, y, z1+1, z1+height, r2+2, 0, roof)
	s.flag(x, y, z1+height)
}

func (s *island) flag(x, y, z int) {
	s.box(x, y, z, x+1, y+1, z+8, timber)
	s.set(x, y, z+8, gold)
	for i := range 6 {
		dip := i / 3
		s.box(x+1+i, y, z+4-dip, x+2+i, y+1, z+8-dip, red)
	}
}

// gate is the gatehouse in the front wall: two towers and an arch with a
// portcullis.
func (s *island) gate(x, y, z int) {
	s.box(x-8, y-2, z-6, x+9, y+5, z+16, stone)
	for i := x - 8; i <= x+8; i++ {
		if (i-x+8)%4 < 2 {
			s.box(i, y-2, z+16, i+1, y-1, z+18, stone)
		}
	}
	for side := -1; side <= 1; side += 2 {
		s.tower(x+8*side, y-1, z-10, z+20, 8, red)
	}
	for v := y - 2; v < y+5; v++ {
		for u := -3; u <= 3; u++ {
			for h := range 10 - max(0, abs(u)-1) {
				s.clear(x+u, v, z+h)
				if v == y && (u%2 == 0 || h%3 == 2) && h > 3 {
					s.set(x+u, v, z+h, timber)
				}
			}
			s.set(x+u, v, z-1, cobble)
		}
	}
	s.box(x-1, y-3, z+11, x+2, y-2, z+15, red)
	s.set(x, y-3, z+13, gold)
	// The bridge before it.
	for v := y - 10; v < y-2; v++ {
		for u := x - 3; u <= x+3; u++ {
			for h := s.ground[v][u]; h < z-1; h++ {
				s.set(u, v, h, darkStone)
			}
			s.set(u, v, z-1, plank)
			if abs(u-x) == 3 {
				s.set(u, v, z, timber)
			}
		}
	}
}

// keep is the castle's main building with its great tower.
func (s *island) keep(x, y, z int) {
	s.box(x-11, y-8, z, x+12, y+11, z+20, stone)
	s.box(x-12, y-9, z+18, x+13, y+12, z+20, darkStone)
	s.box(x-12, y-9, z, x+13, y+12, z+2, darkStone)
	for _, h := range []int{5, 12} {
		for u := -8; u <= 8; u += 4 {
			s.box(x+u, y-8, z+h, x+u+2, y-7, z+h+4, window)
			s.box(x+u, y+10, z+h, x+u+2, y+11, z+h+4, dark)
		}
		for v := -5; v <= 8; v += 4 {
			s.box(x-11, y+v, z+h, x-10, y+v+2, z+h+4, dark)
			s.box(x+11, y+v, z+h, x+12, y+v+2, z+h+4, window)
		}
	}
	s.box(x-2, y-9, z, x+3, y-7, z+7, timber)
	s.box(x-1, y-9, z+10, x+2, y-8, z+17, red)
	// A hipped roof.
	for i := range 9 {
		s.box(x-12+i, y-9+i, z+20+i, x+13-i, y+12-i, z+21+i, slate)
	}
	s.tower(x+8, y+7, z, z+44, 12, slate)
	s.tower(x-10, y-7, z, z+27, 7, slate)
	s.tower(x-9, y+9, z, z+33, 8, slate)
}

// hut is a low house along the castle's wall.
func (s *island) hut(x, y, z, w, d int, roof paint) {
	s.box(x, y, z, x+w, y+d, z+5, cream)
	for i := range w/2 + 1 {
		s.box(x-1+i, y-1, z+5+i, x+w+1-i, y+d+1, z+6+i, roof)
	}
	s.box(x+w/2-1, y, z, x+w/2+1, y+1, z+4, timber)
}

func (s *island) buildLighthouse(x, y int) {
	z := s.level(x-8, y-8, x+9, y+9)
	s.take(x-12, y-12, x+13, y+13)
	s.column(x, y, z-1, z+2, 15, 15, darkStone)
	for i := range 5 {
		p := white
		if i%2 == 1 {
			p = red
		}
		s.column(x, y, z+2+i*7, z+9+i*7, 12-i, 11-i, p)
	}
	z += 37
	s.column(x, y, z, z+1, 12, 12, darkStone)
	for i := range 12 {
		dx, dy := [12]int{6, 5, 3, 0, -3, -5, -6, -5, -3, 0, 3, 5}[i], [12]int{0, 3, 5, 6, 5, 3, 0, -3, -5, -6, -5, -3}[i]
		s.box(x+dx, y+dy, z+1, x+dx+1, y+dy+1, z+3, white)
	}
	s.column(x, y, z+1, z+7, 6, 6, window)
	for _, d := range [4]point{{-3, 0}, {3, 0}, {0, -3}, {0, 3}} {
		s.box(x+d.x, y+d.y, z+1, x+d.x+1, y+d.y+1, z+7, dark)
	}
	s.column(x, y, z+7, z+8, 10, 10, red)
	s.column(x, y, z+8, z+13, 8, 1, red)
	s.set(x, y, z+13, gold)
	s.set(x, y, z+14, gold)
	// The keeper's door.
	base := z - 35
	s.box(x-1, y-6, base-1, x+2, y-4, base+5, timber)
}

func (s *island) buildWindmill(x, y int) {
	z := s.level(x-6, y-6, x+7, y+7)
	s.take(x-12, y-12, x+13, y+10)
	s.column(x, y, z-1, z+3, 13, 13, darkStone)
	s.column(x, y, z+3, z+20, 12, 8, white)
	s.column(x, y, z+20, z+21, 10, 10, timber)
	s.column(x, y, z+21, z+27, 9, 2, brick)
	s.box(x-1, y-7, z, x+2, y-5, z+6, timber)
	s.box(x, y-5, z+10, x+1, y-4, z+13, dark)
	// Four sails in front of the cap, turned a little.
	hub := z + 21
	s.box(x, y-8, hub, x+1, y-3, hub+1, timber)
	for i := 1; i <= 15; i++ {
		lean := i / 3
		for _, arm := range [4]point{{i, lean}, {-lean, i}, {-i, -lean}, {lean, -i}} {
			s.set(x+arm.x, y-8, hub+arm.y, timber)
			if i > 3 {
				side := point{sign(-arm.y), sign(arm.x)}
				if abs(arm.x) > abs(arm.y) {
					side.x = 0
				} else {
					side.y = 0
				}
				for k := 1; k <= 3; k++ {
					s.set(x+arm.x+k*side.x, y-8, hub+arm.y+k*side.y, cream)
				}
			}
		}
	}
}

// buildPier leads from the beach into the water.
func (s *island) buildPier(x, y int) {
	for v := y - 28; v < y+8; v++ {
		for u := x - 2; u <= x+2; u++ {
			s.set(u, v, seaLevel+2, plank)
		}
		if v%6 == 0 {
			for _, u := range [2]int{x - 3, x + 3} {
				s.box(u, v, s.ground[v][u], u+1, v+1, seaLevel+5, timber)
			}
		}
	}
	s.box(x-7, y-28, seaLevel+2, x+8, y-23, seaLevel+3, plank)
	for _, b := range [3]point{{x - 6, y - 26}, {x - 4, y - 25}, {x + 5, y - 26}} {
		s.box(b.x, b.y, seaLevel+3, b.x+2, b.y+2, seaLevel+5, shades(svo.Colour{176, 130, 82}, 2, 12))
	}
	s.take(x-4, y-30, x+5, y+9)
}
