package asm

// A brick is a node of 4x4x4 leaves (or nodes taken for leaves), at most about
// five pixels wide. Which of its 64 leaves cover a pixel's centre is found from
// two tables, one for the pixel's column and one for its row; the lowest bit in
// the order of visiting is what the pixel sees.
//
// A table does not know how large a brick appears, nor where: it counts places
// across the brick, as many for a small one as for a large one. What it knows is
// the line of sight, along which the brick's leaves lie behind one another.

const (
	// unit is how many steps a pixel has where the centre of a brick is told.
	unit     = 1 << unitBits
	unitBits = 11
	// Places is how many places a table has; the middle of the brick lies
	// between the two in the middle.
	Places = 256
	// StepUnit is how many parts a place has where it is told how many places a
	// pixel takes.
	StepUnit = 1 << stepBits
	stepBits = 5
	// maxStep bounds places to a pixel, so that it fits 16 bits: a brick counts as
	// a quarter of a pixel wide at least.
	maxStep = 1023 * StepUnit
	// MaxReach is the last place from the middle that a leaf may cover.
	MaxReach = Places/2 - 2
)

// Table tells, for bricks of one orientation seen along one line of sight, which
// leaves cover some of each place across. Bit 8*i+j is leaf j of octant i, both
// in the order of visiting. The first and the last place are empty.
type Table [Places]uint64

// Grid is how the leaves of a brick lie around its middle, in places.
type Grid struct {
	// D leads to the octants, in the order of visiting; a leaf's offset from its
	// octant's middle is half of these.
	D [8]float32
	// Half is half the width of a leaf, widened by what rounding and perspective
	// may move it. Together with the offsets it stays within MaxReach.
	Half int32
}

// Spans is a table that is looked up by comparing: for each leaf how far place 0
// is behind the first place that it covers, modulo Places. It covers the places
// up to Width(g) behind that one.
type Spans [64]uint8

// Width is how far the last place that a leaf covers is behind the first.
func (g *Grid) Width() uint8 { return uint8(2 * g.Half) }

// Lay fills spans.
func (s *Spans) Lay(g *Grid) {
	for i := range 8 {
		octant := int(roundps(g.D[i]))
		for j := range 8 {
			s[8*i+j] = uint8(int(g.Half) - Places/2 - octant - int(roundps(float32(g.D[j]*0.5))))
		}
	}
}

// MakeTable fills a table.
type MakeTable func(t *Table, g *Grid)

// makeTableGo gives each leaf one place, so that the leaves between two places
// are those before the one, without those before the other.
func makeTableGo(t *Table, g *Grid) {
	var before [Places + 1]uint64
	for i := range 8 {
		octant := Places/2 + int(roundps(g.D[i]))
		for j := range 8 {
			before[(octant+int(roundps(float32(g.D[j]*0.5)))+1)&(Places-1)] |= 1 << (8*i + j)
		}
	}
	for i := range Places {
		before[i+1] |= before[i]
	}
	half := int(g.Half)
	for n := range t {
		t[n] = before[min(n+half+1, Places)] &^ before[max(n-half, 0)]
	}
}

// permute puts the bits 8*o+p of a brick into the order of visiting.
func permute(word uint64, nearest uint32) uint64 {
	if nearest&1 != 0 {
		word = word>>1&0x5555555555555555 | word&0x5555555555555555<<1
		word = word>>8&0x00ff00ff00ff00ff | word&0x00ff00ff00ff00ff<<8
	}
	if nearest&2 != 0 {
		word = word>>2&0x3333333333333333 | word&0x3333333333333333<<2
		word = word>>16&0x0000ffff0000ffff | word&0x0000ffff0000ffff<<16
	}
	if nearest&4 != 0 {
		word = word>>4&0x0f0f0f0f0f0f0f0f | word&0x0f0f0f0f0f0f0f0f<<4
		word = word>>32 | word<<32
	}
	return word
}
