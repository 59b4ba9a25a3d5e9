package asmcheck

import (
	"slices"
	"strings"
)

// addresses checks everything by which an instruction reaches memory.
func (c *checker) addresses(s *state, in *instruction, e effect) {
	if takesStack(in, e) && !c.escapes {
		c.escapes, c.again = true, true
	}
	address, mask, reaches := e.address, set(0), false
	for i, a := range in.args {
		switch {
		case a.kind == memory && !e.noAccess:
			reaches = true
			address |= a.base.bit() | a.index.bit()
			if a.inFrame() && !c.moves() && (a.off < 0 || a.off+leastWidth(in) > c.frame) {
				c.report(in, ruleFrame)
			}
		case a.reg.isMask() && i < len(in.args)-1 && in.op[0] != 'K':
			mask |= a.reg.bit()
		}
	}
	// Of these a vector is the mask.
	switch {
	case strings.HasPrefix(in.op, "VPMASKMOV") || strings.HasPrefix(in.op, "VMASKMOV"):
		mask |= in.args[1].reg.bit()
	case strings.HasPrefix(in.op, "VPGATHER") || strings.HasPrefix(in.op, "VGATHER"):
		mask |= in.args[0].reg.bit()
	}
	if s.data&address != 0 {
		c.report(in, ruleAddress)
	}
	if reaches && s.data&mask != 0 {
		c.report(in, ruleMask)
	}
}

// takesStack reports whether the address of the stack gets into another register.
func takesStack(in *instruction, e effect) bool {
	return !movesSP(in) && slices.ContainsFunc(in.args, func(a operand) bool {
		return a.reg == regSP || e.noAccess && a.base == regSP
	})
}

// movesSP reports whether an instruction changes SP by a constant.
func movesSP(in *instruction) bool {
	if len(in.args) != 2 || in.args[1].reg != regSP {
		return false
	}
	switch a := in.args[0]; in.op {
	case "ADDQ", "SUBQ":
		return a.kind == immediate
	case "LEAQ":
		return a.base == regSP && a.index == noReg
	}
	return false
}

// value reports whether what an instruction computes may be data.
func (c *checker) value(s *state, in *instruction, e effect) bool {
	if s.data&e.reads != 0 {
		return true
	}
	n := len(in.args)
	if n == 0 {
		return false
	}
	read := in.args
	if !e.keeps && !e.noResult && !e.swaps {
		if read = read[:n-1]; e.two {
			read = read[:n-2]
		}
	}
	if constant(in) {
		read = nil
		if e.keeps && masked(in) {
			read = in.args[n-1:]
		}
	}
	return slices.ContainsFunc(read, func(a operand) bool {
		if e.noAccess && a.kind == memory {
			return s.data&(a.base.bit()|a.index.bit()) != 0
		}
		return c.read(s, in, a)
	})
}

// constant reports whether the result does not depend on the operands: x^x, x-x,
// and the like.
func constant(in *instruction) bool {
	a := in.args
	same := func(i, j int) bool {
		return len(a) > max(i, j) && a[i].kind == register && a[i].reg == a[j].reg
	}
	switch op := in.op; {
	case hasPrefix(op, []string{"VPTERNLOG"}):
		return same(1, 2) && same(2, len(a)-1) && (a[0].name == "$0xff" || a[0].name == "$0x00")
	case hasPrefix(op, []string{"VPXOR", "VXORP", "VPSUB", "VPANDN", "VPCMPEQ", "KXOR", "KXNOR"}):
		return len(a) >= 3 && same(0, 1)
	case hasPrefix(op, []string{"XOR", "SUB", "SBB", "PXOR", "PSUB", "PANDN", "PCMPEQ"}):
		return len(a) == 2 && same(0, 1)
	}
	return false
}

// read reports whether an operand may hold data.
func (c *checker) read(s *state, in *instruction, a operand) bool {
	switch {
	case a.kind == immediate:
		return false
	case a.kind == register:
		return s.data&a.reg.bit() != 0
	case a.base == regFP:
		return c.results[a.off]
	case a.base == regSB:
		return !c.constants[a.name] || s.data&a.index.bit() != 0
	case a.base == regSP && a.name == "" && a.index == noReg:
		size, _ := width(in)
		return c.escapes || s.load(a.off, size)
	}
	return true
}

// write notes what an operand holds from now on.
func (c *checker) write(s *state, in *instruction, a operand, data bool) {
	switch {
	case a.kind == register:
		c.writeRegister(s, in, a, data)
	case a.base == regFP:
		if data && !c.results[a.off] {
			c.results[a.off], c.again = true, true
		}
	case a.base == regSP && a.name == "" && a.index == noReg:
		size, whole := width(in)
		s.store(a.off, size, data, whole)
		if from, _, ok := span(a.off, size); ok && in.op == "MOVQ" && in.args[0].reg == regBP && !s.changed {
			s.noBP[from/64] &^= 1 << (from % 64)
		}
	case a.base == regSP:
		s.forget(data)
	}
}

func (c *checker) writeRegister(s *state, in *instruction, a operand, data bool) {
	if s.data &^= a.reg.bit(); data {
		s.data |= a.reg.bit()
	}
	switch a.reg {
	case regR14:
		c.report(in, ruleR14)
	case regSP:
		if s.data &^= regSP.bit(); !movesSP(in) {
			c.report(in, ruleSP)
		}
		s.forget(true)
	case regBP:
		from, _, ok := 0, 0, false
		if slot := in.args[0]; in.op == "MOVQ" && slot.base == regSP && slot.name == "" && slot.index == noReg {
			from, _, ok = span(slot.off, 8)
		}
		s.changed = !ok || s.noBP[from/64]>>(from%64)&1 != 0
	}
}

// width returns how many bytes of memory an instruction reaches at most, and
// whether it is a store of just that many.
func width(in *instruction) (size int, whole bool) {
	for _, a := range in.args {
		if a.kind == register && a.reg.isVector() {
			size = max(size, map[byte]int{'X': 16, 'Y': 32, 'Z': 64}[a.name[0]])
		}
	}
	switch {
	case size > 0:
		return size, len(in.args) == 2 && hasPrefix(in.op, []string{"VMOVDQ", "VMOVUP", "VMOVAP", "MOVO", "MOVUP", "MOVAP"})
	case in.op == "MOVL":
		return 4, true
	}
	return 8, in.op == "MOVQ"
}

// inFrame reports whether an operand is a place in the stack frame.
func (a *operand) inFrame() bool {
	return a.base == regSP && a.name == "" && a.index == noReg
}

// moves reports whether the function changes SP, so that places in the frame have
// other offsets later.
func (f *function) moves() bool {
	return slices.ContainsFunc(f.code, func(in instruction) bool {
		return movesSP(&in) || hasPrefix(in.op, []string{"PUSH", "POP"})
	})
}

// leastWidth returns how many bytes of memory an instruction reaches at least.
func leastWidth(in *instruction) int {
	if in.suffix != "" || in.op == "VMOVD" || hasPrefix(in.op, []string{"K", "VBROADCAST", "VPBROADCAST", "VINSERT", "VEXTRACT", "VPINSR", "VPEXTR", "PINSR", "PEXTR",
		"VMOVQ", "VPMOV", "VPSLL", "VPSRL", "VPSRA"}) {
		return 1
	}
	if slices.ContainsFunc(in.args, func(a operand) bool { return a.kind == register && a.reg.isVector() }) {
		size, _ := width(in)
		return size
	}
	switch in.op[len(in.op)-1] {
	case 'Q':
		return 8
	case 'L':
		return 4
	case 'W':
		return 2
	}
	return 1
}

// tier checks that the function keeps to the registers of the tier in its name.
func (c *checker) tier() {
	named := hasTier(c.name)
	for i := range c.code {
		in := &c.code[i]
		wide, beyond := false, in.suffix != ""
		for _, a := range in.args {
			for _, r := range []reg{a.reg, a.index} {
				beyond = beyond || r.isMask() || r >= regV0+16 && r < regK0
			}
			if a.kind == register && !a.reg.isGeneral() {
				wide = wide || a.name[0] != 'X'
				beyond = beyond || a.name[0] == 'Z'
			}
		}
		if beyond && isAVX2(c.name) {
			c.report(in, ruleEVEX)
		}
		if (wide || beyond) && !named {
			named = true
			c.report(in, ruleTier)
		}
	}
}
