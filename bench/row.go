package main

import "fmt"

// Row is a line of a table: a way to draw at a size, on some threads. Its JSON
// is flat.
type Row struct {
	Table   string `json:"table"`
	Name    string `json:"name"`
	Size    string `json:"size"`
	Threads int    `json:"threads"`
	statistics
	// Pixels that see something, on average over the pictures.
	Pixels     int     `json:"pixels"`
	NsPerPixel float64 `json:"ns_per_pixel"` // of the median
	// FloorMS is the memory floor, see memoryFloor, and FloorShare its share of
	// the median: 1 would be as fast as memory allows.
	FloorMS    float64 `json:"floor_ms"`
	FloorShare float64 `json:"floor_share"`
	machine

	// What only some commands tell.
	*Saving
	*Curve
	*Peer
	*Check
	*Fatness
	*Culling
}

// settle fills in what follows from the other figures.
func (r *Row) settle(floor float64) {
	r.FloorMS = floor
	if r.Median > 0 {
		r.FloorShare = floor / r.Median
	}
	if r.Pixels > 0 {
		r.NsPerPixel = r.Median * 1e6 / float64(r.Pixels)
	}
}

// Saving is what an optimisation saves, compared with the row that leaves it
// out, frame by frame.
type Saving struct {
	SavedMS      float64 `json:"saved_ms"`      // median of the differences
	SavedPercent float64 `json:"saved_percent"` // of the time without it
	// Changed is how many pixels differ, all pictures together, of how many;
	// Worst how many in the one with the most.
	Changed int `json:"changed_pixels"`
	Worst   int `json:"worst_changed_pixels"`
	Of      int `json:"compared_pixels"`
}

// Culling is what became of the instances of a scene, on average over the
// pictures; see render.InstanceCounts.
type Culling struct {
	Tested     int `json:"instances_tested"`
	Drawn      int `json:"instances_drawn"`
	Frustum    int `json:"instances_frustum"`
	Bounds     int `json:"instances_bounds"`
	ScreenSize int `json:"instances_screen_size"`
	Subpixel   int `json:"instances_subpixel"`
	Occlusion  int `json:"instances_occlusion"`
	Copies     int `json:"instances_copies"`
	PosesHeld  int `json:"poses_held"` // set-ups taken over from the picture before
}

// Curve puts a row on a curve.
type Curve struct {
	X        float64 `json:"x"`
	Relative float64 `json:"relative"` // median, as a multiple of the first row's
}

// Peer is what another renderer needs for the same picture.
type Peer struct {
	Peer    string  `json:"peer"`
	PeerMS  float64 `json:"peer_ms"`
	Speedup float64 `json:"speedup"` // PeerMS / Median
}

// Check is what the walk found in a model.
type Check struct {
	Checked int `json:"checked_frames"` // held against the witness
	Holes   int `json:"holes"`
	// SeeThrough counts the pixels through which something is seen that nothing
	// near them shows.
	SeeThrough int `json:"see_through"`
	// Faults are of any kind that must never be: holes, and see-through pixels
	// of scenes of one instance.
	Faults int `json:"faults"`
}

// fatText is a figure of a row's fatness, where it has been measured.
func (r *Row) fatText(value func(*Fatness) float64) string {
	if r.Fatness == nil {
		return ""
	}
	return fmt.Sprintf("%.3f", value(r.Fatness))
}
