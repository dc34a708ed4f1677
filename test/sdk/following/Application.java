import dev.openfeature.sdk.Client;
import dev.openfeature.sdk.FlagEvaluationDetails;
import dev.openfeature.sdk.OpenFeatureAPI;
import dev.openfeature.sdk.ProviderEvent;
import flagstone.openfeature.FlagstoneProvider;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** An application that follows flags, as application.ts is one: prints events, and the flag switch for each line. */
class Application {
  public static void main(String[] args) throws Exception {
    OpenFeatureAPI api = OpenFeatureAPI.getInstance();
    Map.of(
            ProviderEvent.PROVIDER_READY, "READY",
            ProviderEvent.PROVIDER_ERROR, "ERROR",
            ProviderEvent.PROVIDER_STALE, "STALE",
            ProviderEvent.PROVIDER_CONFIGURATION_CHANGED, "CHANGED")
        .forEach(
            (event, name) ->
                api.on(
                    event,
                    details -> {
                      if ("Flagstone".equals(details.getProviderName())) { // not the SDK's own
                        List<String> flags = details.getFlagsChanged();
                        String message = String.valueOf(details.getMessage());
                        boolean isVague = name.equals("STALE") && !message.startsWith(args[0]);
                        String vague = isVague ? "without the address: " + message : "";
                        say((name + " " + (flags == null ? vague : String.join(",", flags))).trim());
                      }
                    }));
    api.setProvider(
        FlagstoneProvider.builder()
            .url(args[0])
            .apiKey(args[1])
            .pollInterval(Duration.ofMillis(Long.parseLong(args[2])))
            .staleAfter(Duration.ofMillis(Long.parseLong(args[3])))
            .cacheFile(Path.of(args[4]))
            .build());
    Client client = api.getClient();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    while (lines.readLine() != null) {
      FlagEvaluationDetails<Boolean> details = client.getBooleanDetails("switch", false);
      Object why = details.getErrorCode() == null ? details.getReason() : details.getErrorCode();
      say("VALUE " + details.getValue() + " " + why);
    }
    api.shutdown();
  }

  private static synchronized void say(String text) {
    System.out.println(text);
  }
}
