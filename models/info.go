package models

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/svo"
)

// Info sums up an asset for people and scripts.
type Info struct {
	Format           string   `json:"format"`
	Version          int      `json:"version"`
	Models           int      `json:"models"`
	VoxelsStored     uint64   `json:"voxels_stored"` // as written; for formulas, those of the trees
	VoxelsPlaced     uint64   `json:"voxels_placed"` // those of all visible placements, the same ones again for each
	Instances        int      `json:"instances"`
	InstancesVisible int      `json:"instances_visible"`
	Frames           int      `json:"frames"`
	Bounds           Bounds   `json:"bounds"`          // of the visible voxels, world
	Depth            int      `json:"depth"`           // of the deepest tree
	BytesPerVoxel    float64  `json:"bytes_per_voxel"` // of the trees in memory
	Colours          int      `json:"colours"`         // different ones of the visible placements' voxels
	Views            []string `json:"views,omitempty"` // names of the cameras that the model brings
	Warnings         []string `json:"warnings"`

	// Hash is there where it was asked for.
	*Hash
}

// Bounds is a box in world coordinates, Max exclusive; zero where nothing is in it.
type Bounds struct {
	Min [3]float64 `json:"min"`
	Max [3]float64 `json:"max"`
}

// Hash identifies what is seen: how many voxels the flattened scene has, and
// its two sums in hexadecimal (see Hashes).
type Hash struct {
	Voxels   int    `json:"voxels"`
	PosHash  string `json:"pos_hash"`
	FlatHash string `json:"flat_hash"`
}

// Info sums up the asset as it stands in a frame. It fails where there is no
// such frame.
func (a *Asset) Info(frame int) (Info, error) {
	placements, err := a.Placements(frame)
	if err != nil {
		return Info{}, err
	}
	info := Info{
		Format: a.Format, Version: a.Version,
		Models: len(a.Models), Instances: len(placements), Frames: a.Frames,
		Warnings: append([]string{}, a.Warnings...), // never null in JSON
	}
	var bytes uint64
	var voxels float64 // a sum of counts that may each be the greatest uint64
	for _, m := range a.Models {
		info.VoxelsStored = saturatingAdd(info.VoxelsStored, m.Stored)
		info.Depth = max(info.Depth, m.Tree.Depth)
		bytes += m.Tree.Bytes()
		voxels += float64(m.Tree.Voxels())
	}
	if voxels > 0 {
		info.BytesPerVoxel = float64(bytes) / voxels
	}
	visible := visibleOf(placements)
	info.InstancesVisible = len(visible)
	for _, p := range visible {
		info.VoxelsPlaced = saturatingAdd(info.VoxelsPlaced, a.Models[p.Model].Tree.Voxels())
	}
	for _, v := range a.Views {
		info.Views = append(info.Views, v.Name)
	}
	info.Bounds = a.bounds(visible)
	info.Colours = a.colours(visible)
	return info, nil
}

// Hash flattens a frame of the asset and sums it up. It fails as Flatten does.
func (a *Asset) Hash(frame int, opts Options) (*Hash, error) {
	flat, err := Flatten(a, frame, opts)
	if err != nil {
		return nil, err
	}
	pos, all := Hashes(flat)
	return &Hash{len(flat), fmt.Sprintf("%016x", pos), fmt.Sprintf("%016x", all)}, nil
}

// visibleOf lists the placements that are not hidden.
func visibleOf(placements []Placement) []Placement {
	return slices.DeleteFunc(slices.Clone(placements), func(p Placement) bool { return p.Hidden })
}

// bounds is the box around the voxels of placements.
func (a *Asset) bounds(placements []Placement) Bounds {
	low, high := mgl64.Vec3{}, mgl64.Vec3{}
	for axis := range 3 {
		low[axis], high[axis] = math.Inf(1), math.Inf(-1)
	}
	empty := true
	for _, p := range placements {
		tree := a.Models[p.Model].Tree
		if tree.Voxels() == 0 {
			continue
		}
		empty = false
		treeLow, treeHigh := tree.Bounds()
		for corner := range 8 {
			var v mgl64.Vec3
			for axis := range 3 {
				v[axis] = float64(treeLow[axis])
				if corner>>axis&1 != 0 {
					v[axis] = float64(treeHigh[axis])
				}
			}
			v = mgl64.TransformCoordinate(v, p.Transform)
			for axis := range 3 {
				low[axis], high[axis] = math.Min(low[axis], v[axis]), math.Max(high[axis], v[axis])
			}
		}
	}
	if empty {
		return Bounds{}
	}
	return Bounds{low, high}
}

// colours counts the different colours of the placed models' voxels.
func (a *Asset) colours(placements []Placement) int {
	seen := map[svo.Colour]struct{}{}
	looked := make([]bool, len(a.Models))
	for _, p := range placements {
		if looked[p.Model] {
			continue
		}
		looked[p.Model] = true
		for _, c := range leafColours(a.Models[p.Model].Tree) {
			seen[c] = struct{}{}
		}
	}
	return len(seen)
}

// leafColours lists the colours of a tree's voxels, some of them repeatedly.
// Where no node is shared the voxels are the ids that inner nodes don't take;
// else they are found level by level, each id once.
func leafColours(t *svo.Tree) []svo.Colour {
	if uint64(len(t.Colours)-t.Inner()) == t.Voxels() {
		return t.Colours[t.Inner():]
	}
	ids := map[uint32]svo.Node{0: t.Root()}
	for level := range t.Depth {
		below := map[uint32]svo.Node{}
		for id, node := range ids {
			for octant := range 8 {
				if node.Has(octant) {
					child, n := t.Child(id, node, level, octant)
					below[child] = n
				}
			}
		}
		ids = below
	}
	var colours []svo.Colour
	for id := range ids {
		colours = append(colours, t.Colours[id])
	}
	return colours
}

func saturatingAdd(a, b uint64) uint64 {
	if a+b < a {
		return math.MaxUint64
	}
	return a + b
}
