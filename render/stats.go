package render

import "time"

// Stats are the counters of one frame. Every node tested ends in one of
// seven ways: Tested = Behind + Outside + Empty + Subpixel + Occluded + Opened + Drawn. A node
// that several tiles test is counted in each.
type Stats struct {
	Instances       int `json:"instances"`        // visible ones in the scene
	InstancesCulled int `json:"instances_culled"` // of these, not drawn: Renderer.CullStats tells why
	Batches         int `json:"batches"`          // eight octants tested at once
	OrthoBatches    int `json:"ortho_batches"`    // of these, subdivided on the screen
	Bottoms         int `json:"bottoms"`          // batches whose octants are bricks
	Tables          int `json:"tables"`           // tables made for bricks that look alike
	Tested          int `json:"tested"`           // nodes tested (empty octants are not)
	Behind          int `json:"behind"`           // culled: behind the near plane
	Outside         int `json:"outside"`          // culled: outside the tile
	Empty           int `json:"empty"`            // culled: between the pixel centres
	Subpixel        int `json:"subpixel"`         // culled: below Options.Subpixel
	Occluded        int `json:"occluded"`         // culled: all its pixels taken
	Opened          int `json:"opened"`           // nodes whose octants were tested
	Drawn           int `json:"drawn"`            // nodes drawn
	Cubes           int `json:"cubes"`            // of these, leaves drawn as exact cubes
	OrderInherited  int `json:"order_inherited"`  // nodes that took their parent's order
	OrderDecided    int `json:"order_decided"`    // nodes whose order was decided anew
	Pixels          int `json:"pixels"`           // pixels that see something

	// Held tells that nothing had changed, so that this is the last frame again;
	// the counters are those of when it was drawn.
	Held bool `json:"-"`

	Times `json:"-"`
}

// Times tells how long the stages of a frame took. What workers do at once is
// summed over them.
type Times struct {
	Cull     time.Duration // set-up and culling of instances
	Traverse time.Duration // of which, with Options.StageTimes:
	LevelA   time.Duration // walking down, eight nodes in perspective at a time
	Ortho    time.Duration // where perspective has ended: tables, bricks, nodes at level of detail
	Leaves   time.Duration // leaves drawn as exact cubes
	Contest  time.Duration // settling instances whose depths overlap
	Resolve  time.Duration // planes and colours, of which:
	Shade    time.Duration // colours
	Total    time.Duration // wall clock of the whole frame
}

// add adds the times of a worker, or of another frame.
func (s *Times) add(t *Times) {
	s.Cull += t.Cull
	s.Traverse += t.Traverse
	s.LevelA += t.LevelA
	s.Ortho += t.Ortho
	s.Leaves += t.Leaves
	s.Contest += t.Contest
	s.Resolve += t.Resolve
	s.Shade += t.Shade
	s.Total += t.Total
}

// add adds the counters of one worker.
func (s *Stats) add(t *Stats) {
	s.Batches += t.Batches
	s.OrthoBatches += t.OrthoBatches
	s.Bottoms += t.Bottoms
	s.Tables += t.Tables
	s.Tested += t.Tested
	s.Behind += t.Behind
	s.Outside += t.Outside
	s.Empty += t.Empty
	s.Subpixel += t.Subpixel
	s.Occluded += t.Occluded
	s.Opened += t.Opened
	s.Drawn += t.Drawn
	s.Cubes += t.Cubes
	s.OrderInherited += t.OrderInherited
	s.OrderDecided += t.OrderDecided
	s.Pixels += t.Pixels
	s.Times.add(&t.Times)
}
