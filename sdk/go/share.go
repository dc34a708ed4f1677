package flagstone

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"
)

// A share is a part of all texts: those whose hash × 100 lies from one number up to another.
type share struct {
	seed     string
	from, to float64 // percent × 2³²
}

// parsePercentage reads the operand of percentage, digits[.digits].
func parsePercentage(operand, flag string) (share, bool) {
	percent, ok := parseDecimal(operand)
	return newShare(flag, 0, percent, ok && !strings.ContainsAny(operand, "-eE"))
}

// parseShare reads the operand of share, {"seed":text,"from":number,"to":number}.
func parseShare(operand string) (share, bool) {
	members, _ := parseJSON(operand).(map[string]any)
	seed, hasSeed := members["seed"].(string)
	from, hasFrom := members["from"].(float64)
	to, hasTo := members["to"].(float64)
	return newShare(seed, from, to, hasSeed && hasFrom && hasTo)
}

func newShare(seed string, from, to float64, ok bool) (share, bool) {
	return share{seed, from * (1 << 32), to * (1 << 32)}, ok && 0 <= from && from <= to && to <= 100
}

// has reports whether a text is in the share. The empty text identifies no one.
func (s *share) has(text string) bool {
	var buffer [256]byte
	hashed := append(append(buffer[:0], s.seed...), ':')
	hash := sha256.Sum256(append(hashed, strings.ToValidUTF8(text, "\uFFFD")...))
	point := float64(binary.BigEndian.Uint32(hash[:])) * 100
	return text != "" && s.from <= point && point < s.to
}
