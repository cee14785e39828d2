package models

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
)

// cityViews are the cameras that the city comes with.
func cityViews() []View {
	up := mgl64.Vec3{0, 0, 1}
	return []View{
		{"skyline", project.Camera{Eye: mgl64.Vec3{-700, -1500, 420}, Target: mgl64.Vec3{10, 60, 10}, Up: up, FovY: 26}},
		{"street", project.Camera{Eye: mgl64.Vec3{-196.2, -420, 1.8}, Target: mgl64.Vec3{-181, -300, 12}, Up: up, FovY: 55}},
		{"roof", project.Camera{Eye: mgl64.Vec3{-330, -640, 70}, Target: mgl64.Vec3{0, 40, 62}, Up: up, FovY: 48}},
		{"afar", project.Camera{Eye: mgl64.Vec3{-1500, -3300, 1350}, Target: mgl64.Vec3{0, -150, 0}, Up: up, FovY: 40}},
	}
}

// The middles of a street along y, with a bridge in it.
const flightStreet = -3*squareSide + streetBays*bayMetres/2

// cityFlight is a way of 20 seconds through any city: up a street just above the
// cars and over the river, then rising along it past the roofs, and in the sky
// around the centre, with the sun in the back. Streets keep it out of all buildings.
func cityFlight() *project.Path {
	street := func(seconds, y, z, ahead, rise float64) project.Key {
		return project.Key{Seconds: seconds, Eye: mgl64.Vec3{flightStreet, y, z}, Target: mgl64.Vec3{flightStreet + 0.15*ahead, y + ahead, z + rise}}
	}
	return &project.Path{
		Up: mgl64.Vec3{0, 0, 1}, FovY: 50,
		Keys: []project.Key{
			street(0, -640, 4, 100, 8),
			street(2, -520, 4, 100, 10),
			street(4, -400, 4, 100, 14),
			street(6, -280, 6, 100, 16),
			street(8, -170, 22, 100, 6),
			street(10, -70, 52, 100, 4),
			street(12, 30, 100, 100, 0),
			{Seconds: 14, Eye: mgl64.Vec3{flightStreet, 110, 172}, Target: mgl64.Vec3{-130, 200, 150}},
			{Seconds: 16, Eye: mgl64.Vec3{-290, 190, 250}, Target: mgl64.Vec3{-60, 170, 120}},
			{Seconds: 18, Eye: mgl64.Vec3{-480, 30, 300}, Target: mgl64.Vec3{0, 40, 60}},
			{Seconds: 20, Eye: mgl64.Vec3{-570, -260, 330}, Target: mgl64.Vec3{40, 0, 30}},
		},
	}
}
