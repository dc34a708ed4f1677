/** The bound of a search. It counts steps, not time, so that every machine gives the same answer. */
export interface Work {
  readonly isSpent: boolean
  spend(steps: number): void
  /** A part of what is left, so that one hard question does not use up what the others need. */
  share(fraction: number): Work
}

/** A step is about one comparison of a value with an operand: 2,000,000 of them take about 100 ms. */
export function createWork(steps: number): Work {
  return workWithin(steps, () => {})
}

/** What is spent of a share is spent of the whole, too. */
function workWithin(steps: number, tell: (steps: number) => void): Work {
  let left = steps
  const spend = (count: number) => {
    left -= count
    tell(count)
  }
  return {
    get isSpent() {
      return left <= 0
    },
    spend,
    share: (fraction) => workWithin(Math.max(0, left) * fraction, spend),
  }
}
