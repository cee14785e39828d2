package models

// launchBoats puts boats on the water.
func (s *island) launchBoats() error {
	sail, err := s.add(sailBoat(white), "sailing boat")
	if err != nil {
		return err
	}
	redSail, err := s.add(sailBoat(red), "sailing boat")
	if err != nil {
		return err
	}
	rowing, err := s.add(rowingBoat(), "rowing boat")
	if err != nil {
		return err
	}
	s.put(sail, 52, 20, seaLevel-1, 0)
	s.put(redSail, 24, 60, seaLevel-1, 1)
	s.put(sail, 206, 120, seaLevel-1, 3)
	s.put(redSail, 160, 18, seaLevel-1, 2)
	s.put(rowing, 110, 22, seaLevel-1, 1)
	s.put(rowing, 130, 26, seaLevel-1, 3)
	return nil
}

func sailBoat(sail paint) *canvas {
	c := newCanvas(19, 7, 26)
	c.hull(19, 4)
	c.box(9, 3, 3, 10, 4, 25, timber)
	for z := 5; z < 23; z++ {
		reach := (23 - z) * 8 / 18
		c.box(10, 3, z, 11+reach, 4, z+1, sail)
		if z > 7 {
			c.box(9-reach*2/3, 3, z, 9, 4, z+1, white)
		}
	}
	return c
}

func rowingBoat() *canvas {
	c := newCanvas(11, 5, 4)
	c.hull(11, 3)
	return c
}

// hull is a boat along x, as wide as the canvas, pointed at both ends.
func (c *canvas) hull(length, height int) {
	middle := c.d / 2
	for z := range height {
		for x := range length {
			ends := min(x, length-1-x) - (height - 1 - z)
			half := min(ends, middle-max(0, 1-z))
			for y := middle - half; y <= middle+half; y++ {
				inside := z > 1 && y != middle-half && y != middle+half && ends > 1
				switch {
				case ends < 0 || inside:
				case z == height-1:
					c.set(x, y, z, white)
				default:
					c.set(x, y, z, plank)
				}
			}
		}
	}
}
