package svo_test

import (
	"context"
	"fmt"

	"github.com/cfef80af/eightfold/svo"
)

func ExampleBuilder() {
	red, white, blue := svo.Colour{255, 0, 0}, svo.Colour{255, 255, 255}, svo.Colour{0, 0, 255}
	var b svo.Builder
	for _, v := range []struct {
		x, y, z uint32
		colour  svo.Colour
	}{{5, 0, 0, red}, {4, 0, 0, white}, {5, 0, 0, blue}} { // blue comes later than red and wins
		if err := b.Add(v.x, v.y, v.z, svo.Voxel{Colour: v.colour}); err != nil {
			fmt.Println(err)
			return
		}
	}
	tree, err := b.Build(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	low, high := tree.Bounds()
	fmt.Println("depth", tree.Depth, "from", low, "to", high)
	for at, id := range tree.All() {
		fmt.Println(at, tree.Colours[id])
	}
	fmt.Println("mean", tree.Colours[0])
	// Output:
	// depth 3 from [4 0 0] to [6 1 1]
	// [4 0 0] [255 255 255]
	// [5 0 0] [0 0 255]
	// mean [128 128 255]
}
