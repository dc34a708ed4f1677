package flagstone

import (
	"encoding"
	"encoding/json"
	"log/slog"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A value is the value of an attribute, or an element of its list.
type value struct {
	kind   kind
	text   string
	number float64       // for a moment, the milliseconds since the epoch
	list   reflect.Value // or an object that is no map
}

type kind int

const (
	missing    kind = iota
	stringKind      // or a boolean, which no operator tells from its text
	numberKind
	momentKind
	list
	object // has no text
)

// valueOf sorts out Go's types.
func valueOf(v any) value {
	switch v := v.(type) {
	case string:
		return value{kind: stringKind, text: v}
	case float64:
		return value{kind: numberKind, number: v}
	case time.Time:
		return value{kind: momentKind, number: float64(v.UnixMilli())}
	case json.Number:
		if number, ok := parseDecimal(string(v)); ok {
			return value{kind: numberKind, number: number}
		}
	}
	reflected := reflect.ValueOf(v)
	if !reflected.IsValid() || reflected.Kind() == reflect.Pointer && reflected.IsNil() {
		return value{}
	}
	switch v := v.(type) {
	case *time.Time:
		return value{kind: momentKind, number: float64(v.UnixMilli())}
	case *json.Number:
		return valueOf(*v)
	case encoding.TextMarshaler:
		if text, err := v.MarshalText(); err == nil {
			return value{kind: stringKind, text: string(text)}
		}
		return value{kind: object}
	}
	if reflected.Kind() == reflect.Pointer {
		reflected = reflected.Elem()
	}
	return valueOfKind(reflected)
}

// valueOfKind returns the value of a type that is neither a moment nor has MarshalText.
func valueOfKind(v reflect.Value) value {
	switch {
	case v.Kind() == reflect.String:
		return value{kind: stringKind, text: v.String()}
	case v.Kind() == reflect.Bool:
		return value{kind: stringKind, text: strconv.FormatBool(v.Bool())}
	case v.CanInt():
		return value{kind: numberKind, number: float64(v.Int())}
	case v.CanUint():
		return value{kind: numberKind, number: float64(v.Uint())}
	case v.CanFloat():
		return value{kind: numberKind, number: v.Float()}
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		return value{kind: list, list: v}
	case v.Kind() != reflect.Map:
		return value{kind: object, list: v}
	default:
		return value{kind: object}
	}
}

var warned sync.Map // of types

// warn logs once that no comparison matches a type.
func warn(foreign reflect.Type) {
	if _, isKnown := warned.LoadOrStore(foreign, true); !isKnown {
		slog.Warn("flagstone: no comparison matches an attribute of this type", "type", foreign.String())
	}
}

// at returns an element of a list. Interface allocates for what is no pointer.
func (v value) at(i int) value {
	element := v.list.Index(i)
	if kind := element.Kind(); kind != reflect.Interface && kind != reflect.Pointer && element.CanAddr() {
		element = element.Addr()
	}
	return valueOf(element.Interface())
}

// appendText appends the text of a number or a moment, which has at most 32 bytes.
func (v value) appendText(buffer []byte) []byte {
	size := math.Abs(v.number)
	switch {
	case v.kind == momentKind:
		return time.UnixMilli(int64(v.number)).UTC().AppendFormat(buffer, "2006-01-02T15:04:05.000Z")
	case v.number == 0:
		return append(buffer, '0') // minus zero, too
	case v.number > math.MaxFloat64:
		return append(buffer, "Infinity"...)
	case v.number < -math.MaxFloat64:
		return append(buffer, "-Infinity"...)
	case size >= 1e-6 && size < 1e21: // as ECMAScript writes numbers
		return strconv.AppendFloat(buffer, v.number, 'f', -1, 64)
	}
	text := strconv.AppendFloat(buffer, v.number, 'e', -1, 64)
	if last := len(text) - 1; last > 3 && text[last-1] == '0' && text[last-2] == '-' { // e-07 is e-7
		text = append(text[:last-1], text[last])
	}
	return text
}

// parsedNumber returns a number, or that of a string.
func (v value) parsedNumber() (float64, bool) {
	if v.kind == stringKind {
		return parseDecimal(v.text)
	}
	return v.number, v.kind == numberKind
}

// parsedMoment returns the milliseconds since the epoch of a moment, a number of them, or a string.
func (v value) parsedMoment() (float64, bool) {
	if v.kind == stringKind {
		return parseMoment(v.text)
	}
	return math.Trunc(v.number), v.kind == numberKind || v.kind == momentKind
}

// parseDecimal reads -?digits[.digits][(e|E)[+|-]digits], and nothing else that strconv takes for a number. Beyond the largest
// float64 it is infinity.
func parseDecimal(text string) (float64, bool) {
	if !decimal.MatchString(text) {
		return 0, false
	}
	number, _ := strconv.ParseFloat(text, 64)
	return number, true
}

var decimal = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// parseMoment reads an RFC 3339 date-time, whose letters may be small, or a date, which is its midnight in UTC. What is finer
// than a millisecond is cut off.
func parseMoment(text string) (float64, bool) {
	if len(text) == len("2006-01-02") {
		text += "T00:00:00Z"
	}
	if len(text) < len("2006-01-02T15:04:05Z") || text[13] != ':' || text[19] == ',' {
		return 0, false // package time takes hours of one digit, and a comma for the point
	}
	moment, err := time.Parse(time.RFC3339, strings.ToUpper(text))
	if zone := text[len(text)-len("07:00"):]; zone[2] == ':' && (zone[:2] > "23" || zone[3:] > "59") {
		return 0, false // and such offsets
	}
	return float64(moment.UnixMilli()), err == nil
}
