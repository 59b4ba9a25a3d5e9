package main

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"xcipher/internal/impl"
)

const versionHelp = `
Three lines: the version of the module, with the commit and its time where they are
known; the release of Go and the platform; and the instruction sets for which there is
code that this machine can run, the fastest first. generic is portable Go.

Examples:
  xcipher version
`

// version prints what a report of a fault should tell.
func version(flags *flag.FlagSet, args []string, s stdio) int {
	if status, done := parse(flags, args); done {
		return status
	}
	if flags.NArg() > 0 {
		return misused(flags, s, "unexpected argument %q", flags.Arg(0))
	}
	own := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		own = describeBuild(info)
	}
	return s.print("version", fmt.Sprintf("xcipher %s\n%s %s/%s\n%s\n", own, runtime.Version(), runtime.GOOS, runtime.GOARCH, strings.Join(tiersHere(), " ")))
}

// describeBuild returns the version of the program and the commit it is from.
func describeBuild(info *debug.BuildInfo) string {
	text := info.Main.Version
	if text == "" {
		text = "(devel)"
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			text += " " + s.Value
		case s.Key == "vcs.time":
			text += " " + s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			text += " modified"
		}
	}
	return text
}

// tiersHere returns the instruction sets that some package uses on this machine.
func tiersHere() []string {
	return slices.DeleteFunc(impl.Tiers(), func(tier string) bool {
		return tier != impl.Generic && !slices.ContainsFunc(impl.Switches(), func(s impl.Switch) bool { return s.Tier == tier && *s.Enabled })
	})
}
