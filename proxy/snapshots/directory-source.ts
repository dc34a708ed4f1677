import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { type Manifest, manifestFile, parseManifest, signatureFile } from "../contract/manifest.ts"
import { fileVersion } from "../file-version.ts"
import { readDocumentFile } from "./document-memory.ts"
import { readSnapshotSet } from "./snapshot-set.ts"
import type { SnapshotSet, SnapshotSource } from "./snapshot-source.ts"
import type { Trust } from "./trust.ts"

/** The snapshots in a folder, as `flagstone build` leaves them, or, with `trust`, as `flagstone publish` signs them. */
export function createDirectorySource(
  directory: string,
  trust?: Trust,
  readWhole: (path: string) => Promise<Buffer> = readDocumentFile,
): SnapshotSource {
  let served: Manifest | undefined
  let looked: string | undefined
  let tried: string | undefined
  let faultsBefore = ""
  let wasGood = false

  async function readSet(version: string): Promise<SnapshotSet> {
    const read = async (file: string): Promise<Buffer> => {
      try {
        return await readFileOf(directory, file, readWhole)
      } catch (error) {
        if (!isMissing(error)) tried = undefined // what forbids it may pass and leave no trace
        throw error
      }
    }
    tried = version
    const proof = trust && { trust, readSignatures: () => read(signatureFile), served }
    return readSnapshotSet(await read(manifestFile), ({ file }) => read(file), proof)
  }

  return {
    location: directory,
    async look(force) {
      // The version comes first: what changes while it is read is looked at once more, never missed.
      const version = await directoryVersion(directory)
      if (version === tried && !force) return { kind: wasGood ? "same" : "waiting" }
      wasGood = false
      const set = await readSet(version)
      wasGood = set.faults.size === 0
      const faults = [...set.faults].map(([name, { message }]) => `${name}: ${message}`).join("\n")
      const isNoBetter = version === looked && faults !== "" && faults === faultsBefore
      looked = version
      faultsBefore = faults
      return isNoBetter && !force ? { kind: "waiting" } : { kind: "found", value: set }
    },
    async applied({ manifest }) {
      served = manifest
    },
  }
}

const mends: ReadonlyMap<string, string> = new Map([
  [manifestFile, "run `flagstone build`"],
  [signatureFile, "publish it with FLAGSTONE_SIGNING_KEY"],
])

/** Of the manifest and of all that it names: documents may arrive late, or be mended without it. */
async function directoryVersion(directory: string): Promise<string> {
  const manifest = join(directory, manifestFile)
  const versions = [await fileVersion(manifest), await fileVersion(join(directory, signatureFile))]
  const parsed = parseManifest(await readFile(manifest, "utf8").catch(() => ""))
  if (parsed.kind === "valid")
    for (const { file } of Object.values(parsed.value.environments))
      versions.push(await fileVersion(join(directory, file)))
  return versions.join(" ")
}

function isMissing(error: unknown): boolean {
  return ((error as Error).cause as NodeJS.ErrnoException).code === "ENOENT"
}

/** Throws an error whose cause is the system's. */
async function readFileOf(
  directory: string,
  file: string,
  readWhole: (path: string) => Promise<Buffer>,
): Promise<Buffer> {
  try {
    return await readWhole(join(directory, file))
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    const mend = mends.get(file) ?? "run `flagstone build` again"
    const what =
      code === "ENOENT" ? `no ${file} in ${directory}` : `cannot read ${join(directory, file)} (${code})`
    throw new Error(`${what}: ${mend}`, { cause })
  }
}
