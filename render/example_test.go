package render_test

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"io"

	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// drawPNG draws a model from its front left and writes the picture.
func drawPNG(ctx context.Context, w io.Writer, model string) error {
	asset, err := models.Load(model, models.Options{})
	if err != nil {
		return err
	}
	scene, err := render.SceneOf(asset, 0)
	if err != nil {
		return err
	}
	renderer, err := render.NewRenderer(render.Options{Width: 640, Height: 360})
	if err != nil {
		return err
	}
	direction, up := project.ThreeQuarter.Axes(asset.Up, asset.Front)
	camera, err := scene.Fit(direction, up, 640, 360, 30, project.DefaultFill)
	if err != nil {
		return err
	}
	frame, err := renderer.Draw(ctx, scene, camera)
	if err != nil {
		return err
	}
	return png.Encode(w, frame.Colour)
}

func Example() {
	var file bytes.Buffer
	if err := drawPNG(context.Background(), &file, "proc:island"); err != nil {
		fmt.Println(err)
		return
	}
	picture, err := png.DecodeConfig(&file)
	fmt.Println(picture.Width, picture.Height, err)
	// Output: 640 360 <nil>
}
