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
const blockWidth, blockHeight = asm.MaxSight, 8

// painter turns what pixels see into colours. Kernels look it up for the pixels
// of a block's row, and then paint those that see the same instance, run by run;
// pixels that they can't paint are painted one by one.
type painter struct {
	ledger  asm.Ledger
	sight   *asm.Sight // by itself, so that it begins with a cache line
	brushes [64]brush  // of the instances painted last, each where its index tells
	held    int32      // the instance painted last, or nobody
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
	instance int32
	row      int
	tooFar   bool // from the eye to be painted by the kernel
	oneByOne bool // the pixels are painted by themselves
}

// nobody is no instance's index.
const nobody = -1

// paint writes the colours of a tile.
func (r *Renderer) paint(t *traverser, tile ortho.Rect) {
	p := &t.painter
	if p.sight == nil {
		p.sight = new(asm.Sight)
	}
	for i := range p.brushes {
		p.brushes[i].instance = nobody
	}
	p.held, p.normals.of, p.last.ref = nobody, nobody, 0
	p.ledger = asm.Ledger{Records: t.canvas.Records, Patches: t.canvas.Patches}
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
	pixels := unsafe.Slice((*uint32)(unsafe.Pointer(&pix[0])), len(seen))
	p := &t.painter
	others, nothing := t.kernels.Look(p.sight, &p.ledger, seen, p.held)
	t.stats.Pixels += len(seen) - bits.OnesCount64(nothing)
	switch {
	case bits.OnesCount64(nothing) == len(seen):
		background := r.background()
		for i := range pixels {
			pixels[i] = background
		}
	case others == 0:
		r.paintRun(t, p.held, seen, pixels, 0, x0, y)
	default:
		r.paintRuns(t, seen, pixels, x0, y)
	}
	if !redFirst {
		for i := range pixels {
			pixels[i] = bits.ReverseBytes32(pixels[i])
		}
	}
}

// background is the colour of pixels that see nothing.
func (r *Renderer) background() uint32 {
	b := r.options.Background
	return uint32(b.R) | uint32(b.G)<<8 | uint32(b.B)<<16 | uint32(b.A)<<24
}

// paintRuns paints a row in which several instances are seen.
func (r *Renderer) paintRuns(t *traverser, seen []asm.Ref, pixels []uint32, x0, y int) {
	sight := t.painter.sight
	for begin := 0; begin < len(seen); {
		instance, end := int32(nobody), begin
		for ; end < len(seen); end++ {
			info := sight.Info[end]
			if owner := int32(info >> 8); info != asm.Nothing && owner != instance {
				if instance != nobody {
					break
				}
				instance = owner
			}
		}
		r.paintRun(t, instance, seen[begin:end], pixels[begin:end], begin, x0+begin, y)
		begin = end
	}
}

// paintRun paints pixels of row y that see one instance, from column x on, which
// is the first in the sight.
func (r *Renderer) paintRun(t *traverser, instance int32, seen []asm.Ref, pixels []uint32, first, x, y int) {
	b := t.painter.turnTo(r, instance, y)
	if !b.oneByOne && !b.tooFar {
		t.kernels.PaintRun(&b.paint, t.painter.sight, first, pixels, int32(x))
		return
	}
	if tree := r.trees[b.instance]; tree.Normals != nil {
		fetchLooks(tree, t.painter.sight.ID[first:][:len(seen)])
	}
	for i, ref := range seen {
		if ref != 0 {
			pixels[i] = r.paintOne(t, ref, x+i, y)
		} else {
			pixels[i] = b.paint.Background
		}
	}
}

// fetchLooks looks at the colours and normals of all ids: where nothing else is done
// between them, the processor waits for many at once. It must not be inlined, or
// nothing would be looked at.
//
//go:noinline
func fetchLooks(tree *svo.Tree, ids []uint32) (last uint32) {
	for _, id := range ids {
		if int(id) < len(tree.Normals) { // there is no id where nothing is seen
			last = uint32(tree.Normals[id]) ^ uint32(tree.Colours[id][0])
		}
	}
	return last
}

// redFirst tells whether a pixel's lowest byte comes first in memory, as it does
// in the picture.
var redFirst = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// turnTo returns the brush for an instance and a row of pixels.
func (p *painter) turnTo(r *Renderer, instance int32, y int) *brush {
	p.held = instance
	b := &p.brushes[instance%int32(len(p.brushes))]
	if b.instance != instance {
		b.instance, b.row = instance, y-1
		b.dip(r)
	}
	if b.row != y && !b.oneByOne {
		b.row = y
		b.tooFar = !r.poses[instance].Rays.PaintRow(&b.paint, y)
	}
	return b
}

// dip sets up the brush for its instance.
func (b *brush) dip(r *Renderer) {
	tree := r.trees[b.instance]
	p := &b.paint
	p.Colours, p.Shared = svo.Bytes(tree.Colours), tree.SharedGrandchildren()
	for face, light := range r.lights[b.instance] {
		if r.options.Shading == ShadeNone {
			light = fullLight
		}
		p.Light[face] = uint32(light)
	}
	p.Depth, p.Background = int32(tree.Depth), r.background()
	b.oneByOne = tree.Normals != nil && r.options.Shading != ShadeNone ||
		tree.FirstLeaf == nil && p.Shared == nil || // and it has shared bricks
		len(p.Colours) < 4 || len(p.Colours) > math.MaxInt32 || // the kernel reads four bytes
		!r.poses[b.instance].Rays.Paint(p)
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
			return shade(tree.Colours[id], r.lights[instance][r.faceOf(&s, x, y)])
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
