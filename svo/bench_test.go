package svo_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/cfef80af/eightfold/svo"
)

type placed struct {
	x, y, z uint32
	svo.Voxel
}

// BenchmarkBuild measures Add and Build together. SVO_PLY names a binary point
// cloud made by ../shared/scenes/make.sh to build besides the random ones.
func BenchmarkBuild(b *testing.B) {
	b.Run("shell", func(b *testing.B) { benchmarkBuild(b, shell(2_000_000), 11) })
	b.Run("random", func(b *testing.B) { benchmarkBuild(b, scattered(2_000_000, 11), 11) })
	b.Run("outliers", func(b *testing.B) { benchmarkBuild(b, outliers(2_000_000), 21) })
	b.Run("random21", func(b *testing.B) { benchmarkBuild(b, scattered(2_000_000, 21), 21) })
	b.Run("looks", func(b *testing.B) {
		voxels := shell(2_000_000)
		for i := range voxels {
			voxels[i].Normal = svo.Normal(1 + i)
			voxels[i].Material = uint8(i >> 12)
		}
		benchmarkBuild(b, voxels, 11)
	})
	if name := os.Getenv("SVO_PLY"); name != "" {
		b.Run("ply", func(b *testing.B) { benchmarkBuild(b, readPLY(b, name), 11) })
	}
}

func benchmarkBuild(b *testing.B, voxels []placed, depth int) {
	var tree *svo.Tree
	for b.Loop() {
		builder := svo.NewBuilder(depth)
		for i := range voxels {
			v := &voxels[i]
			if err := builder.Add(v.x, v.y, v.z, v.Voxel); err != nil {
				b.Fatal(err)
			}
		}
		var err error
		if tree, err = builder.Build(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(tree.Bytes())/float64(tree.Voxels()), "bytes/voxel")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(voxels)), "ns/voxel")
}

// shell is a sphere's surface, in an order that has nothing to do with Morton's.
func shell(n int) []placed {
	random := rand.New(rand.NewPCG(1, 2))
	voxels := make([]placed, n)
	for i := range voxels {
		z := 2*random.Float64() - 1
		sin, cos := math.Sincos(2 * math.Pi * random.Float64())
		r := math.Sqrt(1 - z*z)
		voxels[i] = placed{uint32(1024 + 1000*r*cos), uint32(1024 + 1000*r*sin), uint32(1024 + 1000*z),
			svo.Voxel{Colour: svo.Colour{uint8(i), uint8(i >> 8), uint8(i >> 16)}}}
	}
	return voxels
}

func scattered(n, depth int) []placed {
	random := rand.New(rand.NewPCG(1, 2))
	voxels := make([]placed, n)
	for i := range voxels {
		at := func() uint32 { return random.Uint32N(1 << depth) }
		voxels[i] = placed{at(), at(), at(), svo.Voxel{Colour: svo.Colour{uint8(i), uint8(i >> 8), uint8(i >> 16)}}}
	}
	return voxels
}

// readPLY reads float x, y, z and uchar r, g, b a point.
func readPLY(b *testing.B, name string) []placed {
	file, err := os.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	r := bufio.NewReaderSize(file, 1<<20)
	for line := ""; strings.TrimSpace(line) != "end_header"; {
		if line, err = r.ReadString('\n'); err != nil {
			b.Fatal(err)
		}
	}
	var voxels []placed
	var point [15]byte
	for {
		if _, err := io.ReadFull(r, point[:]); err == io.EOF {
			return voxels
		} else if err != nil {
			b.Fatal(err)
		}
		at := func(i int) uint32 {
			return uint32(math.Float32frombits(binary.LittleEndian.Uint32(point[4*i:])))
		}
		voxels = append(voxels, placed{at(0), at(1), at(2), svo.Voxel{Colour: svo.Colour(point[12:])}})
	}
}

func BenchmarkValidate(b *testing.B) {
	builder := svo.NewBuilder(11)
	for _, v := range shell(2_000_000) {
		if err := builder.Add(v.x, v.y, v.z, v.Voxel); err != nil {
			b.Fatal(err)
		}
	}
	tree, err := builder.Build(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := tree.Validate(); err != nil {
			b.Fatal(err)
		}
	}
}
