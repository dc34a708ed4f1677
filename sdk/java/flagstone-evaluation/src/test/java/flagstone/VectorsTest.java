package flagstone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The cases that every evaluator must pass. */
final class VectorsTest {
  @Test
  void flagsHaveTheirValues() throws IOException {
    List<Map<String, @Nullable Object>> vectors = Vectors.read("flagstone.jsonl");
    vectors.addAll(Vectors.read("decisions.jsonl"));
    assertEquals(1_578, vectors.size());
    for (Map<String, @Nullable Object> vector : vectors) {
      String name = String.valueOf(vector.get("case"));
      String key = String.valueOf(Json.members(vector.get("flag")).get("key"));
      Map<String, @Nullable Object> context = Json.members(vector.get("context"));
      Evaluator evaluator = Vectors.evaluator(vector);
      if (Boolean.TRUE.equals(vector.get("cannotBeKnown"))) {
        assertThrows(UnknownOperatorException.class, () -> evaluator.evaluate(key, context), name);
      } else {
        assertEquals(vector.get("expected"), evaluator.evaluate(key, context).value(), name);
      }
    }
  }

  @Test
  void documentsAreAcceptedOrRefused() throws IOException {
    List<Map<String, @Nullable Object>> vectors = Vectors.read("documents.jsonl");
    assertEquals(200, vectors.size());
    List<@Nullable Object> wrong = new ArrayList<>();
    for (Map<String, @Nullable Object> vector : vectors) {
      boolean isAccepted = true;
      try {
        Evaluator.of(String.valueOf(vector.get("document")));
      } catch (IllegalArgumentException e) {
        isAccepted = false;
      }
      if (!vector.get("accepted").equals(isAccepted)) {
        wrong.add(vector.get("case"));
      }
    }
    assertEquals(List.of(), wrong);
  }
}
