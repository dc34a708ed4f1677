package flagstone.openfeature;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** Where a document is. */
final class Address {
  final URI document;

  /** The address without its query, which may be a CDN's signature: what may be logged. */
  final String shown;

  /** The address of the events; null if there are none. */
  final @Nullable URI events;

  private Address(URI document, String shown, @Nullable URI events) {
    this.document = document;
    this.shown = shown;
    this.events = events;
  }

  /** A proxy's address, an environment's on a CDN, or that of a document if it ends in .json. */
  static Address of(String url) {
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException e) {
      uri = URI.create(""); // The message would have the query.
    }
    String scheme = String.valueOf(uri.getScheme());
    boolean isHttp = scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("https");
    if (!isHttp || uri.getHost() == null || !url.chars().allMatch(c -> c < 128)) {
      throw new IllegalArgumentException(
          "url must begin with http: or https:, have a host, in which Java reads no _, and be ASCII"
              + " without spaces");
    }
    if (uri.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          "url must not contain a user or password: use header instead");
    }
    String origin = scheme + "://" + uri.getRawAuthority();
    String path = String.valueOf(uri.getRawPath());
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    if (path.endsWith(".json")) {
      return new Address(URI.create(origin + path + query), origin + path, null);
    }
    String base = path.replaceFirst("/+$", "").replaceFirst("/v1/flags$", "");
    String shown = origin + base + "/v1/flags";
    URI events = URI.create(origin + base + "/v1/events" + query);
    return new Address(URI.create(shown + query), shown, events);
  }
}
