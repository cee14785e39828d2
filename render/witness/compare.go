package witness

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// Frame is a drawn picture, as plain data: the planes of render.Frame that
// tell what each pixel sees, row by row from the top left.
type Frame struct {
	Width, Height int
	Depth         []float32
	Face          []uint8
	Voxel         []Voxel
}

// Voxel names the node drawn on a pixel; it has the fields of render.VoxelRef.
type Voxel struct {
	Instance int32 // index into Scene.Models, -1 for nothing
	ID       uint32
	Min      [3]int32
	Level    uint8
}

// Kind is a way in which a pixel can be wrong.
type Kind int

// The kinds of faults. Of Fattened alone a few are allowed, see Report.
const (
	// HoleInside is an empty pixel whose ray hits, like those of its eight
	// neighbours.
	HoleInside Kind = iota
	// HoleBorder is an empty pixel whose ray hits, at the edge of the true
	// silhouette.
	HoleBorder
	// WrongCube is a pixel that shows another voxel or face than the one whose
	// face fills its whole 3x3 neighbourhood, with voxels larger than two pixels.
	WrongCube
	// Broken is a pixel whose planes contradict each other, or that names a
	// node which its tree does not have.
	Broken
	// OffRay is a pixel that shows a node whose outline, grown by one pixel,
	// does not reach the pixel's centre.
	OffRay
	// WrongDepth is a pixel whose depth is not that of the node it shows, or
	// farther from the true depth than the node is large where the ray's true
	// hit lies in that node.
	WrongDepth
	// SeeThrough is a pixel deeper than anything that can be seen in its 3x3
	// neighbourhood, though its ray's true hit comes before the node drawn in
	// every front-to-back order: what lies in front was missed.
	SeeThrough
	// Fattened is a pixel drawn although its ray misses everything.
	Fattened
	// FarOff is a fattened pixel in whose 3x3 neighbourhood there is nothing,
	// not even between the pixel centres.
	FarOff
	kinds
)

var kindNames = [kinds]string{"hole inside", "hole at border", "wrong cube", "broken", "off ray",
	"wrong depth", "see-through", "fattened", "far off"}

func (k Kind) String() string { return kindNames[k] }

// Fault is one wrong pixel.
type Fault struct {
	I, J int
	Kind Kind
}

// Scale tells voxels that are drawn as cubes from those below the level of
// detail, by the footprint of the tree's leaves at the depth in question.
type Scale int

// The two scales.
const (
	Cubes  Scale = iota // leaves larger than two pixels
	Detail              // smaller leaves
	scales
)

// cubeFootprint is the edge in pixels beyond which a leaf must be a true cube.
const cubeFootprint = 2

// Report is what Compare finds. Reports of several pictures can be added up.
type Report struct {
	Pictures, Pixels, Hits int
	Faults                 [kinds]int
	// CubesChecked counts the pixels that could be a WrongCube. WrongTied of
	// those that were had two models at the same depth.
	CubesChecked, WrongTied int
	// DepthsChecked counts the pixels whose true hit lies in the node drawn, and
	// DepthError is the worst difference between the two depths there, as a
	// share of what is allowed (1 is the limit).
	DepthsChecked int
	DepthError    float64
	// Edges counts the pairs of 4-neighbours of which one hits and one misses,
	// by the scale of the hit; Fat the fattened pixels, by that of the node drawn.
	Edges, Fat [scales]int
	// Pixel lists the first faults of each kind, for messages and pictures.
	Pixel []Fault
}

// faultsListed is how many faults of a kind Report.Pixel names.
const faultsListed = 8

// Fattening is the number of fattened pixels per silhouette edge.
func (r *Report) Fattening(s Scale) float64 {
	if r.Fat[s] == 0 {
		return 0
	}
	return float64(r.Fat[s]) / float64(r.Edges[s])
}

// Add adds the counts of another report.
func (r *Report) Add(o Report) {
	r.Pictures, r.Pixels, r.Hits = r.Pictures+o.Pictures, r.Pixels+o.Pixels, r.Hits+o.Hits
	r.CubesChecked, r.WrongTied = r.CubesChecked+o.CubesChecked, r.WrongTied+o.WrongTied
	r.DepthsChecked, r.DepthError = r.DepthsChecked+o.DepthsChecked, max(r.DepthError, o.DepthError)
	for k := range r.Faults {
		r.Faults[k] += o.Faults[k]
	}
	for s := range r.Edges {
		r.Edges[s] += o.Edges[s]
		r.Fat[s] += o.Fat[s]
	}
	r.Pixel = append(r.Pixel, o.Pixel...)
}

// Err is nil where the picture has no fault but fattening within one pixel,
// which only an average can judge; else it tells the faults and where they are.
func (r *Report) Err() error {
	var parts []string
	for k, n := range r.Faults {
		if n == 0 || Kind(k) == Fattened {
			continue
		}
		part := fmt.Sprintf("%d %v at", n, Kind(k))
		for _, f := range r.Pixel {
			if f.Kind == Kind(k) {
				part += fmt.Sprintf(" (%d,%d)", f.I, f.J)
			}
		}
		parts = append(parts, part)
	}
	if parts == nil {
		return nil
	}
	return errors.New(strings.Join(parts, "; "))
}

func (r *Report) String() string {
	return fmt.Sprintf("%d pictures, %d of %d pixels hit; holes %d inside %d border; cubes %d wrong of %d (%d tied); "+
		"fattening %.4f (%d/%d) cubes %.4f (%d/%d) detail, %d far off; depth %d wrong of %d, worst %.3f of the limit; "+
		"%d see-through, %d off ray, %d broken",
		r.Pictures, r.Hits, r.Pixels, r.Faults[HoleInside], r.Faults[HoleBorder], r.Faults[WrongCube], r.CubesChecked, r.WrongTied,
		r.Fattening(Cubes), r.Fat[Cubes], r.Edges[Cubes], r.Fattening(Detail), r.Fat[Detail], r.Edges[Detail], r.Faults[FarOff],
		r.Faults[WrongDepth], r.DepthsChecked, r.DepthError, r.Faults[SeeThrough], r.Faults[OffRay], r.Faults[Broken])
}

func (r *Report) fault(i, j int, k Kind) {
	if r.Faults[k]++; r.Faults[k] <= faultsListed {
		r.Pixel = append(r.Pixel, Fault{i, j, k})
	}
}

// Compare holds a frame to the picture that the rays saw. What is fair to ask
// of a pixel depends on the scale. Where voxels are large, the very voxel and
// face are asked for. At the level of detail a node stands for all it holds and
// takes up to a pixel: it may cover a pixel whose ray passes it by, in front of
// what the ray would hit or (where its octant comes first in the order) behind.
// Then these hold:
//   - the node is in its tree and reaches the pixel's centre to within a pixel;
//   - the depth drawn is within the node's own range of depth;
//   - if the ray's true hit is in the node, the depths differ by at most the
//     node's diagonal;
//   - unless it comes before the true hit in a front-to-back order, something in
//     the 3x3 pixels around can be seen as far away as this.
//
// The last is how a hole shows in a closed model. The exception is no leniency:
// on the eye's side of a plane between them, a node hides what is beyond and not
// the other way round, so it may be drawn first and reach over, by up to a pixel.
//
// All comparisons of depth allow, besides, for one pixel's footprint and a part
// in 10^5 for the single precision of the plane. Compare fails only where the
// sizes of frame, planes and picture differ.
func Compare(f Frame, p *Picture) (Report, error) {
	n := p.Width * p.Height
	if f.Width != p.Width || f.Height != p.Height || len(f.Depth) != n || len(f.Face) != n || len(f.Voxel) != n {
		return Report{}, fmt.Errorf("witness: a frame of %dx%d with %d depths, %d faces and %d voxels does not fit a picture of %dx%d",
			f.Width, f.Height, len(f.Depth), len(f.Face), len(f.Voxel), p.Width, p.Height)
	}
	c := comparison{f, p, Report{Pictures: 1, Pixels: n}}
	for j := range p.Height {
		for i := range p.Width {
			c.pixel(i, j)
		}
	}
	c.countEdges()
	return c.report, nil
}

type comparison struct {
	frame   Frame
	picture *Picture
	report  Report
}

// pixel judges one pixel. A broken one isn't looked at further.
func (c *comparison) pixel(i, j int) {
	at := j*c.frame.Width + i
	drawn, hit := c.frame.Voxel[at], c.picture.At(i, j)
	if hit.seen() {
		c.report.Hits++
	}
	if drawn.Instance < 0 {
		switch {
		case !math.IsInf(float64(c.frame.Depth[at]), 1) || c.frame.Face[at] != noFace:
			c.report.fault(i, j, Broken)
		case hit.seen() && c.inside(i, j):
			c.report.fault(i, j, HoleInside)
		case hit.seen():
			c.report.fault(i, j, HoleBorder)
		}
		return
	}
	if !c.exists(drawn) || c.frame.Face[at] >= noFace {
		c.report.fault(i, j, Broken)
		return
	}
	c.reach(i, j, drawn, float64(c.frame.Depth[at]))
	if !hit.seen() {
		c.fattened(i, j, drawn)
		return
	}
	if c.isCube(i, j) {
		c.report.CubesChecked++
		if drawn != (Voxel{hit.Model, hit.ID, hit.Min, hit.Level}) || c.frame.Face[at] != hit.Face {
			c.report.fault(i, j, WrongCube)
			if hit.Tied {
				c.report.WrongTied++
			}
		}
	}
	c.depth(i, j, drawn, float64(c.frame.Depth[at]))
}

// inside tells whether the rays of all eight neighbours hit.
func (c *comparison) inside(i, j int) bool {
	return c.neighbours(i, j, func(h *Hit) bool { return h.seen() })
}

// isCube tells whether one face of one large leaf fills the 3x3 neighbourhood.
func (c *comparison) isCube(i, j int) bool {
	h := c.picture.At(i, j)
	return h.Footprint > cubeFootprint &&
		int(h.Level) == c.picture.spaces[h.Model].tree.Depth &&
		c.neighbours(i, j, func(n *Hit) bool { return n.Model == h.Model && n.Min == h.Min && n.Face == h.Face })
}

// neighbours tells whether all hits in the 3x3 neighbourhood please.
func (c *comparison) neighbours(i, j int, pleases func(*Hit) bool) bool {
	for y := j - 1; y <= j+1; y++ {
		for x := i - 1; x <= i+1; x++ {
			if !pleases(c.picture.At(x, y)) {
				return false
			}
		}
	}
	return true
}

// exists tells whether a node is where it is said to be in its tree.
func (c *comparison) exists(v Voxel) bool {
	if int(v.Instance) >= len(c.picture.spaces) || c.picture.spaces[v.Instance].tree == nil {
		return false
	}
	tree := c.picture.spaces[v.Instance].tree
	shift := tree.Depth - int(v.Level)
	if shift < 0 {
		return false
	}
	for _, m := range v.Min {
		if m < 0 || int64(m)>>tree.Depth != 0 || m&(1<<shift-1) != 0 {
			return false
		}
	}
	id, node := uint32(0), tree.Root()
	for level := range int(v.Level) {
		bit := tree.Depth - 1 - level
		octant := int(v.Min[0]>>bit&1 | v.Min[1]>>bit&1<<1 | v.Min[2]>>bit&1<<2)
		if !node.Has(octant) {
			return false
		}
		id, node = tree.Child(id, node, level, octant)
	}
	return id == v.ID
}

// slack is the error in depth allowed at a depth besides the node's own size,
// in world units.
func (c *comparison) slack(depth float64) float64 {
	return math.Abs(1/c.picture.lens.pixels(depth)) + 1e-5*math.Abs(depth)
}

// reach checks that the node drawn is near the pixel and as deep as the pixel.
func (c *comparison) reach(i, j int, v Voxel, depth float64) {
	sp := &c.picture.spaces[v.Instance]
	o := c.picture.outline(sp, v.Min, int32(1)<<(sp.tree.Depth-int(v.Level)))
	if !o.around(float64(i)+0.5, float64(j)+0.5) {
		c.report.fault(i, j, OffRay)
	}
	if s := c.slack(depth); !(depth >= o.z0-s && depth <= o.z1+s) {
		c.report.fault(i, j, WrongDepth)
	}
}

// fattened counts a pixel drawn beside the true silhouette.
func (c *comparison) fattened(i, j int, v Voxel) {
	c.report.fault(i, j, Fattened)
	sp := &c.picture.spaces[v.Instance]
	depth := float64(c.frame.Depth[j*c.frame.Width+i])
	c.report.Fat[scaleOf(sp.edge*c.picture.lens.pixels(depth))]++
	missed := c.neighbours(i, j, func(h *Hit) bool { return !h.seen() })
	if missed && c.picture.empty(around(i, j)) {
		c.report.fault(i, j, FarOff)
	}
}

// depth compares the depth drawn with the true one.
func (c *comparison) depth(i, j int, v Voxel, depth float64) {
	hit := c.picture.At(i, j)
	sp := &c.picture.spaces[v.Instance]
	s := c.slack(depth)
	if hit.Model == v.Instance && within(hit.Min, v, sp.tree.Depth) {
		diagonal := float64(int64(1)<<(sp.tree.Depth-int(v.Level))) * sp.diagonal()
		share := math.Abs(depth-hit.Depth) / (diagonal + s)
		c.report.DepthsChecked++
		if share > c.report.DepthError {
			c.report.DepthError = share
		}
		if share > 1 {
			c.report.fault(i, j, WrongDepth)
		}
		return
	}
	if hit.Model == v.Instance && !c.mustHide(hit.Min, v) {
		return
	}
	// A miss is infinitely deep, but says nothing about how deep a pixel may be.
	asDeep := func(h Hit) bool { return h.seen() && depth <= h.Depth+s }
	missed := c.neighbours(i, j, func(h *Hit) bool { return !asDeep(*h) })
	if missed && !c.picture.search(around(i, j), asDeep) {
		c.report.fault(i, j, SeeThrough)
	}
}

// mustHide tells whether a voxel comes before a node of the same tree, which
// does not hold it, in every front-to-back order: of the mid-planes of the
// node above both, none has the node but not the voxel on the eye's side.
func (c *comparison) mustHide(voxel [3]int32, node Voxel) bool {
	sp := &c.picture.spaces[node.Instance]
	shift := sp.tree.Depth - int(node.Level)
	differ := int32(0)
	for axis := range voxel {
		differ |= (voxel[axis] ^ node.Min[axis]) >> shift << shift
	}
	bit := bits.Len32(uint32(differ)) - 1
	for axis := range voxel {
		if (voxel[axis]^node.Min[axis])>>bit&1 == 0 {
			continue
		}
		plane := float64((node.Min[axis]>>bit | 1) << bit)
		eyeAbove := sp.eye[axis] > plane
		if c.picture.lens.parallel {
			eyeAbove = sp.forward[axis] < 0
		}
		if eyeAbove == (node.Min[axis]>>bit&1 != 0) {
			return false
		}
	}
	return true
}

// within tells whether a voxel lies in a node of the same tree.
func within(voxel [3]int32, node Voxel, treeDepth int) bool {
	shift := treeDepth - int(node.Level)
	for axis := range voxel {
		if voxel[axis]>>shift != node.Min[axis]>>shift {
			return false
		}
	}
	return true
}

// diagonal is the longest diagonal of a voxel, world units.
func (sp *space) diagonal() float64 {
	x, y, z := sp.matrix.Col(0).Vec3(), sp.matrix.Col(1).Vec3(), sp.matrix.Col(2).Vec3()
	a, b := x.Add(y), x.Sub(y)
	return max(a.Add(z).Len(), a.Sub(z).Len(), b.Add(z).Len(), b.Sub(z).Len())
}

// countEdges counts the edges of the true silhouette, those between the
// outermost pixels and the margin included.
func (c *comparison) countEdges() {
	for j := range c.picture.Height + 1 {
		for i := range c.picture.Width + 1 {
			if j < c.picture.Height {
				c.countEdge(c.picture.At(i-1, j), c.picture.At(i, j))
			}
			if i < c.picture.Width {
				c.countEdge(c.picture.At(i, j-1), c.picture.At(i, j))
			}
		}
	}
}

func (c *comparison) countEdge(a, b *Hit) {
	if a.seen() == b.seen() {
		return
	}
	if !a.seen() {
		a = b
	}
	c.report.Edges[scaleOf(c.picture.spaces[a.Model].edge*c.picture.lens.pixels(a.Depth))]++
}

func scaleOf(leafFootprint float64) Scale {
	if leafFootprint > cubeFootprint {
		return Cubes
	}
	return Detail
}
