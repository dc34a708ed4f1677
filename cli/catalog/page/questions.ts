import { assess, type Reason } from "../../stale/assess.ts"
import { day } from "./days.ts"
import type { FlagView } from "./flag-view.ts"
import type { PageData } from "./page-data.ts"

/** A question about flags, answered for today. */
export interface Question {
  readonly words: string
  /** An explanation of the words; `""`: they need none. */
  readonly meaning: string
  readonly holds: (flag: FlagView) => boolean
}

/** What the questions depend on. */
export type Asking = Pick<PageData, "environments" | "protected" | "live" | "beforeLive" | "changed"> & {
  readonly now: number
}

/** The questions by their names in addresses. Those that `flagstone stale` also answers use its definitions. */
export function questionsOf(asking: Asking): ReadonlyMap<string, Question> {
  const { now, environments, live, beforeLive, changed } = asking
  const daysSince = (time: number) => (now - time) / day
  const newest = ({ cells, updatedAt }: FlagView) =>
    Math.max(updatedAt, ...cells.map(({ changedAt = 0 }) => changedAt))
  const is = (state: Reason["state"]) => (flag: FlagView) =>
    statesOf(flag, asking).some((reason) => reason.state === state)
  const questions = new Map<string, Question>()
  const ask = (name: string, words: string, holds: Question["holds"], meaning = "") =>
    questions.set(name, { words, meaning, holds })
  const [own, before] = [environments[live], environments[beforeLive]]
  const guarded = asking.protected > 1 ? "protected environments" : own
  const quiet = "and nothing has changed for 30 days (or the time in project.yaml)"

  if (changed !== -1) ask("branch", "changed by this branch", ({ isChanged }) => isChanged)
  const settled = `Everyone gets the same value in every environment, ${quiet}: the flag can go.`
  ask("settled", "settled", is("settled"), settled)
  if (asking.protected > 0) {
    const meaning = `The flag is enabled in ${guarded} and gives everyone there the same value, ${quiet}; users elsewhere get something else.`
    ask("settled-in-protected", `settled in ${guarded}`, is("settled-in-protected"), meaning)
    const stuck = `Only a share of users in ${guarded} gets a different value, ${quiet}.`
    ask("stuck", "stuck at a share", is("stuck"), stuck)
    const over = `A ramp in ${guarded} has reached 100 %, ${quiet}: make the ramp \`always\`.`
    ask("over", "a ramp that is over", is("over"), over)
  }
  const never =
    "Everyone has had the default since the flag was created, at least 60 days ago (or twice the time in project.yaml)."
  ask("never-on", "never on", is("never-on"), never)
  ask("expired", "expired", is("expired"))
  ask("due", "expires within 30 days", ({ expires }) => {
    const left = -daysSince(Date.parse(expires))
    return left > 0 && left <= 30
  })
  if (before !== undefined) {
    const holds = (flag: FlagView) => isOn(flag, live) && !isOn(flag, beforeLive)
    const meaning = `Some users in ${own} get true, or a value other than the default; no one in ${before} does.`
    const isWaiting = (flag: FlagView) => isOn(flag, beforeLive) && !isOn(flag, live)
    const waiting = `Some users in ${before} get true, or a value other than the default; no one in ${own} does. The cell of ${before} has the date since when.`
    ask("waiting", `on in ${before}, not yet in ${own}`, isWaiting, waiting)
    ask("ahead", `on in ${own}, off in ${before}`, holds, meaning)
  }
  ask("week", "changed this week", (flag) => daysSince(newest(flag)) < 7)
  ask("unowned", "without an owner", ({ owner }) => owner === "")
  ask("unreached", "with rules no one reaches", ({ cells }) =>
    cells.some(
      ({ isEnabled, reached }) => isEnabled && reached.slice(0, -1).some(({ isReached }) => !isReached),
    ),
  )
  ask("untested", "without a spec", ({ isTested }) => !isTested)
  return questions
}

/** Whether some users get `true`, or, if the flag is not boolean, a value other than the default. */
function isOn({ cells, defaultConstant }: FlagView, at: number): boolean {
  const { state = "none", constant } = cells[at] ?? {}
  return state !== "none" && state !== "off" && (state !== "value" || constant !== defaultConstant)
}

/** The reasons why `flagstone stale` would list a flag. */
function statesOf(
  { staleAfter, expires, createdAt, updatedAt, defaultConstant, cells }: FlagView,
  { now, environments, protected: guarded }: Asking,
): readonly Reason[] {
  const given = cells.map(({ changedAt = 0, constant, isEnabled, state, ramps, isOver }, at) => ({
    environment: environments[at] ?? "",
    isProtected: at < guarded,
    isEnabled,
    isShared: state === "share",
    ...{ ramps, isOver },
    only: constant,
    changedAt: Math.max(updatedAt, changedAt),
  }))
  const standing = { expires, createdAt, defaultValue: defaultConstant, given }
  return assess(standing, { now, after: staleAfter }).reasons
}
