package render

import (
	"encoding/binary"
	"math/bits"

	"github.com/cfef80af/eightfold/ortho"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/svo"
)

// painter turns what pixels see into colours. Pixels side by side often see
// parts of one record, so it keeps what follows from the record alone. This is
// done for every pixel of every frame; it is written for speed.
type painter struct {
	record   uint32 // the record at hand, 0 for none
	kind     ortho.Kind
	instance int32
	tree     *svo.Tree
	lights   *[6]faceLight
	id       uint32     // of the record's node
	node     svo.Node   // the same, where its octants are asked for
	leaves   uint64     // its brick, if firstLeaf is known
	first    uint32     // id of its first grandchild, if packed
	packed   bool       // grandchildren follow one another
	low      [3]float64 // its lower corner in voxels
	edge     float64    // size of its parts in voxels

	rays project.RayRow // of the instance, for the row at hand
	rowY int            // the row and the instance that rays are for
	rowI int32

	ref   ortho.Ref // the last pixel and its colour, where that is the same for all
	pixel uint32    // pixels that see the same part
}

// reset forgets what belongs to an earlier tile.
func (p *painter) reset() { p.record, p.rowY, p.ref = 0, -1, 0 }

// paintRow writes the colours of one row of a tile.
func (r *Renderer) paintRow(t *traverser, tile ortho.Rect, y int) {
	p := &t.painter
	seen := t.canvas.SeenRow(y)
	b := r.options.Background
	background := uint32(b.R) | uint32(b.G)<<8 | uint32(b.B)<<16 | uint32(b.A)<<24
	row := r.frame.Colour.Pix[4*(y*r.options.Width+tile.X0):]
	row = row[:4*len(seen)]
	pixels := 0
	for i, ref := range seen {
		colour := background
		if ref != 0 {
			pixels++
			if ref != p.ref {
				if uint32(ref>>6) != p.record {
					p.turnTo(r, &t.canvas, uint32(ref>>6))
				}
				p.paint(r, ref, tile.X0+i, y)
			}
			colour = p.pixel
		}
		binary.LittleEndian.PutUint32(row[4*i:], colour)
	}
	t.stats.Pixels += pixels
}

// turnTo looks up what the pixels that see a record have in common.
func (p *painter) turnTo(r *Renderer, c *ortho.Canvas, record uint32) {
	p.record = record
	entry := &c.Records[record]
	patch := &c.Patches[entry.Place>>3]
	p.kind, p.instance, p.id = patch.Kind, patch.Instance, entry.ID
	p.tree, p.lights = r.trees[p.instance], &r.lights[p.instance]
	level := int(patch.Level)
	low := patch.Low
	if p.kind == ortho.Bricks || p.kind == ortho.HalfBricks {
		octant := int(entry.Place & 7)
		half := int32(1) << (p.tree.Depth - level - 1)
		low[0] += half * int32(octant&1)
		low[1] += half * int32(octant>>1&1)
		low[2] += half * int32(octant>>2&1)
		p.edge = float64(half) / 4
		if p.kind == ortho.HalfBricks {
			p.edge *= 2
			_, p.node = p.tree.Child(patch.ID, p.tree.Nodes[patch.ID], level, octant)
		} else {
			p.node = p.tree.Nodes[p.id]
			p.packed = p.tree.FirstLeaf != nil && level+1 == p.tree.Depth-2
			if p.packed {
				p.leaves = p.tree.Bricks[p.id]
				p.first = p.tree.FirstLeaf[int(p.id)-(len(p.tree.Nodes)-len(p.tree.FirstLeaf))]
			}
		}
	} else {
		p.edge = float64(int32(1) << (p.tree.Depth - level))
	}
	p.low = [3]float64{float64(low[0]), float64(low[1]), float64(low[2])}
}

// paint finds the colour of pixel (x, y), which sees a part of the record.
func (p *painter) paint(r *Renderer, ref ortho.Ref, x, y int) {
	part := int(ref & 63)
	id, face := p.id, -1
	low := p.low
	switch p.kind {
	case ortho.Bricks:
		switch {
		case p.packed:
			id = p.first + uint32(bits.OnesCount64(p.leaves&(1<<part-1)))
		default:
			id = p.tree.Nodes[p.node.Child(part>>3)].Child(part & 7)
		}
		// Bits of the octant, twice as far apart as those of its octant.
		low[0] += p.edge * float64(part>>3&1<<1|part&1)
		low[1] += p.edge * float64(part>>4&1<<1|part>>1&1)
		low[2] += p.edge * float64(part>>5<<1|part>>2&1)
	case ortho.HalfBricks:
		id = p.node.Child(part >> 3)
		low[0] += p.edge * float64(part>>3&1)
		low[1] += p.edge * float64(part>>4&1)
		low[2] += p.edge * float64(part>>5)
	case ortho.Leaves:
		face = part
	}
	colour := p.tree.Colours[id]
	if r.options.Shading == ShadeNone {
		p.ref, p.pixel = ref, uint32(colour[0])|uint32(colour[1])<<8|uint32(colour[2])<<16|opaque
		return
	}
	if p.tree.Normals != nil {
		if n, ok := r.storedNormal(p.tree, id, p.instance); ok {
			p.ref, p.pixel = ref, shade(colour, n.light)
			return
		}
	}
	if face >= 0 {
		p.ref, p.pixel = ref, shade(colour, p.lights[face].light)
		return
	}
	// The face may change from pixel to pixel.
	if p.rowY != y || p.rowI != p.instance {
		p.rays, p.rowY, p.rowI = r.poses[p.instance].Rays.Row(y), y, p.instance
	}
	p.ref, p.pixel = 0, shade(colour, p.lights[p.rays.Face(low, p.edge, x)].light)
}
