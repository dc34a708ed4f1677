package provider

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/open-feature/go-sdk/openfeature"
)

// A relay passes bytes between clients and a server, until it keeps connections open and passes nothing, as a firewall does that
// has forgotten them. Connections that come later are passed.
type relay struct {
	net.Listener
	server string
	mu     sync.Mutex
	silent chan struct{} // closed when the connections so far are forgotten
	opened int
}

func newRelay(t *testing.T, server string) *relay {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{Listener: listener, server: server, silent: make(chan struct{})}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			r.mu.Lock()
			r.opened++
			silent := r.silent
			r.mu.Unlock()
			server, err := net.Dial("tcp", r.server)
			if err != nil {
				client.Close()
				continue
			}
			t.Cleanup(func() { client.Close(); server.Close() })
			go pass(server, client, silent)
			go pass(client, server, silent)
		}
	}()
	return r
}

func pass(to io.WriteCloser, from io.Reader, silent <-chan struct{}) {
	buffer := make([]byte, 32<<10)
	for {
		count, err := from.Read(buffer)
		select {
		case <-silent: // reads on, and drops it
		default:
			to.Write(buffer[:count])
			if err != nil {
				to.Close()
			}
		}
		if err != nil {
			return
		}
	}
}

func (r *relay) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.silent)
	r.silent = make(chan struct{})
}

func (r *relay) connections() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.opened
}

// startBehindRelay returns a provider that asks over HTTP/2 through a relay, and waits only a moment for answers.
func startBehindRelay(t *testing.T, server *flagServer, pollInterval, longestSilence time.Duration) (*Provider, *relay) {
	secure := httptest.NewUnstartedServer(http.HandlerFunc(server.serve))
	secure.EnableHTTP2 = true
	secure.StartTLS()
	t.Cleanup(secure.CloseClientConnections)
	relay := newRelay(t, secure.Listener.Addr().String())
	trusted := secure.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	p, err := New(Options{
		URL: "https://" + relay.Addr().String(), Client: &http.Client{Transport: transport},
		PollInterval: pollInterval, StaleAfter: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	p.source.longestAnswer, p.source.longestSilence = 500*time.Millisecond, longestSilence
	t.Cleanup(p.Shutdown)
	if err := p.Init(openfeature.EvaluationContext{}); err != nil {
		t.Fatal(err)
	}
	return p, relay
}

// HTTP/2 would send each later request, too, over a connection that is dead.
func TestPollsLeaveAConnectionThatIsSilent(t *testing.T) {
	server := newServer(t, off)
	p, relay := startBehindRelay(t, server, 100*time.Millisecond, time.Hour)
	for _, document := range []string{on, off} {
		relay.forget()
		server.set(func(s *flagServer) { s.document = document })
		next(t, p, openfeature.ProviderConfigChange)
	}
	if opened := relay.connections(); opened < 3 {
		t.Errorf("%d connections", opened)
	}
	for _, r := range server.seen() {
		if r.ProtoMajor != 2 {
			t.Error(r.Proto)
		}
	}
}

func TestAStreamThatIsSilentIsOpenedAgain(t *testing.T) {
	server := newServer(t, off)
	server.set(func(s *flagServer) { s.isProxy = true })
	p, relay := startBehindRelay(t, server, time.Hour, 500*time.Millisecond)
	server.set(func(s *flagServer) { s.document = on })
	next(t, p, openfeature.ProviderConfigChange) // it listens
	relay.forget()
	server.set(func(s *flagServer) { s.document = off })
	next(t, p, openfeature.ProviderConfigChange)
}

func TestARequestThatIsSilentWhileAStreamIsOpenIsMadeAgain(t *testing.T) {
	server := newServer(t, off)
	server.set(func(s *flagServer) { s.isProxy = true })
	p, relay := startBehindRelay(t, server, 100*time.Millisecond, time.Hour)
	server.set(func(s *flagServer) {
		s.document = on
		s.fail = func(_ http.ResponseWriter, r *http.Request) {
			relay.forget()
			server.set(func(s *flagServer) { s.fail = nil })
			<-r.Context().Done()
		}
	})
	next(t, p, openfeature.ProviderConfigChange)
}
