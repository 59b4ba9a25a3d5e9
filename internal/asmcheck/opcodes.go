package asmcheck

import "strings"

// effect is what an instruction does to registers and flags, as far as the flow of
// data goes. Unless it says otherwise the last operand is written, and the others
// are read.
type effect struct {
	keeps    bool // the old value of the last operand matters too
	noResult bool // nothing is written but flags
	reads    set  // besides the operands
	writes   set  // besides the last operand: with the same value
	flags    set  // written, with the same value
	maybe    bool // flags may stay as they are (shifts by zero)
	address  set  // used as addresses or lengths
	two      bool // the last two operands are written
	swaps    bool // the two operands
	noAccess bool // memory operands are addresses only
	divides  bool
}

// scalar has the instructions on general registers, and those with implicit operands.
var scalar = map[string]effect{}

func init() {
	add := func(e effect, widths, names string) {
		for _, name := range strings.Fields(names) {
			for _, w := range widths {
				scalar[name+strings.TrimSpace(string(w))] = e
			}
		}
	}
	const (
		ax, cx, dx = set(1 << regAX), set(1 << regCX), set(1 << regDX)
		bx, si, di = set(1 << regBX), set(1 << regSI), set(1 << regDI)
		c, o, z    = set(1 << flagC), set(1 << flagO), set(1 << flagZ)
	)
	add(effect{}, "LQ", "MOV")
	add(effect{keeps: true}, "BW", "MOV")
	add(effect{}, " ", "MOVBLZX MOVBQZX MOVBLSX MOVBQSX MOVWLZX MOVWQZX MOVWLSX MOVWQSX MOVLQZX MOVLQSX MOVBELL MOVBEQQ MOVNTIL MOVNTIQ")
	add(effect{keeps: true}, " ", "MOVBWZX MOVBWSX MOVBEWW")
	add(effect{noAccess: true}, "LQ", "LEA")
	add(effect{keeps: true}, "LQ", "BSWAP")
	add(effect{keeps: true}, "BWLQ", "NOT")
	add(effect{}, "LQ", "RORX SARX SHLX SHRX PDEP PEXT")
	add(effect{keeps: true}, "BWLQ", "CRC32")

	add(effect{keeps: true, flags: allFlags}, "BWLQ", "ADD SUB AND OR XOR NEG")
	add(effect{keeps: true, flags: allFlags, reads: c}, "BWLQ", "ADC SBB")
	add(effect{keeps: true, flags: o | z}, "BWLQ", "INC DEC")
	add(effect{keeps: true, noResult: true, flags: allFlags}, "BWLQ", "CMP TEST")
	add(effect{keeps: true, noResult: true, flags: c}, "WLQ", "BT")
	add(effect{keeps: true, flags: c}, "WLQ", "BTS BTR BTC")
	add(effect{keeps: true, flags: allFlags, maybe: true}, "BWLQ", "SHL SHR SAL SAR")
	add(effect{keeps: true, flags: c | o, maybe: true}, "BWLQ", "ROL ROR")
	add(effect{keeps: true, flags: c | o, maybe: true, reads: c}, "BWLQ", "RCL RCR")
	add(effect{flags: allFlags}, "LQ", "ANDN BLSI BLSR BLSMSK BEXTR BZHI POPCNT LZCNT TZCNT")
	add(effect{keeps: true, flags: allFlags}, "WLQ", "BSF BSR")
	add(effect{keeps: true, flags: c, reads: c}, "LQ", "ADCX")
	add(effect{keeps: true, flags: o, reads: o}, "LQ", "ADOX")
	add(effect{flags: allFlags}, "LQ", "IMUL3")
	add(effect{keeps: true, flags: allFlags}, "WLQ", "IMUL")
	add(effect{keeps: true, noResult: true, flags: allFlags, reads: ax, writes: ax | dx}, "BWLQ", "MUL IMUL1")
	add(effect{keeps: true, noResult: true, flags: allFlags, reads: ax | dx, writes: ax | dx, divides: true}, "BWLQ", "DIV IDIV")
	add(effect{noResult: true, reads: ax, writes: dx}, " ", "CQO CDQ CWD")
	add(effect{noResult: true, reads: ax, writes: ax}, " ", "CDQE CWDE CBW")
	add(effect{noResult: true, flags: c}, " ", "CLC STC")
	add(effect{noResult: true, writes: ax | bx | cx | dx}, " ", "CPUID RDTSC XGETBV")
	add(effect{noResult: true, noAccess: true}, " ", "NOP PAUSE LFENCE MFENCE SFENCE PCALIGN CLD REP REPN")
	add(effect{noResult: true}, " ", "PREFETCHT0 PREFETCHT1 PREFETCHT2 PREFETCHNTA")
	add(effect{noResult: true, writes: allVectors}, " ", "VZEROALL")
	add(effect{noResult: true}, " ", "VZEROUPPER")
	add(effect{noResult: true, address: cx | si | di}, "BWLQ", "MOVS")
	add(effect{noResult: true, address: cx | di}, "BWLQ", "STOS")
	add(effect{reads: dx, two: true}, "LQ", "MULX")
	add(effect{swaps: true}, "BWLQ", "XCHG")

	for _, cond := range strings.Fields("EQ NE CS CC HI LS GE LT GT LE MI PL OS OC PS PC") {
		reads := conditions[cond]
		add(effect{keeps: true, reads: reads}, " ", "CMOVW"+cond+" CMOVL"+cond+" CMOVQ"+cond+" SET"+cond)
	}
}

// conditions are the flags that jumps and other conditional instructions read.
var conditions = func() map[string]set {
	m := map[string]set{}
	for flags, names := range map[set]string{
		1 << flagC:          "CS CC C NC B AE NAE NB LO HS",
		1 << flagZ:          "EQ NE E Z NZ MI PL S NS PS PC P PE PO NP",
		1 << flagO:          "OS OC O NO",
		1<<flagC | 1<<flagZ: "HI LS A BE NA NBE",
		1<<flagZ | 1<<flagO: "GE LT GT LE L G NL NG NGE NLE",
	} {
		for _, name := range strings.Fields(names) {
			m[name] = flags
		}
	}
	return m
}()

// Vector instructions write their last operand, and in the VEX and EVEX forms on
// these lists nothing of its old value stays. Of the others it is taken for granted.
var overwriting = strings.Fields(`VMOV VPXOR VPAND VPOR VPADD VPSUB VPSLL VPSRL VPSRA VPSHUF VPUNPCK VUNPCK
	VPERMB VPERMW VPERMD VPERMQ VPERMPS VPERMPD VPERMIL VPERM2 VPALIGNR VALIGN VPBROADCAST VBROADCAST
	VPCMP VPMUL VPMADDWD VPMADDUBSW VPROL VPROR VINSERT VEXTRACT VPINSR VPEXTR VSHUF VGF2P8 VAES
	VPCLMUL VPBLEND VBLEND VXOR VAND VOR VPACK VPMIN VPMAX VPABS VPSIGN VPAVG VPSAD VLDDQU`)

// comparing are vector instructions that write flags and nothing else.
var comparing = strings.Fields("PTEST VPTEST VTESTP UCOMIS VUCOMIS COMIS VCOMIS KORTEST KTEST")

// refused are vector instructions with implicit operands.
var refused = strings.Fields("PCMPESTR PCMPISTR VPCMPESTR VPCMPISTR MASKMOV VMASKMOVDQU LDMXCSR STMXCSR VLDMXCSR VSTMXCSR")

func hasPrefix(op string, list []string) bool {
	for _, p := range list {
		if strings.HasPrefix(op, p) {
			return true
		}
	}
	return false
}

// effectOf returns what an instruction does; ok is false if that is not known.
func effectOf(in *instruction) (e effect, ok bool) {
	vector := false
	for _, a := range in.args {
		if a.kind == bad || a.kind == label {
			return e, false
		}
		vector = vector || a.kind == register && !a.reg.isGeneral()
	}
	if !vector {
		op := in.op
		if strings.HasPrefix(op, "IMUL") && len(in.args) == 1 {
			op = "IMUL1" + op[len("IMUL"):]
		}
		e, ok = scalar[op]
		return e, ok && (e.noResult || len(in.args) > 0) && (len(in.args) > 1 || !e.two && !e.swaps)
	}
	switch {
	case hasPrefix(in.op, refused):
		return e, false
	case hasPrefix(in.op, comparing):
		return effect{keeps: true, noResult: true, flags: allFlags}, true
	}
	last := in.args[len(in.args)-1]
	switch {
	case last.kind == register && last.reg.isGeneral():
	case in.op[0] == 'K':
	case hasPrefix(in.op, overwriting):
		e.keeps = masked(in) && !strings.Contains(in.suffix, ".Z")
	default:
		e.keeps = true
	}
	return e, true
}

// masked reports whether an instruction has a mask register besides its result.
func masked(in *instruction) bool {
	for _, a := range in.args[:len(in.args)-1] {
		if a.kind == register && a.reg.isMask() {
			return true
		}
	}
	return false
}
