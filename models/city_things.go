package models

import (
	"github.com/cfef80af/eightfold/svo"
)

// crown is the foliage of a city tree: clumps of leaves all over an ellipsoid,
// lighter above than below.
func (c *canvas) crown(x, y, z, r, h int, leaves svo.Colour, seed uint32) {
	const shadesOfGreen = 6
	var by [shadesOfGreen]paint
	for i := range by {
		low := mixColour(leaves, svo.Colour{36, 66, 48}, one*2/5)
		high := mixColour(leaves, svo.Colour{244, 238, 170}, one/4)
		by[i] = shades(mixColour(low, high, int64(i)*one/(shadesOfGreen-1)), 5, 7)
	}
	clump := r * 9 / 10
	for i := range uint32(60) {
		k := hash3(i, seed, 51)
		dx, dy, dz := int(k&255)-128, int(k>>8&255)-128, int(k>>16&255)-128
		if d2 := dx*dx + dy*dy + dz*dz; d2 > 128*128 || d2 < 40*40 {
			continue
		}
		size := clump * (6 + int(k>>24&7)) / 10
		above := min(max((dz+128)*shadesOfGreen/256, 0), shadesOfGreen-1)
		c.ball(x+dx*(r-size/2)/128, y+dy*(r-size/2)/128, z+dz*(h/2-size/3)/128, size, size, size*3/4, by[above])
	}
}

func broadleaf(name string, height, r int, leaves svo.Colour, seed uint32) func() (Model, error) {
	return func() (Model, error) {
		w := 2*r + 12
		c := newCanvas(w, w, height+4)
		c.column(w/2, w/2, 0, height*2/3, 7, 5, timber)
		c.column(w/2, w/2, 0, 4, 11, 8, timber)
		c.crown(w/2, w/2, height*5/8, r, height*3/4, leaves, seed)
		return c.model(name)
	}
}

func poplar() (Model, error) {
	c := newCanvas(52, 52, 250)
	c.column(26, 26, 0, 60, 8, 6, timber)
	leaves := svo.Colour{96, 146, 74}
	for i := range 9 {
		r := [9]int{24, 34, 40, 44, 44, 40, 34, 26, 16}[i]
		c.ball(26+i%3-1, 26+i%2, 48+i*21, r, r, 44, shades(mixColour(leaves, svo.Colour{170, 196, 100}, int64(i)*one/20), 5, 9))
	}
	return c.model("poplar")
}

// wheels are two pairs under a car along x.
func (c *canvas) wheels(front, rear, r int) {
	for _, x := range []int{front, rear} {
		for dz := -r; dz <= r; dz++ {
			for dx := -r; dx <= r; dx++ {
				if d := dx*dx + dz*dz; d <= r*r {
					p := dark
					if d <= r*r/4 {
						p = steel
					}
					c.box(x+dx, 0, r+dz, x+dx+1, 4, r+dz+1, p)
					c.box(x+dx, c.d-4, r+dz, x+dx+1, c.d, r+dz+1, p)
				}
			}
		}
	}
}

// car drives towards x.
func car(body paint, taxi bool) func() (Model, error) {
	return func() (Model, error) {
		c := newCanvas(92, 38, 36)
		glass := shades(svo.Colour{76, 100, 116}, 3, 6)
		for z := 5; z < 18; z++ {
			nose := max(0, z-14)
			c.box(nose, 1, z, 92-nose*2, 37, z+1, body)
		}
		for z := 18; z < 31; z++ {
			lean := z - 18
			p := glass
			if z >= 29 {
				p = body
			}
			c.box(8+lean, 3+lean/5, z, 70-lean*3/2, 35-lean/5, z+1, p)
			for _, post := range []int{8 + lean, 38, 68 - lean*3/2} {
				c.box(post, 3+lean/5, z, post+3, 35-lean/5, z+1, body)
			}
		}
		c.box(0, 2, 7, 1, 36, 10, steel)
		c.box(91, 2, 7, 92, 36, 10, steel)
		for _, y := range []int{3, 29} {
			c.box(91, y, 11, 92, y+6, 14, lampGlow)
			c.box(0, y, 12, 1, y+6, 15, red)
		}
		if taxi {
			c.box(38, 14, 31, 44, 24, 35, lampGlow)
			c.box(4, 1, 11, 86, 2, 13, darkFrame)
			c.box(4, 36, 11, 86, 37, 13, darkFrame)
		}
		c.wheels(17, 72, 7)
		return c.model("car")
	}
}

func bus() (Model, error) {
	c := newCanvas(240, 54, 66)
	body, roof := shades(svo.Colour{198, 62, 54}, 3, 4), whiteFrame
	glass := shades(svo.Colour{76, 100, 116}, 3, 6)
	c.box(0, 1, 6, 240, 53, 60, body)
	c.box(2, 2, 60, 238, 52, 62, roof)
	c.box(0, 0, 6, 240, 54, 12, darkFrame)
	for x := 6; x < 232; x += 26 {
		for _, y := range []int{1, 52} {
			c.box(x, y, 28, x+23, y+1, 52, glass)
		}
	}
	for _, x := range []int{60, 150} {
		c.box(x, 1, 8, x+24, 2, 54, glass)
		c.box(x+11, 1, 8, x+13, 2, 54, darkFrame)
	}
	c.box(239, 4, 24, 240, 50, 54, glass)
	c.box(0, 6, 32, 1, 48, 54, glass)
	c.box(239, 8, 55, 240, 46, 59, lampGlow)
	for _, y := range []int{4, 44} {
		c.box(239, y, 13, 240, y+6, 17, lampGlow)
		c.box(0, y, 13, 1, y+6, 18, red)
	}
	c.wheels(46, 190, 10)
	return c.model("bus")
}

func lamp() (Model, error) {
	c := newCanvas(36, 12, 124)
	c.column(5, 6, 0, 8, 8, 6, darkFrame)
	c.column(5, 6, 8, 118, 4, 3, darkFrame)
	for i := range 20 {
		c.box(5+i, 5, 114+i*6/20, 7+i, 7, 117+i*6/20, darkFrame)
	}
	c.box(18, 3, 117, 36, 9, 120, darkFrame)
	c.box(20, 4, 116, 34, 8, 117, lampGlow)
	return c.model("lamp")
}

func walkerFigure(coat, legs, hair paint) func() (Model, error) {
	return func() (Model, error) {
		c := newCanvas(12, 16, 38)
		skin := shades(svo.Colour{222, 170, 138}, 2, 6)
		c.box(6, 4, 0, 9, 7, 16, legs) // one leg before the other
		c.box(3, 9, 0, 6, 12, 16, legs)
		c.box(6, 4, 0, 11, 7, 2, dark)
		c.box(3, 9, 0, 8, 12, 2, dark)
		c.box(3, 3, 15, 9, 13, 29, coat)
		c.box(4, 1, 17, 8, 3, 28, coat)
		c.box(4, 13, 17, 8, 15, 28, coat)
		c.box(5, 1, 15, 8, 3, 17, skin)
		c.box(5, 13, 15, 8, 15, 17, skin)
		c.box(4, 5, 29, 9, 11, 36, skin)
		c.box(3, 5, 32, 5, 11, 37, hair)
		c.box(3, 5, 35, 9, 11, 37, hair)
		return c.model("walker")
	}
}

func bench() (Model, error) {
	c := newCanvas(14, 40, 20)
	for _, y := range []int{4, 34} {
		c.box(2, y, 0, 4, y+2, 20, darkFrame)
		c.box(10, y, 0, 12, y+2, 10, darkFrame)
	}
	for x := 2; x < 12; x += 3 {
		c.box(x, 0, 9, x+2, 40, 10, plank)
	}
	for z := 12; z < 20; z += 3 {
		c.box(1, 0, z, 2, 40, z+2, plank)
	}
	return c.model("bench")
}

func fountain() (Model, error) {
	c := newCanvas(150, 150, 76)
	spray := shades(svo.Colour{206, 230, 238}, 3, 5)
	c.column(75, 75, 0, 12, 148, 148, limestone)
	c.column(75, 75, 9, 10, 136, 136, water)
	for z := 10; z < 12; z++ { // the basin is open
		for y := range 150 {
			for x := range 150 {
				if dx, dy := x-75, y-75; dx*dx+dy*dy <= 68*68 {
					c.clear(x, y, z)
				}
			}
		}
	}
	c.column(75, 75, 9, 34, 16, 10, limestone)
	c.column(75, 75, 34, 40, 20, 60, limestone)
	c.column(75, 75, 40, 41, 54, 54, water)
	c.column(75, 75, 40, 52, 8, 6, limestone)
	for a := range 220 { // drops on their way down
		h := hash3(uint32(a), 3, 71)
		dx, dy := int(h&63)-32, int(h>>6&63)-32
		if r2 := dx*dx + dy*dy; r2 < 32*32 {
			c.box(75+dx, 75+dy, 72-r2/14+int(h>>12&1), 76+dx, 76+dy, 76-r2/14, spray)
		}
	}
	c.column(75, 75, 52, 72, 4, 3, spray)
	return c.model("fountain")
}
