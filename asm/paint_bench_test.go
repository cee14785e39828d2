package asm

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkPaint paints a row of 64 pixels, in runs of so many, again and again:
// what is measured is arithmetic, not memory.
func BenchmarkPaint(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	l := Ledger{Records: make([]Record, 200), Patches: make([]Patch, 30)}
	p := Paint{Colours: make([]uint8, 3*20000), Depth: 12, Slope: [3]float32{.5, .3, .2}, Turn: [3]float32{.01, -.01, .02}}
	for i := range l.Records {
		l.Records[i] = Record{Leaves: random.Uint64(), ID: random.Uint32N(19000), Place: random.Uint32N(30)<<3 | random.Uint32N(8)}
	}
	for i := range l.Patches {
		l.Patches[i] = NewPatch([3]int32{random.Int32N(1 << 12), random.Int32N(1 << 12), random.Int32N(1 << 12)}, 1, 7+random.IntN(2), Bricks)
	}
	refs := make([]Ref, MaxSight)
	for i := range refs {
		refs[i] = Ref(1+random.Uint32N(199))<<6 | Ref(random.Uint32N(64))
	}
	pixels := make([]uint32, MaxSight)
	var s Sight
	for _, k := range Offered() {
		b.Run(fmt.Sprintf("look/%v", k.Kernel), func(b *testing.B) {
			for b.Loop() {
				k.Look(&s, &l, refs, 1)
			}
		})
		for _, n := range []int{64, 16, 4} {
			b.Run(fmt.Sprintf("paint/%v/%d", k.Kernel, n), func(b *testing.B) {
				for b.Loop() {
					for i := 0; i < MaxSight; i += n {
						k.PaintRun(&p, &s, i, pixels[i:i+n], int32(i))
					}
				}
			})
		}
	}
}
