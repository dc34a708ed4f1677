package flagstone;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compiles the conditions of one rule: reads their operands. */
final class ConditionCompiler {
  private final String flagKey;
  private final Expressions expressions;
  private String unknownOperator = "";

  ConditionCompiler(String flagKey, Expressions expressions) {
    this.flagKey = flagKey;
    this.expressions = expressions;
  }

  /** The first operator that cannot be known; empty if there is none. */
  String unknownOperator() {
    return unknownOperator;
  }

  Condition compile(ConditionSource source) throws UnreadableException {
    if (ConditionSource.GROUPS.contains(source.operator)) {
      Condition[] parts = new Condition[source.parts.size()];
      for (int i = 0; i < parts.length; i++) {
        parts[i] = compile(source.parts.get(i));
      }
      return context -> group(source.operator, parts, context);
    }
    String attribute = source.attribute;
    switch (source.operator) {
      case "always":
        return context -> Truth.YES;
      case "exists":
        return context -> Truth.of(context.get(attribute) != null);
      case "notExists":
        return context -> Truth.of(context.get(attribute) == null);
      default:
        Operators.Test test =
            Operators.compile(source.operator, source.operand, flagKey, expressions);
        if (test == null) {
          unknownOperator = unknownOperator.isEmpty() ? source.operator : unknownOperator;
          return context -> Truth.UNKNOWN;
        }
        return context -> {
          Object value = context.get(attribute);
          return Truth.of(value != null && test.matches(value));
        };
    }
  }

  /** The first part that decides does; else the group is unknown if a part is. */
  private static Truth group(
      String operator, Condition[] parts, Map<String, ? extends @Nullable Object> context) {
    Truth deciding = operator.equals("all") ? Truth.NO : Truth.YES;
    Truth decided = Truth.of(operator.equals("any"));
    Truth otherwise = Truth.of(!operator.equals("any"));
    for (Condition part : parts) {
      Truth truth = part.truth(context);
      if (truth == deciding) {
        return decided;
      }
      otherwise = truth == Truth.UNKNOWN ? truth : otherwise;
    }
    return otherwise;
  }
}
