package flagstone

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// limited has the expressions of a flag, in the order of its rules. One has at most 4,000 code points and 1,000
// instructions, and those that fit at most 5,000 instructions together with all before them; others are nil.
type limited struct {
	sources  []string
	compiled []*regexp.Regexp
	size     float64
}

// expression compiles an expression of the flag. It returns nil if it cannot be read.
func (c *compiler) expression(source string) *regexp.Regexp {
	if i := slices.Index(c.limited.sources, source); i >= 0 {
		return c.limited.compiled[i]
	}
	size := expressionSize(source)
	if !math.IsInf(size, 1) {
		c.limited.size += size
	}
	var compiled *regexp.Regexp
	if size <= 1_000 && c.limited.size <= 5_000 {
		compiled = compile(source)
	}
	c.limited.sources = append(c.limited.sources, source)
	c.limited.compiled = append(c.limited.compiled, compiled)
	return compiled
}

// compile returns nil for an expression that cannot be read: in some languages, engines read no two groups with the same name.
func compile(source string) *regexp.Regexp {
	if hasForeignProperty(source) {
		return nil
	}
	compiled, err := regexp.Compile(source)
	if err != nil {
		return nil
	}
	names := slices.DeleteFunc(slices.Clone(compiled.SubexpNames()), func(name string) bool { return name == "" })
	slices.Sort(names)
	if len(slices.Compact(names)) < len(names) {
		return nil
	}
	return compiled
}

// expressionSize returns how many instructions an expression has, counted from its source as docs/evaluation.md, 9.4, says: a
// character or a class is one, and a repetition such as {1,250} is 250 copies of what it repeats. A source of too many characters
// is not read: its size is infinite.
func expressionSize(source string) float64 {
	if utf8.RuneCountInString(source) > 4_000 {
		return math.Inf(1)
	}
	var outer []float64
	size := 2.0 // a match and a failure
	last := 0.0 // the size of what a following repetition repeats
	for token := range tokens(source) {
		switch {
		case strings.HasPrefix(token.text, `\Q`):
			quoted := strings.TrimSuffix(token.text[len(`\Q`):], `\E`)
			size += float64(utf8.RuneCountInString(quoted))
			last = 1
		case token.opens:
			outer = append(outer, size)
			size, last = 2, 0 // a group records where its text begins and ends
			if strings.HasSuffix(token.text, ":") {
				size = 0
			}
		case token.text == ")":
			last = size
			if end := len(outer) - 1; end >= 0 {
				size += outer[end]
				outer = outer[:end]
			}
		case token.least != "":
			fewest, _ := strconv.ParseFloat(token.least, 64)
			most, _ := strconv.ParseFloat(token.most, 64)
			copies := max(1, fewest, most)
			repeated := last*copies + copies - fewest
			if token.hasMost && token.most == "" {
				repeated = last*copies + 1
			}
			size += repeated - last
			last = repeated
		case strings.ContainsAny(token.text[:1], "*+?|"):
			size++
			last++
		case !strings.HasPrefix(token.text, "(?"):
			size++
			last = 1
		}
	}
	for _, begun := range outer {
		size += begun
	}
	return size
}
