package authenc

import "testing"

func TestEqual16(t *testing.T) {
	var x, y [16]byte
	for i := range x {
		x[i], y[i] = byte(17*i), byte(17*i)
	}
	if !Equal16(&x, &y) {
		t.Error("equal tags are not equal")
	}
	for i := range y {
		for bit := range 8 {
			y[i] ^= 1 << bit
			if Equal16(&x, &y) {
				t.Errorf("bit %d of byte %d makes no difference", bit, i)
			}
			y[i] ^= 1 << bit
		}
	}
}
