package flagstone;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON: strictly, with all numbers as doubles, and with containers that cannot be modified.
 */
final class Json {
  /** Values may be nested 1,000 deep; whoever reads a document limits its length. */
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(1_000)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  /** Reads the value that begins with the parser's current token. */
  interface ValueReader {
    @Nullable Object read(JsonParser parser) throws IOException;
  }

  private Json() {}

  /** Reads UTF-8 without a byte order mark. Throws IllegalArgumentException if it is not JSON. */
  static @Nullable Object read(byte[] text, ValueReader value) {
    // A decoder of its own, because that of a charset replaces what is no UTF-8.
    return read(
        new InputStreamReader(new ByteArrayInputStream(text), StandardCharsets.UTF_8.newDecoder()),
        value);
  }

  /** Reads a text. Throws IllegalArgumentException if it is not JSON. */
  static @Nullable Object read(String text) {
    return read(new StringReader(text), Json::read);
  }

  private static @Nullable Object read(Reader text, ValueReader value) {
    // From a reader, the parser takes a byte order mark for the letter that it is.
    try (JsonParser parser = FACTORY.createParser(text)) {
      if (parser.nextToken() != null) {
        Object read = value.read(parser);
        if (parser.nextToken() == null) {
          return read;
        }
      }
      throw new IllegalArgumentException("it is not JSON");
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("it is not UTF-8", e);
    } catch (IOException e) {
      throw new IllegalArgumentException("it is not JSON", e);
    }
  }

  static @Nullable Object read(JsonParser parser) throws IOException {
    switch (parser.currentToken()) {
      case START_OBJECT:
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
          parser.nextToken();
          members.put(name, read(parser));
        }
        return Collections.unmodifiableMap(members);
      case START_ARRAY:
        List<@Nullable Object> elements = new ArrayList<>(4);
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          elements.add(read(parser));
        }
        return Collections.unmodifiableList(elements);
      case VALUE_STRING:
        return parser.getText();
      case VALUE_NUMBER_INT:
      case VALUE_NUMBER_FLOAT:
        return Double.valueOf(parser.getText());
      case VALUE_TRUE:
        return true;
      case VALUE_FALSE:
        return false;
      default: // VALUE_NULL: what is none of these is an exception
        return null;
    }
  }

  /** The value as an object's members; an empty map, whose members are missing, if it is none. */
  @SuppressWarnings("unchecked") // Maps are made here only.
  static Map<String, @Nullable Object> members(@Nullable Object value) {
    return value instanceof Map ? (Map<String, @Nullable Object>) value : Map.of();
  }

  /**
   * A copy of a value as JSON has it. Throws IllegalArgumentException if JSON has no such value.
   */
  static @Nullable Object copy(@Nullable Object value) {
    if (value instanceof Map) {
      Map<String, @Nullable Object> copy = new LinkedHashMap<>();
      for (Map.Entry<?, ?> member : ((Map<?, ?>) value).entrySet()) {
        if (!(member.getKey() instanceof String)) {
          throw new IllegalArgumentException("JSON has no member " + member.getKey());
        }
        copy.put((String) member.getKey(), copy(member.getValue()));
      }
      return Collections.unmodifiableMap(copy);
    }
    if (value instanceof List) {
      return Collections.unmodifiableList(
          ((List<?>) value).stream().map(Json::copy).collect(Collectors.toList()));
    }
    if (value instanceof Number) {
      return ((Number) value).doubleValue();
    }
    if (value == null || value instanceof String || value instanceof Boolean) {
      return value;
    }
    throw new IllegalArgumentException("JSON has no " + value.getClass().getName());
  }
}
