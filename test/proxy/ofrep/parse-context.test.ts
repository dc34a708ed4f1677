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
