package render

import "github.com/cfef80af/eightfold/models"

// SceneOf makes a scene of a frame of an asset's animation, the first being 0:
// an instance for each placement, all of one model sharing its tree. Hidden
// placements become hidden instances. It fails where there is no such frame.
func SceneOf(asset *models.Asset, frame int) (*Scene, error) {
	placements, err := asset.Placements(frame)
	if err != nil {
		return nil, err
	}
	scene := &Scene{Instances: make([]Instance, len(placements)), LaterWins: asset.LaterWins}
	for i, p := range placements {
		scene.Instances[i] = Instance{Tree: asset.Models[p.Model].Tree, Transform: p.Transform, Name: p.Name, Hidden: p.Hidden}
	}
	return scene, nil
}
