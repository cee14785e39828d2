package occlusion

// Coverage is what drawing front to back asks of a buffer. Coordinates are
// pixels from the buffer's upper left corner.
type Coverage interface {
	// Reset makes the buffer width x height open pixels.
	Reset(width, height int)
	// AnyOpen tells whether a pixel of a rectangle inside the buffer may be
	// open; upper ends exclusive. It may err on the side of open.
	AnyOpen(x0, x1, y0, y1 int) bool
	// Open tells whether a pixel is open, Take closes it, Reopen opens it again.
	Open(x, y int) bool
	Take(x, y int)
	Reopen(x, y int)
	// Cell is the open pixels of the cell at (x, y), multiples of CellSide: bit
	// 8*j + i is pixel (x+i, y+j); what lies beyond the buffer is not open.
	Cell(x, y int) uint64
	// SetCell makes a cell's open pixels those in open, which must lie inside the
	// buffer.
	SetCell(x, y int, open uint64)
}

// CellSide is the side of a cell in pixels.
const CellSide = 8

// Kind names a coverage buffer.
type Kind int

// The coverage buffers.
const (
	StripCoverage Kind = iota // bits in strips, with two coarse levels
	ByteCoverage              // a byte a pixel
)

// New makes an empty coverage buffer.
func New(k Kind) Coverage {
	if k == ByteCoverage {
		return new(Bytes)
	}
	return new(Strips)
}
