package project_test

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/project"
)

func BenchmarkPlacing(b *testing.B) {
	v, err := project.Camera{Eye: mgl64.Vec3{-70, -90, 80}, Target: mgl64.Vec3{30, 30, 30}, Up: mgl64.Vec3{0, 0, 1}, FovY: 45}.View(640, 480)
	require.NoError(b, err)
	m := mgl64.Translate3D(3, 4, 5).Mul4(mgl64.HomogRotate3DX(1))
	b.Run("pose", func(b *testing.B) {
		for b.Loop() {
			if _, err := project.NewPose(v, m, 6); err != nil {
				b.Fatal(err)
			}
		}
	})
	near := project.NearPlane(&m)
	b.Run("bounds", func(b *testing.B) {
		for b.Loop() {
			v.Bounds(&m, [3]uint32{1, 2, 3}, [3]uint32{60, 50, 40}, near)
		}
	})
	f := v.Frustum()
	low, high := mgl64.Vec3{1, 2, 3}, mgl64.Vec3{60, 50, 40}
	b.Run("box", func(b *testing.B) {
		for b.Loop() {
			f.Bounds(&low, &high, near)
		}
	})
	far := mgl64.Vec3{8, 9, 10}
	b.Run("far box", func(b *testing.B) {
		for b.Loop() {
			f.Bounds(&low, &far, near)
		}
	})
	b.Run("frustum", func(b *testing.B) {
		for b.Loop() {
			f.Box(&low, &high)
		}
	})
}
