import { hash } from "node:crypto"
import type { Build } from "./assemble.ts"
import type { MemoryFolder } from "./cache/cache-folder.ts"
import type { Project } from "./definition/project.ts"
import { type FlagFile, pathFrom } from "./definition/read.ts"
import type { Repository } from "./history/repository.ts"

/** The documents of the last build that said nothing: the same commit and the same files give them again. */
export interface LastBuild {
  readonly recall: () => Build | undefined
  readonly keep: (build: Build) => void
}

/** `files` are all of the flags folder's, in the order of their paths. */
export function openLastBuild(
  memory: MemoryFolder,
  repository: Repository,
  project: Project,
  files: readonly FlagFile[],
): LastBuild {
  if (repository.kind === "outside") return { recall: () => undefined, keep: () => {} }
  const compiled = files.map(({ source, blob }) => `${blob} ${pathFrom(project.folder, source.path)}`)
  /** A digest of all that is compiled. */
  const state = hash("sha256", [repository.revision, repository.prefix, ...compiled].join("\0"))
  return {
    recall: () => parseBuild(memory.recall("build", state)),
    keep: ({ manifest, snapshots }) => {
      const outlines = snapshots.map(({ bytes, ...outline }) => ({ ...outline, size: bytes.length }))
      const index: Index = { manifest, outlines }
      const write = () => [Buffer.from(`${JSON.stringify(index)}\n`), ...snapshots.map(({ bytes }) => bytes)]
      memory.keep("build", write, state)
    },
  }
}

/** Stands in a line of JSON before the documents. */
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
