package svo

import "math"

// frontier is a set of nodes on one level, each with the number of ways that
// lead to it. A sparse set (Briggs and Torczon, LOPLAS 2(1-4), 1993) is empty
// again at once, so that walking all levels takes time for what they hold, not
// for what the tree could hold.
type frontier struct {
	members []member
	slot    []uint32 // an id's index in members, if that member has the id
}

type member struct {
	id   uint32
	node Node
	ways uint64
}

func (f *frontier) add(id uint32, node Node, ways uint64) {
	if s := f.slot[id]; int(s) < len(f.members) && f.members[s].id == id {
		f.members[s].ways = saturate(f.members[s].ways, ways)
		return
	}
	f.slot[id] = uint32(len(f.members))
	f.members = append(f.members, member{id, node, ways})
}

// saturate adds and stays at the greatest uint64 where the sum is greater.
func saturate(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

// bitset is a set of ids.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (s bitset) set(id uint32)      { s[id/64] |= 1 << (id % 64) }
func (s bitset) has(id uint32) bool { return s[id/64]>>(id%64)&1 != 0 }
