// @module-tag property
import fc from "fast-check"
import { expect, test } from "vitest"
import { canonicalJson } from "../../../cli/language/canonical-json.ts"
import type { Json } from "../../../sdk/contract/snapshot.ts"
import { runs } from "../../runs.ts"

/** The same value with the members of every object reversed. */
function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value as { readonly [name: string]: Json })
  return Object.fromEntries(members.toReversed().map(([name, member]) => [name, reversed(member)]))
}

test("is the value, whatever the order of its members", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (any) => {
      const value: Json = JSON.parse(JSON.stringify(any))
      const text = canonicalJson(value)
      expect(JSON.parse(text)).toEqual(value)
      expect(canonicalJson(reversed(value))).toBe(text)
    }),
    { numRuns: runs(125) },
  )
})

test.each<readonly [Json, string]>([
  [{}, "{}"],
  [[], "[]"],
  [
    { "": [{}, ""], é: null, z: { b: 1, a: [1, 2] }, "\uff61": 2, "😀": 3 },
    '{"":[{},""],"z":{"a":[1,2],"b":1},"é":null,"😀":3,"｡":2}',
  ],
])("%j is %s", (value, text) => expect(canonicalJson(value)).toBe(text))
