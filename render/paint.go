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

// painter turns what pixels see into colours. Pixels side by side often see
// parts of one record, so it keeps what follows from the record alone. It first
// finds out which node each pixel of a block sees and how much light it gets,
// then looks up the colours: these are scattered over the tree's memory, and
// side by side the look-ups wait together. This is done for every pixel of
// every frame, and written for speed.
type painter struct {
	record   uint32 // the record at hand, 0 for none
	kind     ortho.Kind
	instance int32 // -1 for none
	leaves   uint64
	id       uint32  // of the node, or of a brick's first leaf
	x, y, z  float64 // lower corner of the node or brick, in voxels
	edge     float64 // size of the node, or of a brick's leaves
	tree     *svo.Tree
	lights   [6]light       // of the instance's faces
	row      int            // of pixels
	rays     project.RayRow // of the instance, for that row

	// The pixels whose colours are still to be looked up in tree.
	n    int
	ids  [blockSide * blockSide]uint32
	lit  [blockSide * blockSide]light
	puts [blockSide * blockSide]int // where the pixel lies in the picture's bytes
}

// paint writes the colours of a tile.
func (r *Renderer) paint(t *traverser, tile ortho.Rect) {
	p := &t.painter
	p.instance = -1
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
	p.record, p.row = 0, y
	b := r.options.Background
	background := uint32(b.R) | uint32(b.G)<<8 | uint32(b.B)<<16 | uint32(b.A)<<24
	put := 4 * (y*r.options.Width + x0)
	for i, ref := range t.canvas.SeenRow(y)[x0-t.canvas.Rect.X0 : x1-t.canvas.Rect.X0] {
		if ref == 0 {
			binary.LittleEndian.PutUint32(r.frame.Colour.Pix[put+4*i:], background)
			continue
		}
		if uint32(ref>>6) != p.record {
			p.turnTo(r, &t.canvas, uint32(ref>>6))
		}
		p.ids[p.n], p.lit[p.n] = p.look(r, int(ref&63), x0+i)
		p.puts[p.n] = put + 4*i
		p.n++
		t.stats.Pixels++
	}
}

// turnTo looks up what the pixels that see a record have in common.
func (p *painter) turnTo(r *Renderer, c *ortho.Canvas, record uint32) {
	newRow := p.record == 0
	p.record = record
	entry := &c.Records[record]
	patch := &c.Patches[entry.Place>>3]
	if patch.Instance != p.instance {
		p.flush(r)
		p.instance, p.tree, newRow = patch.Instance, r.trees[patch.Instance], true
		for face := range p.lights {
			p.lights[face] = r.lights[p.instance][face].light
		}
	}
	if newRow {
		p.rays = r.poses[p.instance].Rays.Row(p.row)
	}
	p.kind, p.leaves, p.id = patch.Kind, entry.Leaves, entry.ID
	edge := int32(1) << (p.tree.Depth - int(patch.Level))
	x, y, z := patch.Low[0], patch.Low[1], patch.Low[2]
	if p.kind != ortho.Single {
		octant := int32(entry.Place & 7)
		edge >>= 1
		x += edge * (octant & 1)
		y += edge * (octant >> 1 & 1)
		z += edge * (octant >> 2)
	}
	p.x, p.y, p.z, p.edge = float64(x), float64(y), float64(z), float64(edge)
	switch p.kind {
	case ortho.Bricks, ortho.SharedBricks:
		p.edge /= 4
	case ortho.HalfBricks:
		p.edge /= 2
	}
}

// look finds the node that pixel x of the row sees, a part of the record, and
// how much light it gets.
func (p *painter) look(r *Renderer, part, x int) (id uint32, l light) {
	id = p.id
	lowX, lowY, lowZ := p.x, p.y, p.z
	switch p.kind {
	case ortho.Bricks, ortho.SharedBricks:
		if p.kind == ortho.Bricks {
			id += uint32(bits.OnesCount64(p.leaves & (1<<part - 1)))
		} else {
			id = p.tree.Nodes[p.tree.Nodes[id].Child(part>>3)].Child(part & 7)
		}
		// Bits of the octant, twice as far apart as those of its octant.
		lowX += p.edge * float64(part>>3&1<<1|part&1)
		lowY += p.edge * float64(part>>4&1<<1|part>>1&1)
		lowZ += p.edge * float64(part>>5<<1|part>>2&1)
	case ortho.HalfBricks:
		id += uint32(bits.OnesCount64(p.leaves&(1<<(part&^7)-1))) / 8
		lowX += p.edge * float64(part>>3&1)
		lowY += p.edge * float64(part>>4&1)
		lowZ += p.edge * float64(part>>5)
	}
	if r.options.Shading == ShadeNone {
		return id, fullLight
	}
	if p.tree.Normals != nil {
		if n, ok := r.storedNormal(p.tree, id, p.instance); ok {
			return id, n.light
		}
	}
	if p.kind == ortho.Leaves {
		return id, p.lights[part]
	}
	return id, p.lights[p.rays.Face(lowX, lowY, lowZ, p.edge, x)]
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
