package models

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
)

// chunk is one chunk of a .vox file. It is read from front to back; the first
// failure sticks, and every read after it gives zeros.
type chunk struct {
	file string
	id   string
	at   int64 // where its header stands in the file
	rest []byte
	err  error
}

// fail notes what is wrong, with file and place, unless something was before.
func (c *chunk) fail(sentence string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%s: chunk %s at byte %d: %s", c.file, printable(c.id), c.at, fmt.Sprintf(sentence, args...))
	}
	c.rest = nil
}

func (c *chunk) bytes(n int) []byte {
	if n < 0 || n > len(c.rest) {
		c.fail("it ends early: %d bytes expected, %d present", n, len(c.rest))
		return nil
	}
	taken := c.rest[:n]
	c.rest = c.rest[n:]
	return taken
}

func (c *chunk) int32() int32 {
	if b := c.bytes(4); b != nil {
		return int32(binary.LittleEndian.Uint32(b))
	}
	return 0
}

func (c *chunk) float32() float32 { return math.Float32frombits(uint32(c.int32())) }

// count reads how many entries follow, each of at least size bytes.
func (c *chunk) count(what string, size int) int {
	n := c.int32()
	if n < 0 || int64(n)*int64(size) > int64(len(c.rest)) {
		c.fail("%d %s announced, %d present", uint32(n), what, len(c.rest)/size)
		return 0
	}
	return int(n)
}

func (c *chunk) string() string { return string(c.bytes(c.count("characters", 1))) }

// dict is a chunk's list of properties. A list, because most hold none or two.
type dict []struct{ key, value string }

func (c *chunk) dict() dict {
	n := c.count("properties", 8)
	if n == 0 {
		return nil
	}
	d := make(dict, n)
	for i := range d {
		d[i].key, d[i].value = c.string(), c.string()
	}
	return d
}

func (d dict) get(key string) string {
	for _, p := range d {
		if p.key == key {
			return p.value
		}
	}
	return ""
}

// asMap is the dict for callers outside, who look keys up by name.
func (d dict) asMap() map[string]string {
	m := make(map[string]string, len(d))
	for _, p := range d {
		m[p.key] = p.value
	}
	return m
}

// printable keeps a chunk's name from upsetting a terminal.
func printable(id string) string {
	for _, b := range []byte(id) {
		if b < ' ' || b > '~' {
			return strconv.QuoteToASCII(id)
		}
	}
	return id
}
