package render

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/ortho"
	"github.com/cfef80af/eightfold/svo"
)

// blockSide is the side of the blocks in which a tile is painted: what the
// pixels of a block see lies close together, and is still in the cache for the
// next row.
const blockSide = 16

// painter turns what pixels see into colours, eight pixels at a time, by a
// kernel that paints one instance. The other instances that the eight see are
// painted in turn, those that the kernel can't paint pixel by pixel.
type painter struct {
	paint    asm.Paint
	instance int32 // that paint is set up for, -1 for none
	row      int   // the row of pixels, likewise
	single   bool  // the instance is painted pixel by pixel
	refs     [8]asm.Ref
	pixels   [8]uint32
}

// paint writes the colours of a tile.
func (r *Renderer) paint(t *traverser, tile ortho.Rect) {
	p := &t.painter
	p.instance = -1
	p.paint.Records, p.paint.Patches = t.canvas.Records, t.canvas.Patches
	b := r.options.Background
	p.paint.Background = uint32(b.R) | uint32(b.G)<<8 | uint32(b.B)<<16 | uint32(b.A)<<24
	for top := tile.Y0; top < tile.Y1; top += blockSide {
		for left := tile.X0; left < tile.X1; left += blockSide {
			for y := top; y < min(top+blockSide, tile.Y1); y++ {
				for x := left; x < min(left+blockSide, tile.X1); x += 8 {
					r.paintEight(t, x, min(x+8, tile.X1), y)
				}
			}
		}
	}
}

// paintEight paints the pixels x0 to x1-1, at most eight, of a row.
func (r *Renderer) paintEight(t *traverser, x0, x1, y int) {
	p := &t.painter
	p.refs = [8]asm.Ref{}
	todo := uint32(0) // pixels that see something and are not painted yet
	for i, ref := range t.canvas.SeenRow(y)[x0-t.canvas.Rect.X0 : x1-t.canvas.Rect.X0] {
		p.refs[i] = ref
		if ref != 0 {
			todo |= 1 << i
		}
	}
	t.stats.Pixels += bits.OnesCount32(todo)
	if todo != 0xff {
		for i := range p.pixels {
			p.pixels[i] = p.paint.Background
		}
	}
	for todo != 0 {
		i := bits.TrailingZeros32(todo)
		instance := p.paint.Patches[p.paint.Records[p.refs[i]>>6].Place>>3].Instance()
		if instance != p.instance || y != p.row {
			p.turnTo(r, instance, y)
		}
		if p.single {
			p.pixels[i] = r.paintOne(t, p.refs[i], x0+i, y)
			todo &= todo - 1
			continue
		}
		todo &= t.kernels.PaintEight(&p.paint, &p.refs, &p.pixels, int32(x0))
	}
	pix := r.frame.Colour.Pix[4*(y*r.options.Width+x0):]
	for i := range x1 - x0 {
		binary.LittleEndian.PutUint32(pix[4*i:], p.pixels[i])
	}
}

// turnTo sets up the kernel for an instance and a row of pixels.
func (p *painter) turnTo(r *Renderer, instance int32, y int) {
	if instance != p.instance {
		tree := r.trees[instance]
		p.instance = instance
		p.paint.Instance, p.paint.Depth = instance, int32(tree.Depth)
		p.paint.Colours, p.paint.Shared = svo.Bytes(tree.Colours), tree.SharedGrandchildren()
		for face := range r.lights[instance] {
			p.paint.Light[face] = fullLight
			if r.options.Shading != ShadeNone {
				p.paint.Light[face] = uint32(r.lights[instance][face].light)
			}
		}
		p.single = tree.Normals != nil && r.options.Shading != ShadeNone ||
			tree.FirstLeaf == nil && p.paint.Shared == nil ||
			len(p.paint.Colours) < 4 || len(p.paint.Colours) > math.MaxInt32 // the kernel reads four bytes, at signed offsets
	}
	p.row = y
	p.single = !r.poses[instance].Rays.PaintRow(&p.paint, y) || p.single
}

// paintOne is the colour of one pixel.
func (r *Renderer) paintOne(t *traverser, ref asm.Ref, x, y int) uint32 {
	s := t.canvas.Surface(ref)
	tree := r.trees[s.Instance]
	l := light(fullLight)
	if r.options.Shading != ShadeNone {
		n, ok := r.storedNormal(tree, s.ID, s.Instance)
		if !ok {
			n = r.lights[s.Instance][r.faceOf(&s, x, y)]
		}
		l = n.light
	}
	return shade(tree.Colours[s.ID], l)
}

// faceOf is the face that a pixel sees of a surface.
func (r *Renderer) faceOf(s *ortho.Surface, x, y int) int {
	if s.Face >= 0 {
		return int(s.Face)
	}
	row := r.poses[s.Instance].Rays.Row(y)
	return row.Face(float64(s.Low[0]), float64(s.Low[1]), float64(s.Low[2]), s.Edge, x)
}
