package provider

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	flagstone "flagstone.example/sdk/go"
	"github.com/open-feature/go-sdk/openfeature"
)

const (
	soon         = time.Second
	slow         = 5 * time.Minute
	longestAsked = time.Hour
	shortLife    = 30 * time.Second // of a stream: something in between cuts it off
	spreadOfEnds = 4 * time.Second  // a proxy that stops ends all its streams at the same time
	shortest     = 100 * time.Millisecond
	longest      = 24 * time.Hour         // three times the longest Duration is negative
	patience     = 2 * time.Second        // with the first answer, if there are other flags
	afterInit    = 100 * time.Millisecond // OpenFeature sets READY soon after Init has returned, over what came before
)

// A follower keeps a provider's flags up to date, in one goroutine.
type follower struct {
	*Provider
	tag      string
	body     []byte // what the flags were made from: not every server has tags, and some have several for one document
	isSaved  bool
	isWarned bool // the log says that the document cannot be saved: it would again at every poll
	isProxy  bool
	failure  *failure // of the last request; nil: it was good
	failures int      // in a row
	pollAt   time.Time

	isListening    bool
	wanted         string // the tag of the last event; "": none yet
	listenAt       time.Time
	listenFailures int

	isStale bool      // as OpenFeature knows, unless it is still busy with the start
	isOld   bool      // the flags are those from before the first answer
	staleAt time.Time // zero: no time

	late         <-chan time.Time // receives when the first answer is late; nil: old flags have been looked for
	begun        chan struct{}    // closed as soon as there are flags, or it is clear that there are none, not even old ones
	firstFailure *failure         // then why there are none

	running  context.Context // until stop
	stop     context.CancelFunc
	first    context.Context // until stop, or the first request is over
	endFirst context.CancelCauseFunc
	waiting  int           // calls of Init, for the first answer; under Provider.mu
	done     chan struct{} // closed when the goroutine ends
}

var shutDown = &failure{reason: "the provider was shut down"}

func newFollower(p *Provider) *follower {
	f := &follower{Provider: p, begun: make(chan struct{}), done: make(chan struct{})}
	f.running, f.stop = context.WithCancel(context.Background())
	f.first, f.endFirst = context.WithCancelCause(f.running)
	return f
}

// replace ends what follows the document now, if anything does, and takes its place until stop.
func (f *follower) replace(before *follower) {
	defer close(f.done)
	if before != nil {
		before.stop()
		<-before.done
	}
	f.start()
	f.run(f.running)
}

// start makes the first request, which goes on if it is late and there are old flags.
func (f *follower) start() {
	defer f.endFirst(nil)
	f.late = time.After(patience)
	f.look(f.first)
	isStopped := f.running.Err() != nil
	if f.failure != nil && f.late != nil && !isStopped {
		f.takeOld()
	}
	f.late = nil
	hasBegun := f.isOld
	switch {
	case f.failure == nil:
		f.trust()
	case hasBegun:
	case isStopped:
		f.firstFailure = shutDown
	default:
		f.isStale, f.firstFailure = true, f.failure
		f.logNoFlags()
	}
	if !hasBegun {
		close(f.begun)
	}
}

// takeOld takes the flags of the cache, or else those that were given.
func (f *follower) takeOld() {
	f.late = nil
	var flags *flagstone.Evaluator
	cached, err := os.ReadFile(f.options.CacheFile)
	if err == nil {
		flags, err = flagstone.New(cached)
	}
	if err == nil {
		f.flags.CompareAndSwap(nil, flags)
	} else if f.options.CacheFile != "" && !errors.Is(err, os.ErrNotExist) {
		slog.Warn("flagstone: the cache file cannot be used", "file", f.options.CacheFile, "error", err)
	}
	f.flags.CompareAndSwap(nil, f.fallback)
	if f.isOld = f.flags.Load() != nil; f.isOld {
		f.staleAt = time.Now().Add(afterInit)
		close(f.begun)
	}
}

// run follows the document until the context ends.
func (f *follower) run(ctx context.Context) {
	for ctx.Err() == nil {
		listens := f.failure == nil && f.isProxy && f.source.events != ""
		switch now := time.Now(); {
		case listens && !now.Before(f.listenAt):
			f.listen(ctx)
		case !now.Before(f.pollAt):
			f.poll(ctx)
		case listens && f.listenAt.Before(f.pollAt):
			f.sleep(ctx, f.listenAt)
		default:
			f.sleep(ctx, f.pollAt)
		}
	}
}

// sleep returns at that time, or when the context ends. Meanwhile, the flags may become stale.
func (f *follower) sleep(ctx context.Context, until time.Time) {
	for {
		select {
		case <-at(until):
			return
		case <-ctx.Done():
			return
		case <-at(f.staleAt):
			f.distrust()
		}
	}
}

// at returns a channel that receives at a time; never at the zero one.
func at(t time.Time) <-chan time.Time {
	if t.IsZero() {
		return nil
	}
	return time.After(time.Until(t))
}

// look asks for the document, and plans when to ask again. Meanwhile, the flags may become stale.
func (f *follower) look(ctx context.Context) {
	var a *answer
	var failure *failure
	answered, tag := make(chan struct{}), f.tag
	go func() {
		defer close(answered)
		a, failure = f.source.ask(ctx, tag)
	}()
	for isOver := false; !isOver; {
		select {
		case <-answered:
			isOver = true
		case <-f.late:
			f.takeOld()
		case <-at(f.staleAt):
			f.distrust()
		}
	}
	if failure == nil {
		failure = f.take(a)
	}
	f.failure = failure
	f.lastFailure.Store(failure)
	if failure == nil {
		f.failures, f.isProxy = 0, a.isProxy
	} else {
		f.failures++
	}
	f.plan()
}

// poll looks, and notes whether the flags are current.
func (f *follower) poll(ctx context.Context) {
	wasRefused := f.failure != nil && f.failure.refused
	f.look(ctx)
	if ctx.Err() != nil { // nobody listens any more, until the next start
		return
	}
	switch {
	case f.failure == nil:
		f.trust()
	case f.flags.Load() == nil:
		if f.failure.refused && !wasRefused {
			f.logNoFlags()
			f.emit(openfeature.ProviderError, openfeature.ProviderEventDetails{Message: f.failure.reason})
		}
	case f.failure.refused || f.isStale:
		f.distrust()
	case f.staleAt.IsZero():
		f.staleAt = time.Now().Add(f.options.StaleAfter)
	}
}

// take makes a document the one that is evaluated.
func (f *follower) take(a *answer) *failure {
	if a.body != nil && (f.body == nil || !bytes.Equal(a.body, f.body)) {
		flags, err := flagstone.New(a.body)
		if err != nil {
			return &failure{reason: f.source.shown + ": " + err.Error()}
		}
		if before := f.flags.Swap(flags); before != nil {
			if keys := flags.Changes(before); len(keys) > 0 {
				f.emit(openfeature.ProviderConfigChange, openfeature.ProviderEventDetails{FlagChanges: keys})
			}
		}
		f.body, f.isSaved = a.body, f.options.CacheFile == ""
	}
	f.tag = a.tag
	if !f.isSaved {
		err := save(f.options.CacheFile, f.body)
		if f.isSaved = err == nil; err != nil && !f.isWarned {
			slog.Warn("flagstone: the flags cannot be saved for the next start", "error", err)
		}
		f.isWarned = err != nil
	}
	return nil
}

// plan sets when to ask again.
func (f *follower) plan() {
	interval := f.options.PollInterval
	if f.failure == nil && f.isListening && f.hasWanted() {
		interval = max(interval, slow)
	}
	f.pollAt = time.Now().Add(delay(interval, f.failure, f.failures, f.flags.Load() != nil, rand.Float64()))
}

// hasWanted reports whether the announced document has arrived: the proxy that answers may not have it yet.
func (f *follower) hasWanted() bool { return f.wanted == "" || strings.Contains(f.tag, f.wanted) }

// listen follows the stream of events until it ends, and plans when to open the next. Meanwhile, it polls.
func (f *follower) listen(ctx context.Context) {
	begin := time.Now()
	blocks, ended, tag := make(chan string), make(chan *failure, 1), f.tag
	go func() {
		ended <- f.source.listen(ctx, tag, func(tag string) {
			select {
			case blocks <- tag:
			case <-ctx.Done():
			}
		})
	}()
	var failed *failure
	for failed == nil {
		select {
		case tag := <-blocks:
			f.hear(ctx, tag)
		case failed = <-ended:
		case <-at(f.pollAt):
			f.poll(ctx)
		case <-at(f.staleAt):
			f.distrust()
		}
	}
	if f.isListening && time.Since(begin) >= shortLife {
		f.listenFailures = 0
		f.listenAt = time.Now().Add(rand.N(spreadOfEnds))
	} else {
		f.listenFailures++
		f.listenAt = time.Now().Add(delay(time.Minute, failed, f.listenFailures, false, rand.Float64()))
	}
	if f.isListening {
		f.setListening(false)
	}
}

// hear takes a block of the stream.
func (f *follower) hear(ctx context.Context, tag string) {
	if !f.isListening {
		f.setListening(true)
	}
	if tag == "" {
		return
	}
	f.wanted = tag
	isTurnedAway := f.failure != nil && (f.failure.refused || f.failure.retryAfter > 0)
	if !f.hasWanted() && !isTurnedAway {
		f.poll(ctx)
	}
}

func (f *follower) setListening(isListening bool) {
	f.isListening, f.wanted = isListening, "" // a stream begins with what is new
	if f.failure == nil {
		f.confirm()
		f.plan()
	}
}

// confirm notes that the flags are current, until the stream breaks or polls fail.
func (f *follower) confirm() {
	f.staleAt = time.Time{}
	if !f.isListening {
		f.staleAt = time.Now().Add(f.options.StaleAfter)
	}
}

// trust confirms the flags, and says so if they were not current.
func (f *follower) trust() {
	f.isOld = false
	f.confirm()
	if f.isStale {
		f.isStale = false
		slog.Info("flagstone: the flags are current")
		f.emit(openfeature.ProviderReady, openfeature.ProviderEventDetails{})
	}
}

// distrust notes that the flags may not be current. It says so once, but from the start on after each failed request: nothing tells
// when OpenFeature has set READY.
func (f *follower) distrust() {
	f.staleAt = time.Time{}
	reason := f.source.shown + " gave no valid response for too long"
	if f.failure != nil {
		reason = f.failure.reason
	}
	if !f.isStale {
		slog.Warn("flagstone: the flags are stale", "reason", reason)
	}
	if !f.isStale || f.isOld {
		f.isStale = true
		f.emit(openfeature.ProviderStale, openfeature.ProviderEventDetails{Message: reason})
	}
}

func (f *follower) logNoFlags() {
	slog.Warn("flagstone: there are no flags", "reason", f.failure.reason)
}

// delay returns how long to wait until the next request, after so many failures in a row. It varies by a fifth with random, which
// is in [0, 1), so that processes that were started or refused together do not ask together. It is never less than the server
// asked for, up to an hour, and hardly more after a first failure.
func delay(interval time.Duration, f *failure, failures int, hasFlags bool, random float64) time.Duration {
	spread := 0.8 + 0.4*random
	if f == nil {
		return time.Duration(float64(interval) * spread)
	}
	first, last := interval, max(interval, slow)
	if f.refused {
		first = last
	} else if !hasFlags { // every second counts
		first, last = min(interval, soon), interval
	}
	if f.retryAfter > 0 {
		first = max(f.retryAfter, soon)
	}
	backoff := min(float64(first)*math.Exp2(float64(failures-1)), float64(last))
	asked := float64(min(f.retryAfter, longestAsked)) * (1 + 0.2*random)
	return time.Duration(max(backoff*spread, asked))
}

// save replaces a file as a whole or not at all. Only its owner may read it.
func save(path string, document []byte) error {
	// Another process may write the same file, so each has its own unfinished one, with mode 600.
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.partial")
	if err != nil {
		return err
	}
	_, err = file.Write(document)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	// Processes that were killed left theirs.
	unfinished, _ := filepath.Glob(path + ".*.partial")
	for _, name := range unfinished {
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > time.Minute {
			_ = os.Remove(name)
		}
	}
	return nil
}
