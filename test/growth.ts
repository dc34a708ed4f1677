/** The most that `growth` may be of what is linear: halfway, in powers, from 4 to 16. Caches and the collection of garbage add to 4. */
export const linear = 8

/**
 * How many times as long `run` takes for a text of four times `length`: about 4 if it is linear, 16 if it is quadratic. Others on the
 * machine only add time, so each side is the least of many short rounds, and of more while it does not look linear. What is linear
 * has rounds of the same length on both sides, so that they are as likely to be interrupted.
 */
export function growth(
  run: (text: string) => unknown,
  textOf: (length: number) => string,
  length: number,
): number {
  const short = textOf(length)
  const long = textOf(4 * length)
  const calls = callsFor(() => run(long))
  let leastShort = Number.POSITIVE_INFINITY
  let leastLong = Number.POSITIVE_INFINITY
  const ratio = (): number => (4 * leastLong) / leastShort
  for (let round = 0; round < fewest || (round < most && ratio() > linear); round++) {
    const shortTime = timed(() => run(short), 4 * calls)
    const longTime = timed(() => run(long), calls)
    leastShort = Math.min(leastShort, shortTime)
    leastLong = Math.min(leastLong, longTime)
  }
  return ratio()
}

/** In rounds. */
const fewest = 7
const most = 40

/** How often a round calls: for half a millisecond, which is long for the clock and seldom interrupted. */
function callsFor(run: () => unknown): number {
  for (let calls = 1; ; calls *= 2) if (timed(run, calls) >= 0.5) return calls
}

/** In milliseconds. */
function timed(run: () => unknown, calls: number): number {
  const start = performance.now()
  for (let call = 0; call < calls; call++) run()
  return performance.now() - start
}
