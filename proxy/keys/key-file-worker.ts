import { parentPort, workerData } from "node:worker_threads"
import { parseKeyFile } from "../contract/key-file.ts"
import { lowerPriority } from "../prepare/low-priority.ts"

// The thread that parses large key files.
lowerPriority()
parentPort?.postMessage(parseKeyFile(workerData as string))
