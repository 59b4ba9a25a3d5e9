package main

import (
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// atomicFile is a file that appears under its name complete or not at all: a
// temporary file in the same directory, renamed by commit.
type atomicFile struct {
	*os.File
	name, temp string
	info       fs.FileInfo // of the file that is replaced, or nil
	replace    bool
	done       func()
}

// createAtomic begins a file, which gets perm less the umask. An existing file is
// an error unless replace is set; then the new one gets its permissions, and takes
// the place of what a symbolic link names.
func createAtomic(name string, perm fs.FileMode, replace bool) (*atomicFile, error) {
	a := &atomicFile{name: name, replace: replace}
	if !replace {
		if err := a.free(); err != nil {
			return nil, err
		}
	} else if info, err := os.Stat(name); err == nil {
		a.info = info
		perm &= 0o600 // nobody reads it before commit gives it its own
		if a.name, err = filepath.EvalSymlinks(name); err != nil {
			return nil, err
		}
	}
	a.temp = filepath.Join(filepath.Dir(a.name), ".xcipher-"+rand.Text()+".tmp")
	a.done = onInterrupt(a.remove)
	var err error
	interrupts.Lock()
	a.File, err = os.OpenFile(a.temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	interrupts.Unlock()
	if err != nil {
		a.done()
		// The name of the temporary file would tell the user nothing.
		var path *fs.PathError
		if errors.As(err, &path) {
			path.Path = filepath.Dir(a.name) + string(filepath.Separator)
		}
		return nil, err
	}
	return a, nil
}

// free is an error if the name is taken.
func (a *atomicFile) free() error {
	_, err := os.Lstat(a.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil:
		err = fmt.Errorf("%s: %w", a.name, fs.ErrExist)
	}
	return err
}

// commit gives the file its name.
func (a *atomicFile) commit() error {
	var err error
	if a.info != nil && runtime.GOOS != "windows" {
		err = a.Chmod(a.info.Mode().Perm())
	}
	err = errors.Join(err, a.Sync(), a.Close())
	if err == nil {
		interrupts.Lock()
		err = a.rename()
		interrupts.Unlock()
	}
	if err != nil {
		os.Remove(a.temp)
		a.done()
		return err
	}
	a.done()
	if dir, err := os.Open(filepath.Dir(a.name)); err == nil {
		dir.Sync() // so that the name outlasts a loss of power; not all systems can
		dir.Close()
	}
	return nil
}

// rename takes a name that is free by a link, which never replaces a file. Where
// there are none, another program's file may be replaced that is made at this moment.
func (a *atomicFile) rename() error {
	if !a.replace {
		if os.Link(a.temp, a.name) == nil {
			os.Remove(a.temp)
			return nil
		}
		if err := a.free(); err != nil {
			return err
		}
	}
	return os.Rename(a.temp, a.name)
}

// abort leaves nothing behind.
func (a *atomicFile) abort() {
	a.remove()
	a.done()
}

func (a *atomicFile) remove() {
	if a.File != nil {
		a.Close() // Windows removes no open file
	}
	os.Remove(a.temp)
}

// outputFlags tell where a command writes.
type outputFlags struct {
	name  string
	force bool
}

func addOutputFlags(fs *flag.FlagSet) *outputFlags {
	o := new(outputFlags)
	fs.StringVar(&o.name, "o", "", "write to `file`, which, if regular, appears only once it is complete; - is standard output even on a terminal")
	fs.BoolVar(&o.force, "f", false, "replace the file of -o if it exists")
	return o
}

// output is where a command writes; either commit or abort ends it.
type output struct {
	io.Writer
	commit func() error
	abort  func()
}

// check refuses a terminal, unless it was asked for. What asks for a new password
// calls it first.
func (o *outputFlags) check(s stdio) error {
	if o.name == "" && isTerminal(s.out) {
		return errors.New("standard output is a terminal: give -o file, or -o - if you want that")
	}
	return nil
}

// open begins the output. Only a regular file can be atomic: a device or a pipe,
// like standard output, gets the data as it comes.
func (o *outputFlags) open(s stdio) (*output, error) {
	if err := o.check(s); err != nil {
		return nil, err
	}
	if o.name == "" || o.name == "-" {
		return &output{s.out, func() error { return nil }, func() {}}, nil
	}
	if info, err := os.Stat(o.name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(o.name, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &output{f, f.Close, func() { f.Close() }}, nil
	}
	a, err := createAtomic(o.name, 0o666, o.force)
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%w; -f replaces it", err)
	}
	if err != nil {
		return nil, err
	}
	return &output{a, a.commit, a.abort}, nil
}

// openInput opens the file that the arguments name, by default standard input. The
// size is -1 if it is not known.
func openInput(fs *flag.FlagSet, s stdio) (in io.ReadCloser, size int64, err error) {
	name := "-"
	switch fs.NArg() {
	case 0:
	case 1:
		name = fs.Arg(0)
	default:
		return nil, 0, usageError{fmt.Errorf("unexpected argument %q", fs.Arg(1))}
	}
	in = io.NopCloser(s.in)
	if name != "-" {
		if in, err = os.Open(name); err != nil {
			return nil, 0, err
		}
	}
	size = -1
	var f any = in
	if name == "-" {
		f = s.in
	}
	if f, ok := f.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
	}
	return in, size, nil
}

// usageError is a mistake in the command line.
type usageError struct{ error }

// finish reports an error, if any, and returns the exit status.
func finish(command string, s stdio, err error) int {
	if err == nil {
		return exitOK
	}
	// Go's errors for files may be lists.
	s.complain(command, errors.New(strings.ReplaceAll(err.Error(), "\n", "; ")))
	if _, ok := errors.AsType[usageError](err); ok {
		return exitUsage
	}
	return exitFailed
}

// transform sends the input of a command through f to its output.
func transform(fs *flag.FlagSet, o *outputFlags, s stdio, f func(w io.Writer, r io.Reader) error) error {
	in, size, err := openInput(fs, s)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := o.open(s)
	if err != nil {
		return err
	}
	r, stop := progress(s, in, size)
	err = f(out, r)
	stop()
	if err != nil {
		out.abort()
		return err
	}
	return out.commit()
}
