package conform

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// recorder is a suite that notes failures instead of failing the test, and starts
// no subtest after the first failure.
type recorder struct {
	testing.TB
	name     string
	failures *[]string // of all subtests
	failed   bool
	cleanups []func()
}

func newRecorder(t testing.TB) *recorder {
	return &recorder{TB: t, name: t.Name(), failures: new([]string)}
}

func (r *recorder) Run(name string, f func(t suite)) {
	if len(*r.failures) > 0 {
		return
	}
	sub := &recorder{TB: r.TB, name: r.name + "/" + name, failures: r.failures}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			for _, c := range sub.cleanups {
				c()
			}
		}()
		defer func() {
			if v := recover(); v != nil {
				sub.Errorf("unexpected panic: %v", v)
			}
		}()
		f(sub)
	}()
	<-done
	r.failed = r.failed || sub.failed
}

func (r *recorder) Errorf(format string, args ...any) {
	r.failed = true
	*r.failures = append(*r.failures, r.name+": "+fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

func (r *recorder) Fatal(args ...any)   { r.Fatalf("%s", fmt.Sprint(args...)) }
func (r *recorder) Logf(string, ...any) {}
func (r *recorder) Failed() bool        { return r.failed }
func (r *recorder) Name() string        { return r.name }
func (r *recorder) Cleanup(f func())    { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Helper()             {}

// check fails t unless a failure was recorded that matches the regular expression
// want, or none if want is empty.
func (r *recorder) check(t testing.TB, want string) {
	t.Helper()
	all := strings.Join(*r.failures, "\n")
	switch {
	case want == "" && all != "":
		t.Errorf("reports: %s", all)
	case want != "" && all == "":
		t.Errorf("reports nothing, want %q", want)
	case !regexp.MustCompile(want).MatchString(all):
		t.Errorf("want %q, reports:\n%.600s", want, all)
	}
}
