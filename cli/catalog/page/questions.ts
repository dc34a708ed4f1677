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

const day = 86_400_000

/** The questions by the names that addresses have. */
export function questionsOf({ now, environments, live }: Asking): ReadonlyMap<string, Question> {
  const since = (time: string) => (now - Date.parse(time)) / day
  const changes = ({ changedAt }: FlagView) =>
    environments.map((_, at) => changedAt(at)).filter((time) => time !== "")
  const newest = (flag: FlagView) => Math.min(...[...changes(flag), flag.createdAt].map(since))
  const gives = ({ cells }: FlagView, at: number) => !["none", "off", undefined].includes(cells[at]?.[0])
  const questions: [string, Question][] = [
    [
      "due",
      { words: "expired or due in 30 days", holds: ({ expires }) => expires !== "" && -since(expires) <= 30 },
    ],
    [
      "same",
      {
        words: "same value everywhere for more than 60 days",
        holds: (flag) => {
          const [first] = flag.cells
          const isSame =
            first !== undefined && first[1] !== -1 && flag.cells.every(([, value]) => value === first[1])
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
        holds: ({ cells, changedAt }) =>
          cells.some(([state], at) => state === "share" && since(changedAt(at)) > 30),
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
            ([, , reached, configuration]) =>
              configuration?.[1] === 1 && reached.slice(0, -1).some(([isReached]) => isReached === 0),
          ),
      },
    ],
    ["untested", { words: "without a spec", holds: ({ isTested }) => !isTested }],
  ]
  return new Map(questions)
}
