package ortho

import (
	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/project"
)

// Offsets lead to the octants of a node in the order of visiting, for the eight
// orders.
func Offsets(p *project.Pose) (all [8]asm.Offsets) {
	first := &all[0]
	for i := range 8 {
		d := p.Octant(i, 1)
		first.DX[i], first.DY[i], first.DZ[i] = float32(d[0]), float32(d[1]), float32(d[2])
		if p.View.Parallel {
			first.DZ[i] = 0
		}
	}
	for nearest := 1; nearest < len(all); nearest++ {
		o := &all[nearest]
		for i := range 8 {
			o.DX[i], o.DY[i], o.DZ[i] = first.DX[i^nearest], first.DY[i^nearest], first.DZ[i^nearest]
		}
	}
	return all
}

// InOrder puts a mask of octants into the order of visiting.
func InOrder(mask uint8, nearest int) uint8 { return inOrder[nearest][mask] }

var inOrder = func() (table [8][256]uint8) {
	for nearest := range table {
		for mask := range table[nearest] {
			for i := range 8 {
				table[nearest][mask] |= uint8(mask>>(i^nearest)&1) << i
			}
		}
	}
	return table
}()

// HalfBrick is the brick of a node whose octants are leaves: each leaf as the
// eight octants that it would have.
func HalfBrick(mask uint8) uint64 {
	const firstBits = 0x0101010101010101
	// Bit o of the mask comes to bit 0 of byte o.
	spread := (uint64(mask) * firstBits) & 0x8040201008040201
	return ((spread + 0x7f7f7f7f7f7f7f7f) >> 7 & firstBits) * 0xff
}
