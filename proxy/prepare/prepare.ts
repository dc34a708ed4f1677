import type { Parsed } from "../../sdk/contract/parsed.ts"
import type { ManifestEnvironment } from "../contract/manifest.ts"
import { allocateDocument } from "../reload/document-memory.ts"
import { inThread } from "./in-thread.ts"
import { assembleSnapshot, type PreparedSnapshot } from "./prepared-snapshot.ts"
import { indexSnapshot, type SnapshotIndex } from "./snapshot-index.ts"

/**
 * Prepares a snapshot for serving: a small one in this thread, a large one in a separate thread, so that requests are
 * answered meanwhile. Invalid if the bytes are not a snapshot, or are another environment's; throws if the machine has
 * no thread or memory left.
 */
export async function prepareSnapshot(
  bytes: Buffer,
  environment: ManifestEnvironment,
  signal?: AbortSignal,
): Promise<Parsed<PreparedSnapshot>> {
  try {
    const index =
      bytes.length < worthThread
        ? indexSnapshot(bytes, environment)
        : await indexInThread(bytes, environment, signal)
    return index.kind === "invalid" ? index : { kind: "valid", value: assembleSnapshot(bytes, index.value) }
  } catch (cause) {
    throw new Error(`${environment.file} could not be prepared: ${(cause as Error).message}`, { cause })
  }
}

/** In bytes: this thread indexes this many in about 5 ms, while a new thread takes 20 ms to start. */
const worthThread = 64 * 1024

/** The worker's input. */
export interface PrepareTask {
  readonly bytes: Uint8Array
  readonly environment: ManifestEnvironment
}

function indexInThread(
  bytes: Uint8Array,
  environment: ManifestEnvironment,
  signal: AbortSignal | undefined,
): Promise<Parsed<SnapshotIndex>> {
  const copy = allocateDocument(bytes.length) // moved to the thread, because cloning would copy it twice, into malloc's memory
  copy.set(bytes)
  const task: PrepareTask = { bytes: copy, environment }
  return inThread(
    "prepare-worker",
    import.meta.url,
    { workerData: task, transferList: [copy.buffer] },
    signal,
  )
}
