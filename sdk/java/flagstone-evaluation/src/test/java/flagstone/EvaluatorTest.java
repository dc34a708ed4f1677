package flagstone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EvaluatorTest {
  enum Plan {
    PRO {
      @Override
      public String toString() {
        return "the best";
      }
    }
  }

  /** A flag with the key f whose rules give true, and else false. */
  private static Evaluator flag(String... operatorsAndOperands) {
    List<Map<String, @Nullable Object>> rules = new ArrayList<>();
    for (int i = 0; i < operatorsAndOperands.length; i += 2) {
      Map<String, @Nullable Object> rule = new HashMap<>();
      rule.put("attribute", "x");
      rule.put("operator", operatorsAndOperands[i]);
      rule.put("value", operatorsAndOperands[i + 1]);
      rule.put("returnValue", true);
      rules.add(rule);
    }
    return Vectors.evaluator(
        Map.of(
            "flag", Map.of("key", "f", "defaultValue", false),
            "environment", Map.of("enabled", true, "rules", rules)));
  }

  private static boolean matches(String operator, String operand, @Nullable Object attribute) {
    Map<String, @Nullable Object> context = new HashMap<>();
    context.put("x", attribute);
    return Boolean.TRUE.equals(flag(operator, operand).evaluate("f", context).value());
  }

  static Stream<Arguments> texts() {
    Instant noon = Instant.parse("2026-01-31T12:00:00.000999Z");
    return Stream.of(
        arguments("7", 7),
        arguments("7", 7L),
        arguments("7", (short) 7),
        arguments("7", 7.0),
        arguments("0", -0.0),
        arguments("0.1", 0.1),
        arguments("0.1", new BigDecimal("0.1")),
        arguments("5e-324", Double.MIN_VALUE),
        arguments("1e-323", 2 * Double.MIN_VALUE),
        arguments("2e-323", 4 * Double.MIN_VALUE),
        arguments("0.002", 2e-3),
        arguments("1e+23", 1e23),
        arguments("-1.5e-7", -1.5e-7),
        arguments("100000000000000000000", 1e20),
        arguments("1e+21", 1e21),
        arguments("1.7976931348623157e+308", Double.MAX_VALUE),
        arguments("Infinity", new BigDecimal("1e400")),
        arguments("9007199254740992", BigInteger.TWO.pow(53).add(BigInteger.ONE)),
        arguments("NaN", Float.NaN),
        arguments("3", new AtomicInteger(3)),
        arguments("true", true),
        arguments("a", 'a'),
        arguments("ab", new StringBuilder("ab")),
        arguments("PRO", Plan.PRO),
        arguments("00000000-0000-0000-0000-000000000005", new UUID(0, 5)),
        arguments("2026-01-31T12:00:00.000Z", noon),
        arguments("2026-01-31T12:00:00.000Z", OffsetDateTime.parse("2026-01-31T14:00:00+02:00")),
        arguments("2026-01-31T12:00:00.000Z", ZonedDateTime.parse("2026-01-31T14:00:00+02:00")),
        arguments("2026-01-31T12:00:00.000Z", Date.from(noon)),
        arguments("2026-01-31T00:00:00.000Z", LocalDate.parse("2026-01-31")),
        arguments("2026-01-31T00:00:00.000Z", java.sql.Date.valueOf("2026-01-31")),
        arguments("a", List.of("b", "a")),
        arguments("a", Set.of("a")),
        arguments("a", new String[] {"b", "a"}),
        arguments("2", new int[] {1, 2}),
        arguments("b", Arrays.asList(null, List.of("a"), "b")));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void attributesHaveTexts(String text, Object attribute) {
    assertTrue(matches("equals", text, attribute));
  }

  static Stream<Object> objects() {
    return Stream.of(
        Map.of("a", 1), new Object(), LocalDateTime.MIN, Instant.MAX, Instant.MIN, LocalDate.MAX);
  }

  @ParameterizedTest
  @MethodSource("objects")
  void noComparisonMatchesObjects(Object attribute) {
    for (String operator : List.of("contains", "notContains", "percentage", "greaterThan")) {
      assertFalse(matches(operator, operator.equals("percentage") ? "100" : "0", attribute));
    }
    assertTrue(matches("exists", "", attribute));
  }

  @Test
  void momentsAreCompared() {
    for (Object moment : List.of(Instant.MAX, LocalDate.MAX, new Date(Long.MAX_VALUE), 1e300)) {
      assertTrue(matches("after", "2026-01-31", moment));
      assertFalse(matches("before", "2026-01-31", moment));
    }
    assertTrue(matches("before", "0000-01-01", Instant.MIN));
    assertFalse(matches("after", "1969-12-31T23:59:59.999Z", Instant.ofEpochSecond(0, -1)));
    assertFalse(matches("greaterThan", "0", Instant.MAX));
  }

  @Test
  void evaluationsSayWhy() {
    Evaluator evaluator = flag("share", "{\"seed\":\"s\",\"from\":0,\"to\":100}");
    assertEquals(Cause.SHARE, evaluator.evaluate("f", Map.of("x", "a")).cause());
    assertEquals(
        "Evaluation[value=false, cause=DEFAULT, rule=null]",
        evaluator.evaluate("f", Map.of()).toString());
    assertThrows(UnknownFlagException.class, () -> evaluator.evaluate("g", Map.of()));
    UnknownOperatorException unknown =
        assertThrows(
            UnknownOperatorException.class, () -> flag("near", "1").evaluate("f", Map.of()));
    assertTrue(unknown.getMessage().contains("the operator near"));
    assertTrue(flag().isStatic("f"));
    assertTrue(flag("always", "").isStatic("f"));
    assertFalse(evaluator.isStatic("f"));
    assertFalse(evaluator.isStatic("g"));
  }

  @Test
  void valuesCannotBeModified() {
    Map<String, Object> layout = new HashMap<>(Map.of("columns", List.of(3)));
    Evaluator evaluator = Evaluator.ofValues(Map.of("layout", layout, "size", 3L));
    layout.clear();
    Object value = evaluator.evaluate("layout", Map.of()).value();
    assertEquals(Map.of("columns", List.of(3.0)), value);
    assertThrows(UnsupportedOperationException.class, ((Map<?, ?>) value)::clear);
    assertEquals(3.0, evaluator.evaluate("size", Map.of()).value());
    assertNull(evaluator.version());
    for (Object wrong : List.of(new Object(), Map.of(1, true))) {
      assertThrows(IllegalArgumentException.class, () -> Evaluator.ofValues(Map.of("a", wrong)));
    }
  }

  @Test
  void changesAreThoseOfValues() {
    Evaluator one = Evaluator.ofValues(Map.of("a", 1, "b", true, "c", "x"));
    Evaluator other = Evaluator.ofValues(Map.of("a", 1.0, "b", 1, "d", "x"));
    assertEquals(List.of("b", "c", "d"), other.changedFlags(one));
    assertEquals(List.of("f"), flag("equals", "a").changedFlags(flag("equals", "b")));
    assertEquals(List.of(), flag("equals", "a").changedFlags(flag("equals", "a")));
  }

  @ParameterizedTest
  @CsvSource({"abc, 5", "(a), 5", "(?:a){3}, 5", "'a{2,}', 5", "'a{1,3}', 7", "\\Qab\\Ec*, 6"})
  void expressionsHaveASize(String source, double size) {
    assertEquals(size, Expressions.size(source));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(?i)\u1c80",
        "(?i)\\x{1c80}",
        "(?i)\\Q\u1c80\\E",
        "(?i)[\u1c80]",
        "(?i)[\\x{80}-\\x{ffff}]",
        "(?i:a|\\p{Lu})",
        "(?i)[a\\p{Lu}]",
        "(?i)[^\\P{Lu}]",
        "[\\p{Lu}-]"
      })
  @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void caseIsIgnoredBeyondAscii(String source) {
    assertTrue(matches("matches", source, "\u0412"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\\C",
        "\\\u212a",
        "[\\\u212a]",
        "\\p{Emoji}",
        "\\p{",
        "\\p{^",
        "[\\p{]",
        "\\p{L",
        "\\p",
        "[\\p{lu}]",
        "(?<é>a)"
      })
  void whatOtherEnginesReadCannotBeRead(String source) {
    assertFalse(matches("matches", source, "a"));
    assertFalse(matches("notMatches", source, "a"));
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void hostileTextsTakeNoStackAndLittleTime() {
    String many = "1.".repeat(500_000);
    assertFalse(matches("semverEquals", "1", many));
    assertTrue(matches("semverGreaterThan", "1", many + "1"));
    assertFalse(matches("greaterThan", "1", "1".repeat(1_000_000) + "x"));
    assertFalse(matches("after", "2026-01-31", "2026-01-31T00:00:00." + "1".repeat(1_000_000)));
    assertFalse(matches("matches", "(a*)*b", "a".repeat(100_000)));
    for (String part : List.of("(?:", "(?:(?i)", "[", "(", "a{1,", "\\Q", "\\p{", "(?<", "a**")) {
      String source = part.repeat(4_000 / part.length());
      assertFalse(matches("matches", source, "b"), part);
    }
    String nested = "(?:".repeat(999) + "a" + ")".repeat(999);
    assertTrue(matches("matches", nested, "a"));
  }

  @Test
  void documentsAreUtf8() {
    byte[] document = "{\"flags\":[]}\ufeff".getBytes(StandardCharsets.UTF_8);
    assertThrows(IllegalArgumentException.class, () -> Evaluator.of(document));
    document[document.length - 1] = (byte) 0xff;
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Evaluator.of(document));
    assertTrue(refused.getMessage().startsWith("not a document of flags: it is not UTF-8"));
    String deep = "{\"flags\":" + "[".repeat(1_000_000);
    assertThrows(IllegalArgumentException.class, () -> Evaluator.of(deep));
  }

  @Test
  void theLastMemberOfTheSameNameCounts() {
    assertNull(Evaluator.of("{\"flags\":[{}],\"flags\":null,\"flags\":[]}").flagSet());
    for (String last : List.of("[{}]", "null")) {
      String document = "{\"flags\":[],\"flags\":" + last + "}";
      assertThrows(IllegalArgumentException.class, () -> Evaluator.of(document));
    }
  }

  static Stream<Arguments> comparedAsTheyAre() {
    String group = "[{\"attribute\":\"x\",\"operator\":\"equals\",\"value\":\"b\"}]";
    return Stream.of(
        arguments("a", Map.of("always", "", "exists", "", "notExists", "")),
        arguments("a", Map.of("equals", "b", "contains", "b", "startsWith", "b", "endsWith", "b")),
        arguments("a", Map.of("notEquals", "a", "notContains", "a", "in", "[]", "notIn", "[]")),
        arguments("a", Map.of("all", group, "any", group, "none", group)),
        arguments(7, Map.of("greaterThan", "8", "lessThanOrEquals", "6.5", "before", "3")),
        arguments(Instant.EPOCH, Map.of("after", "2026-01-31", "beforeOrEquals", "1969-12-31")));
  }

  @ParameterizedTest
  @MethodSource("comparedAsTheyAre")
  void whatIsComparedAsItIsTakesNoMemory(Object attribute, Map<String, String> operators) {
    var memory = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    Map<String, Object> context = Map.of("x", attribute);
    operators.forEach(
        (operator, operand) -> {
          Evaluator evaluator = flag(operator, operand);
          long before = 0;
          for (int i = 0; i < 2_000; i++) { // The first load classes.
            before = i == 1_000 ? memory.getThreadAllocatedBytes(thread) : before;
            evaluator.evaluate("f", context);
          }
          assertEquals(0, (memory.getThreadAllocatedBytes(thread) - before) / 1_000, operator);
        });
  }

  @Test
  void threadsMayShareIt() {
    Evaluator evaluator = flag("matches", "^a+$", "in", "[\"b\"]");
    List<Object> values =
        IntStream.range(0, 10_000)
            .parallel()
            .mapToObj(i -> evaluator.evaluate("f", Map.of("x", i % 2 == 0 ? "aa" : "c")).value())
            .collect(Collectors.toList());
    assertEquals(5_000, values.stream().filter(Boolean.TRUE::equals).count());
  }
}
