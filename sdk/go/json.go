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

// decode returns the first letter of a text, which may be half a surrogate pair, and its size in bytes. A byte that is not UTF-8
// is U+FFFD.
func decode(text string) (letter rune, size int) {
	letter, size = utf8.DecodeRuneInString(text)
	if len(text) >= 3 && text[0] == 0xED && text[1]&0xE0 == 0xA0 && text[2]&0xC0 == 0x80 {
		return 0xD000 | rune(text[1]&0x3F)<<6 | rune(text[2]&0x3F), 3
	}
	return letter, size
}

// appendWellFormed appends a text with U+FFFD for each half of a surrogate pair, and for each other byte that is not UTF-8.
func appendWellFormed(buffer []byte, text string) []byte {
	if utf8.ValidString(text) {
		return append(buffer, text...)
	}
	for text != "" {
		letter, size := decode(text)
		buffer = utf8.AppendRune(buffer, letter)
		text = text[size:]
	}
	return buffer
}

// codeUnits returns a text in UTF-16, by which documents are in order.
func codeUnits(text string) (units []uint16) {
	for text != "" {
		letter, size := decode(text)
		if utf16.IsSurrogate(letter) {
			units = append(units, uint16(letter))
		} else {
			units = utf16.AppendRune(units, letter)
		}
		text = text[size:]
	}
	return units
}
