package flagstone

import (
	"cmp"
	"strings"
)

// A version is [v]number(.number)*[-identifiers][+identifiers], or a range of all versions that begin with the same numbers.
type version struct {
	numbers    string // with dots
	prerelease string // with dots; "" for a release
	isRange    bool
}

// parseOperandVersion reads a version, or a range such as 130.*.
func parseOperandVersion(text string) (version, bool) {
	numbers, isRange := strings.CutSuffix(text, ".*")
	v, ok := parseVersion(numbers)
	v.isRange = isRange
	return v, ok && !(isRange && strings.ContainsAny(numbers, "-+"))
}

func parseVersion(text string) (v version, ok bool) {
	v.numbers, text, ok = cutParts(strings.TrimPrefix(text, "v"), isDigit)
	if identifiers, found := strings.CutPrefix(text, "-"); ok && found {
		v.prerelease, text, ok = cutParts(identifiers, isIdentifier)
	}
	if build, found := strings.CutPrefix(text, "+"); ok && found {
		_, text, ok = cutParts(build, isIdentifier)
	}
	return v, ok && text == ""
}

// cutParts cuts parts of at least one byte with single dots between them.
func cutParts(text string, isPart func(byte) bool) (parts, rest string, ok bool) {
	end, needsPart := 0, true
	for ; end < len(text); end++ {
		isDot := text[end] == '.'
		if isDot && needsPart || !isDot && !isPart(text[end]) {
			break
		}
		needsPart = isDot
	}
	return text[:end], text[end:], !needsPart
}

func isDigit(letter byte) bool { return '0' <= letter && letter <= '9' }

func isIdentifier(letter byte) bool {
	return isDigit(letter) || 'a' <= letter && letter <= 'z' || 'A' <= letter && letter <= 'Z' || letter == '-'
}

// order compares a text with the operand v. A version in a range equals it; what is no version does not compare.
func (v version) order(text string) order {
	attribute, ok := parseVersion(text)
	if !ok {
		return 0
	}
	for a, b := attribute.numbers, v.numbers; b != "" || a != "" && !v.isRange; {
		var number, operand string
		number, a, _ = strings.Cut(a, ".")
		operand, b, _ = strings.Cut(b, ".")
		if result := compareNumbers(number, operand); result != 0 {
			return orderOf(result, 0)
		}
	}
	if v.isRange {
		return equal
	}
	return orderOf(comparePrereleases(attribute.prerelease, v.prerelease), 0)
}

// comparePrereleases compares as SemVer 2.0 does. A release comes after all of its pre-releases.
func comparePrereleases(a, b string) int {
	if a == "" || b == "" {
		return cmp.Compare(len(b), len(a))
	}
	for a != "" && b != "" {
		var x, y string
		x, a, _ = strings.Cut(a, ".")
		y, b, _ = strings.Cut(b, ".")
		if result := compareIdentifiers(x, y); result != 0 {
			return result
		}
	}
	return cmp.Compare(len(a), len(b))
}

// compareIdentifiers compares numbers by their size and words by ASCII. Numbers come before words.
func compareIdentifiers(a, b string) int {
	aIsWord, bIsWord := strings.Trim(a, "0123456789") != "", strings.Trim(b, "0123456789") != ""
	switch {
	case aIsWord && bIsWord:
		return cmp.Compare(a, b)
	case aIsWord:
		return 1
	case bIsWord:
		return -1
	default:
		return compareNumbers(a, b)
	}
}

// compareNumbers compares whole numbers of any size; "" is zero.
func compareNumbers(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}
