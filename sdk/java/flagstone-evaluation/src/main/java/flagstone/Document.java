package flagstone;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Documents: what {@code GET /v1/flags} answers. Flags, configurations and rules may have members
 * that are not known here, so that documents of later versions can be read. Of members with the
 * same name, the last counts.
 */
final class Document {
  /** Stands for what is missing or is not as it must be, and for an object that contains it. */
  private static final Object WRONG = new Object();

  private static final Shape DOCUMENT = new Shape(0, 0, "flags");
  private static final Shape ENTRY = new Shape(0, 0, "flag", "environment");
  private static final Shape FLAG =
      new Shape(
          3,
          8,
          "projectId",
          "key",
          "type",
          "id",
          "name",
          "description",
          "createdAt",
          "updatedAt",
          "defaultValue");
  private static final Shape CONFIGURATION =
      new Shape(1, 4, "environmentId", "id", "flagId", "updatedAt", "enabled", "rules");
  private static final Shape RULE =
      new Shape(4, 4, "id", "attribute", "operator", "value", "returnValue");

  final Map<String, Flag> flags = new HashMap<>();

  /** The ids of the project and the environment; null if the environment configures no flag. */
  @Nullable String flagSet;

  private String lastKey = "";
  private @Nullable String mistake;

  private Document() {}

  /** Throws IllegalArgumentException if it is none. */
  static Document read(byte[] text) {
    Document document = new Document();
    try {
      if (Json.read(text, parser -> document.members(parser, DOCUMENT)) == WRONG) {
        document.mistake = "it is not an object with a list of flags as its only member";
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("not a document of flags: " + e.getMessage(), e);
    }
    if (document.mistake != null) {
      throw new IllegalArgumentException("not a document of flags: " + document.mistake);
    }
    return document;
  }

  private Object members(JsonParser parser, Shape shape) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      return skip(parser);
    }
    @Nullable Object[] values = new Object[shape.names.size()];
    Arrays.fill(values, WRONG);
    boolean isWrong = false;
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      int at = shape.names.indexOf(name);
      if (at < 0) {
        parser.skipChildren();
        isWrong |= shape.texts == 0;
      } else if (at >= shape.texts) {
        values[at] = value(parser, name);
      } else if (token == JsonToken.VALUE_STRING) {
        values[at] = at < shape.kept ? parser.getText() : "";
      } else {
        values[at] = skip(parser);
      }
    }
    isWrong |= Arrays.asList(values).contains(WRONG);
    return isWrong ? WRONG : new Members(shape, values);
  }

  private @Nullable Object value(JsonParser parser, String name) throws IOException {
    switch (name) {
      case "flags":
        return flags(parser);
      case "flag":
        return members(parser, FLAG);
      case "environment":
        return parser.currentToken() == JsonToken.VALUE_NULL
            ? null
            : members(parser, CONFIGURATION);
      case "enabled":
        Object enabled = Json.read(parser);
        return enabled instanceof Boolean ? enabled : WRONG;
      case "rules":
        return rules(parser);
      default:
        return Json.read(parser);
    }
  }

  private @Nullable Object flags(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      return skip(parser);
    }
    flags.clear();
    flagSet = null;
    mistake = null;
    for (int index = 0; parser.nextToken() != JsonToken.END_ARRAY; index++) {
      Object entry = members(parser, ENTRY);
      String reason = entry == WRONG ? "is not a flag entry" : add((Members) entry);
      if (reason != null && mistake == null) {
        mistake = "flags[" + index + "] " + reason;
      }
    }
    return null;
  }

  /** Adds a flag, and says what is wrong with it. */
  private @Nullable String add(Members entry) {
    Members flag = Objects.requireNonNull(entry.object("flag"));
    Members configuration = entry.object("environment");
    String key = flag.text("key");
    // compareTo compares code units, as all SDKs do.
    if (!flags.isEmpty() && key.compareTo(lastKey) <= 0) {
      return "is out of order or has a duplicate key";
    }
    lastKey = key;
    flags.put(key, Flag.of(flag, configuration));
    if (flagSet == null && configuration != null) {
      flagSet = flag.text("projectId") + "/" + configuration.text("environmentId");
    }
    return null;
  }

  private Object rules(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      return skip(parser);
    }
    List<Object> rules = new ArrayList<>(4);
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      Object rule = members(parser, RULE);
      rules.add(rule == WRONG ? WRONG : new Flag.RuleSource((Members) rule));
    }
    return rules.contains(WRONG) ? WRONG : List.copyOf(rules);
  }

  private static Object skip(JsonParser parser) throws IOException {
    parser.skipChildren();
    return WRONG;
  }

  /** What an object must have: texts, then other values. Without texts, it may have no more. */
  private static final class Shape {
    /** How many texts, the first, are kept: evaluations need them. */
    final int kept;

    final int texts;
    final List<String> names;

    Shape(int kept, int texts, String... names) {
      this.kept = kept;
      this.texts = texts;
      this.names = List.of(names);
    }
  }

  /** The members of an object, by name. */
  static final class Members {
    private final Shape shape;
    private final @Nullable Object[] values;

    private Members(Shape shape, @Nullable Object[] values) {
      this.shape = shape;
      this.values = values;
    }

    @Nullable Object get(String name) {
      return values[shape.names.indexOf(name)];
    }

    String text(String name) {
      return String.valueOf(get(name));
    }

    private @Nullable Members object(String name) {
      return (Members) get(name);
    }

    @SuppressWarnings("unchecked") // They are made here only.
    List<Flag.RuleSource> rules() {
      return (List<Flag.RuleSource>) Objects.requireNonNull(get("rules"));
    }
  }
}
