import { hash } from "node:crypto"
import fc from "fast-check"
import { expect, test } from "vitest"
import { parseSnapshot } from "../../../proxy/contract/snapshot.ts"
import { takeApart } from "../../../proxy/snapshots/snapshot-parts.ts"
import { flagEntry } from "../fixtures.ts"

const entries = ["a", "b", "c", "é", "\u{1f600}"].map((key) => JSON.stringify(flagEntry(key, 2)))
const entry = fc.constantFrom(...entries, "{}", "null", "[1]", '"\\"]}"')
const document = fc
  .tuple(fc.array(entry, { maxLength: 3 }), fc.uniqueArray(fc.constantFrom(...entries), { maxLength: 5 }))
  .map(([some, sorted]) => (some.length === 1 ? some : sorted.toSorted()))
  .chain((list) => fc.constantFrom(list.join(","), list.join(" ,\n"), `${list.join(",")},`, list.join(" ")))
  .map((list) => `{"flags":[${list}]}`)
/** Some bytes of a text are left out or are others. */
const damaged = fc
  .tuple(document, fc.nat(), fc.constantFrom("", ...'{}[]",:\\0 ntf'))
  .map(([text, at, byte]) => text.slice(0, at % text.length) + byte + text.slice((at % text.length) + 1))
  .map((text) => text.toWellFormed()) // half a character has no UTF-8

test("a document is taken apart exactly if it is a snapshot when it is parsed as a whole", () => {
  let taken = 0
  fc.assert(
    fc.property(fc.oneof(document, damaged), (text) => {
      const whole = parseSnapshot(text)
      if (whole.kind === "invalid") {
        expect(() => takeApart(Buffer.from(text), "production.json")).toThrow(
          "production.json is not a snapshot",
        )
        return
      }
      taken++
      const { keys, starts, ends, sha256 } = takeApart(Buffer.from(text), "production.json")
      expect(keys).toEqual(whole.value.flags.map(({ flag }) => flag.key))
      expect(sha256).toBe(hash("sha256", text, "hex"))
      const parts = keys.map((_, at) => Buffer.from(text).subarray(starts[at], ends[at]).toString())
      expect(parts.map((part) => JSON.parse(part))).toEqual(whole.value.flags)
    }),
    { numRuns: 3_000 },
  )
  expect(taken).toBeGreaterThan(300)
})
