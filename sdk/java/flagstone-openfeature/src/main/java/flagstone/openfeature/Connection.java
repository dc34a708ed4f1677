package flagstone.openfeature;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Requests to one address, one at a time. Redirects, which would carry the key, are not followed.
 */
final class Connection {
  /** For a whole answer. */
  static final long TIMEOUT = TimeUnit.SECONDS.toNanos(10);

  /** Of a stream; a comment comes every 20 s. */
  private static final long LONGEST_SILENCE = TimeUnit.SECONDS.toNanos(60);

  /** Bytes of a stream. */
  private static final int LONGEST_LINE = 16 * 1024;

  /** Takes the next of what arrives; null if nothing has arrived until then. */
  interface Waiting {
    @Nullable Object take(BlockingQueue<Object> arriving, long nanoseconds)
        throws InterruptedException;
  }

  /** What a stream says: the tag of the document; null if a block names none. */
  interface Listener {
    void hear(@Nullable String tag) throws InterruptedException;
  }

  /** A good answer. */
  static final class Answer {
    /** The document; null if it still has the tag of the request. */
    final byte @Nullable [] document;

    final @Nullable String tag;

    /** Whether a proxy answered rather than a CDN: proxies say how many requests are left. */
    final boolean isFromProxy;

    Answer(byte @Nullable [] document, @Nullable String tag, boolean isFromProxy) {
      this.document = document;
      this.tag = tag;
      this.isFromProxy = isFromProxy;
    }
  }

  final Address address;
  private final Map<String, String> headers;
  private final long limit;

  /** Null when closed. */
  private volatile @Nullable HttpClient client;

  Connection(Address address, Map<String, String> headers, long limit) {
    this.address = address;
    this.headers = headers;
    this.limit = limit;
    this.client =
        HttpClient.newBuilder()
            // HTTP/2 would send every later request over a connection that is dead, HTTP/1.1 only
            // one.
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofNanos(TIMEOUT))
            .build();
  }

  /** Requests nothing any more, and ends the client's threads. */
  void close() {
    HttpClient closing = client;
    client = null;
    if (closing != null) {
      try {
        HttpClient.class.getMethod("shutdownNow").invoke(closing);
      } catch (ReflectiveOperationException e) {
        // Before Java 21, its threads end once it has been garbage-collected.
      }
    }
  }

  /** Requests the document, unless it still has this tag. */
  Answer fetch(@Nullable String tag, Waiting waiting) throws FetchException, InterruptedException {
    HttpRequest.Builder request =
        request(address.document, "application/json", "If-None-Match", tag)
            .setHeader("Accept-Encoding", "gzip");
    try (Arriving arriving = new Arriving(request.build(), waiting)) {
      HttpResponse<?> response = arriving.response();
      boolean isFromProxy = response.headers().firstValue("X-RateLimit-Limit").isPresent();
      // Another text than this could not be sent back.
      String newTag =
          response.headers().firstValue("ETag").filter(t -> t.matches("[ -~]+")).orElse(null);
      if (response.statusCode() == 200) {
        boolean isGzip =
            response.headers().firstValue("Content-Encoding").orElse("").equalsIgnoreCase("gzip");
        return new Answer(read(arriving, isGzip), newTag, isFromProxy);
      }
      if (response.statusCode() == 304 && tag != null) {
        return new Answer(null, tag, isFromProxy);
      }
      throw refusal(response);
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** The document. No more than the limit is read or decompressed: 3 MB may become 3 GB. */
  private byte[] read(Arriving arriving, boolean isGzip) throws IOException, InterruptedException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    for (List<ByteBuffer> next = arriving.next(); next != null; next = arriving.next()) {
      for (ByteBuffer part : next) {
        byte[] bytes = new byte[part.remaining()];
        part.get(bytes);
        read.write(bytes, 0, bytes.length);
      }
      requireWithinLimit(read.size());
    }
    byte[] answer = read.toByteArray();
    if (!isGzip) {
      return answer;
    }
    try (InputStream inflating = new GZIPInputStream(new ByteArrayInputStream(answer))) {
      byte[] document = inflating.readNBytes((int) Math.min(limit, Integer.MAX_VALUE - 1) + 1);
      requireWithinLimit(document.length);
      return document;
    }
  }

  private void requireWithinLimit(int size) throws IOException {
    if (size > limit) {
      throw new IOException(
          String.format(
              "it has more than %d bytes: if its document is that long, set documentLimit", limit));
    }
  }

  /** Listens to the stream of events until it ends, or is silent for too long. */
  void listen(URI events, @Nullable String tag, Waiting waiting, Listener listener)
      throws FetchException, InterruptedException {
    HttpRequest.Builder request = request(events, "text/event-stream", "Last-Event-ID", tag);
    try (Arriving arriving = new Arriving(request.build(), waiting)) {
      HttpResponse<?> response = arriving.response();
      int status = response.statusCode();
      if (status != 200 || !contentType(response).startsWith("text/event-stream")) {
        FetchException refusal = refusal(response);
        boolean hasNone = status < 500 && status != 429;
        throw new FetchException(refusal.reason(), hasNone, refusal.retryAfter);
      }
      StringBuilder line = new StringBuilder();
      String announced = null;
      while (true) {
        arriving.expectWithin(LONGEST_SILENCE);
        List<ByteBuffer> next = arriving.next();
        if (next == null) {
          throw new IOException("the stream broke");
        }
        for (ByteBuffer part : next) {
          while (part.hasRemaining()) {
            char letter = (char) (part.get() & 0xff);
            if (letter != '\n') {
              line.append(letter);
              if (line.length() > LONGEST_LINE) {
                throw new IOException("the stream has too long a line");
              }
              continue;
            }
            String text = line.toString().trim();
            line.setLength(0);
            if (text.isEmpty()) {
              listener.hear(announced);
              announced = null;
            } else if (text.startsWith("id:")) {
              announced = text.substring(3).trim();
            }
          }
        }
      }
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private HttpRequest.Builder request(
      URI uri, String accepted, String condition, @Nullable String tag) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).setHeader("Accept", accepted);
    if (tag != null) {
      request.setHeader(condition, tag);
    }
    if (Runtime.version().feature() < 26) { // From then on, it would end streams.
      request.timeout(Duration.ofNanos(TIMEOUT));
    }
    headers.forEach(request::setHeader);
    return request;
  }

  private FetchException broken(IOException failure) {
    String reason = failure.getMessage();
    if (failure.getCause() instanceof UnresolvedAddressException) {
      reason = "its host is unknown";
    } else if (reason == null || reason.isEmpty()) {
      reason = failure.getClass().getSimpleName();
    }
    return new FetchException(address.shown + " cannot be read: " + reason);
  }

  private static String contentType(HttpResponse<?> response) {
    return response.headers().firstValue("Content-Type").orElse("").toLowerCase(Locale.ROOT);
  }

  private FetchException refusal(HttpResponse<?> response) {
    int status = response.statusCode();
    String fix = "";
    if (status == 401) {
      fix = ": use an apiKey that is valid now";
    } else if (status == 403 && contentType(response).startsWith("application/json")) {
      // Without JSON it is a firewall's, which has a page.
      fix = ": use an apiKey that may read; this one may only evaluate";
    } else if (status == 404) {
      fix = ": check the url, and that something was published there";
    } else if (status / 100 == 3) {
      fix = ": redirects are not followed; set url to the final URL";
    }
    boolean mayAsk = status == 429 || status == 503;
    String asked = mayAsk ? response.headers().firstValue("Retry-After").orElse("") : "";
    return new FetchException(
        address.shown + " returned " + status + fix,
        status == 401 || status == 403,
        nanoseconds(asked, Instant.now()));
  }

  /** RFC 9110, 10.2.3: seconds or a date. 0 for anything else, and for no time. At most a day. */
  static long nanoseconds(String retryAfter, Instant now) {
    double seconds = 0;
    if (retryAfter.matches("[0-9]+")) {
      seconds = Double.parseDouble(retryAfter);
    } else {
      try {
        Instant until =
            ZonedDateTime.parse(retryAfter, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
        seconds = until.getEpochSecond() - now.getEpochSecond();
      } catch (DateTimeParseException e) {
        // The server asks for nothing.
      }
    }
    return (long) (Math.max(0, Math.min(seconds, 86_400)) * 1e9);
  }

  /** A request, and what arrives of its answer. No more is read than is taken. */
  private final class Arriving implements AutoCloseable, Flow.Subscriber<List<ByteBuffer>> {
    private final Object end = new Object();
    private final BlockingQueue<Object> arriving = new LinkedBlockingQueue<>();
    private final Waiting waiting;
    private final CompletableFuture<HttpResponse<Flow.Publisher<List<ByteBuffer>>>> answer;
    private Flow.@Nullable Subscription subscription;
    private long deadline = System.nanoTime() + TIMEOUT;

    Arriving(HttpRequest request, Waiting waiting) {
      this.waiting = waiting;
      HttpClient open = client;
      answer =
          open == null
              ? CompletableFuture.failedFuture(new IOException("closed"))
              : open.sendAsync(request, BodyHandlers.ofPublisher());
      var unused =
          answer.whenComplete(
              (response, failure) -> arriving.add(failure == null ? response : failure));
    }

    void expectWithin(long nanoseconds) {
      deadline = System.nanoTime() + nanoseconds;
    }

    HttpResponse<?> response() throws IOException, InterruptedException {
      HttpResponse<?> response = (HttpResponse<?>) take();
      answer.join().body().subscribe(this);
      subscription = (Flow.Subscription) take();
      return response;
    }

    /** The next bytes; null if there are no more. */
    @SuppressWarnings("unchecked") // onNext adds them
    @Nullable List<ByteBuffer> next() throws IOException, InterruptedException {
      if (subscription != null) {
        subscription.request(1);
      }
      Object next = take();
      return next == end ? null : (List<ByteBuffer>) next;
    }

    private Object take() throws IOException, InterruptedException {
      Object next = waiting.take(arriving, deadline - System.nanoTime());
      if (next == null) {
        throw new IOException("it took too long to respond");
      }
      if (next instanceof Throwable) {
        Throwable cause = ((Throwable) next).getCause();
        throw next instanceof IOException
            ? (IOException) next
            : cause instanceof IOException
                ? (IOException) cause
                : new IOException((Throwable) next);
      }
      return next;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      arriving.add(subscription);
    }

    @Override
    public void onNext(List<ByteBuffer> part) {
      arriving.add(part);
    }

    @Override
    public void onError(Throwable failure) {
      arriving.add(failure);
    }

    @Override
    public void onComplete() {
      arriving.add(end);
    }

    /** Closes the connection, unless the answer has ended. */
    @Override
    public void close() {
      var unused = answer.cancel(true);
      if (subscription != null) {
        subscription.cancel();
      }
    }
  }
}
