package flagstone;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the flags of one document, without clock, randomness or I/O. It never changes, and
 * threads may share it.
 */
public final class Evaluator {
  private final Map<String, Flag> flags;
  private final @Nullable String flagSet;
  private final @Nullable String version;

  private Evaluator(Map<String, Flag> flags, @Nullable String flagSet, @Nullable String version) {
    this.flags = flags;
    this.flagSet = flagSet;
    this.version = version;
  }

  /**
   * Reads a document, such as the body of {@code GET /v1/flags}. Rules are compiled when a flag is
   * first evaluated.
   *
   * @param document JSON in UTF-8
   * @throws IllegalArgumentException if it is none, with what is wrong; all SDKs refuse the same
   *     documents
   */
  public static Evaluator of(byte[] document) {
    // Before the reading, which keeps the compiler busy: uncompiled, this takes several times as
    // long.
    String version = version(document);
    Document read = Document.read(document);
    return new Evaluator(read.flags, read.flagSet, version);
  }

  /** Does the same with a text. */
  public static Evaluator of(String document) {
    return of(document.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Flags with one value each, for everyone, by key: for tests.
   *
   * @param values null, booleans, numbers, strings, lists and maps by string, which are copied
   * @throws IllegalArgumentException if a value is of another type
   */
  public static Evaluator ofValues(Map<String, ? extends @Nullable Object> values) {
    Map<String, Flag> flags = new HashMap<>();
    values.forEach((key, value) -> flags.put(key, Flag.ofValue(key, Json.copy(value))));
    return new Evaluator(flags, null, null);
  }

  /**
   * Evaluates a flag for a context: attributes by name, of the types that the package describes. It
   * takes time linear in the size of the context.
   *
   * <p>Nothing is allocated for {@code always} and {@code exists}, for a {@code String} that is
   * compared as text ({@code equals}, {@code contains}, {@code startsWith}, {@code endsWith},
   * {@code in}), for a {@code Number} as a number or a moment, for an {@code Instant} as a moment,
   * and for negations and groups of these. Shares, expressions, versions, ignored case, lists and
   * other types of attributes may take some hundred bytes.
   *
   * @throws UnknownFlagException if the document has no flag with this key
   * @throws UnknownOperatorException if the rule that decides has an operator of the project's own
   */
  public Evaluation evaluate(String key, Map<String, ? extends @Nullable Object> context) {
    Flag flag = flags.get(key);
    if (flag == null) {
      throw new UnknownFlagException();
    }
    return flag.evaluate(context);
  }

  /**
   * Whether a flag is enabled and has one value for everyone: it has no rules, or its first rule
   * matches everyone.
   */
  public boolean isStatic(String key) {
    Flag flag = flags.get(key);
    return flag != null && flag.isStatic();
  }

  /**
   * The ids of the document's project and environment, as in {@code shop/production}; null if the
   * environment configures no flag.
   */
  public @Nullable String flagSet() {
    return flagSet;
  }

  /** Names the document: the first 32 hexadecimal digits of its SHA-256. Null for values. */
  public @Nullable String version() {
    return version;
  }

  /**
   * The sorted keys of the flags that are new, are gone, or may give a user another value than in a
   * previous document.
   */
  public List<String> changedFlags(Evaluator previous) {
    TreeSet<String> keys = new TreeSet<>(flags.keySet());
    keys.addAll(previous.flags.keySet());
    return keys.stream()
        .filter(key -> !Objects.equals(flags.get(key), previous.flags.get(key)))
        .collect(Collectors.toUnmodifiableList());
  }

  private static String version(byte[] document) {
    StringBuilder digits = new StringBuilder();
    for (byte b : Share.sha256(document)) {
      digits.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
    }
    return digits.substring(0, 32);
  }
}
