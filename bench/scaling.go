package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// scalingCmd shows how the time grows with what there is to draw.
type scalingCmd struct {
	settings
	coreFlag
	Curves    []string `arg:"" optional:"" name:"curve" enum:"resolution,depth,instances,threads" help:"Which of ${enum}; all where none is given."`
	Model     string   `default:"proc:terrain?size=1024" help:"Model for the resolutions and the threads (${default})."`
	Shape     string   `default:"terrain" enum:"terrain,sphere" help:"Shape for the depths: terrain or sphere (${default})."`
	Deepest   int      `default:"8192" help:"Greatest size of the shape, in voxels along a side (${default})."`
	Memory    int      `default:"4" placeholder:"GIB" help:"Memory for making a shape; those that take more are left out (${default})."`
	Crowd     string   `default:"proc:sphere?size=64" help:"Model of which many instances are placed (${default})."`
	Instances int      `default:"100000" help:"Greatest number of instances (${default})."`
}

// point is a contender and where it stands on its curve.
type point struct {
	*contender
	x float64
}

// Run is called by kong.
func (s *scalingCmd) Run(ctx context.Context, c console) error {
	r, err := s.newReport()
	if err != nil {
		return err
	}
	r.columns = []column{{"relative", number(2, func(r *Row) float64 { return r.Relative })}}
	axes := map[string]string{"resolution": "pixels", "depth": "voxels along a side", "instances": "instances", "threads": "threads"}
	curves := map[string]func(console) (string, []point, error){
		"resolution": s.resolution, "depth": s.depth, "instances": s.instances, "threads": s.threads,
	}
	floors := floors{}
	names := s.Curves
	if len(names) == 0 {
		names = []string{"resolution", "depth", "instances", "threads"}
	}
	for _, name := range names {
		title, points, err := curves[name](c)
		if err != nil {
			return err
		}
		contenders := make([]*contender, len(points))
		for i, p := range points {
			contenders[i] = p.contender
		}
		if err := race(ctx, contenders, s.rounds(usualRounds), nil); err != nil {
			return err
		}
		rows := rows(contenders, floors)
		for i := range rows {
			rows[i].Curve = &Curve{X: points[i].x, Relative: rows[i].Median / rows[0].Median}
		}
		r.tables = append(r.tables, table{title, rows})
		r.plots = append(r.plots, curve(title, axes[name], rows))
	}
	return r.write(c)
}

// at makes a point of a subject that is wholly in view.
func (s *scalingCmd) at(name string, x float64, subject *subject, o render.Options) (point, error) {
	camera, err := subject.whole(size{o.Width, o.Height}, math.Pi/6, math.Pi/6)
	if err != nil {
		return point{}, fmt.Errorf("%s: %w", name, err)
	}
	c, err := s.newContender(name, subject.scene, []project.Camera{camera}, o)
	return point{c, x}, err
}

// resolution grows the picture; x is its number of pixels.
func (s *scalingCmd) resolution(console) (string, []point, error) {
	subject, err := load(s.Model, models.Options{})
	if err != nil {
		return "", nil, err
	}
	var points []point
	for _, size := range []size{{256, 256}, {512, 512}, {1024, 1024}, {1280, 720}, {1920, 1080}, {2560, 1440}, {3840, 2160}} {
		o := s.core(s.options())
		o.Width, o.Height = size.width, size.height
		p, err := s.at(size.String(), float64(size.width*size.height), &subject, o)
		if err != nil {
			return "", nil, err
		}
		points = append(points, p)
	}
	slices.SortFunc(points, func(a, b point) int { return int(a.x - b.x) })
	return "resolution, " + s.Model, points, nil
}

// depth grows the model and not the picture; x is its number of voxels along a
// side.
func (s *scalingCmd) depth(c console) (string, []point, error) {
	var points []point
	for side := min(256, s.Deepest); side <= s.Deepest; side *= 2 {
		model := fmt.Sprintf("proc:%s?size=%d", s.Shape, side)
		subject, err := load(model, models.Options{MaxMemory: int64(s.Memory) << 30})
		if err != nil && len(points) > 0 {
			c.note("left out: %v (--memory)", err)
			break
		}
		if err != nil {
			return "", nil, err
		}
		p, err := s.at(fmt.Sprintf("%d^3", side), float64(side), &subject, s.core(s.options()))
		if err != nil {
			return "", nil, err
		}
		points = append(points, p)
	}
	return "depth, " + s.Shape, points, nil
}

// instances grows a crowd; x is its head count.
func (s *scalingCmd) instances(console) (string, []point, error) {
	one, err := load(s.Crowd, models.Options{})
	if err != nil {
		return "", nil, err
	}
	var points []point
	for n := 1; n <= s.Instances; n *= 10 {
		crowd := one.crowd(n)
		p, err := s.at(fmt.Sprintf("%d instances", n), float64(n), &crowd, s.core(s.options()))
		if err != nil {
			return "", nil, err
		}
		points = append(points, p)
	}
	return "instances of " + s.Crowd, points, nil
}

// crowd places a subject n times on a square of its ground, each turned about
// the vertical at random, none touching another.
func (s *subject) crowd(n int) subject {
	low, high, _ := s.scene.Bounds()
	middle, apart := low.Add(high).Mul(0.5), high.Sub(low).Len()
	side := s.front.Cross(s.up)
	row := int(math.Ceil(math.Sqrt(float64(n))))
	random := rand.New(rand.NewPCG(1, uint64(n)))
	crowd := subject{scene: &render.Scene{LaterWins: s.scene.LaterWins}, up: s.up, front: s.front}
	for k := range n {
		place := side.Mul(apart * float64(k%row)).Add(s.front.Mul(apart * float64(k/row)))
		turn := mgl64.HomogRotate3D(2*math.Pi*random.Float64(), s.up)
		move := mgl64.Translate3D(place[0], place[1], place[2]).Mul4(turn).Mul4(mgl64.Translate3D(-middle[0], -middle[1], -middle[2]))
		for _, instance := range s.scene.Instances {
			instance.Transform = move.Mul4(instance.Transform)
			crowd.scene.Instances = append(crowd.scene.Instances, instance)
		}
	}
	return crowd
}

// threads adds threads to the same picture; x is their number.
func (s *scalingCmd) threads(console) (string, []point, error) {
	subject, err := load(s.Model, models.Options{})
	if err != nil {
		return "", nil, err
	}
	var points []point
	for _, n := range allThreads() {
		o := s.core(s.options())
		o.Workers = n
		p, err := s.at(fmt.Sprintf("%d threads", n), float64(n), &subject, o)
		if err != nil {
			return "", nil, err
		}
		points = append(points, p)
	}
	return "threads, " + s.Model, points, nil
}
