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
	// LeafCubes: the patch has leaves: part 8*o + f is face f of leaf o. A record
	// has each leaf eight times, as for half bricks.
	LeafCubes
)

// MaxInstances is how many instances a patch can tell apart.
const MaxInstances = 1 << 24

// NewPatch packs a patch.
func NewPatch(low [3]int32, instance int32, level int, kind Kind) Patch {
	return Patch{Low: low, Info: PatchInfo(instance, level, kind)}
}

// PatchInfo is a patch's Info.
func PatchInfo(instance int32, level int, kind Kind) uint32 {
	return uint32(instance)<<8 | uint32(level)<<3 | uint32(kind)
}

// Instance, Level and Kind unpack what a patch tells.
func (p *Patch) Instance() int32 { return int32(p.Info >> 8) }

// Level is the node's level.
func (p *Patch) Level() int { return int(p.Info >> 3 & 31) }

// Kind is the patch's kind.
func (p *Patch) Kind() Kind { return Kind(p.Info & 7) }

// MaxSight is how many pixels are looked up at once.
const MaxSight = 64

// Sight is what pixels that follow one another in a row see, as far as it can be
// told without their instances.
type Sight struct {
	// ID is the id of what is seen; in a shared brick, that of the brick.
	ID [MaxSight]uint32
	// Place is the part and, times 64, the octant of the patch.
	Place [MaxSight]uint32
	// Low and Info are those of the patch. Where nothing is seen, Info is Nothing
	// and the others may hold anything.
	Low  [3][MaxSight]int32
	Info [MaxSight]uint32
	_    [16]uint32 // vectors are read that hang over the end
}

// Nothing is the Info of pixels that see nothing.
const Nothing = 1<<32 - 1

// Look looks up what pixels see, MaxSight at most. It tells which of them see
// another instance than the one named, and which see nothing, a bit for each.
type Look func(s *Sight, l *Ledger, refs []Ref, instance int32) (others, nothing uint64)

// Ledger is what refs refer to.
type Ledger struct {
	Records []Record
	Patches []Patch
}

func lookGo(s *Sight, l *Ledger, refs []Ref, instance int32) (others, nothing uint64) {
	for i, ref := range refs {
		if ref == 0 {
			s.Info[i] = Nothing
			nothing |= 1 << i
			continue
		}
		record := &l.Records[ref>>6]
		patch := &l.Patches[record.Place>>3]
		part := uint32(ref & 63)
		id := record.ID
		// Which of a brick's leaves it is, as counted from the first.
		switch patch.Kind() {
		case Bricks:
			id += uint32(bits.OnesCount64(record.Leaves & (1<<part - 1)))
		case SharedBricks:
		default: // of a single node there are none
			id += uint32(bits.OnesCount64(record.Leaves&(1<<(part&^7)-1))) >> 3
		}
		s.ID[i], s.Place[i], s.Info[i] = id, record.Place&7<<6|part, patch.Info
		s.Low[0][i], s.Low[1][i], s.Low[2][i] = patch.Low[0], patch.Low[1], patch.Low[2]
		if patch.Instance() != instance {
			others |= 1 << i
		}
	}
	return others, nothing
}

// Paint is what turns what pixels see into colours, for one instance and one
// row of pixels.
type Paint struct {
	// Colours are red, green and blue of each id: four bytes or more.
	Colours []uint8
	// Shared has, for each node of a tree of shared nodes, the ids of its 64
	// grandchildren by their parts; without it, a shared brick has the colour of
	// its node.
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
	Depth             int32  // of the tree
	Background        uint32 // colour of pixels that see nothing
}

// PaintRun paints pixels of a sight, from the one in column x on, which all see
// one instance, or nothing. pixels gets their colours, red in the lowest byte.
type PaintRun func(p *Paint, s *Sight, first int, pixels []uint32, x int32)

func paintRunGo(p *Paint, s *Sight, first int, pixels []uint32, x int32) {
	if len(p.Colours) > inCache {
		p.fetch(s.ID[first:][:len(pixels)])
	}
	for i := range pixels {
		at := (first + i) & (MaxSight - 1)
		info := s.Info[at]
		if info == Nothing {
			pixels[i] = p.Background
			continue
		}
		id, place := s.ID[at], s.Place[at]
		face, levels := place&7, uint32(3)
		switch Kind(info & 7) {
		case LeafCubes:
			pixels[i] = p.lit(id, face)
			continue
		case SharedBricks:
			if len(p.Shared) > 0 {
				id = p.Shared[id<<6+place&63]
			}
		case HalfBricks:
			place, levels = place>>3, 2
		case Single:
			place, levels = 0, 0
		}
		low := [3]int32{s.Low[0][at], s.Low[1][at], s.Low[2][at]}
		pixels[i] = p.lit(id, p.face(&low, place, uint32(p.Depth)-info>>3&31-levels, float32(x+int32(i))))
	}
}

// lit is a colour in the light of a face.
func (p *Paint) lit(id, face uint32) uint32 {
	colour, light := p.Colours[3*id:3*id+3], p.Light[face&7]
	return dim(colour[0], light) | dim(colour[1], light)<<8 | dim(colour[2], light)<<16 | 0xff<<24
}

// inCache is how many bytes of colours are always in the processor's caches.
const inCache = 1 << 15

// fetch looks at the colours of all ids: where nothing else is done between them, the
// processor waits for many at once.
//
//go:noinline
func (p *Paint) fetch(ids []uint32) (last uint8) {
	for _, id := range ids {
		if at := 3 * int(id); at < len(p.Colours) { // there is no id where nothing is seen
			last = p.Colours[at]
		}
	}
	return last
}

func dim(c uint8, light uint32) uint32 { return (uint32(c)*light + 1<<15) >> 16 }

// face is the face by which the ray of column x meets an octant of a node whose lower
// corner is low: of the planes' depths a/b, cross products tell the greatest. The bits of
// the octants on the way down to it, those of the smallest lowest, are three apart for each
// axis; its edge is 1<<shift.
func (p *Paint) face(low *[3]int32, way, shift uint32, x float32) uint32 {
	edge := math.Float32frombits((shift + 127) << 23)
	shift &= 31
	ax, bx, highX := p.plane(0, low[0]+int32(eighth(way)<<shift), edge, x)
	ay, by, highY := p.plane(1, low[1]+int32(eighth(way>>1)<<shift), edge, x)
	az, bz, highZ := p.plane(2, low[2]+int32(eighth(way>>2)<<shift), edge, x)
	last := bit(float32(ax*by) > float32(ay*bx), 0) | bit(float32(ay*bz) > float32(az*by), 1) | bit(float32(az*bx) > float32(ax*bz), 2)
	axis := uint32(lastAxis >> (2 * last) & 3)
	return 2*axis + (highX|highY<<1|highZ<<2)>>axis&1
}

// lastAxis is the axis whose plane the ray meets last, two bits for each way in
// which these can follow one another (bit 0: x after y, bit 1: y after z, bit 2:
// z after x). It is looked up, for nobody could predict it.
const lastAxis = 2 | 0<<2 | 1<<4 | 0<<6 | 2<<8 | 2<<10 | 1<<12 | 2<<14

// eighth brings bits 0, 3 and 6 together.
func eighth(way uint32) uint32 { return way&1 | way>>2&2 | way>>4&4 }

// plane is the depth a/b at which a ray meets the nearer plane across an axis,
// and whether it is the one towards higher coordinates.
func (p *Paint) plane(axis int, low int32, edge, x float32) (a, b float32, high uint32) {
	a = float32(low-p.Cell[axis]) - p.Offset[axis] - float32(x*p.Move[axis])
	b = p.Slope[axis] + float32(x*p.Turn[axis])
	if b < 0 {
		return -(a + edge), -b, 1
	}
	return a, b, 0
}
