package flagstone;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What operators read attributes as: lists, texts and numbers. */
final class Values {
  private static final System.Logger LOGGER = System.getLogger("flagstone");
  private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

  private static final Pattern DECIMAL =
      Pattern.compile("-?[0-9]++(?:\\.[0-9]++)?(?:[eE][+-]?[0-9]++)?");

  private Values() {}

  /** The elements of a list, each of which operators compare; null if a value is none. */
  static @Nullable Collection<?> elements(Object value) {
    if (value instanceof Collection) {
      return (Collection<?>) value;
    }
    return value.getClass().isArray()
        ? IntStream.range(0, Array.getLength(value))
            .mapToObj(index -> Array.get(value, index))
            .collect(Collectors.toList())
        : null;
  }

  /** The text of a value; null if it has none. A type that is unknown is logged once. */
  static @Nullable String text(@Nullable Object value) {
    if (value instanceof String) {
      return (String) value;
    }
    if (value instanceof Boolean
        || value instanceof CharSequence
        || value instanceof Character
        || value instanceof UUID) {
      return value.toString();
    }
    if (value instanceof Enum) {
      return ((Enum<?>) value).name();
    }
    if (value instanceof Number) {
      return numberText(((Number) value).doubleValue());
    }
    if (value == null || value instanceof Map || elements(value) != null) {
      return null;
    }
    if (!Moment.isMoment(value)) {
      String type = value.getClass().getName();
      if (LOGGED.add(type)) {
        LOGGER.log(
            System.Logger.Level.WARNING,
            "no comparison matches an attribute of the type {0}",
            type);
      }
    }
    return Moment.text(value);
  }

  /** The double of a number, or of a text that is a decimal number; else NaN. */
  static double number(@Nullable Object value) {
    if (value instanceof Number) {
      return ((Number) value).doubleValue();
    }
    if (value instanceof Boolean || value == null || Moment.isMoment(value)) {
      return Double.NaN;
    }
    String text = text(value);
    return text != null && DECIMAL.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
  }

  /** What ECMAScript's Number::toString writes. */
  private static String numberText(double number) {
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      return Double.toString(number);
    }
    if (Math.rint(number) == number && Math.abs(number) < 0x1p53) {
      return Long.toString((long) number); // "0" for minus zero
    }
    // The shortest digits, which Java's own have only from 19 on.
    BigDecimal shortest = new BigDecimal(NumberOutput.toString(number, true)).stripTrailingZeros();
    // But Java writes at least two.
    BigDecimal one = shortest.round(new java.math.MathContext(1));
    shortest = one.doubleValue() == number ? one.stripTrailingZeros() : shortest;
    double size = Math.abs(number);
    if (1e-6 <= size && size < 1e21) {
      return shortest.toPlainString();
    }
    String digits = shortest.unscaledValue().abs().toString();
    int exponent = shortest.precision() - shortest.scale() - 1;
    return (number < 0 ? "-" : "")
        + digits.charAt(0)
        + (digits.length() > 1 ? "." + digits.substring(1) : "")
        + (exponent < 0 ? "e-" : "e+")
        + Math.abs(exponent);
  }

  /** The text with U+FFFD for each half of a surrogate pair without the other. */
  static String wellFormed(String text) {
    StringBuilder replaced = null;
    for (int i = 0; i < text.length(); i++) {
      if (!Character.isSurrogate(text.charAt(i))) {
        continue;
      }
      if (Character.isSupplementaryCodePoint(text.codePointAt(i))) {
        i++;
      } else {
        replaced = replaced == null ? new StringBuilder(text) : replaced;
        replaced.setCharAt(i, '\ufffd');
      }
    }
    return replaced == null ? text : replaced.toString();
  }
}
