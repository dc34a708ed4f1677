package flagstone;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks something of a context. */
interface Condition {
  Truth truth(Map<String, ? extends @Nullable Object> context);
}
