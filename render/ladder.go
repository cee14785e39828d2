package render

import (
	"fmt"
	"strings"
)

// Rungs is a set of rungs of the culling ladder, and of the savings that go
// with it. Each but RungScreenSize and RungSubpixel, which do nothing unless
// they are given a threshold, leaves every byte of the picture as it is; see
// docs/culling.md.
type Rungs uint

// The rungs, cheapest first.
const (
	RungFrame      Rungs = 1 << iota // an unchanged view of an unchanged scene is not drawn again, see Scene.Tracked
	RungGroups                       // groups of instances outside the view are dropped as wholes, and by the other rungs too
	RungBounds                       // instances whose bounds on the screen lie outside the picture
	RungScreenSize                   // instances below View.SetMinScreenSize
	RungSubpixel                     // instances and nodes below Options.Subpixel
	RungVerdicts                     // what was below Options.Subpixel is not looked at again for some time
	RungOcclusion                    // instances, and groups with RungGroups, whose pixels are taken already
	RungCopies                       // all but one of several instances of one tree at one place
	RungPoses                        // the set-up of an instance is kept from frame to frame
	RungRuns                         // instances of one tree are drawn one after the other where the order allows it

	AllRungs Rungs = 1<<iota - 1
)

var rungNames = []string{"frame", "groups", "bounds", "screensize", "subpixel", "verdicts", "occlusion", "copies", "poses", "runs"}

// RungNames are the names that ParseRungs takes, cheapest rung first.
func RungNames() []string { return append([]string(nil), rungNames...) }

// ParseRungs is the set of the rungs named, separated by commas; nothing is no
// rung, "all" is every one.
func ParseRungs(names string) (set Rungs, err error) {
next:
	for _, name := range strings.FieldsFunc(names, func(r rune) bool { return r == ',' || r == ' ' }) {
		if name == "all" {
			set |= AllRungs
			continue
		}
		for i, n := range rungNames {
			if n == name {
				set |= 1 << i
				continue next
			}
		}
		return 0, fmt.Errorf("rung %q: must be all or some of %s", name, strings.Join(rungNames, ", "))
	}
	return set, nil
}

// String names the rungs as ParseRungs takes them.
func (r Rungs) String() string {
	var names []string
	for i, n := range rungNames {
		if r>>i&1 != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, ",")
}

// CullStats tells what the culling ladder did, view by view.
type CullStats struct {
	Views []ViewStats `json:"views"` // by View.Index
}

// ViewStats tells what the ladder did in the last frame of a view. A frame that
// was held has the counters of when it was drawn.
type ViewStats struct {
	Instances InstanceCounts `json:"instances"`
	Nodes     NodeCounts     `json:"nodes"`
	// GroupsTested is how many groups of instances were projected or looked up;
	// GroupsCulled, of these, how many were dropped as wholes, in each tile anew.
	GroupsTested int `json:"groups_tested"`
	GroupsCulled int `json:"groups_culled"`
	// Projected is how many instances' bounds were projected in this frame:
	// what is neither in Projected nor held cost nothing.
	Projected int `json:"projected"`
	// VerdictsHeld is how many of Instances.Subpixel were dropped by what an
	// earlier frame had found, without any set-up.
	VerdictsHeld int `json:"verdicts_held"`
	// Epoch counts the times that verdicts of this view ended.
	Epoch uint64 `json:"epoch"`
	// Frames and FramesHeld count the frames of the view, and those of them that
	// were the last one again, since the renderer was made.
	Frames     uint64 `json:"frames"`
	FramesHeld uint64 `json:"frames_held"`
}

// InstanceCounts tells what became of the visible instances of a scene, each
// counted once:
//
//	Tested = Frustum + Bounds + Section + ScreenSize + Subpixel + Occlusion + Copies + Drawn
type InstanceCounts struct {
	Tested     int `json:"tested"`      // all visible ones of the scene
	Frustum    int `json:"frustum"`     // in a group outside the view
	Bounds     int `json:"bounds"`      // outside the picture by their own bounds
	Section    int `json:"section"`     // cut away by Scene.Section
	ScreenSize int `json:"screen_size"` // below the view's least size
	Subpixel   int `json:"subpixel"`    // below Options.Subpixel
	Occlusion  int `json:"occlusion"`   // behind what was drawn before, in every tile that they reach
	Copies     int `json:"copies"`      // a copy of one that was tested in their place
	Drawn      int `json:"drawn"`       // opened or drawn as a whole, in one tile at least
}

// Culled is how many were not drawn.
func (c *InstanceCounts) Culled() int {
	return c.Frustum + c.Bounds + c.Section + c.ScreenSize + c.Subpixel + c.Occlusion + c.Copies
}

// NodeCounts tells what became of the nodes that were tested, a node that
// several tiles test being counted in each:
//
//	Tested = Frustum + Bounds + Subpixel + Occlusion + Opened + Drawn
//
// They are the counters of Stats by rung.
type NodeCounts struct {
	Tested    int `json:"tested"`
	Frustum   int `json:"frustum"`   // behind the near plane or outside the tile
	Bounds    int `json:"bounds"`    // between the pixel centres
	Subpixel  int `json:"subpixel"`  // below Options.Subpixel
	Occlusion int `json:"occlusion"` // all their pixels taken
	Opened    int `json:"opened"`
	Drawn     int `json:"drawn"`
}

// nodeCounts sorts the counters of nodes by rung.
func (s *Stats) nodeCounts() NodeCounts {
	return NodeCounts{
		Tested: s.Tested, Frustum: s.Behind + s.Outside, Bounds: s.Empty, Subpixel: s.Subpixel,
		Occlusion: s.Occluded, Opened: s.Opened, Drawn: s.Drawn,
	}
}

// DrawStats tells what a frame spent on going from one model to another. A
// palette is the colours of a tree, which several trees may share.
//
//	TreeSwitches + TreeSwitchesSpared = instances drawn, in every tile anew
//
// and the same for palettes.
type DrawStats struct {
	Trees                 int `json:"trees"`                   // distinct trees drawn
	Palettes              int `json:"palettes"`                // distinct palettes among them
	TreeSwitches          int `json:"tree_switches"`           // instances drawn after one of another tree
	TreeSwitchesSpared    int `json:"tree_switches_spared"`    // instances drawn after one of the same tree
	PaletteSwitches       int `json:"palette_switches"`        // after one of another palette
	PaletteSwitchesSpared int `json:"palette_switches_spared"` // after one of the same palette
	Moved                 int `json:"moved"`                   // instances drawn before their turn, to be next to one of their tree
	PosesHeld             int `json:"poses_held"`              // instances drawn with the set-up of an earlier frame
	PosesRenewed          int `json:"poses_renewed"`           // instances set up anew
}
