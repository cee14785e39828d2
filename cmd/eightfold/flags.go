package main

import (
	"encoding/hex"
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// size is a picture's size, typed as 1280x720.
type size struct{ width, height int }

func (s *size) UnmarshalText(text []byte) error {
	width, height, ok := strings.Cut(strings.ToLower(string(text)), "x")
	w, errW := strconv.Atoi(width)
	h, errH := strconv.Atoi(height)
	if !ok || errW != nil || errH != nil || w < 1 || h < 1 || w > project.MaxSide || h > project.MaxSide {
		return fmt.Errorf("%q is not a size: give width and height in pixels like 1280x720, each 1 to %d", text, project.MaxSide)
	}
	*s = size{w, h}
	return nil
}

// vector is a point or direction, typed as 1,2,-3.
type vector mgl64.Vec3

func (v *vector) UnmarshalText(text []byte) error {
	numbers, err := parseNumbers(string(text), 3)
	if err != nil {
		return fmt.Errorf("%q is not a point: give three numbers like 1,2.5,-3", text)
	}
	*v = vector(numbers)
	return nil
}

// section cuts a scene open, typed as 0,0,-1,-20: normal and offset.
type section render.Section

func (s *section) UnmarshalText(text []byte) error {
	n, err := parseNumbers(string(text), 4)
	if err != nil || n[0] == 0 && n[1] == 0 && n[2] == 0 {
		return fmt.Errorf("%q is not a section: give a direction and a distance, four numbers like 0,0,-1,-20 for all below 20", text)
	}
	*s = section{Normal: mgl64.Vec3{n[0], n[1], n[2]}, Offset: n[3]}
	return nil
}

// axis is a direction, typed as a vector or as one of x, y, z, -x, -y, -z.
type axis vector

func (a *axis) UnmarshalText(text []byte) error {
	sign, name := 1.0, strings.ToLower(strings.TrimPrefix(string(text), "+"))
	if rest, ok := strings.CutPrefix(name, "-"); ok {
		sign, name = -1, rest
	}
	if at := strings.Index("xyz", name); at >= 0 && len(name) == 1 {
		*a = axis{}
		a[at] = sign
		return nil
	}
	v := (*vector)(a)
	if v.UnmarshalText(text) != nil || *v == (vector{}) {
		return fmt.Errorf("%q is not a direction: give three numbers like 0,0,1 or an axis like z or -y", text)
	}
	// The square of a length must neither overflow nor vanish.
	largest := max(math.Abs(a[0]), math.Abs(a[1]), math.Abs(a[2]))
	for i := range a {
		a[i] /= largest
	}
	return nil
}

// span is a range of values, typed as 0,200.
type span render.Range

func (s *span) UnmarshalText(text []byte) error {
	numbers, err := parseNumbers(string(text), 2)
	if err != nil || numbers[0] >= numbers[1] || math.IsInf(numbers[1]-numbers[0], 0) {
		return fmt.Errorf("%q is not a range: give two numbers like 0,200, the lower one first", text)
	}
	*s = span{Min: numbers[0], Max: numbers[1]}
	return nil
}

// paint is a background colour, typed as none or #rrggbb.
type paint color.NRGBA

func (p *paint) UnmarshalText(text []byte) error {
	name := strings.ToLower(string(text))
	if name == "none" {
		*p = paint{}
		return nil
	}
	rgb, err := hex.DecodeString(strings.TrimPrefix(name, "#"))
	if err != nil || len(rgb) != 3 {
		return fmt.Errorf("%q is not a colour: give none, or red, green and blue like '#336699'", text)
	}
	*p = paint{rgb[0], rgb[1], rgb[2], 255}
	return nil
}

// parseNumbers reads exactly n finite numbers with commas between them.
func parseNumbers(text string, n int) ([]float64, error) {
	fields := strings.Split(text, ",")
	if len(fields) != n {
		return nil, strconv.ErrSyntax
	}
	numbers := make([]float64, n)
	for i, field := range fields {
		v, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil {
			return nil, err
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, strconv.ErrRange
		}
		numbers[i] = v
	}
	return numbers, nil
}
