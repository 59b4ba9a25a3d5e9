package magma

// The boxes of section 4.1 as Boolean circuits over planes: x0 to x3 are the bits
// of 64 nibbles, x0 the least significant, and the results are the bits of what
// the box makes of them. Only AND, OR, XOR and NOT are used, 15 to 17 in each,
// and so few statements that the compiler inlines all eight into round.

func box0(x0, x1, x2, x3 uint64) (y0, y1, y2, y3 uint64) {
	t0 := x0 ^ (x1 | x3)
	t1 := x2 ^ t0
	t2 := x2 & t1
	t3 := x3 ^ t2
	t4 := x1 ^ x2
	t5 := ^((x3 ^ t4) | t1)
	return x2 ^ (t3 & t4), x1 ^ (t2 | (x3 & t1)), t0 ^ t5, t3 ^ t5
}

func box1(x0, x1, x2, x3 uint64) (y0, y1, y2, y3 uint64) {
	t0 := x0 ^ x1
	t1 := x1 | ^x0
	t2 := x2 ^ t1
	t3 := x1 ^ t2
	t4 := t1 & t3
	t5 := ^t0 ^ t4
	t6 := t0 | t2
	t7 := x3 & t6
	return (x3 & t3) ^ t5, x3 ^ (t2 ^ (t5 & t7)), t4 ^ t7, t1 ^ t6
}

func box2(x0, x1, x2, x3 uint64) (y0, y1, y2, y3 uint64) {
	t0 := x1 ^ x3
	t1 := x0 ^ t0
	t2 := x3 & t1
	t3 := x2 ^ t2
	t4 := x1 | t3
	t5 := t2 | (t3 ^ (x0 & t4))
	t6 := t1 ^ t4
	y1 = t0 ^ (^t5 | t6)
	return ^t5, y1, (x3 & t3) ^ (t4 ^ t5), t6 ^ y1
}

func box3(x0, x1, x2, x3 uint64) (y0, y1, y2, y3 uint64) {
	t0 := x0 ^ (x1 & x2)
	t1 := t0 ^ (x1 ^ x3)
	t2 := x3 | t1
	t3 := x2 ^ t2
	t4 := t1 | t3
	t5 := t0 & t4
	y0 = t5 ^ (x1 ^ t4)
	y1 = t5 ^ t2
	y2 = t3 ^ ^y0
	return y0, y1, y2, (y1 | y2) ^ t1
}

func box4(x0, x1, x2, x3 uint64) (y0, y1, y2, y3 uint64) {
	t0 := x0 ^ (x1 | x2)
	t1 := x2 ^ t0
	t2 := ^x3
	t3 := t0 ^ (t1 | t2)
	y3 = x1 ^ t0
	t4 := t2 ^ (x0 | y3)
	y0 = t1 ^ (t3 & t4)
	return y0, t4 ^ (t3 ^ y0), t4 ^ (y3 & y0), y3
}

func box5(x0, x1, x2, x3 uint64) (y0, y1, y2, y3 uint64) {
	t0 := ^x1
	t1 := x2 ^ t0
	t2 := t0 ^ (x0 ^ (x3 | t1))
	y0 = x1 ^ (t1 | t2)
	t3 := t1 ^ t2
	t4 := y0 | t3
	y1 = t0 ^ (x3 ^ t4)
	y3 = t2 ^ (t4 & y1)
	return y0, y1, t3 ^ (y3 | (^y0 ^ y1)), y3
}

func box6(x0, x1, x2, x3 uint64) (y0, y1, y2, y3 uint64) {
	t0 := x0 ^ x3
	t1 := x1 ^ t0
	t2 := t1 & x2
	t3 := x3 ^ t2
	t4 := x2 ^ t3
	t5 := ^(t1 | t4)
	t6 := x2 ^ (x1 & t4)
	return t2 | (t0 & (t3 | t5)), t1 ^ t6, t6 ^ (x0 | t3), t0 ^ t5
}

func box7(x0, x1, x2, x3 uint64) (y0, y1, y2, y3 uint64) {
	t0 := x3 ^ x0
	t1 := ^x2
	t2 := t0 ^ t1
	t3 := t2 | (x1 ^ x2)
	t4 := x0 ^ t3
	y1 = (x1 | (x0 & t1)) & (t2 | t4)
	t5 := t3 & (x3 | y1)
	t6 := t5 ^ (x1 | t4)
	return x2 ^ t6, y1, t0 ^ t5, t4 ^ t6
}
