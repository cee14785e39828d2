package models

// buildVillage puts houses along the ways between the pier and the castle.
func (s *island) buildVillage() error {
	var kinds []int
	for _, look := range []struct {
		w, d, storeys int
		wall, roof    paint
	}{
		{9, 11, 1, cream, tile}, {11, 13, 2, white, brick}, {9, 9, 1, white, straw},
		{9, 13, 2, cream, slate}, {13, 11, 1, cream, red},
	} {
		kind, err := s.add(house(look.w, look.d, look.storeys, look.wall, look.roof), "house")
		if err != nil {
			return err
		}
		kinds = append(kinds, kind)
	}
	chapel, err := s.add(chapel(), "chapel")
	if err != nil {
		return err
	}
	s.settle(chapel, 134, 76, 0)
	for i, p := range []point{
		{110, 58}, {130, 54}, {108, 68}, {98, 82}, {126, 80}, {112, 92}, {136, 88}, {102, 64}, {144, 74},
		{128, 70}, {86, 82}, {140, 100}, {78, 66}, {150, 58}, {116, 102}, {96, 94}, {160, 72}, {60, 74}, {134, 112}, {152, 112},
		{104, 52}, {92, 66}, {118, 72},
	} {
		s.settle(kinds[i%len(kinds)], p.x, p.y, int(hash3(uint32(p.x), uint32(p.y), 9)>>5)&3)
	}
	return nil
}

// settle places a building near a spot where there is room for it.
func (s *island) settle(model, x, y, quarter int) {
	size := s.models[model].Size
	reach := max(size[0], size[1])/2 + 1
	for try := range 49 {
		u, v := x+(try%7-3)*2, y+(try/7-3)*2
		if s.free(u-reach, v-reach, u+reach, v+reach, 2) {
			s.put(model, u, v, s.level(u-reach, v-reach, u+reach, v+reach), quarter)
			s.take(u-reach-1, v-reach-1, u+reach+1, v+reach+1)
			return
		}
	}
}

// house is a half-timbered house, its door at -y.
func house(w, d, storeys int, wall, roof paint) *canvas {
	c := newCanvas(w, d, 8*storeys+w)
	h := 6 * storeys
	c.box(1, 1, 0, w-1, d-1, h, wall)
	c.box(1, 1, 0, w-1, d-1, 1, darkStone)
	for z := 5; z < h; z += 6 {
		c.box(1, 1, z, w-1, d-1, z+1, timber)
	}
	for _, x := range []int{1, w - 2} {
		for _, y := range []int{1, d - 2} {
			c.box(x, y, 0, x+1, y+1, h, timber)
		}
	}
	for z := 2; z < h; z += 6 {
		for y := 3; y < d-3; y += 3 {
			c.box(1, y, z, 2, y+2, z+2, window)
			c.box(w-2, y, z, w-1, y+2, z+2, window)
		}
		for _, x := range []int{2, w - 4} {
			c.box(x, 1, z, x+2, 2, z+2, window)
			c.box(x, d-2, z, x+2, d-1, z+2, window)
		}
	}
	c.box(w/2-1, 1, 1, w/2+1, 2, 5, timber)
	for i := range w/2 + 1 {
		c.box(i, 0, h+i, w-i, d, h+i+1, roof)
		if i < w/2 {
			for _, y := range []int{0, d - 1} {
				c.box(i+1, y, h+i, w-i-1, y+1, h+i+1, wall)
			}
		}
	}
	for z := h; z < h+w/2; z++ { // gables stand back from the eaves
		for x := range w {
			for _, y := range []int{0, d - 1} {
				edge := x == z-h || x == w-1-(z-h)
				if c.has(x, y, z) && !edge {
					c.clear(x, y, z)
				}
			}
		}
	}
	c.box(2, d-4, h, 4, d-2, h+w/2+2, brick)
	return c
}

// chapel is a white nave with a steeple.
func chapel() *canvas {
	c := newCanvas(13, 19, 40)
	c.box(2, 5, 0, 11, 18, 9, white)
	c.box(2, 5, 0, 11, 18, 1, darkStone)
	for i := range 6 {
		c.box(1+i, 5, 9+i, 12-i, 19, 10+i, slate)
	}
	for y := 8; y < 17; y += 4 {
		c.box(2, y, 3, 3, y+2, 7, window)
		c.box(10, y, 3, 11, y+2, 7, window)
	}
	c.box(3, 0, 0, 10, 7, 18, white)
	c.box(3, 0, 0, 10, 7, 1, darkStone)
	c.box(3, 0, 15, 10, 7, 16, darkStone)
	c.box(5, 0, 1, 8, 1, 6, timber)
	c.box(5, 0, 10, 8, 1, 14, dark)
	c.box(3, 2, 10, 4, 5, 14, dark)
	c.box(9, 2, 10, 10, 5, 14, dark)
	for i := range 4 {
		c.box(2+i, i-1, 18+4*i, 11-i, 8-i, 22+4*i, slate)
	}
	c.box(6, 3, 34, 7, 4, 39, gold)
	c.box(5, 3, 37, 8, 4, 38, gold)
	return c
}
