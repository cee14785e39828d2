package render

// Fates tells what became of each instance in the last frame of view 0: the
// name of the counter that it was counted in, or "" for what is not visible.
func (r *Renderer) Fates() []string {
	v := r.views[0]
	fates := make([]string, len(v.seats))
	name := func(i int32) string {
		s := &v.seats[i]
		f, known := s.fateIn(v.frames)
		if !known && r.index.items[i].visible {
			return "box"
		}
		switch f {
		case candidate:
			return "occlusion"
		case outside, cutAway:
			return "bounds"
		case belowSize:
			return "screen size"
		case belowPixel:
			return "subpixel"
		case copied:
			return "copies"
		case drawn:
			return "drawn"
		}
		return ""
	}
	if !v.rungs.groups {
		for i := range fates {
			fates[i] = name(int32(i))
		}
		return fates
	}
	var visit func(level, i int)
	visit = func(level, i int) {
		whole := map[groupFate]string{groupUntouched: "bounds", groupOutside: "frustum", groupBelowSize: "screen size", groupBelowPixel: "subpixel", groupHidden: "occlusion"}[v.groups[level][i].fateIn(v.frames)]
		width := fan
		for range level {
			width *= fan
		}
		switch {
		case r.index.levels[level][i].visible == 0:
		case whole != "":
			for _, member := range r.index.order[width*i : min(width*i+width, len(r.index.order))] {
				if r.index.items[member].visible {
					fates[member] = whole
				}
			}
		case level == 0:
			for _, member := range r.index.order[width*i : min(width*i+width, len(r.index.order))] {
				fates[member] = name(member)
			}
		default:
			for k := fan * i; k < min(fan*i+fan, len(r.index.levels[level-1])); k++ {
				visit(level-1, k)
			}
		}
	}
	for i := range r.index.levels[len(r.index.levels)-1] {
		visit(len(r.index.levels)-1, i)
	}
	return fates
}

// HierarchyCounts tells how often the scene's hierarchy was built, and how many
// instances it was refitted for.
func (s *Scene) HierarchyCounts() (built, refitted int) {
	return s.index.counts.built, s.index.counts.refitted
}

// CheckHierarchy tells whether each group holds the boxes of all in it, and each
// instance is in the order once.
func (s *Scene) CheckHierarchy() bool {
	x := &s.index
	for position, i := range x.order {
		if x.place[i] != int32(position) {
			return false
		}
		for level, at := 0, position/fan; level < len(x.levels); level, at = level+1, at/fan {
			g, it := &x.levels[level][at], &x.items[i]
			for k := range 3 {
				if it.visible && (g.low[k] > it.low[k] || g.high[k] < it.high[k] || g.radius < it.radius || g.near < it.near) {
					return false
				}
			}
		}
	}
	return len(x.order) == len(s.Instances)
}

// Told is how many changes are kept for the next frame.
func (s *Scene) Told() int { return len(s.changed) }

// Reach is how far from the origin the scene is taken to reach.
func (s *Scene) Reach() float64 { return s.index.reach }
