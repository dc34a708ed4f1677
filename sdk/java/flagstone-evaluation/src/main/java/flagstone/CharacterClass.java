package flagstone;

import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The characters of a class of an expression. */
final class CharacterClass {
  private static final int END = Character.MAX_CODE_POINT + 1;

  /** Beyond ASCII, a class such as {@code \w} has all or none but these, cases of s and k. */
  private static final int[] CASES_OF_ASCII = {0x17f, 0x212a};

  private final BitSet characters = new BitSet();
  private final boolean ignoresCase;

  CharacterClass(boolean ignoresCase) {
    this.ignoresCase = ignoresCase;
  }

  /** A class in brackets, which the engine can read. */
  static CharacterClass ofBrackets(String text, boolean ignoresCase) throws UnreadableException {
    CharacterClass all = new CharacterClass(ignoresCase);
    int end = text.length() - 1;
    boolean isNegated = text.startsWith("^", 1);
    for (int at = isNegated ? 2 : 1; at < end; ) {
      int next = Token.endOfNamedClass(text, at);
      if (next > at + 1
          || (text.charAt(at) == '\\' && "dswDSW".indexOf(text.charAt(at + 1)) >= 0)) {
        next = Math.max(next, at + 2);
        all.addFromEngine(text.substring(at, next));
      } else if (text.charAt(at) == '\\' && "pP".indexOf(text.charAt(at + 1)) >= 0) {
        next = Token.endOfProperty(text, at);
        all.addProperty(text.substring(at, next));
      } else {
        Escape first = Escape.of(text, at);
        boolean isRange = text.startsWith("-", first.end) && first.end + 1 < end;
        Escape last = isRange ? Escape.of(text, first.end + 1) : first;
        next = last.end;
        all.add(first.character, last.character);
      }
      at = next;
    }
    if (isNegated) {
      all.characters.flip(0, END);
    }
    return all;
  }

  /** Adds characters and, if case is ignored, their other cases. */
  void add(int first, int last) {
    BitSet added = new BitSet();
    added.set(first, last + 1);
    characters.or(ignoresCase ? Cases.added(added) : added);
  }

  /** Adds a class such as {@code \pL} or {@code \P{^Greek}}. */
  void addProperty(String text) throws UnreadableException {
    int start = text.startsWith("{", 2) ? 3 : 2;
    if (start == 3 && !text.endsWith("}")) {
      throw new UnreadableException();
    }
    boolean isInverse = start == 3 && text.startsWith("^", start);
    int end = start == 3 ? text.length() - 1 : text.length();
    BitSet added = CharacterProperties.of(text.substring(isInverse ? start + 1 : start, end));
    if (added == null) {
      throw new UnreadableException();
    }
    added = ignoresCase ? Cases.added(added) : (BitSet) added.clone();
    if ((text.charAt(1) == 'P') != isInverse) {
      added.flip(0, END);
    }
    characters.or(added);
  }

  /** Adds a class of ASCII characters, or of all others. */
  private void addFromEngine(String text) {
    Pattern pattern = Pattern.compile((ignoresCase ? "(?i)[" : "[") + text + "]");
    if (pattern.matcher("\u4e00").find()) {
      characters.set(128, END);
    }
    for (int c = 0; c < 128; c++) {
      characters.set(c, characters.get(c) || pattern.matcher(Character.toString(c)).find());
    }
    for (int c : CASES_OF_ASCII) {
      characters.set(c, characters.get(c) || pattern.matcher(Character.toString(c)).find());
    }
  }

  /** The class as the engine reads it. */
  String write() {
    StringBuilder written = new StringBuilder();
    for (int first = characters.nextSetBit(0); first >= 0; ) {
      int end = characters.nextClearBit(first);
      written.append("\\x{").append(Integer.toHexString(first));
      written.append("}-\\x{").append(Integer.toHexString(end - 1)).append('}');
      first = characters.nextSetBit(end);
    }
    String ranges = written.length() == 0 ? "[^\\x{0}-\\x{10ffff}]" : "[" + written + "]";
    return ignoresCase ? "(?-i:" + ranges + ")" : ranges;
  }

  /** A character in brackets that may be an escape, and where it ends. */
  private static final class Escape {
    final int character;
    final int end;

    private Escape(int character, int end) {
      this.character = character;
      this.end = end;
    }

    static Escape of(String text, int at) {
      if (text.charAt(at) != '\\') {
        return new Escape(text.codePointAt(at), text.offsetByCodePoints(at, 1));
      }
      char letter = text.charAt(at + 1);
      int simple = "afnrtv".indexOf(letter);
      if (simple >= 0) {
        return new Escape("\u0007\f\n\r\t\u000b".charAt(simple), at + 2);
      }
      if (letter == 'x' && text.charAt(at + 2) == '{') {
        int end = text.indexOf('}', at);
        return new Escape(Integer.parseInt(text.substring(at + 3, end), 16), end + 1);
      }
      if (letter == 'x') {
        return new Escape(Integer.parseInt(text.substring(at + 2, at + 4), 16), at + 4);
      }
      int end = at + 1;
      while (end < at + 4 && '0' <= text.charAt(end) && text.charAt(end) <= '7') {
        end++;
      }
      return end > at + 1
          ? new Escape(Integer.parseInt(text.substring(at + 1, end), 8), end)
          : new Escape(text.codePointAt(at + 1), text.offsetByCodePoints(at + 1, 1));
    }
  }

  /** Characters that are the same if case is ignored. */
  private static final class Cases {
    private static final Map<Integer, List<Integer>> BY_SMALL_LETTER = read();

    private static Map<Integer, List<Integer>> read() {
      Map<Integer, List<Integer>> all = new HashMap<>();
      for (int c = 0; c < 0x20000; c++) {
        int small = Character.toLowerCase(Character.toUpperCase(c));
        if (small != c && c != 'İ' && c != 'ı') { // which are not those of i
          all.computeIfAbsent(small, letter -> new ArrayList<>(List.of(letter))).add(c);
        }
      }
      return all;
    }

    static BitSet added(BitSet characters) {
      BitSet added = (BitSet) characters.clone();
      for (List<Integer> cases : BY_SMALL_LETTER.values()) {
        if (cases.stream().anyMatch(characters::get)) {
          cases.forEach(added::set);
        }
      }
      return added;
    }
  }
}
