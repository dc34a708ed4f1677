package flagstone;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of an expression that is a character, a class, a repetition or a parenthesis. Read by
 * hand, because regular expressions overflow the stack, or take quadratic time. What has no end
 * takes all that is left, so no character is read again and again.
 */
final class Token {
  final String text;

  /** Whether it opens a group. */
  final boolean opens;

  /** The numbers of a repetition in braces; {@code most} is empty after a comma without one. */
  final @Nullable String least;

  final @Nullable String most;

  private Token(String text, boolean opens, @Nullable String least, @Nullable String most) {
    this.text = text;
    this.opens = opens;
    this.least = least;
    this.most = most;
  }

  private Token(String text) {
    this(text, false, null, null);
  }

  static List<Token> of(String source) {
    List<Token> tokens = new ArrayList<>();
    for (int at = 0; at < source.length(); at += tokens.get(tokens.size() - 1).text.length()) {
      tokens.add(first(source, at));
    }
    return tokens;
  }

  private static Token first(String source, int at) {
    switch (source.charAt(at)) {
      case '\\':
        return new Token(source.substring(at, endOfEscape(source, at)));
      case '[':
        return new Token(source.substring(at, endOfClass(source, at)));
      case '(':
        return parenthesis(source, at);
      case '*':
      case '+':
      case '?':
        return new Token(source.substring(at, lazy(source, at + 1)));
      case '{':
        Token repetition = braces(source, at);
        if (repetition != null) {
          return repetition;
        }
        break;
      default:
        break;
    }
    return new Token(source.substring(at, source.offsetByCodePoints(at, 1)));
  }

  /** Where an escape ends that begins with a backslash, in a class or outside. */
  static int endOfEscape(String source, int at) {
    if (source.startsWith("\\Q", at)) {
      return through(source, at, "\\E");
    }
    if (source.startsWith("{", at + 2) && "pPx".indexOf(source.charAt(at + 1)) >= 0) {
      return through(source, at, "}");
    }
    return at + 1 < source.length() ? source.offsetByCodePoints(at + 1, 1) : source.length();
  }

  /** Where an escape ends, in brackets: also one such as {@code \pL}. */
  static int endOfProperty(String source, int at) {
    int end = endOfEscape(source, at);
    boolean isProperty = source.startsWith("p", at + 1) || source.startsWith("P", at + 1);
    return isProperty && end == at + 2 && end < source.length()
        ? source.offsetByCodePoints(end, 1)
        : end;
  }

  private static int endOfClass(String source, int start) {
    int at = start + 1;
    at += source.startsWith("^", at) ? 1 : 0;
    at += source.startsWith("]", at) ? 1 : 0;
    while (at < source.length()) {
      switch (source.charAt(at)) {
        case ']':
          return at + 1;
        case '\\':
          at += 2; // The other half of a character is none of the three.
          break;
        case '[':
          at = endOfNamedClass(source, at);
          break;
        default:
          at++;
      }
    }
    return source.length();
  }

  /** Where a class such as {@code [:^alpha:]} ends; after the bracket if it is none. */
  static int endOfNamedClass(String source, int start) {
    if (source.startsWith("[:", start)) {
      int name = start + (source.startsWith("^", start + 2) ? 3 : 2);
      int end = name;
      while (end < source.length()
          && end < name + 9
          && 'a' <= source.charAt(end)
          && source.charAt(end) <= 'z') {
        end++;
      }
      if (end > name && source.startsWith(":]", end)) {
        return end + 2;
      }
    }
    return start + 1;
  }

  private static Token parenthesis(String source, int at) {
    if (source.startsWith("(?P<", at) || source.startsWith("(?<", at)) {
      return new Token(source.substring(at, through(source, at, ">")), true, null, null);
    }
    if (source.startsWith("(?", at)) {
      int end = at + 2;
      while (end < source.length() && "imsU-".indexOf(source.charAt(end)) >= 0) {
        end++;
      }
      if (source.startsWith(":", end)) {
        return new Token(source.substring(at, end + 1), true, null, null);
      }
      if (end > at + 2 && source.startsWith(")", end)) {
        return new Token(source.substring(at, end + 1));
      }
    }
    return new Token("(", true, null, null);
  }

  private static @Nullable Token braces(String source, int at) {
    int end = endOfDigits(source, at + 1);
    String least = source.substring(at + 1, end);
    String most = null;
    if (source.startsWith(",", end)) {
      int start = end + 1;
      end = endOfDigits(source, start);
      most = source.substring(start, end);
    }
    return least.isEmpty() || !source.startsWith("}", end)
        ? null
        : new Token(source.substring(at, lazy(source, end + 1)), false, least, most);
  }

  private static int endOfDigits(String source, int start) {
    int end = start;
    while (end < source.length() && '0' <= source.charAt(end) && source.charAt(end) <= '9') {
      end++;
    }
    return end;
  }

  /** Where a repetition ends, with the mark that makes it lazy. */
  private static int lazy(String source, int end) {
    return source.startsWith("?", end) ? end + 1 : end;
  }

  private static int through(String source, int start, String end) {
    int at = source.indexOf(end, start);
    return at < 0 ? source.length() : at + end.length();
  }
}
