import com.google.common.collect.*;
import dev.openfeature.contrib.providers.ofrep.*;
import dev.openfeature.sdk.*;
import java.util.Map;

class Shop {
  public static void main(String[] args) {
    var key = ImmutableList.of("Bearer " + System.getenv("FLAGSTONE_API_KEY"));
    var options = OfrepProviderOptions.builder().baseUrl("http://127.0.0.1:8080");
    options.headers(ImmutableMap.of("Authorization", key));
    var api = OpenFeatureAPI.getInstance();
    api.setProviderAndWait(OfrepProvider.constructProvider(options.build()));
    var attributes = Map.of("appVersion", new Value("4.13.0"), "postcode", new Value("10115"));
    var context = new ImmutableContext("ann", attributes);
    System.out.println(api.getClient().getBooleanValue("delivery-slots", false, context));
    System.exit(0);
  }
}
