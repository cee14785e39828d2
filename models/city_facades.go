package models

import (
	"github.com/cfef80af/eightfold/svo"
)

// texture is the surface of a wall at a place.
type texture func(u, z int) cell

// plaster has shades in patches of four voxels.
func plaster(p paint) texture { return func(u, z int) cell { return p.at(u>>2, z>>2) } }

// bricks are laid in courses, every other one shifted by half a brick.
func bricks(p, joint paint) texture {
	return func(u, z int) cell {
		course := z >> 2
		along := u + course&1*4
		if z&3 == 3 || along&7 == 7 {
			return joint.at(u, z)
		}
		return p.at(along>>3, course)
	}
}

// ashlar is cut stone, four bricks large.
func ashlar(p paint) texture {
	return func(u, z int) cell {
		course := z >> 3
		along := u + course&1*8
		c := p.at(along>>4, course+5)
		if z&7 == 7 || along&15 == 15 {
			return shade(c, 222)
		}
		return c
	}
}

// shade makes a cell darker, to share/256.
func shade(c cell, share int) cell {
	rgb := c.colour()
	for i, v := range rgb {
		rgb[i] = uint8(min(255, int(v)*share/256))
	}
	return of(rgb)
}

// pane is what a window pane looks like behind its glass: open shows a dark room
// and the sky on the glass, others a blind, curtains, or a lit room.
type pane int

const (
	open pane = iota
	blind
	curtains
	lit
)

// panes are the usual mix upstairs, and displays that on the ground.
var (
	panes    = []pane{open, curtains, open, curtains, open, open, lit, curtains}
	displays = []pane{open, lit, open}
)

// glass is the colour of a pane at a place, from 0 to w and 0 to h.
func (p pane) glass(u, z, w, h int) cell {
	sky := mixColour(svo.Colour{78, 106, 126}, svo.Colour{150, 184, 200}, int64(z&^7*one/h))
	if (u>>3+z>>3)%3 == 1 { // the sky on the glass
		sky = mixColour(sky, svo.Colour{214, 230, 236}, one/5)
	}
	switch edge := min(u, w-1-u); {
	case p == blind && z > h*45/100:
		return of(svo.Colour{232, uint8(222 - z&2*5), 198})
	case p == curtains && edge < w/5 && z < h:
		return of(svo.Colour{uint8(236 - u&2*6), 226, 208})
	case p == lit:
		return of(mixColour(svo.Colour{252, 206, 120}, svo.Colour{255, 228, 164}, int64(z&^7*one/h)))
	}
	return of(sky)
}

// opening is a hole in a wall with a window in it.
type opening struct {
	u0, u1, z0, z1 int
	arch           bool // round on top
	sashes, rows   int
	frame          paint
}

func (o opening) holds(u, z int) bool {
	if u < o.u0 || u >= o.u1 || z < o.z0 || z >= o.z1 {
		return false
	}
	r := (o.u1 - o.u0) / 2
	du, dz := 2*(u-o.u0)+1-(o.u1-o.u0), z-(o.z1-r)
	return !o.arch || dz <= 0 || du*du+4*dz*dz <= 4*r*r
}

// window is the frame or the glass at a place within the opening.
func (o opening) window(u, z int, p pane) cell {
	w, h := o.u1-o.u0, o.z1-o.z0
	x, y := u-o.u0, z-o.z0
	frame := !o.holds(u-2, z) || !o.holds(u+2, z) || !o.holds(u, z-2) || !o.holds(u, z+2)
	for i := 1; i < o.sashes; i++ {
		frame = frame || abs(x-w*i/o.sashes) < 2
	}
	for i := 1; i < o.rows; i++ {
		frame = frame || abs(y-h*i/o.rows-h/8) < 1
	}
	if frame {
		return o.frame.at(0, 0)
	}
	return p.glass(x&^1, y, w, h)
}

// masonry is a wall with a window a bay, with a sill, a surround and a band
// between storeys.
type masonry struct {
	opening
	wall     texture
	trim     paint
	surround int // its width, 0 for none
	pediment bool
}

// The planes of walls. What stands out, the wall and the glass all lie within
// the same eight voxels, and so in the same nodes: from afar a wall has one mean
// colour, and what stands out neither hides the rest nor flickers.
const (
	trimPlane  = 8
	wallPlane  = 12
	glassPlane = 15
	wallDepth  = 16
)

func (m masonry) facade(p pane) facade {
	return func(u, z, d int) cell {
		if m.holds(u, z) {
			if d < glassPlane {
				return air
			}
			return m.window(u, z, p)
		}
		plane, c := wallPlane, m.wall
		trimmed := func(out int) { plane, c = wallPlane-out, plaster(m.trim) }
		near := opening{u0: m.u0 - m.surround, u1: m.u1 + m.surround, z0: m.z0, z1: m.z1 + m.surround, arch: m.arch}
		switch {
		case z >= m.z0-4 && z < m.z0 && u >= m.u0-4 && u < m.u1+4:
			trimmed(4)
		case z < 4:
			trimmed(4)
		case m.pediment && z >= m.z1+4 && z < m.z1+8 && u >= m.u0-4 && u < m.u1+4:
			trimmed(4)
		case m.surround > 0 && near.holds(u, z):
			trimmed(2)
		}
		if d < plane {
			return air
		}
		return c(u, z)
	}
}

// facades are variants of a facade with these panes.
func facades(mix []pane, look func(p pane) facade) (all []facade) {
	for _, p := range mix {
		all = append(all, look(p))
	}
	return all
}

// shopFront is a ground floor: a large window with a door beside it, an awning
// and a sign.
func shopFront(wall texture, awning, sign paint, frame paint) func(pane) facade {
	front := opening{u0: 8, u1: 40, z0: 8, z1: 40, sashes: 2, rows: 1, frame: frame}
	door := opening{u0: 44, u1: 60, z0: 0, z1: 40, sashes: 1, rows: 2, frame: frame}
	return func(p pane) facade {
		return func(u, z, d int) cell {
			if slope := 40 + d/2; d < wallPlane && z >= slope && z < slope+2 && u >= 4 && u < 60 {
				if u>>3&1 == 0 {
					return awning.at(u>>3, 1)
				}
				return whiteFrame.at(u>>3, 1)
			}
			for _, o := range []opening{front, door} {
				if o.holds(u, z) {
					if d < glassPlane {
						return air
					}
					return o.window(u, z, p)
				}
			}
			switch {
			case d < trimPlane:
				return air
			case z >= 48 && z < 56 && u >= 4 && u < 60:
				return sign.at(u>>2, z>>2)
			case d < wallPlane && (z < 4 || z >= 60):
				return kerb.at(u, z)
			case d < wallPlane:
				return air
			}
			return wall(u, z)
		}
	}
}

// entrance is a ground floor of offices: tall glass between stone piers.
func entrance(wall texture, frame paint) func(pane) facade {
	o := opening{u0: 8, u1: 56, z0: 4, z1: 56, sashes: 3, rows: 2, frame: frame}
	return masonry{opening: o, wall: wall, trim: kerb}.facade
}

// curtain is a wall of glass between slender posts, with a band that hides the
// floor.
type curtain struct {
	low, high svo.Colour // the glass, from its foot to its top
	band      paint
	post      paint
	apart     int // from post to post
	sill      int // height of the band
}

func (c curtain) facade(tint int) facade {
	return func(u, z, d int) cell {
		post := u%c.apart < 2
		switch {
		case post && d >= 9:
			return c.post.at(0, z>>3)
		case d < 12 && !(z < 2 && d >= 10):
			return air
		case z < c.sill:
			return c.band.at(u>>3, z>>2)
		case z < c.sill+2 || z == bay-2:
			return c.post.at(u, z)
		}
		glass := mixColour(c.low, c.high, int64((z&^7)*one/bay))
		own := hash3(uint32(u/c.apart), uint32(tint), 41)
		if own&15 == 0 {
			return of(mixColour(glass, svo.Colour{255, 226, 160}, one*2/3)) // somebody works late
		}
		return shade(of(glass), 236+int(own>>8&3)*12)
	}
}

// tints are the variants of a curtain wall.
func (c curtain) tints() (all []facade) {
	for tint := range 4 {
		all = append(all, c.facade(tint))
	}
	return all
}

// ribbon is a facade of long windows between long parapets.
func ribbon(wall texture, frame paint) func(pane) facade {
	return func(p pane) facade {
		return func(u, z, d int) cell {
			if z >= 24 && z < 56 {
				if d < glassPlane {
					return air
				}
				if u&31 < 2 || z < 26 || z >= 54 {
					return frame.at(0, 0)
				}
				return p.glass(u&31, z-24, 32, 32)
			}
			if d < trimPlane {
				return air
			}
			return wall(u, z)
		}
	}
}

// balconies are loggias: a door of glass, set back behind a railing.
func balconies(wall texture, railing paint) func(pane) facade {
	door := opening{u0: 8, u1: 56, z0: 4, z1: 52, sashes: 3, rows: 1, frame: whiteFrame}
	return func(p pane) facade {
		return func(u, z, d int) cell {
			switch inside := u >= 4 && u < 60 && z >= 4 && z < 60; {
			case inside && d >= 28 && door.holds(u, z):
				return door.window(u, z, p)
			case inside && d >= 28:
				return wall(u, z)
			case inside && d >= trimPlane && d < 10 && z < 24 && (z >= 22 || u&3 == 0):
				return railing.at(u, z)
			case inside:
				return air
			case z < 4 && d >= trimPlane: // the floor of the balcony
				return concrete.at(u, z)
			case d < trimPlane:
				return air
			}
			return wall(u, z)
		}
	}
}

const balconyDepth = 32

// parapet is the edge of a flat roof: a cornice, and a low wall with a coping.
func parapet(wall texture, trim paint, height int) facade {
	return func(u, z, d int) cell {
		switch {
		case d < trimPlane:
			return air
		case z < 6:
			return trim.at(u>>2, z>>2)
		case z >= height && z < height+2 && d >= trimPlane+2:
			return trim.at(u>>2, 3)
		case z < height && d >= wallPlane:
			return wall(u, z)
		}
		return air
	}
}

// roofFloor is how high the floor of a flat roof lies in its bay.
const roofFloor = 4

// flatRoof is the core of a flat roof.
func flatRoof() core { return core{roofFloor, roofFelt.at(3, 3)} }

// mansard is a steep roof with a dormer window a bay.
func mansard(roof paint, frame paint) func(pane) facade {
	dormer := opening{u0: 20, u1: 44, z0: 8, z1: 40, sashes: 2, rows: 2, frame: frame}
	house := opening{u0: 16, u1: 48, z0: 4, z1: 44}
	return func(p pane) facade {
		return func(u, z, d int) cell {
			plane := trimPlane + z/2
			switch {
			case z < 4 && d >= 6:
				return ivory.at(u>>2, 0)
			case z >= mansardTop:
				return air
			case dormer.holds(u, z) && d >= trimPlane+4:
				return dormer.window(u, z, p)
			case dormer.holds(u, z) && d < trimPlane+4:
				return air
			case house.holds(u, z) && d >= trimPlane:
				return ivory.at(u, z)
			case d < plane:
				return air
			}
			return roof.at(u>>2+z>>2&1*2, z>>2)
		}
	}
}

const mansardTop, mansardDepth = 48, 32

// colonnade is a row of columns before a wall, a bay each, two storeys of which
// the lower ones carry no beam.
func colonnade(stone texture, beam bool) facade {
	door := opening{u0: 18, u1: 46, z0: 0, z1: 52, arch: beam, sashes: 2, rows: 2, frame: darkFrame}
	return func(u, z, d int) cell {
		du, dd := 2*u+1-bay, 2*d+1-26
		r := 20
		if !beam && z < 8 {
			r = 26
		}
		if beam && z >= 42 && z < 48 {
			r = 26
		}
		flutes := (u+d)%3 == 0
		switch {
		case beam && z >= 48 && d >= 2+(64-z)/6:
			return stone(u, z)
		case beam && z >= 48:
			return air
		case du*du+dd*dd <= r*r:
			if flutes && r == 20 {
				return shade(stone(u, z), 228)
			}
			return stone(u, z)
		case d < 40:
			return air
		case door.holds(u, z):
			return door.window(u, z, open)
		}
		return stone(u, z)
	}
}

const colonnadeDepth = 44
