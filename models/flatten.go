package models

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/svo"
)

// Voxel is one voxel of a flattened scene, which fills [At, At+1) of the world.
type Voxel struct {
	At     [3]int32
	Colour svo.Colour
}

// memoryPerFlatVoxel is what a voxel takes while a scene is flattened: a
// looseVoxel and a Voxel.
const memoryPerFlatVoxel = 20 + 16

// Flatten puts all visible placements of a frame into one grid: every voxel of
// the world once, sorted by z, then y, then x. Asset.LaterWins settles whose
// colour a shared voxel has. It fails where there is no such frame, where a
// placement does not take the grid to itself, and where the voxels would take
// more than opts.MaxMemory.
func Flatten(a *Asset, frame int, opts Options) ([]Voxel, error) {
	placements, err := a.Placements(frame)
	if err != nil {
		return nil, err
	}
	placements = visibleOf(placements)
	total := uint64(0)
	limit := uint64(opts.maxMemory()) / memoryPerFlatVoxel
	for _, p := range placements {
		if n := a.Models[p.Model].Tree.Voxels(); n > limit || total+n > limit {
			return nil, fmt.Errorf("too many voxels to flatten: more than the %d that a memory limit of %s allows; raise the limit or choose a smaller model",
				limit, bytesText(opts.maxMemory()))
		}
		total += a.Models[p.Model].Tree.Voxels()
	}
	loose := make([]looseVoxel, 0, total)
	for i, p := range placements {
		move, err := gridMotion(p.Transform)
		if err != nil {
			return nil, fmt.Errorf("placement %d: %w", i, err)
		}
		owner := uint32(i)
		if a.LaterWins {
			owner = ^owner
		}
		tree := a.Models[p.Model].Tree
		if err := move.checkBounds(tree.Bounds()); err != nil {
			return nil, fmt.Errorf("placement %d: %w", i, err)
		}
		for v, id := range tree.All() {
			loose = append(loose, looseVoxel{move.cell(v), tree.Colours[id], owner})
		}
	}
	slices.SortFunc(loose, looseVoxel.compare)
	flat := make([]Voxel, 0, len(loose))
	for i, v := range loose {
		if i == 0 || v.at != loose[i-1].at {
			flat = append(flat, Voxel{v.at, v.colour})
		}
	}
	return flat, nil
}

// looseVoxel is a voxel of one placement; of several at a place, that of the
// least owner counts.
type looseVoxel struct {
	at     [3]int32
	colour svo.Colour
	owner  uint32
}

func (v looseVoxel) compare(w looseVoxel) int {
	return cmp.Or(cmp.Compare(v.at[2], w.at[2]), cmp.Compare(v.at[1], w.at[1]), cmp.Compare(v.at[0], w.at[0]),
		cmp.Compare(v.owner, w.owner))
}

// gridMotion is the motion that a transform is, where it takes the grid of
// voxels to itself. The motion's pivot is 0.
func gridMotion(m mgl64.Mat4) (motion, error) {
	refused := fmt.Errorf("it is scaled, turned or moved by fractions of the grid, so that it can't be flattened")
	var move motion
	seen := 0
	for row := range 3 {
		for column := range 3 {
			switch e := m.At(row, column); {
			case e == 1 || e == -1:
				move.r.axis[row], move.r.sign[row] = uint8(column), int8(e)
				seen |= 1 << (3*row + column)
			case e != 0:
				return motion{}, refused
			}
		}
		if t := m.At(row, 3); t != math.Trunc(t) || math.Abs(t) > math.MaxInt64/4 {
			return motion{}, refused
		}
		move.t[row] = int64(m.At(row, 3))
	}
	rows, columns := 0, 0
	for i := range 9 {
		if seen>>i&1 != 0 {
			rows, columns = rows|1<<(i/3), columns|1<<(i%3)
		}
	}
	if rows != 7 || columns != 7 || bits.OnesCount(uint(seen)) != 3 {
		return motion{}, refused
	}
	return move, nil
}

// cell is where a voxel lands: on a flipped axis its cube [v, v+1) becomes
// (-v-1, -v].
func (m motion) cell(v [3]uint32) (at [3]int32) {
	for i := range at {
		c := int64(v[m.r.axis[i]])
		if m.r.sign[i] < 0 {
			c = -c - 1
		}
		at[i] = int32(c + m.t[i])
	}
	return at
}

// checkBounds fails where voxels between low and high, exclusive, land outside
// the coordinates of 32 bits.
func (m motion) checkBounds(low, high [3]uint32) error {
	for i := range 3 {
		a, b := int64(low[m.r.axis[i]]), int64(high[m.r.axis[i]])
		if m.r.sign[i] < 0 {
			a, b = -b, -a
		}
		if a+m.t[i] < math.MinInt32 || b+m.t[i] > math.MaxInt32 {
			return fmt.Errorf("it stands at %d to %d, beyond the coordinates of 32 bits", a+m.t[i], b+m.t[i])
		}
	}
	return nil
}

// The sums are 64-bit FNV-1a but for the offset basis, which lacks the last
// digit of the official 14695981039346656037: the tables of known models that
// we compare with were made with this one.
const (
	hashBasis = 1469598103934665603
	hashPrime = 1099511628211
)

// Hashes are two 64-bit sums (see hashBasis) over flattened voxels in the
// order of Flatten: pos over int32 x, y, z in little-endian bytes, flat over
// these and the colour as uint32 r<<16|g<<8|b after each.
func Hashes(voxels []Voxel) (pos, flat uint64) {
	pos, flat = hashBasis, hashBasis
	for _, v := range voxels {
		for _, c := range v.At {
			pos, flat = hashWord(pos, uint32(c)), hashWord(flat, uint32(c))
		}
		flat = hashWord(flat, rgb(v.Colour))
	}
	return pos, flat
}

// hashWord adds the four bytes of a word, the lowest first.
func hashWord(sum uint64, word uint32) uint64 {
	for range 4 {
		sum = (sum ^ uint64(word&0xff)) * hashPrime
		word >>= 8
	}
	return sum
}

func rgb(c svo.Colour) uint32 { return uint32(c[0])<<16 | uint32(c[1])<<8 | uint32(c[2]) }
