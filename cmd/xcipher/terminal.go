package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"golang.org/x/term"
)

// isTerminal tells whether something to read or write is a terminal.
func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// prompt asks on the terminal for a secret that is not shown. Standard input and
// output may be in use for data.
func prompt(question string) ([]byte, error) {
	in, out, err := terminal()
	if err != nil {
		return nil, errors.New("there is no terminal to ask on")
	}
	defer in.Close()
	defer out.Close()
	fd := int(in.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return nil, err
	}
	// An interrupt must not leave a terminal that does not echo.
	defer onInterrupt(func() { term.Restore(fd, before) })()
	fmt.Fprint(out, question)
	secret, err := term.ReadPassword(fd)
	fmt.Fprintln(out)
	return secret, err
}

func terminal() (in, out *os.File, err error) {
	inName, outName := "/dev/tty", "/dev/tty"
	if runtime.GOOS == "windows" {
		inName, outName = "CONIN$", "CONOUT$"
	}
	if in, err = os.OpenFile(inName, os.O_RDWR, 0); err != nil {
		return nil, nil, err
	}
	if out, err = os.OpenFile(outName, os.O_WRONLY, 0); err != nil {
		in.Close()
	}
	return in, out, err
}
