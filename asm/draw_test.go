package asm

import (
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// testCanvas is a canvas of random open pixels; those see nothing, the others noise.
func testCanvas(random *rand.Rand, width, height int) *Canvas {
	c := &Canvas{Width: width, Height: (height + 2*Pad + 8 + 7) &^ 7, X: 256, Y: 512}
	c.Cells = make([]uint8, ((width+2*Pad+7)/8+2)*c.Height+8)
	share := random.IntN(5)
	for y := range height {
		for x := range width {
			if random.IntN(4) >= share {
				c.Cells[(x+Pad)>>3*c.Height+y+Pad] |= 1 << (x & 7)
			}
		}
	}
	c.Seen = make([]Ref, width*height)
	for i := range c.Seen {
		x, y := i%width+Pad, i/width+Pad
		if c.Cells[x>>3*c.Height+y]>>(x&7)&1 == 0 {
			c.Seen[i] = Ref(random.Uint32())
		}
	}
	return c
}

func (c *Canvas) clone() *Canvas {
	d := *c
	d.Cells, d.Seen = slices.Clone(c.Cells), slices.Clone(c.Seen)
	return &d
}

func sources(t *rapid.T) *rand.Rand {
	return rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
}

// randomLine has random spans that stay inside a table.
func randomLine(random *rand.Rand) (l Line) {
	l.Width = uint8(random.IntN(80))
	for i := range l.Spans {
		l.Spans.Cover(i, 1+random.IntN(Places-2-int(l.Width)))
	}
	return l
}

func TestTablesGiveTheBytesOfTheirTwin(t *testing.T) {
	for _, k := range Offered() {
		if k.MakeTable == nil {
			continue
		}
		t.Run(k.Kernel.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				l := randomLine(sources(t))
				var want, got Table
				makeTableGo(&want, &l)
				k.MakeTable(&got, &l)
				require.Equal(t, want, got)
			})
		})
	}
}

// A table says of each leaf and place what its span says.
func TestTablesAreSpans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := randomLine(sources(t))
		var table Table
		makeTableGo(&table, &l)
		for n := range Places {
			for leaf, behind := range l.Spans {
				require.Equal(t, behind+uint8(n) <= l.Width, table[n]>>leaf&1 != 0)
			}
		}
		require.Zero(t, table[0])
		require.Zero(t, table[Places-1])
	})
}

func TestBottomsGiveTheBytesOfTheirTwin(t *testing.T) {
	for _, k := range Offered() {
		t.Run(k.Kernel.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { checkBottoms(t, k) })
		})
	}
}

// randomSheaf is a sheaf of a few tables, some of which may not be made.
func randomSheaf(random *rand.Rand) *Sheaf {
	s := &Sheaf{Generation: 7, PerPixel: random.Float32(), Middle: 3 * random.Float32(), Last: 3}
	s.Tables, s.Lines = make([]Table, 4), make([]Line, 4)
	for i := range s.Tables {
		line := randomLine(random)
		line.Made, line.Step = 7, oddNumber(random, 30*StepUnit)
		makeTableGo(&s.Tables[i], &line)
		s.Lines[i] = line
	}
	if random.IntN(8) == 0 {
		s.Lines[random.IntN(4)].Made = 6
	}
	return s
}

// oddNumber is about as large as usual; now and then it is out of the range of
// numbers.
func oddNumber(random *rand.Rand, usual float32) float32 {
	if random.IntN(12) == 0 {
		return []float32{0, 1, -1, 1e5, 1e9, float32(math.Inf(1)), float32(math.NaN())}[random.IntN(7)]
	}
	return usual * (.2 + 2*random.Float32())
}

// randomBottoms are bottom nodes on a canvas, for places that are mostly on it.
func randomBottoms(random *rand.Rand) (canvas *Canvas, n Bottoms, o Offsets) {
	canvas = testCanvas(random, 1+random.IntN(60), 1+random.IntN(60))
	for i := range 8 {
		o.DX[i], o.DY[i], o.DZ[i] = random.Float32()*40-20, random.Float32()*40-20, random.Float32()-.5
	}
	n = Bottoms{
		Nodes: make([]uint64, 40), Bricks: make([]uint64, 40), Leaves: make([]uint64, 40),
		Records: make([]Record, 140), Patches: make([]Patch, 20), Colours: make([]uint8, 30),
		Columns: randomSheaf(random), Rows: randomSheaf(random),
		First: random.Uint32N(4), Mask: random.Uint32N(256), Only: 0xff, Pixels: ^uint64(0), Nearest: random.Uint32N(8),
		Limit: oddNumber(random, 9), H: random.Float32(), PerH: oddNumber(random, 1),
		CX: Pad, CY: Pad,
		Low: [3]int32{random.Int32(), random.Int32(), random.Int32()}, Edge: 1 << random.Int32N(20), Info: random.Uint32(),
		NextRecord: 1 + random.Uint32N(30), NextPatch: random.Uint32N(8),
	}
	if random.IntN(3) == 0 {
		n.Only, n.Pixels = random.Uint32N(256), random.Uint64()|random.Uint64()
	}
	if random.IntN(4) == 0 {
		n.Fine = 1
	}
	if random.IntN(2) == 0 {
		n.IDs, n.IDFrom = make([]uint32, 40), random.Uint32N(3)
		for i := range n.IDs {
			n.IDs[i] = random.Uint32()
		}
	}
	if random.IntN(3) == 0 {
		if n.Half = 1; random.IntN(2) == 0 {
			n.IDs, n.IDFrom = make([]uint32, 40), 0
		} else {
			n.IDs = nil
		}
	}
	for i := range n.Bricks {
		n.Bricks[i], n.Leaves[i] = random.Uint64()&random.Uint64()&random.Uint64(), random.Uint64()
		if random.IntN(6) == 0 {
			n.Bricks[i] = 0
		}
	}
	for i := range n.Nodes {
		n.Nodes[i] = uint64(3+random.Uint32N(20))<<8 | uint64(random.Uint32N(256))
		if n.Half != 0 {
			n.Nodes[i] = n.Nodes[i]&^0xff | uint64(nonZeroBytes(n.Bricks[i]))
		}
	}
	return canvas, n, o
}

func checkBottoms(t *rapid.T, k Kernels) {
	random := sources(t)
	canvas, n, o := randomBottoms(random)
	height := len(canvas.Seen) / canvas.Width
	var b Batch
	for i := range 8 {
		n.Todo |= (n.Mask >> (uint32(i) ^ n.Nearest) & 1) << i
		b.Z[i] = .6 + 2*random.Float32()
		x, y := random.IntN(canvas.Width), random.IntN(height)
		b.X0[i], b.X1[i] = int32(256+x), int32(256+min(x+1+random.IntN(9), canvas.Width))
		b.Y0[i], b.Y1[i] = int32(512+y), int32(512+min(y+1+random.IntN(9), height))
		b.X[i] = (float32(x) + 8*random.Float32()) * b.Z[i]
		b.Y[i] = (float32(y) + 8*random.Float32()) * b.Z[i]
		b.Size[i] = 4 * random.Float32()
		if random.IntN(20) == 0 {
			b.X[i], b.Y[i], b.Z[i] = oddNumber(random, 3), oddNumber(random, 3), oddNumber(random, 1)
		}
	}
	if random.IntN(2) == 0 {
		n.Todo &= random.Uint32()
	}
	wantCanvas, gotCanvas, want, got := canvas.clone(), canvas.clone(), n.clone(), n.clone()
	drawBottomsGo(wantCanvas, &b, &want, &o)
	k.DrawBottoms(gotCanvas, &b, &got, &o)
	requireSameBottoms(t, &want, &got)
	require.Equal(t, wantCanvas, gotCanvas)
}

func (n Bottoms) clone() Bottoms {
	n.Records, n.Patches = slices.Clone(n.Records), slices.Clone(n.Patches)
	return n
}

func requireSameBottoms(t *rapid.T, want, got *Bottoms) {
	// Records behind the last may have been tried.
	require.Equal(t, want.Records[:want.NextRecord], got.Records[:want.NextRecord])
	want.Records, got.Records = nil, nil
	// What is not a number differs from itself.
	for _, n := range []*Bottoms{want, got} {
		n.Columns, n.Rows, n.Limit, n.PerH = nil, nil, 0, 0
	}
	require.Equal(t, want, got)
}

func TestParentsGiveTheBytesOfTheirTwin(t *testing.T) {
	for _, k := range Offered() {
		t.Run(k.Kernel.String(), func(t *testing.T) {
			drawn, left := 0, 0
			for try := 0; try < 20 && (drawn == 0 || left == 0); try++ {
				rapid.Check(t, func(t *rapid.T) {
					n := checkParents(t, k)
					drawn, left = drawn+int(n.Drawn), left+int(n.Todo)
				})
			}
			require.Positive(t, drawn)
			require.Positive(t, left)
		})
	}
}

// checkParents returns what was drawn.
func checkParents(t *rapid.T, k Kernels) Bottoms {
	random := sources(t)
	canvas, n, o := randomBottoms(random)
	height := len(canvas.Seen) / canvas.Width
	n.Records, n.Patches = make([]Record, 600), make([]Patch, 100)
	// Octants of octants some ten pixels wide, about the middle of the canvas.
	const focal, depth = 300, 10
	lens := Lens{
		RX: 1.2 * focal, RY: 1.2 * focal, RZ: 1.2, Near: .01, Margin: 1. / 512, OrthoError: .25, LOD: 1, LODPixels: 1,
		CX: 256 + float32(canvas.Width)/2, CY: 512 + float32(height)/2,
		ClipX0: 256, ClipX1: int32(256 + canvas.Width), ClipY0: 512, ClipY1: int32(512 + height),
		AX: [3]float32{focal, 20, 20}, AY: [3]float32{-20, focal, 20}, AZ: [3]float32{.1, .1, 1},
	}
	if random.IntN(8) == 0 {
		lens.Near = depth
	}
	n.CX, n.CY, n.PerH = Pad+float32(canvas.Width)/2, Pad+float32(height)/2, n.PerH/depth
	h := .05 + .2*random.Float32()
	var octants [8][3]float64
	p := Parents{
		Lens: &lens, Octants: &octants, Half: 2 * float64(h), H: h, Limit: oddNumber(random, 9), Centre: [3]float64{0, 0, depth},
		First: random.Uint32N(3), Mask: random.Uint32N(256), Low: n.Low, Info: n.Info, Edge: 2 * n.Edge,
	}
	var g Batch
	for i := range 8 {
		p.Todo |= (p.Mask >> (uint32(i) ^ n.Nearest) & 1) << i
		for c, d := range [3]*[8]float32{&lens.DX, &lens.DY, &lens.DZ} {
			side := float64(i>>c&1*2 - 1)
			if octants[i][c] = side; c < 2 {
				octants[i][c] *= focal
			}
			d[i] = float32(octants[i][c])
		}
		x, y := random.IntN(canvas.Width), random.IntN(height)
		g.X0[i], g.X1[i] = int32(256+x), int32(256+min(x+random.IntN(30), canvas.Width))
		g.Y0[i], g.Y1[i] = int32(512+y), int32(512+min(y+random.IntN(30), height))
		g.Size[i] = p.Limit * (1.02 + .97*random.Float32())
		if random.IntN(12) == 0 {
			g.Size[i] = oddNumber(random, p.Limit)
		}
	}
	wantCanvas, gotCanvas, want, got := canvas.clone(), canvas.clone(), n.clone(), n.clone()
	wantParents, gotParents := p, p
	var wantBatch, gotBatch Batch
	drawParentsGo(wantCanvas, &g, &wantParents, &wantBatch, &want, &o)
	k.DrawParents(gotCanvas, &g, &gotParents, &gotBatch, &got, &o)
	wantParents.Limit, gotParents.Limit = 0, 0 // may be no number
	require.Equal(t, wantParents, gotParents)
	if wantParents.Opened > 0 {
		keepOctants(&wantBatch, uint8(want.Mask))
		keepOctants(&gotBatch, uint8(got.Mask))
	}
	sameBatch(t, "batch", &wantBatch, &gotBatch)
	requireSameBottoms(t, &want, &got)
	require.Equal(t, wantCanvas, gotCanvas)
	return want
}

// keepOctants clears all but some octants of a batch.
func keepOctants(b *Batch, octants uint8) {
	kept := Batch{
		Visible: b.Visible & octants, Behind: b.Behind & octants, Empty: b.Empty & octants,
		Small: b.Small & octants, SmallPixels: b.SmallPixels & octants, Ortho: b.Ortho & octants,
	}
	for ; octants != 0; octants &= octants - 1 {
		i := bits.TrailingZeros8(octants)
		kept.X[i], kept.Y[i], kept.Z[i], kept.Size[i] = b.X[i], b.Y[i], b.Z[i], b.Size[i]
		kept.X0[i], kept.X1[i], kept.Y0[i], kept.Y1[i] = b.X0[i], b.X1[i], b.Y0[i], b.Y1[i]
	}
	*b = kept
}

func TestLeavesGiveTheBytesOfTheirTwin(t *testing.T) {
	for _, k := range Offered() {
		t.Run(k.Kernel.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { checkLeaves(t, k) })
		})
	}
}

// nonZeroBytes has bit o set where byte o is not 0.
func nonZeroBytes(brick uint64) (mask uint8) {
	for o := range 8 {
		if uint8(brick>>(8*o)) != 0 {
			mask |= 1 << o
		}
	}
	return mask
}

func checkLeaves(t *rapid.T, k Kernels) {
	random := sources(t)
	height := 1 + random.IntN(60)
	width := 1 + random.IntN(60)
	if random.IntN(8) == 0 {
		width += 250
	}
	canvas := testCanvas(random, width, height)
	// A node about a pixel's ray, of any size on the screen; now and then numbers
	// that make no sense, and rays along the planes.
	number := func(usual float32) float32 {
		if random.IntN(24) == 0 {
			return []float32{0, 1, -1, 1e30, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())}[random.IntN(7)]
		}
		return usual
	}
	x, y := float32(256+random.IntN(canvas.Width)), float32(512+random.IntN(height))
	var rays Rays
	var leaves Leaves
	var batch Batch
	pixel := float32(math.Exp2(random.Float64()*8 - 6)) // in voxels
	parallel, odd := random.IntN(3) == 0, random.IntN(4) == 0
	for k := range 3 {
		rays.Origin[k], rays.Direction[k] = random.Float32()*4-2, random.Float32()*2-1
		if random.IntN(4) == 0 {
			rays.Origin[k] = float32(random.IntN(5) - 2)
		}
		if random.IntN(6) == 0 {
			rays.Direction[k] = 0
		}
		far := random.Float32() * 20
		right, down := (random.Float32()*2-1)*pixel, (random.Float32()*2-1)*pixel
		if parallel {
			rays.OriginRight[k], rays.OriginDown[k] = right, down
			leaves.Low[k] = rays.Origin[k] + x*right + y*down + rays.Direction[k]*far
		} else {
			rays.DirectionRight[k], rays.DirectionDown[k] = right/20, down/20
			rays.Direction[k] -= (x*right + y*down) / 20
			leaves.Low[k] = rays.Origin[k] + (rays.Direction[k]+(x*right+y*down)/20)*far
		}
		leaves.Low[k] = float32(math.Round(float64(leaves.Low[k] - 2)))
		if odd {
			rays.Origin[k], rays.Direction[k], leaves.Low[k] = number(rays.Origin[k]), number(rays.Direction[k]), number(leaves.Low[k])
			rays.DirectionRight[k], rays.OriginDown[k] = number(rays.DirectionRight[k]), number(rays.OriginDown[k])
		}
	}
	rays.First = []float32{0, float32(math.Copysign(0, -1)), float32(math.Inf(-1)), random.Float32() * 10}[random.IntN(4)]
	nearest := random.IntN(8)
	for i := range leaves.Order {
		leaves.Order[i] = uint8(i ^ nearest)
		x, y := 256+random.Int32N(int32(canvas.Width)), 512+random.Int32N(int32(height))
		batch.X0[i], batch.X1[i] = x, x+1+random.Int32N(256+int32(canvas.Width)-x)
		batch.Y0[i], batch.Y1[i] = y, y+1+random.Int32N(512+int32(height)-y)
	}
	leaves.Visit, leaves.Draw, leaves.Next = random.Uint32N(256), random.Uint64(), 1+random.Uint32N(1<<25-8)
	leaves.Open = random.Uint32()
	binary.LittleEndian.PutUint64(leaves.Seen[:], random.Uint64())
	leaves.Colours = make([]uint8, 300)
	if random.IntN(2) == 0 {
		leaves.Draw &= random.Uint64() & random.Uint64()
	}

	wantCanvas, gotCanvas, want, got := canvas.clone(), canvas.clone(), leaves, leaves
	drawLeavesGo(wantCanvas, &batch, &want, &rays)
	k.DrawLeaves(gotCanvas, &batch, &got, &rays)
	require.Equal(t, want.Seen, got.Seen)
	require.Equal(t, want.Open, got.Open)
	require.Equal(t, wantCanvas, gotCanvas)
}

// A pencil sees what its rays see one by one, also those that begin on planes of the
// node or within it, and those that pass its edges and corners.
func TestPencilsSeeWhatTheirRaysSee(t *testing.T) {
	var pencils, hits int
	rapid.Check(t, func(t *rapid.T) {
		random := sources(t)
		for range 30 {
			n, ok := checkPencil(t, random)
			hits += n
			if ok {
				pencils++
			}
		}
	})
	require.Greater(t, pencils, 50) // under the race detector there are fewer checks
	require.Greater(t, hits, 4*pencils)
}

// checkPencil tells how many pixels saw something; ok is false where the rays are no pencil.
func checkPencil(t *rapid.T, random *rand.Rand) (hits int, ok bool) {
	var rays Rays
	nodes := [2]leafNode{{draw: uint8(random.Uint32()), ref: 64}}
	for range random.IntN(4) { // leaves on one side only
		nodes[0].draw &= halves[random.IntN(3)][random.IntN(2)]
	}
	step, within := float32(math.Exp2(float64(-random.IntN(9)))), random.IntN(4) == 0
	for k := range 3 {
		nodes[0].low[k] = float32(random.IntN(9) - 4)
		if rays.Origin[k] = float32(random.IntN(5) - 2); random.IntN(2) == 0 { // else many depths are the same
			rays.Origin[k] = random.Float32()*12 - 6
		}
		if within {
			nodes[0].low[k] = float32(math.Floor(float64(rays.Origin[k]))) - float32(random.IntN(2))
		}
		rays.DirectionRight[k], rays.DirectionDown[k] = float32(random.IntN(3)-1)*step, float32(random.IntN(3)-1)*step
		aim := nodes[0].low[k] + float32(random.IntN(5))/2 - rays.Origin[k]
		rays.Direction[k] = aim - 7*rays.DirectionRight[k] - 9*rays.DirectionDown[k]
	}
	rays.First = []float32{0, float32(math.Copysign(0, -1)), random.Float32() * 2}[random.IntN(3)]
	nodes[1] = nodes[0]
	var p pencil
	const x, y, side = 3, 5, 8
	if !p.aim(&nodes[0], &rays, x, x+side, y, y+side, side*side) {
		return 0, false
	}
	open := random.Uint64()
	var got, want [64]Ref
	closed := nodes[0].drawPencil(&p, &rays, open, x, y, got[:], side)
	require.Equal(t, nodes[1].drawWindow(&rays, open, x, y, want[:], side), closed)
	require.Equal(t, want, got)
	require.Equal(t, nodes[1], nodes[0])
	return bits.OnesCount64(closed), true
}

// What a pixel sees is what a slab test in double precision says, but for rays that
// pass an edge more closely than single precision can tell.
func TestLeavesAreWhatTheRaysEnter(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	seen := 0
	for range 20_000 {
		var rays Rays
		node := leafNode{draw: uint8(random.Uint32())}
		for k := range 3 {
			node.low[k] = float32(random.IntN(21) - 10)
			rays.Direction[k], rays.Origin[k] = random.Float32()*2-1, random.Float32()*2-1
			if random.IntN(2) == 0 { // towards the node
				rays.Direction[k] = node.low[k] + 2*random.Float32() - rays.Origin[k]
			}
		}
		var row rayRow
		row.begin(&rays, 0)
		octant, face, hit := node.enter(&row, 0, 0)
		want, depth, close := slabs(&rays, &node)
		if close {
			continue
		}
		require.Equal(t, want >= 0, hit)
		if !hit {
			continue
		}
		require.EqualValues(t, want, octant)
		axis := face / 2
		plane := float64(node.low[axis]) + float64(octant>>axis&1) + float64(face&1)
		require.InDelta(t, plane, float64(rays.Origin[axis])+depth*float64(rays.Direction[axis]), 1e-9)
		require.Equal(t, face&1 != 0, rays.Direction[axis] < 0)
		seen++
	}
	require.Greater(t, seen, 1000)
}

// slabs is the leaf that pixel (0, 0)'s ray sees, -1 if none, and where it is
// entered; close tells that it passes some edge closely.
func slabs(r *Rays, n *leafNode) (octant int, depth float64, close bool) {
	octant, depth = -1, math.Inf(1)
	for o := range 8 {
		enter, leave := math.Inf(-1), math.Inf(1)
		for k := range 3 {
			low := float64(n.low[k]) + float64(o>>k&1) - float64(r.Origin[k])
			a, b := low/float64(r.Direction[k]), (low+1)/float64(r.Direction[k])
			enter, leave = max(enter, min(a, b)), min(leave, max(a, b))
		}
		close = close || math.Abs(enter-leave) < 1e-4*(1+math.Abs(enter)) || math.Abs(enter) < 1e-4
		if n.draw>>o&1 != 0 && enter > 0 && enter < leave && enter < depth {
			octant, depth = o, enter
		}
	}
	return octant, depth, close
}

func TestHalfBrick(t *testing.T) {
	for mask := range 256 {
		brick := HalfBrick(uint8(mask))
		for o := range 8 {
			require.Equal(t, uint8(mask>>o&1*0xff), uint8(brick>>(8*o)))
		}
	}
}

func TestPermuteMovesBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word, nearest := rapid.Uint64().Draw(t, "word"), rapid.Uint32Range(0, 7).Draw(t, "nearest")
		permuted := permute(word, nearest)
		for i := range uint32(64) {
			require.Equal(t, word>>(i^nearest*9)&1, permuted>>i&1)
		}
	})
}

func TestDrawingLayoutIsThatOfTheGenerator(t *testing.T) {
	var c Canvas
	require.EqualValues(t, 24, unsafe.Offsetof(c.Seen))
	require.EqualValues(t, 48, unsafe.Offsetof(c.Height))
	require.EqualValues(t, 64, unsafe.Offsetof(c.X))
	require.EqualValues(t, 2048, unsafe.Sizeof(Table{}))
	var n Bottoms
	require.EqualValues(t, 168, unsafe.Offsetof(n.Columns))
	require.EqualValues(t, 184, unsafe.Offsetof(n.IDFrom))
	require.EqualValues(t, 208, unsafe.Offsetof(n.Limit))
	require.EqualValues(t, 228, unsafe.Offsetof(n.Low))
	require.EqualValues(t, 244, unsafe.Offsetof(n.Edge))
	require.EqualValues(t, 248, unsafe.Offsetof(n.NextRecord))
	require.EqualValues(t, 272, unsafe.Offsetof(n.Seen))
	require.EqualValues(t, 276, unsafe.Offsetof(n.Half))
	require.EqualValues(t, 280, unsafe.Offsetof(n.Pixels))
	require.EqualValues(t, 288, unsafe.Offsetof(n.Fine))
	var p Parents
	require.EqualValues(t, 16, unsafe.Offsetof(p.Centre))
	require.EqualValues(t, 48, unsafe.Offsetof(p.H))
	require.EqualValues(t, 68, unsafe.Offsetof(p.Low))
	require.EqualValues(t, 84, unsafe.Offsetof(p.Edge))
	require.EqualValues(t, 112, unsafe.Offsetof(p.Last))
	var sheaf Sheaf
	require.EqualValues(t, 24, unsafe.Offsetof(sheaf.Lines))
	require.EqualValues(t, 48, unsafe.Offsetof(sheaf.PerPixel))
	require.EqualValues(t, 60, unsafe.Offsetof(sheaf.Generation))
	var line Line
	require.EqualValues(t, 64, unsafe.Offsetof(line.Step))
	require.EqualValues(t, 68, unsafe.Offsetof(line.Made))
	require.EqualValues(t, 72, unsafe.Offsetof(line.Width))
	require.EqualValues(t, 128, unsafe.Sizeof(line))
	var l Leaves
	require.EqualValues(t, 12, unsafe.Offsetof(l.Visit))
	require.EqualValues(t, 16, unsafe.Offsetof(l.Order))
	require.EqualValues(t, 24, unsafe.Offsetof(l.Draw))
	require.EqualValues(t, 32, unsafe.Offsetof(l.Seen))
	require.EqualValues(t, 40, unsafe.Offsetof(l.Next))
	require.EqualValues(t, 44, unsafe.Offsetof(l.Open))
	require.EqualValues(t, 48, unsafe.Offsetof(l.First))
	require.EqualValues(t, 80, unsafe.Offsetof(l.Colours))
	var r Rays
	require.EqualValues(t, 36, unsafe.Offsetof(r.Direction))
	require.EqualValues(t, 72, unsafe.Offsetof(r.First))
	require.EqualValues(t, 16, unsafe.Sizeof(Record{}))
}

func TestPaintGivesThePixelsOfItsTwin(t *testing.T) {
	for _, k := range Offered() {
		t.Run(k.Kernel.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { checkPaint(t, k) })
		})
	}
}

func checkPaint(t *rapid.T, k Kernels) {
	random := sources(t)
	l := Ledger{Records: make([]Record, 20), Patches: make([]Patch, 5)}
	p := Paint{Colours: make([]uint8, 3*200), Depth: 3 + random.Int32N(18), Background: random.Uint32()}
	for i := range p.Colours {
		p.Colours[i] = uint8(random.Uint32())
	}
	if random.IntN(2) == 0 {
		p.Shared = make([]uint32, 64*140)
		for i := range p.Shared {
			p.Shared[i] = random.Uint32N(200)
		}
	}
	for i := range l.Records {
		l.Records[i] = Record{Leaves: random.Uint64(), ID: random.Uint32N(136), Place: random.Uint32N(5)<<3 | random.Uint32N(8)}
	}
	for i := range l.Patches {
		low := [3]int32{random.Int32N(1 << 20), random.Int32N(1 << 20), random.Int32N(1 << 20)}
		kind := Kind(random.IntN(5))
		if random.IntN(3) == 0 {
			kind = LeafCubes
		}
		l.Patches[i] = NewPatch(low, random.Int32N(2), random.IntN(int(p.Depth)-2), kind)
	}
	odd := rapid.Bool().Draw(t, "odd numbers")
	for k := range 3 {
		p.Cell[k], p.Offset[k] = random.Int32N(1<<20), random.Float32()
		p.Slope[k], p.Turn[k] = random.Float32()-.5, (random.Float32()-.5)/100
		if random.IntN(2) == 0 {
			p.Move[k] = random.Float32() - .5
		}
		if odd {
			number := float32s()
			p.Offset[k], p.Move[k] = number.Draw(t, "offset"), number.Draw(t, "move")
			p.Slope[k], p.Turn[k] = number.Draw(t, "slope"), number.Draw(t, "turn")
		}
	}
	for i := range p.Light {
		p.Light[i] = random.Uint32N(1<<16 + 1)
	}
	refs := make([]Ref, random.IntN(MaxSight+1))
	empty := random.IntN(5)
	for i := range refs {
		if random.IntN(4) < empty {
			continue
		}
		refs[i] = Ref(1+random.Uint32N(19))<<6 | Ref(random.Uint32N(64))
		if l.Patches[l.Records[refs[i]>>6].Place>>3].Kind() == LeafCubes {
			refs[i] = refs[i]&^63 | Ref(random.Uint32N(8)<<3|random.Uint32N(6))
		}
	}
	var wanted, got Sight
	instance := random.Int32N(3) - 1
	wantOthers, wantNothing := lookGo(&wanted, &l, refs, instance)
	others, nothing := k.Look(&got, &l, refs, instance)
	require.Equal(t, wantOthers, others)
	require.Equal(t, wantNothing, nothing)
	for i, ref := range refs {
		require.Equal(t, wanted.Info[i], got.Info[i])
		if ref != 0 {
			require.Equal(t, wanted.ID[i], got.ID[i])
			require.Equal(t, wanted.Place[i], got.Place[i])
			require.Equal(t, wanted.at(i), got.at(i))
		}
	}

	begin := random.IntN(len(refs) + 1)
	end := begin + random.IntN(len(refs)-begin+1)
	want, pixels := make([]uint32, MaxSight+16), make([]uint32, MaxSight+16)
	for i := range want {
		want[i], pixels[i] = uint32(i), uint32(i)
	}
	x := random.Int32N(4000)
	paintRunGo(&p, &wanted, begin, want[begin:end], x)
	k.PaintRun(&p, &got, begin, pixels[begin:end], x)
	require.Equal(t, want, pixels)
}

func (s *Sight) at(i int) [3]int32 { return [3]int32{s.Low[0][i], s.Low[1][i], s.Low[2][i]} }

func TestPaintLayoutIsThatOfTheGenerator(t *testing.T) {
	var p Paint
	require.EqualValues(t, 24, unsafe.Offsetof(p.Shared))
	require.EqualValues(t, 48, unsafe.Offsetof(p.Light))
	require.EqualValues(t, 80, unsafe.Offsetof(p.Cell))
	require.EqualValues(t, 92, unsafe.Offsetof(p.Offset))
	require.EqualValues(t, 128, unsafe.Offsetof(p.Turn))
	require.EqualValues(t, 144, unsafe.Offsetof(p.Background))
	var s Sight
	require.EqualValues(t, 256, unsafe.Offsetof(s.Place))
	require.EqualValues(t, 512, unsafe.Offsetof(s.Low))
	require.EqualValues(t, 1280, unsafe.Offsetof(s.Info))
	var l Ledger
	require.EqualValues(t, 24, unsafe.Offsetof(l.Patches))
	require.EqualValues(t, 16, unsafe.Sizeof(Patch{}))
}
