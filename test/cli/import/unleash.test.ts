import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { unleash } from "../../../cli/import/unleash.ts"
import { countVerdicts, hasRealFiles, importTexts, namesIn, readRealFile, untidy } from "./import-text.ts"

function fileOf(name: string, environment?: string) {
  return { path: name, text: readFileSync(join(import.meta.dirname, "files", name), "utf8"), environment }
}

test("an export for each environment becomes one file for each flag", async () => {
  const found = await importTexts(unleash, [fileOf("unleash-dev.json"), fileOf("unleash-prod.json")])
  expect(untidy(found)).toEqual([])
  expect(found.sources.map(({ path, text }) => `${path}\n${text}`).join("\n")).toMatchSnapshot()
  expect(countVerdicts(found)).toMatchInlineSnapshot(`
    {
      "contexts": 427,
      "losses": {
        "import-share-rebucketed": 3,
      },
      "remarks": 2,
      "verdicts": {
        "exact": 3,
        "rebucketed": 3,
      },
    }
  `)
  expect(found.remarks.map(({ text }) => text)).toMatchInlineSnapshot(`
    [
      "a disabled rule is left out",
      "a disabled rule is left out",
    ]
  `)
})

test("a custom strategy is what the user says it is", async () => {
  const text = JSON.stringify({
    features: [
      {
        name: "a",
        enabled: true,
        strategies: [{ name: "schema", parameters: { names: "x, y" }, constraints: [] }],
      },
    ],
  })
  const file = { path: "a.json", text, environment: undefined }
  expect((await importTexts(unleash, [file])).results.map(({ verdict }) => verdict)).toEqual(["needs-answer"])
  const accepted = await importTexts(unleash, [file], { accept: ["import-custom-strategy"] })
  expect(accepted.sources.find(({ path }) => path.endsWith("/a.yaml"))?.text).toBe(
    "# Accepted in production: the strategy `schema`\ndefaultValue: false\nenvironments:\n  production: { enabled: false }\n",
  )
  const told = await importTexts(unleash, [file], {
    strategies: new Map([["schema", { attribute: "tenant", parameter: "names" }]]),
  })
  expect(told.results.map(({ verdict }) => verdict)).toEqual(["exact"])
  const evaluator = await told.evaluatorOf("production")
  expect(evaluator.evaluate("a", { tenant: "y" })).toMatchObject({ value: true })
})

test("a segment's conditions are in the server's answer, not in the export", async () => {
  const strategy = { name: "default", featureName: "a", constraints: [], segments: [7] }
  const named = {
    features: [{ name: "a" }],
    featureStrategies: [strategy],
    featureEnvironments: [{ featureName: "a", environment: "production", enabled: true }],
    segments: [{ id: 7, name: "staff" }],
  }
  const constraints = [{ contextName: "email", operator: "STR_ENDS_WITH", values: ["@shop.example"] }]
  const answer = { segments: [{ id: 7, name: "staff", constraints }] }
  const [own, server] = [named, answer].map((one) => ({
    ...{ path: "a.json", text: JSON.stringify(one), environment: "production" },
  }))
  if (own === undefined || server === undefined) throw new Error("two files")
  const alone = await importTexts(unleash, [own])
  expect(alone.results.flatMap(({ losses }) => losses.map(({ code }) => code))).toEqual([
    "import-segment-missing",
  ])
  for (const files of [
    [own, server],
    [server, own],
  ]) {
    const both = await importTexts(unleash, files)
    expect(both.results.map(({ verdict }) => verdict)).toEqual(["exact"])
    const evaluator = await both.evaluatorOf("production")
    expect(evaluator.evaluate("a", { email: "ann@shop.example" })).toMatchObject({ value: true })
    expect(evaluator.evaluate("a", { email: "ann@example.org" })).toMatchObject({ value: false })
  }
})

test("a client feed names its environment", async () => {
  const features = [{ name: "a", enabled: true, strategies: [] }]
  const text = JSON.stringify({ features, query: { environment: "development" } })
  const found = await importTexts(unleash, [{ path: "a.json", text, environment: undefined }])
  expect(found.results.map(({ environment }) => environment)).toEqual(["development"])
})

test("an export of an environment that Unleash does not have is refused", async () => {
  const text = JSON.stringify({ features: [{ name: "a" }], featureStrategies: [], featureEnvironments: [] })
  await expect(importTexts(unleash, [{ path: "a.json", text, environment: "prod" }])).rejects.toThrow(
    "a.json names no environment: export one that Unleash has",
  )
})

test("a flag that an export has in no environment is left out and named", async () => {
  const features = [{ name: "a" }, { name: "b" }]
  const featureEnvironments = [{ featureName: "a", environment: "production", enabled: true }]
  const text = JSON.stringify({ features, featureStrategies: [], featureEnvironments })
  const found = await importTexts(unleash, [{ path: "a.json", text, environment: undefined }])
  expect(found.results.map(({ flag }) => flag)).toEqual(["a"])
  expect(found.remarks.map(({ flag, message }) => `${flag}: ${message}`)).toEqual([
    "b: it has no environments, and is left out",
  ])
})

test("a flag that is off needs a valid name too", async () => {
  const features = [{ name: "basket~v2", enabled: false, strategies: [{ name: "custom" }] }]
  const file = { path: "a.json", text: JSON.stringify({ features }), environment: undefined }
  const { results } = await importTexts(unleash, [file])
  expect(results.flatMap(({ losses }) => losses.map(({ code }) => code))).toEqual(["import-name"])
})

test("an operand with letters beyond ASCII ignores their case too", async () => {
  const isNamed = (operator: string, value: string) => ({
    ...{ contextName: "name", operator, values: [value], caseInsensitive: true },
  })
  const strategies = [
    { name: "default", constraints: [isNamed("STR_CONTAINS", "ÄÖ.")] },
    { name: "default", constraints: [isNamed("STR_STARTS_WITH", "éva")] },
    { name: "default", constraints: [isNamed("STR_ENDS_WITH", "Ümit")] },
  ]
  const features = [{ name: "a", enabled: true, strategies }]
  const file = { path: "a.json", text: JSON.stringify({ features }), environment: undefined }
  const found = await importTexts(unleash, [file])
  expect(found.results.map(({ verdict }) => verdict)).toEqual(["exact"])
  const evaluator = await found.evaluatorOf("production")
  for (const name of ["xäö.x", "ÉVA1", "1üMIT"])
    expect(evaluator.evaluate("a", { name })).toMatchObject({ value: true })
  for (const name of ["xäöx", "1Éva", "Ümit1"])
    expect(evaluator.evaluate("a", { name })).toMatchObject({ value: false })
})

test.each([
  ["STR_CONTAINS", "sä", ["SÄ", "ſÄ"]],
  ["STR_CONTAINS", "kä", ["KÄ", "\u212aÄ"]],
  ["STR_CONTAINS", "ſ", ["s", "S", "ſ"]],
  ["STR_CONTAINS", "θ", ["Θ", "ϑ", "ϴ"]],
  ["STR_CONTAINS", "ᾳ", ["ᾼ", "ΑΙ"]],
  ["STR_STARTS_WITH", "ß", ["ẞ", "SS"]],
  ["STR_ENDS_WITH", "µ", ["μ", "Μ", "µ"]],
  ["STR_ENDS_WITH", "ΟΔΟΣ", ["οδος", "οδοσ"]],
  ["STR_CONTAINS", "İzmir", ["İZMIR", "izmir"]],
])("an operand that ignores case is exact, or cannot be expressed: %s %s", async (operator, value, names) => {
  const constraints = [{ contextName: "name", operator, values: [value], caseInsensitive: true }]
  const features = [{ name: "a", enabled: true, strategies: [{ name: "default", constraints }] }]
  const file = { path: "a.json", text: JSON.stringify({ features }), environment: undefined }
  const { results, read, evaluatorOf } = await importTexts(unleash, [file])
  const codes = results.flatMap(({ losses }) => losses.map(({ code }) => code))
  expect(codes).toEqual(/[Σİ]/.test(value) ? ["import-operator"] : [])
  if (codes.length > 0) return
  const evaluator = await evaluatorOf("production")
  const theirs = (name: string) => {
    const outcome = read.flags[0]?.configurations[0]?.meaning(() => name, unleash.hash)
    return outcome?.kind === "value" && outcome.value
  }
  for (const name of names)
    expect(evaluator.evaluate("a", { name }), name).toMatchObject({ value: theirs(name) })
})

test("a state export lists the segments of strategies apart", async () => {
  const constraints = [{ contextName: "email", operator: "STR_ENDS_WITH", values: ["@shop.example"] }]
  const text = JSON.stringify({
    version: 4,
    features: [{ name: "a" }],
    featureStrategies: [{ id: "s", featureName: "a", environment: "production", strategyName: "default" }],
    featureEnvironments: [{ featureName: "a", environment: "production", enabled: true }],
    segments: [{ id: 7, name: "staff", constraints }],
    featureStrategySegments: [{ featureStrategyId: "s", segmentId: 7 }],
  })
  const found = await importTexts(unleash, [{ path: "a.json", text, environment: undefined }])
  expect(found.results.map(({ verdict }) => verdict)).toEqual(["exact"])
  const evaluator = await found.evaluatorOf("production")
  expect(evaluator.evaluate("a", { email: "ann@shop.example" })).toMatchObject({ value: true })
  expect(evaluator.evaluate("a", { email: "ann@example.org" })).toMatchObject({ value: false })
  expect(found.remarks.map(({ text }) => text)).toEqual([
    "this export leaves out dependencies between flags: export with features-batch if you have any",
  ])
})

test("the segments of strategies with numeric ids are not those of strategies without ids", async () => {
  const constraints = [{ contextName: "plan", operator: "IN", values: ["pro"] }]
  const ids: Record<string, object> = { a: { id: 1 }, b: { id: 2 }, c: {} }
  const text = JSON.stringify({
    features: Object.keys(ids).map((name) => ({ name })),
    featureStrategies: Object.entries(ids).map(([featureName, id]) => ({
      ...id,
      featureName,
      name: "default",
    })),
    featureEnvironments: Object.keys(ids).map((featureName) => ({ featureName, enabled: true })),
    segments: [{ id: 7, name: "staff", constraints }],
    featureStrategySegments: [{ featureStrategyId: 1, segmentId: 7 }, { segmentId: 7 }],
  })
  const found = await importTexts(unleash, [{ path: "a.json", text, environment: undefined }])
  const evaluator = await found.evaluatorOf("production")
  const values = Object.keys(ids).map((key) => evaluator.evaluate(key, { plan: "free" }))
  expect(values).toMatchObject([{ value: false }, { value: true }, { value: true }])
})

test("a rollout of 12.5 % is one of 12 %, as its hash is a whole number", async () => {
  const parameters = { rollout: "12.5", stickiness: "userId" }
  const features = [{ name: "a", enabled: true, strategies: [{ name: "flexibleRollout", parameters }] }]
  const file = { path: "a.json", text: JSON.stringify({ features }), environment: undefined }
  const { results, sources } = await importTexts(unleash, [file])
  expect(results.map(({ verdict }) => verdict)).toEqual(["rebucketed"])
  expect(sources.find(({ path }) => path.endsWith("/a.yaml"))?.text).toContain("to: 12, seed: unleash ")
})

describe("dependencies", () => {
  const feature = (name: string, constraints: readonly object[] = [], enabled = true) => ({
    ...{ name, enabled, strategies: [{ name: "default", constraints }] },
  })
  const isPro = [{ contextName: "plan", operator: "IN", values: ["pro"] }]
  const importing = (features: readonly object[]) =>
    importTexts(unleash, [{ path: "a.json", text: JSON.stringify({ features }), environment: undefined }])

  test("become conditions on the other flag", async () => {
    const found = await importing([
      feature("parent", isPro),
      { ...feature("child"), dependencies: [{ feature: "parent" }] },
      { ...feature("other"), dependencies: [{ feature: "parent", enabled: false }] },
    ])
    expect(found.results.map(({ verdict }) => verdict)).toEqual(["exact", "exact", "exact"])
    const evaluator = await found.evaluatorOf("production")
    for (const [plan, child] of [
      ["pro", true],
      ["free", false],
    ] as const) {
      expect(evaluator.evaluate("child", { plan })).toMatchObject({ value: child })
      expect(evaluator.evaluate("other", { plan })).toMatchObject({ value: !child })
    }
  })

  test("on a flag with shares are bucketed again with it", async () => {
    const share = { name: "flexibleRollout", parameters: { rollout: "50", stickiness: "userId" } }
    const found = await importing([
      { ...feature("child"), dependencies: [{ feature: "parent" }] },
      { name: "parent", enabled: true, strategies: [share] },
    ])
    expect(found.results.map(({ verdict }) => verdict)).toEqual(["rebucketed", "rebucketed"])
  })

  test("on a flag whose share is left out are exact", async () => {
    const parameters = { rollout: "50", stickiness: "userId" }
    const strategies = [{ name: "default" }, { name: "flexibleRollout", parameters }]
    const found = await importing([
      { ...feature("child"), dependencies: [{ feature: "parent" }] },
      { name: "parent", enabled: true, strategies },
    ])
    expect(found.results.map(({ verdict }) => verdict)).toEqual(["exact", "exact"])
  })

  test("that are missing or about a variant are losses", async () => {
    const found = await importing([
      feature("parent"),
      { ...feature("a"), dependencies: [{ feature: "gone" }] },
      { ...feature("b"), dependencies: [{ feature: "parent", variants: ["x"] }] },
    ])
    expect(found.results.flatMap(({ losses }) => losses.map(({ code }) => code))).toEqual([
      "import-prerequisite-missing",
      "import-prerequisite",
    ])
  })
})

interface Case {
  readonly toggleName: string
  readonly context: Record<string, string> & { readonly properties?: Record<string, string> }
  readonly expectedResult: boolean
}

describe.runIf(hasRealFiles)("Unleash's own definitions", () => {
  test("both sides answer as Unleash does wherever the verdict is exact", async () => {
    const counts = { cases: 0, unknownFlags: 0, byChance: 0, theirs: 0, exact: 0, exactAndRight: 0 }
    const verdicts: Record<string, number> = {}
    const wrong: unknown[] = []
    for (const name of namesIn("unleash/specification").filter((one) => /^\d/.test(one))) {
      const { state, tests = [] } = JSON.parse(readRealFile(`unleash/specification/${name}`).text)
      if (state?.features === undefined) continue
      const file = { path: name, text: JSON.stringify(state), environment: undefined }
      const found = await importTexts(unleash, [file])
      const evaluator = await found.evaluatorOf("production")
      for (const { toggleName, context, expectedResult } of tests as readonly Case[]) {
        counts.cases++
        const { properties, ...own } = context
        const attributes = { ...own, ...properties }
        const flag = found.read.flags.find(({ key }) => key === toggleName)?.configurations[0]
        const verdict = found.results.find((one) => one.flag === toggleName)?.verdict
        if (flag === undefined || verdict === undefined) {
          counts.unknownFlags++
          continue
        }
        verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
        const theirs = flag.meaning((name) => attributes[name] ?? undefined, unleash.hash)
        if (theirs === undefined) counts.byChance++
        else if (theirs.kind === "value" && theirs.value === expectedResult) counts.theirs++
        else if (verdict !== "cannot")
          wrong.push({ name, toggleName, attributes, expectedResult, theirs, verdict })
        if (verdict !== "exact") continue
        counts.exact++
        const ours = evaluator.evaluate(toggleName, attributes)
        if (ours.kind === "evaluated" && ours.value === expectedResult) counts.exactAndRight++
        else wrong.push({ name, toggleName, attributes, expectedResult, ours })
      }
    }
    expect(wrong.map((one) => JSON.stringify(one))).toEqual([])
    expect({ ...counts, verdicts }).toMatchInlineSnapshot(`
      {
        "byChance": 0,
        "cases": 223,
        "exact": 115,
        "exactAndRight": 115,
        "theirs": 214,
        "unknownFlags": 2,
        "verdicts": {
          "cannot": 26,
          "differs": 43,
          "exact": 115,
          "needs-answer": 21,
          "rebucketed": 16,
        },
      }
    `)
  })
})
