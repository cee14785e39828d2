package main

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/svo"
)

// voxelsCmd draws a model from ever nearer: its leaves as the cubes they are,
// and then a model that looks the same but whose leaves are subdivided without
// end, as a renderer has to that knows of nodes only.
type voxelsCmd struct {
	settings
	coreFlag
	Model string    `arg:"" optional:"" default:"proc:island" help:"Model to draw: a file or a procedural model (${default})."`
	Edges []float64 `default:"1,2,4,6,8,12,16,20" placeholder:"PX" help:"Edges of a voxel in pixels (${default})."`
}

// Run is called by kong.
func (v *voxelsCmd) Run(ctx context.Context, c console) error {
	cubes, err := load(v.Model, models.Options{})
	if err != nil {
		return err
	}
	divided := cubes
	if divided.scene, err = withoutLeaves(cubes.scene); err != nil {
		return fmt.Errorf("%s: %w", v.Model, err)
	}
	var contenders []*contender
	for _, edge := range v.Edges {
		if !(edge > 0 && edge <= 100) {
			return fmt.Errorf("--edges %g: must be above 0 and at most 100 pixels", edge)
		}
		for _, way := range []struct {
			name    string
			subject *subject
		}{{"cubes", &cubes}, {"subdivided", &divided}} {
			o := v.core(v.options())
			camera := cubes.near(edge, o.Height)
			contender, err := v.newContender(fmt.Sprintf("%g px, %s", edge, way.name), way.subject.scene, []project.Camera{camera}, o)
			if err != nil {
				return err
			}
			contenders = append(contenders, contender)
		}
	}
	return v.publish(ctx, c, "voxels of "+v.Model, contenders, true)
}

// near is a camera above the subject's front whose target, the middle of it,
// has voxels of so many pixels.
func (s *subject) near(edge float64, height int) project.Camera {
	low, high, _ := s.scene.Bounds()
	target := low.Add(high).Mul(0.5)
	side := s.front.Cross(s.up)
	from := s.front.Add(side.Mul(0.6)).Add(s.up.Mul(0.7)).Normalize()
	voxel := s.scene.Instances[0].Transform.Col(0).Vec3().Len()
	distance := voxel * float64(height) / (2 * math.Tan(mgl64.DegToRad(fovY)/2)) / edge
	// From outside, however near the middle would be.
	if least := high.Sub(low).Len() / 2; distance < least {
		target = target.Add(from.Mul(least - distance))
	}
	return project.Camera{Eye: target.Add(from.Mul(distance)), Target: target, Up: s.up, FovY: fovY}
}

// finer is by how many levels leaves are subdivided: up to 64 pixels wide, they
// are as fine as pixels.
const finer = 6

// withoutLeaves is a scene that looks the same, with leaves that are nodes.
func withoutLeaves(s *render.Scene) (*render.Scene, error) {
	scene := &render.Scene{LaterWins: s.LaterWins, Instances: slices.Clone(s.Instances)}
	trees := map[*svo.Tree]*svo.Tree{}
	for i := range scene.Instances {
		instance := &scene.Instances[i]
		if instance.Tree == nil {
			continue
		}
		if trees[instance.Tree] == nil {
			tree, err := subdivided(instance.Tree)
			if err != nil {
				return nil, err
			}
			trees[instance.Tree] = tree
		}
		scale := math.Ldexp(1, -finer)
		instance.Tree = trees[instance.Tree]
		instance.Transform = instance.Transform.Mul4(mgl64.Scale3D(scale, scale, scale))
	}
	return scene, nil
}

// subdivided is a tree whose leaves go on as nodes of their colour, each of
// which contains itself eight times.
func subdivided(t *svo.Tree) (*svo.Tree, error) {
	type member struct {
		id   uint32
		node svo.Node
	}
	level := []member{{0, t.Root()}}
	colours := []svo.Colour{t.Colours[0]}
	var nodes []svo.Node
	for depth := range t.Depth {
		var next []member
		for _, m := range level {
			nodes = append(nodes, svo.NewNode(uint32(len(colours)), m.node.Mask()))
			for mask := m.node.Mask(); mask != 0; mask &= mask - 1 {
				id, node := m.node.Child(bits.TrailingZeros8(mask)), svo.Node(0)
				if depth < t.Depth-1 {
					id, node = t.Child(m.id, m.node, depth, bits.TrailingZeros8(mask))
				}
				next = append(next, member{id, node})
				colours = append(colours, t.Colours[id])
			}
		}
		level = next
	}
	solid := map[svo.Colour]uint32{}
	leaves := len(colours)
	for _, leaf := range level {
		colour := t.Colours[leaf.id]
		if _, is := solid[colour]; !is {
			solid[colour] = uint32(len(colours))
			for range 8 {
				colours = append(colours, colour)
			}
		}
		nodes = append(nodes, svo.NewNode(solid[colour], 0xff))
	}
	for _, colour := range colours[leaves:] {
		nodes = append(nodes, svo.NewNode(solid[colour], 0xff))
	}
	return svo.New(t.Depth+finer, nodes, colours, nil, nil)
}
