// Package provider offers the flags of one environment through OpenFeature. They are evaluated in process, so contexts never
// leave the application, and follow a document at a proxy or a CDN.
//
//	flags, err := provider.New(provider.Options{URL: "https://flags.example", APIKey: key})
//	err = openfeature.SetProviderAndWait(flags)
//
// After the first good document there are always flags: a server that fails makes them stale, but they stay.
package provider

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	flagstone "flagstone.example/sdk/go"
	"github.com/open-feature/go-sdk/openfeature"
)

// Options say where the flags come from. One of URL and Document is needed.
type Options struct {
	// URL is the address of a proxy, or of the environment's folder on a CDN; /v1/flags is read there. If it ends in .json, it is
	// the document itself.
	URL string `json:"-"`
	// APIKey may read; it is sent as Authorization: Bearer. A CDN may need none.
	APIKey string `json:"-"`
	// Header is sent with every request.
	Header http.Header `json:"-"`
	// Client sends the requests; its redirects are not followed, and its timeout should be 0, for streams.
	Client *http.Client
	// PollInterval passes between two polls while the server sends no events, give or take a fifth. 30 s by default, from
	// 100 ms to a day.
	PollInterval time.Duration
	// StaleAfter passes without a good answer until the flags are stale. Three poll intervals by default, from 100 ms to a day.
	StaleAfter time.Duration
	// WithoutEvents says not to listen for changes, even if the server is a proxy.
	WithoutEvents bool
	// DocumentLimit is the most bytes that a document may have, decompressed; a longer answer is refused. 64 MiB by default.
	DocumentLimit int64
	// CacheFile keeps the last document, for a start without network. It contains the rules: only its owner may read it.
	CacheFile string
	// Document has the flags until the server or CacheFile gives some. Without URL they never change, as tests need, for which
	// {"flags":{"delivery-slots":true}} is enough.
	Document []byte
	// ClockAttribute gets the current time if a context lacks it, for schedules.
	ClockAttribute string
}

// Format prints the options without what may be secret: APIKey, Header, and the query of URL.
func (o Options) Format(f fmt.State, verb rune) {
	type printed Options
	o.URL, _, _ = strings.Cut(o.URL, "?")
	if o.APIKey != "" {
		o.APIKey = "…"
	}
	o.Header = nil
	fmt.Fprintf(f, fmt.FormatString(f, verb), printed(o))
}

// A Provider evaluates flags for OpenFeature. It is safe for concurrent use.
type Provider struct {
	options  Options
	source   *source // nil without a URL
	fallback *flagstone.Evaluator
	flags    atomic.Pointer[flagstone.Evaluator]
	events   chan openfeature.Event

	lastFailure atomic.Pointer[failure] // of the last request; nil: it was good

	mu         sync.Mutex
	following  *follower // what Init began last; nil: nothing so far
	isShutDown bool
}

var (
	_ openfeature.FeatureProvider = (*Provider)(nil)
	_ openfeature.StateHandler    = (*Provider)(nil)
	_ openfeature.EventHandler    = (*Provider)(nil)
)

// New returns a provider, which asks for nothing before Init. The error says which option is wrong.
func New(options Options) (*Provider, error) {
	p := &Provider{options: options, events: make(chan openfeature.Event, 16)}
	if options.URL == "" && options.Document == nil {
		return nil, errors.New("flagstone: neither URL nor Document is given")
	}
	var err error
	if options.Document != nil {
		if p.fallback, err = flagstone.NewFromValues(options.Document); err != nil {
			p.fallback, err = flagstone.New(options.Document)
		}
		if err != nil {
			return nil, err
		}
	}
	if options.URL == "" {
		p.flags.Store(p.fallback)
		return p, nil
	}
	if options.DocumentLimit < 0 {
		return nil, errors.New("flagstone: DocumentLimit must not be negative")
	}
	for at, value := range []time.Duration{options.PollInterval, options.StaleAfter} {
		if value != 0 && (value < shortest || value > longest) { // without a unit it is nanoseconds
			name := []string{"PollInterval", "StaleAfter"}[at]
			return nil, fmt.Errorf("flagstone: %s must be from %v to %v, such as 30*time.Second: %v", name, shortest, longest, value)
		}
	}
	p.options.PollInterval = cmp.Or(options.PollInterval, 30*time.Second)
	p.options.StaleAfter = cmp.Or(options.StaleAfter, 3*p.options.PollInterval)
	if p.source, err = newSource(options); err != nil {
		return nil, err
	}
	return p, nil
}

// Init asks for the document, and returns when there are flags. If the answer takes more than 2 s, the flags of CacheFile or Document
// count until it comes. If the key is refused, the error is an
// [openfeature.ProviderInitError] with the code PROVIDER_FATAL, and otherwise one with PROVIDER_NOT_READY. The server is asked
// again in both cases, until Shutdown.
func (p *Provider) Init(evaluationContext openfeature.EvaluationContext) error {
	return p.InitWithContext(context.Background(), evaluationContext)
}

// InitWithContext does the same, but until it returns the context ends the first request, as if the server did not answer, unless
// another call waits for it.
func (p *Provider) InitWithContext(ctx context.Context, _ openfeature.EvaluationContext) error {
	if p.source == nil {
		return nil
	}
	failure := p.begin(ctx)
	if failure == nil {
		return nil
	}
	code := openfeature.ProviderNotReadyCode
	if failure.refused {
		code = openfeature.ProviderFatalCode
	}
	return &openfeature.ProviderInitError{ErrorCode: code, Message: failure.reason}
}

// begin follows the document from now on, in place of what did before, and returns why there are no flags, if so. One provider may
// have several domains, whose calls of Init wait for the same first answer. SetProvider calls Init in a goroutine, so Shutdown may
// come first.
func (p *Provider) begin(ctx context.Context) *failure {
	p.mu.Lock()
	f := p.following
	if p.isShutDown {
		p.mu.Unlock()
		return shutDown
	}
	if f == nil || f.first.Err() != nil {
		f = newFollower(p)
		go f.replace(p.following)
		p.following = f
	}
	f.waiting++
	p.mu.Unlock()

	select {
	case <-f.begun:
	case <-ctx.Done():
		p.mu.Lock()
		f.waiting--
		isLast := f.waiting == 0
		p.mu.Unlock()
		if !isLast {
			return p.source.broken(ctx, context.Cause(ctx))
		}
		f.endFirst(context.Cause(ctx))
		<-f.begun
	}
	return f.firstFailure
}

// Shutdown ends what Init began, or is about to begin, and returns when it has ended. The flags stay, and the provider does not start
// again.
func (p *Provider) Shutdown() { _ = p.ShutdownWithContext(context.Background()) }

// ShutdownWithContext does the same, but waits no longer than the context lasts.
func (p *Provider) ShutdownWithContext(ctx context.Context) error {
	p.mu.Lock()
	p.isShutDown = true
	f := p.following
	p.mu.Unlock()
	if f == nil {
		return nil
	}
	f.stop()
	select {
	case <-f.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// EventChannel returns the events READY, CONFIGURATION_CHANGED, STALE and ERROR. If nobody reads them, old ones are dropped.
func (p *Provider) EventChannel() <-chan openfeature.Event { return p.events }

func (p *Provider) emit(kind openfeature.EventType, details openfeature.ProviderEventDetails) {
	event := openfeature.Event{ProviderName: p.Metadata().Name, EventType: kind, ProviderEventDetails: details}
	for {
		select {
		case p.events <- event:
			return
		default:
		}
		select {
		case <-p.events:
		default:
		}
	}
}

// Format prints what may be logged: where the flags come from.
func (p *Provider) Format(f fmt.State, _ rune) {
	from := "a document"
	if p.source != nil {
		from = p.source.shown
	}
	fmt.Fprintf(f, "flags from %s", from)
}

// Metadata returns the provider's name.
func (p *Provider) Metadata() openfeature.Metadata { return openfeature.Metadata{Name: "Flagstone"} }

// Hooks returns none.
func (p *Provider) Hooks() []openfeature.Hook { return nil }

// BooleanEvaluation evaluates a flag. Like the others it waits for nothing, and so does not look at its context.
func (p *Provider) BooleanEvaluation(_ context.Context, key string, fallback bool, flat openfeature.FlattenedContext) openfeature.BoolResolutionDetail {
	value, detail := resolve(p, key, fallback, flat, "boolean", as[bool])
	return openfeature.BoolResolutionDetail{Value: value, ProviderResolutionDetail: detail}
}

// StringEvaluation evaluates a flag.
func (p *Provider) StringEvaluation(_ context.Context, key, fallback string, flat openfeature.FlattenedContext) openfeature.StringResolutionDetail {
	value, detail := resolve(p, key, fallback, flat, "string", as[string])
	return openfeature.StringResolutionDetail{Value: value, ProviderResolutionDetail: detail}
}

// FloatEvaluation evaluates a flag.
func (p *Provider) FloatEvaluation(_ context.Context, key string, fallback float64, flat openfeature.FlattenedContext) openfeature.FloatResolutionDetail {
	value, detail := resolve(p, key, fallback, flat, "number", as[float64])
	return openfeature.FloatResolutionDetail{Value: value, ProviderResolutionDetail: detail}
}

// IntEvaluation evaluates a flag whose value is a whole number.
func (p *Provider) IntEvaluation(_ context.Context, key string, fallback int64, flat openfeature.FlattenedContext) openfeature.IntResolutionDetail {
	value, detail := resolve(p, key, fallback, flat, "integer", func(value any) (int64, bool) {
		number, ok := value.(float64)
		return int64(number), ok && math.Trunc(number) == number && math.Abs(number) < 1<<63
	})
	return openfeature.IntResolutionDetail{Value: value, ProviderResolutionDetail: detail}
}

// ObjectEvaluation evaluates a flag whose value is an object or a list. The caller gets its own copy.
func (p *Provider) ObjectEvaluation(_ context.Context, key string, fallback any, flat openfeature.FlattenedContext) openfeature.InterfaceResolutionDetail {
	value, detail := resolve(p, key, fallback, flat, "object", func(value any) (any, bool) {
		switch value.(type) {
		case map[string]any, []any:
			return clone(value), true
		}
		return nil, false
	})
	return openfeature.InterfaceResolutionDetail{Value: value, ProviderResolutionDetail: detail}
}

func as[T any](value any) (T, bool) {
	typed, ok := value.(T)
	return typed, ok
}

func clone(value any) any {
	switch value := value.(type) {
	case map[string]any:
		copied := make(map[string]any, len(value))
		for name, member := range value {
			copied[name] = clone(member)
		}
		return copied
	case []any:
		copied := make([]any, len(value))
		for i, element := range value {
			copied[i] = clone(element)
		}
		return copied
	default:
		return value
	}
}

func resolve[T any](p *Provider, key string, fallback T, flat openfeature.FlattenedContext, expected string, convert func(any) (T, bool)) (T, openfeature.ProviderResolutionDetail) {
	flags := p.flags.Load()
	if flags == nil {
		reason := "no response so far"
		if failure := p.lastFailure.Load(); failure != nil {
			reason = failure.reason
		}
		return fallback, failed(openfeature.NewProviderNotReadyResolutionError("there are no flags yet: " + reason))
	}
	if name := p.options.ClockAttribute; name != "" && isMissing(flat[name]) {
		flat = maps.Clone(flat)
		if flat == nil {
			flat = openfeature.FlattenedContext{}
		}
		flat[name] = time.Now()
	}
	evaluation, err := flags.Evaluate(key, flat)
	if errors.Is(err, flagstone.ErrUnknownFlag) {
		return fallback, failed(openfeature.NewFlagNotFoundResolutionError("Flag not found"))
	} else if err != nil {
		return fallback, failed(openfeature.NewGeneralResolutionError(err.Error()))
	}
	value, ok := convert(evaluation.Value)
	if !ok {
		return fallback, failed(openfeature.NewTypeMismatchResolutionError("The value of " + key + " is not of type " + expected))
	}
	detail := openfeature.ProviderResolutionDetail{Reason: openfeature.TargetingMatchReason, Variant: evaluation.Rule, FlagMetadata: metadataOf(flags)}
	switch evaluation.Cause {
	case flagstone.Default, flagstone.Disabled, flagstone.Unconfigured:
		detail.Reason, detail.Variant = openfeature.DefaultReason, "default"
	case flagstone.Share:
		detail.Reason = openfeature.SplitReason
	}
	if flags.Static(key) {
		detail.Reason = openfeature.StaticReason
	}
	return value, detail
}

// isMissing reports whether an attribute is missing for rules: nil, or a nil pointer.
func isMissing(attribute any) bool {
	value := reflect.ValueOf(attribute)
	return !value.IsValid() || value.Kind() == reflect.Pointer && value.IsNil()
}

// metadataOf returns what telemetry records of the document, by OpenFeature's names, as the caller's own map.
func metadataOf(flags *flagstone.Evaluator) openfeature.FlagMetadata {
	metadata := openfeature.FlagMetadata{}
	if flags.FlagSet() != "" {
		metadata["flagSetId"] = flags.FlagSet()
	}
	if flags.Version() != "" {
		metadata["version"] = flags.Version()
	}
	return metadata
}

func failed(err openfeature.ResolutionError) openfeature.ProviderResolutionDetail {
	return openfeature.ProviderResolutionDetail{ResolutionError: err, Reason: openfeature.ErrorReason}
}
