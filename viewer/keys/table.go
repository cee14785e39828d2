package keys

import "strconv"

// Action is something that the viewer does.
type Action int

// The actions. Toggle1 to Toggle10 are the switches of the panel, Layer1 to
// Layer9 the layers of the model, in their order.
const (
	None Action = iota

	Orbit
	Pan
	Dolly
	Look
	ZoomStep
	DragSection
	Pick
	FocusHere

	FlyForward
	FlyBack
	FlyLeft
	FlyRight
	FlyDown
	FlyUp
	ToggleFly

	ViewFront
	ViewRight
	ViewTop
	ViewBack
	ViewLeft
	ViewBottom
	ToggleParallel
	ViewIsometric
	Reset
	FrameAll
	NextView

	NextFile
	PreviousFile
	Reload
	Cancel
	Play
	StepForward
	StepBack
	Layers

	Shading
	SunLeft
	SunRight
	SunUp
	SunDown
	Background

	Measure
	Section
	SectionAxis
	SectionFlip
	Copy
	CopyCamera
	PasteCamera
	Screenshot
	ScreenshotClear
	ScreenshotLarge
	SaveState
	LoadState

	Help
	ShowColour
	ShowLevel
	ShowVisits
	ShowDepth
	ShowNormal
	ShowCoverage
	Fill
	Boxes
	Graph
	Statistics
	Top
	Panel
	Adapt

	Toggle1
	Toggle2
	Toggle3
	Toggle4
	Toggle5
	Toggle6
	Toggle7
	Toggle8
	Toggle9
	Toggle10

	Layer1
	Layer2
	Layer3
	Layer4
	Layer5
	Layer6
	Layer7
	Layer8
	Layer9

	FullScreen
	Quit
)

// table is what all maps have in common; they add buttons and change keys.
func table() []Binding {
	t := []Binding{
		{Action: Orbit, Help: "turn the model"},
		{Action: Pan, Help: "move the model"},
		{Action: ZoomStep, Wheel: true, Help: "zoom to the cursor"},
		{Action: Dolly, Help: "zoom"},
		{Action: FocusHere, Chords: []Chord{ctrl("F")}, Help: "focus on the voxel under the cursor"},
		{Action: Pick, Gestures: []Gesture{click(Left, 1)}, Help: "pick the voxel: the status line tells what it is"},

		{Action: FlyForward, Held: true, Chords: []Chord{key("W")}, Help: "fly forwards"},
		{Action: FlyLeft, Held: true, Chords: []Chord{key("A")}, Help: "fly to the left"},
		{Action: FlyBack, Held: true, Chords: []Chord{key("S")}, Help: "fly backwards"},
		{Action: FlyRight, Held: true, Chords: []Chord{key("D")}, Help: "fly to the right"},
		{Action: FlyDown, Held: true, Chords: []Chord{key("Q")}, Help: "fly downwards"},
		{Action: FlyUp, Held: true, Chords: []Chord{key("E")}, Help: "fly upwards"},
		{Action: ToggleFly, Chords: []Chord{key("Tab")}, Help: "fly mode: the mouse looks around"},

		{Action: ViewFront, Chords: []Chord{key("Digit1"), key("Numpad1")}, Help: "front"},
		{Action: ViewRight, Chords: []Chord{key("Digit3"), key("Numpad3")}, Help: "right"},
		{Action: ViewTop, Chords: []Chord{key("Digit7"), key("Numpad7")}, Help: "top"},
		{Action: ViewBack, Chords: []Chord{ctrl("Digit1"), ctrl("Numpad1")}, Help: "back"},
		{Action: ViewLeft, Chords: []Chord{ctrl("Digit3"), ctrl("Numpad3")}, Help: "left"},
		{Action: ViewBottom, Chords: []Chord{ctrl("Digit7"), ctrl("Numpad7")}, Help: "bottom"},
		{Action: ToggleParallel, Chords: []Chord{key("Digit5"), key("Numpad5")}, Help: "orthographic or perspective"},
		{Action: ViewIsometric, Chords: []Chord{key("Digit9"), key("Numpad9")}, Help: "isometric"},
		{Action: Reset, Chords: []Chord{key("Home"), key("Enter"), key("NumpadEnter"), key("Digit0"), key("Numpad0")}, Help: "back to the first view"},
		{Action: FrameAll, Chords: []Chord{key("F")}, Help: "frame all"},
		{Action: NextView, Chords: []Chord{key("V")}, Help: "next of the model's own views"},

		{Action: NextFile, Chords: []Chord{key("ArrowRight")}, Help: "next file"},
		{Action: PreviousFile, Chords: []Chord{key("ArrowLeft")}, Help: "previous file"},
		{Action: Reload, Chords: []Chord{key("ArrowUp")}, Help: "load the file again"},
		{Action: Cancel, Chords: []Chord{key("Escape")}, Help: "cancel loading; let go of what is picked, held or shown"},
		{Action: Play, Chords: []Chord{key("Space")}, Help: "play the animation"},
		{Action: StepForward, Chords: []Chord{key("Period")}, Help: "next frame"},
		{Action: StepBack, Chords: []Chord{key("Comma")}, Help: "previous frame"},
		{Action: Layers, Chords: []Chord{key("L")}, Help: "list of layers; click or Shift+1 to 9 hides one"},

		{Action: Shading, Chords: []Chord{key("Z")}, Help: "next shading"},
		{Action: SunLeft, Chords: []Chord{shift("ArrowLeft")}, Help: "sun to the left"},
		{Action: SunRight, Chords: []Chord{shift("ArrowRight")}, Help: "sun to the right"},
		{Action: SunUp, Chords: []Chord{shift("ArrowUp")}, Help: "sun higher"},
		{Action: SunDown, Chords: []Chord{shift("ArrowDown")}, Help: "sun lower"},
		{Action: Background, Chords: []Chord{key("B")}, Help: "next background"},

		{Action: Measure, Chords: []Chord{key("M")}, Help: "measure: the distance between two picks"},
		{Action: Section, Chords: []Chord{key("K")}, Help: "section plane"},
		{Action: SectionAxis, Chords: []Chord{shift("K")}, Help: "its direction: x, y, z, or that of view"},
		{Action: SectionFlip, Chords: []Chord{ctrl("K")}, Help: "its other side"},
		{Action: DragSection, Gestures: []Gesture{drag(Left, Ctrl)}, Help: "move it"},
		{Action: Copy, Chords: []Chord{key("C")}, Help: "copy what is picked, or the measure; it is printed, too"},
		{Action: CopyCamera, Chords: []Chord{ctrl("C")}, Help: "copy the camera, as options of eightfold render"},
		{Action: PasteCamera, Chords: []Chord{ctrl("V")}, Help: "paste a camera"},
		{Action: Screenshot, Chords: []Chord{key("F12"), key("F6")}, Help: "screenshot"},
		{Action: ScreenshotClear, Chords: []Chord{ctrl("F12"), ctrl("F6")}, Help: "screenshot with a transparent background"},
		{Action: ScreenshotLarge, Chords: []Chord{shift("F12"), shift("F6")}, Help: "screenshot, twice as large"},
		{Action: SaveState, Chords: []Chord{ctrl("S")}, Help: "save the view to a file"},
		{Action: LoadState, Chords: []Chord{ctrl("O")}, Help: "load the saved view"},

		{Action: Help, Chords: []Chord{key("H"), key("F1")}, Help: "this help"},
		{Action: ShowColour, Chords: []Chord{alt("C"), key("F2")}, Help: "show colours"},
		{Action: ShowLevel, Chords: []Chord{key("F3")}, Help: "show the recursion level as a heatmap"},
		{Action: ShowVisits, Chords: []Chord{key("F4")}, Help: "show visits, nodes tested on a pixel, as a heatmap"},
		{Action: ShowDepth, Chords: []Chord{key("F7")}, Help: "show depth"},
		{Action: ShowNormal, Chords: []Chord{key("F8")}, Help: "show normals"},
		{Action: ShowCoverage, Chords: []Chord{key("F9")}, Help: "show coverage"},
		{Action: Fill, Chords: []Chord{shift("F9")}, Help: "play how coverage fills"},
		{Action: Boxes, Chords: []Chord{key("N")}, Help: "boxes of the nodes visited under the cursor"},
		{Action: Graph, Chords: []Chord{key("G")}, Help: "graph of frame times; click on a frame holds it"},
		{Action: Top, Chords: []Chord{key("T")}, Help: "list of stages, the slowest first"},
		{Action: Statistics, Chords: []Chord{key("I")}, Help: "statistics of the frame"},
		{Action: Panel, Chords: []Chord{key("P")}, Help: "panel of switches; click or Alt+1 to 0 turns one"},
		{Action: Adapt, Chords: []Chord{key("R")}, Help: "resolution adapts while moving, or not"},
		{Action: FullScreen, Chords: []Chord{key("F11")}, Help: "full screen"},
		{Action: Quit, Chords: []Chord{ctrl("Q")}, Help: "quit"},
	}
	for i := range 10 {
		t = append(t, Binding{Action: Toggle1 + Action(i), Chords: []Chord{alt("Digit" + strconv.Itoa((i+1)%10))}, Help: "turn switch " + strconv.Itoa(i+1) + " of the panel"})
	}
	for i := range 9 {
		t = append(t, Binding{Action: Layer1 + Action(i), Chords: []Chord{shift("Digit" + strconv.Itoa(i+1))}, Help: "hide or show layer " + strconv.Itoa(i+1)})
	}
	return t
}
