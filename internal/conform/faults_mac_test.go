package conform

import (
	"crypto/sha256"
	"hash"
	"slices"
	"testing"
)

// toyMAC is HMAC with a fault.
type toyMAC struct {
	mac
	fault string
	key   []byte
	fresh bool
}

func (m *toyMAC) Reset() {
	if m.fault == "Reset forgets the key" {
		m.mac = mac{sha256.New()}
	}
	m.mac.Reset()
}

func (m *toyMAC) Write(p []byte) (int, error) {
	if m.fault == "key kept" && !m.fresh {
		h, _ := newHMAC(m.key)
		m.mac, m.fresh = h.(mac), true
	}
	if m.fault == "not the last block" && len(p) == 128 {
		p = p[:len(p)-1]
		m.mac.Write(p)
		return 128, nil
	}
	return m.mac.Write(p)
}

func (m *toyMAC) Clone() (hash.Cloner, error) {
	if m.fault == "Clone is the object" {
		return m, nil
	}
	c, err := m.mac.Clone()
	return &toyMAC{c.(mac), m.fault, m.key, m.fresh}, err
}

type savable struct{ *toyMAC }

func (savable) MarshalBinary() ([]byte, error) { return nil, nil }

func TestMACFaults(t *testing.T) {
	plant(t, []fault{
		{"typed nil", "want a nil interface"},
		{"any key size", "no error"},
		{"key kept", "the Key is not copied"},
		{"key bit ignored", "bit 0 of the Key has no effect"},
		{"key changed", "KeyKept"},
		{"Reset forgets the key", "Reset|of the Key has no effect"},
		{"not the last block", "differs|Lengths|Splits"},
		{"Clone is the object", "Clone"},
		{"marshalled", "has the extra method MarshalBinary"},
	}, func(t suite, fault string) {
		testMAC(t, []int{32}, func(key []byte) (hash.Hash, error) {
			if len(key) != 32 {
				switch fault {
				case "typed nil":
					return (*toyMAC)(nil), keySizeError(len(key))
				case "any key size":
				default:
					return nil, keySizeError(len(key))
				}
			}
			own := slices.Clone(key)
			switch fault {
			case "key bit ignored":
				if len(own) > 0 {
					own[0] |= 1
				}
			case "key changed":
				defer func() { key[9] ^= 1 }()
			}
			h, err := newHMAC(own)
			if err != nil {
				return nil, err
			}
			m := &toyMAC{mac: h.(mac), fault: fault, key: key}
			if fault == "marshalled" {
				return savable{m}, nil
			}
			return m, nil
		})
	})
}
