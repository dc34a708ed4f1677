package flagstone;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a class such as {@code \p{Greek}} stands for. The names are a closed list of those that all
 * engines read alike. The characters are those of Unicode 17, in {@code character-properties.txt}.
 */
final class CharacterProperties {
  private static final Map<String, BitSet> BY_NAME = read();

  private CharacterProperties() {}

  /** The characters with a property, which must not be modified; null for an unknown name. */
  static @Nullable BitSet of(String name) {
    return BY_NAME.get(name);
  }

  private static Map<String, BitSet> read() {
    Map<String, BitSet> all = new HashMap<>();
    all.computeIfAbsent("Any", name -> new BitSet()).set(0, Character.MAX_CODE_POINT + 1);
    try (InputStream file =
            CharacterProperties.class.getResourceAsStream("character-properties.txt");
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(file), StandardCharsets.US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ", -1); // a name, and ranges in hexadecimal digits
        BitSet characters = new BitSet();
        for (int i = 1; i < words.length; i++) {
          String[] range = words[i].split("-", -1);
          int last = Integer.parseInt(range[range.length - 1], 16);
          characters.set(Integer.parseInt(range[0], 16), last + 1);
        }
        all.put(words[0], characters);
        if (words[0].length() == 2 && !words[0].equals("Yi")) { // a category, part of one more
          String letter = words[0].substring(0, 1);
          all.computeIfAbsent(letter, name -> new BitSet()).or(characters);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the artifact is damaged", e);
    }
    all.remove("C");
    return all;
  }
}
