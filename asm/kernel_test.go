package asm

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// float32s draws numbers of every kind: plain ones, huge and tiny ones, NaN,
// infinities, signed zeros, and ones that fall on the borders of pixels.
func float32s() *rapid.Generator[float32] {
	return rapid.OneOf(
		rapid.Float32Range(-2000, 2000),
		rapid.Map(rapid.IntRange(-8192, 8192), func(i int) float32 { return float32(i) / 2 }),
		rapid.Float32(),
		rapid.SampledFrom([]float32{
			0, float32(math.Copysign(0, -1)), float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)),
			math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, 1, -1, farAway, -farAway, farAway - .5,
		}),
	)
}

func octants(t *rapid.T, name string) (v [8]float32) {
	plain := rapid.Bool().Draw(t, name+" plain")
	for i := range v {
		if plain {
			v[i] = rapid.Float32Range(-3, 3).Draw(t, name)
		} else {
			v[i] = float32s().Draw(t, name)
		}
	}
	return v
}

func three(t *rapid.T) (v [3]float32) {
	for i := range v {
		v[i] = float32s().Draw(t, "axis")
	}
	return v
}

func clip(t *rapid.T) (x0, x1, y0, y1 int32) {
	side := rapid.Int32Range(-10, 4096)
	return side.Draw(t, "x0"), side.Draw(t, "x1"), side.Draw(t, "y0"), side.Draw(t, "y1")
}

// noise fills a batch, so that a lane which a kernel forgets is seen.
func noise() (b Batch) {
	for i := range unsafe.Slice((*byte)(unsafe.Pointer(&b)), unsafe.Sizeof(b)) {
		unsafe.Slice((*byte)(unsafe.Pointer(&b)), unsafe.Sizeof(b))[i] = byte(i * 37)
	}
	return b
}

func raw(b *Batch) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(b)), unsafe.Sizeof(*b)) }

func TestKernelsGiveTheBytesOfTheirTwins(t *testing.T) {
	for _, k := range Offered() {
		t.Run(k.Kernel.String(), func(t *testing.T) {
			pairs := []struct {
				name         string
				kernel, twin Project
			}{
				{"two corners", k.ProjectTwo, projectTwoGo},
				{"four points", k.ProjectFour, projectFourGo},
				{"eight corners", k.ProjectEight, projectEightGo},
				{"tight", k.ProjectTight, projectTightGo},
			}
			rapid.Check(t, func(t *rapid.T) {
				number := float32s()
				lens := Lens{
					DX: octants(t, "dx"), DY: octants(t, "dy"), DZ: octants(t, "dz"),
					RX: number.Draw(t, "rx"), RY: number.Draw(t, "ry"), RZ: number.Draw(t, "rz"),
					CX: number.Draw(t, "cx"), CY: number.Draw(t, "cy"), Near: number.Draw(t, "near"),
					Margin: number.Draw(t, "margin"), OrthoError: number.Draw(t, "error"),
					LOD: number.Draw(t, "lod"), LODPixels: rapid.Int32Range(-1, 40).Draw(t, "lod pixels"),
				}
				lens.ClipX0, lens.ClipX1, lens.ClipY0, lens.ClipY1 = clip(t)
				x, y, z, h := number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "z"), number.Draw(t, "h")
				lens.AX, lens.AY, lens.AZ = three(t), three(t), three(t)
				for _, p := range pairs {
					got, want := noise(), noise()
					p.kernel(&got, &lens, x, y, z, h)
					p.twin(&want, &lens, x, y, z, h)
					sameBatch(t, p.name, &want, &got)
				}
			})
		})
	}
}

func TestSplitGivesTheBytesOfItsTwin(t *testing.T) {
	for _, k := range Offered() {
		t.Run(k.Kernel.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				number := float32s()
				step := Step{
					DX: octants(t, "dx"), DY: octants(t, "dy"),
					EX: number.Draw(t, "ex"), EY: number.Draw(t, "ey"), Margin: number.Draw(t, "margin"),
					LODPixels: rapid.Int32Range(-1, 40).Draw(t, "lod pixels"),
				}
				step.ClipX0, step.ClipX1, step.ClipY0, step.ClipY1 = clip(t)
				x, y, scale := number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "scale")
				got, want := noise(), noise()
				k.Split(&got, &step, x, y, scale)
				splitGo(&want, &step, x, y, scale)
				sameBatch(t, "split", &want, &got)
			})
		})
	}
}

// sameBatch compares bytes; which of several NaNs an operation gives is the one
// thing that processors settle differently, so those count as equal.
func sameBatch(t *rapid.T, name string, want, got *Batch) {
	for _, b := range []*Batch{want, got} {
		for _, v := range []*[8]float32{&b.X, &b.Y, &b.Z, &b.Size} {
			for i := range v {
				if v[i] != v[i] {
					v[i] = float32(math.NaN())
				}
			}
		}
	}
	if string(raw(want)) != string(raw(got)) {
		t.Fatalf("%s: the kernel differs from its twin:\nwant %+v\ngot  %+v", name, *want, *got)
	}
}

// Two corners are the same rectangle as four points, found with half the
// divisions.
func TestTwoCornersEqualFourPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		small := rapid.Float32Range(-100, 100)
		lens := Lens{
			RX: rapid.Float32Range(.1, 2).Draw(t, "rx"), RY: rapid.Float32Range(.1, 2).Draw(t, "ry"),
			RZ: rapid.Float32Range(.1, 2).Draw(t, "rz"), CX: 50, CY: 40, Near: .01, Margin: 1. / 512,
			OrthoError: .25, LOD: 1, LODPixels: 1, ClipX1: 100, ClipY1: 80,
			DX: octantsOf(t), DY: octantsOf(t), DZ: octantsOf(t),
		}
		x, y, z, h := small.Draw(t, "x"), small.Draw(t, "y"), small.Draw(t, "z"), rapid.Float32Range(.01, 50).Draw(t, "h")
		two, four := noise(), noise()
		projectTwoGo(&two, &lens, x, y, z, h)
		projectFourGo(&four, &lens, x, y, z, h)
		sameBatch(t, "two corners and four points", &four, &two)
	})
}

func octantsOf(t *rapid.T) (v [8]float32) {
	for i := range v {
		v[i] = rapid.Float32Range(-2, 2).Draw(t, "d")
	}
	return v
}

func TestRoundIsToNearestEven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.OneOf(rapid.Float32Range(-farAway, farAway),
			rapid.Map(rapid.Int32Range(-9999, 9999), func(i int32) float32 { return float32(i) / 2 })).Draw(t, "f")
		require.Equal(t, int32(math.RoundToEven(float64(f))), roundps(f))
	})
	require.EqualValues(t, farAway, roundps(float32(math.Inf(1))))
	require.EqualValues(t, -farAway, roundps(float32(math.Inf(-1))))
	require.EqualValues(t, farAway, roundps(float32(math.NaN())))
}

// The generator knows the fields by their offsets.
func TestLayoutIsThatOfTheGenerator(t *testing.T) {
	var l Lens
	require.EqualValues(t, 96, unsafe.Offsetof(l.RX))
	require.EqualValues(t, 108, unsafe.Offsetof(l.CX))
	require.EqualValues(t, 116, unsafe.Offsetof(l.Near))
	require.EqualValues(t, 120, unsafe.Offsetof(l.Margin))
	require.EqualValues(t, 124, unsafe.Offsetof(l.OrthoError))
	require.EqualValues(t, 128, unsafe.Offsetof(l.LOD))
	require.EqualValues(t, 132, unsafe.Offsetof(l.LODPixels))
	require.EqualValues(t, 136, unsafe.Offsetof(l.ClipX0))
	require.EqualValues(t, 152, unsafe.Offsetof(l.AX))
	var s Step
	require.EqualValues(t, 64, unsafe.Offsetof(s.EX))
	require.EqualValues(t, 72, unsafe.Offsetof(s.Margin))
	require.EqualValues(t, 80, unsafe.Offsetof(s.ClipX0))
	var b Batch
	require.EqualValues(t, 128, unsafe.Offsetof(b.X0))
	require.EqualValues(t, 256, unsafe.Offsetof(b.Visible))
	require.EqualValues(t, 261, unsafe.Offsetof(b.Ortho))
}

// The committed assembly is what the generator writes today.
func TestAssemblyIsUpToDate(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the generator")
	}
	out := filepath.Join(t.TempDir(), "kernels_amd64.s")
	generate := exec.Command("go", "run", "-C", "_gen", ".", "-out", out, "-pkg", "asm")
	// The generator runs on this machine, whatever the tests are built for.
	generate.Env = append(os.Environ(), "GOOS=", "GOARCH=", "GOFLAGS=")
	if text, err := generate.CombinedOutput(); err != nil {
		t.Skipf("the generator can't be built here: %s", text)
	}
	want, err := os.ReadFile(out)
	require.NoError(t, err)
	got, err := os.ReadFile("kernels_amd64.s")
	require.NoError(t, err)

	require.Equal(t, body(want), body(got), "run: go generate ./asm")
}

// body is the file without its first line, which names the output path.
func body(b []byte) string {
	_, rest, _ := strings.Cut(string(b), "\n")
	return rest
}

func BenchmarkBatch(b *testing.B) {
	lens := Lens{RX: 500, RY: 500, RZ: 1.5, CX: 256, CY: 256, Near: .01, Margin: 1. / 512, OrthoError: .25, LOD: 1, LODPixels: 1, ClipX1: 512, ClipY1: 512}
	for i := range 8 {
		lens.DX[i] = float32(i&1*2-1) * 256
		lens.DY[i] = float32(i>>1&1*2-1) * 256
		lens.DZ[i] = float32(i>>2&1*2 - 1)
	}
	for _, k := range Offered() {
		var batch Batch
		for name, p := range map[string]Project{"two": k.ProjectTwo, "four": k.ProjectFour, "eight": k.ProjectEight} {
			b.Run(k.Kernel.String()+"/"+name, func(b *testing.B) {
				for b.Loop() {
					p(&batch, &lens, 10, 20, 3, .5)
				}
			})
		}
	}
}
