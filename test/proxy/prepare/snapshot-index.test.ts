// @module-tag property
import { hash } from "node:crypto"
import fc from "fast-check"
import { expect, test } from "vitest"
import { indexSnapshot } from "../../../proxy/prepare/snapshot-index.ts"
import type { Parsed } from "../../../sdk/contract/parsed.ts"
import type { FlagEntry } from "../../../sdk/contract/snapshot.ts"
import { parseSnapshot } from "../../../sdk/contract/snapshot.ts"
import { flagEntry, inEnvironment } from "../../flag-entry.ts"
import { runs } from "../../runs.ts"

const entries = ["a", "b", "c", "é", "\u{1f600}"].map((key) => JSON.stringify(flagEntry(key, 2)))
const entry = fc.constantFrom(...entries, "{}", "null", "[1]", '"\\"]}"')
const document = fc
  .tuple(fc.array(entry, { maxLength: 3 }), fc.uniqueArray(fc.constantFrom(...entries), { maxLength: 5 }))
  .map(([some, sorted]) => (some.length === 1 ? some : sorted.toSorted()))
  .chain((list) => fc.constantFrom(list.join(","), list.join(" ,\n"), `${list.join(",")},`, list.join(" ")))
  .map((list) => `{"flags":[${list}]}`)
/** Some bytes are left out or changed. */
const damaged = fc
  .tuple(document, fc.nat(), fc.constantFrom("", ...'{}[]",:\\0 ntf'))
  .map(([text, at, byte]) => text.slice(0, at % text.length) + byte + text.slice((at % text.length) + 1))
  .map((text) => text.toWellFormed()) // half a character has no UTF-8 form

const production = { id: "production", file: "production.json", sha256: "", size: 0, flags: 0 }

function reasonOf<T>(parsed: Parsed<T>): string {
  return parsed.kind === "invalid" ? parsed.reason : ""
}

function isOfProduction({ flag, environment }: FlagEntry): boolean {
  return (
    environment === null || (environment.environmentId === production.id && environment.flagId === flag.id)
  )
}

test("a document is indexed exactly if it is a snapshot when it is parsed as a whole", () => {
  let indexed = 0
  fc.assert(
    fc.property(fc.oneof(document, damaged), (text) => {
      const whole = parseSnapshot(text)
      if (whole.kind === "invalid") {
        expect(reasonOf(indexSnapshot(Buffer.from(text), production))).toMatch(
          "production.json is not a snapshot",
        )
        return
      }
      fc.pre(whole.value.flags.every(isOfProduction)) // the damage may be in an id
      indexed++
      const index = indexSnapshot(Buffer.from(text), { ...production, flags: whole.value.flags.length })
      if (index.kind === "invalid") throw new Error(index.reason)
      const { keys, starts, ends, sha256 } = index.value
      expect(keys).toEqual(whole.value.flags.map(({ flag }) => flag.key))
      expect(sha256).toBe(hash("sha256", text, "hex"))
      const parts = keys.map((_, at) => Buffer.from(text).subarray(starts[at], ends[at]).toString())
      expect(parts.map((part) => JSON.parse(part))).toEqual(whole.value.flags)
    }),
    { numRuns: runs(3_000) },
  )
  expect(indexed).toBeGreaterThan(runs(300))
})

test.each<[string, FlagEntry, number, string]>([
  [
    "another environment",
    inEnvironment(flagEntry("a", 1), "staging"),
    1,
    "flags[0] is configured for a different environment",
  ],
  [
    "another flag",
    { ...flagEntry("a"), environment: flagEntry("b", 1).environment },
    1,
    "flags[0] is configured",
  ],
  ["fewer flags", flagEntry("a"), 2, "production.json has 1 flags where manifest.json says 2"],
])("a document of %s than the manifest says is refused", (_, entry, flags, message) => {
  const bytes = Buffer.from(JSON.stringify({ flags: [entry] }))
  expect(reasonOf(indexSnapshot(bytes, { ...production, flags }))).toMatch(message)
})
