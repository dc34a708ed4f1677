import type { MemoryFolder } from "../cache/cache-folder.ts"
import { toDigest } from "../meaning/compiled-flag.ts"
import type { Inside } from "./repository.ts"
import { nothing, type Standing } from "./timeline.ts"

/**
 * The flags folder's first-parent line, replayed up to a commit. A commit's id names all that came before it, so what
 * was found there once stands; a later build replays only what came after.
 */
export interface Line {
  /** The commit; `undefined` before the first. */
  readonly revision: string | undefined
  /** All that lies below the folder there: the blob by path. */
  readonly files: ReadonlyMap<string, string>
  readonly standing: Standing
}

/** Nothing is known of any commit. */
export const noLine: Line = { revision: undefined, files: new Map(), standing: nothing }

/** The line of the last build that replayed one here. A shallow clone's begins anywhere, and is none. */
export function recallLine(memory: MemoryFolder, { prefix, shallow }: Inside): Line {
  const text = shallow ? undefined : memory.recall("line")?.toString("utf8")
  const written: Written | undefined = text && JSON.parse(text)
  if (written?.prefix !== prefix) return noLine
  const { revision, files, meanings, lives } = written
  return {
    revision,
    files: new Map(files),
    standing: {
      files: new Map(
        meanings.map(([path, key, definition, configurations]) => {
          return [path, { key, definition, configurations: new Map(configurations) }]
        }),
      ),
      lives: new Map(
        lives.map(([key, createdAt, updatedAt, configurations]) => {
          return [key, { createdAt, updatedAt, configurations: new Map(configurations) }]
        }),
      ),
    },
  }
}

/** Keeps the line up to the commit that is checked out. */
export function keepLine(
  memory: MemoryFolder,
  { prefix, shallow, revision }: Inside,
  { files, standing }: Omit<Line, "revision">,
): void {
  if (shallow) return
  memory.keep("line", () => {
    const written: Written = {
      prefix,
      revision,
      files: [...files],
      meanings: [...standing.files].map(([path, { key, definition, configurations }]) => {
        const meanings = [...configurations].map(([name, meaning]) => [name, toDigest(meaning)] as const)
        return [path, key, toDigest(definition), meanings]
      }),
      lives: [...standing.lives].map(([key, { createdAt, updatedAt, configurations }]) => {
        return [key, createdAt, updatedAt, [...configurations]]
      }),
    }
    return [Buffer.from(JSON.stringify(written))]
  })
}

/** The line as JSON. */
interface Written {
  readonly prefix: string
  readonly revision: string
  readonly files: readonly (readonly [path: string, blob: string])[]
  readonly meanings: readonly (readonly [
    path: string,
    key: string,
    definition: string,
    configurations: readonly (readonly [environment: string, meaning: string])[],
  ])[]
  readonly lives: readonly (readonly [
    key: string,
    createdAt: number,
    updatedAt: number,
    configurations: readonly (readonly [environment: string, at: number])[],
  ])[]
}
