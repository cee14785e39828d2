package screen

import (
	"image/color"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/viewer/overlay"
)

// pickColour marks what was picked or measured.
var pickColour = color.NRGBA{255, 205, 96, 255}

// paintInWorld paints what has a place in the world: the nodes visited under the
// cursor, the voxels picked and the line between them.
func (s *Screen) paintInWorld(now state) {
	c, session := s.control, s.control.Session
	picks := session.Picks
	if len(picks) == 0 && !now.show.Boxes || session.Scene() == nil {
		return
	}
	s.add(s.image.Rect)
	camera, scene := session.Nav.Camera(now.size.Y), session.Scene()
	if now.show.Boxes {
		steps, err := session.Trace(c.X, c.Y)
		if err == nil {
			err = s.pen.Boxes(scene, camera, steps)
		}
		session.Tell(err)
		s.place(overlay.TopRight, overlay.Verdicts(steps))
	}
	for _, p := range picks {
		if int(p.Instance) < len(scene.Instances) {
			session.Tell(s.outline(camera, &scene.Instances[p.Instance], p.VoxelRef))
		}
	}
	if len(picks) == 2 {
		session.Tell(s.pen.Segment(camera, picks[0].Centre, picks[1].Centre, pickColour))
	}
}

// outline draws the edges of a voxel.
func (s *Screen) outline(camera project.Camera, i *render.Instance, v render.VoxelRef) error {
	low := mgl64.Vec3{float64(v.Min[0]), float64(v.Min[1]), float64(v.Min[2])}
	edge := float64(int64(1) << (i.Tree.Depth - int(v.Level)))
	corners := project.Corners(low, low.Add(mgl64.Vec3{edge, edge, edge}))
	for k, from := range corners {
		for axis := range 3 {
			if k>>axis&1 != 0 {
				continue
			}
			a := mgl64.TransformCoordinate(from, i.Transform)
			b := mgl64.TransformCoordinate(corners[k|1<<axis], i.Transform)
			if err := s.pen.Segment(camera, a, b, pickColour); err != nil {
				return err
			}
		}
	}
	return nil
}
