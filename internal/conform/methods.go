package conform

import (
	"reflect"
	"slices"
	"testing"
)

// Methods fails the test if the concrete type of value has an exported method
// that is neither one of iface nor allowed: callers could reach it by a type
// assertion, and then it is API.
func Methods(t *testing.T, value any, iface reflect.Type, allowed ...string) {
	t.Helper()
	methods(t, value, iface, allowed...)
}

func methods(t testing.TB, value any, iface reflect.Type, allowed ...string) {
	t.Helper()
	if value == nil {
		t.Errorf("no value to look at")
		return
	}
	typ := reflect.TypeOf(value)
	if !typ.Implements(iface) {
		t.Errorf("%v is no %v", typ, iface)
	}
	for i := range typ.NumMethod() {
		name := typ.Method(i).Name
		if _, ok := iface.MethodByName(name); !ok && !slices.Contains(allowed, name) {
			t.Errorf("%v has the extra method %s", typ, name)
		}
	}
}
