// The application of OpenFeature's suite in Go. It answers each line with another, as go-client.ts asks.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"time"

	"flagstone.example/sdk/go/provider"
	"github.com/open-feature/go-sdk/openfeature"
)

// A request starts a provider, or evaluates a flag.
type request struct {
	State, URL, APIKey string

	Type, Key string
	Fallback  any
	Context   map[string]any
	Hooks     []string
}

type answer struct {
	Status   openfeature.State `json:"status"`
	Details  *details          `json:"details,omitempty"`
	Context  map[string]any    `json:"context"`
	Happened []string          `json:"happened"`
}

type details struct {
	Value        any                      `json:"value"`
	FlagKey      string                   `json:"flagKey"`
	Variant      string                   `json:"variant"`
	Reason       openfeature.Reason       `json:"reason"`
	ErrorCode    openfeature.ErrorCode    `json:"errorCode"`
	FlagMetadata openfeature.FlagMetadata `json:"flagMetadata"`
}

const domain = "suite"

var client = openfeature.NewClient(domain)

func main() {
	answers := json.NewEncoder(os.Stdout)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var r request
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			log.Fatal(err)
		}
		a := answer{Context: r.Context, Happened: []string{}}
		if r.State != "" {
			r.start()
		} else {
			a.Details = r.evaluate(&a.Happened)
		}
		a.Status = client.State()
		if err := answers.Encode(a); err != nil {
			log.Fatal(err)
		}
		if a.Details != nil && a.Details.FlagMetadata != nil {
			a.Details.FlagMetadata["changed"] = true // in no later answer
		}
	}
	openfeature.Shutdown()
}

// start sets the provider, and returns when it is in the state.
func (r *request) start() {
	options := provider.Options{URL: r.URL, APIKey: r.APIKey}
	switch r.State {
	case "not ready":
		options.Client = &http.Client{Transport: transport(never)}
	case "stale":
		options.Client = &http.Client{Transport: transport(once())}
		options.PollInterval = 100 * time.Millisecond
	}
	p, err := provider.New(options)
	if err != nil {
		log.Fatal(err)
	}
	if r.State == "not ready" {
		err = openfeature.SetNamedProvider(domain, p)
	} else {
		err = openfeature.SetNamedProviderAndWait(domain, p)
	}
	if (err != nil) != (r.State == "error" || r.State == "fatal") {
		log.Fatal(err)
	}
	if r.State == "stale" {
		stale := make(chan struct{}, 1)
		handler := func(openfeature.EventDetails) {
			select {
			case stale <- struct{}{}:
			default:
			}
		}
		client.AddHandler(openfeature.ProviderStale, &handler)
		<-stale
		client.RemoveHandler(openfeature.ProviderStale, &handler)
	}
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

func never(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// once lets the first request through; the key is refused after it.
func once() transport {
	asked := false
	return func(r *http.Request) (*http.Response, error) {
		if asked {
			return &http.Response{StatusCode: http.StatusUnauthorized, Body: http.NoBody, Request: r}, nil
		}
		asked = true
		return http.DefaultTransport.RoundTrip(r)
	}
}

// evaluate calls the method for the type.
func (r *request) evaluate(happened *[]string) *details {
	var hooks []openfeature.Hook
	for _, name := range r.Hooks {
		hooks = append(hooks, &hook{name: name, happened: happened})
	}
	ctx, attributes, options := context.Background(), openfeature.NewTargetlessEvaluationContext(r.Context), openfeature.WithHooks(hooks...)
	var value any
	var said openfeature.EvaluationDetails
	switch r.Type {
	case "Boolean":
		all, _ := client.BooleanValueDetails(ctx, r.Key, r.Fallback.(bool), attributes, options)
		value, said = all.Value, all.EvaluationDetails
	case "String":
		all, _ := client.StringValueDetails(ctx, r.Key, r.Fallback.(string), attributes, options)
		value, said = all.Value, all.EvaluationDetails
	case "Integer":
		all, _ := client.IntValueDetails(ctx, r.Key, int64(r.Fallback.(float64)), attributes, options)
		value, said = all.Value, all.EvaluationDetails
	case "Float":
		all, _ := client.FloatValueDetails(ctx, r.Key, r.Fallback.(float64), attributes, options)
		value, said = all.Value, all.EvaluationDetails
	default:
		all, _ := client.ObjectValueDetails(ctx, r.Key, r.Fallback, attributes, options)
		value, said = all.Value, all.EvaluationDetails
	}
	return &details{value, said.FlagKey, said.Variant, said.Reason, said.ErrorCode, said.FlagMetadata}
}

type hook struct {
	openfeature.UnimplementedHook
	name     string
	happened *[]string
}

func (h *hook) tell(what string) { *h.happened = append(*h.happened, what+" "+h.name) }

func (h *hook) Before(context.Context, openfeature.HookContext, openfeature.HookHints) (*openfeature.EvaluationContext, error) {
	h.tell("before")
	return nil, nil
}

func (h *hook) After(context.Context, openfeature.HookContext, openfeature.InterfaceEvaluationDetails, openfeature.HookHints) error {
	h.tell("after")
	return nil
}

func (h *hook) Finally(context.Context, openfeature.HookContext, openfeature.InterfaceEvaluationDetails, openfeature.HookHints) {
	h.tell("finally")
}
