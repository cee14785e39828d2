package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/render"
)

// A bug ends in one sentence that says where it is and what to do, without a
// trace of the machine it was built on.
func TestBugsBecomeSentences(t *testing.T) {
	bug := func() error {
		var none []int
		return errors.New(strings.Repeat("x", none[3]))
	}
	err := guard("a.vox", bug)
	require.ErrorContains(t, err, "a.vox: this is a bug")
	require.ErrorContains(t, err, "report")
	require.ErrorContains(t, err, "errors_test.go:")
	require.NotContains(t, err.Error(), "/")
	require.Equal(t, exitFailed, exitStatus(err))

	err = guard("c.vox", func() error {
		panic(&render.WorkerPanic{Value: "oh", Stack: []byte("x\npanic(...)\n\t/home/me/traverse.go:7 +0x1\n")})
	})
	require.ErrorContains(t, err, "c.vox: this is a bug in eightfold (oh at traverse.go:7)")

	_, err = await(t.Context(), "b.vox", func() (int, error) { return 0, bug() })
	require.ErrorContains(t, err, "b.vox: this is a bug")
	require.ErrorContains(t, err, "errors_test.go:")
}

// Work that doesn't end doesn't keep an interrupted process alive.
func TestAwaitStopsWaiting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	_, err := await(ctx, "a.vox", func() (int, error) { <-never; return 1, nil })
	require.Equal(t, exitInterrupted, exitStatus(err))
}

func TestReportIsOneLine(t *testing.T) {
	var text strings.Builder
	report(&text, errors.Join(errors.New("first"), errors.New("second")))
	require.Equal(t, "eightfold: first second\n", text.String())
	text.Reset()
	report(&text, errors.New("a\x1b[31m\n\a\x7fb\u009bc\xff.vox: broken"))
	require.Equal(t, "eightfold: a\ufffd[31m \ufffd\ufffdb\ufffdc\ufffd.vox: broken\n", text.String())
}
