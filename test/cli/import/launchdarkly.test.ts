import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import type { Meaning } from "../../../cli/import/form/form.ts"
import { launchDarkly } from "../../../cli/import/launchdarkly.ts"
import { countVerdicts, hasRealFiles, importTexts, namesIn, readRealFile, untidy } from "./import-text.ts"

function fileOf(name: string, environment?: string) {
  const text = readFileSync(join(import.meta.dirname, "files", name), "utf8")
  return { path: name, text, environment }
}

test("a REST list of flags and one of segments become flag files", async () => {
  const files = [fileOf("launchdarkly.json"), fileOf("launchdarkly-segments.json", "production")]
  const found = await importTexts(launchDarkly, files, { accept: ["import-caller-default"] })
  expect(untidy(found)).toEqual([])
  expect(found.sources.map(({ path, text }) => `${path}\n${text}`).join("\n")).toMatchSnapshot()
  expect(countVerdicts(found)).toMatchInlineSnapshot(`
    {
      "contexts": 483,
      "losses": {
        "import-context-mistyped": 3,
        "import-share-redealt": 1,
      },
      "remarks": 2,
      "verdicts": {
        "differs": 3,
        "exact": 3,
      },
    }
  `)
})

interface Case {
  readonly flagKey: string
  readonly context: Record<string, unknown> & { readonly kind?: string; readonly custom?: object }
  readonly default: unknown
  readonly expect: { readonly value: unknown; readonly reason?: { readonly errorKind?: string } }
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** `<NAME>` stands for a parameter or constant: the value itself where nothing is around it. */
function substitute(value: unknown, names: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === "string") {
    const [, whole] = /^<(\w+)>$/.exec(value) ?? []
    if (whole !== undefined && whole in names) return substitute(names[whole], names)
    return value.replace(/<(\w+)>/g, (found, name) => (name in names ? String(names[name]) : found))
  }
  if (Array.isArray(value)) return value.map((item) => substitute(item, names))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, substitute(one, names)]))
}

/** A list of lists is all their combinations. */
function parameterSets(parameters: readonly unknown[] = [{}]): readonly object[] {
  if (!parameters.every(Array.isArray)) return parameters as readonly object[]
  return parameters.reduce<readonly object[]>(
    (sets, choices) => sets.flatMap((set) => choices.map((choice: object) => ({ ...set, ...choice }))),
    [{}],
  )
}

describe.runIf(hasRealFiles)("LaunchDarkly's own definitions", () => {
  test("both sides answer as LaunchDarkly says wherever the verdict is exact", {
    timeout: 240_000,
  }, async () => {
    const counts = { cases: 0, otherKinds: 0, theirs: 0, exact: 0, exactAndRight: 0, notExact: 0 }
    const wrong: unknown[] = []
    for (const name of namesIn("launchdarkly/harness")) {
      const suite = parse(readRealFile(`launchdarkly/harness/${name}`).text, { merge: true })
      for (const parameters of parameterSets(suite.parameters)) {
        const names = { ...suite.constants, ...parameters }
        const sdkData = substitute(suite.sdkData, names) as Json
        if (JSON.stringify(sdkData ?? null) === "null") continue
        const file = { path: name, text: JSON.stringify(sdkData), environment: undefined }
        const found = await importTexts(launchDarkly, [file])
        const evaluator = await found.evaluatorOf("production")
        for (const one of substitute(suite.evaluations, names) as readonly Case[]) {
          const { kind, custom, ...attributes } = one.context ?? {}
          const context = { ...attributes, ...custom } as Readonly<Record<string, unknown>>
          const flag = found.read.flags.find(({ key }) => key === one.flagKey)?.configurations[0]
          if (flag === undefined || one.expect.reason?.errorKind === "WRONG_TYPE") continue
          counts.cases++
          if (kind !== undefined && kind !== "user") {
            counts.otherKinds++
            continue
          }
          const right = JSON.stringify(one.expect.value)
          const theirs = answer(flag.meaning, context, one.default)
          if (theirs === right) counts.theirs++
          const { verdict, losses = [] } = found.results.find(({ flag }) => flag === one.flagKey) ?? {}
          const isRedealt = losses.some(({ code }) => code === "import-share-redealt")
          if (verdict !== "exact") {
            counts.notExact++
            if (theirs !== right && verdict !== "cannot" && !isRedealt)
              wrong.push({ name, ...one, theirs, verdict })
            continue
          }
          counts.exact++
          const ours = evaluator.evaluate(one.flagKey, context)
          if (ours.kind === "evaluated" && JSON.stringify(ours.value) === right) counts.exactAndRight++
          else wrong.push({ name, parameters, ...one, theirs, ours })
        }
      }
    }
    expect(wrong.map((one) => JSON.stringify(one))).toEqual([])
    expect(counts).toMatchInlineSnapshot(`
      {
        "cases": 665,
        "exact": 366,
        "exactAndRight": 366,
        "notExact": 271,
        "otherKinds": 28,
        "theirs": 617,
      }
    `)
  })
})

function answer(meaning: Meaning, context: Readonly<Record<string, unknown>>, fallback: unknown): string {
  const outcome = meaning(
    (name) => context[name] ?? undefined,
    () => 0,
  )
  return JSON.stringify(outcome?.kind === "value" ? outcome.value : fallback)
}
