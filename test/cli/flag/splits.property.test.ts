// @module-tag property
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { stringify } from "yaml"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { parseProject } from "../../../cli/reading/project.ts"
import { createFlagReader } from "../../../cli/reading/read-flag.ts"
import { parseSource } from "../../../cli/yaml/parse.ts"
import { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"
import { createShares } from "../../../sdk/evaluation/share.ts"
import { runs } from "../../runs.ts"

const project = parseProject(
  { path: "/p/project.yaml", text: "project: p\nenvironments: [live]\n" },
  "/p",
  createReport(),
)

/** Thousandths of a percent that add up to at most 100 %. */
const shares = fc
  .array(fc.oneof(fc.integer({ min: 1, max: 40_000 }), fc.integer({ min: 1, max: 5 })), {
    minLength: 1,
    maxLength: 12,
  })
  .map((all) => all.filter((_, at) => all.slice(0, at + 1).reduce((sum, one) => sum + one) <= 100_000))

/** A number with up to three decimals, computed from digits. */
function decimal(thousandths: number): string {
  const digits = String(thousandths).padStart(4, "0")
  const fraction = digits.slice(-3).replace(/0+$/, "")
  return `${digits.slice(0, -3)}${fraction === "" ? "" : `.${fraction}`}`
}

const splitInto = (thousandths: readonly number[]) => ({
  split: {
    by: "id",
    into: thousandths.map((share, at) => ({ share: Number(decimal(share)), returnValue: `v${at}` })),
  },
})

/** The rules that a file's splits stand for, unchecked: a check looks for someone in each share, however small. */
function percentagesOf(thousandths: readonly number[]) {
  if (project === undefined) throw new Error("the project has mistakes")
  const rules = [splitInto(thousandths)]
  const text = stringify({ defaultValue: "rest", environments: { live: { enabled: true, rules } } })
  const tree = parseSource({ path: "/p/a.yaml", text }, createReport())
  const flag = tree && createFlagReader(project)(tree, createReport())
  return (flag?.configurations.get("live")?.rules ?? []).map(({ sent }) => sent)
}

test("the percentages of a split are the exact sums of its shares", () => {
  fc.assert(
    fc.property(shares, (thousandths) => {
      const rules = percentagesOf(thousandths)
      const sums = thousandths.map((_, at) => thousandths.slice(0, at + 1).reduce((sum, one) => sum + one))
      expect(rules.map(({ value, returnValue }) => [value, returnValue])).toEqual(
        sums.map((sum, at) => [decimal(sum), `v${at}`]),
      )
      expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
    }),
    { numRuns: runs(60) },
  )
})

const people = Array.from({ length: 1_000 }, (_, at) => `person-${at}`)
/** The percentage at which a user falls in a flag's split. */
const numberOf = (person: string, flagKey = "a") => (createShares()(flagKey)(person) / 2 ** 32) * 100

/** What each user gets from a split, in order; users outside the shares get "rest". */
async function valuesOf(thousandths: readonly number[]): Promise<readonly unknown[]> {
  const [id, times] = ["a", { createdAt: "", updatedAt: "" }]
  const flag = { id, projectId: id, key: id, name: id, description: "", type: "string", ...times } as const
  const rules = percentagesOf(thousandths)
  const environment = { id, flagId: id, environmentId: id, enabled: true, rules, updatedAt: "" }
  const evaluator = await createEvaluator({
    flags: [{ flag: { ...flag, defaultValue: "rest" }, environment }],
  })
  return people.map((person) => {
    const evaluation = evaluator.evaluate(id, { id: person })
    return evaluation.kind === "evaluated" ? evaluation.value : evaluation.kind
  })
}

/** The moves that an edit makes, such as `v1 → rest`. */
async function movesOf(before: readonly number[], after: readonly number[]): Promise<ReadonlySet<string>> {
  const [from, to] = await Promise.all([valuesOf(before), valuesOf(after)])
  return new Set(from.flatMap((value, at) => (value === to[at] ? [] : [`${value} → ${to[at]}`])))
}

const sumOf = (thousandths: readonly number[]) => thousandths.reduce((sum, one) => sum + one, 0)

// What docs/flag-files.md says, and more.
describe("an edit of a split moves the users that the page says", () => {
  const amount = fc.integer({ min: 1, max: 100_000 })
  const check = (claim: (thousandths: readonly number[], amount: number) => Promise<void>) =>
    fc.assert(fc.asyncProperty(shares, amount, claim), { numRuns: runs(8) })

  test("growing the last share moves no one between the others", () =>
    check(async (before, amount) => {
      const grown = (before.at(-1) ?? 0) + Math.min(amount, 100_000 - sumOf(before))
      const moves = await movesOf(before, before.with(-1, grown))
      expect([`rest → v${before.length - 1}`]).toEqual(expect.arrayContaining([...moves]))
    }))

  test("one more share takes only users who fell through to the next rule", () =>
    check(async (before, amount) => {
      const room = 100_000 - sumOf(before)
      if (room === 0) return
      const moves = await movesOf(before, [...before, Math.min(amount, room)])
      expect([`rest → v${before.length}`]).toEqual(expect.arrayContaining([...moves]))
    }))

  test("shrinking the last share moves only its users, to the next rule", () =>
    check(async (before, amount) => {
      const last = before.at(-1) ?? 0
      const moves = await movesOf(before, before.with(-1, Math.max(1, last - amount)))
      expect([`v${before.length - 1} → rest`]).toEqual(expect.arrayContaining([...moves]))
    }))

  test("any other change of a share moves users at its end and at the ends of all later shares", () =>
    check(async (before, amount) => {
      const at = amount % before.length
      const room = 100_000 - sumOf(before)
      const changed = before.with(
        at,
        Math.max(1, (before[at] ?? 0) + Math.min(room, (amount % 2_001) - 1_000)),
      )
      const ends = (all: readonly number[]) => all.map((_, end) => sumOf(all.slice(0, end + 1)) / 1_000)
      const [endsBefore, endsAfter] = [ends(before), ends(changed)]
      const [from, to] = await Promise.all([valuesOf(before), valuesOf(changed)])
      for (const [index, person] of people.entries()) {
        if (from[index] === to[index]) continue
        const number = numberOf(person)
        const moved = endsBefore.findIndex((end, share) => {
          const other = endsAfter[share] ?? 0
          return number >= Math.min(end, other) && number < Math.max(end, other)
        })
        expect(moved).toBeGreaterThanOrEqual(at)
      }
    }))

  test("a new flag key re-buckets everyone", async () => {
    const halves = people.map((person) => Math.floor(numberOf(person) / 50))
    const anew = people.map((person) => Math.floor(numberOf(person, "b") / 50))
    const kept = halves.filter((half, at) => half === anew[at]).length
    expect(kept).toBeGreaterThan(400)
    expect(kept).toBeLessThan(600)
  })
})
