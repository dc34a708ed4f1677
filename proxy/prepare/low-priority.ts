import { constants, platform, setPriority } from "node:os"

/** Gives requests priority over this worker: on Linux each thread has its own priority. */
export function lowerPriority(): void {
  if (platform() !== "linux") return
  try {
    setPriority(constants.priority.PRIORITY_LOW)
  } catch {
    // A sandbox may forbid it; then the thread has normal priority.
  }
}
