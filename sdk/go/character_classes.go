package flagstone

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// engineSource returns an expression as regexp reads it: classes of Unicode that some of its versions do not read, or not as RE2, are
// written as ranges. It is false for one whose name is not in the list of docs/evaluation.md, 9.2.
func engineSource(source string) (string, bool) {
	var written strings.Builder
	var sign string // \p before its letter
	ok := true
	for token := range tokens(source) {
		text := token.text
		switch {
		case sign != "":
			text = classOf(sign+text, false, &ok)
			sign = ""
		case text == `\p` || text == `\P`:
			sign = text
			continue
		case strings.HasPrefix(text, `\p{`) || strings.HasPrefix(text, `\P{`):
			text = classOf(text, false, &ok)
		case text[0] == '[':
			text = bracketSource(text, &ok)
		}
		written.WriteString(text)
	}
	return written.String() + sign, ok
}

// bracketSource returns a class in brackets as regexp reads it.
func bracketSource(class string, ok *bool) string {
	var written strings.Builder
	for {
		at := strings.IndexByte(class, '\\')
		if at < 0 {
			return written.String() + class
		}
		next := escape(class[at:])
		if next == `\p` || next == `\P` {
			_, size := utf8.DecodeRuneInString(class[at+len(next):])
			next = class[at : at+len(next)+size]
		}
		written.WriteString(class[:at] + classOf(next, true, ok))
		class = class[at+len(next):]
	}
}

// noCharacters is a class to write before ranges in brackets, so that their first character does not end a range: [a-\p{Old_Italic}]
// cannot be read.
const noCharacters = `\P{Any}`

// classOf returns an escape as it is, or a class of Unicode as regexp reads it: in brackets, or to be written there.
func classOf(escape string, inBrackets bool, ok *bool) string {
	if len(escape) < 3 || escape[1] != 'p' && escape[1] != 'P' {
		return escape
	}
	name := strings.TrimSuffix(strings.TrimPrefix(escape[2:], "{"), "}")
	isNegated := escape[1] == 'P'
	if strings.HasPrefix(name, "^") {
		name, isNegated = name[1:], !isNegated
	}
	if !characterProperties[name] {
		*ok = false
		return escape
	}
	ranges := rangesOf(name)
	switch {
	case ranges == nil:
		return escape
	case inBrackets && isNegated:
		return noCharacters + writeRanges(complement(ranges))
	case inBrackets:
		return noCharacters + writeRanges(ranges)
	case isNegated:
		return "[^" + writeRanges(ranges) + "]"
	}
	return "[" + writeRanges(ranges) + "]"
}

type runes struct{ first, last rune }

var known sync.Map // from a name to its ranges

// rangesOf returns the characters with a property, in order; nil if regexp itself reads its name as RE2 does.
func rangesOf(name string) []runes {
	if ranges, ok := known.Load(name); ok {
		return ranges.([]runes)
	}
	var ranges []runes
	expression, err := regexp.Compile(`^\p{` + name + `}`)
	switch {
	case name == "C" && err == nil && expression.MatchString("\u0378"): // which is not assigned
		ranges = inTables(unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs)
	case err != nil && unicode.Scripts[name] != nil:
		ranges = inTables(unicode.Scripts[name])
	}
	known.Store(name, ranges)
	return ranges
}

func inTables(tables ...*unicode.RangeTable) (found []runes) {
	add := func(first, last, stride rune) {
		if stride == 1 {
			found = append(found, runes{first, last})
			return
		}
		for r := first; r <= last; r += stride {
			found = append(found, runes{r, r})
		}
	}
	for _, table := range tables {
		for _, r := range table.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range table.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	slices.SortFunc(found, func(a, b runes) int { return int(a.first - b.first) })
	return found
}

func complement(ranges []runes) (rest []runes) {
	next := rune(0)
	for _, r := range ranges {
		if next < r.first {
			rest = append(rest, runes{next, r.first - 1})
		}
		next = r.last + 1
	}
	if next <= unicode.MaxRune {
		rest = append(rest, runes{next, unicode.MaxRune})
	}
	return rest
}

func writeRanges(ranges []runes) string {
	var written strings.Builder
	for _, r := range ranges {
		fmt.Fprintf(&written, `\x{%x}-\x{%x}`, r.first, r.last)
	}
	return written.String()
}
