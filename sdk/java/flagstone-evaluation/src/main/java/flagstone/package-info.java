/**
 * Feature flags that Flagstone compiled, evaluated in process.
 *
 * <pre>{@code
 * Evaluator evaluator = Evaluator.of(bytes); // of GET /v1/flags
 * Evaluation evaluation = evaluator.evaluate("delivery-slots", Map.of("postcode", "10115"));
 * }</pre>
 *
 * <p>Attributes of a context are strings, booleans, numbers, collections and arrays. A number is a
 * double, so send identifiers beyond 2⁵³ as strings. {@code Instant}, {@code OffsetDateTime},
 * {@code ZonedDateTime} and {@code Date} are moments, and so is {@code LocalDate}: its midnight in
 * UTC. The text of an enum is its name, that of a {@code UUID} its usual form. Maps and all other
 * types are objects, which no comparison matches; {@code System.Logger} warns once of each such
 * type but maps. An attribute that is null is missing.
 */
@NullMarked
package flagstone;

import org.jspecify.annotations.NullMarked;
