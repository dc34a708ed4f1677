package flagstone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The lines of the files in {@code sdk/evaluation/vectors}. */
final class Vectors {
  private static final Path FOLDER = Path.of("../../evaluation/vectors");

  private Vectors() {}

  static List<Map<String, @Nullable Object>> read(String name) throws IOException {
    List<Map<String, @Nullable Object>> vectors = new ArrayList<>();
    for (String line : Files.readString(FOLDER.resolve(name)).split("\n", 0)) {
      vectors.add(Json.members(Json.read(line)));
    }
    return vectors;
  }

  /** The flag of a vector or another, with the members that an evaluation does not need. */
  static Evaluator evaluator(Map<String, @Nullable Object> vector) {
    Map<String, @Nullable Object> flag = texts("id", "projectId", "name", "description", "type");
    flag.putAll(texts("createdAt", "updatedAt"));
    flag.putAll(Json.members(vector.get("flag")));
    Map<String, @Nullable Object> configuration = null;
    if (vector.get("environment") != null) {
      configuration = texts("id", "flagId", "environmentId", "updatedAt");
      configuration.putAll(Json.members(vector.get("environment")));
      List<Map<String, @Nullable Object>> rules = new ArrayList<>();
      for (Object rule : (List<?>) configuration.get("rules")) {
        Map<String, @Nullable Object> members = texts("id");
        members.putAll(Json.members(rule));
        rules.add(members);
      }
      configuration.put("rules", rules);
    }
    Map<String, @Nullable Object> entry = new HashMap<>();
    entry.put("flag", flag);
    entry.put("environment", configuration);
    return Evaluator.of(Conformance.write(Map.of("flags", List.of(entry))));
  }

  private static Map<String, @Nullable Object> texts(String... names) {
    Map<String, @Nullable Object> texts = new HashMap<>();
    for (String name : names) {
      texts.put(name, "");
    }
    return texts;
  }
}
