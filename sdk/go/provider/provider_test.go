package provider

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/open-feature/go-sdk/openfeature"
)

// A flag server answers as a proxy or a CDN does, or with what a test sets.
type flagServer struct {
	*httptest.Server
	mu       sync.Mutex
	document string
	isProxy  bool
	fail     http.HandlerFunc // nil: nothing fails
	changed  chan struct{}    // closed at the next change
	requests []*http.Request
}

func newServer(t *testing.T, document string) *flagServer {
	s := &flagServer{document: document, changed: make(chan struct{})}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

// set changes the server, and wakes its streams.
func (s *flagServer) set(change func(s *flagServer)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s)
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *flagServer) now() (document, tag string, fail http.HandlerFunc, changed chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.document, fmt.Sprintf("%x", sha256.Sum256([]byte(s.document)))[:8], s.fail, s.changed
}

func (s *flagServer) seen() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

func (s *flagServer) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, r)
	isProxy := s.isProxy
	s.mu.Unlock()
	if r.URL.Path == "/v1/events" && isProxy {
		s.stream(w, r)
		return
	}
	document, tag, fail, _ := s.now()
	if isProxy {
		w.Header().Set("X-RateLimit-Limit", "100")
	}
	w.Header().Set("ETag", `"`+tag+`"`)
	switch {
	case fail != nil:
		fail(w, r)
	case r.Header.Get("If-None-Match") == `"`+tag+`"`:
		w.WriteHeader(http.StatusNotModified)
	default:
		io.WriteString(w, document)
	}
}

func (s *flagServer) stream(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	last := strings.Trim(r.Header.Get("Last-Event-ID"), `"`)
	fmt.Fprintf(w, "retry: 1000\r\nid: %s\r\n\r\n", last)
	for {
		_, tag, _, changed := s.now()
		if tag != last {
			fmt.Fprintf(w, "id: %s\nevent: change\ndata: {}\n\n:\n\n", tag)
			last = tag
		}
		w.(http.Flusher).Flush()
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

func status(code int, headers ...string) http.HandlerFunc {
	return answers(code, `{"error":"…"}`, headers...)
}

func body(text string, headers ...string) http.HandlerFunc {
	return answers(http.StatusOK, text, headers...)
}

func answers(code int, text string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		io.WriteString(w, text)
	}
}

const (
	texts = `"id":"","projectId":"","name":"","description":"","createdAt":"","updatedAt":""`
	off   = `{"flags":[{"flag":{` + texts + `,"key":"f","type":"boolean","defaultValue":false},"environment":null}]}`
	on    = `{"flags":[{"flag":{` + texts + `,"key":"f","type":"boolean","defaultValue":true},"environment":null}]}`
)

// start returns a provider that has begun, and the error of its start.
func start(t *testing.T, options Options) (*Provider, error) {
	t.Helper()
	if options.StaleAfter == 0 {
		options.StaleAfter = time.Hour
	}
	p, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	if options.PollInterval == 0 {
		p.options.PollInterval = time.Millisecond
	}
	t.Cleanup(p.Shutdown)
	return p, p.Init(openfeature.EvaluationContext{})
}

// next waits for the next event, which must be of this type.
func next(t *testing.T, p *Provider, want openfeature.EventType) openfeature.Event {
	t.Helper()
	select {
	case event := <-p.EventChannel():
		if event.EventType != want || event.ProviderName != "Flagstone" {
			t.Fatalf("event %v, want %s", event, want)
		}
		return event
	case <-time.After(20 * time.Second):
		t.Fatalf("no event %s", want)
		panic("unreachable")
	}
}

func value(p *Provider) bool {
	return p.BooleanEvaluation(context.Background(), "f", false, nil).Value
}

func TestFollowsWithTags(t *testing.T) {
	server := newServer(t, off)
	p, err := start(t, Options{URL: server.URL + "/", APIKey: "secret", Header: http.Header{"X-Team": {"shop"}}})
	if err != nil || value(p) {
		t.Fatal(err, value(p))
	}
	server.set(func(s *flagServer) { s.document = on })
	if event := next(t, p, openfeature.ProviderConfigChange); !reflect.DeepEqual(event.FlagChanges, []string{"f"}) || !value(p) {
		t.Error(event, value(p))
	}
	for i, r := range server.seen() {
		if r.URL.Path != "/v1/flags" || r.Header.Get("Authorization") != "Bearer secret" || r.Header.Get("X-Team") != "shop" || r.UserAgent() != userAgent ||
			(r.Header.Get("If-None-Match") == "") != (i == 0) {
			t.Error(r.URL, r.Header)
		}
	}
}

func TestAddresses(t *testing.T) {
	for url, want := range map[string][3]string{
		"https://a.b":                  {"https://a.b/v1/flags", "https://a.b/v1/flags", "https://a.b/v1/events"},
		"https://a.b/x/v1/flags?s=1#f": {"https://a.b/x/v1/flags?s=1", "https://a.b/x/v1/flags", "https://a.b/x/v1/events?s=1"},
		"https://a.b/x%2Fy/v1/flags/":  {"https://a.b/x%2Fy/v1/flags", "https://a.b/x%2Fy/v1/flags", "https://a.b/x%2Fy/v1/events"},
		"https://a.b/%C3%A4//x?s=%2F":  {"https://a.b/%C3%A4//x/v1/flags?s=%2F", "https://a.b/%C3%A4//x/v1/flags", "https://a.b/%C3%A4//x/v1/events?s=%2F"},
		"https://a.b/x%2Fprod.json":    {"https://a.b/x%2Fprod.json", "https://a.b/x%2Fprod.json", ""},
		"http://a.b/x/prod.json?s=1":   {"http://a.b/x/prod.json?s=1", "http://a.b/x/prod.json", ""},
	} {
		s, err := newSource(Options{URL: url})
		if err != nil || [3]string{s.document, s.shown, s.events} != want {
			t.Error(url, s, err)
		}
	}
	for _, url := range []string{"", "a.b", "ftp://a.b", "https://", "https://ann:secret@a.b", ":"} {
		if p, err := New(Options{URL: url}); err == nil || strings.Contains(err.Error(), "secret") {
			t.Error(url, p, err)
		}
	}
	for _, options := range []Options{
		{APIKey: "secret\nX: y"}, {APIKey: "secret\n"}, {APIKey: "secret\x7f"}, {Header: http.Header{"X": {"a", "secret\r"}}},
	} {
		options.URL = "https://a.b"
		p, err := New(options)
		if err == nil || !strings.Contains(err.Error(), "control character") || strings.Contains(err.Error(), "secret") {
			t.Error(p, err)
		}
	}
	if _, err := newSource(Options{URL: "https://a.b", Header: http.Header{"X": {"a\tb c", "ä", ""}}}); err != nil {
		t.Error(err)
	}
	p, err := start(t, Options{URL: "https://a.b", Header: http.Header{"": {"secret"}}})
	if err == nil || !strings.Contains(err.Error(), "invalid header field") || strings.Contains(err.Error(), "secret") {
		t.Error(p, err)
	}
	for _, options := range []Options{
		{Document: []byte("{}")}, {}, {URL: "https://a.b", PollInterval: -1}, {URL: "https://a.b", StaleAfter: -1}, {URL: "https://a.b", DocumentLimit: -1},
	} {
		if p, err := New(options); err == nil {
			t.Error(p)
		}
	}
	for given, options := range map[string]Options{
		"PollInterval 30ns": {PollInterval: 30}, "StaleAfter 30ns": {StaleAfter: 30}, "PollInterval 25h0m0s": {PollInterval: 25 * time.Hour},
	} {
		name, value, _ := strings.Cut(given, " ")
		want := "flagstone: " + name + " must be from 100ms to 24h0m0s, such as 30*time.Second: " + value
		options.URL = "https://a.b"
		if p, err := New(options); err == nil || err.Error() != want {
			t.Error(p, err)
		}
	}
}

// Options, and providers with them, are logged.
func TestSecretsAreNotPrinted(t *testing.T) {
	options := Options{URL: "https://a.b/x.json?secret=1", APIKey: "secret", Header: http.Header{"X-Key": {"secret"}}}
	p, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []any{options, &options, []Options{options}, p} {
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			if text := fmt.Sprintf(format, value); strings.Contains(text, "secret") || strings.Contains(text, fmt.Sprintf("%x", "secret")) {
				t.Errorf("%s: %s", format, text)
			}
		}
		var logged strings.Builder
		slog.New(slog.NewJSONHandler(&logged, nil)).Info("started", "value", value)
		slog.New(slog.NewTextHandler(&logged, nil)).Info("started", "value", value)
		if strings.Contains(logged.String(), "secret") {
			t.Error(logged.String())
		}
	}
	if text := fmt.Sprintf("%+v", options); !strings.Contains(text, "URL:https://a.b/x.json ") || !strings.Contains(text, "APIKey:… ") {
		t.Error(text)
	}
}

func truncated(w http.ResponseWriter, _ *http.Request) {
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	io.WriteString(writer, on)
	writer.Close()
	w.Header().Set("Content-Encoding", "gzip")
	w.Write(packed.Bytes()[:packed.Len()-12])
}

func breaks(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

var faults = map[string]struct {
	fail   http.HandlerFunc
	code   openfeature.ErrorCode
	reason string
}{
	"401":        {status(401), openfeature.ProviderFatalCode, "/v1/flags returned 401: use an APIKey that is valid now"},
	"403":        {status(403, "Content-Type", "application/json"), openfeature.ProviderFatalCode, "returned 403: use an APIKey that may read; this one may only evaluate"},
	"firewall":   {status(403, "Content-Type", "text/html"), openfeature.ProviderFatalCode, "/v1/flags returned 403"},
	"404":        {status(404), openfeature.ProviderNotReadyCode, "check the URL"},
	"302":        {status(302, "Location", "/elsewhere"), openfeature.ProviderNotReadyCode, "redirects are not followed"},
	"304":        {status(304), openfeature.ProviderNotReadyCode, "returned 304"},
	"429":        {status(429, "Retry-After", "0"), openfeature.ProviderNotReadyCode, "returned 429"},
	"500":        {status(500), openfeature.ProviderNotReadyCode, "returned 500"},
	"503":        {status(503), openfeature.ProviderNotReadyCode, "returned 503"},
	"garbage":    {body("<html>"), openfeature.ProviderNotReadyCode, "not a document of flags"},
	"empty":      {body(""), openfeature.ProviderNotReadyCode, "not a document of flags"},
	"other JSON": {body("[]"), openfeature.ProviderNotReadyCode, "not a document of flags"},
	"values":     {body(`{"flags":{"f":true}}`), openfeature.ProviderNotReadyCode, "not a document of flags"},
	"truncated":  {truncated, openfeature.ProviderNotReadyCode, "cannot be read: unexpected EOF"},
	"no gzip":    {body(on, "Content-Encoding", "gzip"), openfeature.ProviderNotReadyCode, "cannot be read: gzip"},
	"broken":     {breaks, openfeature.ProviderNotReadyCode, "cannot be read: EOF"},
}

func TestFaultsAtTheStart(t *testing.T) {
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			server := newServer(t, on)
			server.set(func(s *flagServer) { s.fail = fault.fail })
			p, err := start(t, Options{URL: server.URL + "?signature=secret", APIKey: "secret"})
			failure := new(openfeature.ProviderInitError)
			if !errors.As(err, &failure) || failure.ErrorCode != fault.code || !strings.Contains(failure.Message, fault.reason) ||
				strings.Contains(failure.Message, "secret") {
				t.Fatal(err)
			}
			if detail := p.BooleanEvaluation(context.Background(), "f", true, nil); detail.Error() == nil || !detail.Value ||
				!strings.Contains(detail.Error().Error(), string(openfeature.ProviderNotReadyCode)) {
				t.Error(detail)
			}
			if len(p.events) > 0 {
				t.Error("an event without flags", <-p.events)
			}
			if fault.code == openfeature.ProviderFatalCode {
				return // it asks again in five minutes
			}
			server.set(func(s *flagServer) { s.fail = nil })
			if next(t, p, openfeature.ProviderReady); !value(p) {
				t.Error("READY without flags")
			}
		})
	}
}

func TestFaultsLater(t *testing.T) {
	for name, fault := range faults {
		if name == "304" || name == "429" {
			continue // the first is good, and the second tested below
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newServer(t, on)
			p, err := start(t, Options{URL: server.URL, StaleAfter: 2 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			server.set(func(s *flagServer) { s.fail = fault.fail })
			if event := next(t, p, openfeature.ProviderStale); !strings.Contains(event.Message, fault.reason) || !value(p) {
				t.Error(event, value(p))
			}
			if fault.code == openfeature.ProviderFatalCode {
				return
			}
			server.set(func(s *flagServer) { s.fail, s.document = nil, off })
			next(t, p, openfeature.ProviderConfigChange)
			next(t, p, openfeature.ProviderReady)
		})
	}
}

func TestDocumentsBeyondTheLimit(t *testing.T) {
	for _, limit := range []int64{int64(len(off)), math.MaxInt64} {
		if _, err := start(t, Options{URL: newServer(t, off).URL, DocumentLimit: limit}); err != nil {
			t.Error(limit, err)
		}
	}
	server := newServer(t, off)
	_, err := start(t, Options{URL: server.URL, DocumentLimit: int64(len(off)) - 1})
	if want := fmt.Sprintf("returned more than %d bytes: if its document is that long, set DocumentLimit", len(off)-1); err == nil || !strings.Contains(err.Error(), want) {
		t.Error(err)
	}
	// A thousand times smaller in gzip.
	var packed bytes.Buffer
	compressor := gzip.NewWriter(&packed)
	compressor.Write(make([]byte, 1<<24))
	compressor.Close()
	bomb := body(packed.String(), "Content-Encoding", "gzip")
	p, err := start(t, Options{URL: server.URL, DocumentLimit: 100_000, StaleAfter: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	server.set(func(s *flagServer) { s.fail = bomb })
	if event := next(t, p, openfeature.ProviderStale); !strings.Contains(event.Message, "more than 100000 bytes") || value(p) {
		t.Error(event)
	}
}

func TestServerThatIsGone(t *testing.T) {
	server := newServer(t, on)
	server.Close()
	if _, err := start(t, Options{URL: server.URL}); err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Error(err)
	}
}

func TestCacheFile(t *testing.T) {
	server := newServer(t, on)
	cache := filepath.Join(t.TempDir(), "flags.json")
	killed, younger := cache+".1.partial", cache+".2.partial"
	for _, name := range []string{killed, younger} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(killed, old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := start(t, Options{URL: server.URL, CacheFile: cache}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(cache)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatal(info, err)
	}
	if names, _ := filepath.Glob(cache + "*"); !reflect.DeepEqual(names, []string{cache, younger}) {
		t.Error(names)
	}

	server.set(func(s *flagServer) { s.fail = status(401) })
	p, err := start(t, Options{URL: server.URL, CacheFile: cache, Document: []byte(off)})
	if err != nil || !value(p) {
		t.Fatal(err, value(p))
	}
	if len(p.events) > 0 {
		t.Error("OpenFeature sets READY after the event", <-p.events)
	}
	if event := next(t, p, openfeature.ProviderStale); !strings.Contains(event.Message, "returned 401") {
		t.Error(event)
	}
	if err := os.WriteFile(cache, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	logged := logs(t)
	p, err = start(t, Options{URL: server.URL, CacheFile: cache, Document: []byte(on)})
	if err != nil || !value(p) {
		t.Error("without a good cache, the given document counts", err)
	}
	p.Shutdown()
	if !strings.Contains(logged.String(), "the cache file cannot be used\" file="+cache+" error=") {
		t.Error(logged.String())
	}
}

// What becomes of the flags is logged once.
func TestLogs(t *testing.T) {
	server := newServer(t, on)
	server.set(func(s *flagServer) { s.fail = status(500) })
	var logged strings.Builder
	before := slog.Default()
	t.Cleanup(func() { slog.SetDefault(before) })
	withoutTime := func(_ []string, attribute slog.Attr) slog.Attr {
		if attribute.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return attribute
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{ReplaceAttr: withoutTime})))
	p, err := New(Options{URL: server.URL, StaleAfter: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	f := newFollower(p)
	look := func(fail http.HandlerFunc, want openfeature.EventType) {
		t.Helper()
		server.set(func(s *flagServer) { s.fail = fail })
		f.poll(context.Background())
		f.poll(context.Background())
		if event := next(t, p, want); len(p.events) > 0 {
			t.Error(event, <-p.events)
		}
	}
	f.start()
	look(status(401), openfeature.ProviderError)
	detail := p.BooleanEvaluation(context.Background(), "f", true, nil)
	if want := "there are no flags yet: " + server.URL + "/v1/flags returned 401: use an APIKey"; !strings.Contains(detail.Error().Error(), want) {
		t.Error(detail.Error())
	}
	look(nil, openfeature.ProviderReady)
	look(status(403, "Content-Type", "application/json"), openfeature.ProviderStale)
	want := strings.ReplaceAll(`level=WARN msg="flagstone: there are no flags" reason="URL returned 500"
level=WARN msg="flagstone: there are no flags" reason="URL returned 401: use an APIKey that is valid now"
level=INFO msg="flagstone: the flags are current"
level=WARN msg="flagstone: the flags are stale" reason="URL returned 403: use an APIKey that may read; this one may only evaluate"
`, "URL", server.URL+"/v1/flags")
	if logged.String() != want {
		t.Error(logged.String())
	}
}

func TestInTimeWhateverARequestDoes(t *testing.T) {
	for path, want := range map[string]openfeature.EventType{
		"/v1/flags":  openfeature.ProviderStale,
		"/v1/events": openfeature.ProviderConfigChange, // it polls until the stream begins
	} {
		t.Run(path, func(t *testing.T) {
			server := newServer(t, on)
			var requests atomic.Int32
			hanging := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if requests.Add(1) > 1 && r.URL.Path == path {
					<-r.Context().Done()
					return
				}
				w.Header().Set("X-RateLimit-Limit", "100")
				server.serve(w, r)
			}))
			t.Cleanup(hanging.Close)
			p, err := New(Options{URL: hanging.URL, PollInterval: 100 * time.Millisecond, StaleAfter: 300 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.Shutdown)
			p.source.longestAnswer = time.Hour
			if err := p.Init(openfeature.EvaluationContext{}); err != nil {
				t.Fatal(err)
			}
			server.set(func(s *flagServer) { s.document = off })
			next(t, p, want)
		})
	}
}

// OpenFeature may set READY long after Init has returned, over the first STALE.
func TestStaleFromTheStartIsRepeated(t *testing.T) {
	server := newServer(t, on)
	server.set(func(s *flagServer) { s.fail = status(500) })
	p, err := start(t, Options{URL: server.URL, Document: []byte(off)})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		next(t, p, openfeature.ProviderStale)
	}
	server.set(func(s *flagServer) { s.fail = nil })
	for event := range p.EventChannel() {
		if event.EventType != openfeature.ProviderStale {
			break
		}
	}
	next(t, p, openfeature.ProviderReady)
	server.set(func(s *flagServer) { s.fail = status(401) })
	next(t, p, openfeature.ProviderStale)
}

func TestShutdownDuringARequestSaysNothing(t *testing.T) {
	server := newServer(t, on)
	server.set(func(s *flagServer) { s.fail = status(500) })
	p, err := start(t, Options{URL: server.URL, Document: []byte(off)})
	if err != nil {
		t.Fatal(err)
	}
	next(t, p, openfeature.ProviderStale)
	hangs, reached := atomic.Bool{}, make(chan struct{})
	server.set(func(s *flagServer) {
		s.fail = func(_ http.ResponseWriter, r *http.Request) {
			if !hangs.Swap(true) {
				close(reached)
			}
			<-r.Context().Done()
		}
	})
	<-reached
	for len(p.events) > 0 {
		<-p.events
	}
	p.Shutdown()
	if len(p.events) > 0 {
		t.Error(<-p.events)
	}
}

// logs returns what is logged from now on, for when nothing logs any more.
func logs(t *testing.T) *strings.Builder {
	var logged strings.Builder
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&logged, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	return &logged
}

func TestCacheFileThatCannotBeWritten(t *testing.T) {
	logged := logs(t)
	server := newServer(t, on)
	p, err := start(t, Options{URL: server.URL, CacheFile: "/nowhere/flags.json"})
	if err != nil || !value(p) {
		t.Error(err)
	}
	for range 3 { // each event comes after a poll that tries again
		server.set(func(s *flagServer) { s.document = off })
		next(t, p, openfeature.ProviderConfigChange)
		server.set(func(s *flagServer) { s.document = on })
		next(t, p, openfeature.ProviderConfigChange)
	}
	p.Shutdown()
	if count := strings.Count(logged.String(), "cannot be saved"); count != 1 {
		t.Errorf("%d warnings", count)
	}
}

func TestEvents(t *testing.T) {
	server := newServer(t, off)
	server.set(func(s *flagServer) { s.isProxy = true })
	p, err := start(t, Options{URL: server.URL, PollInterval: time.Hour, APIKey: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range []string{on, off, on} {
		server.set(func(s *flagServer) { s.document = document })
		next(t, p, openfeature.ProviderConfigChange)
	}
	if count := server.streams(t); count != 1 {
		t.Errorf("%d streams", count)
	}
}

func TestFailuresWhileItListens(t *testing.T) {
	server := newServer(t, off)
	server.set(func(s *flagServer) { s.isProxy = true })
	p, err := start(t, Options{URL: server.URL, StaleAfter: 500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range []string{on, off} {
		server.set(func(s *flagServer) { s.document, s.fail = document, status(500) })
		if event := next(t, p, openfeature.ProviderStale); !strings.Contains(event.Message, "returned 500") {
			t.Error(event)
		}
		server.set(func(s *flagServer) { s.fail = nil })
		next(t, p, openfeature.ProviderConfigChange)
		next(t, p, openfeature.ProviderReady)
	}
	if count := server.streams(t); count != 1 {
		t.Errorf("%d streams", count)
	}
}

// streams returns how many streams were opened.
func (s *flagServer) streams(t *testing.T) (count int) {
	for _, r := range s.seen() {
		if r.URL.Path == "/v1/events" {
			if count++; r.Header.Get("Last-Event-ID") == "" || r.Header.Get("Accept") != "text/event-stream" {
				t.Error(r.Header)
			}
		}
	}
	return count
}

func TestBlocksOfAStream(t *testing.T) {
	stream := "retry: 1\n\n:\n\nid: two\ndata: {}\n\nid: three\ndata\n\nid: four\ndata: {\"etag\":1}\n\n"
	server := httptest.NewServer(body(stream, "Content-Type", "text/event-stream; charset=utf-8"))
	defer server.Close()
	s, err := newSource(Options{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	var heard []string
	if f := s.listen(context.Background(), "one", func(tag string) { heard = append(heard, tag) }); f == nil || f.refused {
		t.Error(f)
	}
	if want := []string{"", "", "two", "three", "four"}; !reflect.DeepEqual(heard, want) {
		t.Errorf("heard %q, want %q", heard, want)
	}
}

func TestServersWithoutEvents(t *testing.T) {
	for code, refused := range map[int]bool{200: true, 401: true, 404: true, 429: false, 503: false} {
		server := httptest.NewServer(status(code))
		defer server.Close()
		s, _ := newSource(Options{URL: server.URL})
		if f := s.listen(context.Background(), "", func(string) { t.Error("heard") }); f == nil || f.refused != refused {
			t.Error(code, f)
		}
	}
}

func TestPollsWhileThereAreNoEvents(t *testing.T) {
	server := newServer(t, off)
	p, err := start(t, Options{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	server.set(func(s *flagServer) {
		s.fail = func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-RateLimit-Limit", "100")
			if r.URL.Path == "/v1/flags" {
				io.WriteString(w, on)
			} else {
				w.WriteHeader(404)
			}
		}
	})
	next(t, p, openfeature.ProviderConfigChange)
	server.set(func(s *flagServer) { s.fail = body(off) })
	next(t, p, openfeature.ProviderConfigChange)
}

func TestMetadataNamesTheDocument(t *testing.T) {
	ask := func(document string) openfeature.FlagMetadata {
		p, err := New(Options{Document: []byte(document)})
		if err != nil {
			t.Fatal(err)
		}
		p.BooleanEvaluation(context.Background(), "f", false, nil).FlagMetadata["changed"] = true // in no later answer
		return p.BooleanEvaluation(context.Background(), "f", false, nil).FlagMetadata
	}
	configured := strings.NewReplacer(`"projectId":""`, `"projectId":"shop"`, `"environment":null`,
		`"environment":{"id":"","flagId":"","environmentId":"production","updatedAt":"","enabled":true,"rules":[]}`).Replace(on)
	version := fmt.Sprintf("%x", sha256.Sum256([]byte(configured)))[:32]
	if got := ask(configured); !reflect.DeepEqual(got, openfeature.FlagMetadata{"flagSetId": "shop/production", "version": version}) {
		t.Error(got)
	}
	if got := ask(`{"flags":{"f":true}}`); len(got) != 0 {
		t.Error(got)
	}
}

// A request that hangs ends with the context of Init, and with Shutdown.
func TestContexts(t *testing.T) {
	server := newServer(t, on)
	asked := make(chan struct{}, 10)
	server.set(func(s *flagServer) {
		s.fail = func(_ http.ResponseWriter, r *http.Request) {
			asked <- struct{}{}
			<-r.Context().Done()
		}
	})
	p, err := New(Options{URL: server.URL, Document: []byte(on)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-asked; cancel() }()
	if err := p.InitWithContext(ctx, openfeature.EvaluationContext{}); err != nil || !value(p) {
		t.Error("the given document was not used", err)
	}
	p.Shutdown()

	p, err = New(Options{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	logged := logs(t)
	go func() { <-asked; p.Shutdown() }()
	if err := p.Init(openfeature.EvaluationContext{}); err == nil || !strings.Contains(err.Error(), "was shut down") {
		t.Error(err)
	}
	p.Shutdown()
	p.Shutdown()
	if err := p.ShutdownWithContext(context.Background()); err != nil {
		t.Error(err)
	}
	if logged.Len() > 0 {
		t.Error(logged)
	}
}

// SetProvider calls Init in a goroutine, which may begin after a Shutdown that follows, or a second Init for another domain.
func TestCallsInAnyOrder(t *testing.T) {
	server := newServer(t, on)
	p, err := New(Options{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	answers, asked := make(chan struct{}), make(chan struct{}, 10)
	server.set(func(s *flagServer) {
		s.fail = func(w http.ResponseWriter, r *http.Request) {
			asked <- struct{}{}
			<-answers
			io.WriteString(w, on)
		}
	})
	results := make(chan error)
	start := func() { results <- p.Init(openfeature.EvaluationContext{}) }
	go start()
	<-asked
	go start()
	wantStacks(t, 2, "provider.(*Provider).Init(")
	hurried, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if err := p.InitWithContext(hurried, openfeature.EvaluationContext{}); err == nil {
		t.Error("did not wait")
	}
	close(answers)
	for range 2 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	p.Shutdown()
	wantGoroutines(t, 0)
	seen := len(server.seen())
	for range 2 { // one provider may have several domains
		if err := p.Init(openfeature.EvaluationContext{}); err == nil || len(server.seen()) > seen {
			t.Error("started after it was shut down", err)
		}
	}
}

func TestShutdownEndsTheGoroutine(t *testing.T) {
	server := newServer(t, off)
	server.set(func(s *flagServer) { s.isProxy = true })
	p, err := start(t, Options{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	server.set(func(s *flagServer) { s.document = on })
	next(t, p, openfeature.ProviderConfigChange)
	wantGoroutines(t, 1)
	if err := p.Init(openfeature.EvaluationContext{}); err != nil {
		t.Error(err)
	}
	wantGoroutines(t, 1) // the second start replaced the first
	p.Shutdown()
	wantGoroutines(t, 0)
	if !value(p) {
		t.Error("the flags are gone")
	}
}

// wantGoroutines counts those that follow a document. One that has ended may take a moment to go.
func wantGoroutines(t *testing.T, want int) {
	t.Helper()
	wantStacks(t, want, "created by flagstone.example/sdk/go/provider.(*Provider).begin")
}

// wantStacks waits until a line is so many times in the stacks of the goroutines.
func wantStacks(t *testing.T, want int, line string) {
	t.Helper()
	stacks, count := make([]byte, 1<<20), -1
	for deadline := time.Now().Add(20 * time.Second); count != want && time.Now().Before(deadline); runtime.Gosched() {
		all := string(stacks[:runtime.Stack(stacks, true)])
		count = strings.Count(all, line)
	}
	if count != want {
		t.Errorf("%d goroutines have %q, want %d", count, line, want)
	}
}

func TestEvaluationsWhileTheDocumentChanges(t *testing.T) {
	server := newServer(t, off)
	p, err := start(t, Options{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			for {
				select {
				case <-done:
					return
				default:
					if detail := p.BooleanEvaluation(context.Background(), "f", true, nil); detail.Error() != nil {
						t.Error(detail.Error())
					}
				}
			}
		}()
	}
	for _, document := range []string{on, off, on, off} {
		server.set(func(s *flagServer) { s.document = document })
		next(t, p, openfeature.ProviderConfigChange)
	}
	close(done)
	group.Wait()
}

// A clock that is set does not change what package time measures, if a time keeps its monotonic reading. libfaketime cannot set the
// clock of a program in Go, so that is looked for.
func TestTimesKeepTheirMonotonicReading(t *testing.T) {
	server := newServer(t, on)
	server.set(func(s *flagServer) { s.isProxy = true })
	p, err := New(Options{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	f := newFollower(p)
	if f.start(); f.firstFailure != nil {
		t.Fatal(f.firstFailure)
	}
	times := map[string]time.Time{"poll": f.pollAt, "stale": f.staleAt}
	server.set(func(s *flagServer) { s.isProxy, s.fail = false, status(500) })
	f.listen(context.Background())
	times["listen"] = f.listenAt
	f.poll(context.Background())
	times["poll after a failure"], times["stale after a failure"] = f.pollAt, f.staleAt
	for name, at := range times {
		if !strings.Contains(at.String(), " m=+") {
			t.Errorf("%s: %s", name, at)
		}
	}
}

func TestDelay(t *testing.T) {
	const minute = time.Minute
	refused, broken := &failure{refused: true}, &failure{}
	for _, test := range []struct {
		f        *failure
		failures int
		hasFlags bool
		random   float64
		want     time.Duration
	}{
		{nil, 0, true, 0, 48 * time.Second},
		{nil, 0, true, 0.5, minute},
		{nil, 0, true, 1, 72 * time.Second},
		{broken, 1, true, 0.5, minute},
		{broken, 2, true, 0.5, 2 * minute},
		{broken, 4, true, 0.5, 5 * minute},
		{broken, 4000, true, 0.5, 5 * minute},
		{broken, 1, false, 0.5, time.Second},
		{broken, 4, false, 0.5, 8 * time.Second},
		{broken, 40, false, 0.5, minute},
		{refused, 1, false, 0.5, 5 * minute},
		{&failure{retryAfter: 2 * time.Second}, 1, true, 0, 2 * time.Second},
		{&failure{retryAfter: 2 * time.Second}, 1, true, 0.5, 2200 * time.Millisecond},
		{&failure{retryAfter: 2 * time.Second}, 3, true, 0.5, 8 * time.Second},
		{&failure{retryAfter: 10 * minute}, 1, true, 0, 10 * minute},
		{&failure{retryAfter: 1000 * time.Hour}, 9, true, 0, time.Hour},
	} {
		if got := delay(minute, test.f, test.failures, test.hasFlags, test.random); got.Round(time.Microsecond) != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	s := &source{}
	for header, want := range map[string]time.Duration{
		"7": 7 * time.Second, "": 0, "-1": 0, "1.5": 0, "soon": 0, "Wed, 21 Oct 2015 07:28:00 GMT": 0,
		"Fri, 31 Dec 9999 23:59:59 GMT": 1<<63 - 1, "99999999999": (1<<31 - 1) * time.Second, "0": 0,
	} {
		response := &http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {header}}}
		if got := s.refusal(response).retryAfter; got != want {
			t.Errorf("%s: %s", header, got)
		}
	}
	if f := s.refusal(&http.Response{StatusCode: 500, Header: http.Header{"Retry-After": {"7"}}}); f.retryAfter != 0 {
		t.Error(f)
	}
}
