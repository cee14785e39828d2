package render

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/project"
)

// candidate is an instance that may be seen in the frame.
type candidate struct {
	index  int32 // into Scene.Instances
	bounds project.Bounds
}

// cull poses every instance before the view, drops those outside the picture
// and puts the rest in the order of their nearest points.
func (r *Renderer) cull(s *Scene, v project.View) error {
	r.trees = slices.Grow(r.trees[:0], len(s.Instances))[:len(s.Instances)]
	r.poses = slices.Grow(r.poses[:0], len(s.Instances))[:len(s.Instances)]
	r.lights = slices.Grow(r.lights[:0], len(s.Instances))[:len(s.Instances)]
	r.far = slices.Grow(r.far[:0], len(s.Instances))[:len(s.Instances)]
	r.candidates = r.candidates[:0]
	if len(s.Instances) > asm.MaxInstances {
		return fmt.Errorf("scene: %d instances, at most %d can be drawn", len(s.Instances), asm.MaxInstances)
	}
	for i := range s.Instances {
		instance := &s.Instances[i]
		if !instance.visible() {
			continue
		}
		pose, err := project.NewPose(v, instance.Transform, instance.Tree.Depth)
		if err != nil {
			return fmt.Errorf("instance %d (%q): %w", i, instance.Name, err)
		}
		r.frame.Stats.Instances++
		bounds := pose.Bounds(instance.Tree.Bounds())
		if !bounds.Seen || bounds.X1 <= 0 || bounds.Y1 <= 0 || bounds.X0 >= v.Width || bounds.Y0 >= v.Height {
			r.frame.Stats.InstancesCulled++
			continue
		}
		r.trees[i], r.poses[i] = instance.Tree, pose
		r.lights[i] = r.faceLights(&pose)
		r.far[i] = bounds.Far
		r.candidates = append(r.candidates, candidate{index: int32(i), bounds: bounds})
	}
	slices.SortFunc(r.candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.bounds.Near, b.bounds.Near), cmp.Compare(a.index, b.index))
	})
	r.dropCopies()
	return nil
}

// dropCopies keeps one of several instances of one tree at one place, the one
// that is seen: settling a thousand by depth would take long to no avail. Such
// copies have equal bounds, so that they are neighbours among the candidates.
func (r *Renderer) dropCopies() {
	kept := r.candidates[:0]
	for _, c := range r.candidates {
		if len(kept) == 0 || !r.same(kept[len(kept)-1].index, c.index) {
			kept = append(kept, c)
			continue
		}
		r.frame.Stats.InstancesCulled++
		if r.scene.LaterWins {
			kept[len(kept)-1] = c
		}
	}
	r.candidates = kept
}

// same tells whether two instances are of one tree at one place.
func (r *Renderer) same(a, b int32) bool {
	first, second := &r.scene.Instances[a], &r.scene.Instances[b]
	return first.Tree == second.Tree && first.Transform == second.Transform
}
