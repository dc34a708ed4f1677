import { join } from "node:path"
import {
  type Manifest,
  type ManifestEnvironment,
  manifestFile,
  maxManifestLength,
  parseManifest,
  signatureFile,
} from "../contract/manifest.ts"
import { fileVersion } from "../file-version.ts"
import { createBackoff } from "./backoff.ts"
import { readDocumentFile } from "./document-memory.ts"
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
 * could not be served whole is read again when it changes, and ever more seldom when it does not: what forbade it, a
 * limit of open files or a disk, may pass and leave no trace.
 */
export function createDirectorySource(config: DirectorySourceConfig): SnapshotSource {
  const { directory, trust, readWhole = readDocumentFile } = config
  const backoff = createBackoff(config.monotonicNow, config.random)
  let served: Manifest | undefined
  let tried: string | undefined
  let isGood = false
  /** What was wrong with the set of that version when it was last served; `undefined`: it was not, or that may pass. */
  let faultsServed: string | undefined

  async function readSet(): Promise<SnapshotSet> {
    const read = (file: string, limit: number) => readFileOf(directory, file, limit, readWhole)
    const readDocument = ({ file, size }: ManifestEnvironment) => read(file, size)
    const readSignatures = () => read(signatureFile, maxManifestLength)
    const manifest = await read(manifestFile, maxManifestLength)
    return readSnapshotSet(manifest, readDocument, trust && { trust, readSignatures, served })
  }

  return {
    location: directory,
    async look(force) {
      // The version comes first: what changes while it is read is looked at once more, never missed.
      const version = await directoryVersion(directory)
      if (version !== tried) {
        backoff.reset()
        faultsServed = undefined
      } else if (!force) {
        if (isGood) return { kind: "same" }
        if (backoff.isWaiting()) return { kind: "waiting" }
      }
      const before = faultsServed
      tried = version
      isGood = false
      faultsServed = undefined
      backoff.failed() // until it is served whole
      const set = await readSet()
      if (force || before === undefined || before !== describe(set.faults))
        return { kind: "found", value: set }
      faultsServed = before
      return { kind: "waiting" }
    },
    async applied(set, faults) {
      served = set.manifest
      isGood = faults.size === 0
      if (isGood) backoff.reset()
      faultsServed = mayPass(set, faults) ? undefined : describe(set.faults)
    },
  }
}

function describe(faults: ReadonlyMap<string, Error>): string {
  return [...faults].map(([name, { message }]) => `${name}: ${message}`).join("\n")
}

/** Of the manifest and of all that it names: documents may arrive late, or be mended without it. */
async function directoryVersion(directory: string): Promise<string> {
  const manifest = join(directory, manifestFile)
  const versions = [await fileVersion(manifest), await fileVersion(join(directory, signatureFile))]
  const bytes = await readDocumentFile(manifest, maxManifestLength).catch(() => "")
  const parsed = parseManifest(bytes.toString())
  if (parsed.kind === "valid")
    for (const { file } of Object.values(parsed.value.environments))
      versions.push(await fileVersion(join(directory, file)))
  return versions.join(" ")
}

/** Throws an error whose cause is the system's. */
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
    if (code === undefined) throw new Error(`${file} ${message}: ${mendOf(file)}`)
    const what =
      code === "ENOENT" ? `no ${file} in ${directory}` : `cannot read ${join(directory, file)} (${code})`
    throw new Error(`${what}: ${mends.get(code) ?? mendOf(file)}`, { cause })
  }
}

function mendOf(file: string): string {
  if (file === manifestFile) return "run `flagstone build`"
  return file === signatureFile ? "publish it with FLAGSTONE_SIGNING_KEY" : "run `flagstone build` again"
}

const tooManyFiles = "allow the proxy more open files (`ulimit -n`, `LimitNOFILE`)"

const mends: ReadonlyMap<string, string> = new Map([
  ["EACCES", "let the proxy's user read it"],
  ["EMFILE", tooManyFiles],
  ["ENFILE", tooManyFiles],
])
