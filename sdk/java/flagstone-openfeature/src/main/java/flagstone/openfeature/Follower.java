package flagstone.openfeature;

import dev.openfeature.sdk.Awaitable;
import dev.openfeature.sdk.ProviderEvent;
import dev.openfeature.sdk.ProviderEventDetails;
import flagstone.Evaluator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a document: one thread asks for it, listens for changes, and says what happens. Once
 * there are flags, there always are. Times are nanoseconds.
 */
final class Follower {
  private static final Logger LOGGER = LoggerFactory.getLogger("flagstone");

  private static final long NEVER = Long.MAX_VALUE;

  /** With the first answer, if there are other flags. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(2);

  private static final long SOON = TimeUnit.SECONDS.toNanos(1);
  private static final long SLOW = TimeUnit.MINUTES.toNanos(5);
  private static final long LONGEST_ASKED = TimeUnit.HOURS.toNanos(1);

  /** Something cuts off a stream that ends sooner. */
  private static final long SHORT_LIFE = TimeUnit.SECONDS.toNanos(30);

  /** Of what happens to many at the same time: the end of their streams. */
  private static final long SPREAD = TimeUnit.SECONDS.toNanos(4);

  private static final long SLOWEST_TRY = TimeUnit.MINUTES.toNanos(1);

  private final Connection connection;
  private final BiFunction<ProviderEvent, ProviderEventDetails, Awaitable> emit;
  private final boolean listens;
  private final long pollInterval;
  private final long staleAfter;
  private final @Nullable Path cacheFile;
  private final @Nullable Flags fallback;
  final Thread thread = new Thread(this::run, "flagstone");
  private final CompletableFuture<Void> begun = new CompletableFuture<>();
  private final long origin = System.nanoTime();

  /** The last good flags; null if there are none yet. */
  volatile @Nullable Flags flags;

  /** Of the last request; null if its answer was good. */
  volatile @Nullable FetchException failure;

  private volatile boolean isStopped;

  // The rest is the thread's own.
  private int failures;
  private int streamFailures;
  private @Nullable String tag;

  /** Of the document of the last answer that had one. */
  private @Nullable String version;

  /** The last document, until it is in the cache file. */
  private byte @Nullable [] unsaved;

  /** The tag of the last event. */
  private @Nullable String wanted;

  /** Whether the log says that the document cannot be saved: it would again at every poll. */
  private boolean hasWarned;

  private boolean isListening;

  /** Whether a request for the document is under way, perhaps beside a stream. */
  private boolean isAsking;

  /** Whether the application believes that the flags are current. */
  private boolean isTrusted = true;

  private Awaitable lastEvent = Awaitable.FINISHED;
  private long askAt = NEVER;
  private long listenAt = NEVER;
  private long staleAt = NEVER;

  /** When the first answer is late; never once saved flags have been looked for. */
  private long lateAt = NEVER;

  Follower(
      Connection connection,
      FlagstoneProvider.Builder options,
      @Nullable Flags fallback,
      BiFunction<ProviderEvent, ProviderEventDetails, Awaitable> emit) {
    this.connection = connection;
    this.emit = emit;
    this.fallback = fallback;
    listens = options.events && connection.address.events != null;
    pollInterval = options.pollInterval.toNanos();
    staleAfter = options.staleAfter().toNanos();
    cacheFile = options.cacheFile;
    thread.setDaemon(true);
  }

  /** Follows the flags until it is stopped. */
  void start() {
    thread.start();
  }

  /** Returns when there are flags. Throws what went wrong if there are none. */
  void awaitFlags() throws FetchException {
    begun.join();
    FetchException failure = this.failure;
    if (failure != null && flags == null) {
      throw failure;
    }
    if (isStopped) {
      throw new FetchException("the provider was shut down");
    }
  }

  /** Ends the thread. There are no events afterwards. */
  void stop() {
    isStopped = true;
    thread.interrupt();
    begun.complete(null);
    if (Thread.currentThread() != thread) {
      try {
        thread.join(1_000); // What it does to the cache file may take longer.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    connection.close();
  }

  private void run() {
    try {
      lateAt = now() + PATIENCE;
      ask();
      if (failure != null && lateAt != NEVER) {
        takeSaved();
      }
      lateAt = NEVER;
      if (flags == null) {
        isTrusted = false;
        logNoFlags();
      }
      begun.complete(null);
      while (true) {
        long next = Math.min(askAt, Math.min(listenAt, staleAt));
        TimeUnit.NANOSECONDS.sleep(next - now());
        doWhatIsDue(true);
        if (now() >= listenAt) {
          listen();
        }
      }
    } catch (InterruptedException e) {
      // stop has been called.
    } finally {
      begun.complete(null);
    }
  }

  private long now() {
    return System.nanoTime() - origin;
  }

  private void doWhatIsDue(boolean polls) throws InterruptedException {
    if (now() >= staleAt) {
      distrust();
    }
    if (polls && now() >= askAt) {
      askAgain();
    }
  }

  private void ask() throws InterruptedException {
    FetchException failed = null;
    isAsking = true;
    try {
      Connection.Answer answer = connection.fetch(tag, this::await);
      if (answer.document != null) {
        take(answer.document);
      }
      save();
      tag = answer.tag;
      if (answer.isFromProxy && listens && listenAt == NEVER && !isListening) {
        listenAt = now();
      }
    } catch (FetchException e) {
      failed = e;
    } catch (IllegalArgumentException e) {
      failed = new FetchException(connection.address.shown + ": " + e.getMessage());
    } catch (RuntimeException | Error e) { // Whatever happens, the server is followed.
      failed = new FetchException(connection.address.shown + ": " + e);
    } finally {
      isAsking = false;
    }
    failure = failed;
    failures = failed == null ? 0 : failures + 1;
    plan();
    if (failed == null) {
      confirm();
      trust();
    } else if (isListening && failures == 1) {
      staleAt = now() + staleAfter;
    }
  }

  private void askAgain() throws InterruptedException {
    FetchException before = failure;
    ask();
    FetchException failed = failure;
    if (failed != null && failed.isRefused) {
      distrust();
      if (flags == null && (before == null || !before.isRefused)) {
        logNoFlags();
        say(
            ProviderEvent.PROVIDER_ERROR,
            ProviderEventDetails.builder().message(failed.reason()).build());
      }
    }
  }

  private void plan() {
    boolean isCalm = isListening && failure == null && hasWanted();
    long interval = isCalm ? Math.max(pollInterval, SLOW) : pollInterval;
    askAt = now() + delay(interval, failure, failures, flags != null, chance());
  }

  /** Whether the announced document is here: the proxy that answers may not have it yet. */
  private boolean hasWanted() {
    return wanted == null || (tag != null && tag.contains(wanted));
  }

  /** The flags are current until the stream or a request says otherwise. */
  private void confirm() {
    staleAt = isListening ? NEVER : now() + staleAfter;
  }

  private void trust() throws InterruptedException {
    if (!isTrusted) {
      isTrusted = true;
      LOGGER.info("the flags are current");
      say(ProviderEvent.PROVIDER_READY, ProviderEventDetails.builder().build());
    }
  }

  private void distrust() throws InterruptedException {
    staleAt = NEVER;
    if (isTrusted && flags != null) {
      isTrusted = false;
      FetchException failed = failure;
      String reason =
          failed == null
              ? connection.address.shown + " gave no valid response for too long"
              : failed.reason();
      LOGGER.warn("the flags are stale: {}", reason);
      say(ProviderEvent.PROVIDER_STALE, ProviderEventDetails.builder().message(reason).build());
    }
  }

  private void listen() throws InterruptedException {
    long began = now();
    FetchException failed;
    try {
      var events = connection.address.events;
      if (events == null) {
        return;
      }
      connection.listen(events, tag, this::await, this::hear);
      failed = new FetchException("the stream broke");
    } catch (FetchException e) {
      failed = e;
    } catch (RuntimeException | Error e) {
      LOGGER.warn("changes cannot be listened for: {}", e.toString());
      failed = new FetchException("changes cannot be listened for");
    }
    boolean hasLasted = isListening && now() - began >= SHORT_LIFE;
    if (isListening) {
      setListening(false);
    }
    streamFailures = hasLasted ? 0 : streamFailures + 1;
    listenAt =
        now()
            + (hasLasted
                ? (long) (SPREAD * chance())
                : delay(SLOWEST_TRY, failed, streamFailures, false, chance()));
  }

  private void hear(@Nullable String announced) throws InterruptedException {
    if (!isListening) {
      setListening(true);
    }
    if (announced != null) {
      wanted = announced;
      FetchException failed = failure;
      boolean isTurnedAway = failed != null && (failed.isRefused || failed.retryAfter > 0);
      if (!hasWanted() && !isTurnedAway) {
        askAgain();
      }
    }
  }

  private void setListening(boolean isListening) {
    this.isListening = isListening;
    wanted = null; // A stream begins with what is new.
    if (failure == null) {
      confirm();
      plan();
    }
  }

  /**
   * Waits for the server; meanwhile the flags may become stale and, unless it is asked for them,
   * are polled. A start does not wait for a late answer if there are saved flags.
   */
  private @Nullable Object await(BlockingQueue<Object> arriving, long nanoseconds)
      throws InterruptedException {
    long deadline = now() + nanoseconds;
    while (true) {
      boolean polls = !isAsking;
      long until = Math.min(deadline, Math.min(staleAt, polls ? askAt : lateAt));
      Object arrived = arriving.poll(until - now(), TimeUnit.NANOSECONDS);
      if (arrived != null || now() >= deadline) {
        return arrived;
      }
      if (now() >= lateAt) {
        takeSaved();
        if (flags != null) {
          begun.complete(null);
        }
      }
      doWhatIsDue(polls);
    }
  }

  /** Throws IllegalArgumentException if it is no document. */
  private void take(byte[] answered) throws InterruptedException {
    Flags before = flags;
    Flags after = new Flags(Evaluator.of(answered));
    if (Objects.equals(after.evaluator.version(), version)) {
      return;
    }
    flags = after;
    version = after.evaluator.version();
    unsaved = answered;
    List<String> changed =
        before == null ? List.of() : after.evaluator.changedFlags(before.evaluator);
    if (!changed.isEmpty()) {
      say(
          ProviderEvent.PROVIDER_CONFIGURATION_CHANGED,
          ProviderEventDetails.builder().flagsChanged(changed).build());
    }
  }

  /** Writes the cache file: again after each good answer until it succeeds. */
  private void save() {
    if (unsaved == null) {
      return;
    }
    try {
      if (cacheFile != null) {
        CacheFile.write(cacheFile, unsaved);
      }
      unsaved = null;
      hasWarned = false;
    } catch (IOException | RuntimeException e) {
      if (!hasWarned) {
        LOGGER.warn("the flags cannot be saved for the next start: {}", e.toString());
      }
      hasWarned = true;
    }
  }

  private void takeSaved() {
    lateAt = NEVER;
    flags = fallback;
    if (cacheFile != null) {
      try {
        flags = new Flags(Evaluator.of(Files.readAllBytes(cacheFile)));
      } catch (NoSuchFileException e) {
        // There is none.
      } catch (IOException | RuntimeException | Error e) {
        LOGGER.warn("the cache file {} cannot be used: {}", cacheFile, e.toString());
      }
    }
    if (flags != null) {
      // When initialize has returned, the SDK says READY; that they are stale comes after that.
      staleAt = now() + SOON;
    }
  }

  private void logNoFlags() {
    FetchException failed = failure;
    LOGGER.warn("there are no flags: {}", failed == null ? "" : failed.reason());
  }

  private void say(ProviderEvent event, ProviderEventDetails details) throws InterruptedException {
    lastEvent.await(); // The SDK would take both at the same time, in any order.
    if (isStopped) { // The SDK has ignored the interruption.
      throw new InterruptedException();
    }
    try {
      lastEvent = emit.apply(event, details);
    } catch (RuntimeException | Error e) {
      LOGGER.warn("{} cannot be reported: {}", event, e.toString());
    }
  }

  private static double chance() {
    return ThreadLocalRandom.current().nextDouble();
  }

  /**
   * How long to wait until the next request, after so many failures in a row; chance is in [0, 1).
   * It varies by a fifth, so that processes that were started or refused together do not ask
   * together. Never less than the server asked for, up to an hour, and hardly more after a first
   * failure.
   */
  static long delay(
      long interval,
      @Nullable FetchException failure,
      int failures,
      boolean hasFlags,
      double chance) {
    double spread = 0.8 + 0.4 * chance;
    if (failure == null) {
      return (long) (interval * spread);
    }
    double first = interval;
    double slowest = Math.max(interval, SLOW);
    if (failure.isRefused) {
      first = slowest;
    } else if (!hasFlags) { // every second counts
      first = Math.min(interval, SOON);
      slowest = interval;
    }
    if (failure.retryAfter > 0) {
      first = Math.max(failure.retryAfter, SOON);
    }
    double backoff = Math.min(first * Math.pow(2, Math.min(failures - 1, 30)), slowest);
    double asked = Math.min(failure.retryAfter, LONGEST_ASKED) * (1 + 0.2 * chance);
    return (long) Math.max(backoff * spread, asked);
  }
}
