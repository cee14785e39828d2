package render

import (
	"encoding/binary"
	"math/bits"

	"github.com/cfef80af/eightfold/ortho"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/svo"
)

// A tile is painted block by block: what the pixels of a block see lies close
// together, and is still in the cache for the next row.
const blockSide = 16

// painter turns what pixels see into colours. It first finds out which node each
// pixel of a block sees and how much light it gets, then looks up the colours:
// these are scattered over the tree's memory, and side by side the look-ups wait
// together. This is done for every pixel of every frame, and written for speed:
// what follows from the record is found anew for each pixel, since a branch on
// whether it has changed would be guessed wrong half the time.
type painter struct {
	instance int32 // at hand, -1 for none
	tree     *svo.Tree
	lights   [6]light       // of the instance's faces
	row      int            // of pixels, -1 for none
	rays     project.RayRow // of the instance and the row

	// The pixels whose colours are still to be looked up in tree.
	n    int
	ids  [blockSide * blockSide]uint32
	lit  [blockSide * blockSide]light
	puts [blockSide * blockSide]int // where the pixel lies in the picture's bytes
}

// paint writes the colours of a tile.
func (r *Renderer) paint(t *traverser, tile ortho.Rect) {
	p := &t.painter
	p.instance, p.row = -1, -1
	for top := tile.Y0; top < tile.Y1; top += blockSide {
		for left := tile.X0; left < tile.X1; left += blockSide {
			for y := top; y < min(top+blockSide, tile.Y1); y++ {
				r.lookRow(t, left, min(left+blockSide, tile.X1), y)
			}
			p.flush(r)
		}
	}
}

// lookRow finds out what the pixels x0 to x1-1 of a row see.
func (r *Renderer) lookRow(t *traverser, x0, x1, y int) {
	p := &t.painter
	records, patches := t.canvas.Records, t.canvas.Patches
	b := r.options.Background
	background := uint32(b.R) | uint32(b.G)<<8 | uint32(b.B)<<16 | uint32(b.A)<<24
	put := 4 * (y*r.options.Width + x0)
	first := p.n
	for i, ref := range t.canvas.SeenRow(y)[x0-t.canvas.Rect.X0 : x1-t.canvas.Rect.X0] {
		if ref == 0 {
			binary.LittleEndian.PutUint32(r.frame.Colour.Pix[put+4*i:], background)
			continue
		}
		record := &records[ref>>6]
		patch := &patches[record.Place>>3]
		if patch.Instance != p.instance || y != p.row {
			t.stats.Pixels += p.n - first
			p.turnTo(r, patch.Instance, y)
			first = p.n
		}
		id, l := p.look(r, record, patch, int32(ref&63), x0+i)
		n := p.n & (len(p.ids) - 1) // in range as it is; this spares the checks
		p.ids[n], p.lit[n], p.puts[n] = id, l, put+4*i
		p.n = n + 1
	}
	t.stats.Pixels += p.n - first
}

// turnTo takes up another instance or row.
func (p *painter) turnTo(r *Renderer, instance int32, y int) {
	if instance != p.instance {
		p.flush(r)
		p.instance, p.tree = instance, r.trees[instance]
		for face := range p.lights {
			p.lights[face] = r.lights[instance][face].light
		}
	}
	p.row, p.rays = y, r.poses[instance].Rays.Row(y)
}

// look finds the node that pixel x of the row sees and how much light it gets.
func (p *painter) look(r *Renderer, record *ortho.Record, patch *ortho.Patch, part int32, x int) (id uint32, l light) {
	id = record.ID
	octant, edge := int32(record.Place&7), int32(1)<<((p.tree.Depth-int(patch.Level))&31)
	lowX, lowY, lowZ := patch.Low[0], patch.Low[1], patch.Low[2]
	switch patch.Kind {
	case ortho.Leaves:
		if r.options.Shading == ShadeFlat && p.tree.Normals == nil {
			return id, p.lights[part]
		}
	case ortho.Bricks, ortho.SharedBricks:
		if patch.Kind == ortho.Bricks {
			id += uint32(bits.OnesCount64(record.Leaves & (1<<part - 1)))
		} else {
			id = p.tree.Nodes[p.tree.Nodes[id].Child(int(part>>3))].Child(int(part & 7))
		}
		// The bits of the patch's octant, its octant, and its octant's.
		edge >>= 3
		lowX += edge * (octant&1<<2 | part>>3&1<<1 | part&1)
		lowY += edge * (octant>>1&1<<2 | part>>4&1<<1 | part>>1&1)
		lowZ += edge * (octant>>2<<2 | part>>5<<1 | part>>2&1)
	case ortho.HalfBricks:
		id += uint32(bits.OnesCount64(record.Leaves&(1<<(part&^7)-1))) / 8
		edge >>= 2
		lowX += edge * (octant&1<<1 | part>>3&1)
		lowY += edge * (octant>>1&1<<1 | part>>4&1)
		lowZ += edge * (octant>>2<<1 | part>>5)
	}
	if r.options.Shading == ShadeNone {
		return id, fullLight
	}
	if p.tree.Normals != nil {
		if n, ok := r.storedNormal(p.tree, id, p.instance); ok {
			return id, n.light
		}
		if patch.Kind == ortho.Leaves {
			return id, p.lights[part]
		}
	}
	return id, p.lights[p.rays.Face(float64(lowX), float64(lowY), float64(lowZ), float64(edge), x)]
}

// flush looks up the colours of the pixels at hand and writes them.
func (p *painter) flush(r *Renderer) {
	if p.n == 0 {
		return
	}
	pix, colours := r.frame.Colour.Pix, p.tree.Colours
	for i, id := range p.ids[:p.n] {
		binary.LittleEndian.PutUint32(pix[p.puts[i]:], shade(colours[id], p.lit[i]))
	}
	p.n = 0
}
