package models

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
)

// maxVoxDepth is how deep nodes may be nested: editors write a few levels. It
// also bounds the work for a placement, and so for a file.
const maxVoxDepth = 128

// voxNode is a node of the scene graph: a transform over one child (nTRN), a
// group of children (nGRP), or a shape that shows a model (nSHP).
type voxNode struct {
	id       int32
	name     string
	hidden   bool
	layer    int32 // -1 for none
	children []int32
	moves    track[motion] // of a transform, by frame
	models   track[int32]  // of a shape, by frame
	shape    bool

	// How many placements stand at and below the node, once it is counted.
	placements uint64
	state      nodeState
}

type nodeState uint8

const (
	unseen nodeState = iota
	underway
	counted
)

// track holds values that change at certain frames and hold until the next.
type track[T any] struct {
	frames []int32 // ascending
	values []T
	loop   bool
}

func (t *track[T]) add(frame int32, value T) {
	t.frames, t.values = append(t.frames, frame), append(t.values, value)
}

// sort puts the keys in order; of keys with the same frame the last counts.
func (t *track[T]) sort() {
	order := make([]int, len(t.frames))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return int(t.frames[i]) - int(t.frames[j]) })
	sorted := track[T]{loop: t.loop}
	for _, i := range order {
		sorted.add(t.frames[i], t.values[i])
	}
	*t = sorted
}

// at is the value at a frame: that of the last key not after it, else the
// first. A loop runs from its first key to its last and starts again.
func (t *track[T]) at(frame int) T {
	first, last := int(t.frames[0]), int(t.frames[len(t.frames)-1])
	if t.loop && last > first {
		period := last - first + 1
		frame = first + ((frame-first)%period+period)%period
	}
	after := sort.Search(len(t.frames), func(i int) bool { return int(t.frames[i]) > frame })
	return t.values[max(after-1, 0)]
}

// end is the number of frames until nothing changes any more (or repeats).
func (t *track[T]) end() int {
	if len(t.frames) < 2 {
		return 1
	}
	return int(t.frames[len(t.frames)-1]) + 1
}

func (f *voxFile) takeNode(c *chunk) {
	node := &voxNode{id: c.int32(), layer: -1}
	properties := c.dict()
	node.name, node.hidden = properties.get("_name"), properties.get("_hidden") == "1"
	loop := properties.get("_loop") == "1"
	switch c.id {
	case "nTRN":
		node.children = []int32{c.int32()}
		c.int32() // reserved
		node.layer = c.int32()
		node.moves.loop = loop
		for range c.count("frames", 4) {
			d := c.dict()
			node.moves.add(f.frame(d), f.motion(d))
		}
		if len(node.moves.frames) == 0 {
			node.moves.add(0, motion{r: identity})
		}
		node.moves.sort()
	case "nGRP":
		for range c.count("children", 4) {
			node.children = append(node.children, c.int32())
		}
	case "nSHP":
		node.shape = true
		node.models.loop = loop
		for range c.count("models", 8) {
			model := c.int32()
			node.models.add(f.frame(c.dict()), model)
		}
		node.models.sort()
	}
	if c.err != nil {
		return
	}
	if f.nodes[node.id] != nil {
		f.warnings.add("node twice", "scene graph: node %d is there twice, the first is used", node.id)
		return
	}
	f.nodes[node.id] = node
}

// frame is the number of a key frame.
func (f *voxFile) frame(d dict) int32 {
	text := d.get("_f")
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 0 || n == math.MaxInt32 {
		f.warnings.add("_f", "scene graph: frame %q is not a number from 0 on, taken as 0", text)
		return 0
	}
	return int32(n)
}

// motion is the rotation and translation of a transform node.
func (f *voxFile) motion(d dict) motion {
	m := motion{r: identity}
	if text := d.get("_r"); text != "" {
		r, ok := parseRotation(text)
		if !ok {
			f.warnings.add("_r", "scene graph: rotation %q is not a signed permutation, ignored", text)
		} else {
			m.r = r
		}
	}
	if text := d.get("_t"); text != "" {
		fields := strings.Fields(text)
		for i := range m.t {
			n, err := int64(0), error(nil)
			if len(fields) == 3 {
				n, err = strconv.ParseInt(fields[i], 10, 32)
			}
			if len(fields) != 3 || err != nil {
				f.warnings.add("_t", "scene graph: translation %q is not three whole numbers, ignored", text)
				m.t = [3]int64{}
				break
			}
			m.t[i] = n
		}
	}
	return m
}

// parseRotation reads a rotation byte: bits 0-1 and 2-3 tell the column of the
// non-zero entry in the first and second row, bits 4, 5 and 6 are set where
// the first, second and third row's entry is -1.
func parseRotation(text string) (r rotation, ok bool) {
	b, err := strconv.ParseUint(text, 10, 8)
	first, second := uint8(b&3), uint8(b>>2&3)
	if err != nil || first == second || first == 3 || second == 3 {
		return identity, false
	}
	r.axis = [3]uint8{first, second, 3 - first - second}
	for i := range r.sign {
		r.sign[i] = 1 - 2*int8(b>>(4+i)&1)
	}
	return r, true
}

// placeModels gives the asset its placements and its number of frames.
func (f *voxFile) placeModels(asset *Asset) error {
	if len(f.nodes) == 0 {
		f.placeWithoutGraph(asset)
		return nil
	}
	root := f.root()
	asset.Frames = 1
	if err := f.count(root, 0, &asset.Frames); err != nil {
		return err
	}
	if limit := f.opts.maxPlacements(); root.placements > limit {
		return fmt.Errorf("%s: scene graph: more than %d placed models; raise the limit if the file is to be trusted", f.name, limit)
	}
	asset.placements = func(frame int) []Placement {
		list := make([]Placement, 0, root.placements)
		if root.placements > 0 { // else it may be a shape with nothing to show
			f.place(root, place{motion: motion{r: identity}, layer: -1}, frame, &list)
		}
		return list
	}
	return nil
}

// placeWithoutGraph centres each model on the origin: all at once, or one a
// frame where a PACK chunk says so.
func (f *voxFile) placeWithoutGraph(asset *Asset) {
	all := make([]Placement, len(f.models))
	for i := range all {
		all[i] = Placement{Model: i, Transform: f.matrix(int32(i), motion{r: identity}), Layer: -1}
	}
	asset.Frames = 1
	asset.placements = func(int) []Placement { return slices.Clone(all) }
	if f.packed {
		asset.Frames = len(all)
		asset.placements = func(frame int) []Placement { return slices.Clone(all[frame : frame+1]) }
	}
}

// matrix places a model whose pivot is the middle voxel of its announced size.
func (f *voxFile) matrix(model int32, m motion) mgl64.Mat4 {
	var pivot [3]int64
	for axis, side := range f.models[model].size {
		pivot[axis] = int64(side / 2)
	}
	return m.matrix(pivot)
}

// root is node 0, as MagicaVoxel writes it, else the node of lowest id.
func (f *voxFile) root() *voxNode {
	lowest := int32(math.MaxInt32)
	for id := range f.nodes {
		if id == 0 {
			return f.nodes[0]
		}
		lowest = min(lowest, id)
	}
	return f.nodes[lowest]
}

// count finds how many placements a node stands for, each node looked at once
// however many groups share it, and with that all that can be wrong with the
// graph. Children that lead nowhere are dropped, so that place visits only
// nodes that end in placements.
func (f *voxFile) count(node *voxNode, depth int, frames *int) error {
	switch {
	case node.state == counted:
		return nil
	case node.state == underway:
		return fmt.Errorf("%s: scene graph: node %d contains itself", f.name, node.id)
	case depth > maxVoxDepth:
		return fmt.Errorf("%s: scene graph: nodes nested deeper than %d", f.name, maxVoxDepth)
	}
	node.state = underway
	defer func() { node.state = counted }()
	if node.shape {
		for _, model := range node.models.values {
			if model < 0 || int(model) >= len(f.models) {
				f.warnings.add("no model", "scene graph: node %d shows model %d, there are %d: it is left out", node.id, model, len(f.models))
				return nil
			}
		}
		node.placements = uint64(min(1, len(node.models.values)))
		*frames = max(*frames, node.models.end())
		return nil
	}
	kept := node.children[:0]
	for _, id := range node.children {
		child := f.nodes[id]
		if child == nil {
			f.warnings.add("no node", "scene graph: node %d has a child %d that is missing", node.id, id)
			continue
		}
		if err := f.count(child, depth+1, frames); err != nil {
			return err
		}
		if child.placements == 0 {
			continue
		}
		kept = append(kept, id)
		if node.placements += child.placements; node.placements > math.MaxInt32 {
			node.placements = math.MaxInt32 // far above any limit, and no overflow
		}
	}
	node.children = kept
	if node.placements > 0 && len(node.moves.frames) > 0 {
		*frames = max(*frames, node.moves.end())
	}
	return nil
}

// place is what a node inherits from those above it.
type place struct {
	motion motion
	name   string
	layer  int // index into Asset.Layers, -1 for none
	hidden bool
}

// place lists the placements at and below a node, in the order of the graph.
func (f *voxFile) place(node *voxNode, at place, frame int, list *[]Placement) {
	at.hidden = at.hidden || node.hidden
	if node.shape {
		model := node.models.at(frame)
		*list = append(*list, Placement{
			Model: int(model), Transform: f.matrix(model, at.motion),
			Name: at.name, Layer: at.layer, Hidden: at.hidden,
		})
		return
	}
	if len(node.moves.frames) > 0 {
		at.motion = at.motion.mul(node.moves.at(frame))
		at.name = node.name
		if layer, ok := f.layerOf[node.layer]; ok {
			at.layer = layer
			at.hidden = at.hidden || f.layers[layer].Hidden
		}
	}
	for _, id := range node.children {
		f.place(f.nodes[id], at, frame, list)
	}
}
