/** A moment as readers write it, to the minute unless its seconds matter. */
export function momentWords(moment: number): string {
  const text = new Date(moment).toISOString()
  const isWhole = text.endsWith(":00.000Z")
  return `${text.slice(0, 10)} ${text.slice(11, isWhole ? 16 : text.endsWith(".000Z") ? 19 : 23)} UTC`
}

/** A stage of a ramp: from when on, in milliseconds since the epoch, and how wide its range of users then is, in percent. */
export interface Stage {
  readonly from: number
  readonly share: number
}

/** Where a ramp stands, what comes next, and how it ends: `25 % since 2026-12-02 09:00 UTC; 100 % from 2026-12-05 09:00 UTC`. */
export function standingWords(stages: readonly Stage[], now: number): string {
  const reached = stages.findLast(({ from }) => from <= now)
  const [next, ...later] = stages.filter(({ from }) => from > now)
  const words = (stage: Stage | undefined, when: string) =>
    stage === undefined ? [] : [`${stage.share} % ${when} ${momentWords(stage.from)}`]
  const first = reached === undefined ? ["no stage has begun"] : words(reached, "since")
  return [...first, ...words(next, "from"), ...words(later.at(-1), "from")].join("; ")
}
