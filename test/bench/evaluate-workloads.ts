import type { FlagEntry, Rule } from "../../proxy/contract/snapshot.ts"
import { seeded } from "../seeded.ts"

/** What a rule of these flags asks; every SDK of the comparison can say it in its own words. */
export type BenchRule =
  | { readonly kind: "equals"; readonly plan: string }
  | { readonly kind: "in"; readonly countries: readonly string[] }
  | { readonly kind: "semver"; readonly version: string }
  | { readonly kind: "all"; readonly plan: string; readonly version: string }
  /** Always the last rule: in some SDKs it ends the evaluation for those whom it leaves out. */
  | { readonly kind: "percentage"; readonly percent: number }

/** A boolean flag: true where a rule matches. */
export interface BenchFlag {
  readonly key: string
  readonly rules: readonly BenchRule[]
}

export interface BenchContext {
  readonly id: string
  readonly plan: string
  readonly country: string
  readonly version: string
}

export interface Workload {
  readonly name: string
  /** Whether all SDKs must answer alike: not where shares hang on each SDK's own hash. */
  readonly isComparable: boolean
  readonly flags: readonly BenchFlag[]
}

const flagCount = 1_000
const contextCount = 100

const random = seeded(1)
const below = (limit: number) => Math.floor(random() * limit)
const version = (majors: number) => `${below(majors)}.${below(30)}.${below(100)}`
const plan = () => `plan-${below(40)}`

const makers: Readonly<Record<BenchRule["kind"], () => BenchRule>> = {
  equals: () => ({ kind: "equals", plan: plan() }),
  in: () => ({ kind: "in", countries: Array.from({ length: 100 }, () => `country-${below(2_000)}`) }),
  semver: () => ({ kind: "semver", version: `${6 + below(60)}.${below(30)}.${below(100)}` }),
  all: () => ({ kind: "all", plan: plan(), version: version(8) }),
  percentage: () => ({ kind: "percentage", percent: 1 + below(60) }),
}

function flags(rulesOf: (index: number) => readonly BenchRule[]): readonly BenchFlag[] {
  return Array.from({ length: flagCount }, (_, index) => ({
    key: `team-${index % 20}/feature-${index}`,
    rules: rulesOf(index),
  }))
}

/** So many rules of one kind; of percentages one, behind others. */
function rulesOfKind(kind: BenchRule["kind"], count: number): readonly BenchRule[] {
  return Array.from({ length: count }, (_, index) =>
    kind === "percentage" && index < count - 1 ? makers.equals() : makers[kind](),
  )
}

function mixedRules(count: number): readonly BenchRule[] {
  const kinds = ["equals", "in", "semver", "all", "percentage"] as const
  return Array.from({ length: count }, (_, index) =>
    makers[kinds[below(index === count - 1 ? 5 : 4)] ?? "equals"](),
  )
}

/** 1,000 flags each. */
export const workloads: readonly Workload[] = [
  { name: "no rules", isComparable: true, flags: flags(() => []) },
  ...(["equals", "in", "semver", "all", "percentage"] as const).flatMap((kind) =>
    [3, 10].map((count) => ({
      name: `${count} × ${kind}`,
      isComparable: kind !== "percentage",
      flags: flags(() => rulesOfKind(kind, count)),
    })),
  ),
  {
    name: "0, 3 and 10, mixed",
    isComparable: false,
    flags: flags((index) => mixedRules([0, 3, 10][index % 3] ?? 0)),
  },
]

/** As they come over HTTP: no text is the same string object as an operand. */
export const contexts: readonly BenchContext[] = JSON.parse(
  JSON.stringify(
    Array.from({ length: contextCount }, (_, index) => ({
      id: `user-${index * 7919}`,
      plan: plan(),
      country: `country-${below(2_000)}`,
      version: version(12),
    })),
  ),
)

/** Every flag in every context, shuffled: `flag × contextCount + context`. */
export const pairs: Uint32Array = Uint32Array.from({ length: flagCount * contextCount }, (_, index) => index)
for (let index = pairs.length - 1; index > 0; index--) {
  const other = below(index + 1)
  const pair = pairs[index] ?? 0
  pairs[index] = pairs[other] ?? 0
  pairs[other] = pair
}

/** The flags as a snapshot has them. */
export function entriesOf(flags: readonly BenchFlag[]): readonly FlagEntry[] {
  const time = "2026-01-01T00:00:00.000Z"
  return flags.map(({ key, rules }) => ({
    flag: {
      id: key,
      projectId: "bench",
      key,
      name: key,
      description: "",
      type: "boolean",
      defaultValue: false,
      createdAt: time,
      updatedAt: time,
    },
    environment: {
      id: key,
      flagId: key,
      environmentId: "bench",
      enabled: true,
      rules: rules.map((rule, index) => ({ id: `${index}`, returnValue: true, ...condition(rule) })),
      updatedAt: time,
    },
  }))
}

function condition(rule: BenchRule): Pick<Rule, "attribute" | "operator" | "value"> {
  switch (rule.kind) {
    case "equals":
      return { attribute: "plan", operator: "equals", value: rule.plan }
    case "in":
      return { attribute: "country", operator: "in", value: JSON.stringify(rule.countries) }
    case "semver":
      return { attribute: "version", operator: "semverGreaterThan", value: rule.version }
    case "all": {
      const parts = [condition({ ...rule, kind: "equals" }), condition({ ...rule, kind: "semver" })]
      return { attribute: "", operator: "all", value: JSON.stringify(parts) }
    }
    case "percentage":
      return { attribute: "id", operator: "percentage", value: String(rule.percent) }
  }
}
