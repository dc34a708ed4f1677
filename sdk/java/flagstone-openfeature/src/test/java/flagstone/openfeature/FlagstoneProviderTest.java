package flagstone.openfeature;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import dev.openfeature.sdk.Awaitable;
import dev.openfeature.sdk.Client;
import dev.openfeature.sdk.ErrorCode;
import dev.openfeature.sdk.FlagEvaluationDetails;
import dev.openfeature.sdk.ImmutableContext;
import dev.openfeature.sdk.MutableStructure;
import dev.openfeature.sdk.OpenFeatureAPI;
import dev.openfeature.sdk.ProviderEvent;
import dev.openfeature.sdk.ProviderState;
import dev.openfeature.sdk.Value;
import dev.openfeature.sdk.exceptions.FatalError;
import dev.openfeature.sdk.exceptions.ProviderNotReadyError;
import flagstone.Evaluator;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FlagstoneProviderTest {
  private static final String TEXTS =
      "\"name\":\"\",\"description\":\"\",\"createdAt\":\"\",\"updatedAt\":\"\"";

  private final OpenFeatureAPI api = OpenFeatureAPI.getInstance();
  private final Client client = api.getClient("tests");
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private Server server;

  @BeforeEach
  void start() throws Exception {
    LogManager.getLogManager().reset(); // Nothing is logged to the console.
    server = new Server();
    server.flags = Server.document(rule("equals", "a"));
    for (ProviderEvent event : ProviderEvent.values()) {
      client.on(
          event,
          details -> {
            if ("Flagstone".equals(details.getProviderName())) {
              events.add(event + " " + details.getFlagsChanged() + " " + details.getMessage());
            }
          });
    }
  }

  @AfterEach
  void stop() {
    api.shutdown();
    server.close();
  }

  /** A document with a flag f that is true if x matches. */
  private static String rule(String operator, String operand) {
    String ids =
        "\"id\":\"f\",\"flagId\":\"f\",\"environmentId\":\"production\",\"updatedAt\":\"\"";
    String rule =
        String.format(
            "{\"id\":\"r\",\"attribute\":\"x\",\"operator\":\"%s\",\"value\":\"%s\",\"returnValue\":true}",
            operator, operand);
    return String.format(
        "{\"flags\":[{\"flag\":{\"id\":\"f\",\"projectId\":\"shop\",\"key\":\"f\",%s,\"type\":\"boolean\","
            + "\"defaultValue\":false},\"environment\":{%s,\"enabled\":true,\"rules\":[%s]}}]}",
        TEXTS, ids, rule);
  }

  private FlagstoneProvider.Builder following() {
    return FlagstoneProvider.builder()
        .url(server.url())
        .apiKey("secret")
        .events(false)
        .pollInterval(Duration.ofMillis(100));
  }

  private String event(String begin) throws InterruptedException {
    while (true) {
      String event = events.poll(30, TimeUnit.SECONDS);
      if (event == null || event.startsWith(begin)) {
        return event;
      }
    }
  }

  private boolean isOn(Object attribute) throws Exception {
    Value value = attribute instanceof Value ? (Value) attribute : new Value(attribute);
    ImmutableContext context = new ImmutableContext(Map.of("x", value));
    return client.getBooleanValue("f", false, context);
  }

  @Test
  void valuesHaveTheirTypes() {
    Map<String, Object> layout = Map.of("columns", 3, "names", Arrays.asList("a", null, true));
    Map<String, Object> values =
        Map.of("on", true, "text", "a", "one", 1, "half", 0.5, "big", 1e10, "layout", layout);
    api.setProviderAndWait(
        "tests", FlagstoneProvider.builder().document(Evaluator.ofValues(values)).build());
    assertTrue(client.getBooleanValue("on", false));
    assertEquals("a", client.getStringValue("text", ""));
    assertEquals(1, client.getIntegerValue("one", 0));
    assertEquals(1.0, client.getDoubleValue("one", 0.0));
    assertEquals(0.5, client.getDoubleValue("half", 0.0));
    assertEquals(ErrorCode.TYPE_MISMATCH, client.getIntegerDetails("half", 0).getErrorCode());
    assertEquals(ErrorCode.TYPE_MISMATCH, client.getIntegerDetails("big", 0).getErrorCode());
    assertEquals(10_000_000_000L, client.getLongValue("big", 0L));
    assertEquals(ErrorCode.TYPE_MISMATCH, client.getBooleanDetails("text", true).getErrorCode());
    assertEquals(ErrorCode.FLAG_NOT_FOUND, client.getBooleanDetails("off", true).getErrorCode());
    Value object = client.getObjectValue("layout", new Value());
    assertEquals(3, object.asStructure().getValue("columns").asInteger());
    List<Value> names = object.asStructure().getValue("names").asList();
    assertEquals("a", names.get(0).asString());
    assertTrue(names.get(1).isNull());
    assertTrue(names.get(2).asBoolean());
    FlagEvaluationDetails<Boolean> details = client.getBooleanDetails("on", false);
    assertEquals("DEFAULT", details.getReason());
    assertEquals("default", details.getVariant());
  }

  @Test
  void attributesHaveTheirTypes() throws Exception {
    Instant noon = Instant.parse("2026-01-31T12:00:00Z");
    Map<String, List<Object>> matching =
        Map.of(
            "7", List.of(7, 7L, 7.0, new Value(List.of(new Value("a"), new Value(7)))),
            "true", List.of(true),
            "2026-01-31T12:00:00.000Z", List.of(noon));
    for (Map.Entry<String, List<Object>> entry : matching.entrySet()) {
      api.setProviderAndWait("tests", provider(rule("equals", entry.getKey())));
      for (Object attribute : entry.getValue()) {
        assertTrue(isOn(attribute), attribute.toString());
      }
      assertFalse(isOn(new Value(new MutableStructure(Map.of("a", new Value(7))))));
      assertFalse(isOn(new Value()));
    }
    api.setProviderAndWait("tests", provider(rule("exists", "")));
    assertTrue(isOn(new Value(new MutableStructure())));
    assertFalse(isOn(new Value()));
    assertFalse(client.getBooleanValue("f", false));
    api.setProviderAndWait(
        "tests", provider(rule("in", "[]").replace("\"x\"", "\"targetingKey\"")));
    FlagEvaluationDetails<Boolean> details =
        client.getBooleanDetails("f", true, new ImmutableContext("ann"));
    assertEquals("DEFAULT", details.getReason());
    assertEquals("shop/production", details.getFlagMetadata().getString("flagSetId"));
    assertEquals(32, details.getFlagMetadata().getString("version").length());
    api.setProviderAndWait(
        "tests", provider(rule("equals", "ann").replace("\"x\"", "\"targetingKey\"")));
    details = client.getBooleanDetails("f", false, new ImmutableContext("ann"));
    assertEquals("TARGETING_MATCH r", details.getReason() + " " + details.getVariant());
  }

  private static FlagstoneProvider provider(String document) {
    return FlagstoneProvider.builder().document(Evaluator.of(document)).build();
  }

  @Test
  void aClockIsAddedWhereItIsMissing() throws Exception {
    FlagstoneProvider.Builder builder =
        FlagstoneProvider.builder().document(Evaluator.of(rule("after", "2026-01-01")));
    api.setProviderAndWait("tests", builder.clockAttribute("x").build());
    assertTrue(client.getBooleanValue("f", false));
    assertTrue(isOn(new Value()));
    assertFalse(isOn("2025-01-01"));
    api.setProviderAndWait("tests", builder.clockAttribute("now").build());
    assertFalse(client.getBooleanValue("f", false));
  }

  @Test
  void changesAreFollowedUntilItIsShutDown() throws Exception {
    api.setProviderAndWait("tests", following().header("X-Team", "shop").build());
    HttpExchange first = server.asked();
    assertEquals("Bearer secret", first.getRequestHeaders().getFirst("Authorization"));
    assertEquals("shop", first.getRequestHeaders().getFirst("X-Team"));
    assertEquals("flagstone-java/0.1.0", first.getRequestHeaders().getFirst("User-Agent"));
    assertNull(first.getRequestHeaders().getFirst("If-None-Match"));
    assertNotEquals(null, server.asked().getRequestHeaders().getFirst("If-None-Match"));
    server.flags = Server.document(rule("equals", "bcd"));
    assertTrue(event("PROVIDER_CONFIGURATION_CHANGED").contains("[f]"));
    assertTrue(isOn("bcd"));
    assertTrue(threads("flagstone").get(0).isDaemon());
    api.shutdown();
    assertEquals(List.of(), threads("flagstone"));
    for (Thread thread : threads("HttpClient-")) {
      while (thread.isAlive()) {
        if (Runtime.version().feature() < 21) {
          System.gc();
        }
        thread.join(100);
      }
    }
  }

  private static List<Thread> threads(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(prefix))
        .collect(Collectors.toList());
  }

  @Test
  void eventsAreListenedTo() throws Exception {
    CountDownLatch changed = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    server.events =
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write(": hello\n\n".getBytes(StandardCharsets.UTF_8));
          exchange.getResponseBody().flush();
          try {
            changed.await();
            String event = "event: changed\r\nid: new\r\ndata:\r\n\r\n";
            exchange.getResponseBody().write(event.getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            ended.await();
          } catch (InterruptedException e) {
            // The test is over.
          }
        };
    api.setProviderAndWait(
        "tests", following().events(true).pollInterval(Duration.ofHours(1)).build());
    assertEquals("/v1/flags", server.asked().getRequestURI().getPath());
    HttpExchange listening = server.asked();
    assertEquals("/v1/events", listening.getRequestURI().getPath());
    assertNotEquals(null, listening.getRequestHeaders().getFirst("Last-Event-ID"));
    server.flags = Server.document(rule("equals", "bcd"));
    changed.countDown();
    assertTrue(event("PROVIDER_CONFIGURATION_CHANGED").contains("[f]"));
    assertTrue(isOn("bcd"));
    api.shutdown(); // which also ends the stream
    ended.countDown();
  }

  @Test
  void pollsGoOnUntilAStreamBegins() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    server.events =
        exchange -> { // A server in between keeps what the proxy sends.
          exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().flush();
          try {
            over.await();
          } catch (InterruptedException e) {
            // The test is over.
          }
        };
    api.setProviderAndWait("tests", following().events(true).build());
    while (!server.asked().getRequestURI().getPath().equals("/v1/events")) {}
    server.flags = Server.document(rule("equals", "bcd"));
    assertNotEquals(null, event("PROVIDER_CONFIGURATION_CHANGED"));
    over.countDown();
  }

  @Test
  void aKeyThatIsRefusedIsFatalAndIsNotCarriedElsewhere() throws Exception {
    server.flags = Server.status(401);
    FatalError refused =
        assertThrows(FatalError.class, () -> api.setProviderAndWait("tests", following().build()));
    assertEquals(
        server.url() + "/v1/flags returned 401: use an apiKey that is valid now",
        refused.getMessage());
    try (Server other = new Server()) {
      server.flags = Server.status(307, "Location", other.url() + "/v1/flags");
      ProviderNotReadyError redirected =
          assertThrows(
              ProviderNotReadyError.class,
              () -> api.setProviderAndWait("tests", following().build()));
      assertTrue(redirected.getMessage().contains("redirects are not followed"));
      assertEquals(0, other.requests.size());
    }
    server.flags = Server.document(rule("equals", "a"));
    assertNotEquals(null, event("PROVIDER_READY"));
    assertTrue(isOn("a"));
  }

  @Test
  void theCacheAndADocumentHaveTheFlagsUntilTheServerDoes(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("flags.json");
    api.setProviderAndWait("tests", following().cacheFile(file).build());
    assertEquals(rule("equals", "a"), Files.readString(file));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    server.flags = Server.status(500);
    Evaluator fallback = Evaluator.of(rule("equals", "b"));
    api.setProviderAndWait("tests", following().cacheFile(file).document(fallback).build());
    assertTrue(isOn("a"));
    assertTrue(event("PROVIDER_STALE").contains("returned 500"));
    assertEquals(ProviderState.STALE, client.getProviderState());
    server.flags = Server.document(rule("equals", "a"));
    assertNotEquals(null, event("PROVIDER_READY"));
    server.flags = Server.status(500);
    Files.writeString(file, "{");
    api.setProviderAndWait("tests", following().cacheFile(file).document(fallback).build());
    assertTrue(isOn("b"));
  }

  @Test
  void theLogSaysOnceWhatHappens(@TempDir Path folder) throws Exception {
    List<String> log = new CopyOnWriteArrayList<>();
    Handler handler =
        new StreamHandler() {
          @Override
          public void publish(LogRecord entry) {
            String message = entry.getMessage().replace(server.url(), "");
            log.add(entry.getLevel() + " " + message.replaceFirst(": java.*", ""));
          }
        };
    Logger.getLogger("flagstone").addHandler(handler);
    Path file = folder.resolve("none/flags.json");
    Duration staleAfter = Duration.ofSeconds(1); // A busy machine may not answer sooner.
    api.setProviderAndWait("tests", following().staleAfter(staleAfter).cacheFile(file).build());
    awaitRequests(3);
    server.flags = Server.status(500);
    assertNotEquals(null, event("PROVIDER_STALE"));
    awaitRequests(1);
    server.flags = Server.document(rule("equals", "a"));
    assertNotEquals(null, event("PROVIDER_READY"));
    awaitRequests(2);
    server.flags = Server.status(403);
    assertNotEquals(null, event("PROVIDER_STALE"));
    api.shutdown();
    assertThrows(FatalError.class, () -> api.setProviderAndWait("tests", following().build()));
    assertEquals(
        List.of(
            "WARNING the flags cannot be saved for the next start",
            "WARNING the flags are stale: /v1/flags returned 500",
            "INFO the flags are current",
            "WARNING the flags are stale: /v1/flags returned 403",
            "WARNING there are no flags: /v1/flags returned 403"),
        log);
  }

  private void awaitRequests(int count) throws InterruptedException {
    server.requests.clear();
    for (int i = 0; i < count; i++) {
      server.asked();
    }
  }

  @Test
  void shutdownDoesNotWaitForAServerThatHangs() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    server.flags =
        exchange -> {
          try {
            over.await();
          } catch (InterruptedException e) {
            // The test is over.
          }
        };
    FlagstoneProvider provider = following().build();
    api.setProvider("tests", provider);
    server.asked();
    long began = System.nanoTime();
    provider.shutdown();
    assertTrue(System.nanoTime() - began < TimeUnit.SECONDS.toNanos(9));
    over.countDown();
  }

  @Test
  void aProviderThatIsShutDownFirstDoesNotStart() {
    FlagstoneProvider provider = following().build();
    provider.shutdown();
    assertThrows(ProviderNotReadyError.class, () -> provider.initialize(new ImmutableContext()));
    assertEquals(0, server.requests.size());
  }

  /** A follower of the server that has flags, and reports each event to a function. */
  private Follower follower(Supplier<Awaitable> onEvent) throws Exception {
    Connection connection = new Connection(Address.of(server.url()), Map.of(), 1 << 20);
    Follower follower =
        new Follower(connection, following(), null, (event, details) -> onEvent.get());
    follower.start();
    follower.awaitFlags();
    return follower;
  }

  @Test
  void followingEndsWhileAnEventIsUnderWay() throws Exception {
    Awaitable underWay = new Awaitable();
    CountDownLatch begun = new CountDownLatch(1);
    Follower follower =
        follower(
            () -> {
              begun.countDown();
              return underWay;
            });
    server.flags = Server.document(rule("equals", "bcd"));
    begun.await();
    server.flags = Server.document(rule("equals", "efghi"));
    while (Arrays.stream(follower.thread.getStackTrace())
        .noneMatch(frame -> frame.getClassName().equals(Awaitable.class.getName()))) {
      Thread.onSpinWait();
    }
    follower.stop();
    underWay.wakeup();
    follower.thread.join(10_000);
    assertFalse(follower.thread.isAlive());
  }

  @Test
  void followingGoesOnAfterAnError() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    CountDownLatch changed = new CountDownLatch(1);
    Follower follower =
        follower(
            () -> {
              if (failed.getCount() > 0) {
                failed.countDown();
                throw new LinkageError("later");
              }
              changed.countDown();
              return Awaitable.FINISHED;
            });
    server.flags = Server.document(rule("equals", "bcd"));
    failed.await();
    server.flags = Server.document(rule("equals", "efghi"));
    changed.await();
    follower.stop();
  }

  @Test
  void aHostThatIsUnknownIsNamed() {
    FlagstoneProvider provider = FlagstoneProvider.builder().url("http://flags.invalid").build();
    ProviderNotReadyError unknown =
        assertThrows(ProviderNotReadyError.class, () -> api.setProviderAndWait("tests", provider));
    assertEquals(
        "http://flags.invalid/v1/flags cannot be read: its host is unknown", unknown.getMessage());
  }

  @Test
  void documentsHaveALimit() {
    ProviderNotReadyError refused =
        assertThrows(
            ProviderNotReadyError.class,
            () -> api.setProviderAndWait("tests", following().documentLimit(100).build()));
    assertTrue(refused.getMessage().contains("more than 100 bytes"), refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "flags", "ftp://a", "http://", "http://u:secret@a", "http://a/?k=secret x"})
  void addressesAreRefusedWithoutTheirSecrets(String url) {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> FlagstoneProvider.builder().url(url).build());
    assertFalse(refused.getMessage().contains("secret"));
  }

  @Test
  void optionsAreRefused() {
    FlagstoneProvider.Builder builder = FlagstoneProvider.builder();
    assertThrows(IllegalArgumentException.class, builder::build);
    assertThrows(IllegalArgumentException.class, () -> builder.apiKey(""));
    assertThrows(IllegalArgumentException.class, () -> builder.header("a b", ""));
    assertThrows(IllegalArgumentException.class, () -> builder.pollInterval(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> builder.pollInterval(Duration.ofMillis(99)));
    assertThrows(IllegalArgumentException.class, () -> builder.staleAfter(Duration.ofDays(2)));
    assertThrows(IllegalArgumentException.class, () -> builder.staleAfter(Duration.ofMillis(90)));
    assertThrows(IllegalArgumentException.class, () -> builder.documentLimit(0));
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> builder.apiKey("secret\n"));
    assertFalse(refused.getMessage().contains("secret"));
  }

  @ParameterizedTest
  @CsvSource({
    "http://a, http://a/v1/flags, http://a/v1/events",
    "https://a:8443/b//?k=1, https://a:8443/b/v1/flags?k=1, https://a:8443/b/v1/events?k=1",
    "http://a/v1/flags/#x, http://a/v1/flags, http://a/v1/events",
    "http://[::1]/f.json?k=1, http://[::1]/f.json?k=1,",
  })
  void addressesAreThoseOfDocuments(String url, String document, String events) {
    Address address = Address.of(url);
    assertEquals(document, address.document.toString());
    assertEquals(events, address.events == null ? null : address.events.toString());
    assertFalse(address.shown.contains("?"));
  }

  @ParameterizedTest
  @CsvSource({
    "7, 7",
    "0, 0",
    "-1, 0",
    "1.5, 0",
    "99999999999999999999, 86400",
    "soon, 0",
    "'Wed, 21 Oct 2026 07:28:05 GMT', 5",
    "'Wed, 21 Oct 2026 07:27:00 GMT', 0"
  })
  void retryAfterIsReadAsSecondsOrADate(String header, long seconds) {
    Instant now = Instant.parse("2026-10-21T07:28:00Z");
    assertEquals(TimeUnit.SECONDS.toNanos(seconds), Connection.nanoseconds(header, now));
  }

  /** Seconds: interval, Retry-After, failures in a row, whether there are flags, and the delay. */
  @ParameterizedTest
  @CsvSource({
    "30, false, 0, 1, true, 30", "30, false, 0, 3, true, 120", "30, false, 0, 9, true, 300",
    "30, false, 0, 1, false, 1", "30, false, 0, 9, false, 30", "30, true, 0, 1, true, 300",
    "30, false, 60, 1, true, 66", "30, false, 7200, 1, true, 3960"
  })
  void delaysGrow(
      long interval, boolean isRefused, long asked, int failures, boolean hasFlags, long delay) {
    FetchException failure = new FetchException("", isRefused, TimeUnit.SECONDS.toNanos(asked));
    assertEquals(
        TimeUnit.SECONDS.toNanos(delay),
        Follower.delay(TimeUnit.SECONDS.toNanos(interval), failure, failures, hasFlags, 0.5));
  }
}
