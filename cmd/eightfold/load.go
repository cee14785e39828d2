package main

import (
	"context"

	"github.com/cfef80af/eightfold/models"
)

// loadFlags belong to every command that reads models.
type loadFlags struct {
	Instances string  `placeholder:"FILE" help:"Instead of models, a list of models and places in JSON, - for standard input: many of them in one scene (docs/models.md)."`
	MaxMemory int64   `placeholder:"MIB" default:"2048" help:"Memory that one model may take, in MiB."`
	VoxelSize float64 `placeholder:"S" help:"Edge of a voxel in the file's units, for files of points; fitted to the points where not given."`
}

// models are the models to be loaded: those typed, else the list of instances,
// else the one that is built in.
func (f loadFlags) models(typed []string) ([]string, error) {
	switch {
	case f.Instances != "" && len(typed) > 0:
		return nil, usage("--instances %s and the model %s exclude each other: name the model in the list", f.Instances, displayName(typed[0]))
	case f.Instances != "":
		return []string{f.Instances}, nil
	case len(typed) == 0:
		return []string{""}, nil
	}
	return typed, nil
}

// load reads a model, or the list of instances; "-" is standard input.
func (f loadFlags) load(ctx context.Context, path string, std streams) (*models.Asset, error) {
	opts, name := f.options(), displayName(path)
	return await(ctx, name, func() (*models.Asset, error) {
		switch {
		case path == "-" && f.Instances != "":
			return models.DecodeInstances(std.in, name, opts)
		case path == "-":
			return models.Decode(std.in, name, opts)
		case f.Instances != "":
			return models.LoadInstances(path, opts)
		}
		return models.Load(path, opts)
	})
}

func (f loadFlags) options() models.Options {
	return models.Options{MaxMemory: f.MaxMemory << 20, VoxelSize: f.VoxelSize}
}

func (f loadFlags) check() error {
	if f.MaxMemory < 1 || f.MaxMemory > 1<<40 {
		return usage("--max-memory %d: must be a number of MiB above 0", f.MaxMemory)
	}
	if f.VoxelSize != 0 && !(f.VoxelSize >= models.MinVoxelSize && f.VoxelSize <= models.MaxVoxelSize) {
		return usage("--voxel-size %g: must be a number between %g and %g", f.VoxelSize, models.MinVoxelSize, models.MaxVoxelSize)
	}
	return nil
}
