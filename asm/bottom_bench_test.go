package asm

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkDrawBottoms draws four bottom nodes of eight bricks each, side by side,
// in windows with so many open pixels each.
func BenchmarkDrawBottoms(b *testing.B) {
	for _, k := range Offered() {
		for _, open := range []int{1, 8, 64} {
			b.Run(fmt.Sprintf("%v/%d", k.Kernel, open), func(b *testing.B) { benchmarkBottoms(b, k, open) })
		}
	}
}

func benchmarkBottoms(b *testing.B, k Kernels, open int) {
	const nodes = 4
	random := rand.New(rand.NewPCG(1, 2))
	cells := uint64(0)
	for _, i := range random.Perm(64)[:open] {
		cells |= 1 << i
	}
	n, o, batch := benchBottoms(random)
	c := &Canvas{Width: 32, Height: 32 + 2*Pad + 8, Seen: make([]Ref, 32*32)}
	c.Cells = make([]uint8, ((32+2*Pad+7)/8+2)*c.Height+8)
	for b.Loop() {
		for strip := Pad / 8; strip < (Pad+32)/8; strip++ {
			for y := Pad + 8; y < Pad+24; y += 8 {
				binary.LittleEndian.PutUint64(c.Cells[strip*c.Height+y:], cells)
			}
		}
		n.Todo, n.NextRecord, n.NextPatch = 1<<nodes-1, 1, 0
		k.DrawBottoms(c, batch, n, o)
	}
	if n.Opened == 0 || n.Todo != 0 {
		b.Fatalf("%d nodes drawn, %b left", n.Opened, n.Todo)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*nodes), "ns/node")
}

// benchBottoms are octants 0 to 3 of a node, each with eight bricks that are about
// three quarters full and some four pixels wide.
func benchBottoms(random *rand.Rand) (*Bottoms, *Offsets, *Batch) {
	n := &Bottoms{
		Nodes: make([]uint64, 4), Bricks: make([]uint64, 9), Leaves: make([]uint64, 9),
		Records: make([]Record, 100), Patches: make([]Patch, 20), Colours: make([]uint8, 1000),
		Columns: benchSheaf(1), Rows: benchSheaf(2),
		Mask: 0xf, Only: 0xff, Pixels: ^uint64(0), Limit: 100, H: 1, PerH: 1, CX: Pad, CY: Pad,
	}
	for i := range n.Nodes {
		n.Nodes[i] = 1<<8 | 0xff
	}
	for i := range n.Bricks {
		n.Bricks[i] = random.Uint64() | random.Uint64()
	}
	var o Offsets
	for i := range 8 {
		o.DX[i], o.DY[i], o.DZ[i] = float32(i&1*4-2), float32(i>>1&1*4-2), .01*float32(i>>2&1*2-1)
	}
	var batch Batch
	for i := range 4 {
		x, y := int32(3+11*(i&1)), int32(8+8*(i>>1))
		batch.X[i], batch.Y[i], batch.Z[i] = float32(x)+4, float32(y)+4, 1
		batch.X0[i], batch.X1[i], batch.Y0[i], batch.Y1[i] = x, x+8, y, y+8
	}
	return n, &o, &batch
}

// benchSheaf is one line of sight, along which octants lie apart by one bit of
// their number.
func benchSheaf(apart int) *Sheaf {
	s := &Sheaf{Generation: 7, Tables: make([]Table, 1), Lines: make([]Line, 1)}
	line := &s.Lines[0]
	line.Width, line.Made, line.Step = 64, s.Generation, 45*StepUnit
	for i := range line.Spans {
		first := Places/2 - 87 - 32
		if i>>3&apart != 0 {
			first += 116
		}
		if i&apart != 0 {
			first += 58
		}
		line.Spans.Cover(i, first)
	}
	makeTableGo(&s.Tables[0], line)
	return s
}
