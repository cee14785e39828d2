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

// painter turns what pixels see into colours: a kernel paints pixels of a row
// until one sees another instance; those that it can't paint at all are painted
// one by one.
type painter struct {
	brushes [64]brush // of the instances painted last, each where its index tells
	held    int32     // the instance painted last, or nobody
	blank   brush     // nobody's
	normals struct {
		light normalLight
		of    int32 // the instance
	}
	last struct { // pixel painted by itself
		ref   asm.Ref // 0 for none
		pixel uint32
	}
}

// brush is the kernel set up for an instance and a row of pixels.
type brush struct {
	paint    asm.Paint
	row      int
	tooFar   bool // from the eye to be painted by the kernel
	oneByOne bool // the pixels are painted by themselves
}

// nobody is no instance's index.
const nobody = -1

var black [4]uint8

// paint writes the colours of a tile.
func (r *Renderer) paint(t *traverser, tile ortho.Rect) {
	p := &t.painter
	for i := range p.brushes {
		p.brushes[i].paint.Instance = nobody
	}
	p.held, p.normals.of, p.last.ref = nobody, nobody, 0
	b := r.options.Background
	p.blank.paint = asm.Paint{
		Records: t.canvas.Records, Patches: t.canvas.Patches, Colours: black[:], Instance: nobody,
		Background: uint32(b.R) | uint32(b.G)<<8 | uint32(b.B)<<16 | uint32(b.A)<<24,
	}
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
	seen := t.canvas.SeenRow(y)[x0-t.canvas.Rect.X0 : x1-t.canvas.Rect.X0]
	pix := r.frame.Colour.Pix[4*(y*r.options.Width+x0):][:4*len(seen)]
	row := unsafe.Slice((*uint32)(unsafe.Pointer(&pix[0])), len(seen))
	for pixels, x := row, x0; len(seen) > 0; {
		// What sees nothing any brush can paint; the last may paint what follows.
		instance := t.painter.held
		if seen[0] != 0 {
			instance = t.canvas.InstanceOf(seen[0])
		}
		b := t.painter.turnTo(r, instance, y)
		painted, empty := 0, 0
		if !b.oneByOne && !b.tooFar {
			painted, empty = t.kernels.PaintRun(&b.paint, seen, pixels, int32(x))
		}
		if painted == 0 {
			painted, empty = r.paintOneByOne(t, b, seen, pixels, x, y)
		}
		t.stats.Pixels += painted - empty
		seen, pixels, x = seen[painted:], pixels[painted:], x+painted
	}
	if !redFirst {
		for i := range row {
			row[i] = bits.ReverseBytes32(row[i])
		}
	}
}

// redFirst tells whether a pixel's lowest byte comes first in memory, as it does
// in the picture.
var redFirst = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// turnTo returns the brush for an instance and a row of pixels.
func (p *painter) turnTo(r *Renderer, instance int32, y int) *brush {
	if instance == nobody {
		return &p.blank
	}
	p.held = instance
	b := &p.brushes[instance%int32(len(p.brushes))]
	if b.paint.Instance != instance {
		b.dip(r, instance, &p.blank.paint)
		b.row = y - 1
	}
	if b.row != y && !b.oneByOne {
		b.row = y
		b.tooFar = !r.poses[instance].Rays.PaintRow(&b.paint, y)
	}
	return b
}

// dip sets up the brush for an instance.
func (b *brush) dip(r *Renderer, instance int32, blank *asm.Paint) {
	tree := r.trees[instance]
	b.paint = *blank
	b.paint.Instance, b.paint.Depth = instance, int32(tree.Depth)
	b.paint.Colours, b.paint.Shared = svo.Bytes(tree.Colours), tree.SharedGrandchildren()
	for face := range r.lights[instance] {
		b.paint.Light[face] = fullLight
		if r.options.Shading != ShadeNone {
			b.paint.Light[face] = uint32(r.lights[instance][face].light)
		}
	}
	b.oneByOne = tree.Normals != nil && r.options.Shading != ShadeNone ||
		tree.FirstLeaf == nil && b.paint.Shared == nil ||
		len(b.paint.Colours) < 4 || len(b.paint.Colours) > math.MaxInt32 || // the kernel reads four bytes
		!r.poses[instance].Rays.Paint(&b.paint)
}

// paintOneByOne is PaintRun, for pixels that the kernel can't paint.
func (r *Renderer) paintOneByOne(t *traverser, b *brush, seen []asm.Ref, pixels []uint32, x, y int) (painted, empty int) {
	for i, ref := range seen {
		if ref == 0 {
			pixels[i] = b.paint.Background
			empty++
			continue
		}
		if t.canvas.InstanceOf(ref) != b.paint.Instance {
			return i, empty
		}
		pixels[i] = r.paintOne(t, ref, x+i, y)
	}
	return len(seen), empty
}

// paintOne is the colour of one pixel. Where the tree has a normal for what it
// sees, pixels side by side that see the same have the same colour.
func (r *Renderer) paintOne(t *traverser, ref asm.Ref, x, y int) uint32 {
	p := &t.painter
	if ref == p.last.ref {
		return p.last.pixel
	}
	id, instance := t.canvas.ID(ref)
	tree := r.trees[instance]
	l := light(fullLight)
	if r.options.Shading != ShadeNone {
		if tree.Normals == nil || tree.Normals[id] == 0 {
			s := t.canvas.Surface(ref)
			return shade(tree.Colours[id], r.lights[instance][r.faceOf(&s, x, y)].light)
		}
		if instance != p.normals.of {
			p.normals.of, p.normals.light = instance, r.normalLight(&r.poses[instance])
		}
		l = p.normals.light.light(tree.Normals[id], r.ambient)
	}
	p.last.ref, p.last.pixel = ref, shade(tree.Colours[id], l)
	return p.last.pixel
}

// faceOf is the face that a pixel sees of a surface.
func (r *Renderer) faceOf(s *ortho.Surface, x, y int) int {
	if s.Face >= 0 {
		return int(s.Face)
	}
	row := r.poses[s.Instance].Rays.Row(y)
	return row.Face(float64(s.Low[0]), float64(s.Low[1]), float64(s.Low[2]), s.Edge, x)
}
