import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { H3Event } from "h3"
import { type ESTree, parseSync, Visitor } from "rolldown/utils"
import { describe, expect, test } from "vitest"
import { createSelections } from "../../proxy/evaluate/selections.ts"
import { createEvents, documentEvents } from "../../proxy/events/events.ts"
import { createTickets } from "../../proxy/events/tickets.ts"
import { chooseEncoding } from "../../proxy/http/accept-encoding.ts"
import { addressBlock, clientAddress } from "../../proxy/http/client-address.ts"
import { createCors } from "../../proxy/http/cors.ts"
import { decodeKey } from "../../proxy/http/decode-key.ts"
import { matchesETag } from "../../proxy/http/if-none-match.ts"
import { isWellFormed, routedTarget } from "../../proxy/http/target.ts"
import { authenticate } from "../../proxy/keys/authenticate.ts"
import { createKeyring } from "../../proxy/keys/keyring.ts"
import { parseContext } from "../../proxy/ofrep/parse-context.ts"
import type { Generation } from "../../proxy/snapshots/generation.ts"
import { foldCase } from "../../sdk/evaluation/fold-case.ts"
import { bindOperator, scopeOfFlag } from "../../sdk/evaluation/operators.ts"
import { growth, linear } from "../growth.ts"
import { mintKey, wallClock } from "./fixtures.ts"

// A request is read by the proxy's only thread. What takes more than linear time for one of its parts, each of which may have 16 KB,
// lets one client stop the proxy for all.

/** What reads a part of a request, the expressions in it, and the texts that take it longest. */
interface Reader {
  readonly reads: string
  readonly file: string
  readonly expressions: readonly RegExp[]
  readonly run: (text: string) => unknown
  /** Of about `length` characters each. */
  readonly worst: readonly ((length: number) => string)[]
}

const bucket = { capacity: 100, refillPerSecond: 10 }
const keyring = createKeyring([], bucket)
const tickets = createTickets("secret")
const cors = createCors(["loopback"])
const variants = { identity: 1, gzip: 1, br: 1 }

const allowance = { kind: "allowed", limit: 100, remaining: 99 } as const
const allowed = { methods: "GET", headers: "Authorization" }
const record = mintKey().record
const events = createEvents({
  streams: { size: 0, isOver: false, hasRoom: () => true, open: () => () => {}, refresh() {}, end() {} },
  keyring: () => createKeyring([record], bucket),
  generation: () => ({ find: () => ({ list: { identity: { etag: '"a"' } } }) }) as unknown as Generation,
  onRefused() {},
  clientAddress: () => "192.0.2.1",
  now: () => wallClock,
})

const readers: readonly Reader[] = [
  {
    reads: "Accept-Encoding",
    file: "proxy/http/accept-encoding.ts",
    expressions: [/^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/],
    run: (text) => chooseEncoding(text, variants),
    worst: [
      between("gzip;q=", " ", "x"),
      between("gzip;", " ", "q=x"),
      between("gzip;q=0.", "0", "x"),
      between("gzip", ";", ""),
      between("", ",", "gzip"),
      between("", "gzip;q=1,", ""),
      between("", "\t", "gzip"),
    ],
  },
  {
    reads: "X-Forwarded-For",
    file: "proxy/http/client-address.ts",
    expressions: [
      /([.:])/,
      /^(?:(\d+\.\d+\.\d+\.\d+):\d{1,5}|\[([^\]]+)\](?::\d{1,5})?)$/,
      /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i,
      /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/,
      /^0+(?=.)/,
    ],
    run: (text) => addressBlock(clientAddress("192.0.2.1", text, 1)),
    worst: [
      between("", ",", ""),
      between("", "1", ""),
      between("", "1.", ""),
      between("1.1.1.1:", "1", ""),
      between("[", ":", ""),
      between("[", "1", "]:123456"),
      between("", ":", ""),
      between("", "1:", ""),
      between("fe80::1%", "%", ""),
      between("::ffff:", "1", ""),
      between("", " ", "x"),
    ],
  },
  {
    reads: "Origin",
    file: "proxy/http/cors.ts",
    expressions: [/^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/],
    run: (origin) => cors.preflight(eventWith({ origin, "access-control-request-method": "GET" }), allowed),
    worst: [
      between("http://localhost:", "1", ""),
      between("", "http://", ""),
      between("http://[::1]", ":", ""),
    ],
  },
  {
    reads: "If-None-Match",
    file: "proxy/http/if-none-match.ts",
    expressions: [/[\s,]*(?:W\/)?("[^"]*")\s*(?=,|$)/y],
    run: (text) => matchesETag(text, '"a"'),
    worst: [
      between("", ",", ""),
      between("", ", ", "x"),
      between("", '"b",', ""),
      between('"b"', " ", "x"),
      between('"', "b", ""),
      between("", '"b" ,', ""),
      between("", "W/", ""),
      between("", 'W/"",', "x"),
    ],
  },
  {
    reads: "the target",
    file: "proxy/http/target.ts",
    expressions: [/[%\\^#"'<>{}`|]|[^\x21-\x7e]|\/[./]|.\/(?:\?|$)/, /[^\x21-\x7e]|[#"<>]/g],
    run: routedTarget,
    worst: [
      between("", "/", "a"),
      between("/", "a/", "?"),
      between("/v1/flags/", "%2e/", ""),
      between("/v1/flags?", "'", ""),
      between("/v1/flags?", "\u00ff", "/"),
      between("", "http://", ""),
      between("/", "?", "#"),
      between("", ":", ""),
    ],
  },
  {
    reads: "a flag's key in the target",
    file: "proxy/http/decode-key.ts",
    expressions: [],
    run: decodeKey,
    worst: [between("", "%41", ""), between("", "%C3%A9", "%"), between("", "a", "%")],
  },
  {
    reads: "the key of a flag, for a client with globs",
    file: "proxy/evaluate/selections.ts",
    expressions: [],
    run: createSelections(new Map())(["a*-*", "**a**b"]).flag,
    worst: [between("a", "-", "/"), between("", "a", ""), between("", "ab", "/")],
  },
  {
    reads: "Host",
    file: "proxy/http/target.ts",
    expressions: [],
    run: (host) => isWellFormed({ headers: { host }, httpVersionMinor: 1 } as never),
    worst: [between("", "a", ""), between("", ":", ",")],
  },
  {
    reads: "Authorization",
    file: "proxy/keys/authenticate.ts",
    expressions: [/^bearer +([\w.~+/=-]{1,200})$/i],
    run: (text) => authenticate(text, keyring, "read", 0),
    worst: [
      between("Bearer", " ", ""),
      between("Bearer", " ", "a!"),
      between("Bearer ", "a", ""),
      between("", "Bearer a, ", ""),
      between("Bearer fsk_", "0", ""),
    ],
  },
  {
    reads: "a ticket",
    file: "proxy/events/tickets.ts",
    expressions: [/^([\w.:-]{1,128})\.(\d{1,9})\.[\w-]{43}$/],
    run: (text) => tickets.verify(text, 0, () => undefined),
    worst: [
      between("", ".", ""),
      between("", "1.", ""),
      between("", "a", ""),
      between("key.1.", "a", ""),
      between("", "1", ".1."),
    ],
  },
  {
    reads: "Last-Event-ID",
    file: "proxy/events/events.ts",
    expressions: [/[0-9a-f]{32}/],
    run: (id) => events.answer(eventWith({ "last-event-id": id }), allowance, record, documentEvents),
    worst: [between("", `${"0".repeat(31)}g`, ""), between("", "g", ""), between("", '"', "")],
  },
  {
    reads: "a body",
    file: "proxy/ofrep/parse-context.ts",
    expressions: [],
    run: (text) => parseContext(Buffer.from(text), new Map()),
    worst: [
      (length) => "[".repeat(length / 2) + "]".repeat(length / 2),
      between('{"context":{"a":[', "[],", "0]}}"),
      between('{"context":{"a":"', "\\u0000", '"}}'),
      (length) => `{"context":{${numbers(length / 16, (number) => `"${number}00000":[""]`)}}}`,
      (length) => `{"context":{${numbers(length / 16, (number) => `"x${number}":{"a":1}`)}}}`,
      between('{"context":{', '"a":1,', '"a":1}}'),
      between('{"context":{"', "a", '":1}}'),
      between("", " ", "x"),
    ],
  },
  {
    reads: "a number in a context",
    file: "sdk/evaluation/decimal.ts",
    expressions: [/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/],
    run: comparing("greaterThan", "1"),
    worst: [
      between("", "1", "x"),
      between("1.", "1", ""),
      between("1e", "1", ""),
      between("1.1e-", "0", "x"),
    ],
  },
  {
    reads: "a moment in a context",
    file: "sdk/evaluation/moment.ts",
    expressions: [/^\d{4}-\d\d-\d\d(?:[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d))?$/],
    run: comparing("after", "2026-01-01"),
    worst: [between("2026-01-01T00:00:00.", "1", "Z"), between("2026-01-01T00:00:00.", "1", "x")],
  },
  {
    reads: "a version in a context",
    file: "sdk/evaluation/version.ts",
    expressions: [],
    run: comparing("semverLessThan", "1.2.3-a.1"),
    worst: [
      between("", "1.", "x"),
      between("1.2.3-", "a.", "!"),
      between("1.2.3-a.", "0", "1"),
      between("1.2.3+", "a.", "!"),
      between("", "0", "1.2.3"),
      between("1.2.3-", "-", "!"),
    ],
  },
  {
    reads: "a text in a context, ignoring case",
    file: "sdk/evaluation/fold-case.ts",
    expressions: [/[A-Z]/, /[^\0-\x7f]/, /[A-Z]+/g],
    run: foldCase,
    worst: [
      between("", "A", ""),
      between("", "aB", ""),
      between("", "a", "\u00e9"),
      between("", "A", "\u0130"),
    ],
  },
]

/** Expressions that read no request: what operators and authors wrote, and what stores answer. */
const elsewhere: Readonly<Record<string, readonly (RegExp | string)[]>> = {
  "proxy/contract/api-key.ts": ["RegExp"],
  "proxy/contract/certificate-advice.ts": [/SELF_SIGNED|UNABLE_TO_|UNTRUSTED/],
  "proxy/contract/environment-name.ts": [/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/],
  "proxy/contract/flag-globs.ts": [/^[A-Za-z0-9._/*?-]{1,200}$/, /\*+/g, /\*\*+|[*?.]/g, "RegExp", /[*?].*/],
  "proxy/contract/key-file.ts": [/fsk_[0-9A-Za-z]{16}/],
  "proxy/contract/key-record.ts": [
    /^(?!.*fsk_)[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
    /^(?!.*fsk_)[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u,
    /^sha256:([0-9a-f]{64})$/,
  ],
  "proxy/contract/manifest.ts": [/^[0-9a-f]{64}$/, /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/],
  "proxy/contract/signature.ts": [/^[A-Za-z0-9+/]{86}==$/],
  "proxy/contract/store-refusal.ts": [
    /<Code>([A-Za-z0-9]{1,64})<\/Code>/,
    /<Region>([a-z0-9-]{1,32})<\/Region>/,
    /^(AuthorizationHeaderMalformed|PermanentRedirect|TemporaryRedirect|IllegalLocationConstraintException|InvalidRegion)$/,
  ],
  "proxy/contract/time.ts": [/^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/],
  "proxy/evaluate/flag-result.ts": [/^-?\d+$/],
  "proxy/rate-limit/store-address.ts": [
    /^unix:\/\/([^/]*@)?(?=\/)/,
    /^\[(.*)\]$/,
    /^rediss?:$/,
    /^(?:\?db=(\d{1,5}))?$/,
    /^\/?(\d{1,5})?$/,
  ],
  "proxy/rate-limit/store-connection.ts": [
    /^(?:\+OK|-(.{1,900})|\*3\r\n:(\d{1,15})\r\n\$\d\d?\r\n([\d.e+-]{1,30})\r\n:(\d{1,15}))\r\n/,
  ],
  "proxy/reload/cache-folder.ts": [/\.(json|sig|tmp)$/],
  "sdk/evaluation/flag-compiler.ts": [/atches|\\u/],
  "sdk/evaluation/share-range.ts": [/^\d+(?:\.\d+)?$/],
  "sdk/evaluation/version.ts": [
    /^v?(\d+(?:\.\d+)*)(?:(\.\*)|(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?)$/,
    /^\d+$/,
    /^0+/,
  ],
}

// Again, because others on the machine may slow down all rounds of one side.
describe("growth, when a text becomes four times as long", { retry: 3 }, () => {
  const cases = readers.flatMap(({ reads, run, worst }) =>
    worst.map((textOf) => [`${reads}: ${sample(textOf)}`, run, textOf] as const),
  )
  test.each(cases)("%s", (_, run, textOf) => {
    expect(growth(run, textOf, 4096)).toBeLessThan(linear)
  })
})

test("each expression that could read a request is in one of the lists", () => {
  const listed = new Map<string, string[]>()
  const add = (file: string, expressions: readonly (RegExp | string)[]) =>
    listed.set(file, [...(listed.get(file) ?? []), ...expressions.map(String)])
  for (const { file, expressions } of readers) if (expressions.length > 0) add(file, expressions)
  for (const [file, expressions] of Object.entries(elsewhere)) add(file, expressions)
  const sorted = (lists: Iterable<readonly [string, readonly string[]]>) =>
    Object.fromEntries([...lists].map(([file, list]) => [file, list.toSorted()]).toSorted())
  expect(sorted(expressionsInSource())).toEqual(sorted(listed))
})

/** What measures and compiles authors' expressions, whose own tests hold it to linear time. */
const ofAuthors = /^sdk\/evaluation\/(?:expression[^/]*|foreign-property)\.ts$/

/** Those of the proxy, and of what evaluates contexts. */
function* expressionsInSource(): Generator<[string, string[]]> {
  const root = join(import.meta.dirname, "../..")
  for (const folder of ["proxy", "sdk/evaluation"])
    for (const path of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      const file = `${folder}/${path}`
      if (!file.endsWith(".ts") || ofAuthors.test(file)) continue
      const expressions = expressionsIn(file, readFileSync(join(root, file), "utf8"))
      if (expressions.length > 0) yield [file, expressions]
    }
}

/** The literals, and `RegExp` for each that is made of a text. */
function expressionsIn(file: string, text: string): string[] {
  const found: string[] = []
  const isMaker = (callee: ESTree.Expression) => callee.type === "Identifier" && callee.name === "RegExp"
  new Visitor({
    Literal: (node) => void ("regex" in node && found.push(text.slice(node.start, node.end))),
    NewExpression: (node) => void (isMaker(node.callee) && found.push("RegExp")),
    CallExpression: (node) => void (isMaker(node.callee) && found.push("RegExp")),
  }).visit(parseSync(file, text).program)
  return found
}

/** Makes texts of a beginning, an end, and between them as many repetitions as fit. */
function between(before: string, repeated: string, after: string): (length: number) => string {
  return (length) => before + repeated.repeat(Math.floor(length / repeated.length)) + after
}

function numbers(count: number, format: (number: number) => string): string {
  return Array.from({ length: count }, (_, number) => format(number)).join()
}

function sample(textOf: (length: number) => string): string {
  const text = textOf(64)
  return JSON.stringify(text.length <= 32 ? text : `${text.slice(0, 18)}…${text.slice(-8)}`)
}

function eventWith(headers: Readonly<Record<string, string>>): H3Event {
  return { req: { method: "GET", headers: new Headers(headers) }, context: {} } as unknown as H3Event
}

/** Compares a text with an operand. */
function comparing(operator: string, operand: string): (text: string) => unknown {
  const bound = bindOperator(operator, operand, scopeOfFlag("a", { compileExpression: () => undefined }))
  return (text) => bound?.matches(text, bound.operand)
}
