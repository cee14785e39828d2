package render_test

import (
	"context"
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// A row of cubes behind one another: the first hides the others, and where
// nothing changes nothing is drawn.
func Example_culling() {
	asset, err := models.Load("proc:cube?depth=5", models.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	scene := &render.Scene{Tracked: true}
	for k := range 100 {
		at := mgl64.Translate3D(0, 40*float64(k), 0)
		scene.Instances = append(scene.Instances, render.Instance{Tree: asset.Models[0].Tree, Transform: at})
	}
	renderer, err := render.NewRenderer(render.Options{Width: 320, Height: 200})
	if err != nil {
		fmt.Println(err)
		return
	}
	camera := project.Camera{Eye: mgl64.Vec3{16, -60, 16}, Target: mgl64.Vec3{16, 0, 16}, Up: mgl64.Vec3{0, 0, 1}, FovY: 60}
	for range 2 {
		frame, err := renderer.Draw(context.Background(), scene, camera)
		if err != nil {
			fmt.Println(err)
			return
		}
		counts := renderer.CullStats().Views[0].Instances
		fmt.Println(counts.Tested, "tested,", counts.Occlusion, "hidden,", counts.Drawn, "drawn; held:", frame.Stats.Held)
	}
	// Output:
	// 100 tested, 99 hidden, 1 drawn; held: false
	// 100 tested, 99 hidden, 1 drawn; held: true
}

func ExampleCullingManager() {
	var manager render.CullingManager
	mill := manager.Register(render.Sphere{Centre: mgl64.Vec3{50, 0, 0}, Radius: 8}, func(visible bool) {
		fmt.Println("the mill turns:", visible)
	})
	manager.RegisterCaster(render.Box{Low: mgl64.Vec3{40, 0, 90}, High: mgl64.Vec3{50, 10, 95}}, func(visible bool) {
		fmt.Println("the cloud, or its shadow, is seen:", visible)
	})
	noon := mgl64.Vec3{0, 0, 1}
	for _, target := range []mgl64.Vec3{{1, 0, 0}, {-1, 0, 0}} {
		view, err := project.Camera{Target: target, Up: noon, FovY: 60}.View(160, 120)
		if err != nil {
			fmt.Println(err)
			return
		}
		manager.Cull(view, noon)
	}
	manager.Unregister(mill)
	// Output:
	// the mill turns: true
	// the cloud, or its shadow, is seen: true
	// the mill turns: false
	// the cloud, or its shadow, is seen: false
}
