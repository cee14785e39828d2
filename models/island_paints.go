package models

import (
	"github.com/cfef80af/eightfold/svo"
)

// The paints.
var (
	seaPaints = []paint{ // by depth
		shades(svo.Colour{146, 220, 206}, 3, 4), shades(svo.Colour{104, 202, 200}, 3, 4),
		shades(svo.Colour{70, 178, 194}, 3, 4), shades(svo.Colour{50, 152, 186}, 3, 4),
		shades(svo.Colour{40, 128, 174}, 3, 4), shades(svo.Colour{34, 108, 160}, 3, 4),
		shades(svo.Colour{30, 92, 146}, 3, 4), shades(svo.Colour{28, 80, 132}, 3, 4),
	}
	foam      = shades(svo.Colour{232, 246, 244}, 2, 4)
	sand      = shades(svo.Colour{234, 214, 162}, 4, 4)
	wetSand   = shades(svo.Colour{208, 186, 134}, 3, 5)
	grass     = shades(svo.Colour{118, 174, 72}, 4, 6)
	darkGrass = shades(svo.Colour{92, 150, 66}, 4, 6)
	paleGrass = shades(svo.Colour{152, 190, 84}, 4, 6)
	flowers   = paint{{250, 236, 120}, {246, 250, 250}, {236, 120, 150}, {150, 120, 220}, {246, 170, 80}}
	rock      = shades(svo.Colour{142, 134, 128}, 5, 8)
	darkRock  = shades(svo.Colour{108, 100, 100}, 4, 8)
	moss      = shades(svo.Colour{116, 138, 88}, 3, 8)
	dirt      = shades(svo.Colour{204, 170, 122}, 4, 6)
	cobble    = shades(svo.Colour{178, 166, 150}, 4, 9)
	stone     = shades(svo.Colour{198, 190, 176}, 5, 6)
	darkStone = shades(svo.Colour{156, 148, 142}, 4, 7)
	slate     = shades(svo.Colour{72, 96, 140}, 4, 9)
	white     = shades(svo.Colour{244, 240, 230}, 3, 3)
	cream     = shades(svo.Colour{240, 224, 190}, 3, 4)
	timber    = shades(svo.Colour{108, 74, 50}, 3, 8)
	plank     = shades(svo.Colour{160, 116, 76}, 4, 8)
	red       = shades(svo.Colour{206, 64, 52}, 3, 6)
	tile      = shades(svo.Colour{208, 100, 62}, 4, 8)
	brick     = shades(svo.Colour{178, 76, 62}, 4, 8)
	straw     = shades(svo.Colour{222, 186, 104}, 4, 7)
	window    = paint{{255, 218, 120}, {255, 206, 100}}
	dark      = paint{{52, 44, 48}}
	gold      = paint{{250, 204, 72}}
	wheat     = shades(svo.Colour{230, 196, 92}, 3, 7)
	crop      = shades(svo.Colour{134, 168, 64}, 3, 7)
	soil      = shades(svo.Colour{138, 98, 70}, 3, 8)
	lavender  = shades(svo.Colour{160, 128, 200}, 3, 8)
)
