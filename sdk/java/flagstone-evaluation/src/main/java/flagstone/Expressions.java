package flagstone;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The regular expressions of a flag, in the order of its rules, and their limits. */
final class Expressions {
  private static final Set<String> OPERATORS = Set.of("matches", "notMatches");

  /** Code points. */
  private static final int LONGEST = 4_000;

  /** Instructions, of one expression and of all different ones of a flag. */
  private static final int LARGEST = 1_000;

  private static final int LARGEST_OF_FLAG = 5_000;

  private final Map<String, Boolean> bounded = new HashMap<>();
  private double total;

  /** Counts the expressions of a rule. */
  void add(List<ConditionSource> conditions) {
    for (ConditionSource condition : conditions) {
      String source = condition.operand;
      if (OPERATORS.contains(condition.operator) && !bounded.containsKey(source)) {
        double size = size(source);
        total += Double.isInfinite(size) ? 0 : size;
        bounded.put(source, size <= LARGEST && total <= LARGEST_OF_FLAG);
      }
    }
  }

  /** Whether an expression, which was counted, is found in a text. */
  Predicate<String> compile(String source) throws UnreadableException {
    if (!bounded.getOrDefault(source, false)) {
      throw new UnreadableException();
    }
    Pattern pattern;
    try {
      pattern = Pattern.compile(EngineSource.of(Values.wellFormed(source)));
    } catch (PatternSyntaxException | StackOverflowError e) {
      throw new UnreadableException();
    }
    return text -> pattern.matcher(Values.wellFormed(text)).find();
  }

  /**
   * How many instructions an expression has, counted from its source as docs/evaluation.md, 9.4,
   * says: a character or a class is one, and a repetition such as {@code {1,250}} is 250 copies of
   * what it repeats. A source of too many characters is not read: its size is infinite.
   */
  static double size(String source) {
    if (source.codePointCount(0, source.length()) > LONGEST) {
      return Double.POSITIVE_INFINITY;
    }
    Deque<Double> outer = new ArrayDeque<>();
    double size = 2; // a match and a failure
    double last = 0; // the size of what a following repetition repeats
    for (Token token : Token.of(source)) {
      String text = token.text;
      if (text.startsWith("\\Q")) {
        int end = text.length() - (text.endsWith("\\E") ? 2 : 0);
        size += text.codePointCount(2, Math.max(2, end));
        last = 1;
      } else if (token.opens) {
        outer.push(size);
        size = text.endsWith(":") ? 0 : 2; // where the group's text begins and ends
        last = 0;
      } else if (text.equals(")")) {
        last = size;
        size += outer.isEmpty() ? 0 : outer.pop();
      } else if (token.least != null) {
        double least = Double.parseDouble(token.least);
        boolean isOpen = "".equals(token.most);
        double most = token.most == null || isOpen ? 0 : Double.parseDouble(token.most);
        double copies = Math.max(1, Math.max(least, most));
        double repeated = last * copies + (isOpen ? 1 : copies - least);
        size += repeated - last;
        last = repeated;
      } else if ("*+?|".indexOf(text.charAt(0)) >= 0) {
        size++;
        last++;
      } else if (!text.startsWith("(?")) {
        size++;
        last = 1;
      }
    }
    return size + outer.stream().mapToDouble(Double::doubleValue).sum();
  }
}
