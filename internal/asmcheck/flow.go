package asmcheck

const (
	granule  = 4    // bytes of stack that are followed together
	granules = 1024 // of them are followed, the rest counts as data
)

// state is what is known before an instruction. States join by OR.
type state struct {
	known   bool                  // the instruction can be reached
	data    set                   // registers and flags that may hold data
	upper   bool                  // upper halves of vector registers may be in use
	changed bool                  // BP may not be the caller's
	stack   [granules / 64]uint64 // granules that may hold data
	noBP    [granules / 64]uint64 // granules where the caller's BP was not saved
}

// entry is the state at the start: whatever the caller left may be secret.
func entry() state {
	s := state{known: true, data: ^regSP.bit()}
	for i := range s.stack {
		s.stack[i], s.noBP[i] = ^uint64(0), ^uint64(0)
	}
	return s
}

func (s *state) join(other *state) {
	s.known = true
	s.data |= other.data
	s.upper = s.upper || other.upper
	s.changed = s.changed || other.changed
	for i := range s.stack {
		s.stack[i] |= other.stack[i]
		s.noBP[i] |= other.noBP[i]
	}
}

// span returns the granules of size bytes of stack; ok is false outside of what is followed.
func span(off, size int) (from, to int, ok bool) {
	from, to = off/granule, (off+size+granule-1)/granule
	return from, to, off >= 0 && to <= granules
}

// load reports whether the stack may hold data there.
func (s *state) load(off, size int) bool {
	from, to, ok := span(off, size)
	for i := from; ok && i < to; i++ {
		ok = s.stack[i/64]>>(i%64)&1 == 0
	}
	return !ok
}

// store notes what was written to the stack. Only data is noted unless all size
// bytes were overwritten.
func (s *state) store(off, size int, data, whole bool) {
	from, to, ok := span(off, size)
	if !ok {
		return
	}
	for i := from; i < to; i++ {
		if bit := uint64(1) << (i % 64); data {
			s.stack[i/64] |= bit
		} else if whole && off%granule == 0 && size%granule == 0 {
			s.stack[i/64] &^= bit
		}
	}
	for i := max(from-1, 0); i < to; i++ {
		s.noBP[i/64] |= 1 << (i % 64)
	}
}

// forget is for a stack that was written at a place that is not known.
func (s *state) forget(data bool) {
	for i := range s.stack {
		if s.noBP[i] = ^uint64(0); data {
			s.stack[i] = ^uint64(0)
		}
	}
}

// checker follows one function.
type checker struct {
	*function
	constants map[string]bool
	results   map[int]bool // data was written to these offsets of the arguments
	escapes   bool         // the address of the stack is in a register
	again     bool         // one of the above has changed
	reporting bool
	found     []Violation
}

// check returns the violations in a function.
func (fn *function) check(constants map[string]bool) []Violation {
	c := &checker{function: fn, constants: constants, results: map[int]bool{}}
	before := make([]state, len(c.code)+1)
	before[0] = entry()
	for c.again = true; c.again; {
		c.again = false
		for i := range c.code {
			if !before[i].known {
				continue
			}
			s := before[i]
			for _, n := range c.step(&s, i) {
				was := before[n]
				if before[n].join(&s); before[n] != was {
					c.again = true
				}
			}
		}
	}
	c.reporting = true
	for i := range c.code {
		if s := before[i]; s.known {
			c.step(&s, i)
		}
	}
	if n := len(c.code); before[n].known {
		last := &instruction{}
		if n > 0 {
			last = &c.code[n-1]
		}
		c.report(last, ruleEnd)
	}
	c.tier()
	return c.found
}

func (c *checker) report(in *instruction, rule string) {
	if c.reporting {
		c.found = append(c.found, Violation{c.name, in.line, rule, in.text})
	}
}

// step moves the state over instruction i, and returns where it goes on.
func (c *checker) step(s *state, i int) (next []int) {
	in := &c.code[i]
	switch in.op {
	case "RET":
		c.leave(s, in)
		return nil
	case "UD2":
		return nil
	}
	if in.op[0] == 'J' {
		return c.jump(s, in, i)
	}
	next = []int{i + 1}
	e, ok := effectOf(in)
	if !ok {
		c.report(in, ruleUnknown)
		s.data = entry().data
		s.forget(true)
		return next
	}
	c.addresses(s, in, e)
	value := c.value(s, in, e)
	if e.divides && value {
		c.report(in, ruleDivision)
	}
	set := func(r set, value bool) {
		if s.data &^= r; value {
			s.data |= r
		}
	}
	if e.maybe && in.args[0].kind != immediate {
		value := value || s.data&e.flags != 0
		set(e.flags, value)
	} else {
		set(e.flags, value)
	}
	set(e.writes, value)
	n := len(in.args)
	switch {
	case e.swaps:
		first, second := c.read(s, in, in.args[0]), c.read(s, in, in.args[1])
		c.write(s, in, in.args[0], second)
		c.write(s, in, in.args[1], first)
	case e.noResult:
	default:
		if e.two {
			c.write(s, in, in.args[n-2], value)
		}
		c.write(s, in, in.args[n-1], value)
	}
	for _, a := range in.args {
		if a.kind == register && a.reg.isVector() && a.name[0] != 'X' {
			s.upper = true
		}
	}
	if in.op == "VZEROUPPER" || in.op == "VZEROALL" {
		s.upper = false
	}
	return next
}

// jump follows JMP and the conditional jumps.
func (c *checker) jump(s *state, in *instruction, i int) []int {
	if len(in.args) != 1 {
		c.report(in, ruleUnknown)
		return nil
	}
	to := in.args[0]
	if in.op == "JMP" && to.kind == memory && to.base == regSB && to.index == noReg {
		c.leave(s, in)
		return nil
	}
	target, ok := c.labels[to.name]
	if to.kind != label || !ok {
		c.report(in, ruleJump)
		return nil
	}
	var reads set
	switch in.op {
	case "JMP":
		return []int{target}
	case "JCXZL", "JCXZQ":
		reads = regCX.bit()
	default:
		if reads, ok = conditions[in.op[1:]]; !ok {
			c.report(in, ruleUnknown)
		}
	}
	if s.data&reads != 0 {
		c.report(in, ruleBranch)
	}
	return []int{target, i + 1}
}

// leave checks what must hold where the function ends.
func (c *checker) leave(s *state, in *instruction) {
	if s.upper {
		c.report(in, ruleUpper)
	}
	if saves := c.frame > 0 && !c.noframe; s.changed && !saves { // the assembler does, for a frame
		c.report(in, ruleBP)
	}
}
