package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/project"
)

// posesCmd draws a scene from the poses of a file.
type posesCmd struct {
	settings
	coreFlag
	Scene  string  `required:"" placeholder:"FILE" help:"Model to draw: a file or a procedural model."`
	Poses  string  `required:"" type:"existingfile" placeholder:"FILE" help:"Poses, one a line: scene, name, eye x y z, target x y z; y is up."`
	Name   string  `help:"Only the poses of this scene; all of them where it is not given."`
	Across float64 `default:"60" placeholder:"DEG" help:"Field of view across the width of the picture (${default})."`
	Voxel  float64 `name:"voxel-size" default:"1" help:"Edge of a voxel in a file of points (${default})."`
}

// pose is a line of a pose file.
type pose struct {
	scene, name string
	eye, target mgl64.Vec3
}

// Run is called by kong.
func (p *posesCmd) Run(ctx context.Context, c console) error {
	poses, err := readPoses(p.Poses, p.Name)
	if err != nil {
		return err
	}
	if !(p.Across > 0 && p.Across < 180) {
		return fmt.Errorf("--across %g: must be above 0 and below 180 degrees", p.Across)
	}
	subject, err := load(p.Scene, models.Options{VoxelSize: p.Voxel})
	if err != nil {
		return err
	}
	var contenders []*contender
	for _, pose := range poses {
		camera := project.Camera{Eye: pose.eye, Target: pose.target, Up: mgl64.Vec3{0, 1, 0}, FovY: p.fovY()}
		contender, err := p.newContender(pose.scene+" "+pose.name, subject.scene, []project.Camera{camera}, p.core(p.options()))
		if err != nil {
			return err
		}
		contenders = append(contenders, contender)
	}
	return p.publish(ctx, c, "poses", contenders, !strings.HasPrefix(p.Scene, "proc:"))
}

// fovY is the vertical field of view in degrees.
func (p *posesCmd) fovY() float64 {
	half := math.Tan(mgl64.DegToRad(p.Across / 2))
	return 2 * mgl64.RadToDeg(math.Atan(half*float64(p.Size.height)/float64(p.Size.width)))
}

// publish times poses and, where the scene is the one that others were timed
// on, sets them beside what those need.
func (s *settings) publish(ctx context.Context, c console, title string, contenders []*contender, comparable bool) error {
	r, err := s.newReport()
	if err != nil {
		return err
	}
	if err := race(ctx, contenders, s.rounds(usualRounds), nil); err != nil {
		return err
	}
	rows := rows(contenders, floors{})
	var ours, theirs float64
	for i := range rows {
		if rows[i].Peer = peerOf(&rows[i]); comparable && rows[i].Peer != nil {
			ours, theirs = ours+rows[i].Median, theirs+rows[i].PeerMS
		}
	}
	if theirs > 0 {
		r.columns = []column{
			{"peer", func(r *Row) string { return r.peerText("%s", func(p *Peer) any { return p.Peer }) }},
			{"peer ms", func(r *Row) string { return r.peerText("%.1f", func(p *Peer) any { return p.PeerMS }) }},
			{"speedup", func(r *Row) string { return r.peerText("%.2f", func(p *Peer) any { return p.Speedup }) }},
		}
		c.note("sum of the medians %.2f ms, of the peer %.2f ms: %.2f times as fast. Peers were timed on %s.", ours, theirs, theirs/ours, peerMachine)
	}
	r.tables = []table{{title, rows}}
	r.plots = []plotted{bars(title, "ms, median", rows, func(r *Row) float64 { return r.Median })}
	return r.write(c)
}

// readPoses reads the poses of a scene from a file, or all of them.
func readPoses(path, scene string) ([]pose, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	all, err := parsePoses(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var poses []pose
	for _, p := range all {
		if scene == "" || p.scene == scene {
			poses = append(poses, p)
		}
	}
	if len(poses) == 0 {
		return nil, fmt.Errorf("%s: no pose of scene %q in it", path, scene)
	}
	return poses, nil
}

// parsePoses reads one pose a line; what follows a # is a remark.
func parsePoses(r io.Reader) (poses []pose, err error) {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(text)
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 8 {
			return nil, fmt.Errorf("line %d: %d fields; a pose has 8: scene, name, eye x y z, target x y z", n, len(fields))
		}
		p := pose{scene: fields[0], name: fields[1]}
		for k, field := range fields[2:] {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("line %d: %q is not a finite number", n, field)
			}
			if k < 3 {
				p.eye[k] = v
			} else {
				p.target[k-3] = v
			}
		}
		poses = append(poses, p)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", len(poses)+1, err)
	}
	return poses, nil
}
