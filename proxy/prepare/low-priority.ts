import { constants, platform, setPriority } from "node:os"

/** Lets requests come before this worker: to Linux a priority belongs to one thread. */
export function lowerPriority(): void {
  if (platform() !== "linux") return
  try {
    setPriority(constants.priority.PRIORITY_LOW)
  } catch {
    // A sandbox may forbid it; then the thread takes its fair share.
  }
}
