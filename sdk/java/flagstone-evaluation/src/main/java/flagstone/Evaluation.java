package flagstone;

import org.jspecify.annotations.Nullable;

/** What a flag evaluates to. Evaluations are shared and never change. */
public final class Evaluation {
  private final @Nullable Object value;
  private final Cause cause;
  private final @Nullable String rule;

  Evaluation(@Nullable Object value, Cause cause, @Nullable String rule) {
    this.value = value;
    this.cause = cause;
    this.rule = rule;
  }

  /**
   * The value: null, or a {@code Boolean}, {@code Double}, {@code String}, {@code List} or {@code
   * Map}. Lists and maps cannot be modified.
   */
  public @Nullable Object value() {
    return value;
  }

  /** Why the flag has this value. */
  public Cause cause() {
    return cause;
  }

  /** The id of the rule that gave the value; null if none did. */
  public @Nullable String rule() {
    return rule;
  }

  @Override
  public String toString() {
    return "Evaluation[value=" + value + ", cause=" + cause + ", rule=" + rule + "]";
  }
}
