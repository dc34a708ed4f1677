import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { type Manifest, manifestFile, parseManifest, signatureFile } from "../contract/manifest.ts"
import { fileVersion } from "../file-version.ts"
import { readSnapshotSet } from "./snapshot-set.ts"
import type { SnapshotSource } from "./snapshot-source.ts"
import type { Trust } from "./trust.ts"

/** The snapshots in a folder, as `flagstone build` leaves them, or, with `trust`, as `flagstone publish` signs them. */
export function createDirectorySource(directory: string, trust?: Trust): SnapshotSource {
  const readSignatures = () => readFileOf(directory, signatureFile)
  let served: Manifest | undefined
  let tried: string | undefined
  let wasGood = false
  return {
    location: directory,
    async look(force) {
      // The version comes first: what changes while it is read is looked at once more, never missed.
      const version = await directoryVersion(directory)
      if (version === tried && !force) return { kind: wasGood ? "same" : "waiting" }
      tried = version
      wasGood = false
      const manifest = await readFileOf(directory, manifestFile)
      const proof = trust && { trust, readSignatures, served }
      const set = await readSnapshotSet(manifest, ({ file }) => readFileOf(directory, file), proof)
      wasGood = set.faults.size === 0
      return { kind: "found", value: set }
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

async function readFileOf(directory: string, file: string): Promise<Buffer> {
  try {
    return await readFile(join(directory, file))
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    const mend = mends.get(file) ?? "run `flagstone build` again"
    const what =
      code === "ENOENT" ? `no ${file} in ${directory}` : `cannot read ${join(directory, file)} (${code})`
    throw new Error(`${what}: ${mend}`, { cause })
  }
}
