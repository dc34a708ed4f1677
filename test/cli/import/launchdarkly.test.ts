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
      "contexts": 1048,
      "losses": {
        "import-context-mistyped": 3,
        "import-share-rebucketed": 1,
      },
      "remarks": 3,
      "verdicts": {
        "differs": 3,
        "exact": 3,
      },
    }
  `)
})

const flag = { on: true, variations: [true, false], offVariation: 1, fallthrough: { variation: 0 } }
const asks = (key: string, variation: number) => ({ ...flag, prerequisites: [{ key, variation }] })
const isPro = [{ attribute: "plan", op: "in", values: ["pro"] }]
const colour = {
  ...flag,
  variations: ["red", "green"],
  offVariation: 0,
  rules: [{ variation: 1, clauses: isPro }],
}

test("pages and environments come in any number of files, and a missing page is reported", async () => {
  const page = (key: string, environment: string) => {
    const { variations, ...config } = flag
    const items = [
      { key, variations: [{ value: true }, { value: false }], environments: { [environment]: config } },
    ]
    return {
      path: `${key}-${environment}.json`,
      text: JSON.stringify({ items, totalCount: 2 }),
      environment: undefined,
    }
  }
  const half = [page("a", "test"), page("a", "production")]
  await expect(importTexts(launchDarkly, half)).rejects.toThrow("only 1 of 2 flags: fetch the other pages")
  const found = await importTexts(launchDarkly, [...half, page("b", "test")])
  expect(found.results.map(({ flag, environment }) => `${flag} ${environment}`)).toEqual([
    "a test",
    "a production",
    "b test",
  ])
  expect(found.remarks).toEqual([])
})

describe("prerequisites", () => {
  const importing = (flags: object, accept?: readonly string[]) =>
    importTexts(launchDarkly, [{ path: "a.json", text: JSON.stringify({ flags }), environment: undefined }], {
      ...(accept && { accept }),
    })
  const verdictsOf = async (flags: object, accept?: readonly string[]) =>
    (await importing(flags, accept)).results.map(({ flag, verdict, losses }) =>
      [
        flag,
        verdict,
        ...losses.map(({ code, message, place }) => `${code} ${place.pointer} ${message}`),
      ].join(" "),
    )

  test("become conditions on the other flag, and the proof follows them", async () => {
    const found = await importing({
      colour,
      pro: asks("colour", 1),
      both: {
        ...asks("pro", 0),
        prerequisites: [
          { key: "pro", variation: 0 },
          { key: "colour", variation: 1 },
        ],
      },
    })
    expect(found.results.map(({ flag, verdict }) => `${flag} ${verdict}`)).toEqual([
      "colour exact",
      "pro exact",
      "both exact",
    ])
    expect(untidy(found)).toEqual([])
    expect(found.sources.find(({ path }) => path.endsWith("both.yaml"))?.text).toMatchInlineSnapshot(`
      "defaultValue: false
      environments:
        production:
          enabled: true
          rules:
            - flag: pro
              is: false
              returnValue: false
            - none:
                - { flag: colour, is: green }
              returnValue: false
            - operator: always
              returnValue: true
      "
    `)
    const evaluator = await found.evaluatorOf("production")
    expect(evaluator.evaluate("both", { key: "k", plan: "pro" })).toMatchObject({ value: true })
    expect(evaluator.evaluate("both", { key: "k", plan: "free" })).toMatchObject({ value: false })
  })

  test("may be on a flag with shares among rules on a segment of several conditions", async () => {
    const halves = { rollout: { variations: [0, 1].map((variation) => ({ variation, weight: 50_000 })) } }
    const isBeta = { op: "segmentMatch", values: ["beta"] }
    const noCook = { attribute: "name", op: "endsWith", values: ["cook"], negate: true }
    const parent = {
      ...flag,
      targets: [{ values: ["k"], variation: 1 }],
      rules: [
        { clauses: [isBeta], variation: 0 },
        { clauses: [...isPro, { ...isBeta, negate: true }], ...halves },
      ],
      fallthrough: halves,
    }
    const beta = {
      included: ["a", "b"],
      excluded: ["c"],
      rules: [{ clauses: [...isPro, noCook], weight: 20_000 }],
    }
    const flags = { parent, child: asks("parent", 0), grandchild: asks("child", 0) }
    const text = JSON.stringify({ flags, segments: { beta } })
    const found = await importTexts(launchDarkly, [{ path: "a.json", text, environment: undefined }])
    expect(found.results.flatMap(({ losses }) => losses.map(({ code }) => code))).not.toContain(
      "import-language",
    )
  })

  test("are not met by a flag that is off, whatever its value", async () => {
    const found = await importing({
      colour: { ...colour, on: false },
      a: asks("colour", 0),
      b: asks("colour", 1),
    })
    expect(found.results.map(({ flag, verdict }) => `${flag} ${verdict}`)).toEqual([
      "colour exact",
      "a exact",
      "b exact",
    ])
    const evaluator = await found.evaluatorOf("production")
    for (const key of ["a", "b"])
      expect(evaluator.evaluate(key, { key: "k", plan: "pro" })).toMatchObject({ value: false })
    expect(found.remarks.map(({ text }) => text)).toMatchInlineSnapshot(`
      [
        "it depends on a value that another flag never returns",
        "a rule after one that matches everyone is left out",
        "it is on, but returns its off value to everyone, so it is written with \`enabled: false\`",
      ]
    `)
  })

  test("that are missing, cyclic or cannot be written are losses", async () => {
    const unknown = {
      ...flag,
      rules: [{ variation: 0, clauses: [{ attribute: "a", op: "near", values: [1] }] }],
    }
    const flags = {
      ...{
        unknown,
        a: asks("b", 0),
        b: asks("a", 0),
        c: asks("a", 0),
        d: asks("unknown", 0),
        e: asks("none", 0),
      },
      ...{
        f: asks("twice", 0),
        twice: { ...flag, variations: ["x", "x", "y"] },
        off: { ...asks("unknown", 0), on: false },
      },
    }
    expect(await verdictsOf(flags)).toMatchInlineSnapshot(`
      [
        "unknown cannot import-operator /flags/unknown/rules/0/clauses/0 the operator \`near\`",
        "a cannot import-prerequisite /flags/a/prerequisites/0 it depends on \`b\`, which cannot be imported",
        "b cannot import-prerequisite /flags/b/prerequisites/0 through \`a\`, it depends on itself or on a chain of more than 20 flags",
        "c cannot import-prerequisite /flags/c/prerequisites/0 it depends on \`a\`, which cannot be imported",
        "d cannot import-prerequisite /flags/d/prerequisites/0 it depends on \`unknown\`, which cannot be imported",
        "e needs-answer import-prerequisite-missing /flags/e/prerequisites/0 it depends on \`none\`, which is not imported with it",
        "f cannot import-prerequisite /flags/f/prerequisites/0 another variation of \`twice\` has the same value",
        "twice exact",
        "off exact",
      ]
    `)
    expect(await verdictsOf({ e: asks("none", 0) }, ["import-prerequisite-missing"])).toMatchInlineSnapshot(`
      [
        "e needs-answer import-prerequisite-missing /flags/e/prerequisites/0 it depends on \`none\`, which is not imported with it",
      ]
    `)
  })

  test("in a chain that is too long", async () => {
    const chain = Array.from({ length: 5000 }, (_, at) => [`f${at}`, asks(`f${at + 1}`, 0)] as const)
    const verdicts = await verdictsOf({ ...Object.fromEntries(chain), f5000: flag })
    expect(verdicts.filter((one) => / exact/.test(one))).toMatchInlineSnapshot(`
      [
        "f4998 exact",
        "f4999 exact",
        "f5000 exact",
      ]
    `)
    expect(verdicts[0]).toMatchInlineSnapshot(
      `"f0 cannot import-prerequisite /flags/f0/prerequisites/0 it depends on \`f1\`, which cannot be imported"`,
    )
  })
})

describe("rules that lint reports", () => {
  const importing = (rules: readonly object[]) => {
    const flags = { a: { ...flag, fallthrough: { variation: 1 }, rules } }
    return importTexts(launchDarkly, [
      { path: "a.json", text: JSON.stringify({ flags }), environment: undefined },
    ])
  }
  const isIn = (group: string) => ({ attribute: "groups", op: "in", values: [group] })

  test("are kept if an attribute with several values reaches them", async () => {
    const found = await importing([
      { variation: 0, clauses: [isIn("beta"), isIn("staff")] },
      { variation: 0, clauses: [isIn("vip")] },
    ])
    expect(found.results.map(({ verdict }) => verdict)).toEqual(["exact"])
    const evaluator = await found.evaluatorOf("production")
    for (const [groups, value] of [
      [["beta", "staff"], true],
      [["beta"], false],
    ] as const)
      expect(evaluator.evaluate("a", { key: "k", groups })).toMatchObject({ value })
    expect(found.remarks).toEqual([])
  })
})

test("an empty context kind is that of users, as in clauses with segments", async () => {
  const segments = { staff: { key: "staff", included: ["ann"] } }
  const clause = (attribute: string, op: string, value: string) => ({
    ...{ contextKind: "", attribute, op, values: [value], negate: false },
  })
  const rules = [
    { variation: 1, clauses: [clause("segmentMatch", "segmentMatch", "staff")] },
    { variation: 1, clauses: [clause("/plan", "in", "pro")] },
  ]
  const flags = {
    a: { ...flag, rules, contextTargets: [{ contextKind: "", values: ["bob"], variation: 1 }] },
  }
  const text = JSON.stringify({ flags, segments })
  const found = await importTexts(launchDarkly, [{ path: "a.json", text, environment: undefined }])
  expect(found.results.flatMap(({ losses }) => losses.map(({ message }) => message))).toEqual([])
  const evaluator = await found.evaluatorOf("production")
  for (const context of [{ key: "ann" }, { key: "bob" }, { key: "u", "/plan": "pro" }])
    expect(evaluator.evaluate("a", context)).toMatchObject({ value: false })
  expect(evaluator.evaluate("a", { key: "u", plan: "pro" })).toMatchObject({ value: true })
})

test("a disabled rule, and an empty target of another kind, change nothing", async () => {
  const rules = [{ variation: 1, clauses: isPro, disabled: true }]
  const contextTargets = [{ contextKind: "device", values: [], variation: 1 }]
  const text = JSON.stringify({ flags: { a: { ...flag, rules, contextTargets } } })
  const found = await importTexts(launchDarkly, [{ path: "a.json", text, environment: undefined }])
  expect(found.results.map(({ verdict, losses }) => [verdict, ...losses])).toEqual([["exact"]])
  expect(found.remarks.map(({ flag, text }) => `${flag}: ${text}`)).toEqual([
    "a: a disabled rule is left out",
  ])
})

test("a segment that the files do not have is asked for", async () => {
  const rules = [{ variation: 0, clauses: [{ attribute: "", op: "segmentMatch", values: ["staff"] }] }]
  const text = JSON.stringify({ flags: { a: { ...flag, fallthrough: { variation: 1 }, rules } } })
  const files = [{ path: "a.json", text, environment: undefined }]
  const { results } = await importTexts(launchDarkly, files)
  expect(results.map(({ losses }) => losses.map(({ code, message }) => `${code}: ${message}`))).toEqual([
    ["import-segment-missing: the segment `staff` is not in the files"],
  ])
  const accepted = await importTexts(launchDarkly, files, { accept: ["import-segment-missing"] })
  expect(accepted.results.map(({ open }) => open)).toEqual(["exact"])
})

describe("flags that are switched off", () => {
  const one = async (flags: object) => {
    const text = JSON.stringify({ flags })
    return importTexts(launchDarkly, [{ path: "a.json", text, environment: undefined }])
  }

  test("have their rules proved as if they were on", async () => {
    const rules = [{ variation: 0, clauses: [{ attribute: "seats", op: "greaterThan", values: [100] }] }]
    const { results } = await one({ a: { ...flag, on: false, fallthrough: { variation: 1 }, rules } })
    expect(
      results.map(({ verdict, losses }) => [verdict, ...losses.map(({ message }) => message)]),
    ).toMatchInlineSnapshot(`
      [
        [
          "differs",
          "when on, an unexpected \`seats\`, such as \`{"key":"user-1","seats":"101"}\`: \`false\` in LaunchDarkly, \`true\` in Flagstone",
        ],
      ]
    `)
  })
})

interface Case {
  readonly flagKey: string
  readonly context: Record<string, unknown> & { readonly kind?: string; readonly custom?: object }
  readonly default: unknown
  readonly expect: { readonly value: unknown; readonly reason?: { readonly errorKind?: string } }
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** `<NAME>` stands for a parameter or constant: the value itself if nothing surrounds it. */
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

/** A list of lists gives all their combinations. */
function parameterSets(parameters: readonly unknown[] = [{}]): readonly object[] {
  if (!parameters.every(Array.isArray)) return parameters as readonly object[]
  return parameters.reduce<readonly object[]>(
    (sets, choices) => sets.flatMap((set) => choices.map((choice: object) => ({ ...set, ...choice }))),
    [{}],
  )
}

describe.runIf(hasRealFiles)("LaunchDarkly's own definitions", () => {
  test("both sides answer as LaunchDarkly does wherever the verdict is exact", {
    timeout: 240_000,
    tags: ["slow"],
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
          const isRebucketed = losses.some(({ code }) => code === "import-share-rebucketed")
          if (verdict !== "exact") {
            counts.notExact++
            if (theirs !== right && verdict !== "cannot" && !isRebucketed)
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
        "exact": 184,
        "exactAndRight": 184,
        "notExact": 453,
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
