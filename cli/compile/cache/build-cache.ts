import { hash } from "node:crypto"
import type { Project } from "../definition/project.ts"
import type { Inside } from "../history/repository.ts"
import type { Build } from "../meaning/build.ts"
import type { FlagFile } from "../read/flag-file.ts"
import { pathFrom } from "../read/read.ts"
import type { CacheFolder } from "./cache-folder.ts"

/** The documents of the last build: the same commit and the same files give them again. */
export interface BuildCache {
  readonly get: (files: readonly FlagFile[]) => Build | undefined
  readonly put: (files: readonly FlagFile[], build: Build) => void
}

export function openBuildCache(
  folder: CacheFolder,
  { revision, prefix }: Inside,
  project: Project,
): BuildCache {
  /** A digest of everything that is compiled. */
  const keyOf = (files: readonly FlagFile[]) => {
    const compiled = files.map(({ source, blob }) => `${blob} ${pathFrom(project.folder, source.path)}`)
    return hash("sha256", [revision, prefix, ...compiled].join("\0"))
  }
  return {
    get: (files) => parseBuild(folder.get("build", keyOf(files))),
    put: (files, { manifest, snapshots }) => {
      const outlines = snapshots.map(({ bytes, ...outline }) => ({ ...outline, size: bytes.length }))
      const index: Index = { manifest, outlines }
      const write = () => [Buffer.from(`${JSON.stringify(index)}\n`), ...snapshots.map(({ bytes }) => bytes)]
      folder.put("build", write, keyOf(files))
    },
  }
}

/** A line of JSON before the documents. */
interface Index {
  readonly manifest: Build["manifest"]
  readonly outlines: readonly (Omit<Build["snapshots"][number], "bytes"> & { readonly size: number })[]
}

function parseBuild(bytes: Buffer | undefined): Build | undefined {
  if (bytes === undefined) return undefined
  let at = bytes.indexOf("\n") + 1
  const { manifest, outlines }: Index = JSON.parse(bytes.toString("utf8", 0, at))
  const snapshots = outlines.map(({ size, ...outline }) => {
    const document = bytes.subarray(at, at + size)
    at += size
    return { ...outline, bytes: document }
  })
  return { manifest, snapshots }
}
