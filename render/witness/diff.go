package witness

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"

	"github.com/cfef80af/eightfold/svo"
)

// DiffVariable names the environment variable that holds a folder for the
// pictures of failed tests.
const DiffVariable = "EIGHTFOLD_DIFF"

// Diff puts three pictures side by side: what the rays saw, what was drawn, and
// where a comparison found faults. In the third, grey is right, white right by
// the very voxel; red is a hole, yellow fattening, orange what is too far off,
// blue a wrong depth or something seen through, magenta all else.
func Diff(f Frame, p *Picture) (image.Image, error) {
	c := comparison{frame: f, picture: p, report: Report{}}
	if _, err := Compare(f, p); err != nil {
		return nil, err
	}
	w, h := p.Width, p.Height
	img := image.NewRGBA(image.Rect(0, 0, 3*w, h))
	for j := range h {
		for i := range w {
			hit, drawn := p.At(i, j), f.Voxel[j*w+i]
			seen := Voxel{hit.Model, hit.ID, hit.Min, hit.Level}
			img.SetRGBA(i, j, p.look(seen, hit.Face))
			img.SetRGBA(w+i, j, p.look(drawn, f.Face[j*w+i]))
			c.report.Pixel = nil
			c.report.Faults = [kinds]int{}
			c.pixel(i, j)
			img.SetRGBA(2*w+i, j, verdict(seen, drawn, c.report.Pixel))
		}
	}
	return img, nil
}

// WriteDiff writes Diff as a PNG and returns its path: name.png in the folder
// that EIGHTFOLD_DIFF names, else in dir.
func WriteDiff(dir, name string, f Frame, p *Picture) (path string, err error) {
	img, err := Diff(f, p)
	if err != nil {
		return "", err
	}
	if d := os.Getenv(DiffVariable); d != "" {
		dir = d
	}
	path = filepath.Join(dir, name+".png")
	file, err := os.Create(path)
	if err != nil {
		return "", fmt.Errorf("witness: %w", err)
	}
	return path, errors.Join(png.Encode(file, img), file.Close())
}

var kindColours = [kinds]color.RGBA{
	HoleInside: {255, 0, 0, 255},
	HoleBorder: {255, 0, 0, 255},
	WrongCube:  {255, 0, 255, 255},
	Broken:     {255, 0, 255, 255},
	OffRay:     {255, 0, 255, 255},
	WrongDepth: {60, 60, 255, 255},
	SeeThrough: {60, 60, 255, 255},
	Fattened:   {255, 255, 0, 255},
	FarOff:     {255, 128, 0, 255},
}

// verdict is the colour of a judged pixel: that of its last, worst fault.
func verdict(seen, drawn Voxel, faults []Fault) color.RGBA {
	switch {
	case len(faults) > 0:
		return kindColours[faults[len(faults)-1].Kind]
	case drawn.Instance < 0:
		return color.RGBA{A: 255}
	case drawn == seen:
		return color.RGBA{200, 200, 200, 255}
	}
	return color.RGBA{100, 100, 100, 255}
}

// look is the colour of a node, darkened by face so that cubes can be told.
func (p *Picture) look(v Voxel, face uint8) color.RGBA {
	if v.Instance < 0 || int(v.Instance) >= len(p.spaces) || p.spaces[v.Instance].tree == nil || face >= noFace {
		return color.RGBA{A: 255}
	}
	c := svo.Colour{200, 200, 200}
	if colours := p.spaces[v.Instance].tree.Colours; int(v.ID) < len(colours) {
		c = colours[v.ID]
	}
	shade := [noFace]int{75, 80, 55, 60, 45, 100}[face]
	return color.RGBA{uint8(int(c[0]) * shade / 100), uint8(int(c[1]) * shade / 100), uint8(int(c[2]) * shade / 100), 255}
}
