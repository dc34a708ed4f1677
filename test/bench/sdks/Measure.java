import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.launchdarkly.sdk.ContextBuilder;
import com.launchdarkly.sdk.LDContext;
import com.launchdarkly.sdk.server.Components;
import com.launchdarkly.sdk.server.LDClient;
import com.launchdarkly.sdk.server.LDConfig;
import com.launchdarkly.sdk.server.integrations.FileData;
import dev.openfeature.contrib.providers.flagd.Config;
import dev.openfeature.contrib.providers.flagd.FlagdOptions;
import dev.openfeature.contrib.providers.flagd.FlagdProvider;
import dev.openfeature.sdk.EvaluationContext;
import dev.openfeature.sdk.ImmutableContext;
import dev.openfeature.sdk.Value;
import flagstone.Evaluator;
import io.getunleash.DefaultUnleash;
import io.getunleash.UnleashContext;
import io.getunleash.util.UnleashConfig;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** One SDK for Java: how fast it starts and evaluates. As measure.ts, measure.py and measure.go. */
class Measure {
  interface IsOn {
    boolean test(String key, int context) throws Exception;
  }

  interface Engine {
    IsOn start(Path file) throws Exception;
  }

  static List<Map<String, String>> contexts;
  static String[] arguments;

  static <T> List<T> each(Function<Map<String, String>, T> create) {
    return contexts.stream().map(create).collect(Collectors.toList());
  }

  static IsOn ours(Path file) throws Exception {
    Evaluator evaluator = Evaluator.of(Files.readAllBytes(file));
    return (key, at) -> Boolean.TRUE.equals(evaluator.evaluate(key, contexts.get(at)).value());
  }

  static IsOn ofrep(Path file) {
    ObjectMapper mapper = new ObjectMapper();
    HttpClient client = HttpClient.newHttpClient();
    List<JsonNode> bodies = each(context -> mapper.valueToTree(Map.of("context", context)));
    return (key, at) -> {
      URI address = URI.create(arguments[4] + "/ofrep/v1/evaluate/flags/" + key);
      HttpRequest request =
          HttpRequest.newBuilder(address)
              .header("Authorization", "Bearer " + arguments[5])
              .POST(HttpRequest.BodyPublishers.ofString(bodies.get(at).toString()))
              .build();
      String answer = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
      return mapper.readTree(answer).path("value").asBoolean();
    };
  }

  static IsOn unleash(Path file) throws Exception {
    String text = Files.readString(file);
    DefaultUnleash unleash =
        new DefaultUnleash(
            UnleashConfig.builder()
                .appName("bench")
                .unleashAPI("http://127.0.0.1:9/")
                .toggleBootstrapProvider(() -> Optional.of(text))
                .disablePolling()
                .disableMetrics()
                .build());
    List<UnleashContext> users =
        each(
            context -> {
              UnleashContext.Builder builder = UnleashContext.builder();
              context.forEach(builder::addProperty);
              return builder.build();
            });
    return (key, at) -> unleash.isEnabled(key, users.get(at));
  }

  static IsOn flagd(Path file) throws Exception {
    FlagdProvider provider =
        new FlagdProvider(
            FlagdOptions.builder()
                .resolverType(Config.Resolver.FILE)
                .deadline(60_000)
                .offlineFlagSourcePath(file.toString())
                .build());
    provider.initialize(new ImmutableContext());
    List<EvaluationContext> users =
        each(
            context -> {
              Map<String, Value> attributes = new HashMap<>();
              context.forEach((name, value) -> attributes.put(name, new Value(value)));
              return new ImmutableContext(attributes);
            });
    return (key, at) -> provider.getBooleanEvaluation(key, false, users.get(at)).getValue();
  }

  static IsOn launchdarkly(Path file) {
    LDClient client =
        new LDClient(
            "",
            new LDConfig.Builder()
                .dataSource(FileData.dataSource().filePaths(file))
                .events(Components.noEvents())
                .build());
    List<LDContext> users =
        each(
            context -> {
              ContextBuilder builder = LDContext.builder(context.get("targetingKey"));
              context.forEach(builder::set);
              return builder.build();
            });
    return (key, at) -> client.boolVariation(key, users.get(at), false);
  }

  /** The heap in use: a virtual machine does not give its memory back. */
  static double megabytes() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(50);
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6;
  }

  /** Seconds of this process's CPU time, or of everyone's time if a server works, too. */
  static double now() {
    var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return (arguments[0].equals("ofrep") ? System.nanoTime() : system.getProcessCpuTime()) / 1e9;
  }

  public static void main(String[] args) throws Exception {
    arguments = args;
    Map<String, Engine> engines =
        Map.of("flagstone", Measure::ours, "ofrep", Measure::ofrep, "unleash", Measure::unleash, "flagd", Measure::flagd, "launchdarkly", Measure::launchdarkly);
    Path folder = Path.of(args[1]);
    ObjectMapper mapper = new ObjectMapper();
    contexts = mapper.readValue(folder.resolve("contexts.json").toFile(), mapper.getTypeFactory().constructCollectionType(List.class, Map.class));
    String name = (args[0].equals("ofrep") ? "flagstone" : args[0]) + "-" + args[2] + ".json";
    double before = megabytes();
    double began = now();
    IsOn isOn = engines.get(args[0]).start(folder.resolve(name));
    double milliseconds = (now() - began) * 1000;
    double memory = megabytes() - before;

    int count = Integer.parseInt(args[2]);
    String[] keys = new String[count];
    for (int i = 0; i < count; i++) {
      keys[i] = String.format("flag-%05d", i);
    }
    int at = 0;
    int on = 0;
    for (; at < 5 * count; at++) {
      on += isOn.test(keys[(int) (at * 7919L % count)], at / count % contexts.size()) ? 1 : 0;
    }
    double seconds = Double.parseDouble(args[3]);
    double perSecond = 0;
    for (int round = 0; round < 3 && seconds > 0; round++) {
      double since = now();
      int evaluations = 0;
      for (; now() - since < seconds; evaluations += 500) {
        for (int end = at + 500; at < end; at++) {
          isOn.test(keys[(int) (at * 7919L % count)], at / count % contexts.size());
        }
      }
      perSecond = Math.max(perSecond, evaluations / (now() - since));
    }
    System.out.println(mapper.writeValueAsString(Map.of("milliseconds", milliseconds, "memory", memory, "on", on, "perSecond", perSecond)));
    System.exit(0); // Some peers leave threads.
  }
}
