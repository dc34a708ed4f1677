package flagstone

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// parseJSON decodes any JSON as encoding/json does, but like JavaScript where they differ: a number beyond the largest float64
// is infinity, and half a surrogate pair stays what it is, as three bytes (WTF-8). Minus zero, which no operator tells from
// zero, is zero. It returns nil for null, and for what is no JSON.
func parseJSON(text string) any {
	if !json.Valid([]byte(text)) {
		return nil
	}
	reader := jsonReader(text)
	return reader.value()
}

// A jsonReader is the rest of a text that is known to be valid.
type jsonReader string

// next skips what separates tokens, and returns the first byte of the next one.
func (r *jsonReader) next() byte {
	*r = jsonReader(strings.TrimLeft(string(*r), " \t\r\n,:"))
	return (*r)[0]
}

func (r *jsonReader) cut(length int) string {
	token := string((*r)[:length])
	*r = (*r)[length:]
	return token
}

func (r *jsonReader) value() any {
	switch r.next() {
	case '{':
		object := map[string]any{}
		for r.cut(1); r.next() != '}'; {
			name := r.string()
			object[name] = r.value()
		}
		r.cut(1)
		return object
	case '[':
		list := []any{}
		for r.cut(1); r.next() != ']'; {
			list = append(list, r.value())
		}
		r.cut(1)
		return list
	case '"':
		return r.string()
	case 't', 'n':
		if r.cut(4) == "true" {
			return true
		}
		return nil
	case 'f':
		r.cut(len("false"))
		return false
	}
	length := len(*r) - len(strings.TrimLeft(string(*r), "+-.0123456789Ee"))
	if number, _ := strconv.ParseFloat(r.cut(length), 64); number != 0 { // out of range: infinity
		return number
	}
	return 0.0
}

func (r *jsonReader) string() string {
	r.cut(1)
	var text []byte
	for {
		plain := r.cut(strings.IndexAny(string(*r), `"\`))
		if r.cut(1) == `\` {
			text = r.appendEscaped(append(text, plain...))
		} else if text == nil {
			return plain
		} else {
			return string(append(text, plain...))
		}
	}
}

// appendEscaped appends what follows a backslash.
func (r *jsonReader) appendEscaped(text []byte) []byte {
	escape := r.cut(1)[0]
	if i := strings.IndexByte("bfnrt", escape); i >= 0 {
		return append(text, "\b\f\n\r\t"[i])
	} else if escape != 'u' {
		return append(text, escape)
	}
	unit := r.unit()
	if after, found := strings.CutPrefix(string(*r), `\u`); found {
		following := jsonReader(after)
		if pair := utf16.DecodeRune(unit, following.unit()); pair != utf8.RuneError {
			unit, *r = pair, following
		}
	}
	if utf16.IsSurrogate(unit) {
		return append(text, 0xE0|byte(unit>>12), 0x80|byte(unit>>6)&0x3F, 0x80|byte(unit)&0x3F)
	}
	return utf8.AppendRune(text, unit)
}

// unit reads four hexadecimal digits.
func (r *jsonReader) unit() rune {
	unit, _ := strconv.ParseUint(r.cut(4), 16, 16)
	return rune(unit)
}
