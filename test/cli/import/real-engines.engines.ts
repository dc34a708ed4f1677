import { expect, test } from "vitest"
import { parse } from "yaml"
import { tools } from "../../../cli/import/tools.ts"
import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import { seeded } from "../../seeded.ts"
import type { Comparison, Engine, RandomFlag } from "./engines/engine.ts"
import { flagd } from "./engines/flagd.ts"
import { goff } from "./engines/goff.ts"
import { launchDarkly } from "./engines/launchdarkly.ts"
import { unleash } from "./engines/unleash.ts"
import { hasRealFiles, importTexts, readRealFile, realFiles } from "./import-text.ts"

// `npm run test:import`: flags that are imported exactly give what the newest engines of their tools give.

const [flagsInFile, contextsOfFlag] = [200, 100]
const attributes = ["country", "email", "plan", "seats", "version", "since"]
/** Operands, and values of attributes. */
const pool: readonly (string | number)[] = [
  ...["DE", "de", "ann@x.example", "ANN@X.EXAMPLE", "a", "", "true", "1", "1.5", "-2", "10", 1, 1.5, -2, 10],
  ...["1.2.3", "1.2.4", "2.0.0", "1.2.3-beta", "2026-01-01T00:00:00Z", "2026-07-01T00:00:00Z"],
]

console.warn("NOT COMPARED: Flipt, whose engine is part of its server")
for (const engine of [flagd, goff, unleash, launchDarkly]) {
  try {
    console.log(`comparing with ${engine.install()}`)
  } catch (error) {
    console.warn(
      `NOT COMPARED: ${engine.tool}, because its engine could not be installed: ${(error as Error).message}`,
    )
    continue
  }
  test.each(hasRealFiles ? realFiles(engine.tool) : [])("%s", async (name) => {
    expect(await differences(engine, name, readRealFile(name).text, seeded(1))).toEqual([])
  })
  test.each([1, 2, 3])(`${flagsInFile} random flags of ${engine.tool}, seed %d`, async (seed) => {
    const random = seeded(seed)
    const text = JSON.stringify(engine.fileOf(randomFlags(engine, random)))
    expect(await differences(engine, `${engine.tool}.json`, text, random)).toEqual([])
  })
}

/** In which contexts a flag that was imported exactly does not have the tool's own value. */
async function differences(engine: Engine, path: string, text: string, random: () => number) {
  const tool = await tools[engine.tool]()
  const { results, evaluatorOf } = await importTexts(tool, [{ path, text, environment: undefined }])
  const exact = results.filter(({ verdict }) => verdict === "exact")
  const asks = exact.flatMap(({ flag, environment }) =>
    Array.from({ length: contextsOfFlag }, () => {
      return { flag, environment, context: randomContext(tool.required, tool.contexts === "texts", random) }
    }),
  )
  const theirs = await engine.ask(parse(text), asks)
  const evaluators = new Map(
    await Promise.all(
      exact.map(async ({ environment }) => [environment, await evaluatorOf(environment)] as const),
    ),
  )
  let compared = 0
  const found = asks.flatMap(({ flag, environment, context }, at) => {
    const ours = evaluators.get(environment)?.evaluate(flag, context)
    if (ours?.kind !== "evaluated" || (theirs[at] ?? undefined) === undefined) return []
    compared++
    const [one, other] = [theirs[at], ours.value].map((value) => JSON.stringify(value))
    return one === other ? [] : [`${flag} ${JSON.stringify(context)}: ${one}, ours ${other}`]
  })
  console.log(`${path}: ${exact.length} of ${results.length} flags are exact, ${compared} contexts`)
  if (exact.length > 0) expect(compared, "contexts").toBeGreaterThan(0)
  return found
}

function randomFlags(engine: Engine, random: () => number): readonly RandomFlag[] {
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const comparison = (): Comparison => ({
    attribute: one(attributes),
    operator: one(engine.operators),
    operands: [one(pool), one(pool)],
    isNegated: random() < 0.2,
  })
  const comparisons = () => Array.from({ length: 1 + Math.floor(random() * 3) }, comparison)
  return Array.from({ length: flagsInFile }, (_, at) => [`flag-${at}`, comparisons()] as const)
}

function randomContext(required: readonly string[], isTextual: boolean, random: () => number): Context {
  const context: Record<string, unknown> = Object.fromEntries(required.map((name) => [name, "user-7"]))
  for (const name of attributes) {
    const value = pool[Math.floor(random() * pool.length)]
    if (random() < 0.8) context[name] = isTextual ? String(value) : value
  }
  return context
}
