import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.openfeature.contrib.providers.ofrep.OfrepProvider;
import dev.openfeature.contrib.providers.ofrep.OfrepProviderOptions;
import dev.openfeature.sdk.FlagEvaluationDetails;
import dev.openfeature.sdk.ImmutableContext;
import dev.openfeature.sdk.OpenFeatureAPI;
import dev.openfeature.sdk.Value;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Map;

/** Asks for flags through OpenFeature: the arguments are the proxy's address and the API key, each line of stdin a question. */
public class Client {
  public static void main(String[] args) throws Exception {
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
      error.printStackTrace();
      System.exit(1); // else the SDK's own threads keep the process
    });
    var options = OfrepProviderOptions.builder().baseUrl(args[0]);
    if (!args[1].isEmpty())
      options.headers(ImmutableMap.of("Authorization", ImmutableList.of("Bearer " + args[1])));
    var api = OpenFeatureAPI.getInstance();
    api.setProviderAndWait(OfrepProvider.constructProvider(options.build()));
    var client = api.getClient();
    var json = new ObjectMapper();
    var input = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = input.readLine()) != null; ) {
      var parts = line.split("\t", -1);
      var key = parts[1];
      var context = new ImmutableContext("ann", Map.of("plan", new Value(parts[2])));
      FlagEvaluationDetails<?> details =
          switch (parts[0]) {
            case "boolean" -> client.getBooleanDetails(key, false, context);
            case "text" -> client.getStringDetails(key, "fallback", context);
            case "integer" -> client.getIntegerDetails(key, -1, context);
            case "float" -> client.getDoubleDetails(key, -1.5, context);
            default -> client.getObjectDetails(key, Value.objectToValue(Map.of("fallback", true)), context);
          };
      var value = details.getValue();
      var plain = value instanceof Value object ? plain(object) : value;
      var code = details.getErrorCode() == null ? "" : details.getErrorCode().toString();
      System.out.println(line + "\t" + json.writeValueAsString(plain) + "\t" + code);
    }
    api.shutdown();
  }

  private static Object plain(Value value) {
    if (value.isList()) return value.asList().stream().map(Client::plain).toList();
    return value.isStructure() ? value.asStructure().asObjectMap() : value.asObject();
  }
}
