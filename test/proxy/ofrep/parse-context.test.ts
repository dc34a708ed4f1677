import { describe, expect, test } from "vitest"
import {
  type AttributeLimit,
  type AttributeLimits,
  lowerLimit,
} from "../../../proxy/evaluate/attribute-limits.ts"
import { parseContext } from "../../../proxy/ofrep/parse-context.ts"

const noLimits: AttributeLimits = new Map()

describe("a context", () => {
  test.each<[string, string, object, number]>([
    ["no body", "", {}, 0],
    ["an empty object", "{}", {}, 0],
    ["null", '{"context":null}', {}, 0],
    ["an empty context", '{"context":{}}', {}, 0],
    ["no targetingKey", '{"context":{"plan":"pro"}}', { plan: "pro" }, 3],
    ["an empty targetingKey", '{"context":{"targetingKey":""}}', { targetingKey: "" }, 0],
    ["blanks around it", ' \r\n\t{ "context" : { "a" : 1 } }\n', { a: 1 }, 0],
    [
      "texts and numbers",
      '{"context":{"a":"pro","b":true,"c":"DE","d":1e9}}',
      { a: "pro", b: true, c: "DE", d: 1e9 },
      5,
    ],
    [
      "lists and objects",
      '{"context":{"a":[1,[2],"text of 18 letters"],"b":{"c":{}},"d":null}}',
      { a: [1, [2], "text of 18 letters"], b: { c: {} }, d: null },
      16 + 16 + 18,
    ],
    ["other members", '{"flags":["a"],"context":{"a":1}}', { a: 1 }, 0],
    ["texts beyond ASCII", '{"context":{"a":"grün \\ud83d\\ude00 😀"}}', { a: "grün 😀 😀" }, 15],
    ["half a surrogate pair", '{"context":{"a":"\\ud83d"}}', { a: "\ud83d" }, 3],
  ])("%s", (_, body, context, bytes) => {
    expect(parseContext(Buffer.from(body), noLimits)).toEqual({ kind: "context", context, bytes })
  })

  test("has the attribute __proto__ like any other, and inherits nothing from the body", () => {
    const said = parseContext(
      Buffer.from('{"context":{"__proto__":{"plan":"pro"},"constructor":"x"}}'),
      noLimits,
    )
    const { context } = said as { context: Record<string, unknown> }
    expect(Object.keys(context)).toEqual(["__proto__", "constructor"])
    expect(context.plan).toBeUndefined()
    expect(parseContext(Buffer.from('{"__proto__":{"context":{"plan":"pro"}}}'), noLimits)).toEqual({
      kind: "context",
      context: {},
      bytes: 0,
    })
  })
})

describe("no context", () => {
  test.each<[string, string | Uint8Array, string]>([
    ["a blank", " ", "PARSE_ERROR"],
    ["a form, as curl sends it", "context=pro", "PARSE_ERROR"],
    ["half", '{"context":{"a":', "PARSE_ERROR"],
    ["a text", '"context"', "PARSE_ERROR"],
    ["Latin-1", Buffer.from('{"context":{"a":"grün"}}', "latin1"), "PARSE_ERROR"],
    ["64 KB of brackets", "[".repeat(65_536), "PARSE_ERROR"],
    ["64 KB of objects", '{"context":'.repeat(5_000), "PARSE_ERROR"],
    ["a context that is a list", '{"context":[]}', "INVALID_CONTEXT"],
    ["a context that is false", '{"context":false}', "INVALID_CONTEXT"],
  ])("%s", (_, body, errorCode) => {
    expect(parseContext(Buffer.from(body), noLimits)).toMatchObject({ kind: "invalid", errorCode })
  })
})

describe("an attribute has its limits", () => {
  const limits = new Map<string, AttributeLimit>()
  for (const [attribute, operator] of [
    ["id", "percentage"],
    ["id", "equals"],
    ["agent", "matches"],
    ["version", "semverLessThan"],
    ["team", "in"],
  ] as const)
    lowerLimit(limits, { attribute, operator, value: "" })
  for (let count = 0; count < 100_000; count++)
    lowerLimit(limits, { attribute: "city", operator: "startsWith", value: "" })
  const parse = (context: object) => parseContext(Buffer.from(JSON.stringify({ context })), limits)
  const refused = (errorDetails: string) => ({ kind: "invalid", errorCode: "INVALID_CONTEXT", errorDetails })
  const kib = (count: number) => "x".repeat(count * 1024)

  test.each<[string, object]>([
    ["256 bytes where a share asks for it", { id: "x".repeat(256) }],
    ["1 KiB where an expression does", { agent: kib(1) }],
    ["64 short entries there", { agent: Array(64).fill("a") }],
    ["16 KiB where it is looked up", { team: kib(16), groups: [kib(8), kib(8)] }],
    ["1,024 short entries there", { team: Array(1024).fill("a") }],
    ["16 KiB where 100,000 comparisons do", { city: kib(16) }],
    ["100 entries there", { city: Array(100).fill("a") }],
    ["16 KiB where no rule asks for it", { note: kib(16), a: kib(16), b: kib(16) }],
    ["any object, which no operator compares", { id: { about: kib(20), groups: Array(2000).fill(1) } }],
  ])("and may have %s", (_, context) => {
    expect(parse(context)).toMatchObject({ kind: "context", context })
  })

  test.each<[string, object, string]>([
    [
      "one byte more for a share",
      { a: 1, id: "x".repeat(257) },
      "context.id has 257 bytes; the limit is 256",
    ],
    [
      "one byte more for an expression",
      { agent: `${kib(1)}x` },
      "context.agent has 1025 bytes; the limit is 1024",
    ],
    [
      "one byte more for a version",
      { version: `${kib(1)}1` },
      "context.version has 1025 bytes; the limit is 1024",
    ],
    [
      "one entry more for an expression",
      { agent: Array(65).fill("") },
      "context.agent has 1040 bytes in 65 entries; the limit is 1024",
    ],
    ["one byte more", { note: `${kib(16)}x` }, "context.note has 16385 bytes; the limit is 16384"],
    ["bytes, not letters", { note: "ü".repeat(8193) }, "context.note has 16386 bytes; the limit is 16384"],
    [
      "one entry more",
      { groups: Array(1025).fill(1) },
      "context.groups has 16400 bytes in 1025 entries; the limit is 16384",
    ],
    [
      "one entry more for 100,000 comparisons",
      { city: Array(101).fill("a") },
      "context.city has 101 entries; the limit is 100",
    ],
    [
      "bytes in a list",
      { groups: [kib(9), kib(9)] },
      "context.groups has 18432 bytes in 2 entries; the limit is 16384",
    ],
  ])("and is refused with %s", (_, context, details) => {
    expect(parse(context)).toEqual(refused(details))
  })

  test("and a long name is not repeated in full", () => {
    const name = "n".repeat(5000)
    expect(parse({ [name]: kib(17) })).toEqual(
      refused(`context.${"n".repeat(100)}… has 17408 bytes; the limit is 16384`),
    )
  })
})
