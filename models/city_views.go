package models

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
)

// cityViews are the cameras that the city comes with.
func cityViews() []View {
	up := mgl64.Vec3{0, 0, 1}
	return []View{
		{"skyline", project.Camera{Eye: mgl64.Vec3{-420, -980, 330}, Target: mgl64.Vec3{20, 40, 40}, Up: up, FovY: 34}},
		{"street", project.Camera{Eye: mgl64.Vec3{-249, -182, 2.2}, Target: mgl64.Vec3{-150, -180.5, 9}, Up: up, FovY: 55}},
		{"roof", project.Camera{Eye: mgl64.Vec3{-233, -220, 46}, Target: mgl64.Vec3{0, 0, 50}, Up: up, FovY: 50}},
		{"afar", project.Camera{Eye: mgl64.Vec3{-1500, -3300, 1350}, Target: mgl64.Vec3{0, -150, 0}, Up: up, FovY: 40}},
	}
}
