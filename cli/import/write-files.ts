import {
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import type { SourceFile } from "../diagnostics/diagnostic.ts"
import { relativePath } from "../diagnostics/relative-path.ts"
import { Failure } from "../failure.ts"

/** Whether the file still has to be written. A killed import has written some. */
export function isUnwritten({ path, text }: SourceFile): boolean {
  return entryAt(path)?.isFile() !== true || readFileSync(path, "utf8") !== text
}

/** Names of one kind, which no two files of a project may share. */
export interface Names {
  readonly kind: "flag" | "segment"
  /** Those that are imported. */
  readonly imported: readonly string[]
  /** Those of the project's files, with their paths. */
  readonly taken: ReadonlyMap<string, string>
}

/** Throws `Failure` if a file exists with a different text, or if another file of the project already has one of the names. */
export function refuseOverwriting(
  sources: readonly SourceFile[],
  names: readonly Names[],
  cwd: string,
): void {
  const different = sources.filter((one) => isThere(one.path) && isUnwritten(one))
  const there = different.map(({ path }) => relativePath(cwd, path))
  if (there.length > 0)
    throw new Failure(
      `${there.join("\n")}\nalready ${there.length === 1 ? "exists" : "exist"}, so nothing was written`,
    )
  const ours = new Set(sources.map(({ path }) => path)) // if one of them is there, it is the same
  for (const { kind, imported, taken } of names) {
    const both = imported.flatMap((name) => {
      const path = taken.get(name)
      return path === undefined || ours.has(path) ? [] : `${name} (${relativePath(cwd, path)})`
    })
    const exist = both.length === 1 ? `exists as a ${kind}` : `exist as ${kind}s`
    if (both.length > 0) throw new Failure(`${both.join("\n")}\nalready ${exist}, so nothing was written`)
  }
}

/**
 * Writes each file that is not there: where the file system has links, as a whole or not at all, even if it is killed. Throws
 * `Failure` if one cannot be written, or if another process has written it in the meantime.
 */
export function writeNew(sources: readonly SourceFile[], cwd: string): void {
  for (const folder of new Set(sources.map(({ path }) => dirname(path))))
    mkdirSync(folder, { recursive: true })
  for (const source of sources) {
    const { path, text } = source
    const temporary = join(dirname(path), `.${basename(path)}.new`) // a name that readers of the flags folder ignore
    if (entryAt(temporary)?.isDirectory())
      throw new Failure(`${relativePath(cwd, temporary)} is in the way: remove that folder and import again`)
    try {
      rmSync(temporary, { force: true }) // of an import that was killed
      if (!isUnwritten(source)) continue
      writeFileSync(temporary, text, { flag: "wx" })
      addName(path, temporary)
    } catch (cause) {
      throw new Failure(
        `${relativePath(cwd, path)} cannot be written (${(cause as NodeJS.ErrnoException).code}): the files before it are written`,
        { cause },
      )
    } finally {
      rmSync(temporary, { force: true })
    }
  }
}

/** Gives a file a second name, which must be free. */
function addName(path: string, temporary: string): void {
  try {
    linkSync(temporary, path)
  } catch {
    copyFileSync(temporary, path, constants.COPYFILE_EXCL) // not every file system has links
  }
}

/** Whether there is a file, or a link, even one that leads nowhere. */
function isThere(path: string): boolean {
  return entryAt(path) !== undefined
}

function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined // writing fails if it is there and cannot be seen
  }
}
