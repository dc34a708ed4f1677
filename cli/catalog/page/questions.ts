import { day } from "./days.ts"
import type { FlagView } from "./flag-view.ts"

/** Something to ask about each flag today. */
export interface Question {
  readonly words: string
  readonly holds: (flag: FlagView) => boolean
}

/** What the questions depend on. */
export interface Asking {
  readonly now: number
  /** Names of environments. */
  readonly environments: readonly string[]
  /** The environment that people are in: a position. */
  readonly live: number
}

/** The questions by the names that addresses have. */
export function questionsOf({ now, environments, live }: Asking): ReadonlyMap<string, Question> {
  const daysSince = (time: number) => (now - time) / day
  const newest = ({ cells, createdAt }: FlagView) =>
    daysSince(Math.max(createdAt, ...cells.map(({ changedAt = 0 }) => changedAt)))
  const gives = ({ cells }: FlagView, at: number) => !["none", "off", undefined].includes(cells[at]?.state)
  const questions: [string, Question][] = [
    [
      "due",
      {
        words: "expired or due in 30 days",
        holds: ({ expires }) => expires !== "" && -daysSince(Date.parse(expires)) <= 30,
      },
    ],
    [
      "same",
      {
        words: "same value everywhere for more than 60 days",
        holds: (flag) => {
          const [first] = flag.cells
          const isSame =
            first !== undefined &&
            first.constant !== -1 &&
            flag.cells.every(({ constant }) => constant === first.constant)
          return isSame && newest(flag) > 60
        },
      },
    ],
    ...(live > 0
      ? [
          [
            "ahead",
            {
              words: `on in ${environments[live]}, off in ${environments[live - 1]}`,
              holds: (flag) => gives(flag, live) && !gives(flag, live - 1),
            },
          ] satisfies [string, Question],
        ]
      : []),
    [
      "stuck",
      {
        words: "partial share untouched for 30 days",
        holds: ({ cells }) =>
          cells.some(({ state, changedAt = now }) => state === "share" && daysSince(changedAt) > 30),
      },
    ],
    ["week", { words: "changed this week", holds: (flag) => newest(flag) < 7 }],
    ["nobody", { words: "without owner", holds: ({ owner }) => owner === "" }],
    [
      "unreached",
      {
        words: "with rules nobody reaches",
        holds: ({ cells }) =>
          cells.some(
            ({ isEnabled, reached }) =>
              isEnabled && reached.slice(0, -1).some(([isReached]) => isReached === 0),
          ),
      },
    ],
    ["untested", { words: "without a spec", holds: ({ isTested }) => !isTested }],
  ]
  return new Map(questions)
}
