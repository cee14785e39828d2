package svo_test

import (
	"context"
	"fmt"

	"github.com/cfef80af/eightfold/svo"
)

func ExampleBuilder() {
	var b svo.Builder
	b.Add(5, 0, 0, svo.Voxel{Colour: svo.Colour{255, 0, 0}})
	b.Add(4, 0, 0, svo.Voxel{Colour: svo.Colour{255, 255, 255}})
	b.Add(5, 0, 0, svo.Voxel{Colour: svo.Colour{0, 0, 255}}) // wins over the red one
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
