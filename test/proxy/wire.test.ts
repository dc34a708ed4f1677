// @module-tag system
import { hash } from "node:crypto"
import { expect, test } from "vitest"
import {
  buildFiles,
  createKeySource,
  createMapSource,
  evaluateBucket,
  mintKey,
  wallClock,
} from "./fixtures.ts"
import { evaluatedFlags } from "./ofrep/evaluated-flags.ts"
import { exchange } from "./raw-http.ts"
import { startTestProxy } from "./start-proxy.ts"

// What a client gets for bytes that it sends, whatever reads them here: `wire.txt` has every line of each answer, in the
// order of their names, and the beginning of its body.

/** Every case finds full buckets. */
let monotonic = 0
/** Always the same, because tickets sign the key's digest. */
const { secret, record } = mintKey({ rateLimit: { capacity: 1000, refillPerSecond: 1 } }, (bytes) =>
  Buffer.alloc(bytes, "wire"),
)
const { proxy } = await startTestProxy({
  keys: createKeySource([record]),
  clock: { now: () => wallClock, monotonicNow: () => monotonic, random: () => 0 },
  snapshots: [createMapSource(buildFiles({ production: evaluatedFlags }))],
  corsOrigins: ["https://shop.example"],
  evaluateBucket,
})

const key = `Authorization: Bearer ${secret}`
const close = "Connection: close"
const origin = "Origin: https://shop.example"

/** A request whose connection ends with its answer. */
function ask(target: string, lines: readonly string[] = [key], method = "GET", host = "Host: x"): string {
  return [`${method} ${target} HTTP/1.1`, host, ...lines, close, "", ""].join("\r\n")
}

function post(target: string, body: string, lines: readonly string[] = []): string {
  return ask(target, [key, `Content-Length: ${Buffer.byteLength(body)}`, ...lines], "POST") + body
}

const evaluate = "/ofrep/v1/evaluate/flags"
const context = '{"context":{"plan":"pro"}}'
const inner = `GET /v1/flags/static HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`

const targets = [
  ...[
    "/",
    "/v1",
    "/v1/",
    "/v1/flags",
    "/v1/flags?x=1",
    "/v1/flags?",
    "/v1/flags#x",
    "/v1/flags;x",
    "/v1/flags/",
  ],
  ...[
    "/v1/flags//",
    "/v1/flags/static/",
    "/v1/flags/static//",
    "//v1/flags",
    "/v1//flags",
    "/v1/flagsx",
    "/V1/flags",
  ],
  // Absolute form.
  ...[
    "http://x/v1/flags",
    "http://other.example/v1/flags/static",
    "http://x",
    "http://x?/v1/flags",
    "http:/v1/flags",
  ],
  ...[
    "foo://x/v1/flags",
    "http://x/v1/flags/../../livez",
    "http:///v1/flags",
    "x",
    "*",
    "v1/flags",
    "http://[/livez",
  ],
  ...["HTTP://u:p@x:99999/v1/flags?q=/livez"],
  // Dots.
  ...["/v1/flags/../flags", "/v1/flags/./static", "/v1/flags/%2e%2e/%2e%2e/livez", "/v1/flags/.%2E/../livez"],
  ...[
    "/../livez",
    "/./livez",
    "/%2e/livez",
    "/x/../livez",
    "/livez/..",
    "/livez/.",
    "/v1/flags/..",
    "/v1/flags/%2e",
  ],
  ...[
    "/v1/flags/..%2f..%2flivez",
    "/v1/flags/...",
    "/v1/flags/static%2e",
    "/v1/flags\\..\\livez",
    "/livez\\",
    "\\livez",
  ],
  // Escapes.
  ...[
    "/v1/flags/st%61tic",
    "/v1/flags/%73tatic",
    "/v1%2fflags",
    "/%761/flags",
    "/v1/fl%61gs",
    "/livez%00",
    "/%6civez",
  ],
  ...[
    "/v1/flags/team/checkout",
    "/v1/flags/team%2Fcheckout",
    "/v1/flags/team%2fcheckout",
    "/v1/flags/team//checkout",
  ],
  ...[
    "/v1/flags/team%252Fcheckout",
    "/v1/flags/team%5Ccheckout",
    "/v1/flags/team\\checkout",
    "/v1/flags/%00",
  ],
  ...[
    "/v1/flags/static%00",
    "/v1/flags/%",
    "/v1/flags/%%61",
    "/v1/flags/%E0%A4%A",
    "/v1/flags/%c3%28",
    "/%E0%A4%A",
  ],
  ...[
    "/v1/flags/\xe9",
    "/v1/flags/\u00f0\u009f\u008f\u0081",
    "/v1/flags/%F0%9F%8F%81",
    '/v1/flags/"',
    "/v1/flags/<x>",
  ],
  ...[
    "/v1/flags/{x}|^`",
    "/v1/flags/sta\ttic",
    "/v1/flags/static\0",
    "/v1/flags/*",
    "/v1/flags/:key",
    "/v1/flags/**",
  ],
  ...["/v1/flags/__proto__", "/__proto__", "/constructor", "/v1/__proto__", "/v1/flags/toString"],
  ...[`/v1/flags/${"x".repeat(15_000)}`, `/v1/flags/${"x".repeat(17_000)}`],
  // Health, and what is near it.
  ...["/livez", "/readyz", "/livez/", "/livez?'", "/readyz//", "/metrics", "/health"],
  ...[
    "/v1/events/",
    "/v1/events/x",
    "/ofrep/v1/events",
    "/ofrep/v1/events?ticket=x&seen=y",
    "/ofrep/v1/events/",
    evaluate,
  ],
]

const methods = [
  "HEAD",
  "POST",
  "PUT",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "PATCH",
  "QUERY",
  "PROPFIND",
  "PRI",
  "get",
]
const paths = [
  "/v1/flags",
  "/v1/flags/static",
  "/v1/events",
  evaluate,
  `${evaluate}/static`,
  "/ofrep/v1/events",
  "/livez",
]

const preflight = [origin, "Access-Control-Request-Method: GET"]

const cases: readonly (readonly [string, string])[] = [
  ...targets.map((target) => [`GET ${target}`, ask(target)] as const),
  ...[
    "/v1/flags",
    "/v1/flags/static",
    "/v1/flags/unknown",
    "/v1/flags/",
    "/v1/flags/%2e%2e/%2e%2e/livez",
    "/x",
  ].map((target) => [`GET ${target}, no key`, ask(target, [])] as const),
  ...methods.flatMap((method) =>
    [...paths, "/nowhere"].map((path) => [`${method} ${path}`, ask(path, [key], method)] as const),
  ),
  ["HEAD /v1/flags/unknown", ask("/v1/flags/unknown", [key], "HEAD")],
  ["OPTIONS *", ask("*", [], "OPTIONS")],
  ["a tunnel", ask("x:443", [], "CONNECT")],
  ["a method by header", ask("/v1/flags", [key, "X-HTTP-Method-Override: DELETE"])],
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["HTTP/0.9", "GET /livez\r\n\r\n"],
  ["HTTP/1.0", "GET /v1/flags/static HTTP/1.0\r\n\r\n"],
  ["HTTP/1.0 with a key", `GET /v1/flags/static HTTP/1.0\r\n${key}\r\n\r\n`],
  [
    "chunks in HTTP/1.0",
    `POST ${evaluate} HTTP/1.0\r\n${key}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
  ],
  ["HTTP/1.9", "GET /livez HTTP/1.9\r\nHost: x\r\nConnection: close\r\n\r\n"],
  ["an upgrade", ask("/v1/flags/static", [key, "Upgrade: websocket"])],
  // Hosts.
  ["no host", `GET /livez HTTP/1.1\r\n${close}\r\n\r\n`],
  ["an empty host", ask("/livez", [], "GET", "Host:")],
  ["two hosts", ask("/livez", [], "GET", "Host: x\r\nHost: y")],
  ["the same host twice", ask("/livez", [], "GET", "Host: x\r\nHost: x")],
  ["a list of hosts", ask("/livez", [], "GET", "Host: x, y")],
  ...["x:99999", "256.256.256.256", "[::1", "a b", "x/..", "u@x", "\xe9", "xn--", "x?y", "x#y"].flatMap(
    (host) => [
      [`host ${host}`, ask("/v1/flags/static", [key], "GET", `Host: ${host}`)] as const,
      [`host ${host}, query`, ask("/livez?'", [], "GET", `Host: ${host}`)] as const,
      [`host ${host}, dots`, ask("/v1/flags/..", [key], "GET", `Host: ${host}`)] as const,
    ],
  ),
  // Where a body ends.
  ["a length in a GET", `${ask("/livez", ["Content-Length: 5"])}hello`],
  [
    "a length and chunks",
    `${ask("/livez", ["Content-Length: 5", "Transfer-Encoding: chunked"])}0\r\n\r\n${inner}`,
  ],
  [
    "chunks and a length",
    `${ask("/livez", ["Transfer-Encoding: chunked", "Content-Length: 5"])}0\r\n\r\n${inner}`,
  ],
  ["two lengths", `${ask("/livez", ["Content-Length: 5", "Content-Length: 6"])}hello`],
  ["chunks twice", `${ask("/livez", ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"])}0\r\n\r\n`],
  ["chunks, identity", `${ask("/livez", ["Transfer-Encoding: chunked, identity"])}0\r\n\r\n`],
  ["gzip, chunks", `${ask("/livez", ["Transfer-Encoding: gzip, chunked"])}0\r\n\r\n`],
  ["a blank before the colon", `${ask("/livez", ["Transfer-Encoding : chunked"])}0\r\n\r\n`],
  ["a folded line", ask("/livez", ["X: a\r\n b"])],
  ["LF alone", "GET /livez HTTP/1.1\nHost: x\nConnection: close\n\n"],
  ["CR alone", "GET /livez HTTP/1.1\rHost: x\r\r"],
  ["a NUL in a header", ask("/livez", ["X: a\0b"])],
  ["1,001 lines", ask("/livez", Array<string>(1_001).fill("a:"))],
  ["a long header", ask("/livez", [`X: ${"y".repeat(17_000)}`])],
  ["a POST with a body", post("/v1/flags", "hello")],
  ["requests in a row", [inner, inner.replace("static", "unknown"), ask("/livez")].join("")],
  ["a HEAD in a row", inner.replace("GET", "HEAD") + ask("/livez")],
  ["a body and the next request", post("/v1/flags", inner).replace(`${close}\r\n`, "") + ask("/livez")],
  // Expectations.
  ["Expect: 100-continue in a GET", ask("/v1/flags/static", [key, "Expect: 100-continue"])],
  ["Expect: 100-continue, no route", post("/nowhere", "hello", ["Expect: 100-continue"])],
  ["Expect: 100-continue, evaluated", post(`${evaluate}/theme`, context, ["Expect: 100-continue"])],
  ["Expect: something else", ask("/v1/flags/static", [key, "Expect: tea"])],
  // Keys.
  ["two keys", ask("/v1/flags", [key, key])],
  ["two keys in a line", ask("/v1/flags", [`${key}, Bearer ${secret}`])],
  ["a key in the query", ask(`/v1/flags?key=${secret}`, [])],
  ["a key without its scheme", ask("/v1/flags", [key.replace("Bearer ", "")])],
  ["another scheme", ask("/v1/flags", ["Authorization: Basic eDp5"])],
  ["a scheme in capitals", ask("/v1/flags/static", [key.replace("Bearer", "BEARER")])],
  ["an empty key", ask("/v1/flags", ["Authorization:"])],
  ["a key with bytes beyond ASCII", ask("/v1/flags", ["Authorization: Bearer \xe9\xff"])],
  // Conditions and encodings.
  ...['"x"', "*", 'W/"x", *', ",".repeat(14_000), '"', ""].map(
    (tags) =>
      [
        `If-None-Match ${tags.slice(0, 20)}`,
        ask("/v1/flags/static", [key, `If-None-Match: ${tags}`]),
      ] as const,
  ),
  ["If-None-Match twice", ask("/v1/flags/static", [key, 'If-None-Match: "x"', "If-None-Match: *"])],
  ["HEAD If-None-Match *", ask("/v1/flags/static", [key, "If-None-Match: *"], "HEAD")],
  ...["br", "gzip", "gzip;q=0.5, br;q=0.1", "*;q=0", "deflate"].map(
    (codings) =>
      [`Accept-Encoding ${codings}`, ask("/v1/flags", [key, `Accept-Encoding: ${codings}`])] as const,
  ),
  ["a range", ask("/v1/flags", [key, "Range: bytes=0-9"])],
  ["If-Match", ask("/v1/flags/static", [key, 'If-Match: "x"'])],
  // Pages.
  ["a page reads the list", ask("/v1/flags", [key, origin])],
  ["a page reads an error", ask("/v1/flags", [origin])],
  ["a page reads no flag", ask("/v1/flags/unknown", [key, origin])],
  ["a page uses a wrong method", ask("/v1/flags", [key, origin], "DELETE")],
  ["a page reads health", ask("/livez", [origin])],
  ["a page reads what is not there", ask("/v1/nothing", [origin])],
  ["another page", ask("/v1/flags/static", [key, "Origin: https://evil.example"])],
  ["two origins", ask("/v1/flags/static", [key, origin, origin])],
  ...[...paths, "/nowhere"].map((path) => [`preflight of ${path}`, ask(path, preflight, "OPTIONS")] as const),
  [
    "preflight of another page",
    ask("/v1/flags", ["Origin: null", "Access-Control-Request-Method: GET"], "OPTIONS"),
  ],
  ["OPTIONS of a page, no preflight", ask("/v1/flags", [origin], "OPTIONS")],
  // Evaluations.
  ["one flag", post(`${evaluate}/theme`, context)],
  ["one flag of a page", post(`${evaluate}/theme`, context, [origin])],
  ["two slashes", post(`/${evaluate}/theme`, context)],
  ["three slashes", post(`//${evaluate}/theme`, context)],
  ["all flags, two slashes", post(`/${evaluate}`, "[]")],
  ["no such flag", post(`${evaluate}/${encodeURIComponent('"x"')}`, context)],
  ["a key that cannot be decoded", post(`${evaluate}/%E0%A4%A`, context)],
  ["an empty flag", post(`${evaluate}/`, context)],
  ["a slash behind the flag", post(`${evaluate}/theme/`, context)],
  ["a flag with a slash", post(`${evaluate}/team%2fcheckout`, context)],
  ["dots for a flag", post(`${evaluate}/../flags/theme`, context)],
  ["escapes in the path", post("/ofrep/v1/ev%61luate/flags/theme", context)],
  ["no JSON", post(evaluate, "{")],
  ["a context that is none", post(evaluate, '{"context":[]}')],
  ["no key", ask(evaluate, ["Content-Length: 0"], "POST")],
  [
    "the other header for keys",
    ask(`${evaluate}/theme`, [`X-API-Key: ${secret}`, "Content-Length: 0"], "POST"),
  ],
  ["too long", post(evaluate, "x".repeat(65_537))],
  [
    "chunks",
    `${ask(`${evaluate}/theme`, [key, "Transfer-Encoding: chunked"], "POST")}1a\r\n${context}\r\n0\r\n\r\n`,
  ],
  ["an absolute target", post(`http://x${evaluate}/theme`, context)],
]

/** An answer after another: its head with its lines in order, and the beginning of its body. */
function describe(said: string): string {
  const end = said.indexOf("\r\n\r\n")
  if (end < 0) return said === "" ? "(nothing)" : said
  const [status, ...lines] = said.slice(0, end).split("\r\n")
  const rest = said.slice(end + 4)
  const length = Number(/\ncontent-length: (\d+)/.exec(said.slice(0, end))?.[1] ?? 0)
  const body = /^($|HTTP\/1\.1 )/.test(rest) ? "" : rest.slice(0, length)
  const shown =
    body.length <= 120
      ? body
      : `${body.slice(0, 40)}… ${body.length} bytes, ${hash("md5", Buffer.from(body, "latin1"))}`
  const next = rest.slice(body.length)
  const head = [status, ...lines.filter((line) => !line.startsWith("Date: ")).toSorted()]
  return [head.join(" | "), ...(body === "" ? [] : [shown]), ...(next === "" ? [] : [describe(next)])].join(
    "\n",
  )
}

test("each request is answered as `wire.txt` says", async () => {
  const answers: string[] = []
  for (const [name, bytes] of cases) {
    monotonic += 3_600_000
    const said = await exchange(proxy.port, Buffer.from(bytes, "latin1"))
    const title = JSON.stringify(name.replaceAll(secret, "<key>")).slice(1, -1)
    answers.push(`== ${title.length < 100 ? title : `${title.slice(0, 60)}…`}\n${describe(said)}\n`)
  }
  await expect(answers.join("")).toMatchFileSnapshot("wire.txt")
})
