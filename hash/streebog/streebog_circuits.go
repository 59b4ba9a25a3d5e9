package streebog

// pi is the S-box of section 6.2 as a Boolean circuit over planes: x0 is the
// least significant bit of 64 bytes, x7 the most significant, and the results are
// the bits of what pi makes of them. It has 135 operations, which come from the
// decomposition of pi by Biryukov, Perrin and Udovenko (Eurocrypt 2016).
func pi(x0, x1, x2, x3, x4, x5, x6, x7 uint64) (y0, y1, y2, y3, y4, y5, y6, y7 uint64) {
	t0 := x4 ^ x7
	t1 := x2 ^ x6
	t2 := t1 ^ t0
	t3 := x3 ^ x4
	t4 := x4 ^ t2
	t5 := x1 ^ t3
	t6 := t1 ^ t5
	t7 := x5 ^ t2
	t8 := t7 ^ t5
	t9 := x6 ^ t6
	t10 := t1 | (t0 & t8)
	t11 := t0 ^ t8
	t12 := t11 & (t8 | t6)
	t13 := x5 | t0
	t14 := t12 & t10
	t15 := t13 & t10
	t16 := t12 ^ t15
	t17 := ^t14 ^ (t13 & t5)
	t18 := (x5 | t14) ^ t16
	t19 := t7 | t18
	t20 := t13 | t19
	t21 := t19 ^ ^t16
	t22 := t17 & (x0 ^ t7)
	t23 := t17 ^ t18
	t24 := (x0 ^ t3) & t23
	t25 := t15 ^ t23
	t26 := t20 | (x1 & (x2 ^ t24))
	t27 := x0 ^ t4
	t28 := t20 | t27
	t29 := t3 ^ t27
	t30 := t22 ^ (t29 & t25)
	t31 := t21 ^ t25
	t32 := t9 ^ t29
	t33 := t3 ^ t7
	t34 := t33 ^ t32
	t35 := t22 ^ (t15 & t4) ^ (t28 | (x3 & t34))
	t36 := t18 & t33
	t37 := t18 ^ t31
	t38 := t35 ^ t36 ^ ^((t4 ^ t34) & (t15 ^ t37))
	t39 := t35 ^ (t34 & t37)
	t40 := t24 ^ t39
	t41 := t39 ^ (t31 & t32) ^ t30
	t42 := t41 & t26
	t43 := t40 ^ (t39 | t26)
	t44 := t40 ^ t42
	t45 := t36 ^ (t9 & t21) ^ (t28 & (t30 ^ t44))
	t46 := t41 ^ t45
	t47 := t45 & t46
	t48 := t41 | t43
	t49 := t48 ^ t46
	t50 := t42 ^ t49
	y5 = (t48 & t49) ^ t38
	t51 := y5 | (t44 ^ t47)
	t52 := t43 & t50
	t53 := t41 & t43
	t54 := t38 & t53
	t55 := t47 | t53
	t56 := t47 | t54
	t57 := t54 | t52
	t58 := t51 ^ t57
	t59 := t50 | ((t38 | t44) ^ t55)
	t60 := x5 & t58
	t61 := t56 ^ t59
	t62 := t60 ^ (t11 & t59)
	t63 := t57 & t2
	t64 := t63 ^ (t1 & (t57 ^ t61))
	t65 := t62 ^ ^(t5 & (t51 ^ t56))
	t66 := t62 ^ t63 ^ (t0 & t61)
	t67 := t65 ^ (t8 & t56)
	t68 := (t7 & t51) ^ t65 ^ t64
	t69 := t64 ^ t60 ^ (t6 & (t58 ^ t59))
	t70 := t67 | t66
	t71 := t67 & t69
	y0 = t66 ^ t70 ^ (t71 | t68)
	t72 := t68 ^ t71
	t73 := t69 & y0
	y7 = t67 ^ t73
	t74 := y7 ^ t55
	y6 = t68 ^ (t73 | (t70 ^ t72))
	y3 = t69 ^ (t72 & t70)
	y2 = t50 ^ y6
	y4 = t52 ^ t74
	y1 = t74 ^ t41 ^ y3
	return
}

// L multiplies by the matrix A of section 6.4, which works on bits but is linear over
// a field too: the eight bytes of a word, as elements of GF(2)[x]/(x^8+x^4+x^3+x^2+1),
// are a row vector and are multiplied by an 8x8 matrix (Kazymyrov and Kazymyrova,
// CTCrypt 2013). Its rows are those of A for the lowest bit of each byte, read from the
// last byte on: 83 e0 8e 2b 4b 31 1c 64 for byte 0, and so on.
//
// With z = 16x every product of an x is a sum of 1, 2, 4, 8 times x and z. Each result
// is therefore four sums of inputs, put together by Horner's rule. The 32 sums have
// 75 additions, because they share what a search found them to have in common.
//
// x0 to x7 are the input bytes 0 to 7 of eight words at once, y0 to y7 the output
// bytes. The two functions below are the same formulas. They differ in how a uint64
// holds eight elements: one in each byte (lBytes), or bit k of all of them in byte k
// (lPlanes).

func lBytes(x0, x1, x2, x3, x4, x5, x6, x7 uint64) (y0, y1, y2, y3, y4, y5, y6, y7 uint64) {
	z6 := times16Bytes(x6)
	z2 := times16Bytes(x2)
	t0 := z2 ^ x7
	t1 := x6 ^ x3
	z7 := times16Bytes(x7)
	t2 := t1 ^ x1
	t3 := t1 ^ z7
	z5 := times16Bytes(x5)
	t4 := t2 ^ z5
	t5 := z5 ^ x0
	t6 := t5 ^ x5
	z3 := times16Bytes(x3)
	t7 := t0 ^ x4 ^ x2
	t8 := t7 ^ t6
	t9 := z3 ^ x3
	t10 := t7 ^ t9
	t11 := t8 ^ x4
	t12 := t9 ^ t4
	z0 := times16Bytes(x0)
	t13 := t3 ^ x0
	t14 := x2 ^ x1
	t15 := t3 ^ t11
	t16 := t13 ^ x7
	t17 := t6 ^ z6 ^ z0
	t18 := t14 ^ z0
	t19 := t11 ^ t14
	t20 := z3 ^ x1
	t21 := t13 ^ t20
	z4 := times16Bytes(x4)
	z1 := times16Bytes(x1)
	t22 := t16 ^ z1
	t23 := t0 ^ z4
	t24 := z4 ^ z1
	t25 := z2 ^ x6
	t26 := t20 ^ t24
	t27 := t16 ^ t23
	t28 := t25 ^ t18
	t29 := t18 ^ z1
	t30 := t24 ^ z3
	t31 := t24 ^ t17
	t32 := t2 ^ t23
	t33 := t8 ^ z1
	t34 := t33 ^ t20
	t35 := t23 ^ t29
	t36 := t29 ^ t10
	t37 := t30 ^ x7
	t38 := t5 ^ t30
	y2 = doubleBytes(doubleBytes(doubleBytes(t31)^t2^t22)^t12^t34) ^ t25 ^ t26 ^ x4
	t39 := t33 ^ t5
	t40 := t32 ^ t39
	y1 = doubleBytes(doubleBytes(doubleBytes(t31^t21)^t35)^t35^t26) ^ z6 ^ t39
	y3 = doubleBytes(doubleBytes(doubleBytes(t33^t19^t27)^x1)^t36^t37^t15) ^ z7 ^ t38 ^ z6
	t41 := t5 ^ t16
	y5 = doubleBytes(doubleBytes(doubleBytes(t21^t19)^t40)^t28^t23) ^ t8 ^ t28 ^ x5
	y6 = doubleBytes(doubleBytes(doubleBytes(t17^t29)^t15)^z6^t32) ^ t8 ^ t17 ^ x1
	y0 = doubleBytes(doubleBytes(doubleBytes(t17^t38^t40)^t41)^t27) ^ t38
	y7 = doubleBytes(doubleBytes(doubleBytes(t22^t11^x6)^t17^t12^z2)^t36^t12) ^ t10
	y4 = doubleBytes(doubleBytes(doubleBytes(t37^t34)^t36)^t41^t21) ^ t11 ^ t4
	return
}

func lPlanes(x0, x1, x2, x3, x4, x5, x6, x7 uint64) (y0, y1, y2, y3, y4, y5, y6, y7 uint64) {
	z6 := times16Planes(x6)
	z2 := times16Planes(x2)
	t0 := z2 ^ x7
	t1 := x6 ^ x3
	z7 := times16Planes(x7)
	t2 := t1 ^ x1
	t3 := t1 ^ z7
	z5 := times16Planes(x5)
	t4 := t2 ^ z5
	t5 := z5 ^ x0
	t6 := t5 ^ x5
	z3 := times16Planes(x3)
	t7 := t0 ^ x4 ^ x2
	t8 := t7 ^ t6
	t9 := z3 ^ x3
	t10 := t7 ^ t9
	t11 := t8 ^ x4
	t12 := t9 ^ t4
	z0 := times16Planes(x0)
	t13 := t3 ^ x0
	t14 := x2 ^ x1
	t15 := t3 ^ t11
	t16 := t13 ^ x7
	t17 := t6 ^ z6 ^ z0
	t18 := t14 ^ z0
	t19 := t11 ^ t14
	t20 := z3 ^ x1
	t21 := t13 ^ t20
	z4 := times16Planes(x4)
	z1 := times16Planes(x1)
	t22 := t16 ^ z1
	t23 := t0 ^ z4
	t24 := z4 ^ z1
	t25 := z2 ^ x6
	t26 := t20 ^ t24
	t27 := t16 ^ t23
	t28 := t25 ^ t18
	t29 := t18 ^ z1
	t30 := t24 ^ z3
	t31 := t24 ^ t17
	t32 := t2 ^ t23
	t33 := t8 ^ z1
	t34 := t33 ^ t20
	t35 := t23 ^ t29
	t36 := t29 ^ t10
	t37 := t30 ^ x7
	t38 := t5 ^ t30
	y2 = doublePlanes(doublePlanes(doublePlanes(t31)^t2^t22)^t12^t34) ^ t25 ^ t26 ^ x4
	t39 := t33 ^ t5
	t40 := t32 ^ t39
	y1 = doublePlanes(doublePlanes(doublePlanes(t31^t21)^t35)^t35^t26) ^ z6 ^ t39
	y3 = doublePlanes(doublePlanes(doublePlanes(t33^t19^t27)^x1)^t36^t37^t15) ^ z7 ^ t38 ^ z6
	t41 := t5 ^ t16
	y5 = doublePlanes(doublePlanes(doublePlanes(t21^t19)^t40)^t28^t23) ^ t8 ^ t28 ^ x5
	y6 = doublePlanes(doublePlanes(doublePlanes(t17^t29)^t15)^z6^t32) ^ t8 ^ t17 ^ x1
	y0 = doublePlanes(doublePlanes(doublePlanes(t17^t38^t40)^t41)^t27) ^ t38
	y7 = doublePlanes(doublePlanes(doublePlanes(t22^t11^x6)^t17^t12^z2)^t36^t12) ^ t10
	y4 = doublePlanes(doublePlanes(doublePlanes(t37^t34)^t36)^t41^t21) ^ t11 ^ t4
	return
}

// doubleBytes multiplies by x and replaces x^8 by 1d = x^4+x^3+x^2+1.
func doubleBytes(e uint64) uint64 {
	top := e & 0x8080808080808080
	return (e^top)<<1 ^ top>>7*0x1d
}

func doublePlanes(e uint64) uint64 {
	return e<<8 ^ e>>56*0x0101010001
}

// times16Bytes multiplies by x^4.
func times16Bytes(e uint64) uint64 {
	top := e >> 4 & 0x0f0f0f0f0f0f0f0f
	return (e&0x0f0f0f0f0f0f0f0f^top)<<4 ^ top<<3 ^ top<<2 ^ top
}

func times16Planes(e uint64) uint64 {
	top := e >> 32
	return (e^top)<<32 ^ top<<24 ^ top<<16 ^ top
}
