import { constants, platform, setPriority } from "node:os"

/**
 * Gives requests priority over this worker: on Linux each thread has its own priority. Not the lowest: on a machine whose
 * cores are all busy, a thread with that waits a minute for a second of work, and a kill switch waits with it.
 */
export function lowerPriority(): void {
  if (platform() !== "linux") return
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // A sandbox may forbid it; then the thread has normal priority.
  }
}
