package flagstone

import (
	"iter"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A token is a part of an expression that is a character, a class, a repetition or a parenthesis.
type token struct {
	text string
	// opens is whether the token opens a group.
	opens bool
	// least and most have the numbers of a repetition in braces; hasMost is whether it has a comma.
	least, most string
	hasMost     bool
}

// tokens divides an expression by hand, because regexp takes quadratic time for many short tokens. What has no end takes all that
// is left, so no character is read again and again.
func tokens(source string) iter.Seq[token] {
	return func(yield func(token) bool) {
		for source != "" {
			next := firstToken(source)
			if !yield(next) {
				return
			}
			source = source[len(next.text):]
		}
	}
}

func firstToken(source string) token {
	switch source[0] {
	case '\\':
		return token{text: escape(source)}
	case '[':
		return token{text: class(source)}
	case '(':
		return parenthesis(source)
	case '{':
		if repetition, ok := braces(source); ok {
			return repetition
		}
	case '*', '+', '?':
		return token{text: source[:1+lazy(source[1:])]}
	}
	_, size := utf8.DecodeRuneInString(source)
	return token{text: source[:size]}
}

func escape(source string) string {
	if strings.HasPrefix(source, `\Q`) {
		return through(source, `\E`)
	}
	if len(source) > 2 && strings.ContainsAny(source[1:2], "pPx") && source[2] == '{' {
		return through(source, "}")
	}
	_, size := utf8.DecodeRuneInString(source[1:])
	return source[:1+size]
}

var namedClass = regexp.MustCompile(`^\[:\^?[a-z]{1,9}:\]`)

// longestNamedClass is in bytes.
const longestNamedClass = len("[:^") + 9 + len(":]")

func class(source string) string {
	at := 1
	for _, first := range []string{"^", "]"} {
		if strings.HasPrefix(source[at:], first) {
			at++
		}
	}
	for at < len(source) {
		switch source[at] {
		case ']':
			return source[:at+1]
		case '\\':
			at += 2 // the other bytes of a character are none of the three
		case '[':
			rest := source[at:]
			at += max(1, len(namedClass.FindString(rest[:min(len(rest), longestNamedClass)])))
		default:
			at++
		}
	}
	return source
}

func parenthesis(source string) token {
	if strings.HasPrefix(source, "(?P<") || strings.HasPrefix(source, "(?<") {
		return token{text: through(source, ">"), opens: true}
	}
	if strings.HasPrefix(source, "(?") {
		rest := strings.TrimLeft(source[2:], "imsU-")
		end := len(source) - len(rest)
		switch {
		case strings.HasPrefix(rest, ":"):
			return token{text: source[:end+1], opens: true}
		case end > 2 && strings.HasPrefix(rest, ")"):
			return token{text: source[:end+1]}
		}
	}
	return token{text: "(", opens: true}
}

func braces(source string) (repetition token, ok bool) {
	var rest string
	repetition.least, rest = digits(source[1:])
	rest, repetition.hasMost = strings.CutPrefix(rest, ",")
	if repetition.hasMost {
		repetition.most, rest = digits(rest)
	}
	rest, ok = strings.CutPrefix(rest, "}")
	repetition.text = source[:len(source)-len(rest)+lazy(rest)]
	return repetition, ok && repetition.least != ""
}

func digits(source string) (before, after string) {
	after = strings.TrimLeft(source, "0123456789")
	return source[:len(source)-len(after)], after
}

// lazy returns the length of the mark that makes a repetition lazy.
func lazy(rest string) int {
	if strings.HasPrefix(rest, "?") {
		return 1
	}
	return 0
}

// through returns what is before and including the first end, or all.
func through(source, end string) string {
	if at := strings.Index(source, end); at >= 0 {
		return source[:at+len(end)]
	}
	return source
}
