// @module-tag property
import fc from "fast-check"
import { expect, test } from "vitest"
import { describeChanges } from "../../../../cli/catalog/history/describe-changes.ts"
import { plainPhrase } from "../../../../cli/diagnostics/phrase.ts"
import { loadExpressions } from "../../../../sdk/evaluation/expression.ts"
import { runs } from "../../../runs.ts"
import { diffOf, shop, sideOf } from "../../diff/sides.ts"

const compileExpression = await loadExpressions()
const { project } = sideOf({})
if (project === undefined) throw new Error("there is a project")
const keys = ["f1", "f2", "f3", "f4"]

interface Content {
  readonly type: string
  readonly defaultValue: number | string
  readonly description?: string
  readonly owner?: string
  readonly environments: { readonly production?: Configured; readonly staging?: Configured }
}

interface Configured {
  readonly enabled: boolean
  readonly rules: readonly object[]
}

const comparison = fc.oneof(
  fc.record({
    attribute: fc.constantFrom("userId", "plan"),
    operator: fc.constant("percentage"),
    value: fc.constantFrom("0", "10", "20", "50", "0.5", "100"),
  }),
  fc.record({
    attribute: fc.constantFrom("userId", "plan"),
    operator: fc.constantFrom("in", "notIn"),
    value: fc.constantFrom(["a"], ["a", "b"], ["c"]),
  }),
  fc.record({
    attribute: fc.constantFrom("userId", "plan"),
    operator: fc.constantFrom("exists", "notExists"),
  }),
)
const condition = fc.oneof(
  { weight: 3, arbitrary: comparison },
  {
    weight: 1,
    arbitrary: fc.record({ all: fc.array(comparison, { minLength: 1, maxLength: 2 }) }),
  },
  { weight: 1, arbitrary: fc.record({ segment: fc.constantFrom("staff", "few") }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.record({ segment: fc.constantFrom("staff", "few") }), comparison)
      .map((any) => ({ any })),
  },
)
const configuration: fc.Arbitrary<Configured> = fc.record({
  enabled: fc.constantFrom(true, true, false),
  rules: fc.uniqueArray(
    fc.tuple(condition, fc.constantFrom(0, 1, 2)).map(([one, returnValue]) => ({ ...one, returnValue })),
    { maxLength: 3, selector: (rule) => JSON.stringify({ ...rule, returnValue: 0 }) },
  ),
})
const content: fc.Arbitrary<Content> = fc.record(
  {
    type: fc.constant("number"),
    defaultValue: fc.constantFrom(0, 0, 1),
    description: fc.constantFrom("one", "two"),
    owner: fc.constantFrom("a", "b"),
    environments: fc.record({ production: configuration, staging: configuration }, { requiredKeys: [] }),
  },
  { requiredKeys: ["type", "defaultValue", "environments"] },
)
/** The segments in each commit. */
const segmentsOf = fc.constantFrom(
  {
    staff: { attribute: "userId", operator: "in", value: ["d"] },
    few: { attribute: "userId", operator: "percentage", value: "30" },
  },
  {
    staff: { attribute: "userId", operator: "in", value: ["d", "a"] },
    few: { attribute: "plan", operator: "percentage", value: "7" },
  },
)
const segments = fc
  .tuple(segmentsOf, segmentsOf)
  .map(([usual, other]) => [usual, usual, usual, other] as const)

/** Few versions, some of which differ in one detail. */
const histories = fc.array(content, { minLength: 2, maxLength: 3 }).chain((some) => {
  const versions = some.flatMap((one) => {
    const { production } = one.environments
    const switched = production && { production: { ...production, enabled: !production.enabled } }
    const other = { ...one, environments: { ...one.environments, ...switched } }
    const renamed = { ...other, owner: "c" }
    const literal: Content = JSON.parse(
      JSON.stringify(one).replaceAll(
        '"segment":"staff"',
        '"attribute":"userId","operator":"in","value":["d"]',
      ),
    )
    return [one, other, renamed, literal, { ...one, defaultValue: 2 }, { ...renamed, defaultValue: 2 }]
  })
  const history = fc.array(fc.constantFrom(...versions), { minLength: 3, maxLength: 3 })
  return fc.array(history, { minLength: keys.length, maxLength: keys.length })
})

/** Matches only lists, so that a sentence shows a context, with a user of a share that depends on the key. */
const shown: Content = {
  type: "number",
  defaultValue: 0,
  environments: {
    production: {
      enabled: true,
      rules: [
        {
          all: [
            { attribute: "userId", operator: "percentage", value: "10" },
            { attribute: "plan", operator: "in", value: ["a"] },
            { attribute: "plan", operator: "in", value: ["c"] },
          ],
          returnValue: 1,
        },
      ],
    },
  },
}
const edited = { ...shown, environments: { production: { enabled: true, rules: [] } } }

/** `diff` pairs rules by how they are written if they use segments, and otherwise by what they have in common. */
function withFewer(few: object): Content[] {
  const production = (rules: readonly object[]): Content => ({
    ...{ type: "number", defaultValue: 0, environments: { production: { enabled: true, rules } } },
  })
  const fewer = { attribute: "userId", operator: "percentage", value: "10", returnValue: 1 }
  const before = production([{ ...few, returnValue: 1 }])
  return [before, production([fewer, { ...few, returnValue: 2 }]), before]
}
const fewPeople = { attribute: "userId", operator: "percentage", value: "30" }
const fewSegment = { few: fewPeople }
const noSegments = [{}, {}, {}, {}] as never
const onlyFew = [fewSegment, fewSegment, fewSegment, fewSegment] as never

test("a history describes new flags and edits as diff does", () => {
  let count = 0
  fc.assert(
    fc.property(histories, segments, (contents, segments) => {
      const sides = keys.map((key, at) => [
        sideOf({}),
        ...(contents[at] ?? []).map((one, commit) => sideOf({ [key]: one }, shop, segments[commit + 1])),
      ])
      for (const commit of [1, 2, 3]) {
        const flags = (at: number) => sides.flatMap((own) => own[at]?.flags ?? [])
        const sidesOfCommit = { before: flags(commit - 1), after: flags(commit) }
        const described = describeChanges(sidesOfCommit, project, compileExpression)
        const expected = sides.flatMap((own): readonly Printed[] => {
          const [before = sideOf({}), after = sideOf({})] = own.slice(commit - 1)
          const { changes }: { changes: readonly Printed[] } = JSON.parse(diffOf(before, after).json)
          return changes.filter(({ flag }) => flag !== undefined)
        })
        const lines = described.flatMap(({ flag, environment, what, who }) => {
          const sentences = who
            .filter((one) => "environment" in one)
            .map(({ sentence }) => plainPhrase(sentence))
          return linesOf({ flag, environment, summary: plainPhrase(what) }, sentences)
        })
        const printed = expected.flatMap((change) =>
          linesOf(
            change,
            change.affected.map(({ sentence }) => sentence),
          ),
        )
        expect(new Set(lines)).toEqual(new Set(printed))
        count += described.length
      }
    }),
    {
      numRuns: runs(25),
      examples: [
        [keys.map(() => [shown, edited, shown]), noSegments],
        [keys.map((_, at) => withFewer(at % 2 === 0 ? { segment: "few" } : fewPeople)), onlyFew],
      ],
    },
  )
  expect(count).toBeGreaterThan(runs(300))
})

/** An edit, and each of its sentences after it. */
function linesOf({ flag, environment, summary }: Edit, sentences: readonly string[]): readonly string[] {
  return ["", ...sentences].map((sentence) => [flag, environment, summary, sentence].join(": "))
}

interface Edit {
  readonly flag: string
  readonly environment?: string | undefined
  readonly summary: string
}

interface Printed extends Edit {
  readonly affected: readonly { readonly sentence: string }[]
}
