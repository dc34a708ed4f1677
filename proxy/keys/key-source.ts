import { basename, dirname } from "node:path"
import { maxKeyFileLength } from "../contract/key-file.ts"
import { maxSignatureLength, signatureSuffix } from "../contract/signature.ts"
import { type Result, unavailable } from "../reload/fault.ts"
import { createFolder } from "../reload/folder.ts"
import type { Source, SourceCache, SourceFolder } from "../reload/source.ts"
import { anyone, type Trust } from "../reload/trust.ts"
import { type KeySet, readKeySet } from "./key-set.ts"

/** The source of the proxy's keys, which may be none. No message repeats a secret. */
export type KeySource = Source<KeySet>

export interface KeySourceParts {
  readonly folder: SourceFolder
  /** The file's name in the folder. Its signature has the same name plus `.sig`. */
  readonly file: string
  /** Names the file in log lines and messages: a path or an address. */
  readonly location: string
  /** By default anyone may have published the file. */
  readonly trust?: Trust | undefined
  /** Keeps the last good file; `undefined`: nothing is kept. */
  readonly cache?: SourceCache<KeySet> | undefined
}

/**
 * The keys of a key file. Its version is its content, because a file that is constantly rewritten has
 * meaningless times.
 */
export function createKeySource({
  folder,
  file,
  location,
  trust = anyone,
  cache,
}: KeySourceParts): KeySource {
  let found: Result<Buffer> = unavailable(`the key file ${location} was not read yet`)
  return {
    location,
    cache,
    async version(ask) {
      found = await folder.read(file, maxKeyFileLength, ask)
      return folder.version(found, [])
    },
    async read(known, ask) {
      if (found.kind !== "good") return found
      const readSignatures = () => folder.read(file + signatureSuffix, maxSignatureLength, ask)
      return readKeySet({ location, bytes: found.value, readSignatures, trust }, known, ask.signal)
    },
  }
}

/** The keys of a local file, which needs no signature: whoever can write it already decides who may read flags. */
export function createKeyFileSource(path: string): KeySource {
  const fixOf = (_: string, code?: string) =>
    code === "ENOENT"
      ? "create it with `flagstone keys create <environment>`"
      : "give --keys a key file, with at most about 4,000 keys"
  const folder = createFolder(dirname(path), fixOf)
  return createKeySource({ folder, file: basename(path), location: path })
}
