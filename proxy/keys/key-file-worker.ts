import { parentPort, workerData } from "node:worker_threads"
import { parseKeyRecords } from "../contract/key-file.ts"
import { lowerPriority } from "../prepare/low-priority.ts"

// The thread that parses large key files.
lowerPriority()
parentPort?.postMessage(parseKeyRecords(workerData as string))
