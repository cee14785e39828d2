package models

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image/color"
	"io"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/svo"
)

// voxFormat is MagicaVoxel's .vox: chunks as described in
// github.com/ephtracy/voxel-model (MagicaVoxel-file-format-vox.txt and its
// extension), and Teardown's TDCZ chunk, which holds the voxels of a model as
// a zlib-compressed box of palette indices.
var voxFormat = format{
	title:      "MagicaVoxel",
	extensions: []string{".vox"},
	magic:      hasMagic("VOX "),
	decode:     decodeVox,
}

// voxFile collects what the chunks hold.
type voxFile struct {
	name      string
	opts      Options
	version   int32
	memory    int64 // bytes of opts.MaxMemory that are spoken for
	warnings  warnings
	packed    bool      // PACK: several models are the frames of an animation
	size      *[3]int32 // of the SIZE chunk that waits for its voxels
	models    []voxModel
	palette   []color.NRGBA
	layers    []Layer
	layerOf   map[int32]int // index into layers by the id in the file
	materials map[int]map[string]string
	nodes     map[int32]*voxNode
}

// voxModel is a model as written: four bytes a voxel, x, y, z and palette index.
type voxModel struct {
	size   [3]int32
	voxels []byte
}

// memoryPerVoxel is about what a voxel takes while its tree is built.
const memoryPerVoxel = 40

// maxVoxSide is the greatest side a SIZE chunk may announce. Voxels lie within
// 256; more room than that is unusual, but moves only the pivot.
const maxVoxSide = 1 << 16

func decodeVox(data []byte, name string, opts Options) (*Asset, error) {
	f := &voxFile{
		name: name, opts: opts,
		palette:   defaultPalette(),
		layerOf:   map[int32]int{},
		materials: map[int]map[string]string{},
		nodes:     map[int32]*voxNode{},
	}
	if err := f.readChunks(data); err != nil {
		return nil, err
	}
	if len(f.models) == 0 {
		return nil, fmt.Errorf("%s: no model in it, there is no pair of SIZE and XYZI chunks", name)
	}
	asset := &Asset{
		Format: "vox", Version: int(f.version),
		Up: mgl64.Vec3{0, 0, 1}, Front: mgl64.Vec3{0, -1, 0},
		Palette: f.palette, Materials: f.materials, Layers: f.layers,
		// As the comments of ogt_vox.h have it.
		LaterWins: f.version < 200,
	}
	for i := range f.models {
		model, err := f.buildModel(i)
		if err != nil {
			return nil, err
		}
		asset.Models = append(asset.Models, model)
	}
	if err := f.placeModels(asset); err != nil {
		return nil, err
	}
	asset.Warnings = f.warnings.list()
	return asset, nil
}

// readChunks walks through the chunks inside MAIN. What stands behind MAIN is
// of no meaning: many exporters leave a stray byte there.
func (f *voxFile) readChunks(data []byte) error {
	if len(data) < 20 {
		return fmt.Errorf("%s: the file ends at byte %d, within the header of 20 bytes", f.name, len(data))
	}
	f.version = int32(binary.LittleEndian.Uint32(data[4:]))
	if f.version != 150 && f.version != 200 {
		f.warnings.add("version", "version %d is unknown, read like 150 and 200", f.version)
	}
	if id := string(data[8:12]); id != "MAIN" {
		return fmt.Errorf("%s: chunk MAIN expected at byte 8, found %s", f.name, printable(id))
	}
	at := 20 + int64(binary.LittleEndian.Uint32(data[12:]))
	end := at + int64(binary.LittleEndian.Uint32(data[16:]))
	if end > int64(len(data)) {
		f.warnings.add("MAIN", "chunk MAIN announces %d bytes, %d present: the file may be cut short", end-20, len(data)-20)
		end = int64(len(data))
	} else if rest := int64(len(data)) - end; rest >= 12 {
		f.warnings.add("trailing", "%d bytes after chunk MAIN ignored", rest)
	}
	for at < end {
		next, err := f.readChunk(data[:end], at)
		if err != nil {
			return err
		}
		at = next
	}
	if f.size != nil {
		f.warnings.add("SIZE", "a chunk SIZE without voxels ignored")
	}
	return nil
}

// readChunk reads the chunk at a place and returns the place of the next one.
func (f *voxFile) readChunk(data []byte, at int64) (next int64, err error) {
	left := int64(len(data)) - at
	if left < 12 {
		return 0, fmt.Errorf("%s: the file is cut short at byte %d, within the header of a chunk", f.name, at)
	}
	c := &chunk{file: f.name, id: string(data[at : at+4]), at: at}
	content := int64(binary.LittleEndian.Uint32(data[at+4:]))
	children := int64(binary.LittleEndian.Uint32(data[at+8:]))
	if content+children > left-12 {
		c.fail("%d bytes announced, %d present", content+children, left-12)
		return 0, c.err
	}
	c.rest = data[at+12 : at+12+content]
	f.take(c)
	return at + 12 + content + children, c.err
}

// take keeps what a chunk says.
func (f *voxFile) take(c *chunk) {
	switch c.id {
	case "PACK":
		f.packed = true
	case "SIZE":
		f.takeSize(c)
	case "XYZI":
		f.takeVoxels(c, f.readVoxels)
	case "TDCZ":
		f.takeVoxels(c, f.readCompressedVoxels)
	case "RGBA":
		f.takePalette(c)
	case "nTRN", "nGRP", "nSHP":
		f.takeNode(c)
	case "LAYR":
		f.takeLayer(c)
	case "MATL":
		if id := c.int32(); c.err == nil {
			f.materials[int(id)] = c.dict().asMap()
		}
	case "MATT":
		f.takeOldMaterial(c)
	case "IMAP", "NOTE", "META", "rOBJ", "rCAM", "rLIT", "rAIR", "rLEN", "POST", "rDIS":
		// IMAP is the order in which the editor shows the palette and changes no
		// colour; the others say how the editor draws.
	default:
		f.warnings.add("unknown", "unknown chunk %s at byte %d skipped", printable(c.id), c.at)
	}
}

func (f *voxFile) takeSize(c *chunk) {
	if f.size != nil {
		f.warnings.add("SIZE", "a chunk SIZE without voxels ignored")
	}
	f.size = &[3]int32{c.int32(), c.int32(), c.int32()}
	for _, side := range f.size {
		if side < 0 || side > maxVoxSide {
			c.fail("size %dx%dx%d, each side must be 0 to %d", f.size[0], f.size[1], f.size[2], maxVoxSide)
			return
		}
	}
}

// takeVoxels makes a model of the announced size and the voxels of a chunk.
func (f *voxFile) takeVoxels(c *chunk, read func(*chunk) []byte) {
	if f.size == nil {
		c.fail("no chunk SIZE before it")
		return
	}
	f.models = append(f.models, voxModel{*f.size, read(c)})
	f.size = nil
}

func (f *voxFile) readVoxels(c *chunk) []byte {
	n := c.count("voxels", 4)
	f.reserve(c, int64(n)*memoryPerVoxel)
	return c.bytes(4 * n)
}

// readCompressedVoxels unpacks a box of palette indices, x running fastest,
// then y, then z. Teardown ends its zlib streams with a flush and no end mark.
func (f *voxFile) readCompressedVoxels(c *chunk) []byte {
	w, h, d := c.int32(), c.int32(), c.int32()
	if w < 0 || h < 0 || d < 0 || w > 256 || h > 256 || d > 256 {
		c.fail("size %dx%dx%d, each side must be 0 to 256", w, h, d)
	}
	cells := int64(w) * int64(h) * int64(d)
	f.reserve(c, cells)
	if c.err != nil || cells == 0 {
		return nil
	}
	stream, err := zlib.NewReader(bytes.NewReader(c.rest))
	if err != nil {
		c.fail("its zlib stream is broken: %v", err)
		return nil
	}
	// A buffer that grows with the output: a small chunk can't ask for much by
	// announcing it.
	var box bytes.Buffer
	if _, err := io.Copy(&box, io.LimitReader(stream, cells)); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		c.fail("its zlib stream is broken: %v", err)
		return nil
	}
	if int64(box.Len()) < cells {
		c.fail("%d cells announced, %d present", cells, box.Len())
		return nil
	}
	f.reserve(c, (cells-int64(bytes.Count(box.Bytes(), []byte{0})))*memoryPerVoxel)
	if c.err != nil {
		return nil
	}
	var voxels []byte
	for i, index := range box.Bytes() {
		if index != 0 {
			voxels = append(voxels, byte(i%int(w)), byte(i/int(w)%int(h)), byte(i/int(w)/int(h)), index)
		}
	}
	return voxels
}

// reserve fails where the voxels of the file would take more memory than allowed.
func (f *voxFile) reserve(c *chunk, n int64) {
	if f.memory += n; f.memory > f.opts.maxMemory() {
		c.fail("its voxels exceed the memory limit of %s; raise the limit", bytesText(f.opts.maxMemory()))
	}
}

// takePalette reads the colours of the indices from 1 on. MagicaVoxel writes
// 256 of them, the last without meaning; Teardown writes 255.
func (f *voxFile) takePalette(c *chunk) {
	if n := len(c.rest); n != 1024 && n != 1020 {
		f.warnings.add("RGBA", "chunk RGBA at byte %d has %d bytes instead of 1024; what is missing is taken from the default palette", c.at, n)
	}
	for i := 1; i < len(f.palette) && len(c.rest) >= 4; i++ {
		b := c.bytes(4)
		f.palette[i] = color.NRGBA{R: b[0], G: b[1], B: b[2], A: b[3]}
	}
}

func (f *voxFile) takeLayer(c *chunk) {
	id, properties := c.int32(), c.dict()
	if c.err != nil {
		return
	}
	f.layerOf[id] = len(f.layers)
	f.layers = append(f.layers, Layer{Name: properties.get("_name"), Hidden: properties.get("_hidden") == "1"})
}

// takeOldMaterial puts a MATT chunk of early files into the words of MATL.
func (f *voxFile) takeOldMaterial(c *chunk) {
	id, kind, weight, set := c.int32(), c.int32(), c.float32(), c.int32()
	if c.err != nil {
		return
	}
	number := func(v float32) string { return strconv.FormatFloat(float64(v), 'g', -1, 32) }
	material := map[string]string{"_weight": number(weight)}
	if kinds := []string{"_diffuse", "_metal", "_glass", "_emit"}; kind >= 0 && int(kind) < len(kinds) {
		material["_type"] = kinds[kind]
	}
	for bit, name := range []string{"_plastic", "_rough", "_spec", "_ior", "_att", "_flux", "_glow"} {
		if set>>bit&1 != 0 && len(c.rest) >= 4 {
			material[name] = number(c.float32())
		}
	}
	f.materials[int(id)] = material
}

// buildModel makes the octree of model i. A voxel written twice counts once,
// the last one wins; a voxel of index 0 is none.
func (f *voxFile) buildModel(i int) (Model, error) {
	source := f.models[i]
	model := Model{}
	for axis, side := range source.size {
		model.Size[axis] = int(side)
	}
	builder := svo.NewBuilder(svo.AutoDepth)
	outside := 0
	for v := source.voxels; len(v) >= 4; v = v[4:] {
		if v[3] == 0 {
			continue
		}
		model.Stored++
		c := f.palette[v[3]]
		look := svo.Voxel{Colour: svo.Colour{c.R, c.G, c.B}, Material: v[3]}
		if err := builder.Add(uint32(v[0]), uint32(v[1]), uint32(v[2]), look); err != nil {
			return Model{}, fmt.Errorf("%s: %w", f.name, err)
		}
		for axis := range model.Size {
			if at := int32(v[axis]); at >= source.size[axis] {
				model.Size[axis] = max(model.Size[axis], int(at)+1)
				outside++
			}
		}
	}
	if outside > 0 {
		f.warnings.add("outside", "model %d has voxels outside its size of %dx%dx%d; they are kept", i, source.size[0], source.size[1], source.size[2])
	}
	tree, err := builder.Build(context.Background())
	if err != nil {
		return Model{}, fmt.Errorf("%s: %w", f.name, err)
	}
	model.Tree = tree
	return model, nil
}
