package flagstone;

import org.jspecify.annotations.Nullable;

/**
 * A version, {@code [v]number(.number)*[-identifiers][+identifiers]}, or a range of all versions
 * that begin with the same numbers. Read by hand, because regular expressions overflow the stack.
 */
final class Version {
  private final String numbers;
  private final String prerelease;
  private final boolean isRange;

  private Version(String numbers, String prerelease, boolean isRange) {
    this.numbers = numbers;
    this.prerelease = prerelease;
    this.isRange = isRange;
  }

  /** The version that a text is; null if it is none. */
  static @Nullable Version of(@Nullable String text) {
    if (text == null) {
      return null;
    }
    int start = text.startsWith("v") ? 1 : 0;
    int end = endOfParts(text, start, false);
    String numbers = text.substring(start, Math.max(start, end));
    String prerelease = "";
    if (end >= 0 && text.startsWith("-", end)) {
      start = end + 1;
      end = endOfParts(text, start, true);
      prerelease = text.substring(start, Math.max(start, end));
    }
    if (end >= 0 && text.startsWith("+", end)) {
      end = endOfParts(text, end + 1, true);
    }
    return end == text.length() ? new Version(numbers, prerelease, false) : null;
  }

  /** The version, or a range such as {@code 130.*}, that an operand is; null if it is neither. */
  static @Nullable Version ofOperand(String operand) {
    if (!operand.endsWith(".*")) {
      return of(operand);
    }
    Version version = of(operand.substring(0, operand.length() - 2));
    boolean hasNumbersOnly = operand.indexOf('-') < 0 && operand.indexOf('+') < 0;
    return version == null || !hasNumbersOnly ? null : new Version(version.numbers, "", true);
  }

  /** Where parts with single dots between them end; -1 if there are none, or one is empty. */
  private static int endOfParts(String text, int start, boolean areIdentifiers) {
    boolean needsPart = true;
    int at = start;
    for (; at < text.length(); at++) {
      char unit = text.charAt(at);
      boolean isPart =
          isDigit(unit)
              || (areIdentifiers
                  && (unit == '-' || ('a' <= (unit | 32) && (unit | 32) <= 'z' && unit < 128)));
      if (!isPart && (unit != '.' || needsPart)) {
        break;
      }
      needsPart = !isPart;
    }
    return needsPart ? -1 : at;
  }

  private static boolean isDigit(char unit) {
    return '0' <= unit && unit <= '9';
  }

  /** Compares with an operand. A version in a range equals it. */
  int compareTo(Version operand) {
    int a = 0;
    int b = 0;
    while (b < operand.numbers.length() || (a < numbers.length() && !operand.isRange)) {
      int endOfA = endOfPart(numbers, a);
      int endOfB = endOfPart(operand.numbers, b);
      int order = compareNumbers(part(numbers, a, endOfA), part(operand.numbers, b, endOfB));
      if (order != 0) {
        return order;
      }
      a = endOfA + 1;
      b = endOfB + 1;
    }
    return operand.isRange ? 0 : comparePrereleases(prerelease, operand.prerelease);
  }

  /** A release comes after all of its pre-releases. */
  private static int comparePrereleases(String one, String other) {
    if (one.isEmpty() || other.isEmpty()) {
      return Boolean.compare(one.isEmpty(), other.isEmpty());
    }
    int a = 0;
    int b = 0;
    while (a < one.length() && b < other.length()) {
      int endOfA = endOfPart(one, a);
      int endOfB = endOfPart(other, b);
      int order = compareIdentifiers(part(one, a, endOfA), part(other, b, endOfB));
      if (order != 0) {
        return order;
      }
      a = endOfA + 1;
      b = endOfB + 1;
    }
    return Boolean.compare(a < one.length(), b < other.length());
  }

  private static int endOfPart(String text, int start) {
    int end = text.indexOf('.', start);
    return end < 0 ? text.length() : end;
  }

  /** A part that is missing is empty. */
  private static String part(String text, int start, int end) {
    return start < end ? text.substring(start, end) : "";
  }

  /** Numbers come before words. */
  private static int compareIdentifiers(String one, String other) {
    boolean isWord = !one.chars().allMatch(unit -> isDigit((char) unit));
    boolean isOtherWord = !other.chars().allMatch(unit -> isDigit((char) unit));
    if (isWord != isOtherWord) {
      return isWord ? 1 : -1;
    }
    return isWord ? one.compareTo(other) : compareNumbers(one, other);
  }

  /** Whole numbers of any size; the empty text is zero. */
  private static int compareNumbers(String one, String other) {
    String a = withoutZeros(one);
    String b = withoutZeros(other);
    return a.length() != b.length() ? Integer.compare(a.length(), b.length()) : a.compareTo(b);
  }

  private static String withoutZeros(String digits) {
    int zeros = 0;
    while (zeros < digits.length() && digits.charAt(zeros) == '0') {
      zeros++;
    }
    return digits.substring(zeros);
  }
}
