package flagstone;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates what it reads, as every SDK's {@code conformance} does, so that they can be compared:
 * each line is a JSON object. One with {@code document} gives the document for the lines after it;
 * one with {@code key} and {@code context} is answered by a line with {@code value}, {@code cause}
 * and {@code rule} (null if no rule gave the value), or with {@code error}: {@code unknownFlag},
 * {@code unknownOperator} or {@code document}.
 */
final class Conformance {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private Conformance() {}

  public static void main(String[] args) throws IOException {
    PrintStream answers = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
    Evaluator evaluator = null;
    StringBuilder line = new StringBuilder();
    try (BufferedReader questions =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      // Only a line feed ends a line: readLine also takes a carriage return, which JSON may
      // contain.
      for (int unit = questions.read(); unit >= 0; unit = questions.read()) {
        if (unit != '\n') {
          line.append((char) unit);
          continue;
        }
        String document = document(line.toString());
        if (document != null) {
          evaluator = read(document);
        } else {
          answers.print(answer(evaluator, Json.members(Json.read(line.toString()))) + "\n");
        }
        line.setLength(0);
      }
    }
    answers.flush();
  }

  /** The document of a line as it is written there; null if it has none. */
  private static @Nullable String document(String line) throws IOException {
    try (JsonParser parser = JSON.createParser(line)) {
      parser.nextToken();
      if (!"document".equals(parser.nextFieldName())) {
        return null;
      }
      parser.nextToken();
      int start = (int) parser.currentTokenLocation().getCharOffset();
      parser.skipChildren();
      parser.finishToken();
      return line.substring(start, (int) parser.currentLocation().getCharOffset());
    }
  }

  private static @Nullable Evaluator read(String document) {
    try {
      return Evaluator.of(document);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static String answer(
      @Nullable Evaluator evaluator, Map<String, @Nullable Object> question) {
    if (evaluator == null) {
      return "{\"error\":\"document\"}";
    }
    try {
      Evaluation evaluation =
          evaluator.evaluate(
              String.valueOf(question.get("key")), Json.members(question.get("context")));
      Map<String, @Nullable Object> answer = new LinkedHashMap<>();
      answer.put("value", evaluation.value());
      answer.put("cause", evaluation.cause().name().toLowerCase(Locale.ROOT));
      answer.put("rule", evaluation.rule());
      return write(answer);
    } catch (UnknownFlagException e) {
      return "{\"error\":\"unknownFlag\"}";
    } catch (UnknownOperatorException e) {
      return "{\"error\":\"unknownOperator\"}";
    }
  }

  static String write(@Nullable Object value) {
    StringWriter written = new StringWriter();
    try (JsonGenerator answer = JSON.createGenerator(written)) {
      write(value, answer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return written.toString();
  }

  private static void write(@Nullable Object value, JsonGenerator answer) throws IOException {
    if (value instanceof Map) {
      answer.writeStartObject();
      for (Map.Entry<String, @Nullable Object> member : Json.members(value).entrySet()) {
        answer.writeFieldName(member.getKey());
        write(member.getValue(), answer);
      }
      answer.writeEndObject();
    } else if (value instanceof List) {
      answer.writeStartArray();
      for (Object element : (List<?>) value) {
        write(element, answer);
      }
      answer.writeEndArray();
    } else if (value instanceof Double && ((Double) value).isInfinite()) {
      answer.writeNull(); // as in JavaScript
    } else if (value instanceof Double) {
      answer.writeNumber((Double) value);
    } else if (value instanceof Boolean) {
      answer.writeBoolean((Boolean) value);
    } else {
      answer.writeString((String) value); // or null
    }
  }
}
