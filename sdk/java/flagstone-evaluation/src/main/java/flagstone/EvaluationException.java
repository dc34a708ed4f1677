package flagstone;

/** There is no value: the caller's own default applies. */
public abstract class EvaluationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  EvaluationException(String message) {
    super(message);
  }
}
