package flagstone.openfeature;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A server that answers as it is told to, and keeps the headers of requests. */
final class Server implements AutoCloseable {
  /** How it answers. */
  interface Answer {
    void send(HttpExchange exchange) throws IOException;
  }

  final BlockingQueue<HttpExchange> requests = new LinkedBlockingQueue<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  volatile Answer flags = document("{\"flags\":[]}");
  volatile Answer events = status(404);

  Server() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/v1/flags", exchange -> answer(exchange, flags));
    server.createContext("/v1/events", exchange -> answer(exchange, events));
    server.start();
  }

  private void answer(HttpExchange exchange, Answer answer) throws IOException {
    requests.add(exchange);
    try {
      answer.send(exchange);
    } finally {
      exchange.close();
    }
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  HttpExchange asked() throws InterruptedException {
    HttpExchange request = requests.poll(20, TimeUnit.SECONDS);
    if (request == null) {
      throw new AssertionError("nobody asked");
    }
    return request;
  }

  static Answer status(int status, String... headers) {
    return exchange -> {
      for (int i = 0; i < headers.length; i += 2) {
        exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
      }
      exchange.sendResponseHeaders(status, -1);
    };
  }

  /** A document with its length as the tag; 304 if the request has it. */
  static Answer document(String text) {
    return exchange -> {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      String tag = "\"" + bytes.length + "\"";
      exchange.getResponseHeaders().set("ETag", tag);
      exchange.getResponseHeaders().set("X-RateLimit-Limit", "100");
      if (tag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
        exchange.sendResponseHeaders(304, -1);
      } else {
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
      }
    };
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
