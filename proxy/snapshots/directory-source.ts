import { stat } from "node:fs/promises"
import { join } from "node:path"
import { manifestFile, maxManifestLength, parseManifest, signatureFile } from "../contract/manifest.ts"
import { broken, good, type Result, unavailable } from "../reload/fault.ts"
import { readFile } from "../reload/read-file.ts"
import { readSnapshotSet, type SetParts } from "./snapshot-set.ts"
import { findDocument, type SnapshotSource } from "./snapshot-source.ts"
import type { Trust } from "./trust.ts"

export interface DirectorySourceConfig {
  readonly directory: string
  /** `undefined`: manifests need no signature. */
  readonly trust?: Trust | undefined
  readonly readFile?: typeof readFile
}

/** The snapshots in a folder, as `flagstone build` leaves them, or, with `trust`, as `flagstone publish` signs them. */
export function createDirectorySource(config: DirectorySourceConfig): SnapshotSource {
  const { directory, trust } = config
  const read = (file: string, limit: number) => readPart(config, file, limit)
  return {
    location: directory,
    /** That of the manifest and of all files that it names: documents may arrive late, or be fixed without it. */
    async version() {
      const bytes = await read(manifestFile, maxManifestLength)
      const manifest = bytes.kind === "good" ? parseManifest(bytes.value.toString()) : undefined
      const named = manifest?.kind === "valid" ? Object.values(manifest.value.environments) : []
      const files = [manifestFile, signatureFile, ...named.map(({ file }) => file)]
      return good((await Promise.all(files.map((file) => fileVersion(join(directory, file))))).join(" "))
    },
    async read(known) {
      const manifest = await read(manifestFile, maxManifestLength)
      if (manifest.kind !== "good") return manifest
      const parts: SetParts = {
        manifestBytes: manifest.value,
        readSignatures: () => read(signatureFile, maxManifestLength),
        trust,
        async readDocument({ file, size, sha256 }) {
          const document = await read(file, size)
          const held = findDocument(sha256, [known])
          // The same bytes are held once.
          return document.kind === "good" && held?.equals(document.value) ? good(held) : document
        },
      }
      return readSnapshotSet(parts, known)
    },
  }
}

/**
 * Mtime, ctime, size and inode, because a rename within the clock's resolution keeps the times, and `chmod` moves ctime
 * alone; the error's code where the file is not there, or not ours to see.
 */
async function fileVersion(path: string): Promise<string> {
  return stat(path, { bigint: true }).then(
    ({ mtimeNs, ctimeNs, size, ino }) => `${mtimeNs}-${ctimeNs}-${size}-${ino}`,
    ({ code }: NodeJS.ErrnoException) => code ?? "unreadable",
  )
}

async function readPart(config: DirectorySourceConfig, file: string, limit: number): Promise<Result<Buffer>> {
  const path = join(config.directory, file)
  try {
    return good(await (config.readFile ?? readFile)(path, limit))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (error instanceof RangeError) return unavailable(`no memory for ${path}`)
    if (code === undefined) return broken(`${file} ${message}: ${fixOf(file)}`)
    if (code === "ENOENT") return unavailable(`no ${file} in ${config.directory}: ${fixOf(file)}`)
    return unavailable(`cannot read ${path} (${code}): ${fixes.get(code) ?? fixOf(file)}`)
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
