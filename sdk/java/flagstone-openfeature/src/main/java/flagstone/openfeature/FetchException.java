package flagstone.openfeature;

/** There is no answer, or none that can be used. The message has no secret. */
final class FetchException extends Exception {
  private static final long serialVersionUID = 1;

  /** Whether it is useless to ask again soon. */
  final boolean isRefused;

  /** Nanoseconds that the server asks to wait; 0 if it does not say. */
  final long retryAfter;

  FetchException(String message) {
    this(message, false, 0);
  }

  FetchException(String message, boolean isRefused, long retryAfter) {
    super(message, null, false, false);
    this.isRefused = isRefused;
    this.retryAfter = retryAfter;
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
