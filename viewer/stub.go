//go:build !viewer && !js && !windows

// Command viewer opens a window in which models are looked at. This is the
// build without a window: it tells how to get the other one, so that a machine
// without a display's headers builds everything.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprint(os.Stderr, `eightfold-view: this build has no window, since it was made without the tag "viewer".

Run it with
  go run -tags viewer ./viewer MODEL...
or build it with
  go build -tags viewer -o eightfold-view ./viewer

On Linux this needs a C compiler and the headers of X11 and OpenGL; on Debian and Ubuntu:
  apt-get install gcc libgl-dev libxcursor-dev libxi-dev libxinerama-dev libxrandr-dev libxxf86vm-dev
Without a screen it runs under xvfb-run (packages xvfb, xauth and libgl1-mesa-dri).
Pictures without a window: go run ./cmd/eightfold render MODEL -o out.png
`)
	os.Exit(1)
}
