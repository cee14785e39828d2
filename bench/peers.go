package main

import "fmt"

// peerMachine is where the figures of the peers come from.
const peerMachine = "one thread of an idle Zen 4"

// peer is another renderer's median time for a picture, one thread.
type peer struct {
	renderer   string
	name, size string // as in a Row
	ms         float64
}

// peers are discrete-mirage (drawing and colours) on the scenes and poses of
// the shared pose file, and Fluffy, the source document's own program, in its
// fastest variant.
func peers() []peer {
	const mirage, fluffy = "discrete-mirage", "Fluffy"
	list := []peer{
		{fluffy, "z=0.5", "512x512", 10.0},
		{fluffy, "z=0.7", "512x512", 15.1},
		{fluffy, "z=0.9", "512x512", 14.3},
		{fluffy, "z=1.5", "512x512", 2.5},
		{fluffy, "rotated z=1.5", "512x512", 6.9},
		{fluffy, "288 cubes", "512x512", 43.5},
	}
	for _, p := range []struct {
		name string
		ms   [3]float64
	}{
		{"dragon far", [3]float64{5.3, 30.3, 63.3}},
		{"dragon med", [3]float64{16.7, 50.7, 82.9}},
		{"dragon close", [3]float64{17.3, 30.1, 50.1}},
		{"terrain far", [3]float64{7.1, 45.2, 86.1}},
		{"terrain med", [3]float64{16.3, 43.7, 70.1}},
		{"terrain close", [3]float64{10.3, 22.2, 42.1}},
	} {
		for k, size := range []string{"512x512", "1280x720", "1920x1080"} {
			list = append(list, peer{mirage, p.name, size, p.ms[k]})
		}
	}
	return list
}

// peerOf is the peer of a row, nil where nobody has been timed on that picture.
func peerOf(r *Row) *Peer {
	for _, p := range peers() {
		if r.Threads == 1 && p.name == r.Name && p.size == r.Size {
			return &Peer{Peer: p.renderer, PeerMS: p.ms, Speedup: p.ms / r.Median}
		}
	}
	return nil
}

func (r *Row) peerText(format string, value func(*Peer) any) string {
	if r.Peer == nil {
		return ""
	}
	return fmt.Sprintf(format, value(r.Peer))
}
