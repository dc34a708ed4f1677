package flagstone;

import java.lang.Character.UnicodeScript;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** What a class such as {@code \p{Greek}} stands for, by the version of Unicode that Java has. */
final class CharacterProperties {
  /** The names are a closed list of those that all engines read alike. */
  private static final Set<String> NAMES =
      Set.of(
          ("Any Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm"
                  + " So Z Zl Zp Zs Arabic Armenian Bengali Bopomofo Cherokee Common Cyrillic"
                  + " Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul Hebrew"
                  + " Hiragana Inherited Kannada Katakana Khmer Lao Latin Malayalam Mongolian"
                  + " Myanmar Nko Oriya Sinhala Syriac Tamil Telugu Thaana Thai Tibetan Tifinagh"
                  + " Vai Yi")
              .split(" "));

  /** By what {@link Character#getType} returns, which is never 17. */
  private static final List<String> CATEGORIES =
      List.of(
          "Cn Lu Ll Lt Lm Lo Mn Me Mc Nd Nl No Zs Zl Zp Cc Cf - Co Cs Pd Ps Pe Pc Po Sm Sc Sk So Pi Pf"
              .split(" "));

  private static final Map<String, BitSet> BY_NAME = new ConcurrentHashMap<>();

  private CharacterProperties() {}

  /** The characters with a property, which must not be modified; null for an unknown name. */
  static @Nullable BitSet of(String name) {
    return NAMES.contains(name)
        ? BY_NAME.computeIfAbsent(name, CharacterProperties::charactersOf)
        : null;
  }

  private static BitSet charactersOf(String name) {
    IntPredicate has;
    if (name.equals("Any")) {
      has = c -> true;
    } else if (name.length() <= 2 && !name.equals("Yi")) {
      has = c -> CATEGORIES.get(Character.getType(c)).startsWith(name);
    } else {
      UnicodeScript script = UnicodeScript.forName(name);
      has = c -> UnicodeScript.of(c) == script;
    }
    BitSet characters = new BitSet();
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      characters.set(c, has.test(c));
    }
    return characters;
  }
}
