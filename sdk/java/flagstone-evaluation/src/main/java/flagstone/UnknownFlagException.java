package flagstone;

/** The document has no flag with this key. */
public final class UnknownFlagException extends EvaluationException {
  private static final long serialVersionUID = 1;

  UnknownFlagException() {
    super("Flag not found");
  }
}
