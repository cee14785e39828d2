package models

// shapeGround sets the heights: a coast that noise makes uneven, a shallow
// shelf around it, rolling land, and hills where they are wanted.
func (s *island) shapeGround() {
	for y := range islandSide {
		for x := range islandSide {
			u, v := int64(x)*one/36, int64(y)*one/36
			coast := int(fractal(u, v, 4, 7) * 40 / one)
			inland := 74 + coast - distance(x-112, (y-116)*11/10)
			inland = max(inland, 30-distance(x-188, y-62)+coast/4)
			roll := int(fractal(u*2, v*2, 3, 31) * 7 / one)
			h := seaLevel*4 + 4 // in quarters of a voxel
			switch {
			case inland < 0:
				h = max(h-4+inland*2, 8)
			case inland < 10:
				h += inland
			default:
				h += 10 + (inland-10)*2/3 + 4*roll*min(inland-10, 10)/10
			}
			if inland > -6 {
				rough := int(fractal(u*3, v*3, 3, 57) * 24 / one)
				h = max(h, hill(x, y, castleX, castleY, 33, 66+rough/2, plateau*4, rough))
				h = max(h, hill(x, y, 168, 130, 8, 34, 30*4, rough/2))
				h = max(h, hill(x, y, 188, 62, 5, 15, 22*4, rough))
				h = max(h, hill(x, y, 130, 176, 3, 36, 44*4+roll*6, rough))
			}
			s.ground[y][x] = h / 4
		}
	}
	for y := range islandSide {
		for x := range islandSide {
			for _, n := range [4]point{{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}} {
				if inSea(n.x, n.y) {
					s.steep[y][x] = max(s.steep[y][x], s.ground[y][x]-s.ground[n.y][n.x])
				}
			}
		}
	}
}

// hill is the height, in quarters of a voxel, of a hill that is flat up to the
// inner radius and gone at the outer, with a steep flank above a gentle foot.
func hill(x, y, cx, cy, inner, outer, top, rough int) int {
	d := distance(x-cx, y-cy)
	if d <= inner {
		return top
	}
	d += rough / 4
	if d >= outer {
		return 0
	}
	base := seaLevel*4 + 8
	t := int64(outer-d) * one / int64(outer-inner)
	t = min(t, one)
	// Ledges: the slope goes down in steps.
	ledge := int64(ease(t*5%one)) + t*5/one*one
	t = (t*2 + ledge/5) / 3
	return base + (top-base)*int(t*t>>16)/one
}

// distance is the length of a vector, rounded down.
func distance(x, y int) int {
	n, r := x*x+y*y, 0
	for r*r <= n {
		r++
	}
	return r - 1
}

// inSea tells which columns the block of sea has: a square with round corners.
func inSea(x, y int) bool {
	const radius = 24
	dx := max(radius-x, x-(islandSide-1-radius), 0)
	dy := max(radius-y, y-(islandSide-1-radius), 0)
	return dx*dx+dy*dy <= radius*radius
}

// paintGround fills the columns: sand, rock, grass, and the sea above what
// lies below its level.
func (s *island) paintGround() {
	for y := range islandSide {
		for x := range islandSide {
			if !inSea(x, y) {
				continue
			}
			top := s.ground[y][x]
			for z := range top {
				s.set(x, y, z, s.strata(z, top))
			}
			s.set(x, y, top-1, s.cover(x, y, top))
			for z := top; z < seaLevel; z++ {
				s.set(x, y, z, seaPaints[min((seaLevel-1-z)*2/3+2, len(seaPaints)-1)])
			}
			if top < seaLevel {
				s.set(x, y, seaLevel-1, s.surface(x, y, seaLevel-top))
			}
		}
	}
}

func (s *island) strata(z, top int) paint {
	switch {
	case z < 3:
		return darkRock
	case z < seaLevel:
		return wetSand
	case z%7 < 2:
		return darkRock
	}
	return rock
}

// cover is what the ground shows on top.
func (s *island) cover(x, y, top int) paint {
	patch := fractal(int64(x)*one/18, int64(y)*one/18, 3, 91)
	steep := s.steep[y][x]
	grain := int(hash3(uint32(x), uint32(y), 5) & 15)
	switch {
	case top <= seaLevel:
		return wetSand
	case top <= seaLevel+2 && steep < 3:
		return sand
	case steep >= 3 || steep == 2 && top > 40:
		if grain < 3 {
			return moss
		}
		return rock
	case grain == 0 && patch > one/2:
		return flowers
	case patch > one*58/100:
		return paleGrass
	case patch < one*42/100 || top > 44:
		return darkGrass
	}
	return grass
}

// surface is the colour of the water above a depth: foam at the shore, then
// from shallow to deep, with a few crests.
func (s *island) surface(x, y, depth int) paint {
	wave := fractal(int64(x)*one/9, int64(y)*one/5, 2, 77)
	if depth == 1 && wave > one*47/100 || depth > 4 && wave > one*83/100 {
		return foam
	}
	shade := depth * 6 / 10
	if wave > one*56/100 {
		shade--
	}
	return seaPaints[max(0, min(shade, len(seaPaints)-1))]
}

// take reserves the columns of a box, with some room around it.
func (s *island) take(x0, y0, x1, y1 int) {
	for y := max(y0, 0); y < min(y1, islandSide); y++ {
		for x := max(x0, 0); x < min(x1, islandSide); x++ {
			s.taken[y*islandSide+x] = true
		}
	}
}

// free tells whether all columns of a box are free, dry, and no steeper than
// so many voxels.
func (s *island) free(x0, y0, x1, y1, steep int) bool {
	if x0 < 0 || y0 < 0 || x1 > islandSide || y1 > islandSide {
		return false
	}
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			if s.taken[y*islandSide+x] || s.ground[y][x] <= seaLevel+2 || s.steep[y][x] > steep {
				return false
			}
		}
	}
	return true
}

// level flattens the ground of a box to one height and returns it: that of its
// middle. What was higher is dug away, what was lower gets a stone footing.
func (s *island) level(x0, y0, x1, y1 int) int {
	h := s.ground[(y0+y1)/2][(x0+x1)/2]
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			for z := h; z < s.ground[y][x]; z++ {
				s.clear(x, y, z)
			}
			for z := s.ground[y][x]; z < h; z++ {
				s.set(x, y, z, darkStone)
			}
			s.ground[y][x] = h
		}
	}
	return h
}

// layPath paints a way along points onto the ground.
func (s *island) layPath(points []point) {
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		steps := 2 * max(abs(b.x-a.x), abs(b.y-a.y))
		for k := range steps + 1 {
			s.pave(a.x+(b.x-a.x)*k/steps, a.y+(b.y-a.y)*k/steps)
		}
	}
}

// pave paints a spot of 3x3 columns.
func (s *island) pave(x, y int) {
	for v := y - 1; v <= y+1; v++ {
		for u := x - 1; u <= x+1; u++ {
			if top := s.ground[v][u]; top > seaLevel {
				p := dirt
				if s.steep[v][u] > 1 {
					p = cobble
				}
				s.set(u, v, top-1, p)
			}
		}
	}
	s.take(x-2, y-2, x+3, y+3)
}

// layFields puts fields with furrows wherever they fit near the village.
func (s *island) layFields() {
	kinds := [][2]paint{{wheat, soil}, {crop, soil}, {lavender, grass}, {crop, wheat}, {wheat, straw}}
	for i, f := range [][4]int{{138, 76, 16, 14}, {142, 92, 14, 10}, {70, 56, 15, 13}, {88, 50, 14, 12}, {64, 86, 13, 10}, {146, 54, 14, 9}, {44, 96, 12, 12}, {170, 88, 12, 12}} {
		if !s.free(f[0], f[1], f[0]+f[2], f[1]+f[3], 2) {
			continue
		}
		for y := f[1]; y < f[1]+f[3]; y++ {
			for x := f[0]; x < f[0]+f[2]; x++ {
				top := s.ground[y][x]
				row := x
				if i%2 == 1 {
					row = y
				}
				edge := x == f[0] || y == f[1] || x == f[0]+f[2]-1 || y == f[1]+f[3]-1
				switch {
				case edge && (x+y)%3 == 0:
					s.set(x, y, top, timber)
				case edge:
				case row%3 != 0:
					s.set(x, y, top-1, kinds[i%5][1])
					s.set(x, y, top, kinds[i%5][0])
				default:
					s.set(x, y, top-1, kinds[i%5][1])
				}
			}
		}
		s.take(f[0]-1, f[1]-1, f[0]+f[2]+1, f[1]+f[3]+1)
	}
}
