package models

import "image/color"

// defaultPalette is what MagicaVoxel uses for a file without an RGBA chunk: a
// 6x6x6 colour cube without its black, blue running fastest, then ten shades
// each of red, green, blue and grey. Entry 0 stays empty.
func defaultPalette() []color.NRGBA {
	palette := make([]color.NRGBA, 1, 256)
	for i := range 6*6*6 - 1 {
		palette = append(palette, color.NRGBA{
			R: uint8(255 - 51*(i/36)),
			G: uint8(255 - 51*(i/6%6)),
			B: uint8(255 - 51*(i%6)),
			A: 255,
		})
	}
	for ramp := range 4 {
		for _, level := range []uint8{0xee, 0xdd, 0xbb, 0xaa, 0x88, 0x77, 0x55, 0x44, 0x22, 0x11} {
			rgb := [3]uint8{}
			for channel := range rgb {
				if ramp == channel || ramp == 3 {
					rgb[channel] = level
				}
			}
			palette = append(palette, color.NRGBA{R: rgb[0], G: rgb[1], B: rgb[2], A: 255})
		}
	}
	return palette
}
