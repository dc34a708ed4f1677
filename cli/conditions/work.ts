/** The bound of a search. It counts steps, not time, so that every machine gives the same answer. */
export interface Work {
  readonly isSpent: boolean
  spend(steps: number): void
  /** A part of what is left, and no more than `most`, so that one hard question does not use up what the others need. */
  share(fraction: number, most?: number): Work
}

/** Steps for all questions about one flag, or about one change of it. */
export const stepsForFlag = 500_000

/** A step is about four comparisons of a short string with another. In a new process, 500,000 take 150 ms. */
export function createWork(steps: number): Work {
  return new Steps(steps, undefined)
}

/**
 * Work spent by a part is also spent by the whole. A class, because each question has one: creating an object
 * with its own functions takes longer.
 */
class Steps implements Work {
  private left: number
  private readonly whole: Steps | undefined

  constructor(left: number, whole: Steps | undefined) {
    this.left = left
    this.whole = whole
  }

  get isSpent(): boolean {
    return this.left <= 0
  }

  spend(steps: number): void {
    this.left -= steps
    this.whole?.spend(steps)
  }

  share(fraction: number, most = Number.POSITIVE_INFINITY): Work {
    return new Steps(Math.min(most, Math.max(0, this.left) * fraction), this)
  }
}
