import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import { phrase } from "../../diagnostics/phrase.ts"
import { type Clock, type MaybeClock, momentsIn } from "../../flag/times.ts"
import type { Flag } from "../../language/flag.ts"
import { comparable, type FlagPair } from "../sides/pair-flags.ts"
import { compareIn, givesTheSame, type Transition } from "../transitions/transition.ts"
import type { Effect } from "./effect.ts"
import { calendarEffects, effectsOf } from "./effects.ts"
import { effectsInTime, effectsWithoutTime } from "./effects-in-time.ts"

/** A flag and what it gives in each environment, computed once for changes and warnings. */
export interface ComparedFlag {
  readonly pair: FlagPair
  /** The environments that both sides have. */
  readonly shared: readonly string[]
  /** Those that had a different name before. */
  readonly newNames?: readonly string[]
  /** By shared environment; empty if the flag is removed. */
  readonly transitions: ReadonlyMap<string, TransitionWithEffects>
}

export interface TransitionWithEffects extends Transition {
  readonly effects: readonly Effect[]
  /** What happens from each of these moments on, the first of which is now; absent if time makes no difference. */
  readonly times?: readonly TimedTransition[]
}

/** A transition of users whose time is known. */
export interface TimedTransition extends TransitionWithEffects {
  /** Milliseconds since the epoch. */
  readonly from: number
}

/** Compares what a flag gives in the environments that both sides have. */
export function compareFlag(
  pair: FlagPair,
  environments: Pick<ComparedFlag, "shared" | "newNames">,
  compileExpression: CompileExpression,
  clock?: Clock,
): ComparedFlag {
  if (pair.kind === "removed") return { pair, ...environments, transitions: new Map() }
  const { before, after } =
    pair.kind === "added" ? { before: undefined, after: pair.after } : comparable(pair)
  const transitions = environments.shared.map((environment) => {
    const compare = (at?: MaybeClock) => compareIn(environment, before, after, compileExpression, at)
    const transition = compare()
    const sides = before === undefined ? [after] : [before, after]
    const moments = clock === undefined || isIdle(transition) ? [] : momentsIn(sides, environment, clock)
    if (clock === undefined || moments.length === 0) return { ...transition, effects: effectsOf(transition) }
    const times = moments.map((now): TimedTransition => {
      const timed = compare({ ...clock, now })
      return { ...timed, effects: effectsOf(timed), from: now }
    })
    const { attribute } = clock
    const effects = calendarEffects(transition, clock.now) ?? [
      ...effectsInTime(times, (time) => effectsOf(time, true)),
      ...effectsWithoutTime(effectsOf(compare({ attribute, now: undefined })), times, attribute),
    ]
    return { ...transition, effects, times }
  })
  const said = transitions.map((transition) => ({
    ...transition,
    effects: [...transition.effects, ...sameAsAnother(transition, transitions, before, pair.after)],
  }))
  return { pair, ...environments, transitions: new Map(said.map((one) => [one.environment, one])) }
}

function isIdle({ moves, isCutShort }: Transition): boolean {
  return moves.length === 0 && !isCutShort
}

/**
 * Returns the unchanged environment in which a flag gives what it now gives in this one: the nearest one before it in the
 * project's order, else one after it.
 */
function sameAsAnother(
  { environment, effects }: TransitionWithEffects,
  all: readonly TransitionWithEffects[],
  before: Flag | undefined,
  after: Flag,
): readonly Effect[] {
  if (before === undefined || effects.length === 0 || !after.configurations.get(environment)?.enabled)
    return []
  const at = all.findIndex((one) => one.environment === environment)
  const model = [...all.slice(0, at).reverse(), ...all.slice(at + 1)].find(
    (one) =>
      one.effects.length === 0 &&
      after.configurations.get(one.environment)?.enabled === true &&
      givesTheSame(after, after, environment, one.environment),
  )
  return model === undefined ? [] : [{ environment, who: phrase`as in ${model.environment} now` }]
}
