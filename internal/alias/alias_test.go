package alias

import "testing"

func TestOverlap(t *testing.T) {
	a, b := make([]byte, 100), make([]byte, 100)
	for _, c := range []struct {
		name         string
		x, y         []byte
		any, inexact bool
	}{
		{"different arrays", a, b, false, false},
		{"same slice", a, a, true, false},
		{"same start, other length", a[:50], a, true, false},
		{"neighbours", a[:50], a[50:], false, false},
		{"one byte shared", a[:51], a[50:], true, true},
		{"one byte", a[5:6], a[5:6], true, false},
		{"one byte inside", a[5:6], a[:50], true, true},
		{"inside", a[10:20], a[:50], true, true},
		{"shifted by one", a[:50], a[1:51], true, true},
		{"empty inside", a[10:10], a, false, false},
		{"empty at the same start", a[:0], a, false, false},
		{"nil", nil, a, false, false},
		{"both nil", nil, nil, false, false},
		{"capacity only", a[:10:100], a[20:30], false, false},
	} {
		for _, swapped := range []bool{false, true} {
			x, y := c.x, c.y
			if swapped {
				x, y = y, x
			}
			if got := AnyOverlap(x, y); got != c.any {
				t.Errorf("%s (swapped %v): AnyOverlap = %v", c.name, swapped, got)
			}
			if got := InexactOverlap(x, y); got != c.inexact {
				t.Errorf("%s (swapped %v): InexactOverlap = %v", c.name, swapped, got)
			}
		}
	}
}
