package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/models"
)

// A list of instances is drawn and summed up, by its flag, by its name and from
// standard input, and its mistakes are told with their place.
func TestInstances(t *testing.T) {
	folder := t.TempDir()
	write(t, voxFile(cube()), folder, "a.vox")
	write(t, []byte(`[{"model": "a.vox", "count": 3, "spacing": [9, 0, 0]}, {"model": "proc:cube?depth=2"}]`), folder, "list.json")
	write(t, []byte(`[{"model": "a.vox", "count": 3, "spacing": [9, 0, 0]}, {"model": "proc:cube?depth=2"}]`), folder, "list.txt")
	write(t, []byte("[{\"model\": \"a.vox\",\n  \"cuont\": 3}]"), folder, "wrong.json")

	succeed(t, folder, "render", "--instances", "list.txt", "-o", "a.png", "--size", "120x90")
	succeed(t, folder, "render", "list.json", "-o", "b.png", "--size", "120x90")
	require.Equal(t, readPNG(t, folder, "a.png"), readPNG(t, folder, "b.png"))
	var info models.Info
	require.NoError(t, json.Unmarshal([]byte(succeed(t, folder, "info", "--instances", "list.txt", "--json").stdout), &info))
	require.Equal(t, 4, info.Instances)
	require.Equal(t, 2, info.Models)

	fails(t, try(t, folder, "render", "wrong.json", "-o", "c.png"), 1, "wrong.json:2:3", "cuont", "count")
	fails(t, try(t, folder, "render", "--instances", "none.json", "-o", "c.png"), 1, "none.json", "no such file")
	fails(t, try(t, folder, "render", "a.vox", "--instances", "list.json", "-o", "c.png"), 2, "--instances", "a.vox")
	fails(t, try(t, folder, "info", "a.vox", "--instances", "list.json"), 2, "--instances", "a.vox")
}

// The views that a model brings are taken like those that are fitted to it.
func TestViewsOfTheModel(t *testing.T) {
	folder := t.TempDir()
	succeed(t, folder, "render", "proc:city?instances=50", "-o", "a.png", "--size", "64x36", "--view", "afar")
	turned := cameraFlags{View: "street", Yaw: 4, Zoom: 1}
	_, err := turned.ownView(models.View{Name: "street"})
	require.ErrorContains(t, err, "--view street")
	require.ErrorContains(t, err, "--yaw")
	require.Equal(t, 2, exitStatus(err))
}
