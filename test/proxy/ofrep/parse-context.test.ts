import { describe, expect, test } from "vitest"
import { parseContext } from "../../../proxy/ofrep/parse-context.ts"

describe("a context", () => {
  test.each<[string, string, object]>([
    ["no body", "", {}],
    ["an empty object", "{}", {}],
    ["null", '{"context":null}', {}],
    ["an empty context", '{"context":{}}', {}],
    ["no targetingKey", '{"context":{"plan":"pro"}}', { plan: "pro" }],
    ["an empty targetingKey", '{"context":{"targetingKey":""}}', { targetingKey: "" }],
    ["blanks around it", ' \r\n\t{ "context" : { "a" : 1 } }\n', { a: 1 }],
    [
      "lists and objects",
      '{"context":{"a":[1,[2]],"b":{"c":{}},"d":null}}',
      { a: [1, [2]], b: { c: {} }, d: null },
    ],
    ["other members", '{"flags":["a"],"context":{"a":1}}', { a: 1 }],
    ["texts beyond ASCII", '{"context":{"a":"grün \\ud83d\\ude00 😀"}}', { a: "grün 😀 😀" }],
    ["half a surrogate pair", '{"context":{"a":"\\ud83d"}}', { a: "\ud83d" }],
  ])("%s", (_, body, context) => {
    expect(parseContext(Buffer.from(body))).toEqual({ kind: "context", context })
  })

  test("has the attribute __proto__ like any other, and inherits nothing from the body", () => {
    const said = parseContext(Buffer.from('{"context":{"__proto__":{"plan":"pro"},"constructor":"x"}}'))
    const { context } = said as { context: Record<string, unknown> }
    expect(Object.keys(context)).toEqual(["__proto__", "constructor"])
    expect(context.plan).toBeUndefined()
    expect(parseContext(Buffer.from('{"__proto__":{"context":{"plan":"pro"}}}'))).toEqual({
      kind: "context",
      context: {},
    })
  })
})

describe("no context", () => {
  test.each<[string, string | Uint8Array, string]>([
    ["a blank", " ", "PARSE_ERROR"],
    ["a form, as curl sends it", "context=pro", "PARSE_ERROR"],
    ["JavaScript", "{context:{}}", "PARSE_ERROR"],
    ["half", '{"context":{"a":', "PARSE_ERROR"],
    ["two", "{}{}", "PARSE_ERROR"],
    ["a list", "[]", "PARSE_ERROR"],
    ["null", "null", "PARSE_ERROR"],
    ["a text", '"context"', "PARSE_ERROR"],
    ["Latin-1", Buffer.from('{"context":{"a":"grün"}}', "latin1"), "PARSE_ERROR"],
    ["UTF-16", Buffer.from('{"context":{}}', "utf16le"), "PARSE_ERROR"],
    ["64 KB of brackets", "[".repeat(65_536), "PARSE_ERROR"],
    ["64 KB of objects", '{"context":'.repeat(5_000), "PARSE_ERROR"],
    ["a context that is a list", '{"context":[]}', "INVALID_CONTEXT"],
    ["a context that is a text", '{"context":"ann"}', "INVALID_CONTEXT"],
    ["a context that is false", '{"context":false}', "INVALID_CONTEXT"],
    ["a context that is 0", '{"context":0}', "INVALID_CONTEXT"],
  ])("%s", (_, body, errorCode) => {
    expect(parseContext(Buffer.from(body))).toMatchObject({ kind: "invalid", errorCode })
  })
})

describe("an attribute has its limits", () => {
  const parse = (context: object) => parseContext(Buffer.from(JSON.stringify({ context })))
  const refused = (errorDetails: string) => ({ kind: "invalid", errorCode: "INVALID_CONTEXT", errorDetails })
  const kib = (count: number) => "x".repeat(count * 1024)

  test.each<[string, object]>([
    ["1,000 entries", { groups: Array(1000).fill("a") }],
    ["16 KiB in one text", { note: kib(16) }],
    ["16 KiB in the texts of a list", { groups: [kib(8), 1, true, null, kib(8)] }],
    ["each attribute its own", { a: kib(16), b: kib(16), c: Array(1000).fill(1) }],
    ["an object, which no operator compares", { profile: { about: kib(20), groups: Array(2000).fill(1) } }],
  ])("and may have %s", (_, context) => {
    expect(parse(context)).toEqual({ kind: "context", context })
  })

  test.each<[string, object, string]>([
    [
      "one entry more",
      { a: 1, groups: Array(1001).fill(1) },
      "context.groups has 1001 entries; at most 1000 are read",
    ],
    [
      "one byte more",
      { note: `${kib(16)}x` },
      "context.note has 16385 bytes of text; at most 16384 are read",
    ],
    [
      "bytes, not letters",
      { note: "ü".repeat(8193) },
      "context.note has 16386 bytes of text; at most 16384 are read",
    ],
    [
      "bytes in a list",
      { groups: [kib(9), kib(9)] },
      "context.groups has 18432 bytes of text; at most 16384 are read",
    ],
    [
      "the targeting key",
      { targetingKey: kib(17) },
      "context.targetingKey has 17408 bytes of text; at most 16384 are read",
    ],
  ])("and is refused with %s", (_, context, details) => {
    expect(parse(context)).toEqual(refused(details))
  })

  test("and a name that is long is not repeated as a whole", () => {
    const name = "n".repeat(5000)
    expect(parse({ [name]: Array(1001).fill(1) })).toEqual(
      refused(`context.${"n".repeat(100)}… has 1001 entries; at most 1000 are read`),
    )
  })
})
