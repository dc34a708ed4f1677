import { constants, platform, setPriority } from "node:os"

/**
 * Gives requests priority over this worker: on Linux each thread has its own priority. It is not the lowest: if all cores
 * are busy, a thread with the lowest takes a minute for a second of work, and a kill switch waits for it.
 */
export function lowerPriority(): void {
  if (platform() !== "linux") return
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // A sandbox may forbid it; then the thread has normal priority.
  }
}
