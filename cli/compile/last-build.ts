import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Build } from "./assemble.ts"
import type { Repository } from "./history/repository.ts"
import type { MemoryOptions } from "./memory.ts"
import { shapeOf, writeInto } from "./memory-folder.ts"
import type { Project } from "./project.ts"

/**
 * The documents of the last build that said nothing, beside the memory of its flags: the same commit and the same
 * files give them again. As that memory, it is never wrong, only absent.
 */
export interface LastBuild {
  readonly recall: () => Build | undefined
  readonly keep: (build: Build) => void
}

/** `blobs` are those of all flag files, in the order of their paths, each with its path. */
export function openLastBuild(
  repository: Repository,
  project: Project,
  blobs: readonly string[],
  options: MemoryOptions,
): LastBuild {
  if (repository.kind === "outside" || !options.cache) return { recall: () => undefined, keep: () => {} }
  const shape = shapeOf(project, options)
  const file = join(repository.memoryFolder, `${shape}.build`)
  const state = hash("sha256", [shape, repository.revision, repository.prefix, ...blobs].join("\0"))
  return {
    recall: () => readBuild(file, state),
    keep: ({ manifest, snapshots }) => {
      const outlines = snapshots.map(({ environment, file, configured }) => ({
        environment,
        file,
        configured,
      }))
      const index = JSON.stringify({ manifest, outlines })
      const header = `${state} ${hash("sha256", index)} ${Buffer.byteLength(index)}\n`
      writeInto(repository.memoryFolder, file, [
        Buffer.from(header),
        Buffer.from(index),
        ...snapshots.map(({ bytes }) => bytes),
      ])
    },
  }
}

function readBuild(file: string, state: string): Build | undefined {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch {
    return undefined
  }
  const end = bytes.indexOf("\n")
  const [written, digest, size] = bytes.toString("latin1", 0, Math.max(0, end)).split(" ")
  if (written !== state) return undefined
  let at = end + 1 + Number(size)
  const index = bytes.subarray(end + 1, at)
  if (hash("sha256", index) !== digest) return undefined
  const { manifest, outlines }: { manifest: Build["manifest"]; outlines: readonly Outline[] } = JSON.parse(
    index.toString("utf8"),
  )
  const snapshots = outlines.map((outline) => {
    const document = bytes.subarray(at, at + (manifest.environments[outline.environment]?.size ?? 0))
    at += document.length
    return { ...outline, bytes: document }
  })
  const whole = snapshots.every(({ environment, bytes }) => {
    return hash("sha256", bytes) === manifest.environments[environment]?.sha256
  })
  return whole && at === bytes.length ? { manifest, snapshots } : undefined
}

type Outline = Omit<Build["snapshots"][number], "bytes">
