package flagstone;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A flag, which is compiled when it is first evaluated: all flags at once take too long. */
final class Flag {
  final String key;
  private final @Nullable Object type;
  private final Evaluation otherwise;
  private final List<RuleSource> rules;

  /** Threads may compile the same flag at the same time: each gets the same result. */
  private volatile @Nullable List<Rule> compiled;

  private Flag(String key, @Nullable Object type, Evaluation otherwise, List<RuleSource> rules) {
    this.key = key;
    this.type = type;
    this.otherwise = otherwise;
    this.rules = rules;
  }

  /** A flag and its configuration in the environment, which is null if there is none. */
  static Flag of(Document.Members flag, Document.@Nullable Members configuration) {
    Cause cause = Cause.UNCONFIGURED;
    List<RuleSource> rules = List.of();
    if (configuration != null) {
      boolean isEnabled = Boolean.TRUE.equals(configuration.get("enabled"));
      cause = isEnabled ? Cause.DEFAULT : Cause.DISABLED;
      rules = isEnabled ? configuration.rules() : List.of();
    }
    Evaluation otherwise = new Evaluation(flag.get("defaultValue"), cause, null);
    return new Flag(flag.text("key"), flag.text("type").intern(), otherwise, rules);
  }

  /** A flag with one value for everyone. */
  static Flag ofValue(String key, @Nullable Object value) {
    return new Flag(key, null, new Evaluation(value, Cause.UNCONFIGURED, null), List.of());
  }

  Evaluation evaluate(Map<String, ? extends @Nullable Object> context) {
    List<Rule> rules = compiled;
    if (rules == null) {
      compiled = rules = compile();
    }
    for (int i = 0; i < rules.size(); i++) { // An iterator would be allocated.
      Rule rule = rules.get(i);
      Truth truth = rule.condition.truth(context);
      if (truth == Truth.YES) {
        return rule.evaluation;
      }
      if (truth == Truth.UNKNOWN) {
        throw new UnknownOperatorException(
            String.valueOf(rule.evaluation.rule()), rule.unknownOperator);
      }
    }
    return otherwise;
  }

  boolean isStatic() {
    return otherwise.cause() == Cause.DEFAULT
        && (rules.isEmpty() || rules.get(0).operator.equals("always"));
  }

  /** The rules that can be read: the others match nothing. */
  private List<Rule> compile() {
    Expressions expressions = new Expressions();
    List<Rule> readable = new ArrayList<>();
    for (RuleSource rule : rules) {
      try {
        List<ConditionSource> within = new ArrayList<>();
        ConditionSource source =
            ConditionSource.read(rule.attribute, rule.operator, rule.operand, within, 1);
        expressions.add(within);
        readable.add(new Rule(source, rule, new ConditionCompiler(key, expressions)));
      } catch (UnreadableException e) {
        // The evaluation continues with the next rule.
      }
    }
    return readable;
  }

  /** Whether both give everyone the same values. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Flag
        && Objects.equals(type, ((Flag) other).type)
        && Objects.equals(otherwise.value(), ((Flag) other).otherwise.value())
        && rules.equals(((Flag) other).rules);
  }

  @Override
  public int hashCode() {
    return key.hashCode();
  }

  /** A rule as it is written. */
  static final class RuleSource {
    final String id;
    final String attribute;
    final String operator;
    final String operand;
    final @Nullable Object returnValue;

    RuleSource(Document.Members rule) {
      id = rule.text("id");
      // Of these, many rules have the same.
      attribute = rule.text("attribute").intern();
      operator = rule.text("operator").intern();
      operand = rule.text("value");
      returnValue = rule.get("returnValue");
    }

    /** Whether both give everyone the same value. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof RuleSource
          && attribute.equals(((RuleSource) other).attribute)
          && operator.equals(((RuleSource) other).operator)
          && operand.equals(((RuleSource) other).operand)
          && Objects.equals(returnValue, ((RuleSource) other).returnValue);
    }

    @Override
    public int hashCode() {
      return Objects.hash(attribute, operator, operand, returnValue);
    }
  }

  private static final class Rule {
    final Condition condition;
    final Evaluation evaluation;

    /** The first operator that cannot be known. */
    final String unknownOperator;

    Rule(ConditionSource source, RuleSource rule, ConditionCompiler compiler)
        throws UnreadableException {
      condition = compiler.compile(source);
      unknownOperator = compiler.unknownOperator();
      evaluation = new Evaluation(rule.returnValue, Operators.cause(rule.operator), rule.id);
    }
  }
}
