package flagstone

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/big"
	"net/netip"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

// flagWith returns a document of one flag, f, whose rules give their operators' names; others give false.
func flagWith(rules ...[3]string) string {
	var written []string
	for _, rule := range rules {
		written = append(written, fmt.Sprintf(`{"id":"r","attribute":%q,"operator":%q,"value":%q,"returnValue":%q}`,
			rule[0], rule[1], rule[2], rule[1]))
	}
	return `{"flags":[{"flag":{"key":"f","defaultValue":false},"environment":{"enabled":true,"rules":[` +
		strings.Join(written, ",") + `]}}]}`
}

// whole adds the members of a document that evaluation does not read, unless they come later.
func whole(document string) string {
	return strings.NewReplacer(
		`"flag":{`, `"flag":{"id":"","projectId":"","name":"","description":"","type":"","createdAt":"","updatedAt":"",`,
		`"environment":{`, `"environment":{"id":"","flagId":"","environmentId":"","updatedAt":"",`,
		`{"attribute":`, `{"id":"","attribute":`,
	).Replace(document)
}

func newEvaluator(t testing.TB, document string) *Evaluator {
	t.Helper()
	e, err := New([]byte(whole(document)))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func matches(t *testing.T, operator, operand string, attribute any) bool {
	t.Helper()
	evaluation, err := newEvaluator(t, flagWith([3]string{"x", operator, operand})).Evaluate("f", map[string]any{"x": attribute})
	if err != nil {
		t.Fatal(err)
	}
	return evaluation.Value == operator
}

type badText struct{}

func (badText) MarshalText() ([]byte, error) { return nil, errors.New("no text") }

func TestTypesOfGo(t *testing.T) {
	type plan string
	type level uint8
	name, noName := "ann", (*string)(nil)
	var itself any
	itself = &itself
	midnight := time.Date(2026, 1, 31, 13, 0, 0, 999_999, time.FixedZone("CET", 3600))
	for _, test := range []struct {
		attribute any
		operator  string
		operand   string
		want      bool
	}{
		{plan("pro"), "equals", "pro", true},
		{&name, "equals", "ann", true},
		{noName, "notExists", "", true},
		{nil, "notExists", "", true},
		{true, "equals", "true", true},
		{level(7), "equals", "7", true},
		{int64(9_007_199_254_740_993), "equals", "9007199254740992", true},
		{-3, "lessThan", "-2.5", true},
		{float32(0.5), "greaterThan", "0.25", true},
		{math.Copysign(0, -1), "equals", "0", true},
		{math.Inf(-1), "equals", "-Infinity", true},
		{math.NaN(), "equals", "NaN", true},
		{math.NaN(), "lessThanOrEquals", "1", false},
		{1e21, "equals", "1e+21", true},
		{1.5e-7, "equals", "1.5e-7", true},
		{0.000001, "equals", "0.000001", true},
		{123456789012345680000.0, "equals", "123456789012345680000", true},
		{midnight, "equals", "2026-01-31T12:00:00.000Z", true},
		{&midnight, "beforeOrEquals", "2026-01-31T12:00:00Z", true},
		{midnight, "after", "2026-01-31T12:00:00Z", false},
		{midnight, "greaterThan", "0", false},
		{netip.MustParseAddr("10.0.0.1"), "startsWith", "10.", true},
		{new(big.Int).SetUint64(1 << 63), "equals", "9223372036854775808", true},
		{(*big.Int)(nil), "notExists", "", true},
		{[]*big.Int{big.NewInt(1), nil}, "equals", "1", true},
		{[]big.Int{*big.NewInt(1)}, "equals", "1", true},
		{slog.LevelWarn, "equals", "WARN", true},
		{[]slog.Level{slog.LevelWarn}, "notEquals", "WARN", false},
		{badText{}, "exists", "", true},
		{badText{}, "notEquals", "a", false},
		{[]*string{&name, nil}, "equals", "ann", true},
		{[]fmt.Stringer{slog.LevelWarn}, "equals", "WARN", true},
		{[1]time.Time{midnight}, "equals", "2026-01-31T12:00:00.000Z", true},
		{(*time.Time)(nil), "notExists", "", true},
		{[]string{"a", "b"}, "in", `["b"]`, true},
		{[]plan{"a", "b"}, "equals", "b", true},
		{[2]int{1, 2}, "notEquals", "2", false},
		{[]any{nil, map[string]any{}, []any{"a"}}, "equals", "a", false},
		{map[string]any{"a": 1}, "notEquals", "a", false},
		{struct{ A int }{1}, "exists", "", true},
		{func() {}, "exists", "", true},
		{itself, "notEquals", "a", false},
		{json.Number("12.0"), "equals", "12", true},
		{json.Number("1e999"), "equals", "Infinity", true},
		{[]json.Number{"12.0"}, "equals", "12", true},
		{json.Number("a"), "equals", "a", true},
	} {
		if got := matches(t, test.operator, test.operand, test.attribute); got != test.want {
			t.Errorf("%#v %s %s: %v", test.attribute, test.operator, test.operand, got)
		}
	}
}

func TestLogsOnceThatNoComparisonMatchesAType(t *testing.T) {
	type basket struct{}
	var logged strings.Builder
	before := slog.Default()
	defer slog.SetDefault(before)
	slog.SetDefault(slog.New(slog.NewTextHandler(&logged, nil)))
	for range 2 {
		for _, x := range []any{basket{}, []basket{{}}, &basket{}, map[string]any{}, nil, true, "a", 1} {
			matches(t, "equals", "a", x)
			matches(t, "exists", "", x)
		}
	}
	if text := logged.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "type=flagstone.basket") {
		t.Error(text)
	}
}

// Halves of surrogate pairs in JSON, and bytes that are not UTF-8, are read as U+FFFD.
func TestTextsThatAreNotUnicode(t *testing.T) {
	e, err := NewFromValues([]byte(`{"flags":{"pair":"\ud83d\ude00","halves":"a\udE00\ud83d"}}`))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"pair": "😀", "halves": "a\uFFFD\uFFFD"} {
		if got, _ := e.Evaluate(key, nil); got.Value != want {
			t.Errorf("%s: %+q", key, got.Value)
		}
	}
	if !matches(t, "matches", "^\uFFFD.$", "\xff\xff") {
		t.Error("an expression sees something else than replacements")
	}
	for percent := range 100 {
		operand := fmt.Sprintf(`{"seed":"s","from":%d,"to":%d}`, percent, percent+1)
		if matches(t, "share", operand, "\xff") != matches(t, "share", operand, "\uFFFD") {
			t.Errorf("\\xff and its replacement differ in %s", operand)
		}
	}
}

func TestExpressionSize(t *testing.T) {
	for source, want := range map[string]float64{ // as RE2 counts
		"abc":               5,
		"a[ab]{300}[c]":     304,
		"^[0-9]{6,}$":       11,
		"[]a{9}]{20}":       22,
		"(?P<name>a|bc)*?":  9,
		"((a{10}){10}b){5}": 617,
		`\{20}\(x`:          8,
		`\Qa.b{3}\E{20}`:    27,
		"ü😀{20}":            23,
		"(?i)a":             3,
		"a)":                3,
		"(a":                5,
	} {
		if got := expressionSize(source); got != want {
			t.Errorf("%s: %v, want %v", source, got, want)
		}
	}
}

func TestNumbersBeyondADoubleAreRead(t *testing.T) {
	document := whole(`{"flags":[{"flag":{"key":"f","defaultValue":[1e999,-1e999],"more":1e999},"environment":null}]}`)
	e, err := New([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	got, _ := e.Evaluate("f", nil)
	if want := []any{math.Inf(1), math.Inf(-1)}; !reflect.DeepEqual(got.Value, want) {
		t.Errorf("%v, want %v", got.Value, want)
	}
	if _, err := New([]byte(document + "1e999")); err == nil {
		t.Error("read more than one value")
	}
}

func TestExpressionsOfAFlagAreBounded(t *testing.T) {
	sized := func(size int, end string) [3]string {
		return [3]string{"x", "matches", fmt.Sprintf("x{%d}|%s", size-4, end)}
	}
	for _, test := range []struct {
		before []int
		want   any
	}{
		{[]int{1000}, "matches"}, {[]int{1001}, false},
		{[]int{1000, 1000, 1000, 1000, 995, 6}, false},
		{[]int{1000, 1000, 1000, 1000, 994, 6}, "matches"},
	} {
		var rules [][3]string
		for i, size := range test.before {
			rules = append(rules, sized(size, string(rune('a'+i))))
		}
		last := string(rune('a' + len(test.before) - 1))
		if got, _ := newEvaluator(t, flagWith(rules...)).Evaluate("f", map[string]any{"x": last}); got.Value != test.want {
			t.Errorf("%v: %v", test.before, got.Value)
		}
	}
}

func TestCauses(t *testing.T) {
	e := newEvaluator(t, `{"flags":[
		{"flag":{"key":"all","defaultValue":3},"environment":{"enabled":true,"rules":[
			{"id":"a","attribute":"","operator":"always","value":"","returnValue":4}]}},
		{"flag":{"key":"none","defaultValue":1},"environment":null},
		{"flag":{"key":"off","defaultValue":2},"environment":{"enabled":false,"rules":[]}},
		{"flag":{"key":"on","defaultValue":3},"environment":{"enabled":true,"rules":[]}},
		{"flag":{"key":"rules","defaultValue":3},"environment":{"enabled":true,"rules":[
			{"id":"b","attribute":"x","operator":"equals","value":"a","returnValue":{"n":[1]}},
			{"id":"c","attribute":"x","operator":"percentage","value":"100","returnValue":null},
			{"id":"d","attribute":"y","operator":"any","value":"[{\"attribute\":\"y\",\"operator\":\"near\",\"value\":\"\"}]","returnValue":1},
			{"id":"e","attribute":"","operator":"always","value":"","returnValue":5}]}}]}`)
	for _, test := range []struct {
		key    string
		x      any
		want   Evaluation
		static bool
		err    error
	}{
		{"none", nil, Evaluation{1.0, Unconfigured, ""}, false, nil},
		{"off", nil, Evaluation{2.0, Disabled, ""}, false, nil},
		{"on", nil, Evaluation{3.0, Default, ""}, true, nil},
		{"all", nil, Evaluation{4.0, Always, "a"}, true, nil},
		{"rules", "a", Evaluation{map[string]any{"n": []any{1.0}}, Rule, "b"}, false, nil},
		{"rules", "z", Evaluation{nil, Share, "c"}, false, nil},
		{"rules", nil, Evaluation{}, false, &UnknownOperatorError{"rules", "d", "near"}},
		{"missing", nil, Evaluation{}, false, ErrUnknownFlag},
	} {
		got, err := e.Evaluate(test.key, map[string]any{"x": test.x})
		if !reflect.DeepEqual(got, test.want) || !reflect.DeepEqual(err, test.err) || e.Static(test.key) != test.static {
			t.Errorf("%s: %v, %v, %v", test.key, got, err, e.Static(test.key))
		}
	}
	if got, err := e.Evaluate("rules", nil); err == nil {
		t.Errorf("without a context: %v", got)
	}
	if unknown := new(UnknownOperatorError); !errors.As(fmt.Errorf("%w", &UnknownOperatorError{"f", "r", "near"}), &unknown) ||
		unknown.Error() != "rule r decides by the operator near, which only the project's own code knows" {
		t.Error(unknown)
	}
}

func TestDocuments(t *testing.T) {
	const rule = `{"id":"r","attribute":"","operator":"always","value":"","returnValue":1}`
	entry := func(key, members string) string {
		return fmt.Sprintf(`{"flag":{"key":%q,"defaultValue":1},%s}`, key, members)
	}
	flags := func(entries ...string) string { return whole(`{"flags":[` + strings.Join(entries, ",") + `]}`) }
	enabled := func(rules string) string {
		return flags(entry("a", `"environment":{"enabled":true,"rules":`+rules+`}`))
	}
	a := entry("a", `"environment":null`)
	for _, document := range []string{
		flags(), flags(a, entry("b", `"environment":null`)), enabled("[]"), enabled("[" + rule + "]"),
		strings.Replace(flags(a), `"id"`, `"later":[],"id"`, 1),
		strings.Replace(enabled("["+rule+"]"), `"attribute"`, `"later":[],"attribute"`, 1),
		flags(entry("😀", `"environment":null`), entry("", `"environment":null`)), // by code units
	} {
		if _, err := New([]byte(document)); err != nil {
			t.Errorf("%s: %v", document, err)
		}
	}
	for document, reason := range map[string]string{
		"": "not a JSON object", "{": "not a JSON object", "[]": "not a JSON object", "null": "not a JSON object",
		"{}": "not a JSON object", `{"flags":null}`: "a list of flags", `{"flags":{"a":true}}`: "a list of flags",
		`{"flags":[]}x`: "not a JSON object", `{"flags":[],"next":1}`: "only member", `{"error":"Unauthorized"}`: "only member",
		"{\"flags\":[],\"\xff\":1}":                  "UTF-8",
		`{"flags":[1]}`:                              "flags[0] is not a flag entry",
		flags(a, "{}"):                               "flags[1] is not a flag entry",
		strings.Replace(flags(a), `"id"`, `"ID"`, 1): "flags[0] is not",
		strings.Replace(flags(a), `"name":""`, `"name":null`, 1):         "flags[0] is not",
		strings.Replace(flags(a), "defaultValue", "value", 1):            "flags[0] is not",
		strings.Replace(flags(a), "environment", "configuration", 1):     "flags[0] is not",
		flags(entry("a", `"environment":null,"later":1`)):                "flags[0] is not",
		flags(entry("a", `"environment":false`)):                         "flags[0] is not",
		flags(entry("a", `"environment":{"enabled":true}`)):              "flags[0] is not",
		flags(entry("a", `"environment":{"enabled":1,"rules":[]}`)):      "flags[0] is not",
		strings.Replace(enabled("[]"), "flagId", "flag", 1):              "flags[0] is not",
		strings.Replace(enabled("[]"), "true", "false", 1) + "x":         "not a JSON object",
		enabled(`[{"operator":"always"}]`):                               "flags[0] is not",
		enabled(strings.Replace("["+rule+"]", "returnValue", "then", 1)): "flags[0] is not",
		flags(a, a): "flags[1] is out of order or has a duplicate key",
		flags(entry("b", `"environment":null`), a):                                              "flags[1] is out of order",
		flags(entry("\uE000", `"environment":null`), entry("\U0001F600", `"environment":null`)): "flags[1] is out of order",
	} {
		if e, err := New([]byte(document)); err == nil {
			t.Errorf("%s: %v", document, e)
		} else if got := err.Error(); !strings.HasPrefix(got, "flagstone: not a document of flags: ") || !strings.Contains(got, reason) {
			t.Errorf("%s: %s", document, got)
		}
	}
	for _, document := range []string{"", "{}", `{"flags":[]}`, `{"flags":null}`, "{\"flags\":{\"a\":\"\xff\"}}"} {
		if e, err := NewFromValues([]byte(document)); err == nil {
			t.Errorf("%s: %v", document, e)
		}
	}
}

func TestChanges(t *testing.T) {
	const before = `{"flags":[
		{"flag":{"key":"gone","defaultValue":1},"environment":null},
		{"flag":{"key":"kept","name":"A","type":"json","defaultValue":{"b":1,"a":2}},"environment":{"enabled":true,"rules":[
			{"id":"1","attribute":"x","operator":"equals","value":"a","returnValue":2}]}},
		{"flag":{"key":"off","type":"boolean","defaultValue":true},"environment":{"enabled":false,"rules":[]}},
		{"flag":{"key":"rule","defaultValue":1},"environment":{"enabled":true,"rules":[
			{"id":"1","attribute":"x","operator":"equals","value":"a","returnValue":2}]}}]}`
	const after = `{"flags":[
		{"flag":{"key":"kept","name":"B","type":"json","defaultValue":{"a":2,"b":1}},"environment":{"enabled":true,"rules":[
			{"id":"2","attribute":"x","operator":"equals","value":"a","returnValue":2}]}},
		{"flag":{"key":"new","defaultValue":1},"environment":null},
		{"flag":{"key":"off","type":"boolean","defaultValue":true},"environment":{"enabled":false,"rules":[
			{"id":"1","attribute":"x","operator":"equals","value":"a","returnValue":2}]}},
		{"flag":{"key":"rule","defaultValue":1},"environment":{"enabled":true,"rules":[
			{"id":"1","attribute":"x","operator":"equals","value":"b","returnValue":2}]}}]}`
	got := newEvaluator(t, after).Changes(newEvaluator(t, before))
	if want := []string{"gone", "new", "rule"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// everyOperator is a flag with a rule for each operator but those with expressions, none of which matches the context.
func everyOperator(t testing.TB) (*Evaluator, map[string]any) {
	rules := [][3]string{
		{"email", "equals", "A"}, {"email", "contains", "A"}, {"email", "startsWith", "A"}, {"email", "endsWith", "A"},
		{"email", "in", `["A","B"]`}, {"email", "inIgnoreCase", `["A","B"]`}, {"email", "containsIgnoreCase", "Z"},
		{"age", "equals", "A"}, {"age", "greaterThan", "100"}, {"age", "semverGreaterThan", "100"}, {"whole", "lessThan", "1"},
		{"version", "semverLessThan", "1.2.3-rc.1"}, {"version", "semverEquals", "9.*"}, {"born", "after", "2026-01-01"},
		{"born", "equals", "A"}, {"at", "before", "2026-01-01"}, {"email", "percentage", "0"}, {"tags", "equals", "z"},
		{"names", "in", `["z"]`}, {"staff", "notEquals", "true"}, {"email", "share", `{"seed":"s","from":0,"to":0}`},
		{"", "all", `[{"attribute":"email","operator":"exists","value":""},{"attribute":"no","operator":"exists","value":""}]`},
	}
	return newEvaluator(t, flagWith(rules...)), map[string]any{
		"email": "Somebody.Long@example.com", "age": 12.5, "whole": 42, "version": "2.0.0-beta.1", "born": time.Unix(1, 0),
		"at": "2026-05-01T10:00:00+02:00", "tags": []string{"a", "b"}, "names": []any{"a", 1.5}, "staff": true,
	}
}

func TestEvaluateAllocatesNothing(t *testing.T) {
	type plan string
	text, number, moment := "a", 1_000_000, time.Unix(1, 0)
	everything, usual := everyOperator(t)
	contexts := []map[string]any{usual, nil}
	for _, x := range []any{
		plan("a"), number, float32(0.5), &text, &number, &moment, []int{number}, []int64{1 << 40}, []float64{1e9}, []bool{true},
		[]plan{"a"}, []any{number, 1e9, moment, text}, []time.Time{moment}, []*time.Time{&moment}, []*int{&number}, []*string{&text},
		[2]int{number, number}, map[string]any{}, struct{ n int }{number}, [][]int{{number}}, []struct{ n int }{{number}},
	} {
		contexts = append(contexts, map[string]any{"email": x, "age": x, "version": x, "born": x, "tags": x})
	}
	for _, context := range contexts {
		allocations := testing.AllocsPerRun(100, func() { _, _ = everything.Evaluate("f", context) })
		if allocations != 0 {
			t.Errorf("%v allocations for %#v", allocations, context)
		}
	}
	if got, err := everything.Evaluate("f", usual); err != nil || got.Cause != Default {
		t.Error("not all rules were evaluated", got, err)
	}
}

func TestEvaluateInManyGoroutines(t *testing.T) {
	e := newEvaluator(t, flagWith([3]string{"x", "matches", "^a+$"}, [3]string{"x", "percentage", "50"}))
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 200 {
				if got, err := e.Evaluate("f", map[string]any{"x": "aaa"}); err != nil || got.Value != "matches" {
					t.Error(got, err)
				}
			}
		}()
	}
	group.Wait()
}

// Package provider is in the same module, but needs more.
func TestNeedsTheStandardLibraryAlone(t *testing.T) {
	list, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	if got := strings.TrimSpace(string(list)); err != nil || got != "flagstone.example/sdk/go" {
		t.Error(got, err)
	}
}

func BenchmarkEvaluate(b *testing.B) {
	e, context := everyOperator(b)
	b.ReportAllocs()
	for range b.N {
		_, _ = e.Evaluate("f", context)
	}
}

func FuzzNew(f *testing.F) {
	f.Add(whole(`{"flags":[{"flag":{"key":"f","defaultValue":"\ud800"},"environment":{"enabled":true,"rules":[]}}]}`), "1")
	f.Add(whole(flagWith([3]string{"x", "all", `[{"attribute":"x","operator":"in","value":"[\"\\ud800\"]"}]`})), "\xed\xa0\x80")
	f.Fuzz(func(t *testing.T, document, attribute string) {
		if e, err := New([]byte(document)); err == nil {
			_, _ = e.Evaluate("f", map[string]any{"x": attribute})
		}
	})
}
