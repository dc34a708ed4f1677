package flagstone;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A comparison as it is written, or a group of conditions: its parts. */
final class ConditionSource {
  static final Set<String> GROUPS = Set.of("all", "any", "none");

  /** Counting the rule. */
  private static final int DEEPEST_GROUP = 8;

  /** Of a rule, counting groups but not the rule itself. */
  private static final int MOST_CONDITIONS = 1_000;

  final String attribute;
  final String operator;
  final String operand;
  final List<ConditionSource> parts = new ArrayList<>(0);

  private ConditionSource(String attribute, String operator, String operand) {
    this.attribute = attribute;
    this.operator = operator;
    this.operand = operand;
  }

  /**
   * Reads a rule's condition and the parts of its groups, but not the operands of other operators.
   * All that are read are added to those within the rule.
   */
  static ConditionSource read(
      String attribute, String operator, String operand, List<ConditionSource> within, int depth)
      throws UnreadableException {
    ConditionSource condition = new ConditionSource(attribute, operator, operand);
    within.add(condition);
    if (within.size() > 1 + MOST_CONDITIONS) {
      throw new UnreadableException();
    }
    if (GROUPS.contains(condition.operator)) {
      Object parts = depth <= DEEPEST_GROUP ? Operators.readOperand(condition.operand) : null;
      if (!(parts instanceof List) || ((List<?>) parts).isEmpty()) {
        throw new UnreadableException();
      }
      for (Object part : (List<?>) parts) {
        Map<String, @Nullable Object> members = Json.members(part);
        condition.parts.add(
            read(
                text(members, "attribute"),
                text(members, "operator"),
                text(members, "value"),
                within,
                depth + 1));
      }
    }
    return condition;
  }

  private static String text(Map<String, @Nullable Object> members, String name)
      throws UnreadableException {
    Object value = members.get(name);
    if (!(value instanceof String)) {
      throw new UnreadableException();
    }
    return (String) value;
  }
}
