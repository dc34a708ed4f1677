package provider

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A source is where a document is, and how it is asked for.
type source struct {
	document string // the address
	shown    string // the same without its query, which may hold a CDN's signature: what may be logged
	events   string // "": there are none
	header   http.Header
	client   *http.Client

	limit          int64 // of a document, in bytes
	longestAnswer  time.Duration
	longestSilence time.Duration // of a stream, which has a comment every 20 s
}

// An answer is a good one.
type answer struct {
	body    []byte // nil: the document is still the one with the given tag
	tag     string
	isProxy bool // rather than a CDN: proxies say how many requests are left
}

// A failure says why there is no document.
type failure struct {
	reason     string        // holds no secret
	refused    bool          // the key is not valid, or may not read: it is useless to ask again soon
	retryAfter time.Duration // what the server asks for; 0: nothing
}

const (
	flagsPath  = "/v1/flags"
	eventsPath = "/v1/events"
)

// Some firewalls refuse the names of libraries.
const userAgent = "flagstone-go/0.1.0"

func newSource(o Options) (*source, error) {
	address, err := url.Parse(o.URL)
	if err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Host == "" || address.User != nil {
		return nil, errors.New("flagstone: URL must begin with http: or https:, and have no user or password: use Header instead")
	}
	s := &source{header: http.Header{}, client: &http.Client{}, longestAnswer: 10 * time.Second, longestSilence: time.Minute}
	s.limit = min(cmp.Or(o.DocumentLimit, 64<<20), math.MaxInt64-1)
	maps.Copy(s.header, o.Header.Clone())
	if s.header.Get("User-Agent") == "" {
		s.header.Set("User-Agent", userAgent)
	}
	if s.header.Get("Authorization") == "" && o.APIKey != "" {
		s.header.Set("Authorization", "Bearer "+o.APIKey)
	}
	for name, values := range s.header {
		if slices.ContainsFunc(values, hasControl) {
			return nil, fmt.Errorf("flagstone: the header %q, from APIKey or Header, has a line break or another control character", name)
		}
	}
	origin, path, query := address.Scheme+"://"+address.Host, address.EscapedPath(), ""
	if address.RawQuery != "" {
		query = "?" + address.RawQuery
	}
	if !strings.HasSuffix(path, ".json") {
		base := strings.TrimSuffix(strings.TrimRight(path, "/"), flagsPath)
		if path = base + flagsPath; !o.WithoutEvents {
			s.events = origin + base + eventsPath + query
		}
	}
	s.shown = origin + path
	s.document = s.shown + query
	if o.Client != nil {
		*s.client = *o.Client
	}
	s.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return s, nil
}

// hasControl reports whether a header cannot have this value (RFC 9110, 5.5). Each request would fail.
func hasControl(value string) bool {
	return strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}

// get sends a request, over a connection of its own: HTTP/2 would send every later one over a connection that is dead, too.
func (s *source) get(ctx context.Context, address, accept, condition, tag string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	request.Header = s.header.Clone()
	request.Header.Set("Accept", accept)
	if tag != "" {
		request.Header.Set(condition, tag)
	}
	request.Close = true
	return s.client.Do(request)
}

// ask requests the document, unless it still has the tag.
func (s *source) ask(ctx context.Context, tag string) (*answer, *failure) {
	ctx, cancel := context.WithTimeout(ctx, s.longestAnswer)
	defer cancel()
	response, err := s.get(ctx, s.document, "application/json", "If-None-Match", tag)
	if err != nil {
		return nil, s.broken(ctx, err)
	}
	defer response.Body.Close()
	a := &answer{tag: response.Header.Get("ETag"), isProxy: response.Header.Get("X-RateLimit-Limit") != ""}
	switch {
	case response.StatusCode == http.StatusNotModified && tag != "":
		a.tag = tag
		return a, nil
	case response.StatusCode != http.StatusOK:
		return nil, s.refusal(response)
	}
	// No more than that is read or decompressed: 3 MB of gzip may become 3 GB.
	if a.body, err = io.ReadAll(io.LimitReader(response.Body, s.limit+1)); err != nil {
		return nil, s.broken(ctx, err)
	}
	if int64(len(a.body)) > s.limit {
		return nil, &failure{reason: fmt.Sprintf("%s returned more than %d bytes: if its document is that long, set DocumentLimit", s.shown, s.limit)}
	}
	return a, nil
}

// broken is the failure of a request without a whole answer.
func (s *source) broken(ctx context.Context, err error) *failure {
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return &failure{reason: s.shown + " took too long to respond"}
	}
	if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
		err = wrapped.Err // without the address
	}
	return &failure{reason: fmt.Sprintf("%s cannot be read: %v", s.shown, err)}
}

var fixes = map[int]string{
	http.StatusUnauthorized: ": use an APIKey that is valid now",
	http.StatusForbidden:    ": use an APIKey that may read; this one may only evaluate",
	http.StatusNotFound:     ": check the URL, and that something was published there",
}

// refusal is the failure of an answer without a document.
func (s *source) refusal(response *http.Response) *failure {
	status := response.StatusCode
	fix := fixes[status]
	if status == http.StatusForbidden && response.Header.Get("Content-Type") != "application/json" {
		fix = "" // a firewall's, which has a page
	}
	f := &failure{reason: fmt.Sprintf("%s returned %d%s", s.shown, status, fix)}
	f.refused = status == http.StatusUnauthorized || status == http.StatusForbidden
	if status >= 300 && status < 400 {
		f.reason += ": redirects are not followed; set URL to the final URL"
	}
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		header := response.Header.Get("Retry-After")
		if seconds, err := strconv.ParseUint(header, 10, 31); err == nil || errors.Is(err, strconv.ErrRange) {
			f.retryAfter = time.Duration(seconds) * time.Second
		} else if date, err := http.ParseTime(header); err == nil {
			f.retryAfter = max(0, time.Until(date))
		}
	}
	return f
}

// listen calls heard for each block of the stream of events, with the tag of the proxy's document, or "" if the block does not say.
// It returns when the stream has ended, or is silent for too long.
func (s *source) listen(ctx context.Context, tag string, heard func(tag string)) *failure {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(s.longestAnswer, func() { cancel(context.DeadlineExceeded) })
	defer silence.Stop()
	response, err := s.get(ctx, s.events, "text/event-stream", "Last-Event-ID", tag)
	if err != nil {
		return s.broken(ctx, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK || !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		f := s.refusal(response)
		f.refused = response.StatusCode < 500 && response.StatusCode != http.StatusTooManyRequests // it has no events
		return f
	}
	id := ""
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		line := lines.Text()
		if value, found := strings.CutPrefix(line, "id:"); found {
			id = strings.TrimSpace(value)
		}
		if line == "" {
			silence.Stop() // what heard does takes its own time
			heard(id)
			silence.Reset(s.longestSilence)
			id = ""
		}
	}
	return s.broken(ctx, errors.New("the stream broke"))
}
