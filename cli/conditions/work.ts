/** The bound of a search. It counts steps, not time, so that every machine gives the same answer. */
export interface Work {
  readonly isSpent: boolean
  spend(steps: number): void
  /** A part of what is left, so that one hard question does not use up what the others need. */
  share(fraction: number): Work
}

/** A step is about one comparison of a value with an operand: 2,000,000 of them take about 100 ms. */
export function createWork(steps: number): Work {
  let left = steps
  const work: Work = {
    get isSpent() {
      return left <= 0
    },
    spend: (count) => {
      left -= count
    },
    share: (fraction) => {
      const own = createWork(Math.max(0, left) * fraction)
      return {
        get isSpent() {
          return own.isSpent
        },
        spend: (count) => {
          own.spend(count)
          left -= count
        },
        share: own.share,
      }
    },
  }
  return work
}
