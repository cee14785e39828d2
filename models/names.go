package models

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/cfef80af/eightfold/svo"
)

// procPrefix starts the names of models that are made, not read.
const procPrefix = "proc:"

// procedure makes a model from a few whole numbers.
type procedure struct {
	name       string
	parameters []parameter
	make       func(p map[string]int) (*Asset, error)
	// voxels estimates how many voxels the builder gets, nil where the model is
	// a handful of nodes.
	voxels func(p map[string]int) int64
	// placements tells how many models are placed, nil where it is a few.
	placements func(p map[string]int) uint64
}

type parameter struct {
	name              string
	usual, least, top int
}

// procedures are the models there are, the default one first.
func procedures() []procedure {
	return []procedure{
		{
			name: "island",
			make: func(map[string]int) (*Asset, error) { return Island() },
		},
		{
			name:       "sponge",
			parameters: []parameter{{"depth", 24, 1, svo.MaxDepth}},
			make:       func(p map[string]int) (*Asset, error) { return single(Sponge(p["depth"])) },
		},
		{
			name:       "cube",
			parameters: []parameter{{"depth", 6, 1, svo.MaxDepth}},
			make:       func(p map[string]int) (*Asset, error) { return single(Cube(p["depth"])) },
		},
		{
			name:       "sphere",
			parameters: []parameter{{"size", 128, 1, 1 << 14}},
			make:       func(p map[string]int) (*Asset, error) { return single(SphereShell(p["size"])) },
			voxels:     func(p map[string]int) int64 { return 5 * int64(p["size"]) * int64(p["size"]) },
		},
		{
			name:       "terrain",
			parameters: []parameter{{"size", 512, 1, 1 << 14}, {"seed", 1, 0, 1 << 30}},
			make: func(p map[string]int) (*Asset, error) {
				return single(Terrain(p["size"], uint32(p["seed"])))
			},
			voxels: func(p map[string]int) int64 { return 3 * int64(p["size"]) * int64(p["size"]) },
		},
		{
			name:       "city",
			parameters: []parameter{{"instances", 100_000, 1, DefaultMaxPlacements}, {"seed", 1, 0, 1 << 30}},
			make:       func(p map[string]int) (*Asset, error) { return City(p["instances"], uint32(p["seed"])) },
			voxels:     func(map[string]int) int64 { return cityMemory / memoryPerVoxel },
			placements: func(p map[string]int) uint64 { return uint64(p["instances"]) },
		},
	}
}

// Names lists the procedural models that Load knows, with their parameters at
// the usual values, the default model first.
func Names() []string {
	var names []string
	for _, p := range procedures() {
		name := procPrefix + p.name
		for i, parameter := range p.parameters {
			name += fmt.Sprintf("%c%s=%d", "?&"[min(i, 1)], parameter.name, parameter.usual)
		}
		names = append(names, name)
	}
	return names
}

// generate makes the model of a name like proc:terrain?size=512&seed=3, or the
// default model where there is none.
func generate(name string, opts Options) (*Asset, error) {
	all := procedures()
	if name == "" {
		name = procPrefix + all[0].name
	}
	base, query, _ := strings.Cut(strings.TrimPrefix(name, procPrefix), "?")
	i := slices.IndexFunc(all, func(p procedure) bool { return p.name == base })
	if i < 0 {
		return nil, fmt.Errorf("%s: no such model; there are %s", name, strings.Join(Names(), ", "))
	}
	values, err := all[i].values(query)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if voxels := all[i].voxels; voxels != nil && voxels(values)*memoryPerVoxel > opts.maxMemory() {
		return nil, fmt.Errorf("%s: about %d voxels exceed the memory limit of %s; choose a smaller size or raise the limit",
			name, voxels(values), bytesText(opts.maxMemory()))
	}
	if placements := all[i].placements; placements != nil && placements(values) > opts.maxPlacements() {
		return nil, fmt.Errorf("%s: %d placed models exceed the limit of %d; choose fewer or raise the limit", name, placements(values), opts.maxPlacements())
	}
	asset, err := all[i].make(values)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return asset, nil
}

// values are the parameters as a query gives them, else as usual.
func (p procedure) values(query string) (map[string]int, error) {
	given, err := url.ParseQuery(query)
	if err != nil {
		return nil, fmt.Errorf("parameters have the form name=number&name=number")
	}
	values := map[string]int{}
	for _, parameter := range p.parameters {
		values[parameter.name] = parameter.usual
		if !given.Has(parameter.name) {
			continue
		}
		text := given.Get(parameter.name)
		given.Del(parameter.name)
		n, err := strconv.Atoi(text)
		if err != nil || n < parameter.least || n > parameter.top {
			return nil, fmt.Errorf("%s %q must be a whole number from %d to %d", parameter.name, text, parameter.least, parameter.top)
		}
		values[parameter.name] = n
	}
	if len(given) > 0 {
		return nil, fmt.Errorf("no parameter %q here; see %s", slices.Sorted(maps.Keys(given))[0], strings.Join(Names(), ", "))
	}
	return values, nil
}

// single is the asset of one procedural tree.
func single(tree *svo.Tree, err error) (*Asset, error) {
	if err != nil {
		return nil, err
	}
	return still("proc", treeModel("", tree)), nil
}

// treeModel wraps a tree; its size is that of the box from 0 to its last voxel.
func treeModel(name string, tree *svo.Tree) Model {
	_, high := tree.Bounds()
	return Model{Name: name, Size: [3]int{int(high[0]), int(high[1]), int(high[2])}, Stored: tree.Voxels(), Tree: tree}
}
