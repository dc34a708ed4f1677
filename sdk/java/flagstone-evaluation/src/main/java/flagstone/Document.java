package flagstone;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Documents: what {@code GET /v1/flags} answers. Flags, configurations and rules may have members
 * that are not known here, so that documents of later versions can be read.
 */
final class Document {
  private static final List<String> FLAG_TEXTS =
      List.of("id", "projectId", "key", "name", "description", "type", "createdAt", "updatedAt");
  private static final List<String> CONFIGURATION_TEXTS =
      List.of("id", "flagId", "environmentId", "updatedAt");
  private static final List<String> RULE_TEXTS = List.of("id", "attribute", "operator", "value");

  private Document() {}

  /** The entries of a document. Throws IllegalArgumentException if it is none. */
  static List<Map<String, @Nullable Object>> entries(@Nullable Object document) {
    Object flags = Json.members(document).get("flags");
    if (!(flags instanceof List) || Json.members(document).size() != 1) {
      throw malformed("it is not an object with a list of flags as its only member");
    }
    List<Map<String, @Nullable Object>> entries = new ArrayList<>();
    String previous = null;
    for (Object flag : (List<?>) flags) {
      Map<String, @Nullable Object> entry = Json.members(flag);
      if (!isEntry(entry)) {
        throw malformed("flags[" + entries.size() + "] is not a flag entry");
      }
      String key = text(Json.members(entry.get("flag")), "key");
      // compareTo compares code units, as all SDKs do.
      if (previous != null && key.compareTo(previous) <= 0) {
        throw malformed("flags[" + entries.size() + "] is out of order or has a duplicate key");
      }
      previous = key;
      entries.add(entry);
    }
    return entries;
  }

  static IllegalArgumentException malformed(String reason) {
    return new IllegalArgumentException("not a document of flags: " + reason);
  }

  /** A member that the document has, because it was accepted. */
  static String text(Map<String, @Nullable Object> members, String name) {
    return String.valueOf(members.get(name));
  }

  private static boolean isEntry(Map<String, @Nullable Object> entry) {
    if (entry.size() != 2
        || !entry.containsKey("environment")
        || !has(Json.members(entry.get("flag")), "defaultValue", FLAG_TEXTS)) {
      return false;
    }
    if (entry.get("environment") == null) {
      return true;
    }
    Map<String, @Nullable Object> configuration = Json.members(entry.get("environment"));
    Object rules = configuration.get("rules");
    if (!has(configuration, "enabled", CONFIGURATION_TEXTS)
        || !(configuration.get("enabled") instanceof Boolean)
        || !(rules instanceof List)) {
      return false;
    }
    for (Object rule : (List<?>) rules) {
      if (!has(Json.members(rule), "returnValue", RULE_TEXTS)) {
        return false;
      }
    }
    return true;
  }

  private static boolean has(
      Map<String, @Nullable Object> members, String member, List<String> texts) {
    for (String name : texts) {
      if (!(members.get(name) instanceof String)) {
        return false;
      }
    }
    return members.containsKey(member);
  }

  /**
   * A copy of a value as JSON has it. Throws IllegalArgumentException if JSON has no such value.
   */
  static @Nullable Object copy(@Nullable Object value) {
    if (value instanceof Map) {
      Map<String, @Nullable Object> copy = new LinkedHashMap<>();
      ((Map<?, ?>) value).forEach((name, member) -> copy.put((String) name, copy(member)));
      return Collections.unmodifiableMap(copy);
    }
    if (value instanceof List) {
      return Collections.unmodifiableList(
          ((List<?>) value).stream().map(Document::copy).collect(Collectors.toList()));
    }
    if (value instanceof Number) {
      return ((Number) value).doubleValue();
    }
    if (value == null
        || Stream.of(String.class, Boolean.class).anyMatch(t -> t.isInstance(value))) {
      return value;
    }
    throw new IllegalArgumentException("JSON has no " + value.getClass().getName());
  }
}
