package flagstone.openfeature;

import dev.openfeature.sdk.EvaluationContext;
import dev.openfeature.sdk.Value;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A context as the evaluator reads it: the attributes that rules ask for, without a copy. */
final class Attributes extends AbstractMap<String, @Nullable Object> {
  private final @Nullable EvaluationContext context;
  private final @Nullable String clockAttribute;

  /** One moment for all conditions; null until one asks. */
  private @Nullable Instant now;

  Attributes(@Nullable EvaluationContext context, @Nullable String clockAttribute) {
    this.context = context;
    this.clockAttribute = clockAttribute;
  }

  @Override
  public @Nullable Object get(@Nullable Object name) {
    Value value = context == null ? null : context.getValue((String) name);
    Object attribute = value == null ? null : read(value);
    if (attribute == null && context != null && EvaluationContext.TARGETING_KEY.equals(name)) {
      attribute = context.getTargetingKey();
    }
    if (attribute != null || name == null || !name.equals(clockAttribute)) {
      return attribute;
    }
    if (now == null) {
      now = Instant.now();
    }
    return now;
  }

  private static @Nullable Object read(Value value) {
    if (value.isStructure()) {
      return Map.of(); // An object: its members are not compared.
    }
    if (!value.isList()) {
      return value.asObject();
    }
    List<Value> elements = value.asList();
    return elements.stream()
        .map(element -> element == null ? null : read(element))
        .collect(Collectors.toList());
  }

  @Override
  public Set<Entry<String, @Nullable Object>> entrySet() {
    throw new UnsupportedOperationException("evaluators only get attributes");
  }
}
