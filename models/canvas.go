package models

import (
	"context"

	"github.com/cfef80af/eightfold/svo"
)

// paint is a colour in shades: neighbouring voxels get different ones, so that
// a wall looks made of stones and a meadow of grass.
type paint []svo.Colour

// shades spreads a colour into n shades, from darker to lighter by a share of
// 1/256 a step.
func shades(c svo.Colour, n, step int) paint {
	p := make(paint, n)
	for i := range p {
		for channel, v := range c {
			p[i][channel] = uint8(min(255, int(v)*(256+(2*i-n+1)*step)/256))
		}
	}
	return p
}

// canvas is a dense grid to paint voxels into. What lies outside is dropped.
type canvas struct {
	w, d, h int // along x, y, z
	cells   []svo.Colour
	filled  []bool
}

func newCanvas(w, d, h int) *canvas {
	return &canvas{w, d, h, make([]svo.Colour, w*d*h), make([]bool, w*d*h)}
}

func (c *canvas) index(x, y, z int) (int, bool) {
	if x < 0 || y < 0 || z < 0 || x >= c.w || y >= c.d || z >= c.h {
		return 0, false
	}
	return (z*c.d+y)*c.w + x, true
}

func (c *canvas) set(x, y, z int, p paint) {
	if i, ok := c.index(x, y, z); ok {
		c.cells[i] = p[hash3(uint32(x), uint32(y), uint32(z))%uint32(len(p))]
		c.filled[i] = true
	}
}

func (c *canvas) clear(x, y, z int) {
	if i, ok := c.index(x, y, z); ok {
		c.filled[i] = false
	}
}

func (c *canvas) has(x, y, z int) bool {
	i, ok := c.index(x, y, z)
	return ok && c.filled[i]
}

// box fills x0 <= x < x1 and so on.
func (c *canvas) box(x0, y0, z0, x1, y1, z1 int, p paint) {
	for z := z0; z < z1; z++ {
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				c.set(x, y, z, p)
			}
		}
	}
}

// disc fills a circle around (x, y) on one layer; r2 is twice its radius, so
// that 2r+1 voxels across and the sizes in between are all there.
func (c *canvas) disc(x, y, z, r2 int, p paint) {
	r := r2/2 + 1
	for dy := -r; dy <= r; dy++ {
		for dx := -r; dx <= r; dx++ {
			if 4*(dx*dx+dy*dy) <= r2*r2 {
				c.set(x+dx, y+dy, z, p)
			}
		}
	}
}

// column stacks discs from z0 up to z1, exclusive, whose r2 goes from one to
// the other: a cylinder, a cone or something in between.
func (c *canvas) column(x, y, z0, z1, from, to int, p paint) {
	for z := z0; z < z1; z++ {
		c.disc(x, y, z, from+(to-from)*(z-z0)/max(z1-z0-1, 1), p)
	}
}

// ball fills an ellipsoid with a ragged surface; rx, ry and rz are twice the
// radii.
func (c *canvas) ball(x, y, z, rx, ry, rz int, p paint) {
	for dz := -rz / 2; dz <= rz/2; dz++ {
		for dy := -ry / 2; dy <= ry/2; dy++ {
			for dx := -rx / 2; dx <= rx/2; dx++ {
				sum := 1024 * (dx*dx*ry*ry*rz*rz + dy*dy*rx*rx*rz*rz + dz*dz*rx*rx*ry*ry) / (rx * rx * ry * ry * rz * rz)
				ragged := int(hash3(uint32(x+dx), uint32(y+dy), uint32(z+dz)) & 63)
				if sum <= 256+32-ragged {
					c.set(x+dx, y+dy, z+dz, p)
				}
			}
		}
	}
}

// model makes the octree of the voxels that can be seen from outside: those
// with an empty neighbour.
func (c *canvas) model(name string) (Model, error) {
	b := svo.NewBuilder(svo.AutoDepth)
	for z := range c.h {
		for y := range c.d {
			for x := range c.w {
				if !c.has(x, y, z) || c.buried(x, y, z) {
					continue
				}
				i, _ := c.index(x, y, z)
				if err := b.Add(uint32(x), uint32(y), uint32(z), svo.Voxel{Colour: c.cells[i]}); err != nil {
					return Model{}, err
				}
			}
		}
	}
	tree, err := b.Build(context.Background())
	if err != nil {
		return Model{}, err
	}
	return Model{Name: name, Size: [3]int{c.w, c.d, c.h}, Stored: tree.Voxels(), Tree: tree}, nil
}

func (c *canvas) buried(x, y, z int) bool {
	return c.has(x-1, y, z) && c.has(x+1, y, z) && c.has(x, y-1, z) && c.has(x, y+1, z) &&
		c.has(x, y, z-1) && c.has(x, y, z+1)
}
