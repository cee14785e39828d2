package session

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/occlusion"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// Switch is an optimisation, or another choice, that can be changed while the
// picture is looked at.
type Switch struct {
	Name  string
	Value string
	// On tells whether it is as it is at the start.
	On bool

	turn func(*Session)
}

// Switches are all that there are, in the order of the panel.
func (s *Session) Switches() []Switch {
	l := &s.Look
	list := []Switch{
		{"core", l.Core.String(), l.Core == render.CoreAuto, func(s *Session) {
			s.Look.Core = (s.Look.Core + 1) % (render.CoreClassic + 1)
		}},
		{"order of octants", pick(l.SortAll, "sorted for each node", "inherited"), !l.SortAll, func(s *Session) {
			s.Look.SortAll = !s.Look.SortAll
		}},
		{"small nodes", pick(l.NoOrtho, "in perspective", "orthographic"), !l.NoOrtho, func(s *Session) {
			s.Look.NoOrtho = !s.Look.NoOrtho
		}},
		{"coverage", pick(l.Coverage == occlusion.ByteCoverage, "bytes", "strips of bits"), l.Coverage == 0, func(s *Session) {
			s.Look.Coverage = occlusion.ByteCoverage - s.Look.Coverage
		}},
		{"kernel", s.kernelName(), l.Kernel == s.options.Kernel, (*Session).nextKernel},
		{"threads", fmt.Sprint(threads(l.Threads)), l.Threads == s.options.Threads, (*Session).nextThreads},
		{"pixel rule", pick(l.PixelRule == project.Rounded, "rounded", "float"), l.PixelRule == project.Float, func(s *Session) {
			s.Look.PixelRule = project.Rounded - s.Look.PixelRule
		}},
		{"projection", fmt.Sprintf("%d corners", 2<<l.Projection), l.Projection == project.TwoCorners, func(s *Session) {
			s.Look.Projection = (s.Look.Projection + 1) % (project.EightCorners + 1)
		}},
		{"level of detail", pick(l.LOD == 0, "a pixel", fmt.Sprintf("%g pixels", l.LOD)), l.LOD == 0, func(s *Session) {
			s.Look.LOD = next(s.Look.LOD, 0, 2, 4, 8, 16)
		}},
		{"resolution", pick(s.Pace.Adapt, "adapts", "fixed"), s.Pace.Adapt == !s.options.FixedResolution, func(s *Session) {
			s.Pace.Adapt = !s.Pace.Adapt
		}},
		{"subpixel culling", pick(l.Subpixel == 0, "off", fmt.Sprintf("below %g pixels", l.Subpixel)), l.Subpixel == 0, func(s *Session) {
			s.Look.Subpixel = next(s.Look.Subpixel, 0, 0.4, 1, 2)
		}},
		{"least instance", pick(l.LeastSize == 0, "any", fmt.Sprintf("%g pixels", l.LeastSize)), l.LeastSize == 0, func(s *Session) {
			s.Look.LeastSize = next(s.Look.LeastSize, 0, 2, 8, 32)
		}},
	}
	for i, name := range render.RungNames() {
		rung := render.Rungs(1) << i
		list = append(list, Switch{"culling: " + name, pick(l.Without&rung != 0, "off", "on"), l.Without&rung == 0, func(s *Session) {
			s.Look.Without ^= rung
		}})
	}
	return list
}

// next is the value after now, round and round.
func next(now float64, values ...float64) float64 {
	i := slices.Index(values, now)
	return values[(i+1)%len(values)]
}

func pick(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

// Turn turns a switch to its next position, the first one being 0.
func (s *Session) Turn(i int) {
	switches := s.Switches()
	if i < 0 || i >= len(switches) {
		return
	}
	switches[i].turn(s)
	// Some choices need the classic core: the latest one wins.
	o := s.Look.options(1, 1)
	if _, err := render.NewRenderer(o); err != nil && s.Look.Core == render.CoreBricks {
		if i != 0 {
			s.Look.Core = render.CoreAuto
		} else {
			s.Look.Core = render.CoreClassic
			s.Say("core: classic, since %v", err)
			return
		}
	}
	now := s.Switches()[i]
	s.Say("%s: %s", now.Name, now.Value)
}

func (s *Session) kernelName() string {
	k, err := asm.Select(s.Look.Kernel)
	if err != nil {
		return s.Look.Kernel.String()
	}
	return k.Kernel.String()
}

// nextKernel changes to the next kernel that this machine has.
func (s *Session) nextKernel() {
	offered := asm.Offered()
	now, _ := asm.Select(s.Look.Kernel)
	for i, k := range offered {
		if k.Kernel == now.Kernel {
			s.Look.Kernel = offered[(i+1)%len(offered)].Kernel
			return
		}
	}
}

// nextThreads doubles the threads, up to all there are, and begins with one.
func (s *Session) nextThreads() {
	n, all := threads(s.Look.Threads), runtime.GOMAXPROCS(0)
	if n >= all {
		s.Look.Threads = 1
		return
	}
	s.Look.Threads = min(2*n, all)
}
