import { parentPort, workerData } from "node:worker_threads"
import { lowerPriority } from "./low-priority.ts"
import type { PrepareTask } from "./prepare.ts"
import { indexSnapshot } from "./snapshot-index.ts"

// The thread that prepares large snapshots.
lowerPriority()
const { bytes, environment } = workerData as PrepareTask
parentPort?.postMessage(indexSnapshot(bytes, environment))
