import { type Checkpoint, noCheckpoint } from "../history/checkpoint.ts"
import type { Inside } from "../history/repository.ts"
import { toDigest } from "../meaning/compiled-flag.ts"
import type { CacheFolder } from "./cache-folder.ts"

/** The history of the flags folder, replayed up to a commit. */
export interface HistoryCache {
  readonly get: () => Checkpoint
  readonly put: (checkpoint: Checkpoint) => void
}

/** The history of a shallow clone begins at an arbitrary commit, so it is not cached. */
export function openHistoryCache(folder: CacheFolder, { prefix, shallow }: Inside): HistoryCache {
  return {
    get() {
      const text = shallow ? undefined : folder.get("history")?.toString("utf8")
      const written: Written | undefined = text && JSON.parse(text)
      return written?.prefix === prefix ? parseCheckpoint(written) : noCheckpoint
    },
    put(checkpoint) {
      if (!shallow) folder.put("history", () => [Buffer.from(writeCheckpoint(checkpoint, prefix))])
    },
  }
}

function parseCheckpoint({ revision, files, versions, times }: Written): Checkpoint {
  return {
    revision,
    files: new Map(files),
    state: {
      files: new Map(
        versions.map(([path, key, definition, configurations]) => {
          return [path, { key, definition, configurations: new Map(configurations) }]
        }),
      ),
      times: new Map(
        times.map(([key, createdAt, updatedAt, configurations]) => {
          return [key, { createdAt, updatedAt, configurations: new Map(configurations) }]
        }),
      ),
    },
  }
}

function writeCheckpoint({ revision, files, state }: Checkpoint, prefix: string): string {
  const written: Written = {
    prefix,
    revision,
    files: [...files],
    versions: [...state.files].map(([path, { key, definition, configurations }]) => {
      const meanings = [...configurations].map(([name, meaning]) => [name, toDigest(meaning)] as const)
      return [path, key, toDigest(definition), meanings]
    }),
    times: [...state.times].map(([key, { createdAt, updatedAt, configurations }]) => {
      return [key, createdAt, updatedAt, [...configurations]]
    }),
  }
  return JSON.stringify(written)
}

/** A checkpoint as JSON. */
interface Written {
  readonly prefix: string
  readonly revision: string | undefined
  readonly files: readonly (readonly [path: string, blob: string])[]
  readonly versions: readonly (readonly [
    path: string,
    key: string,
    definition: string,
    configurations: readonly (readonly [environment: string, meaning: string])[],
  ])[]
  readonly times: readonly (readonly [
    key: string,
    createdAt: number,
    updatedAt: number,
    configurations: readonly (readonly [environment: string, at: number])[],
  ])[]
}
