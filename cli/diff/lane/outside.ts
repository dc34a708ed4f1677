import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import { type ContextSet, contextsOf, nothing } from "../../conditions/context-set.ts"
import type { Outcome } from "../../conditions/moves/outcome.ts"
import type { SetScope } from "../../conditions/predicate.ts"
import { seedName, sharesIn } from "../../conditions/share-range.ts"
import { valueChanges } from "../../conditions/value-changes.ts"
import { byMeaning, outcomesOf, type ReadCondition, scopeOf } from "../../flag/outcomes.ts"
import { type Clock, rampsIn, readRampsAt } from "../../flag/times.ts"
import { canonicalJson } from "../../language/canonical-json.ts"
import type { Share } from "../../language/condition.ts"
import type { LaneEntry } from "../../reading/fast-lane.ts"
import type { FlagOnBothSides } from "../sides/pair-flags.ts"
import type { Side } from "../sides/side.ts"

/** Users of one flag who get a different value that no entry of the lane allows. */
export interface Outside {
  /** One of them; `undefined`: it is not known whether there is one. */
  readonly witness: Context | undefined
  readonly before: Outcome | undefined
  readonly after: Outcome | undefined
}

/** What is asked about a flag in an environment. */
export interface LaneQuestion {
  readonly pair: FlagOnBothSides
  readonly environment: string
  /** The side whose segments count: the base. */
  readonly base: Side
  readonly compileExpression: CompileExpression
  /** When the change is judged; absent: at any time. */
  readonly clock?: Clock | undefined
}

/**
 * Users who get a different value outside the entries, which are all of this environment; empty if there are none. What is
 * not known counts as outside. Where users may fall back or a rollout may grow, ramps are judged as they are now and, if some are
 * left, at each stage to come; no context gets more of a ramp than at one of these moments. A hold changes nothing now or later.
 */
export function outsideOf(question: LaneQuestion, entries: readonly LaneEntry[]): readonly Outside[] {
  const { pair, environment, clock } = question
  if (entries.some(({ allows }) => allows.kind === "anything")) return []
  const ramps = [pair.before, pair.after].flatMap((flag) => rampsIn(flag, environment))
  const isTimed = entries.some(({ allows }) => allows.kind === "default" || allows.kind === "growth")
  if (clock === undefined || ramps.length === 0 || !isTimed) return outsideAt(question, entries, byMeaning)
  const isHeld = rampsIn(pair.after, environment).length === 0
  const stages = ramps
    .flatMap(({ stages }) => stages.map(({ from }) => from))
    .filter((at) => at > clock.now && !isHeld)
  for (const now of [clock.now, ...new Set(stages)]) {
    const found = outsideAt(question, entries, readRampsAt(byMeaning, { ...clock, now }))
    if (found.length > 0)
      return found.map((one) => ({ ...one, witness: withTime(one.witness, { ...clock, now }) }))
  }
  return []
}

/** A context with the time at which it was found, unless it has one for a rule that is no ramp. */
function withTime(witness: Context | undefined, { attribute, now }: Clock): Context | undefined {
  return witness && { [attribute]: new Date(now).toISOString(), ...witness }
}

function outsideAt(
  question: LaneQuestion,
  entries: readonly LaneEntry[],
  read: ReadCondition,
): readonly Outside[] {
  const { pair, environment, compileExpression } = question
  const scope = scopeOf(pair.after, compileExpression)
  const before = outcomesOf(pair.before, environment, compileExpression, read)
  const after = outcomesOf(pair.after, environment, compileExpression, read)
  const [was, is] = [pair.before, pair.after].map(({ defaultValue }) => canonicalJson(defaultValue))
  const mayFallBack = was === is && entries.some(({ allows }) => allows.kind === "default")
  const segments = entries.flatMap(({ allows }) =>
    allows.kind === "segment" ? [segmentSet(allows.name, question, scope)] : [],
  )
  const outside = (allowed: readonly ContextSet[]) =>
    changesOutside(before, after, allowed).filter((change) => !(mayFallBack && change.after?.value === is))
  const found = outside(segments)
  const points = Math.max(0, ...entries.map(({ allows }) => (allows.kind === "growth" ? allows.points : 0)))
  const growths = points === 0 || was !== is ? [] : growthsOf(before, after, points)
  const isGrowth = growths.some(({ share, value }) => {
    const isOfRollout = (change: Outside) => change.before?.value === was && change.after?.value === value
    const grown = contextsOf(share, scope)
    return found.every(isOfRollout) && outside([...segments, grown]).length === 0
  })
  return isGrowth ? [] : found
}

/**
 * The changes of users in none of the allowed sets. Each set comes first on both sides, with one value: so its users
 * move nowhere.
 */
function changesOutside(
  before: readonly Outcome[],
  after: readonly Outcome[],
  allowed: readonly ContextSet[],
): readonly Outside[] {
  const first = allowed.map((contexts, at) => ({ contexts, value: `allowed ${at}` }))
  const { changes, possible, isCutShort } = valueChanges([...first, ...before], [...first, ...after])
  const outcomes = (change: { readonly before: number; readonly after: number }) => ({
    before: before[change.before - first.length],
    after: after[change.after - first.length],
  })
  return [
    ...changes.map((change) => ({ ...outcomes(change), witness: change.witness })),
    ...possible.map((change) => ({ ...outcomes(change), witness: undefined })),
    ...(isCutShort ? [{ witness: undefined, before: undefined, after: undefined }] : []),
  ]
}

/** A segment of the base as the flag's conditions have it; no one if it does not exist there. */
function segmentSet(name: string, { base }: LaneQuestion, scope: SetScope): ContextSet {
  const meaning = base.segments?.get(name)
  return meaning === undefined ? nothing : contextsOf(meaning, scope)
}

/** A share that grew, at one end, by no more than some points: the users who are new in it, and what its rule gives. */
interface Growth {
  readonly share: Share
  readonly value: string
}

function growthsOf(before: readonly Outcome[], after: readonly Outcome[], points: number): readonly Growth[] {
  return sharesOf(after).flatMap(({ share: { kind, by, seed, from, to }, value }) =>
    sharesOf(before).flatMap(({ share: old, value: oldValue }) => {
      if (oldValue !== value || seedName(old) !== seedName({ by, seed })) return []
      const up = { kind, by, seed, from: old.to, to }
      const down = { kind, by, seed, from, to: old.from }
      return [...(old.from === from ? [up] : []), ...(old.to === to ? [down] : [])]
        .filter((range) => range.from < range.to && range.to - range.from <= points + tolerance)
        .map((share) => ({ share, value }))
    }),
  )
}

/** Of a percentage with three decimals, as the hash has it. */
const tolerance = 1e-6

function sharesOf(outcomes: readonly Outcome[]): readonly Growth[] {
  return outcomes.flatMap(({ condition, value }) => sharesIn(condition).map((share) => ({ share, value })))
}
