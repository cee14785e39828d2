package models

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/svo"
)

// plyTable writes a PLY file of one element vertex, with columns like "float x".
type plyTable struct {
	format  string // ascii, binary_little_endian or binary_big_endian
	newline string
	columns []string
	rows    [][]float64
}

func (p *plyTable) bytes() []byte {
	var out bytes.Buffer
	lines := []string{"ply", "format " + p.format + " 1.0", fmt.Sprintf("element vertex %d", len(p.rows))}
	for _, c := range p.columns {
		lines = append(lines, "property "+c)
	}
	for _, line := range append(lines, "end_header") {
		out.WriteString(line + p.newline)
	}
	for _, row := range p.rows {
		for i, v := range row {
			typ, _, _ := strings.Cut(p.columns[i], " ")
			if p.format == "ascii" {
				bits := 64
				if typ == "float" {
					bits = 32
				}
				out.WriteString(strconv.FormatFloat(v, 'g', -1, bits) + " ")
				continue
			}
			p.number(&out, typ, v)
		}
		if p.format == "ascii" {
			out.WriteString(p.newline)
		}
	}
	return out.Bytes()
}

func (p *plyTable) number(out *bytes.Buffer, typ string, v float64) {
	var order binary.ByteOrder = binary.LittleEndian
	if p.format == "binary_big_endian" {
		order = binary.BigEndian
	}
	var number any
	switch typ {
	case "char":
		number = int8(v)
	case "uchar":
		number = uint8(v)
	case "short":
		number = int16(v)
	case "ushort":
		number = uint16(v)
	case "int":
		number = int32(v)
	case "uint":
		number = uint32(v)
	case "float":
		number = float32(v)
	case "double":
		number = v
	}
	if err := binary.Write(out, order, number); err != nil {
		panic(err) // a type that the test made up
	}
}

func decodeCloud(t require.TestingT, data []byte, opts Options) *Asset {
	a, err := Decode(bytes.NewReader(data), "cloud.ply", opts)
	require.NoError(t, err)
	return a
}

// plyVoxels are the voxels of an asset by place in the file's own grid: that of
// the corner in whole voxels from 0.
func plyVoxels(t require.TestingT, a *Asset, size float64) map[[3]int]svo.Voxel {
	require.Len(t, a.Models, 1)
	tree := a.Models[0].Tree
	require.NoError(t, tree.Validate())
	placements, err := a.Placements(0)
	require.NoError(t, err)
	require.Len(t, placements, 1)
	voxels := map[[3]int]svo.Voxel{}
	for at, id := range tree.All() {
		corner := mgl64.TransformCoordinate(mgl64.Vec3{float64(at[0]), float64(at[1]), float64(at[2])}, placements[0].Transform)
		var place [3]int
		for axis := range place {
			place[axis] = int(math.Round(corner[axis] / size))
			require.InDelta(t, float64(place[axis]), corner[axis]/size, 1e-3)
		}
		v := svo.Voxel{Colour: tree.Colours[id]}
		if tree.Normals != nil {
			v.Normal = tree.Normals[id]
		}
		voxels[place] = v
	}
	return voxels
}

const twoPoints = "element vertex 2\nproperty float x\nproperty float y\nproperty float z\n" +
	"property uchar red\nproperty uchar green\nproperty uchar blue\n"

func TestPLYHeaders(t *testing.T) {
	const points = "1 2 3 10 20 30\n4 5 6 40 50 60\n"
	want := map[[3]int]svo.Voxel{{1, 2, 3}: {Colour: svo.Colour{10, 20, 30}}, {4, 5, 6}: {Colour: svo.Colour{40, 50, 60}}}
	plain := "ply\nformat ascii 1.0\n" + twoPoints + "end_header\n" + points
	for name, file := range map[string]string{
		"plain":           plain,
		"CR LF":           strings.ReplaceAll(plain, "\n", "\r\n"),
		"CR":              strings.ReplaceAll(plain, "\n", "\r"),
		"no last newline": strings.TrimSpace(plain),
		"blank lines":     strings.ReplaceAll(plain, "\n", " \n\n"),
		"one line":        strings.ReplaceAll(plain, points, strings.ReplaceAll(points, "\n", " ")),
		"comments": "ply\ncomment element vertex 9\nformat ascii 1.0\nobj_info a scan\n" + twoPoints +
			"comment\nend_header\n" + points,
		"sizes in the types": "ply\nformat ascii 1.0\nelement vertex 2\nproperty float32 x\nproperty float64 y\nproperty int32 z\n" +
			"property uint8 red\nproperty int16 green\nproperty uint32 blue\nend_header\n" + points,
		"another order": "ply\nformat ascii 1.0\nelement vertex 2\nproperty uchar blue\nproperty char tag\nproperty double z\nproperty double y\n" +
			"property uchar green\nproperty uchar red\nproperty double x\nend_header\n30 -1 3 2 20 10 1\n60 -1 6 5 50 40 4\n",
		"short names": "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\n" +
			"property uchar diffuse_red\nproperty uchar g\nproperty uchar b\nend_header\n" + points,
		"a list in each point": "ply\nformat ascii 1.0\nelement vertex 2\nproperty list uchar int near\nproperty float x\nproperty float y\nproperty float z\n" +
			"property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n0 1 2 3 10 20 30\n3 7 8 9 4 5 6 40 50 60\n",
		"elements around": "ply\nformat ascii 1.0\nelement camera 1\nproperty float x\nelement strip 2\nproperty list int int of\nelement nothing 0\n" + twoPoints +
			"element face 1\nproperty list uchar int vertex_indices\nend_header\n0.5\n2 1 1\n0\n" + points + "3 0 1 2\n",
		"an element without properties": "ply\nformat ascii 1.0\nelement nothing 18446744073709551615\n" + twoPoints + "end_header\n" + points,
		"binary lists": "ply\nformat binary_big_endian 1.0\nelement strip 2\nproperty list ushort short of\nelement vertex 2\nproperty uchar x\nproperty uchar y\n" +
			"property list uchar double w\nproperty uchar z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n" +
			"\x00\x02abcd\x00\x00" + "\x01\x02\x01abcdefgh\x03\x0a\x14\x1e" + "\x04\x05\x00\x06\x28\x32\x3c",
		"binary after CR": "ply\rformat binary_little_endian 1.0\relement vertex 2\rproperty uchar x\rproperty uchar y\r" +
			"property uchar z\rproperty uchar red\rproperty uchar green\rproperty uchar blue\rend_header\r" +
			"\x01\x02\x03\x0a\x14\x1e\x04\x05\x06\x28\x32\x3c",
	} {
		a := decodeCloud(t, []byte(file), Options{})
		require.Equal(t, want, plyVoxels(t, a, 1), name)
		require.EqualValues(t, 2, a.Models[0].Stored, name)
	}
}

// TestPLYEncodings: the same points give the same voxels in every encoding,
// those that arithmetic by hand gives.
func TestPLYEncodings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]float64{0.125, 0.3, 1, 7}).Draw(t, "voxel size")
		place := rapid.SampledFrom([]string{"float", "double"}).Draw(t, "type of places")
		coordinate := rapid.Float64Range(-5, 5)
		rows := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) []float64 {
			row := make([]float64, 9)
			for i := range 3 {
				row[i] = coordinate.Draw(t, "coordinate")
				if place == "float" {
					row[i] = float64(float32(row[i]))
				}
				row[3+i] = float64(rapid.Byte().Draw(t, "channel"))
			}
			row[6+rapid.IntRange(0, 2).Draw(t, "axis")] = 1
			return row
		}), 1, 60).Draw(t, "points")
		columns := []string{place + " x", place + " y", place + " z",
			"uchar red", "uchar green", "uchar blue", "float nx", "float ny", "float nz"}

		type total struct{ n, red, green, blue, nx, ny, nz int }
		totals := map[[3]int]total{}
		for _, row := range rows {
			var at [3]int
			for axis := range at {
				at[axis] = int(math.Floor(row[axis] / size))
			}
			s := totals[at]
			totals[at] = total{s.n + 1, s.red + int(row[3]), s.green + int(row[4]), s.blue + int(row[5]),
				s.nx + int(row[6]), s.ny + int(row[7]), s.nz + int(row[8])}
		}
		for _, format := range []string{"ascii", "binary_little_endian", "binary_big_endian"} {
			data := (&plyTable{format, "\n", columns, rows}).bytes()
			a := decodeCloud(t, data, Options{VoxelSize: size})
			require.EqualValues(t, len(rows), a.Models[0].Stored)
			voxels := plyVoxels(t, a, size)
			require.Len(t, voxels, len(totals), format)
			for at, s := range totals {
				v, ok := voxels[at]
				require.True(t, ok, "%s: no voxel at %v", format, at)
				for channel, sum := range [3]int{s.red, s.green, s.blue} {
					require.InDelta(t, float64(sum)/float64(s.n), float64(v.Colour[channel]), 0.5, format)
				}
				mean := mgl32.Vec3{float32(s.nx), float32(s.ny), float32(s.nz)}.Normalize()
				require.InDelta(t, 1, float64(mean.Dot(v.Normal.Vec3())), 1e-5, format)
			}
		}
	})
}

func TestPLYKeepsTheVoxelsOfModels(t *testing.T) {
	for _, shift := range []float64{0, 0.5} {
		rows := [][]float64{{-3, 0, 7}, {-2, 0, 7}, {2000, 4, 9}}
		want := map[[3]int]svo.Voxel{}
		for _, row := range rows {
			want[[3]int{int(row[0]), int(row[1]), int(row[2])}] = svo.Voxel{Colour: plainColour}
			for axis := range row {
				row[axis] += shift
			}
		}
		a := decodeCloud(t, (&plyTable{"binary_little_endian", "\n", []string{"float x", "float y", "float z"}, rows}).bytes(), Options{})
		require.Equal(t, want, plyVoxels(t, a, 1))
		require.Len(t, flatten(t, a, 0), len(rows), "it can be flattened like a voxel model")
		info, err := a.Info(0)
		require.NoError(t, err)
		require.Equal(t, Bounds{[3]float64{-3, 0, 7}, [3]float64{2001, 5, 10}}, info.Bounds)
		require.Equal(t, mgl64.Vec3{0, 1, 0}, a.Up)
		require.Empty(t, a.Warnings)
	}
}

// ball is a sphere's surface in n points.
func ball(n int, radius float64, centre [3]float64) (rows [][]float64) {
	for i := range n {
		z := (2*float64(i) + 1 - float64(n)) / float64(n)
		sin, cos := math.Sincos(float64(i) * math.Pi * (3 - math.Sqrt(5))) // the golden angle
		r := math.Sqrt(1 - z*z)
		rows = append(rows, []float64{centre[0] + radius*r*cos, centre[1] + radius*r*sin, centre[2] + radius*z})
	}
	return rows
}

var doublePlaces = []string{"double x", "double y", "double z"}

// TestPLYVoxelSizeSuitsThePoints: without a voxel size, points on a surface
// close it, whatever the file's unit is and wherever it stands.
func TestPLYVoxelSizeSuitsThePoints(t *testing.T) {
	for _, radius := range []float64{1e-3, 0.77, 12345} {
		for _, centre := range [][3]float64{{}, {404158.3, 5403060.9, 112}} {
			a := decodeCloud(t, (&plyTable{"binary_big_endian", "\n", doublePlaces, ball(20000, radius, centre)}).bytes(), Options{})
			size := a.Models[0].Size
			require.InDelta(t, 58, size[0], 3) // the square root of 20000 / 6
			voxels := a.Models[0].Tree.Voxels()
			require.Greater(t, voxels, uint64(4*size[0]*size[0]/2), "most of the surface is there")
			info, err := a.Info(0)
			require.NoError(t, err)
			for axis := range 3 {
				edge := (info.Bounds.Max[axis] - info.Bounds.Min[axis]) / float64(size[axis])
				require.InDelta(t, centre[axis]-radius, info.Bounds.Min[axis], 1.01*edge)
				require.InDelta(t, centre[axis]+radius, info.Bounds.Max[axis], 1.01*edge)
			}
		}
	}
}

func TestPLYFarFromTheOrigin(t *testing.T) {
	rows := ball(5000, 3, [3]float64{})
	for _, row := range rows {
		for axis := range row { // so that adding 2^23 loses nothing
			row[axis] = math.Round(row[axis]*1024) / 1024
		}
	}
	opts := Options{VoxelSize: 1.0 / 64}
	near := decodeCloud(t, (&plyTable{"binary_little_endian", "\n", doublePlaces, rows}).bytes(), opts)
	for _, row := range rows {
		for axis := range row {
			row[axis] += 1 << 23
		}
	}
	for _, format := range []string{"binary_little_endian", "ascii"} {
		far := decodeCloud(t, (&plyTable{format, "\n", doublePlaces, rows}).bytes(), opts)
		require.Equal(t, near.Models[0].Tree, far.Models[0].Tree, format)
	}
}

func TestPLYColours(t *testing.T) {
	for _, c := range []struct {
		typ  string
		in   [3]float64
		want svo.Colour
	}{
		{"uchar", [3]float64{0, 128, 255}, svo.Colour{0, 128, 255}},
		{"ushort", [3]float64{0, 257 * 100, 65535}, svo.Colour{0, 100, 255}},
		{"float", [3]float64{0, 0.5, 1}, svo.Colour{0, 128, 255}},
		{"double", [3]float64{math.NaN(), -1, 1e300}, svo.Colour{0, 0, 255}},
		{"int", [3]float64{-5, 17, 1000}, svo.Colour{0, 17, 255}},
	} {
		columns := []string{"float x", "float y", "float z", c.typ + " red", c.typ + " green", c.typ + " blue"}
		for _, format := range []string{"ascii", "binary_little_endian", "binary_big_endian"} {
			data := (&plyTable{format, "\n", columns, [][]float64{{1, 2, 3, c.in[0], c.in[1], c.in[2]}}}).bytes()
			a := decodeCloud(t, data, Options{})
			require.Equal(t, map[[3]int]svo.Voxel{{1, 2, 3}: {Colour: c.want}}, plyVoxels(t, a, 1), "%s %s", c.typ, format)
		}
	}
}

func TestPLYOppositeNormalsCancelOut(t *testing.T) {
	columns := append([]string{"float nx", "float ny", "float nz"}, doublePlaces...)
	rows := [][]float64{{0.6, 0.8, 0, 1, 1, 1}, {-0.6, -0.8, 0, 1, 1, 1}, {0, 0, -5, 2, 1, 1}}
	voxels := plyVoxels(t, decodeCloud(t, (&plyTable{"ascii", "\n", columns, rows}).bytes(), Options{}), 1)
	require.Zero(t, voxels[[3]int{1, 1, 1}].Normal)
	require.InDelta(t, -1, voxels[[3]int{2, 1, 1}].Normal.Vec3()[2], 1e-6)
}

func TestPLYPointsWithoutAPlaceAreSkipped(t *testing.T) {
	rows := [][]float64{{1, 2, 3}, {math.NaN(), 2, 3}, {1, math.Inf(-1), 3}, {1, 2, 1e38}, {2, 2, 3}}
	want := []string{"3 of 5 points skipped: their coordinates are NaN, infinite or beyond 1e+30"}
	for _, format := range []string{"ascii", "binary_little_endian"} {
		a := decodeCloud(t, (&plyTable{format, "\n", []string{"float x", "float y", "float z"}, rows}).bytes(), Options{})
		require.Len(t, plyVoxels(t, a, 1), 2)
		require.EqualValues(t, 2, a.Models[0].Stored)
		require.Equal(t, want, a.Warnings)
	}
}

func TestPLYMeshIsDrawnAsItsPoints(t *testing.T) {
	a := decodeCloud(t, []byte("ply\nformat ascii 1.0\nbuilt by hand\n"+twoPoints+
		"element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0 1 1 1\n3 0 0 1 1 1\n3 0 1 0\n"), Options{})
	require.EqualValues(t, 2, a.Models[0].Tree.Voxels())
	require.Equal(t, []string{
		"header line that begins with built skipped",
		"element face skipped (1 entries): only the points are drawn",
	}, a.Warnings)
}

func TestBadPLYFiles(t *testing.T) {
	const head = "ply\nformat ascii 1.0\n"
	const xyz = "element vertex 2\nproperty float x\nproperty float y\nproperty float z\n"
	const end = "end_header\n"
	for _, c := range []struct{ name, file, want string }{
		{"header without end", head + xyz, "header: no line end_header within the first 89 bytes"},
		{"no format", "ply\n" + xyz + end, "header: no line that tells the format, like format ascii 1.0"},
		{"unknown format", "ply\nformat octal 1.0\n", "header: line 2: format octal is none of ascii, binary_little_endian and binary_big_endian"},
		{"no vertices", head + "element face 0\n" + end, "header: no element vertex, so there are no points"},
		{"no z", head + "element vertex 1\nproperty float x\nproperty float y\n" + end + "1 2", "header: element vertex has no property z"},
		{"z is a list", head + "element vertex 1\nproperty float x\nproperty float y\nproperty list int float z\n" + end + "1 2 1 3", "header: element vertex has no property z"},
		{"no count", head + "element vertex\n", "header: line 3: an element needs a name and a count, like element vertex 8"},
		{"negative count", head + "element vertex -1\n", "header: line 3: element vertex: -1 is not a count"},
		{"unknown type", head + "element vertex 1\nproperty half x\n", "header: line 4: property x: half is not a type"},
		{"short property", head + "element vertex 1\nproperty x\n",
			"header: line 4: a property needs a type and a name, like property float x or property list uchar int vertex_indices"},
		{"property of nothing", head + "property float x\n", "header: line 3: a property before the first element"},
		{"fractional list", head + "element vertex 1\nproperty list float int of\n", "header: line 4: property of: the count of a list must be of a whole type"},
		{"empty", head + strings.Replace(xyz, "2", "0", 1) + end, "there is not one point in it"},
		{"only NaN", head + xyz + end + "nan 0 0\n1e999 0 -1.#IND\n", "there is not one point in it"},
		{"text cut short", head + xyz + end + "1 2 3\n4 5\n\n\n", "element vertex at line 8, entry 2 of 2 at line 12: the file ends within it"},
		{"no number", head + xyz + end + "1 2 3\n4 five 6\n", "element vertex at line 8, entry 2 of 2 at line 9: five is not a number"},
		{"announced too much", head + xyz + end + "1 2 3\n", "element vertex: 2 entries announced, at most 1 present; the file may be cut short"},
		{"binary cut short", strings.Replace(head+xyz+end, "ascii", "binary_little_endian", 1) + strings.Repeat("x", 23),
			"element vertex: 2 entries announced, at most 1 present; the file may be cut short"},
		{"endless", head + strings.Replace(xyz, "2", "18446744073709551615", 1) + end + "1 2 3\n",
			"element vertex: 18446744073709551615 entries announced, at most 1 present; the file may be cut short"},
		{"endless before it", "ply\nformat binary_big_endian 1.0\nelement face 9999999999999\nproperty list uchar int of\n" + xyz + end + "1234",
			"element face: 9999999999999 entries announced, at most 4 present; the file may be cut short"},
		{"endless list", "ply\nformat binary_big_endian 1.0\nelement face 1\nproperty list uint double of\n" + xyz + end + "\xff\xff\xff\xff123",
			"element face at byte 156, entry 1 of 1 at byte 160: the file ends within it"},
		{"endless list in text", head + "element face 1\nproperty list uint double of\n" + xyz + end + "4294967295 1 2 3",
			"element face at line 10, entry 1 of 1 at line 10: the file ends within it"},
		{"negative list", head + "element face 1\nproperty list int double of\n" + xyz + end + "-4 1 2 3",
			"element face at line 10, entry 1 of 1 at line 10: list of has the count -4"},
	} {
		_, err := Decode(strings.NewReader(c.file), "castle.ply", Options{})
		require.EqualError(t, err, "castle.ply: "+c.want, c.name)
	}
}

func TestPLYBounds(t *testing.T) {
	data := (&plyTable{"binary_little_endian", "\n", []string{"float x", "float y", "float z"}, ball(10000, 1, [3]float64{})}).bytes()
	_, err := Decode(bytes.NewReader(data), "ball.ply", Options{MaxMemory: 300 << 10})
	require.EqualError(t, err, "ball.ply: its points would take 508 KiB, more than the limit of 300 KiB; raise the limit or choose a larger voxel size")

	for _, size := range []float64{-1, math.NaN(), math.Inf(1), 1e-31, 1e31} {
		_, err = Decode(bytes.NewReader(data), "ball.ply", Options{VoxelSize: size})
		require.ErrorContains(t, err, "must be a number between 1e-30 and 1e+30, or 0 for one that suits the points")
	}
	for name, rows := range map[string][][]float64{"wide": ball(100, 1, [3]float64{}), "far": {{1e20, 0, 0}, {1e20, 0, 0}}} {
		data := (&plyTable{"ascii", "\n", doublePlaces, rows}).bytes()
		_, err = Decode(bytes.NewReader(data), "ball.ply", Options{VoxelSize: 1e-9})
		require.ErrorContains(t, err, "ball.ply: voxel size 1e-09 is too small for points between", name)
		_, remedy, _ := strings.Cut(err.Error(), "choose a voxel size of ")
		least, err := strconv.ParseFloat(strings.TrimSuffix(remedy, " or more"), 64)
		require.NoError(t, err)
		decodeCloud(t, data, Options{VoxelSize: least})
	}
}

// TestPLYAnyPlaces: whatever the coordinates, the reader finds a voxel size and
// every point lies in its voxel.
func TestPLYAnyPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.SliceOfN(rapid.Float64Range(-1e30, 1e30), 3, 3), 1, 20).Draw(t, "points")
		a := decodeCloud(t, (&plyTable{"binary_big_endian", "\n", doublePlaces, rows}).bytes(), Options{})
		require.NoError(t, a.Models[0].Tree.Validate())
		placements, err := a.Placements(0)
		require.NoError(t, err)
		back := placements[0].Transform.Inv()
		for _, row := range rows {
			v := mgl64.TransformCoordinate(mgl64.Vec3(row), back)
			for axis := range v {
				require.GreaterOrEqual(t, v[axis], -1e-3)
				require.LessOrEqual(t, v[axis], float64(a.Models[0].Size[axis])+1e-3)
			}
		}
	})
}

// sharedModels are public files; they are not part of the project.
const sharedModels = "../../shared/models"

func TestSharedPLYFiles(t *testing.T) {
	text, err := os.ReadFile(sharedModels + "/mesh_truth.tsv")
	if err != nil {
		t.Skip("the shared models are absent:", err)
	}
	known := map[string][]string{} // file, split, kind, vertices, triangles, lower and upper bounds
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(line, "\t")
		known[fields[0]] = fields
	}
	for _, folder := range []string{"ply_points", "ply_mesh"} {
		files, err := filepath.Glob(filepath.Join(sharedModels, folder, "*.ply"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			row := known[folder+"/"+filepath.Base(file)]
			a, err := Load(file, Options{})
			if strings.Contains(file, "empty.ply") || strings.Contains(file, "ply_empty") {
				require.ErrorContains(t, err, file+": ")
				continue
			}
			require.NoError(t, err)
			require.NoError(t, a.Models[0].Tree.Validate())
			if row == nil {
				continue
			}
			if row[2] == "points" {
				require.Equal(t, row[3], strconv.FormatUint(a.Models[0].Stored, 10), file)
			}
			info, err := a.Info(0)
			require.NoError(t, err)
			edge := (info.Bounds.Max[0] - info.Bounds.Min[0]) / float64(a.Models[0].Size[0])
			for axis := range 3 {
				low, err := strconv.ParseFloat(strings.Split(row[5], ",")[axis], 64)
				require.NoError(t, err)
				high, err := strconv.ParseFloat(strings.Split(row[6], ",")[axis], 64)
				require.NoError(t, err)
				require.InDelta(t, low, info.Bounds.Min[axis], edge*1.001, file)
				require.InDelta(t, high, info.Bounds.Max[axis], edge*1.001, file)
			}
			require.Equal(t, row[2] == "mesh" || strings.Contains(file, "igea"), len(a.Warnings) > 0, file)
		}
	}
}

// FuzzPLY: whatever the bytes, the reader ends in a sound asset or in one
// sentence that names the file.
func FuzzPLY(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := Decode(bytes.NewReader(data), "fuzz.ply", Options{MaxMemory: 4 << 20})
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "fuzz.ply: "), err)
			require.NotContains(t, err.Error(), "\n")
			return
		}
		for _, m := range a.Models {
			require.NoError(t, m.Tree.Validate())
			require.NotZero(t, m.Tree.Voxels())
		}
		info, err := a.Info(0)
		require.NoError(t, err)
		for axis := range 3 {
			require.Less(t, info.Bounds.Min[axis], info.Bounds.Max[axis])
		}
	})
}
