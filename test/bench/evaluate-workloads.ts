import type { FlagEntry, Rule } from "../../proxy/contract/snapshot.ts"
import { seeded } from "../seeded.ts"

/** What a rule of these flags compares; every SDK of the comparison can express it. */
export type BenchRule =
  | { readonly kind: "equals"; readonly plan: string }
  | { readonly kind: "in"; readonly countries: readonly string[] }
  | { readonly kind: "semver"; readonly version: string }
  | { readonly kind: "all"; readonly plan: string; readonly version: string }
  /** A domain in any case, `@` included. */
  | { readonly kind: "endsWith, any case"; readonly domain: string }
  | { readonly kind: "in, any case"; readonly countries: readonly string[] }
  /** An RFC 3339 string in whole seconds. */
  | { readonly kind: "afterOrEquals"; readonly from: string }
  /** Always the last rule: in some SDKs it ends the evaluation for users whom it leaves out. */
  | { readonly kind: "percentage"; readonly percent: number }
  /** The same, with a seed that several flags share. */
  | { readonly kind: "share"; readonly percent: number; readonly seed: number }
  /** Another flag is on. Always the only rule: in some SDKs it is evaluated before all rules. */
  | { readonly kind: "flag"; readonly other: BenchFlag }

/** A boolean flag: true if a rule matches. */
export interface BenchFlag {
  readonly key: string
  readonly rules: readonly BenchRule[]
}

export interface BenchContext {
  readonly id: string
  readonly plan: string
  readonly country: string
  readonly version: string
  readonly email: string
  /** An RFC 3339 string. */
  readonly now: string
}

export interface Workload {
  readonly name: string
  /** Whether all SDKs must give the same answers: not if shares depend on each SDK's own hash. */
  readonly isComparable: boolean
  readonly flags: readonly BenchFlag[]
}

const flagCount = 1_000
const contextCount = 100

const random = seeded(1)
const below = (limit: number) => Math.floor(random() * limit)
const version = (majors: number) => `${below(majors)}.${below(30)}.${below(100)}`
const plan = () => `plan-${below(40)}`

const makers = {
  equals: () => ({ kind: "equals", plan: plan() }),
  in: () => ({ kind: "in", countries: Array.from({ length: 100 }, () => `country-${below(2_000)}`) }),
  semver: () => ({ kind: "semver", version: `${6 + below(60)}.${below(30)}.${below(100)}` }),
  all: () => ({ kind: "all", plan: plan(), version: version(8) }),
  percentage: () => ({ kind: "percentage", percent: 1 + below(60) }),
  share: () => ({ kind: "share", percent: 1 + below(60), seed: below(20) }),
  "endsWith, any case": () => ({ kind: "endsWith, any case", domain: `@Company-${below(40)}.example` }),
  "in, any case": () => ({
    kind: "in, any case",
    countries: Array.from({ length: 100 }, () => `Country-${below(2_000)}`),
  }),
  afterOrEquals: () => ({ kind: "afterOrEquals", from: `2026-12-${10 + below(20)}T10:00:00Z` }),
} satisfies Readonly<Record<string, () => BenchRule>>

function flags(rulesOf: (index: number) => readonly BenchRule[]): readonly BenchFlag[] {
  return Array.from({ length: flagCount }, (_, index) => ({
    key: `team-${index % 20}/feature-${index}`,
    rules: rulesOf(index),
  }))
}

/** So many rules of one kind; only one share, after other rules. */
function rulesOfKind(kind: keyof typeof makers, count: number): readonly BenchRule[] {
  const isShare = kind === "percentage" || kind === "share"
  return Array.from({ length: count }, (_, index) =>
    isShare && index < count - 1 ? makers.equals() : makers[kind](),
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
  ...(["share", "endsWith, any case", "in, any case", "afterOrEquals"] as const).map((kind) => ({
    name: `3 × ${kind}`,
    isComparable: kind !== "share",
    flags: flags(() => rulesOfKind(kind, 3)),
  })),
  { name: "another flag of 3 × equals", isComparable: true, flags: dependent() },
]

/** Of ten flags nine depend on the first. */
function dependent(): readonly BenchFlag[] {
  let first: BenchFlag | undefined
  return flags(() => rulesOfKind("equals", 3)).map((flag, index) => {
    if (first === undefined || index % 10 === 0) {
      first = flag
      return flag
    }
    return { key: flag.key, rules: [{ kind: "flag", other: first }] }
  })
}

/** As they come over HTTP: no string is the same object as an operand. */
export const contexts: readonly BenchContext[] = JSON.parse(
  JSON.stringify(
    Array.from({ length: contextCount }, (_, index) => ({
      id: `user-${index * 7919}`,
      plan: plan(),
      country: `country-${below(2_000)}`,
      version: version(12),
      email: `User-${index}@company-${index % 40}.EXAMPLE`,
      now: `2026-${String(1 + (index % 12)).padStart(2, "0")}-${10 + (index % 20)}T10:00:00Z`,
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
    case "share": {
      const value = JSON.stringify({ seed: String(rule.seed), from: 0, to: rule.percent })
      return { attribute: "id", operator: "share", value }
    }
    case "endsWith, any case":
      return { attribute: "email", operator: "endsWithIgnoreCase", value: rule.domain }
    case "in, any case":
      return { attribute: "country", operator: "inIgnoreCase", value: JSON.stringify(rule.countries) }
    case "afterOrEquals":
      return { attribute: "now", operator: "afterOrEquals", value: rule.from }
    case "flag": // as `build` writes it
      return { attribute: "", operator: "any", value: JSON.stringify(rule.other.rules.map(condition)) }
  }
}
