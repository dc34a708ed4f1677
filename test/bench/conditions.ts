import { reachOf } from "../../cli/conditions/reach.ts"
import type { Condition } from "../../sdk/evaluation/condition.ts"
import { scopeOfFlag } from "../../sdk/evaluation/operators.ts"
import { contextsOfSent } from "../cli/conditions/contexts-of-sent.ts"

// What it costs to find which rules of a large flag a context reaches: ordinary flags, and some made to be hard.
// Milliseconds of CPU: the first run, when nothing is compiled yet, and the median of five more.

const scope = scopeOfFlag("flag", { compileExpression: () => undefined })
let seed = 1
/** A whole number below `size`; the same in every run of this file. */
function random(size: number): number {
  seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
  return (seed >> 8) % size
}

const list = (length: number, item: (index: number) => unknown) =>
  Array.from({ length }, (_, index) => item(index))
const all = (...parts: readonly unknown[]): Condition => ({
  attribute: "",
  operator: "all",
  value: JSON.stringify(parts),
})
const equals = (attribute: string, value: string): Condition => ({ attribute, operator: "equals", value })

function ordinary(): Condition {
  const version = `${random(3)}.${random(50)}.${random(50)}`
  const kinds: readonly Condition[] = [
    { attribute: "country", operator: "in", value: JSON.stringify(list(5, () => `C${random(1_000)}`)) },
    equals("plan", `p${random(2_000)}`),
    { attribute: "email", operator: "endsWith", value: `@x${random(5_000)}.example` },
    { attribute: "version", operator: random(9) > 0 ? "semverEquals" : "semverLessThan", value: version },
    { attribute: "id", operator: random(2) > 0 ? "percentage" : "greaterThan", value: String(random(100)) },
  ]
  return kinds[random(kinds.length)] ?? equals("plan", "p")
}

const flags: Readonly<Record<string, readonly Condition[]>> = {
  "3 rules over 3 attributes": list(3, ordinary) as readonly Condition[],
  "1,000 rules over 5 attributes": list(1_000, ordinary) as readonly Condition[],
  "1,000 times two of them together": list(1_000, () => all(ordinary(), ordinary())) as readonly Condition[],
  "1,000 texts of one attribute": list(1_000, (at) => equals("x", `v${at}`)) as readonly Condition[],
  "hostile: boxes of 5 sides": list(1_000, () =>
    all(
      ...["a", "b", "c", "d", "e"].map((attribute) => ({
        ...equals(attribute, String(random(3))),
        operator: random(2) > 0 ? "equals" : "notEquals",
      })),
    ),
  ) as readonly Condition[],
  "hostile: complements of composites": list(1_000, () => ({
    attribute: "",
    operator: "any",
    value: JSON.stringify([{ ...all(ordinary(), ordinary()), operator: "none" }, ordinary()]),
  })) as readonly Condition[],
  "hostile: shares too small to find": list(1_000, (at) => ({
    attribute: "id",
    operator: "percentage",
    value: (at / 100_000).toFixed(5),
  })) as readonly Condition[],
}

const digits = (length: number) => list(length, () => random(10)).join("")
const compare = (operator: string, value: string): Condition => ({ attribute: "x", operator, value })

/** One string compared in many ways at once. */
function mixture(length: number): Condition {
  const texts = list(10, (at) =>
    compare(["contains", "notContains"][at % 2] ?? "", digits(length)),
  ) as Condition[]
  return all(
    ...texts,
    compare("startsWith", digits(2)),
    compare("endsWith", digits(2)),
    compare("greaterThan", `${random(1_000)}.${digits(17)}`),
    compare("lessThan", `${1_000 + random(1_000)}`),
    compare("semverGreaterThan", `${random(100)}.${digits(3)}-rc.${random(10)}`),
    { ...all(compare("after", `20${10 + random(90)}-01-01`)), operator: "none" },
  )
}

const dated = (at: number) =>
  all(
    compare("after", `20${10 + (at % 90)}-01-01T12:00:00.5+05:30`),
    compare("contains", digits(4)),
    compare("notContains", "Z"),
    compare("endsWith", String(at % 10)),
  )

const mixtures: Readonly<Record<string, readonly Condition[]>> = {
  "one mixture of short texts": [mixture(2)],
  "1,000 mixtures of short texts": list(1_000, () => mixture(1)) as readonly Condition[],
  "one mixture of 10,000 characters": [mixture(999)],
  "hostile: 100 mixtures of 10,000 characters": list(100, () => mixture(999)) as readonly Condition[],
  "hostile: 1,000 mixtures of moments": list(1_000, (at) => dated(at)) as readonly Condition[],
  "hostile: 30 parts in any order": [
    all(
      ...list(30, (at) => compare("contains", `${10 + at * 3}`)),
      compare("semverLessThan", "1.2.3-a"),
      compare("notContains", "+"),
    ),
  ],
}

for (const [name, conditions] of Object.entries({ ...flags, ...mixtures })) {
  const run = () => {
    const start = process.cpuUsage()
    const answers = reachOf(conditions.map((condition) => contextsOfSent(condition, scope)))
    const { user, system } = process.cpuUsage(start)
    return {
      milliseconds: (user + system) / 1000,
      unknown: answers.filter(({ kind }) => kind === "unknown").length,
    }
  }
  const first = run()
  const median = list(5, () => run().milliseconds).toSorted((a, b) => Number(a) - Number(b))[2]
  console.log(
    `${name}: first ${first.milliseconds.toFixed(1)} ms, then ${Number(median).toFixed(1)} ms; unknown: ${first.unknown}`,
  )
}
