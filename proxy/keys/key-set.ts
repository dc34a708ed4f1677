import type { Parsed } from "../../sdk/contract/parsed.ts"
import { type KeyFile, parseKeyFile } from "../contract/key-file.ts"
import { inThread } from "../prepare/in-thread.ts"
import { broken, good, type Result } from "../reload/fault.ts"
import { findReplay, proveSigned, type Trust } from "../reload/trust.ts"

/** A key file as it was found. */
export interface KeySet extends KeyFile {
  /** The file's bytes; empty if the keys do not come from a file. */
  readonly bytes: Buffer
  /** The text of its signature file; `undefined` if no signature was asked for. */
  readonly signatures?: Buffer
}

/** What a set is read from, whatever its source. */
export interface KeySetParts {
  /** Names the file in messages: a path or an address. */
  readonly location: string
  readonly bytes: Buffer
  readonly readSignatures: () => Promise<Result<Buffer>>
  readonly trust: Trust
}

/**
 * Verifies and parses a key file, for every source. `served` is the current set. Nothing is parsed before its signature
 * is verified. No message repeats a secret.
 */
export async function readKeySet(
  { location, bytes, readSignatures, trust }: KeySetParts,
  served: KeyFile | undefined,
  signal?: AbortSignal,
): Promise<Result<KeySet>> {
  const name = `the key file ${location}`
  const text = bytes.toString()
  // Removing the last key leaves `keys: []`; an empty file is probably still being written.
  if (text.trim() === "") return broken(`${name} is empty`)
  const proof = await proveSigned(name, bytes, readSignatures, trust)
  if (proof.kind !== "good") return proof
  const parsed: Parsed<KeyFile> =
    text.length < worthThread
      ? parseKeyFile(text)
      : await inThread("key-file-worker", import.meta.url, { workerData: text }, signal)
  if (parsed.kind === "invalid") return broken(`${name} is not valid: ${parsed.reason}`)
  const replay = findReplayOfKeys(name, parsed.value, served, trust)
  if (replay !== undefined) return replay
  return good({ ...parsed.value, bytes, ...(proof.value && { signatures: proof.value }) })
}

function findReplayOfKeys(name: string, file: KeyFile, served: KeyFile | undefined, trust: Trust) {
  if (trust.publicKey !== undefined && file.publishedAt === undefined)
    return broken(`${name} does not say when it was published: send it with \`flagstone publish --keys\``)
  return findReplay(
    name,
    imprintOfKeyFile(file),
    served && imprintOfKeyFile(served),
    trust,
    "publish the key file again",
  )
}

/** A key file's members about its publication. */
export function imprintOfKeyFile({ publishedAt, target }: KeyFile) {
  return { publishedAt, target }
}

/**
 * In characters, about four keys. Requests wait while this thread parses: 8 KiB of brackets would take 0.1 s, and 1 MiB
 * of keys 0.4 s.
 */
const worthThread = 1024
