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
	// unit is how many steps a pixel has where the centre of a brick is told,
	// fineUnit for bricks that are Fine.
	unit     = 1 << unitBits
	fineUnit = finer * unit
	unitBits = 11
	// Places is how many places a table has; the middle of the brick lies
	// between the two in the middle.
	Places = 256
	// StepUnit is how many parts a place has where it is told how many places a
	// pixel takes.
	StepUnit = 1 << stepBits
	stepBits = 5
	// maxStep bounds the parts of a pixel, so that they fit 16 bits: a brick counts as
	// a quarter of a pixel wide at least, one that is Fine as a sixteenth.
	maxStep = 1023 * StepUnit
	finer   = 4
	// MostFine is how wide bricks that are Fine may be, in pixels: what is more than
	// half a pixel outside the window is not told from what is farther away.
	MostFine = .9
)

// Table tells, for bricks of one orientation seen along one line of sight, which
// leaves cover some of each place across. Bit 8*i+j is leaf j of octant i, both
// in the order of visiting. The first and the last place are empty.
type Table [Places]uint64

// Spans are a table as the leaves see it: for each how far place 0 is behind the
// first place that it covers, modulo Places. It covers the Width places behind
// that one, too.
type Spans [64]uint8

// Cover makes leaf i cover the places from one on.
func (s *Spans) Cover(i, first int) { s[i] = uint8(-first) }

// MakeTable fills the table of a line of sight. Its spans stay between the first
// place and the last.
type MakeTable func(t *Table, l *Line)

// makeTableGo makes a leaf part of all tables from its first place on, and of none
// from behind its last one.
func makeTableGo(t *Table, l *Line) {
	var begin, end [Places]uint64
	for i, behind := range l.Spans {
		first := -behind
		begin[first] |= 1 << i
		end[first+l.Width+1] |= 1 << i
	}
	var begun, ended uint64
	for n := range t {
		begun |= begin[n]
		ended |= end[n]
		t[n] = begun &^ ended
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
