import type { ManifestEnvironment } from "../contract/manifest.ts"
import type { Parsed } from "../contract/parsed.ts"
import { allocateDocument } from "../reload/document-memory.ts"
import { inThread } from "./in-thread.ts"
import { assembleSnapshot, type PreparedSnapshot } from "./prepared-snapshot.ts"
import { indexSnapshot, type SnapshotIndex } from "./snapshot-index.ts"

/**
 * Prepares a snapshot for serving: a small one here and now, a large one in a thread of its own, because requests are
 * answered meanwhile. Invalid where the bytes are not a snapshot or another environment's; throws if the machine has no
 * thread or no memory left.
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

/** Bytes that this thread indexes in some 5 ms; another one takes 20 ms to start. */
const worthThread = 64 * 1024

/** What the worker is given. */
export interface PrepareTask {
  readonly bytes: Uint8Array
  readonly environment: ManifestEnvironment
}

function indexInThread(
  bytes: Uint8Array,
  environment: ManifestEnvironment,
  signal: AbortSignal | undefined,
): Promise<Parsed<SnapshotIndex>> {
  const copy = allocateDocument(bytes.length) // moved to the thread: a clone would be copied twice, into malloc's memory
  copy.set(bytes)
  const task: PrepareTask = { bytes: copy, environment }
  return inThread(
    "prepare-worker",
    import.meta.url,
    { workerData: task, transferList: [copy.buffer] },
    signal,
  )
}
