package asm

import (
	"math"
	"math/bits"
)

// Patch is a node that was drawn at once: what its records have in common.
type Patch struct {
	Low  [3]int32 // its lower corner in voxels
	Info uint32   // the instance, times 256; the level, times 8; the kind
}

// Kind tells what the octants of a patch, and the parts of a Ref, are.
type Kind uint32

// The kinds of patches.
const (
	// Single: the patch is what is seen; no octants, no parts.
	Single Kind = iota
	// Bricks: each octant is a brick whose 64 grandchildren are seen: part
	// 8*o + p is octant p of its octant o. Their ids follow one another.
	Bricks
	// SharedBricks: the same in a tree of shared nodes: a record has the id of
	// the brick itself.
	SharedBricks
	// HalfBricks: each octant is a node with eight leaves, seen as if each had
	// eight octants: part 8*o + p is leaf o.
	HalfBricks
	// Leaves: each octant is a leaf, the part is the face seen.
	LeafCubes
)

// MaxInstances is how many instances a patch can tell apart.
const MaxInstances = 1 << 24

// NewPatch packs a patch.
func NewPatch(low [3]int32, instance int32, level int, kind Kind) Patch {
	return Patch{Low: low, Info: uint32(instance)<<8 | uint32(level)<<3 | uint32(kind)}
}

// Instance, Level and Kind unpack what a patch tells.
func (p *Patch) Instance() int32 { return int32(p.Info >> 8) }

// Level is the node's level.
func (p *Patch) Level() int { return int(p.Info >> 3 & 31) }

// Kind is the patch's kind.
func (p *Patch) Kind() Kind { return Kind(p.Info & 7) }

// Paint is what turns what pixels see into colours, for one instance and one
// row of pixels.
type Paint struct {
	Records []Record
	Patches []Patch
	// Colours are red, green and blue of each id: four bytes or more.
	Colours []uint8
	// Shared has, for each node of a tree of shared nodes, the ids of its 64
	// grandchildren by their parts; pixels that need it are left to the caller
	// where it is empty.
	Shared []uint32
	// Light is the light of each face, 1<<16 being full; two are unused.
	Light [8]uint32
	// Cell and Offset are the eye in the tree's coordinates: whole voxels, and
	// what is left.
	Cell   [3]int32
	Offset [3]float32
	// Move is what the eye moves from pixel to pixel in a parallel projection,
	// Slope the direction of pixel 0's ray, and Turn what it turns from pixel to
	// pixel.
	Move, Slope, Turn [3]float32
	Instance          int32  // the only instance to be painted
	Depth             int32  // of its tree
	Background        uint32 // colour of pixels that see nothing
}

// PaintRun paints pixels that follow one another in a row, from column x on,
// until one sees another instance or needs what Paint does not have. refs is
// what they see; pixels, as many, gets their colours, red in the lowest byte,
// and may hold anything behind those that are painted. It tells how many are,
// and how many of these see nothing.
type PaintRun func(p *Paint, refs []Ref, pixels []uint32, x int32) (painted, empty int)

func paintRunGo(p *Paint, refs []Ref, pixels []uint32, x int32) (painted, empty int) {
	pixels = pixels[:len(refs)]
	for i, ref := range refs {
		if ref == 0 {
			pixels[i] = p.Background
			empty++
			continue
		}
		record := &p.Records[ref>>6]
		patch := &p.Patches[record.Place>>3]
		kind := patch.Kind()
		if patch.Instance() != p.Instance || kind == SharedBricks && len(p.Shared) == 0 {
			return i, empty
		}
		id, face := p.look(record, patch, int32(ref&63), x+int32(i))
		colour := p.Colours[3*id : 3*id+3]
		light := p.Light[face]
		pixels[i] = dim(colour[0], light) | dim(colour[1], light)<<8 | dim(colour[2], light)<<16 | 0xff<<24
	}
	return len(refs), empty
}

func dim(c uint8, light uint32) uint32 { return (uint32(c)*light + 1<<15) >> 16 }

// look finds the id of what a pixel sees, and the face.
func (p *Paint) look(record *Record, patch *Patch, part, x int32) (id uint32, face int32) {
	kind, octant := patch.Kind(), int32(record.Place&7)
	// The bits of the octants on the way down, those of the smallest lowest, and
	// how many levels that is.
	var way [3]int32
	levels := int32(0)
	before := int32(0) // leaves of the brick that are before what is seen
	switch kind {
	case Bricks, SharedBricks:
		levels, before = 3, part
		for k := range way {
			way[k] = octant>>k&1<<2 | part>>(3+k)&1<<1 | part>>k&1
		}
	case HalfBricks:
		levels, before = 2, part&^7
		for k := range way {
			way[k] = octant>>k&1<<1 | part>>(3+k)&1
		}
	case LeafCubes:
		return record.ID, part
	}
	id = record.ID
	count := uint32(bits.OnesCount64(record.Leaves & (1<<before - 1)))
	switch kind {
	case Bricks:
		id += count
	case HalfBricks:
		id += count >> 3
	case SharedBricks:
		id = p.Shared[id<<6+uint32(part)]
	}
	shift := p.Depth - int32(patch.Level()) - levels
	edge := math.Float32frombits(uint32(shift+127) << 23)
	fx := float32(x)
	var a, b [3]float32
	high := 0
	for k := range 3 {
		low := patch.Low[k] + way[k]<<shift - p.Cell[k]
		near := (float32(low) - p.Offset[k]) - float32(fx*p.Move[k])
		slope := p.Slope[k] + float32(fx*p.Turn[k])
		if slope < 0 {
			near, slope = -(near + edge), -slope
			high |= 1 << k
		}
		a[k], b[k] = near, slope
	}
	// Of the planes' depths a/b, cross products tell the greatest.
	xy := float32(a[0]*b[1]) > float32(a[1]*b[0])
	yz := float32(a[1]*b[2]) > float32(a[2]*b[1])
	zx := float32(a[2]*b[0]) > float32(a[0]*b[2])
	switch {
	case xy && !zx:
		return id, int32(high & 1)
	case !xy && yz:
		return id, int32(2 + high>>1&1)
	}
	return id, int32(4 + high>>2)
}
