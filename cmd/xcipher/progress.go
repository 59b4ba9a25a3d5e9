package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// patience is how long work may take without a word.
const patience = time.Second

// progress shows how much of r was read, the rate and the time left, if work takes
// long and standard error is a terminal. A size below 0 is unknown. At the end,
// stop clears the line.
func progress(s stdio, r io.Reader, size int64) (counted io.Reader, stop func()) {
	terminal, ok := s.err.(*os.File)
	if !ok || !isTerminal(terminal) {
		return r, func() {}
	}
	w := &lateWriter{terminal, time.Now().Add(patience)}
	bar := progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(w),
		progressbar.OptionShowBytes(true),
		progressbar.OptionUseIECUnits(true),
		progressbar.OptionShowCount(),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetWidth(20),
		progressbar.OptionThrottle(200*time.Millisecond),
		progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine: show when data moves
		progressbar.OptionSetPredictTime(size >= 0),
	)
	return &countingReader{r, bar}, func() { bar.Clear() }
}

// lateWriter drops what is written before a time.
type lateWriter struct {
	w     io.Writer
	start time.Time
}

func (l *lateWriter) Write(p []byte) (int, error) {
	if time.Now().Before(l.start) {
		return len(p), nil
	}
	return l.w.Write(p)
}

type countingReader struct {
	r   io.Reader
	bar *progressbar.ProgressBar
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.bar.Add(n)
	return n, err
}
