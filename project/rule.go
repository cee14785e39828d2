package project

// PixelRule tells how a node's footprint is measured when it is compared with
// the level of detail (seeds of the method: "float (not rounded) min/max
// values" against "rounded integer min/max values").
type PixelRule int

// The pixel rules.
const (
	// Float compares the extent in fractions of a pixel.
	Float PixelRule = iota
	// Rounded compares the extent in whole pixels, after rounding: fewer nodes
	// are opened.
	Rounded
)

// Method is a way to project the bounds of a node.
type Method int

// The methods of projection.
const (
	// TwoCorners projects one x and one y for each side of the screen-facing
	// cube, chosen by the faces that are seen.
	TwoCorners Method = iota
	// FourPoints projects the corners of the front and of the back face of the
	// screen-facing cube.
	FourPoints
	// EightCorners projects the eight corners of the node itself.
	EightCorners
)
