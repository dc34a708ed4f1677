package flagstone;

/** The rule that decides has an operator that only the project's own code knows. */
public final class UnknownOperatorException extends EvaluationException {
  private static final long serialVersionUID = 1;

  UnknownOperatorException(String rule, String operator) {
    super(
        String.format(
            "rule %s decides by the operator %s, which only the project's own code knows",
            rule, operator));
  }
}
