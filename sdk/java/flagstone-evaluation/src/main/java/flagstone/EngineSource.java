package flagstone;

import com.google.re2j.Pattern;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * An expression as re2j reads it. Its own classes of Unicode are too old or missing, so they are
 * written as ranges. And where case is ignored, it reads some letters without end (U+1C80, also
 * within a range): what is beyond ASCII is written with all of its cases.
 */
final class EngineSource {
  private boolean ignoresCase;

  /** Whether case is ignored outside of the groups that are open. */
  private final Deque<Boolean> outer = new ArrayDeque<>();

  private final StringBuilder written = new StringBuilder();

  private EngineSource() {}

  /** Throws UnreadableException for what re2j reads and RE2 does not, and for unknown classes. */
  static String of(String source) throws UnreadableException {
    EngineSource result = new EngineSource();
    String sign = ""; // \p before its letter
    for (Token token : Token.of(source)) {
      String text = sign + token.text;
      sign = "";
      if (text.equals("\\p") || text.equals("\\P")) {
        sign = text;
      } else if (text.startsWith("\\p") || text.startsWith("\\P")) {
        CharacterClass characters = new CharacterClass(result.ignoresCase);
        characters.addProperty(text);
        result.written.append(characters.write());
      } else if (text.startsWith("[")) {
        result.writeBrackets(text);
      } else if (text.equals("{")) {
        result.written.append("\\{"); // or re2j cannot read a repetition of it
      } else {
        requireEscape(text, 0);
        result.write(token);
      }
    }
    if (!sign.isEmpty()) {
      throw new UnreadableException();
    }
    return result.written.toString();
  }

  /** Only what is ASCII can be escaped. {@code \C} is a byte in some engines. */
  private static void requireEscape(String text, int at) throws UnreadableException {
    boolean isEscape = text.startsWith("\\", at) && at + 1 < text.length();
    if (isEscape && (text.charAt(at + 1) >= 128 || text.charAt(at + 1) == 'C')) {
      throw new UnreadableException();
    }
  }

  private void writeBrackets(String text) throws UnreadableException {
    boolean hasProperties = false;
    StringBuilder others = new StringBuilder();
    int at = 0;
    for (int next = text.indexOf('\\'); next >= 0; next = text.indexOf('\\', at)) {
      requireEscape(text, next);
      int end = Token.endOfProperty(text, next);
      boolean isProperty = text.startsWith("p", next + 1) || text.startsWith("P", next + 1);
      hasProperties |= isProperty;
      others.append(text, at, next).append(isProperty ? "\\P{Any}" : text.substring(next, end));
      at = end;
    }
    others.append(text, at, text.length());
    boolean isAscii = !text.contains("\\x") && text.chars().allMatch(unit -> unit < 128);
    if (hasProperties || (ignoresCase && !isAscii)) {
      var unused = Pattern.compile(others.toString()); // throws if it cannot be read
      written.append(CharacterClass.ofBrackets(text, ignoresCase).write());
    } else {
      written.append(text);
    }
  }

  private void write(Token token) {
    String text = token.text;
    if (token.opens) {
      outer.push(ignoresCase);
    }
    if (text.startsWith("(?") && (text.endsWith(":") || text.endsWith(")"))) {
      int minus = text.indexOf('-');
      int sign = text.indexOf('i');
      ignoresCase = sign < 0 ? ignoresCase : minus < 0 || sign < minus;
    } else if (text.equals(")") && !outer.isEmpty()) {
      ignoresCase = outer.pop();
    } else if (ignoresCase && text.startsWith("\\Q")) {
      int end = text.endsWith("\\E") ? text.length() - 2 : text.length();
      text.substring(2, Math.max(2, end)).codePoints().forEach(this::writeCharacter);
      return;
    } else if (ignoresCase && text.matches("\\\\x\\{[0-9A-Fa-f]{1,6}\\}")) {
      int character = Integer.parseInt(text.substring(3, text.length() - 1), 16);
      if (character <= Character.MAX_CODE_POINT) {
        writeCharacter(character);
        return;
      }
    } else if (ignoresCase && !token.opens && text.codePointAt(0) >= 128) {
      writeCharacter(text.codePointAt(0));
      return;
    }
    written.append(text);
  }

  private void writeCharacter(int character) {
    if (character < 128) {
      written.append("\\Q").appendCodePoint(character).append("\\E");
    } else {
      CharacterClass cases = new CharacterClass(true);
      cases.add(character, character);
      written.append(cases.write());
    }
  }
}
