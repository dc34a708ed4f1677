package flagstone;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How each operator reads its operand, and what it matches: docs/evaluation.md. */
final class Operators {
  /** Whether an attribute that is not missing matches. */
  interface Test {
    boolean matches(Object attribute);
  }

  private interface Order {
    boolean holds(double attribute, double operand);
  }

  private static final Pattern PERCENT = Pattern.compile("[0-9]++(?:\\.[0-9]++)?");

  private Operators() {}

  static Cause cause(String operator) {
    switch (operator) {
      case "percentage":
      case "share":
        return Cause.SHARE;
      case "always":
        return Cause.ALWAYS;
      default:
        return Cause.RULE;
    }
  }

  /** An operator with its operand; null if it is the project's own. */
  static @Nullable Test compile(
      String operator, String operand, String flagKey, Expressions expressions)
      throws UnreadableException {
    switch (operator) {
      case "matches":
        return anyText(expressions.compile(operand));
      case "notMatches":
        return noText(expressions.compile(operand));
      case "greaterThan":
        return ordered(operand, Values::number, (a, b) -> a > b);
      case "greaterThanOrEquals":
        return ordered(operand, Values::number, (a, b) -> a >= b);
      case "lessThan":
        return ordered(operand, Values::number, (a, b) -> a < b);
      case "lessThanOrEquals":
        return ordered(operand, Values::number, (a, b) -> a <= b);
      case "before":
        return ordered(operand, Moment::of, (a, b) -> a < b);
      case "beforeOrEquals":
        return ordered(operand, Moment::of, (a, b) -> a <= b);
      case "after":
        return ordered(operand, Moment::of, (a, b) -> a > b);
      case "afterOrEquals":
        return ordered(operand, Moment::of, (a, b) -> a >= b);
      case "semverEquals":
        return version(operand, order -> order == 0);
      case "semverNotEquals":
        return otherVersion(operand);
      case "semverGreaterThan":
        return version(operand, order -> order > 0);
      case "semverGreaterThanOrEquals":
        return version(operand, order -> order >= 0);
      case "semverLessThan":
        return version(operand, order -> order < 0);
      case "semverLessThanOrEquals":
        return version(operand, order -> order <= 0);
      case "percentage":
        return percentage(operand, flagKey);
      case "share":
        return share(operand);
      default:
        return onTexts(operator, operand);
    }
  }

  /** An operand that is JSON. */
  static @Nullable Object readOperand(String operand) throws UnreadableException {
    try {
      return Json.read(operand);
    } catch (IllegalArgumentException e) {
      throw new UnreadableException();
    }
  }

  private static @Nullable Test onTexts(String operator, String operand)
      throws UnreadableException {
    boolean ignoresCase = operator.endsWith("IgnoreCase");
    String name = ignoresCase ? operator.substring(0, operator.length() - 10) : operator;
    String folded = ignoresCase ? foldCase(operand) : operand;
    Predicate<String> test;
    switch (name) {
      case "equals":
      case "notEquals":
        test = folded::equals;
        break;
      case "contains":
      case "notContains":
        test = text -> text.contains(folded);
        break;
      case "startsWith":
        test = text -> text.startsWith(folded);
        break;
      case "endsWith":
        test = text -> text.endsWith(folded);
        break;
      case "in":
      case "notIn":
        test = readTexts(operand, ignoresCase)::contains;
        break;
      default:
        return null;
    }
    Predicate<String> read = ignoresCase ? text -> test.test(foldCase(text)) : test;
    return name.startsWith("not") ? noText(read) : anyText(read);
  }

  private static Set<String> readTexts(String operand, boolean ignoresCase)
      throws UnreadableException {
    Object texts = readOperand(operand);
    if (!(texts instanceof List)) {
      throw new UnreadableException();
    }
    Set<String> read = new HashSet<>();
    for (Object text : (List<?>) texts) {
      if (!(text instanceof String)) {
        throw new UnreadableException();
      }
      read.add(ignoresCase ? foldCase((String) text) : (String) text);
    }
    return read;
  }

  /** Reads A to Z as a to z, and no other letter, so that all languages do the same. */
  private static String foldCase(String text) {
    StringBuilder folded = null;
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if ('A' <= unit && unit <= 'Z') {
        folded = folded == null ? new StringBuilder(text) : folded;
        folded.setCharAt(i, (char) (unit + 'a' - 'A'));
      }
    }
    return folded == null ? text : folded.toString();
  }

  /** A positive operator: the attribute matches, or any of its elements if it is a list. */
  private static boolean any(Object attribute, Predicate<@Nullable Object> test) {
    Collection<?> elements = Values.elements(attribute);
    if (elements == null) {
      return test.test(attribute);
    }
    for (Object element : elements) {
      if (test.test(element)) {
        return true;
      }
    }
    return false;
  }

  private static Test anyText(Predicate<String> test) {
    Predicate<@Nullable Object> matches =
        value -> {
          String text = Values.text(value);
          return text != null && test.test(text);
        };
    return attribute -> any(attribute, matches);
  }

  /** A negation: what has no text does not match, and a list does if none of its elements does. */
  private static Test noText(Predicate<String> test) {
    Test any = anyText(test);
    return attribute ->
        (Values.elements(attribute) != null || Values.text(attribute) != null)
            && !any.matches(attribute);
  }

  /** Reads numbers or moments; NaN, which compares with nothing, is what is none. */
  private static Test ordered(
      String operand, ToDoubleFunction<@Nullable Object> reader, Order order)
      throws UnreadableException {
    double limit = reader.applyAsDouble(operand);
    if (Double.isNaN(limit)) {
      throw new UnreadableException();
    }
    Predicate<@Nullable Object> matches = value -> order.holds(reader.applyAsDouble(value), limit);
    return attribute -> any(attribute, matches);
  }

  private static Test version(String operand, IntPredicate order) throws UnreadableException {
    Version version = Version.ofOperand(operand);
    if (version == null) {
      throw new UnreadableException();
    }
    Predicate<@Nullable Object> matches =
        value -> {
          Version attribute = Version.of(Values.text(value));
          return attribute != null && order.test(attribute.compareTo(version));
        };
    return attribute -> any(attribute, matches);
  }

  /** Unlike other negations it needs a version: the attribute, or an element of a list, if any. */
  private static Test otherVersion(String operand) throws UnreadableException {
    Test equals = version(operand, order -> order == 0);
    Predicate<@Nullable Object> isVersion = value -> Version.of(Values.text(value)) != null;
    return attribute -> {
      Collection<?> elements = Values.elements(attribute);
      boolean isComparable = any(attribute, isVersion) || (elements != null && elements.isEmpty());
      return isComparable && !equals.matches(attribute);
    };
  }

  private static Test percentage(String operand, String flagKey) throws UnreadableException {
    if (!PERCENT.matcher(operand).matches()) {
      throw new UnreadableException();
    }
    return in(new Share(flagKey, 0, Double.parseDouble(operand)));
  }

  private static Test share(String operand) throws UnreadableException {
    Map<String, @Nullable Object> members = Json.members(readOperand(operand));
    Object seed = members.get("seed");
    Object from = members.get("from");
    Object to = members.get("to");
    if (!(seed instanceof String && from instanceof Double && to instanceof Double)) {
      throw new UnreadableException();
    }
    return in(new Share((String) seed, (Double) from, (Double) to));
  }

  private static Test in(Share share) {
    return attribute -> {
      String text = Values.text(attribute); // A list has none: it identifies several users.
      return text != null && share.has(text);
    };
  }
}
