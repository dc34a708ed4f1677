import { expect, test } from "vitest"
import { parseManifest } from "../../../proxy/contract/manifest.ts"
import type { Evaluations } from "../../../proxy/evaluate/evaluations.ts"
import { createEvaluatedPreparation } from "../../../proxy/prepare/prepare-evaluated.ts"
import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import { flagEntry } from "../../flag-entry.ts"
import { buildFiles } from "../fixtures.ts"
import { flagOf, rule } from "../ofrep/evaluated-flags.ts"

/** A snapshot's bytes, and its entry in the manifest. */
function snapshotOf(flags: Parameters<typeof buildFiles>[0][string]) {
  const files = buildFiles({ production: flags })
  const manifest = parseManifest(files.get("manifest.json") ?? "")
  const environment = manifest.kind === "valid" ? manifest.value.environments.production : undefined
  if (environment === undefined) throw new Error("no manifest")
  return { bytes: Buffer.from(files.get("production.json") ?? ""), environment }
}

let now = 0
/** A millisecond passes each time the clock is read. */
const prepareEvaluatedSnapshot = createEvaluatedPreparation(() => now++)

/** The body of the bulk answer, without pauses. */
function allOf(evaluations: Evaluations, context: Context): string {
  const steps = evaluations.all(context, 100)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

const many = snapshotOf(
  Array.from({ length: 100 }, (_, at) => flagEntry(`flag-${String(at).padStart(2, "0")}`, 2)),
)

test("requests are answered while flags are compiled, and all of them are", async () => {
  expect(many.bytes.length).toBeGreaterThan(48 * 1024)
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const prepared = await prepareEvaluatedSnapshot(many.bytes, many.environment)
  isOver = true
  expect(turns).toBeGreaterThanOrEqual(3)
  const evaluations = prepared.kind === "valid" ? prepared.value.evaluations : undefined
  const { flags } = JSON.parse(evaluations ? allOf(evaluations, { email: "a@example-1.com" }) : "{}")
  expect(flags).toHaveLength(100)
  expect(flags.every(({ value }: { value: unknown }) => value === true)).toBe(true)
})

test("a proxy that stops does not continue compiling", async () => {
  const signal = AbortSignal.abort()
  await expect(prepareEvaluatedSnapshot(many.bytes, many.environment, signal)).rejects.toThrow("aborted")
})

test("expressions, groups and lists are compiled, too", async () => {
  const parts = [{ attribute: "plan", operator: "in", value: '["pro","team"]' }]
  const { bytes, environment } = snapshotOf([
    flagOf("expression", "boolean", false, [rule("matches", "email", "@example\\.(com|org)$", true)]),
    flagOf("group", "boolean", false, [rule("any", "", JSON.stringify(parts), true)]),
  ])
  const prepared = await prepareEvaluatedSnapshot(bytes, environment)
  const evaluations = prepared.kind === "valid" ? prepared.value.evaluations : undefined
  const text = evaluations && allOf(evaluations, { email: "ann@example.org", plan: "team" })
  expect(text?.match(/"value":\w+/g)).toEqual(['"value":true', '"value":true'])
})

test("requests are answered between two expressions, too, and none that is too large is compiled", async () => {
  const flagWith = (key: string, copies: number) =>
    flagOf(
      key,
      "boolean",
      false,
      Array.from({ length: 40 }, (_, at) =>
        rule("matches", "name", `^(\\p{L}{1,${copies}}|${at}){1,4}$`, true),
      ),
    )
  const { bytes, environment } = snapshotOf([flagWith("large", 260), flagWith("small", 3)])
  let turns = 0
  const count = (): void => {
    turns++
    immediate = setImmediate(count)
  }
  let immediate = setImmediate(count)
  const prepared = await prepareEvaluatedSnapshot(bytes, environment)
  clearImmediate(immediate)
  expect(turns).toBeGreaterThanOrEqual(5)
  const evaluations = prepared.kind === "valid" ? prepared.value.evaluations : undefined
  const text = evaluations && allOf(evaluations, { name: "ann" })
  expect(text?.match(/"value":\w+/g)).toEqual(['"value":false', '"value":true'])
})
