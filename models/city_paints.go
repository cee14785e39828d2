package models

import (
	"github.com/cfef80af/eightfold/svo"
)

// The paints of the city.
var (
	asphalt   = shades(svo.Colour{104, 106, 112}, 4, 4)
	lanePaint = shades(svo.Colour{226, 224, 214}, 2, 4)
	paving    = shades(svo.Colour{190, 184, 174}, 4, 4)
	kerb      = shades(svo.Colour{164, 160, 154}, 2, 4)
	plaza     = shades(svo.Colour{208, 192, 168}, 4, 5)
	plazaDark = shades(svo.Colour{176, 152, 130}, 4, 5)
	lawn      = shades(svo.Colour{120, 168, 78}, 5, 6)
	lawnDark  = shades(svo.Colour{98, 148, 70}, 5, 6)
	gravel    = shades(svo.Colour{216, 200, 166}, 4, 5)
	water     = shades(svo.Colour{76, 142, 168}, 5, 4)
	quay      = shades(svo.Colour{176, 166, 152}, 4, 6)
	topsoil   = shades(svo.Colour{112, 86, 62}, 4, 7)
	clay      = shades(svo.Colour{166, 120, 84}, 4, 6)
	bedrock   = shades(svo.Colour{132, 124, 120}, 4, 7)

	limestone  = shades(svo.Colour{226, 214, 190}, 4, 4)
	sandstone  = shades(svo.Colour{214, 184, 138}, 4, 5)
	ochre      = shades(svo.Colour{226, 178, 104}, 4, 4)
	rose       = shades(svo.Colour{216, 150, 128}, 4, 4)
	sage       = shades(svo.Colour{166, 182, 148}, 4, 4)
	skyWall    = shades(svo.Colour{158, 182, 200}, 4, 4)
	ivory      = shades(svo.Colour{240, 230, 210}, 3, 3)
	redBrick   = shades(svo.Colour{172, 88, 68}, 5, 8)
	brownBrick = shades(svo.Colour{146, 102, 80}, 5, 8)
	paleBrick  = shades(svo.Colour{212, 178, 142}, 5, 6)
	mortar     = shades(svo.Colour{206, 190, 170}, 2, 4)
	concrete   = shades(svo.Colour{198, 196, 190}, 4, 4)
	darkFrame  = shades(svo.Colour{66, 72, 80}, 2, 4)
	whiteFrame = shades(svo.Colour{238, 236, 228}, 2, 3)
	oxide      = shades(svo.Colour{136, 176, 160}, 4, 5) // copper, long in the rain
	roofSlate  = shades(svo.Colour{120, 130, 148}, 4, 6)
	roofTile   = shades(svo.Colour{204, 118, 84}, 4, 6)
	roofBrown  = shades(svo.Colour{158, 116, 94}, 4, 6)
	roofFelt   = shades(svo.Colour{148, 146, 142}, 4, 5)
	steel      = shades(svo.Colour{176, 184, 190}, 3, 4)
	doorPaint  = shades(svo.Colour{122, 60, 50}, 2, 6)
	filling    = of(svo.Colour{150, 140, 130}) | hidden
	lampGlow   = paint{{255, 236, 176}}
)
