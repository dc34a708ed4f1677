import { H3Event } from "h3"
import { expect, test } from "vitest"
import { createPage, mayReadPage } from "../../../cli/dev/page.ts"

test("all foreign input is plain text on the page", () => {
  const html = createPage({
    project: '<script>alert("1")</script>',
    size: "1 flag",
    url: "http://a'b&c:8080",
    keys: [{ environment: "<qa>", secret: "secret" }],
  }).body.toString()
  expect(html).toContain("<h1>&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;</h1>")
  expect(html).toContain("<h2>&#60;qa&#62;</h2>")
  expect(html).toContain("http://a&#39;b&#38;c:8080/v1/flags")
  expect(html).toContain("http://a&#39;b&#38;c:8080/ofrep/v1/evaluate/flags")
  expect(html).not.toMatch(/<(script|qa)/)
})

test.each([
  ["127.0.0.1", "127.0.0.1:8080", "127.0.0.1", true],
  ["127.0.0.1", "localhost:8080", "127.0.0.1", true],
  ["127.0.0.1", "localhost", "0.0.0.0", true],
  ["::ffff:127.0.0.1", "localhost:8080", "::", true],
  ["::1", "[::1]:8080", "::1", true],
  ["10.0.0.7", "10.0.0.7:8080", "10.0.0.7", true],
  // Another machine, whatever name it sends.
  ["10.0.0.9", "10.0.0.7:8080", "10.0.0.7", false],
  ["10.0.0.9", "localhost:8080", "0.0.0.0", false],
  ["::ffff:10.0.0.9", "localhost:8080", "::", false],
  // A web page whose host name leads here (DNS rebinding).
  ["127.0.0.1", "evil.example:8080", "127.0.0.1", false],
  ["127.0.0.1", "localhost.evil.example", "127.0.0.1", false],
  ["127.0.0.1", "127.0.0.1.evil.example:8080", "127.0.0.1", false],
  ["127.0.0.1", undefined, "127.0.0.1", false],
  [undefined, "localhost:8080", "127.0.0.1", false],
])("a client at %s that asks for %s may read the page of a server on %s: %s", (peer, name, host, may) => {
  const request = new Request("http://localhost/", { headers: name === undefined ? {} : { host: name } })
  expect(mayReadPage(new H3Event(Object.assign(request, { ip: peer })), host)).toBe(may)
})
