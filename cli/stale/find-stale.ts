import type { Configuration, Flag, Rule } from "../../proxy/contract/snapshot.ts"
import type { CompileExpression } from "../../sdk/evaluation/expression.ts"
import { parseMoment } from "../../sdk/evaluation/moment.ts"
import { scopeOfFlag } from "../../sdk/evaluation/operators.ts"
import type { Project } from "../compile/definition/project.ts"
import type { CompiledFiles } from "../compile/history/compiled-files.ts"
import type { FlagTimes } from "../compile/history/timeline.ts"
import { canonicalJson } from "../compile/meaning/canonical-json.ts"
import type { CompiledFlag } from "../compile/meaning/compiled-flag.ts"
import { contextsOf, everything } from "../conditions/context-set.ts"
import { valueChanges } from "../conditions/value-changes.ts"
import { compareText } from "../diagnostics/diagnostic.ts"

/** A flag that can go, or that somebody should decide about. */
export interface StaleFlag {
  readonly key: string
  readonly owner: string
  /** Its path. */
  readonly path: string
  readonly reasons: readonly Reason[]
  /** The one value that all get where the reason says so, as JSON; `undefined`: people get several. */
  readonly keep: string | undefined
  /** How many references in the code would miss the flag; `undefined`: no code was searched. */
  readonly references: number | undefined
}

/** A state as docs/lifecycle.md defines it, since when, in milliseconds since 1970, and in which environments. */
export interface Reason {
  readonly state: "settled" | "settled-in-protected" | "never-on" | "stuck" | "expired" | "unused"
  readonly since: number
  readonly environments: readonly string[]
}

/** What staleness is measured against. Times are in milliseconds. */
export interface StaleRequest {
  readonly project: Project
  readonly now: number
  /** How long nothing changed, but for flags whose tags say otherwise. `undefined`: what the project says. */
  readonly after?: number | undefined
  /** What the code says, if it was searched. */
  readonly code?: CodeUse
  readonly compileExpression: CompileExpression
}

/** How code uses flags. */
export interface CodeUse {
  /** How many references there are to each flag. */
  readonly references: ReadonlyMap<string, number>
  /** Of flags without any, when the last one was taken out of the code; absent where none ever was. */
  readonly lastUses: ReadonlyMap<string, number>
}

/** The stale flags, sorted by key. What everybody gets is proven: where the engine is in doubt, it is several values. */
export function findStale({ flags, history }: CompiledFiles, request: StaleRequest): readonly StaleFlag[] {
  return flags
    .flatMap((flag) => {
      const times = history.times.get(flag.version.key)
      return times === undefined ? [] : (assess(flag, times, request) ?? [])
    })
    .toSorted((a, b) => compareText(a.key, b.key))
}

/** What a flag gives in an environment that configures it. */
interface Given {
  readonly environment: string
  /** The one value as JSON; `undefined`: there are several, or may be. */
  readonly only: string | undefined
  readonly isShared: boolean
  readonly changedAt: number
}

function assess(compiled: CompiledFlag, times: FlagTimes, request: StaleRequest): StaleFlag | undefined {
  const { project, now, code } = request
  const { facts, source, version } = compiled
  const byTag = facts.tags.flatMap((tag) => project.stale.byTag.get(tag) ?? [])
  const after = byTag.length > 0 ? Math.max(...byTag) : (request.after ?? project.stale.after)
  if (after === Number.POSITIVE_INFINITY) return undefined
  const flag: Flag = JSON.parse(compiled.flag)
  const given = [...compiled.configurations].map(
    ([environment, text]): Given => ({
      environment,
      ...valueIn(flag, JSON.parse(text), request),
      changedAt: Math.max(times.updatedAt, times.configurations.get(environment) ?? 0),
    }),
  )
  const guarded = given.filter(({ environment }) => project.protected.includes(environment))
  const isQuiet = (some: readonly Given[]) => now - newest(some) >= after
  const [all, live] = [oneValue(given), oneValue(guarded)]
  const inDefault = canonicalJson(flag.defaultValue)
  const isUntouched = given.every(({ only }) => only === inDefault) && newest(given) <= times.createdAt
  const stuck = guarded.filter((one) => one.only === undefined && one.isShared && isQuiet([one]))
  const expiry = parseMoment(facts.expires)
  const references = code?.references.get(version.key)
  const unusedSince = Math.max(times.createdAt, code?.lastUses.get(version.key) ?? 0)

  const reasons: Reason[] = []
  const add = (state: Reason["state"], since: number, about: readonly Given[]) =>
    reasons.push({ state, since, environments: about.map(({ environment }) => environment) })
  if (isUntouched && now - times.createdAt >= 2 * after) add("never-on", times.createdAt, given)
  else if (all !== undefined && isQuiet(given)) add("settled", newest(given), given)
  else if (all === undefined && live !== undefined && isQuiet(guarded))
    add("settled-in-protected", newest(guarded), guarded)
  if (stuck.length > 0) add("stuck", newest(stuck), stuck)
  if (expiry !== undefined && expiry <= now) add("expired", expiry, [])
  if (references === 0 && now - unusedSince >= after) add("unused", unusedSince, [])
  if (reasons.length === 0) return undefined
  const keep = isUntouched ? inDefault : (all ?? live)
  return { key: flag.key, owner: facts.owner, path: source.path, reasons, keep, references }
}

/** The value that everybody gets in each environment that configures a flag, as JSON; `undefined`: there are several, or may be. */
export function onlyValue(compiled: CompiledFlag, compileExpression: CompileExpression): string | undefined {
  const flag: Flag = JSON.parse(compiled.flag)
  const given = [...compiled.configurations.values()].map(
    (text) => valueIn(flag, JSON.parse(text), { compileExpression }).only,
  )
  const [first = canonicalJson(flag.defaultValue), ...others] = given.map((only) => only ?? "several")
  return first === "several" || others.some((only) => only !== first) ? undefined : first
}

const newest = (given: readonly Given[]) => Math.max(0, ...given.map(({ changedAt }) => changedAt))

/** The value that everybody gets in all of some environments. */
function oneValue([first, ...others]: readonly Given[]): string | undefined {
  return others.every(({ only }) => only === first?.only) ? first?.only : undefined
}

function valueIn(
  { key, defaultValue }: Flag,
  { enabled, rules }: Configuration,
  { compileExpression }: Pick<StaleRequest, "compileExpression">,
): Pick<Given, "only" | "isShared"> {
  const scope = scopeOfFlag(key, { compileExpression })
  const active = enabled ? rules : []
  const outcomes = [
    ...active.map((rule) => ({ contexts: contextsOf(rule, scope), value: canonicalJson(rule.returnValue) })),
    { contexts: everything, value: canonicalJson(defaultValue) },
  ]
  const only = [...new Set(outcomes.map(({ value }) => value))].find((value) => {
    const { changes, possible, isCutShort } = valueChanges([{ contexts: everything, value }], outcomes)
    return changes.length === 0 && possible.length === 0 && !isCutShort
  })
  return { only, isShared: active.some(asksForShare) }
}

/** Whether a rule asks for a percentage, in whatever depth: groups travel as JSON in `value`. */
function asksForShare({ operator, value }: Rule): boolean {
  return operator === "percentage" || /"operator":"percentage"/.test(value)
}
