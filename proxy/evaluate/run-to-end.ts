/** The result of work that pauses where it yields, when no one else needs to go first. */
export function runToEnd<T>(steps: Iterator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
