package flagstone;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Date;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Moments: what counts as one, in whole milliseconds since 1970-01-01T00:00:00Z. */
final class Moment {
  private static final Pattern TEXT =
      Pattern.compile(
          "([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})"
              + "(?:\\.([0-9]++))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2})))?");

  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private Moment() {}

  /** Whether a value is of a type for moments. */
  static boolean isMoment(Object value) {
    return instant(value) != null;
  }

  @SuppressWarnings("JavaUtilDate") // Applications have them.
  private static @Nullable Instant instant(Object value) {
    if (value instanceof Instant) {
      return (Instant) value;
    }
    if (value instanceof OffsetDateTime) {
      return ((OffsetDateTime) value).toInstant();
    }
    if (value instanceof ZonedDateTime) {
      return ((ZonedDateTime) value).toInstant();
    }
    if (value instanceof LocalDate) {
      return ((LocalDate) value).atStartOfDay(ZoneOffset.UTC).toInstant();
    }
    return value instanceof Date ? Instant.ofEpochMilli(((Date) value).getTime()) : null;
  }

  /** The text of a moment; null for one beyond the years 0000 to 9999, and for all other values. */
  static @Nullable String text(Object value) {
    Instant instant = instant(value);
    return instant == null || instant.isBefore(FIRST) || instant.isAfter(LAST)
        ? null
        : FORMAT.format(instant);
  }

  /** Milliseconds of a moment, of a number of these, or of an RFC 3339 text; else NaN. */
  static double of(@Nullable Object value) {
    if (value instanceof Number) {
      double number = ((Number) value).doubleValue();
      return number < 0 ? Math.ceil(number) : Math.floor(number);
    }
    Instant instant = value == null ? null : instant(value);
    if (instant != null) {
      return instant.getEpochSecond() * 1e3 + Math.floor(instant.getNano() / 1e6);
    }
    return value == null || value instanceof Boolean ? Double.NaN : parse(Values.text(value));
  }

  private static double parse(@Nullable String text) {
    Matcher match = TEXT.matcher(text == null ? "" : text);
    if (!match.matches()) {
      return Double.NaN;
    }
    int hour = number(match, 4);
    int minute = number(match, 5);
    int second = number(match, 6);
    int offsetHour = number(match, 9);
    int offsetMinute = number(match, 10);
    if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) {
      return Double.NaN;
    }
    long days;
    try {
      days = LocalDate.of(number(match, 1), number(match, 2), number(match, 3)).toEpochDay();
    } catch (DateTimeException e) {
      return Double.NaN;
    }
    String fraction = match.group(7) == null ? "" : match.group(7);
    long milliseconds = Long.parseLong((fraction + "000").substring(0, 3));
    int offset = (offsetHour * 60 + offsetMinute) * ("-".equals(match.group(8)) ? -1 : 1);
    return ((days * 24 + hour) * 60 + minute - offset) * 60_000 + second * 1_000L + milliseconds;
  }

  private static int number(Matcher match, int group) {
    return match.group(group) == null ? 0 : Integer.parseInt(match.group(group));
  }
}
