import type { CompileExpression } from "../../sdk/evaluation/expression.ts"
import { sharesIn } from "../conditions/share-range.ts"
import { compareText } from "../diagnostics/diagnostic.ts"
import { factsOf } from "../flag/file-facts.ts"
import { activeRules } from "../flag/outcomes.ts"
import { type Clock, conditionAt } from "../flag/times.ts"
import type { FlagTimes } from "../history/timeline.ts"
import { canonicalJson } from "../language/canonical-json.ts"
import { type Share, visit } from "../language/condition.ts"
import type { Flag, RuleItem, Split } from "../language/flag.ts"
import type { DatedProject } from "../project/compile.ts"
import type { Project } from "../reading/project.ts"
import { sharesOf } from "../reading/split.ts"
import { type Dependent, dependentsByKey } from "../usages/dependents.ts"
import { assess, type Reason } from "./assess.ts"
import { givenByFlag } from "./given.ts"

/** A flag that you can remove, or that needs a decision. */
export interface StaleFlag {
  readonly key: string
  readonly owner: string
  /** Its path. */
  readonly path: string
  readonly reasons: readonly StaleReason[]
  /** The value that code keeps, as JSON; `undefined`: it is waiting, or users get several values. */
  readonly keep: string | undefined
  /** How many references the code has to the flag; `undefined`: no code was searched. */
  readonly references: number | undefined
  /** The keys of the flags with a condition on this one. */
  readonly dependents: readonly string[]
  /** The names of the invariants with one. */
  readonly invariants: readonly string[]
}

export interface StaleReason extends Reason {
  /** For a stuck flag, the shares in its rules. */
  readonly shares?: readonly Share[]
}

/** What staleness is measured against. Times are in milliseconds. */
export interface StaleRequest {
  readonly project: Project
  readonly now: number
  /** How long a flag must have been unchanged, unless its tags have their own time. `undefined`: the project file's time. */
  readonly after?: number | undefined
  /** `undefined`: no code was searched. */
  readonly code?: CodeUse
  readonly compileExpression: CompileExpression
}

/** How code uses flags. */
export interface CodeUse {
  /** How many references there are to each flag. */
  readonly references: ReadonlyMap<string, number>
  /** When the last reference to a flag that has none now was deleted; absent if it never had one. */
  readonly lastUses: ReadonlyMap<string, number>
}

/**
 * The stale flags, sorted by key. The value that everyone gets is proven: if in doubt, a flag counts as giving several.
 */
export function findStale(
  { flags, invariants, history }: Pick<DatedProject, "flags" | "invariants" | "history">,
  request: StaleRequest,
): readonly StaleFlag[] {
  const sorted = flags.toSorted((a, b) => compareText(a.key, b.key))
  const dependents = dependentsByKey(sorted, invariants)
  return sorted.flatMap((flag) => {
    const times = history.times.get(flag.key)
    const stale = times && staleFlag(flag, times, request)
    if (stale === undefined) return []
    const namesOf = (wanted: Dependent["kind"]) => [
      ...new Set(
        (dependents.get(stale.key) ?? []).flatMap(({ kind, name }) => (kind === wanted ? name : [])),
      ),
    ]
    return [{ ...stale, dependents: namesOf("flag"), invariants: namesOf("invariant") }]
  })
}

function staleFlag(
  flag: Flag,
  times: FlagTimes,
  request: StaleRequest,
): Omit<StaleFlag, "dependents" | "invariants"> | undefined {
  const { project, now, code } = request
  const facts = factsOf(flag)
  const after = staleAfter(facts.tags, project, request.after)
  const given = givenByFlag(flag, project, request.compileExpression).map((gives) => ({
    ...gives,
    changedAt: Math.max(times.updatedAt, times.configurations.get(gives.environment) ?? 0),
  }))
  const clock = { attribute: project.clock ?? "", now }
  const references = code?.references.get(flag.key)
  const { reasons: plain, keep } = assess(
    {
      expires: facts.expires,
      createdAt: times.createdAt,
      defaultValue: canonicalJson(flag.defaultValue),
      given,
      unusedSince:
        references === 0 ? Math.max(times.createdAt, code?.lastUses.get(flag.key) ?? 0) : undefined,
    },
    { now, after },
  )
  if (plain.length === 0) return undefined
  const reasons = plain.map((reason) =>
    reason.state === "stuck"
      ? { ...reason, shares: sharesAt(reason.environments[0] ?? "", flag, clock) }
      : reason,
  )
  return { key: flag.key, owner: facts.owner, path: flag.source.path, reasons, keep, references }
}

/** The shares that an environment's rules write, each once; of a ramp, the one that it has reached. Those of segments and other flags count if there are no others. */
function sharesAt(environment: string, flag: Flag, clock: Clock): readonly Share[] {
  const rules = activeRules(flag, environment)
  const items = new Set(rules.map(({ item }) => item))
  const own = [...items].flatMap((item) =>
    item.split === undefined ? sharesBeside(item, clock) : armsOf(item.split),
  )
  const shares =
    own.length > 0 ? own : rules.flatMap(({ condition }) => sharesIn(conditionAt(condition, clock)))
  return [...new Map(shares.map((share) => [JSON.stringify(writtenShare(share)), share])).values()]
}

function sharesBeside({ condition }: RuleItem, clock: Clock): readonly Share[] {
  return condition === undefined
    ? []
    : [...visit(conditionAt(condition, clock))].filter((part) => part.kind === "share")
}

/** The arms' shares, each from where the one before it ends. */
function armsOf(split: Split): readonly Share[] {
  return sharesOf(split).map(({ share }, at, all) => ({ ...share, from: all[at - 1]?.share.to ?? 0 }))
}

/** A share as it is written in flag files. */
export const writtenShare = ({ by, seed, from, to }: Share) => ({ by, from, to, seed })

/** How long a flag with these tags must be unchanged to be stale; `usual` applies if its tags set no time. */
export function staleAfter(
  tags: readonly string[],
  { stale }: Pick<Project, "stale">,
  usual = stale.after,
): number {
  const byTag = tags.flatMap((tag) => stale.byTag.get(tag) ?? [])
  return byTag.length > 0 ? Math.max(...byTag) : usual
}
