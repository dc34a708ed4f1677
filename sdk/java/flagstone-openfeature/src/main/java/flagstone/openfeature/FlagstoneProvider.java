package flagstone.openfeature;

import dev.openfeature.sdk.ErrorCode;
import dev.openfeature.sdk.EvaluationContext;
import dev.openfeature.sdk.EventProvider;
import dev.openfeature.sdk.Metadata;
import dev.openfeature.sdk.MutableStructure;
import dev.openfeature.sdk.ProviderEvaluation;
import dev.openfeature.sdk.Reason;
import dev.openfeature.sdk.Value;
import dev.openfeature.sdk.exceptions.FatalError;
import dev.openfeature.sdk.exceptions.ProviderNotReadyError;
import flagstone.Evaluation;
import flagstone.Evaluator;
import flagstone.UnknownFlagException;
import flagstone.UnknownOperatorException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates flags in process; contexts never leave the application.
 *
 * <pre>{@code
 * FlagstoneProvider provider =
 *     FlagstoneProvider.builder().url("https://flags.example").apiKey(key).build();
 * OpenFeatureAPI.getInstance().setProviderAndWait(provider);
 * }</pre>
 *
 * <p>After the first good document there are always flags: later failures make them stale, but they
 * stay. One daemon thread follows the document, beside those of {@code java.net.http}; the logger
 * {@code flagstone} says once what went stale, was refused, or is well again.
 */
public final class FlagstoneProvider extends EventProvider {
  private final @Nullable String clockAttribute;
  private final @Nullable Flags fixed;
  private final @Nullable Address address;
  private final Builder options;
  private volatile @Nullable Follower follower;
  private boolean isShutDown;

  private FlagstoneProvider(Builder options, @Nullable Address address) {
    this.options = options.copy();
    this.address = address;
    clockAttribute = options.clockAttribute;
    fixed = options.document == null ? null : new Flags(options.document);
  }

  /** A builder, which needs a url or a document. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public Metadata getMetadata() {
    return () -> "Flagstone";
  }

  /**
   * Returns when there are flags. If the answer takes more than 2 s, those of the cache or the
   * document count until it comes.
   *
   * @throws FatalError if the key is refused
   * @throws ProviderNotReadyError if there are no flags yet; the server is asked again in both
   *     cases
   */
  @Override
  public void initialize(EvaluationContext context) throws Exception {
    if (address == null) {
      return;
    }
    Follower started;
    synchronized (this) { // The SDK starts and shuts down in different threads.
      stop();
      if (isShutDown) {
        throw new ProviderNotReadyError("the provider was shut down");
      }
      Connection connection =
          new Connection(address, Map.copyOf(options.headers), options.documentLimit);
      started = new Follower(connection, options, fixed, this::emit);
      follower = started;
      started.start();
    }
    try {
      started.awaitFlags();
    } catch (FetchException e) {
      if (e.isRefused) {
        throw new FatalError(e.reason());
      }
      throw new ProviderNotReadyError(e.reason());
    }
  }

  /**
   * Ends the thread that follows the document, and those of {@code java.net.http}: before Java 21,
   * with the next garbage collection. Like all providers, it cannot be used again.
   */
  @Override
  public void shutdown() {
    synchronized (this) {
      isShutDown = true;
      stop();
    }
    super.shutdown();
  }

  private void stop() {
    Follower running = follower;
    if (running != null) {
      running.stop();
    }
  }

  @Override
  public ProviderEvaluation<Boolean> getBooleanEvaluation(
      String key, Boolean defaultValue, EvaluationContext context) {
    return resolve(key, defaultValue, context, "boolean", value -> as(Boolean.class, value));
  }

  @Override
  public ProviderEvaluation<String> getStringEvaluation(
      String key, String defaultValue, EvaluationContext context) {
    return resolve(key, defaultValue, context, "string", value -> as(String.class, value));
  }

  /** Resolves a whole number, also if it is written with a point. */
  @Override
  public ProviderEvaluation<Integer> getIntegerEvaluation(
      String key, Integer defaultValue, EvaluationContext context) {
    return resolve(
        key,
        defaultValue,
        context,
        "integer",
        value -> isWhole(value, 0x1p31) ? (Integer) ((Double) value).intValue() : null);
  }

  /** Resolves a whole number, also if it is written with a point. */
  @Override
  public ProviderEvaluation<Long> getLongEvaluation(
      String key, Long defaultValue, EvaluationContext context) {
    return resolve(
        key,
        defaultValue,
        context,
        "integer",
        value -> isWhole(value, 0x1p63) ? (Long) ((Double) value).longValue() : null);
  }

  /** Resolves a number, also if it is written without a point. */
  @Override
  public ProviderEvaluation<Double> getDoubleEvaluation(
      String key, Double defaultValue, EvaluationContext context) {
    return resolve(key, defaultValue, context, "number", value -> as(Double.class, value));
  }

  /** Resolves an object or a list, which belongs to the caller. */
  @Override
  public ProviderEvaluation<Value> getObjectEvaluation(
      String key, Value defaultValue, EvaluationContext context) {
    return resolve(
        key,
        defaultValue,
        context,
        "object",
        value -> value instanceof Map || value instanceof List ? copy(value) : null);
  }

  private static <T> @Nullable T as(Class<T> type, @Nullable Object value) {
    return type.isInstance(value) ? type.cast(value) : null;
  }

  /** Whether a value is a whole number from minus the limit up to, not including, the limit. */
  private static boolean isWhole(@Nullable Object value, double limit) {
    double number = value instanceof Double ? (Double) value : Double.NaN;
    return Math.rint(number) == number && -limit <= number && number < limit;
  }

  private static Value copy(@Nullable Object value) {
    if (value instanceof Map) {
      MutableStructure members = new MutableStructure();
      ((Map<?, ?>) value).forEach((name, member) -> members.add((String) name, copy(member)));
      return new Value(members);
    }
    if (value instanceof List) {
      List<Value> elements = new ArrayList<>();
      ((List<?>) value).forEach(element -> elements.add(copy(element)));
      return new Value(elements);
    }
    if (value instanceof Boolean) {
      return new Value((Boolean) value);
    }
    if (value instanceof Double) {
      return new Value((Double) value);
    }
    return value == null ? new Value() : new Value((String) value);
  }

  private <T> ProviderEvaluation<T> resolve(
      String key,
      T defaultValue,
      @Nullable EvaluationContext context,
      String type,
      Function<@Nullable Object, @Nullable T> read) {
    Follower following = follower;
    Flags flags = following == null ? fixed : following.flags;
    if (flags == null) {
      FetchException failure = following == null ? null : following.failure;
      String reason = failure == null ? "no response so far" : failure.reason();
      return failed(
          defaultValue, ErrorCode.PROVIDER_NOT_READY, "there are no flags yet: " + reason);
    }
    Evaluation evaluation;
    try {
      evaluation = flags.evaluator.evaluate(key, new Attributes(context, clockAttribute));
    } catch (UnknownFlagException e) {
      return failed(defaultValue, ErrorCode.FLAG_NOT_FOUND, e.getMessage());
    } catch (UnknownOperatorException e) {
      return failed(defaultValue, ErrorCode.GENERAL, e.getMessage());
    }
    T value = read.apply(evaluation.value());
    if (value == null) {
      return failed(
          defaultValue, ErrorCode.TYPE_MISMATCH, "The value of " + key + " is not of type " + type);
    }
    String rule = evaluation.rule();
    return ProviderEvaluation.<T>builder()
        .value(value)
        .reason((flags.evaluator.isStatic(key) ? Reason.STATIC : reason(evaluation)).toString())
        .variant(rule == null ? "default" : rule)
        .flagMetadata(flags.metadata)
        .build();
  }

  private static Reason reason(Evaluation evaluation) {
    switch (evaluation.cause()) {
      case RULE:
      case ALWAYS:
        return Reason.TARGETING_MATCH;
      case SHARE:
        return Reason.SPLIT;
      default: // with DISABLED, some clients would give the caller's default
        return Reason.DEFAULT;
    }
  }

  private static <T> ProviderEvaluation<T> failed(
      T defaultValue, ErrorCode code, @Nullable String message) {
    return ProviderEvaluation.<T>builder()
        .value(defaultValue)
        .reason(Reason.ERROR.toString())
        .errorCode(code)
        .errorMessage(message)
        .build();
  }

  /** Where the flags come from. */
  public static final class Builder {
    private static final Duration A_DAY = Duration.ofDays(1);

    /**
     * Whoever asks for less has mistaken the unit: it would flood the server, or flags would always
     * be stale.
     */
    private static final Duration SHORTEST = Duration.ofMillis(100);

    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private @Nullable String url;
    private long documentLimit = 64 << 20;
    private @Nullable Duration staleAfter;
    Duration pollInterval = Duration.ofSeconds(30);
    @Nullable Path cacheFile;
    @Nullable String clockAttribute;
    @Nullable Evaluator document;
    boolean events = true;

    private Builder() {
      // Some firewalls refuse the names of libraries.
      headers.put("User-Agent", "flagstone-java/0.1.0");
    }

    private Builder copy() {
      Builder copy = new Builder();
      copy.headers.putAll(headers);
      copy.documentLimit = documentLimit;
      copy.staleAfter = staleAfter;
      copy.pollInterval = pollInterval;
      copy.cacheFile = cacheFile;
      copy.events = events;
      return copy;
    }

    /**
     * The proxy's address, or an environment's on a CDN; if it ends in {@code .json}, the
     * document's own.
     */
    public Builder url(String url) {
      this.url = url;
      return this;
    }

    /**
     * A key that may read, sent as {@code Authorization: Bearer}. A CDN may need none.
     *
     * @throws IllegalArgumentException if it is empty, or no header can have it
     */
    public Builder apiKey(String apiKey) {
      if (apiKey.isEmpty()) {
        throw new IllegalArgumentException(
            "apiKey must not be empty: leave it out if there is none");
      }
      return header("Authorization", "Bearer " + apiKey);
    }

    /**
     * A header that is sent with every request.
     *
     * @throws IllegalArgumentException if no header can have this name or value
     */
    public Builder header(String name, String value) {
      var unused = HttpRequest.newBuilder().setHeader(name, ""); // throws for such a name
      if (!value
          .chars()
          .allMatch(c -> c == '\t' || (' ' <= c && c <= '~') || (160 <= c && c < 256))) {
        throw new IllegalArgumentException(
            "apiKey and headers must be single lines of Latin characters");
      }
      headers.put(name, value);
      return this;
    }

    /** Whether to listen for changes if the server is a proxy. True by default. */
    public Builder events(boolean events) {
      this.events = events;
      return this;
    }

    /**
     * Between two requests while it does not listen, a fifth more or less. 30 s by default, and at
     * least 100 ms.
     */
    public Builder pollInterval(Duration pollInterval) {
      this.pollInterval = requireDuration("pollInterval", pollInterval);
      return this;
    }

    /**
     * Without a good answer for so long, the flags are stale. Three poll intervals by default, and
     * at least 100 ms.
     */
    public Builder staleAfter(Duration staleAfter) {
      this.staleAfter = requireDuration("staleAfter", staleAfter);
      return this;
    }

    /** Gets the current time if a context lacks this attribute, for schedules. */
    public Builder clockAttribute(String clockAttribute) {
      this.clockAttribute = clockAttribute;
      return this;
    }

    /** Keeps the last document for a start without network. Use one file per environment. */
    public Builder cacheFile(Path cacheFile) {
      this.cacheFile = cacheFile;
      return this;
    }

    /** Bytes of a document, compressed or not; a longer one is refused. 64 MiB by default. */
    public Builder documentLimit(long documentLimit) {
      if (documentLimit <= 0) {
        throw new IllegalArgumentException("documentLimit must be bytes, more than 0");
      }
      this.documentLimit = documentLimit;
      return this;
    }

    /**
     * A document that has the flags. Beside a url they are stale, and last until the server or the
     * cache gives some.
     */
    public Builder document(Evaluator document) {
      this.document = document;
      return this;
    }

    /**
     * The provider, which asks for nothing before it is initialized.
     *
     * @throws IllegalArgumentException if an option is wrong, or neither url nor document is given
     */
    public FlagstoneProvider build() {
      if (url == null && document == null) {
        throw new IllegalArgumentException("give url or document");
      }
      return new FlagstoneProvider(this, url == null ? null : Address.of(url));
    }

    Duration staleAfter() {
      return staleAfter == null ? pollInterval.multipliedBy(3) : staleAfter;
    }

    private static Duration requireDuration(String name, Duration duration) {
      if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(A_DAY) > 0) {
        throw new IllegalArgumentException(
            name
                + " must be at least 100 ms and at most a day, such as Duration.ofSeconds(30): "
                + duration);
      }
      return duration;
    }
  }
}
