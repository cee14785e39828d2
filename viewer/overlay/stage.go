package overlay

import (
	"fmt"
	"image/color"
	"slices"
	"time"

	"github.com/cfef80af/eightfold/render"
)

// Stage is a part of the work for a frame.
type Stage int

// The stages, in the order of a frame.
const (
	Cull Stage = iota
	LevelA
	Ortho
	Cubes
	Contest
	Resolve
	Shade
	Upload
	Rest // what is not known
	stages
)

// stageNames tell what each is; stageColours are easy to tell apart, with any
// colour blindness by their lightness too (after the palette of M. Okabe and
// K. Ito, Color Universal Design, 2008).
var (
	stageNames   = [stages]string{"cull", "level A", "ortho", "cubes", "instances", "resolve", "shade", "upload", "rest"}
	stageColours = [stages]color.NRGBA{
		{204, 121, 167, 255}, {0, 114, 178, 255}, {86, 180, 233, 255}, {0, 158, 115, 255},
		{146, 100, 190, 255}, {213, 94, 0, 255}, {230, 159, 0, 255}, {240, 228, 66, 255}, {120, 124, 134, 255},
	}
)

func (s Stage) String() string { return stageNames[s] }

// Frame is a frame in the graph: how long it took, stage by stage.
type Frame struct {
	// Number counts the frames, so that one can be found again.
	Number int
	// Stages are the wall clock's share of each.
	Stages [stages]time.Duration
	// Width and Height are what was drawn, Sample which sample it was.
	Width, Height, Sample int
	// Stats are its counters.
	Stats render.Stats
}

// NewFrame sorts the times of a frame into stages. Workers draw at once, so what
// they do is scaled to the time that passed; where the stages of the traversal
// were not asked for (Options.StageTimes) all of it is the rest. upload is how
// long it took to bring the picture to the screen.
func NewFrame(s render.Stats, upload time.Duration, width, height, sample int) Frame {
	f := Frame{Stats: s, Width: width, Height: height, Sample: sample}
	f.Stages[Cull], f.Stages[Upload] = min(s.Cull, s.Total), upload
	f.Stages[LevelA], f.Stages[Ortho], f.Stages[Cubes], f.Stages[Contest] = s.LevelA, s.Ortho, s.Leaves, s.Contest
	f.Stages[Shade], f.Stages[Resolve] = s.Shade, s.Resolve-s.Shade
	f.Stages[Rest] = s.Traverse - s.LevelA - s.Ortho - s.Leaves - s.Contest
	worked := s.Traverse + s.Resolve
	passed := s.Total - f.Stages[Cull]
	for _, stage := range []Stage{LevelA, Ortho, Cubes, Contest, Resolve, Shade, Rest} {
		if worked > 0 {
			f.Stages[stage] = time.Duration(float64(f.Stages[stage]) / float64(worked) * float64(passed))
		}
	}
	if worked == 0 {
		f.Stages[Rest] = passed
	}
	return f
}

// Total is how long the frame took.
func (f *Frame) Total() (total time.Duration) {
	for _, t := range f.Stages {
		total += t
	}
	return total
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.2f ms", d.Seconds()*1000) }

// Figures are the figures of a frame: each stage and its share.
func (f *Frame) Figures() Table {
	t := Table{Title: fmt.Sprintf("frame %d", f.Number), Align: "lrr"}
	total := f.Total()
	for s, d := range f.Stages {
		if d != 0 || Stage(s) != Rest {
			t.Rows = append(t.Rows, stageRow(Stage(s), d, total))
		}
	}
	t.Rows = append(t.Rows, Row{Cells: []string{"in all", milliseconds(total), rate(total)}, Look: Strong})
	note := fmt.Sprintf("%d x %d", f.Width, f.Height)
	if f.Sample > 0 {
		note += fmt.Sprintf(", sample %d", f.Sample)
	}
	t.Rows = append(t.Rows, Row{Cells: []string{"pixels", note}, Look: Faint})
	return t
}

func stageRow(s Stage, d, total time.Duration) Row {
	share := 0.0
	if total > 0 {
		share = float64(d) / float64(total)
	}
	return Row{Cells: []string{s.String(), milliseconds(d), fmt.Sprintf("%.0f %%", 100*share)}, Swatch: stageColours[s], Bar: share}
}

func rate(total time.Duration) string {
	if total <= 0 {
		return ""
	}
	return fmt.Sprintf("%.0f fps", 1/total.Seconds())
}

// Top lists the stages by their mean over some frames, the slowest first.
func Top(frames []Frame) Table {
	t := Table{Title: "slowest stages", Align: "lrr"}
	if len(frames) == 0 {
		return t
	}
	var mean [stages]time.Duration
	var total time.Duration
	for i := range frames {
		for s, d := range frames[i].Stages {
			mean[s] += d / time.Duration(len(frames))
			total += d / time.Duration(len(frames))
		}
	}
	order := make([]Stage, stages)
	for s := range order {
		order[s] = Stage(s)
	}
	slices.SortStableFunc(order, func(a, b Stage) int { return int(mean[b] - mean[a]) })
	for _, s := range order {
		if mean[s] > 0 {
			t.Rows = append(t.Rows, stageRow(s, mean[s], total))
		}
	}
	t.Rows = append(t.Rows, Row{Cells: []string{fmt.Sprintf("mean of %d", len(frames)), milliseconds(total), rate(total)}, Look: Strong})
	return t
}
