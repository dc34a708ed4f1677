package flagstone

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// limited has the expressions of a flag, in the order of its rules. One has at most 1,000 instructions, and those that fit at most
// 5,000 together with all before them; others are nil.
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
	c.limited.size += size
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

// tokens has groups for what opens a group, and for the least and the most copies of a repetition.
var tokens = regexp.MustCompile(`(?s)\\Q.*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\.|\[\^?\]?(?:\[:[^\]]*:\]|\\.|[^\]\\])*\]` +
	`|\(\?[imsU-]+\)|(\((?:\?(?:P?<[^>]*>|[imsU-]*:))?)|\)|\{(\d+)(?:,(\d*))?\}\??|[*+?]\??|.`)

// expressionSize returns how many instructions an expression has, counted from its source as docs/evaluation.md, 9.4, says: a
// character or a class is one, and a repetition such as {1,250} is 250 copies of what it repeats.
func expressionSize(source string) float64 {
	var outer []float64
	size := 2.0 // a match and a failure
	last := 0.0 // the size of what a following repetition repeats
	for _, groups := range tokens.FindAllStringSubmatch(source, -1) {
		token, open, least := groups[0], groups[1], groups[2]
		switch {
		case strings.HasPrefix(token, `\Q`):
			quoted := strings.TrimSuffix(token[len(`\Q`):], `\E`)
			size += float64(utf8.RuneCountInString(quoted))
			last = 1
		case open != "":
			outer = append(outer, size)
			size, last = 2, 0 // a group records where its text begins and ends
			if strings.HasSuffix(open, ":") {
				size = 0
			}
		case token == ")":
			last = size
			if end := len(outer) - 1; end >= 0 {
				size += outer[end]
				outer = outer[:end]
			}
		case least != "":
			fewest, _ := strconv.ParseFloat(least, 64)
			most, _ := strconv.ParseFloat(groups[3], 64)
			copies := max(1, fewest, most)
			repeated := last*copies + copies - fewest
			if strings.Contains(token, ",}") {
				repeated = last*copies + 1
			}
			size += repeated - last
			last = repeated
		case strings.ContainsAny(token[:1], "*+?|"):
			size++
			last++
		case !strings.HasPrefix(token, "(?"):
			size++
			last = 1
		}
	}
	for _, begun := range outer {
		size += begun
	}
	return size
}
