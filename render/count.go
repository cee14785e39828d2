package render

import "math/bits"

// ladderCounts are a worker's counters of a frame.
type ladderCounts struct {
	groupsTested, groupsCulled int
	projected, verdictsHeld    int
	posesHeld, posesRenewed    int
	moved                      int
	trees, palettes            numberSet
	treeSwitches, treeSpared   int
	paletteSwitches            int
	paletteSpared              int
}

func (c *ladderCounts) reset() {
	trees, palettes := c.trees, c.palettes
	clear(trees)
	clear(palettes)
	*c = ladderCounts{trees: trees[:0], palettes: palettes[:0]}
}

// numberSet is a set of small numbers.
type numberSet []uint64

func (s *numberSet) add(n int32) {
	for int(n>>6) >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[n>>6] |= 1 << (n & 63)
}

func (s *numberSet) addAll(o numberSet) {
	for len(*s) < len(o) {
		*s = append(*s, 0)
	}
	for i, word := range o {
		(*s)[i] |= word
	}
}

func (s numberSet) size() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// countSwitch counts whether an instance drawn follows one of the same tree, in
// its tile.
func (r *Renderer) countSwitch(t *traverser, i int32) {
	c, it := &t.ladder, &r.index.items[i]
	sameTree, samePalette := false, false
	if last := t.walker.last; last != nobody {
		sameTree = r.index.items[last].tree == it.tree
		samePalette = r.index.items[last].palette == it.palette
	}
	count(sameTree, &c.treeSpared, &c.treeSwitches)
	count(samePalette, &c.paletteSpared, &c.paletteSwitches)
	t.walker.last = i
}

func count(yes bool, ifYes, ifNo *int) {
	if yes {
		*ifYes++
	} else {
		*ifNo++
	}
}

// tally fills in the counters of a frame that has been drawn: it follows the
// groups that were opened down to the instances, and asks each what became of
// it. Groups in which everything was too small are remembered.
func (r *Renderer) tally(v *View, stats *Stats) {
	all := &r.counts
	all.reset()
	for _, t := range r.workers {
		all.add(&t.ladder)
	}
	v.stats.GroupsTested += all.groupsTested
	v.stats.GroupsCulled += all.groupsCulled
	v.stats.Projected, v.stats.VerdictsHeld = all.projected, all.verdictsHeld
	v.stats.Epoch = v.epoch.number
	c := &v.stats.Instances
	*c = InstanceCounts{Tested: r.index.visible}
	if v.rungs.groups {
		top := len(r.index.levels) - 1
		for i := range r.index.levels[top] {
			r.tallyGroup(v, top, i)
		}
	} else {
		for i := range r.index.items {
			r.tallyInstance(v, int32(i))
		}
	}
	v.stats.Nodes = stats.nodeCounts()
	v.draws = DrawStats{
		Trees: all.trees.size(), Palettes: all.palettes.size(),
		TreeSwitches: all.treeSwitches, TreeSwitchesSpared: all.treeSpared,
		PaletteSwitches: all.paletteSwitches, PaletteSwitchesSpared: all.paletteSpared,
		Moved: all.moved, PosesHeld: all.posesHeld, PosesRenewed: all.posesRenewed,
	}
	stats.Instances, stats.InstancesCulled = c.Tested, c.Culled()
}

func (c *ladderCounts) add(o *ladderCounts) {
	c.groupsTested += o.groupsTested
	c.groupsCulled += o.groupsCulled
	c.projected += o.projected
	c.verdictsHeld += o.verdictsHeld
	c.posesHeld += o.posesHeld
	c.posesRenewed += o.posesRenewed
	c.moved += o.moved
	c.treeSwitches += o.treeSwitches
	c.treeSpared += o.treeSpared
	c.paletteSwitches += o.paletteSwitches
	c.paletteSpared += o.paletteSpared
	c.trees.addAll(o.trees)
	c.palettes.addAll(o.palettes)
}

// tallyGroup counts the instances of a group; it returns whether all of them
// were below a pixel.
func (r *Renderer) tallyGroup(v *View, level, i int) (below bool) {
	g, s, c := &r.index.levels[level][i], &v.groups[level][i], &v.stats.Instances
	n := int(g.visible)
	if n == 0 {
		return true
	}
	switch s.fateIn(v.frames) {
	case groupUntouched:
		c.Bounds += n
		return false
	case groupOutside:
		c.Frustum += n
		return false
	case groupBelowSize:
		c.ScreenSize += n
		return false
	case groupHidden:
		c.Occlusion += n
		return false
	case groupBelowPixel:
		c.Subpixel += n
		if s.epoch == v.epoch.number && s.version == g.version {
			v.stats.VerdictsHeld += n
		}
		below = true
	case groupOpened:
		below = r.tallyMembers(v, level, i)
	}
	if below {
		s.epoch, s.version = v.epoch.number, g.version
	}
	return below
}

func (r *Renderer) tallyMembers(v *View, level, i int) (below bool) {
	below = true
	if level == 0 {
		members := r.index.order[fan*i : min(fan*i+fan, len(r.index.order))]
		for _, member := range members {
			fetch(&r.kernels, &v.seats[member])
		}
		for _, member := range members {
			below = r.tallyInstance(v, member) && below
		}
		return below
	}
	for k := fan * i; k < min(fan*i+fan, len(r.index.levels[level-1])); k++ {
		below = r.tallyGroup(v, level-1, k) && below
	}
	return below
}

func (r *Renderer) tallyInstance(v *View, i int32) (below bool) {
	s, c := &v.seats[i], &v.stats.Instances
	f, known := s.fateIn(v.frames)
	if !known { // its box told enough, in every tile
		f = invisible
		if it := &r.index.items[i]; it.visible {
			f = outside
			if b := r.frustum.Bounds(&it.low, &it.high, it.near); v.inPicture(&b) {
				f = hidden
			}
		}
	}
	switch f {
	case invisible:
		return true
	case belowPixel:
		c.Subpixel++
		return true
	case outside:
		c.Bounds++
	case cutAway:
		c.Section++
	case belowSize:
		c.ScreenSize++
	case copied:
		c.Copies++
	case drawn:
		c.Drawn++
	case hidden:
		c.Occlusion++
	case candidate:
		if v.inPicture(&s.bounds) {
			c.Occlusion++
		} else {
			c.Bounds++
		}
	}
	return false
}
