package render

import (
	"fmt"
	"image"
	"image/color"
	"math"
)

// Range is a span of values, Min to Max. The zero Range asks for the one that
// suits the frame.
type Range struct{ Min, Max float64 }

// Picture makes a plane of the frame visible. across says which values it
// spans; the zero Range takes that from the frame. Two pictures can be compared
// where both span the same.
//
//   - PlaneDepth: 16 bits grey. White at across.Min (the nearest depth seen),
//     one tenth of that at across.Max (the farthest), linear between and cut off
//     beyond; black where nothing is seen.
//   - PlaneNormal: red, green and blue are x, y and z of the normal, -1 to 1 as 0
//     to 255; transparent where nothing is seen.
//   - PlaneLevel and PlaneVisits: heatmaps of how deep the traversal went for a
//     pixel and how many nodes it tested on it. The first Height rows are the
//     picture, a legend lies below them. The frame's own Range is that of the
//     levels seen, and 0 to a round number that all but half a percent of the
//     visited pixels don't exceed.
//   - PlaneOrder: a heatmap like these of the order in which the pixels of each
//     tile were taken.
//   - PlaneCoverage: 8 bits grey, white where a pixel is taken.
//
// It fails where the frame doesn't have the plane, because Options.Planes didn't
// ask for it, for the planes that have no picture, and for a Range that ends
// before it begins or is not finite.
func (f *Frame) Picture(plane Planes, across Range) (image.Image, error) {
	if !(across.Min <= across.Max) || math.IsInf(across.Max-across.Min, 0) {
		return nil, fmt.Errorf("range %g to %g: must be two numbers, the lower one first", across.Min, across.Max)
	}
	missing := func(name string) error {
		return fmt.Errorf("the frame has no %s plane: ask for it in Options.Planes", name)
	}
	switch plane {
	case PlaneDepth:
		if f.Depth == nil {
			return nil, missing("depth")
		}
		return f.depthPicture(across), nil
	case PlaneNormal:
		if f.Normal == nil {
			return nil, missing("normal")
		}
		return f.normalPicture(), nil
	case PlaneLevel:
		if f.Level == nil {
			return nil, missing("level")
		}
		return f.levelPicture(across), nil
	case PlaneVisits:
		if f.Visits == nil {
			return nil, missing("visits")
		}
		return f.visitsPicture(across), nil
	case PlaneOrder:
		if f.Order == nil {
			return nil, missing("order")
		}
		return f.orderPicture(across), nil
	case PlaneCoverage:
		if f.Coverage == nil {
			return nil, missing("coverage")
		}
		picture := image.NewGray(image.Rect(0, 0, f.Width, f.Height))
		copy(picture.Pix, f.Coverage)
		return picture, nil
	}
	return nil, fmt.Errorf("plane %b has no picture", plane)
}

// DepthRange returns the nearest and the farthest depth seen, the zero Range
// where nothing is or the frame has no depth plane.
func (f *Frame) DepthRange() Range {
	seen := Range{math.Inf(1), math.Inf(-1)}
	for _, d := range f.Depth {
		if depth := float64(d); !math.IsInf(depth, 1) {
			seen.Min, seen.Max = math.Min(seen.Min, depth), math.Max(seen.Max, depth)
		}
	}
	if seen.Min > seen.Max {
		return Range{}
	}
	return seen
}

func (f *Frame) depthPicture(across Range) image.Image {
	if across == (Range{}) {
		across = f.DepthRange()
	}
	picture := image.NewGray16(image.Rect(0, 0, f.Width, f.Height))
	for i, d := range f.Depth {
		if math.IsInf(float64(d), 1) {
			continue
		}
		grey := math.MaxUint16 * (1 - 0.9*across.share(float64(d)))
		picture.SetGray16(i%f.Width, i/f.Width, color.Gray16{Y: uint16(math.Round(grey))})
	}
	return picture
}

func (f *Frame) normalPicture() image.Image {
	picture := image.NewNRGBA(image.Rect(0, 0, f.Width, f.Height))
	for i, n := range f.Normal {
		if n[0] == 0 && n[1] == 0 && n[2] == 0 {
			continue
		}
		for axis, v := range n {
			picture.Pix[4*i+axis] = uint8(math.Round(float64(v)*127.5 + 127.5))
		}
		picture.Pix[4*i+3] = 255
	}
	return picture
}

func (f *Frame) levelPicture(across Range) image.Image {
	usual, seen := f.levels()
	if across == (Range{}) {
		across = usual
	}
	return f.heatmap("level of the node drawn", across, seen, func(i int) (float64, bool) {
		return float64(f.Level[i]), f.Level[i] != NoLevel
	})
}

func (f *Frame) visitsPicture(across Range) image.Image {
	usual, seen := f.visits()
	if across == (Range{}) {
		across = usual
	}
	return f.heatmap("nodes tested on the pixel", across, seen, func(i int) (float64, bool) {
		return float64(f.Visits[i]), f.Visits[i] != 0
	})
}

// Across returns the range that Picture takes for a plane where it is given
// none, and the range of what was seen, which may be greater. Both are zero for
// planes that are no heatmaps.
func (f *Frame) Across(plane Planes) (across, seen Range) {
	switch plane {
	case PlaneDepth:
		return f.DepthRange(), f.DepthRange()
	case PlaneLevel:
		return f.levels()
	case PlaneVisits:
		return f.visits()
	}
	return Range{}, Range{}
}

func (f *Frame) levels() (across, seen Range) {
	seen = Range{math.Inf(1), math.Inf(-1)}
	for _, level := range f.Level {
		if level != NoLevel {
			seen.Min, seen.Max = math.Min(seen.Min, float64(level)), math.Max(seen.Max, float64(level))
		}
	}
	if seen.Min > seen.Max {
		seen = Range{}
	}
	return seen, seen
}

func (f *Frame) visits() (across, seen Range) {
	pixels := map[uint16]int{}
	for _, visits := range f.Visits {
		seen.Max = math.Max(seen.Max, float64(visits))
		pixels[visits]++
	}
	// The few pixels that stand out would leave the rest of the picture dark.
	few := (len(f.Visits) - pixels[0]) / 200
	usual := uint16(seen.Max)
	for ; usual > 0 && few >= pixels[usual]; usual-- {
		few -= pixels[usual]
	}
	across.Max = roundUp(float64(usual))
	return across, seen
}

func (f *Frame) orderPicture(across Range) image.Image {
	seen := Range{Max: float64(f.LastOrder())}
	if seen.Max > 0 {
		seen.Min = 1
	}
	if across == (Range{}) {
		across = seen
	}
	return f.heatmap("nodes drawn in the tile when the pixel was taken", across, seen, func(i int) (float64, bool) {
		return float64(f.Order[i]), f.Order[i] != 0
	})
}

// LastOrder returns the greatest number in the plane of order: after so many
// nodes in each tile all pixels are taken that ever are. It is 0 for an empty
// picture, and for a frame without the plane.
func (f *Frame) LastOrder() uint32 {
	var last uint32
	for _, order := range f.Order {
		last = max(last, order)
	}
	return last
}

// Filling draws into picture, which has the frame's size, how far it was filled
// after so many nodes of each tile: the colours of the pixels taken until then,
// those that the last share of the nodes (a sixteenth of LastOrder) took
// brightened, all others transparent. It does nothing to a frame without the
// plane of order.
func (f *Frame) Filling(nodes uint32, picture *image.NRGBA) {
	last := f.LastOrder()
	fresh := max(last/16, 1)
	if nodes >= last {
		fresh = 0 // it is finished
	}
	for i, order := range f.Order {
		from, to := f.Colour.Pix[4*i:4*i+4], picture.Pix[4*i:4*i+4]
		switch {
		case order == 0 || order > nodes:
			clear(to)
		case nodes-order < fresh:
			to[0], to[1], to[2], to[3] = 255-(255-from[0])/2, 255-(255-from[1])/2, 255-(255-from[2])/2, 255
		default:
			copy(to, from)
		}
	}
}

// heatmap colours each pixel that has a value and draws the legend below.
func (f *Frame) heatmap(title string, across, seen Range, value func(i int) (v float64, ok bool)) image.Image {
	legend := legend{title: title, across: across, below: seen.Min < across.Min, above: seen.Max > across.Max, colours: heats()}
	picture := image.NewNRGBA(image.Rect(0, 0, f.Width, f.Height+legendHeight))
	for i := range f.Width * f.Height {
		colour := legendPaper
		if v, ok := value(i); ok {
			colour = legend.colours.at(across.share(v))
		}
		picture.SetNRGBA(i%f.Width, i/f.Width, colour)
	}
	legend.draw(picture, f.Height)
	return picture
}

// share returns how far v lies on the way from r.Min to r.Max, 0 to 1.
func (r Range) share(v float64) float64 {
	if !(v > r.Min) {
		return 0
	}
	return math.Min((v-r.Min)/(r.Max-r.Min), 1)
}

// roundUp returns the least of 1, 2, 5, 10, 20, 50 ... that is at least v, so
// that the pictures of similar frames span the same range.
func roundUp(v float64) float64 {
	for unit := 1.0; ; unit *= 10 {
		for _, digit := range []float64{1, 2, 5} {
			if unit*digit >= v {
				return unit * digit
			}
		}
	}
}
