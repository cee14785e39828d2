package models

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sharedVox is a set of public .vox files with what is known about each; it is
// not part of the project.
const sharedVox = "../../shared/models/vox"

// truth is a line of vox_truth.tsv, by column.
type truth map[string]string

func readTruth(t *testing.T) []truth {
	t.Helper()
	text, err := os.ReadFile(sharedVox + "_truth.tsv")
	if err != nil {
		t.Skip("the shared models are absent:", err)
	}
	var columns []string
	var list []truth
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case columns == nil:
			columns = fields
		default:
			row := truth{}
			for i, column := range columns {
				row[column] = fields[i]
			}
			list = append(list, row)
		}
	}
	return list
}

func (row truth) number(t *testing.T, column string) int {
	n, err := strconv.Atoi(row[column])
	require.NoError(t, err)
	return n
}

func TestVoxTruth(t *testing.T) {
	for _, row := range readTruth(t) {
		t.Run(row["file"], func(t *testing.T) {
			t.Parallel()
			a, err := Load(filepath.Join(sharedVox, row["file"]), Options{})
			if row["version"] == "-" {
				require.ErrorContains(t, err, row["file"])
				return
			}
			require.NoError(t, err)
			info, err := a.Info(0)
			require.NoError(t, err)
			info.Hash, err = a.Hash(0, Options{})
			require.NoError(t, err)
			require.Equal(t, row.number(t, "version"), info.Version)
			require.Equal(t, row.number(t, "models"), info.Models)
			require.EqualValues(t, row.number(t, "voxels_stored"), info.VoxelsStored)
			require.Equal(t, row.number(t, "instances"), info.Instances)
			require.Equal(t, row.number(t, "instances_visible"), info.InstancesVisible)
			require.Equal(t, row.number(t, "voxels_flat"), info.Voxels)
			require.Equal(t, row.number(t, "distinct_rgb_used"), info.Colours)
			require.Equal(t, row["pos_hash"], info.PosHash)
			require.Equal(t, row["flat_hash"], info.FlatHash)
			require.Equal(t, row["bbox_min"], corner(info.Bounds.Min, 0))
			require.Equal(t, row["bbox_max"], corner(info.Bounds.Max, -1))
		})
	}
}

// corner writes a corner of the bounds as the truth table does.
func corner(v [3]float64, shift float64) string {
	var words []string
	for _, c := range v {
		words = append(words, strconv.FormatFloat(c+shift, 'f', -1, 64))
	}
	return strings.Join(words, ",")
}
