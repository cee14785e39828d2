package main

import (
	"context"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/svo"
)

// spongeCmd draws unit sponges from the origin, looking along +z with a field
// of view of 90 degrees.
type spongeCmd struct {
	settings
	coreFlag
	Depth int `default:"21" help:"Levels of the sponge, 1 to 21 (${default})."`
}

// Run is called by kong.
func (s *spongeCmd) Run(ctx context.Context, c console) error {
	tree, err := models.Sponge(s.Depth)
	if err != nil {
		return err
	}
	camera := project.Camera{Target: mgl64.Vec3{0, 0, 1}, Up: mgl64.Vec3{0, 1, 0}, FovY: 90}
	var contenders []*contender
	for _, pose := range spongePoses(tree) {
		contender, err := s.newContender(pose.name, pose.scene, []project.Camera{camera}, s.core(s.options()))
		if err != nil {
			return err
		}
		contenders = append(contenders, contender)
	}
	return s.publish(ctx, c, "sponge", contenders, true)
}

// spongePose is one of the scenes of unit sponges.
type spongePose struct {
	name  string
	scene *render.Scene
}

func spongePoses(tree *svo.Tree) []spongePose {
	still, turned := mgl64.Ident4(), spongeTurn(1)
	one := func(z float64, turn mgl64.Mat4) *render.Scene {
		return &render.Scene{Instances: []render.Instance{unitSponge(tree, mgl64.Translate3D(0, 0, z).Mul4(turn))}}
	}
	return []spongePose{
		{"z=0.5", one(0.5, still)},
		{"z=0.7", one(0.7, still)},
		{"z=0.9", one(0.9, still)},
		{"z=1.5", one(1.5, still)},
		{"rotated z=1.5", one(1.5, turned)},
		{"288 cubes", spongeBlock(tree, turned)},
	}
}

// unitSponge is a sponge one unit wide, its centre where m takes the origin.
func unitSponge(tree *svo.Tree, m mgl64.Mat4) render.Instance {
	voxel := math.Ldexp(1, -tree.Depth)
	unit := mgl64.Translate3D(-0.5, -0.5, -0.5).Mul4(mgl64.Scale3D(voxel, voxel, voxel))
	return render.Instance{Tree: tree, Transform: m.Mul4(unit)}
}

// spongeTurn is how Fluffy turns its cubes with the time: about x, y and z by
// 2 sin t, sin t and 2 sin t.
func spongeTurn(t float64) mgl64.Mat4 {
	x, y, z := 2*math.Sin(t), math.Sin(t), 2*math.Sin(t)
	return mgl64.HomogRotate3DX(x).Mul4(mgl64.HomogRotate3DY(y)).Mul4(mgl64.HomogRotate3DZ(z))
}

// spongeBlock is Fluffy's block of 4 x 4 x 18 cubes, 0.7 wide and 1.25 apart,
// from -2 on along each axis: the camera stands among them.
func spongeBlock(tree *svo.Tree, turn mgl64.Mat4) *render.Scene {
	const apart, width = 1.25, 0.7
	scene := &render.Scene{}
	for k := range 18 {
		for j := range 4 {
			for i := range 4 {
				place := mgl64.Translate3D(-2+apart*float64(i), -2+apart*float64(j), -2+apart*float64(k))
				scene.Instances = append(scene.Instances, unitSponge(tree, place.Mul4(turn).Mul4(mgl64.Scale3D(width, width, width))))
			}
		}
	}
	return scene
}
