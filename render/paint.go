package render

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unsafe"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/ortho"
	"github.com/cfef80af/eightfold/svo"
)

// A tile is painted in flat blocks: what the pixels of a block see lies close
// together, and is still in the cache for the next row.
const blockWidth, blockHeight = 64, 8

// painter turns what pixels see into colours, eight pixels at a time, by a
// kernel that paints one instance. The other instances that the eight see are
// painted in turn, those that the kernel can't paint pixel by pixel.
type painter struct {
	paint     asm.Paint
	instance  int32 // that paint is set up for, -1 for none
	single    bool  // the instance is painted pixel by pixel, its normals lit by normals
	normals   normalLight
	last      asm.Ref // the last pixel painted that way, 0 for none, and its colour
	lastPixel uint32
	refs      [8]asm.Ref
	pixels    [8]uint32
}

// nobody is no instance's index.
const nobody = -1

// paint writes the colours of a tile.
func (r *Renderer) paint(t *traverser, tile ortho.Rect) {
	p := &t.painter
	p.instance, p.paint.Instance, p.last = -1, nobody, 0
	p.paint.Records, p.paint.Patches = t.canvas.Records, t.canvas.Patches
	b := r.options.Background
	p.paint.Background = uint32(b.R) | uint32(b.G)<<8 | uint32(b.B)<<16 | uint32(b.A)<<24
	for top := tile.Y0; top < tile.Y1; top += blockHeight {
		for left := tile.X0; left < tile.X1; left += blockWidth {
			for y := top; y < min(top+blockHeight, tile.Y1); y++ {
				r.paintRow(t, left, min(left+blockWidth, tile.X1), y)
			}
		}
	}
}

// paintRow paints the pixels x0 to x1-1 of a row.
func (r *Renderer) paintRow(t *traverser, x0, x1, y int) {
	p := &t.painter
	seen := t.canvas.SeenRow(y)[x0-t.canvas.Rect.X0 : x1-t.canvas.Rect.X0]
	pix := r.frame.Colour.Pix[4*(y*r.options.Width+x0):][:4*len(seen)]
	if p.instance >= 0 {
		p.turnTo(r, p.instance, y)
	}
	for ; len(seen) >= 8 && redFirst; seen, pix, x0 = seen[8:], pix[32:], x0+8 {
		r.paintEight(t, (*[8]asm.Ref)(seen), (*[8]uint32)(unsafe.Pointer((*[32]uint8)(pix))), x0, y)
	}
	for ; len(seen) > 0; seen, pix, x0 = seen[min(8, len(seen)):], pix[min(32, len(pix)):], x0+8 {
		p.refs = [8]asm.Ref{}
		n := copy(p.refs[:], seen)
		r.paintEight(t, &p.refs, &p.pixels, x0, y)
		for i := range n {
			binary.LittleEndian.PutUint32(pix[4*i:], p.pixels[i])
		}
	}
}

// redFirst tells whether a pixel's lowest byte comes first in memory, so that
// the kernel can write into the picture.
var redFirst = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// paintEight paints eight pixels of row y from column x on.
func (r *Renderer) paintEight(t *traverser, refs *[8]asm.Ref, pixels *[8]uint32, x, y int) {
	p := &t.painter
	left := t.kernels.PaintEight(&p.paint, refs, pixels, int32(x))
	t.stats.Pixels += 8 - bits.OnesCount32(left>>8)
	// What sees another instance than the last, or has to be painted one by one.
	for left &= 0xff; left != 0; {
		i := bits.TrailingZeros32(left)
		instance := p.paint.Patches[p.paint.Records[refs[i]>>6].Place>>3].Instance()
		if instance != p.instance {
			p.turnTo(r, instance, y)
		}
		if p.single {
			pixels[i] = r.paintOne(t, refs[i], x+i, y)
			left &= left - 1
			continue
		}
		left &= t.kernels.PaintEight(&p.paint, refs, pixels, int32(x))
	}
}

// turnTo sets up the kernel for an instance and a row of pixels.
func (p *painter) turnTo(r *Renderer, instance int32, y int) {
	if instance != p.instance {
		tree := r.trees[instance]
		p.instance = instance
		p.paint.Depth = int32(tree.Depth)
		if tree.Normals != nil {
			p.normals = r.normalLight(&r.poses[instance])
		}
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
	p.single = !r.poses[instance].Rays.PaintRow(&p.paint, y) || p.single
	p.paint.Instance = instance
	if p.single {
		p.paint.Instance = nobody
	}
}

// paintOne is the colour of one pixel. Where the tree has a normal for what it
// sees, pixels side by side that see the same have the same colour.
func (r *Renderer) paintOne(t *traverser, ref asm.Ref, x, y int) uint32 {
	p := &t.painter
	if ref == p.last {
		return p.lastPixel
	}
	id, instance := t.canvas.ID(ref)
	tree := r.trees[instance]
	l := light(fullLight)
	if r.options.Shading != ShadeNone {
		if tree.Normals == nil || tree.Normals[id] == 0 {
			s := t.canvas.Surface(ref)
			return shade(tree.Colours[id], r.lights[instance][r.faceOf(&s, x, y)].light)
		}
		l = p.normals.light(tree.Normals[id], r.ambient)
	}
	p.last, p.lastPixel = ref, shade(tree.Colours[id], l)
	return p.lastPixel
}

// faceOf is the face that a pixel sees of a surface.
func (r *Renderer) faceOf(s *ortho.Surface, x, y int) int {
	if s.Face >= 0 {
		return int(s.Face)
	}
	row := r.poses[s.Instance].Rays.Row(y)
	return row.Face(float64(s.Low[0]), float64(s.Low[1]), float64(s.Low[2]), s.Edge, x)
}
