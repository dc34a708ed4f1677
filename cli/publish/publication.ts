import { hash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import {
  type Manifest,
  type ManifestEnvironment,
  maxDocumentLength,
  parseManifest,
} from "../../proxy/contract/manifest.ts"
import { Failure } from "../failure.ts"
import { documentPath, pointerPath, revisionName } from "./layout.ts"

/** One revision, ready to be sent or found at a target. */
export interface Publication {
  /** Its name at the target, usually the commit. */
  readonly revision: string
  /** The manifest that is stored under the revision: without what a publication adds, with files named by digest. */
  readonly manifest: Manifest
  /** By environment name, verified against the manifest. */
  readonly documents: ReadonlyMap<string, Buffer>
}

/** Reads what `build` wrote. Throws `Failure` if something is missing or damaged. */
export async function readBuild(folder: string): Promise<Publication> {
  const manifest = parseManifest((await readBuilt(folder, pointerPath)).toString("utf8"))
  if (manifest.kind === "invalid")
    throw new Failure(
      `${join(folder, pointerPath)} is not valid: ${manifest.reason}; run \`flagstone build\``,
    )
  const documents = new Map<string, Buffer>()
  for (const [name, environment] of Object.entries(manifest.value.environments)) {
    const bytes = await readBuilt(folder, environment.file)
    if (!isDocument(bytes, environment))
      throw new Failure(
        `${join(folder, environment.file)} does not match its manifest; run \`flagstone build\` again`,
      )
    if (bytes.length > maxDocumentLength)
      throw new Failure(
        `${join(folder, environment.file)} has ${bytes.length} bytes, and proxies read at most ${maxDocumentLength} from a URL`,
      )
    documents.set(name, bytes)
  }
  const published = asPublished(manifest.value)
  return { revision: revisionName(published, formatManifest(published)), manifest: published, documents }
}

/** Whether these are the bytes that a manifest names. */
export function isDocument(bytes: Buffer, { size, sha256 }: ManifestEnvironment): boolean {
  return bytes.length === size && hash("sha256", bytes) === sha256
}

/** A manifest's bytes at a target. */
export function formatManifest(manifest: Manifest): Buffer {
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
}

/** A manifest's bytes as a target's pointer. `address` is where readers find the target; `undefined`: unknown. */
export function formatPointer(
  { environments, ...rest }: Manifest,
  publishedAt: string,
  address: string | undefined,
  isRollback: boolean,
): Buffer {
  return formatManifest({
    ...rest,
    publishedAt,
    ...(address !== undefined && { target: address }),
    ...(isRollback && { rollback: true }),
    environments,
  })
}

/** A manifest as it is stored under its revision: without what a publication adds, with files named by digest. */
export function asPublished({ publishedAt: _, target: __, rollback: ___, ...manifest }: Manifest): Manifest {
  const environments = Object.entries(manifest.environments).map(([name, environment]) => [
    name,
    { ...environment, file: documentPath(environment.sha256) },
  ])
  return { ...manifest, environments: Object.fromEntries(environments) }
}

async function readBuilt(folder: string, file: string): Promise<Buffer> {
  try {
    return await readFile(join(folder, file))
  } catch (cause) {
    const isInFile = (cause as NodeJS.ErrnoException).code === "ENOTDIR"
    const fix = isInFile ? "give --snapshots the folder, not a file in it" : "run `flagstone build` first"
    throw new Failure(`${join(folder, file)} cannot be read; ${fix}`, { cause })
  }
}
