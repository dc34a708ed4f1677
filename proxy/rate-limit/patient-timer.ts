/**
 * Calls `late` after so many milliseconds unless it is cancelled before. What has arrived by then is read first: after a
 * pause of this process its timers come before its sockets.
 */
export function startPatientTimer(milliseconds: number, late: () => void): () => void {
  let look: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    look = setImmediate(late)
  }, milliseconds)
  return () => {
    clearTimeout(timer)
    if (look !== undefined) clearImmediate(look)
  }
}
