package provider

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/open-feature/go-sdk/openfeature"
)

var document = strings.NewReplacer(`"flag":{`, `"flag":{"type":"",`+texts+`,`,
	`"environment":{`, `"environment":{"id":"","flagId":"","environmentId":"","updatedAt":"",`).Replace(`{"flags":[
	{"flag":{"key":"boolean","defaultValue":true},"environment":{"enabled":true,"rules":[]}},
	{"flag":{"key":"disabled","defaultValue":"blue"},"environment":{"enabled":false,"rules":[
		{"id":"a","attribute":"","operator":"always","value":"","returnValue":"red"}]}},
	{"flag":{"key":"float","defaultValue":1},"environment":{"enabled":true,"rules":[
		{"id":"b","attribute":"plan","operator":"equals","value":"pro","returnValue":1.5},
		{"id":"c","attribute":"plan","operator":"equals","value":"all","returnValue":1e21}]}},
	{"flag":{"key":"list","defaultValue":[1]},"environment":null},
	{"flag":{"key":"null","defaultValue":null},"environment":null},
	{"flag":{"key":"object","defaultValue":{"a":[{"b":1}]}},"environment":null},
	{"flag":{"key":"scheduled","defaultValue":false},"environment":{"enabled":true,"rules":[
		{"id":"d","attribute":"now","operator":"after","value":"2020-01-01","returnValue":true}]}},
	{"flag":{"key":"share","defaultValue":false},"environment":{"enabled":true,"rules":[
		{"id":"e","attribute":"targetingKey","operator":"percentage","value":"100","returnValue":true}]}},
	{"flag":{"key":"unknown","defaultValue":false},"environment":{"enabled":true,"rules":[
		{"id":"f","attribute":"plan","operator":"near","value":"","returnValue":true}]}},
	{"flag":{"key":"unnamed","defaultValue":false},"environment":{"enabled":true,"rules":[
		{"id":"","attribute":"plan","operator":"notEquals","value":"","returnValue":true}]}}]}`)

func TestClockAttributeThatIsMissing(t *testing.T) {
	p, err := New(Options{Document: []byte(document), ClockAttribute: "now"})
	if err != nil {
		t.Fatal(err)
	}
	ago := time.Unix(0, 0)
	for _, test := range []struct {
		flat openfeature.FlattenedContext
		want bool
	}{
		{nil, true},
		{openfeature.FlattenedContext{}, true},
		{openfeature.FlattenedContext{"now": nil}, true},
		{openfeature.FlattenedContext{"now": (*time.Time)(nil)}, true},
		{openfeature.FlattenedContext{"now": &ago}, false},
	} {
		if got := p.BooleanEvaluation(context.Background(), "scheduled", false, test.flat).Value; got != test.want {
			t.Errorf("%v: %v", test.flat, got)
		}
	}
}

func TestResolutions(t *testing.T) {
	p, err := New(Options{Document: []byte(document), ClockAttribute: "now"})
	if err != nil {
		t.Fatal(err)
	}
	if err := openfeature.SetNamedProviderAndWait(t.Name(), p); err != nil {
		t.Fatal(err)
	}
	client := openfeature.NewClient(t.Name())
	plan := func(name string) openfeature.EvaluationContext {
		return openfeature.NewEvaluationContext("ann", map[string]any{"plan": name})
	}
	ctx := context.Background()
	for _, test := range []struct {
		key      string
		fallback any
		plan     string
		want     any
		variant  string
		reason   openfeature.Reason
		code     openfeature.ErrorCode
	}{
		{"boolean", false, "", true, "default", openfeature.StaticReason, ""},
		{"disabled", "?", "", "blue", "default", openfeature.DefaultReason, ""},
		{"float", -1.0, "", 1.0, "default", openfeature.DefaultReason, ""},
		{"float", -1.0, "pro", 1.5, "b", openfeature.TargetingMatchReason, ""},
		{"float", int64(-1), "", int64(1), "default", openfeature.DefaultReason, ""},
		{"float", int64(-1), "pro", int64(-1), "", openfeature.ErrorReason, openfeature.TypeMismatchCode},
		{"float", int64(-1), "all", int64(-1), "", openfeature.ErrorReason, openfeature.TypeMismatchCode},
		{"object", map[string]any{}, "", map[string]any{"a": []any{map[string]any{"b": 1.0}}}, "default", openfeature.DefaultReason, ""},
		{"list", map[string]any{}, "", []any{1.0}, "default", openfeature.DefaultReason, ""},
		{"null", "?", "", "?", "", openfeature.ErrorReason, openfeature.TypeMismatchCode},
		{"null", []any{"?"}, "", []any{"?"}, "", openfeature.ErrorReason, openfeature.TypeMismatchCode},
		{"boolean", "?", "", "?", "", openfeature.ErrorReason, openfeature.TypeMismatchCode},
		{"boolean", 2.0, "", 2.0, "", openfeature.ErrorReason, openfeature.TypeMismatchCode},
		{"disabled", true, "", true, "", openfeature.ErrorReason, openfeature.TypeMismatchCode},
		{"scheduled", false, "", true, "d", openfeature.TargetingMatchReason, ""},
		{"share", false, "", true, "e", openfeature.SplitReason, ""},
		{"unknown", true, "", true, "", openfeature.ErrorReason, openfeature.GeneralCode},
		{"unnamed", false, "pro", true, "", openfeature.TargetingMatchReason, ""},
		{"missing", true, "", true, "", openfeature.ErrorReason, openfeature.FlagNotFoundCode},
	} {
		var got any
		var details openfeature.EvaluationDetails
		switch fallback := test.fallback.(type) {
		case bool:
			all, _ := client.BooleanValueDetails(ctx, test.key, fallback, plan(test.plan))
			got, details = all.Value, all.EvaluationDetails
		case string:
			all, _ := client.StringValueDetails(ctx, test.key, fallback, plan(test.plan))
			got, details = all.Value, all.EvaluationDetails
		case float64:
			all, _ := client.FloatValueDetails(ctx, test.key, fallback, plan(test.plan))
			got, details = all.Value, all.EvaluationDetails
		case int64:
			all, _ := client.IntValueDetails(ctx, test.key, fallback, plan(test.plan))
			got, details = all.Value, all.EvaluationDetails
		default:
			all, _ := client.ObjectValueDetails(ctx, test.key, fallback, plan(test.plan))
			got, details = all.Value, all.EvaluationDetails
		}
		if !reflect.DeepEqual(got, test.want) || details.Variant != test.variant || details.Reason != test.reason ||
			details.ErrorCode != test.code {
			t.Errorf("%s for %q: %v, %+v", test.key, test.plan, got, details.ResolutionDetail)
		}
	}
}

func TestObjectsAreCopies(t *testing.T) {
	p, err := New(Options{Document: []byte(document)})
	if err != nil {
		t.Fatal(err)
	}
	get := func() map[string]any {
		return p.ObjectEvaluation(context.Background(), "object", nil, nil).Value.(map[string]any)
	}
	get()["a"].([]any)[0].(map[string]any)["b"] = 2
	if got := get()["a"].([]any)[0].(map[string]any)["b"]; got != 1.0 {
		t.Error("a caller changed everyone's value to", got)
	}
}

func TestStatesOfOpenFeature(t *testing.T) {
	server := newServer(t, off)
	p, err := New(Options{URL: server.URL, PollInterval: 100 * time.Millisecond, StaleAfter: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	domain := fmt.Sprintf("%p", p)
	client := openfeature.NewClient(domain)
	handled := map[openfeature.EventType]chan struct{}{}
	for _, kind := range []openfeature.EventType{openfeature.ProviderReady, openfeature.ProviderStale} {
		happened := make(chan struct{}, 100)
		handler := func(openfeature.EventDetails) { happened <- struct{}{} }
		client.AddHandler(kind, &handler)
		handled[kind] = happened
	}
	// Versions of OpenFeature differ in which events they report of a start.
	wait := func(kind openfeature.EventType, state openfeature.State) {
		t.Helper()
		for deadline := time.After(20 * time.Second); ; {
			select {
			case <-handled[kind]:
				if client.State() == state {
					return
				}
			case <-deadline:
				t.Fatalf("not %s after %s: %s", state, kind, client.State())
			}
		}
	}
	defer openfeature.Shutdown()
	if err := openfeature.SetNamedProviderAndWait(domain, p); err != nil || client.State() != openfeature.ReadyState {
		t.Fatal(err, client.State())
	}
	server.set(func(s *flagServer) { s.fail = status(500) })
	wait(openfeature.ProviderStale, openfeature.StaleState)
	server.set(func(s *flagServer) { s.fail = nil })
	wait(openfeature.ProviderReady, openfeature.ReadyState)
}

// With a cache, the state is STALE in the end, though OpenFeature sets READY when Init returns.
func TestStateOfOldFlags(t *testing.T) {
	server := newServer(t, off)
	server.Close()
	p, err := New(Options{URL: server.URL, Document: []byte(on)})
	if err != nil {
		t.Fatal(err)
	}
	domain := fmt.Sprintf("%p", p)
	client := openfeature.NewClient(domain)
	stale := make(chan struct{}, 1)
	handler := func(openfeature.EventDetails) { stale <- struct{}{} }
	client.AddHandler(openfeature.ProviderStale, &handler)
	if err := openfeature.SetNamedProvider(domain, p); err != nil {
		t.Fatal(err)
	}
	defer openfeature.Shutdown()
	<-stale
	got, err := client.BooleanValue(context.Background(), "f", false, openfeature.EvaluationContext{})
	if err != nil || !got || client.State() != openfeature.StaleState {
		t.Error(got, err, client.State())
	}
}
