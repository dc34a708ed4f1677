import { constants, platform, setPriority } from "node:os"
import { parentPort, workerData } from "node:worker_threads"
import type { Order } from "./prepare.ts"
import { indexSnapshot } from "./snapshot-index.ts"

// The thread that prepares large snapshots. Requests come first: to Linux a priority belongs to one thread.
if (platform() === "linux") {
  try {
    setPriority(constants.priority.PRIORITY_LOW)
  } catch {
    // A sandbox may forbid it; then the thread takes its fair share.
  }
}

const { bytes, environment } = workerData as Order
parentPort?.postMessage(indexSnapshot(bytes, environment))
