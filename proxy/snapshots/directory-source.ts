import { join } from "node:path"
import {
  type Manifest,
  type ManifestEnvironment,
  manifestFile,
  maxManifestLength,
  parseManifest,
  signatureFile,
} from "../contract/manifest.ts"
import { readDocumentFile } from "../prepare/document-memory.ts"
import { createBackoff } from "../reload/backoff.ts"
import { fileVersion } from "../reload/file-version.ts"
import { readSnapshotSet } from "./snapshot-set.ts"
import { mayPass, type SnapshotSet, type SnapshotSource } from "./snapshot-source.ts"
import type { Trust } from "./trust.ts"

export interface DirectorySourceConfig {
  readonly directory: string
  /** `undefined`: manifests need no signature. */
  readonly trust?: Trust | undefined
  /** Milliseconds that never go back. */
  readonly monotonicNow: () => number
  /** A number from 0 up to, not including, 1. */
  readonly random: () => number
  readonly readWhole?: typeof readDocumentFile
}

/**
 * The snapshots in a folder, as `flagstone build` leaves them, or, with `trust`, as `flagstone publish` signs them. What
 * could not be read is read again when it changes and, ever more seldom, when it does not: want of file descriptors, a
 * mount that comes back, may pass and leave no trace. What was read and is no snapshot waits for another.
 */
export function createDirectorySource(config: DirectorySourceConfig): SnapshotSource {
  const { directory, trust, readWhole = readDocumentFile } = config
  const backoff = createBackoff(config.monotonicNow, config.random)
  let named: readonly string[] = []
  let served: Manifest | undefined
  let tried: string | undefined
  let isGood = false
  let isHopeful = true
  /** What was wrong when the version was last read, and will not be told again. */
  let trouble: string | undefined

  const read = (file: string, limit: number) => readFileOf(directory, file, limit, readWhole)

  /** Of the manifest and of all that it names: documents may arrive late, or be fixed without it. */
  async function readVersion(): Promise<string> {
    named = await readNames().catch((error: Error) => (error.cause === undefined ? [] : named))
    const files = [manifestFile, signatureFile, ...named]
    return (await Promise.all(files.map((file) => fileVersion(join(directory, file))))).join(" ")
  }

  async function readNames(): Promise<readonly string[]> {
    const manifest = parseManifest((await read(manifestFile, maxManifestLength)).toString())
    return manifest.kind === "valid" ? Object.values(manifest.value.environments).map(({ file }) => file) : []
  }

  async function readSet(): Promise<SnapshotSet> {
    const readDocument = ({ file, size }: ManifestEnvironment) => read(file, size)
    const readSignatures = () => read(signatureFile, maxManifestLength)
    const manifest = await read(manifestFile, maxManifestLength)
    return readSnapshotSet(manifest, readDocument, trust && { trust, readSignatures, served })
  }

  return {
    location: directory,
    async look(force) {
      // The version comes first: what changes while it is read is looked at once more, never missed.
      const version = await readVersion()
      const before = version === tried && !force ? trouble : undefined
      if (version !== tried) backoff.reset()
      else if (!force) {
        if (isGood) return { kind: "same" }
        if (!isHopeful || backoff.isWaiting()) return { kind: "waiting" }
      }
      tried = version
      isGood = false
      isHopeful = true
      trouble = undefined
      backoff.failed() // until it is served whole
      try {
        const set = await readSet()
        trouble = troubleOf(set.faults)
        return trouble !== undefined && trouble === before
          ? { kind: "waiting" }
          : { kind: "found", value: set }
      } catch (error) {
        trouble = (error as Error).message
        if (trouble === before) return { kind: "waiting" }
        throw error
      }
    },
    async applied(set, faults) {
      served = set.manifest
      isGood = faults.size === 0
      isHopeful = set.faults.size > 0 || mayPass(faults)
      if (mayPass(faults)) trouble = undefined
      if (isGood) backoff.reset()
    },
    refused({ cause }) {
      isHopeful = cause !== undefined
      if (isHopeful) trouble = undefined
    },
  }
}

/** `undefined`: nothing is wrong. */
function troubleOf(faults: ReadonlyMap<string, Error>): string | undefined {
  return faults.size === 0 ? undefined : [...faults.values()].map(({ message }) => message).join("\n")
}

/** Throws an error that says what to fix; with a cause where that is the machine's. */
async function readFileOf(
  directory: string,
  file: string,
  limit: number,
  readWhole: typeof readDocumentFile,
): Promise<Buffer> {
  try {
    return await readWhole(join(directory, file), limit)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (cause instanceof RangeError) throw new Error(`no memory for ${join(directory, file)}`, { cause })
    if (code === undefined) throw new Error(`${file} ${message}: ${fixOf(file)}`)
    if (code === "ENOENT") throw new Error(`no ${file} in ${directory}: ${fixOf(file)}`)
    const fix = fixes.get(code) ?? fixOf(file)
    throw new Error(`cannot read ${join(directory, file)} (${code}): ${fix}`, { cause })
  }
}

function fixOf(file: string): string {
  if (file === manifestFile) return "run `flagstone build`"
  return file === signatureFile ? "publish it with FLAGSTONE_SIGNING_KEY" : "run `flagstone build` again"
}

const tooManyFiles = "allow the proxy more open files (`ulimit -n`, `LimitNOFILE`)"

const fixes: ReadonlyMap<string, string> = new Map([
  ["EACCES", "let the proxy's user read it"],
  ["EMFILE", tooManyFiles],
  ["ENFILE", tooManyFiles],
])
