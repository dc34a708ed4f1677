import { momentWords } from "../../diagnostics/moment-words.ts"
import { type Phrase, phrase, plainPhrase } from "../../diagnostics/phrase.ts"
import type { Effect } from "./effect.ts"

/** What users get from a moment on, in milliseconds since the epoch. */
interface Stage {
  readonly from: number
  readonly effects: readonly Effect[]
}

/** The effects at each time, in order, said with the moments at which something else begins. `sayLater` says those of a time to come. */
export function effectsInTime<Time extends Stage>(
  times: readonly Time[],
  sayLater: (time: Time) => readonly Effect[],
): readonly Effect[] {
  const stages = times.filter((time, at) => at === 0 || textOf(time) !== textOf(times[at - 1]))
  return stages.flatMap((stage, at) => {
    const { from } = stage
    const effects = at === 0 ? stage.effects : sayLater(stage)
    const next = stages[at + 1]
    const isOver = next !== undefined && (at === 0 || next.effects.length === 0)
    const when = [
      ...(at === 0 ? [] : [phrase`from ${[momentWords(from)]}`]),
      ...(isOver ? [phrase`until ${[momentWords(next.from)]}`] : []),
    ]
    const time = { from, until: isOver ? next.from : undefined }
    return effects.map((effect) => ({ ...effect, who: inTime(when, effect.who), time }))
  })
}

/** What happens to users without a time in the attribute that has it, if that is not what happens to the others now. */
export function effectsWithoutTime(
  effects: readonly Effect[],
  [now]: readonly Stage[],
  attribute: string,
): readonly Effect[] {
  return textOf({ effects }) === textOf(now)
    ? []
    : effects.map((effect) => ({
        ...effect,
        who: phrase`without a time in ${attribute}, ${effect.who}`,
        time: null,
      }))
}

function textOf(time: Pick<Stage, "effects"> | undefined): string {
  return JSON.stringify(time?.effects.map(({ who }) => plainPhrase(who)))
}

function inTime([first, second]: readonly Phrase[], who: Phrase): Phrase {
  if (first === undefined) return who
  return second === undefined ? phrase`${first}, ${who}` : phrase`${first} ${second}, ${who}`
}
