import { lstatSync, mkdirSync, readFileSync, rmSync, type Stats, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { SourceFile } from "../diagnostics/diagnostic.ts"
import { relativePath } from "../diagnostics/relative-path.ts"
import { Failure } from "../failure.ts"

/** Whether the file still has to be written. A killed import has written some. */
export function isUnwritten({ path, text }: SourceFile): boolean {
  return entryAt(path)?.isFile() !== true || readFileSync(path, "utf8") !== text
}

/**
 * Throws `Failure` if a file exists with a different text, or if another file of the project already defines one of the flags.
 * `taken`: the project's flags by key, with their paths.
 */
export function refuseOverwriting(
  sources: readonly SourceFile[],
  keys: readonly string[],
  taken: ReadonlyMap<string, string>,
  cwd: string,
): void {
  const different = sources.filter((one) => isThere(one.path) && isUnwritten(one))
  const there = different.map(({ path }) => relativePath(cwd, path))
  if (there.length > 0)
    throw new Failure(
      `${there.join("\n")}\nalready ${there.length === 1 ? "exists" : "exist"}, so nothing was written`,
    )
  const ours = new Set(sources.map(({ path }) => path)) // if one of them is there, it is the same
  const both = keys.flatMap((key) => {
    const path = taken.get(key)
    return path === undefined || ours.has(path) ? [] : `${key} (${relativePath(cwd, path)})`
  })
  if (both.length > 0)
    throw new Failure(
      `${both.join("\n")}\nalready ${both.length === 1 ? "exists as a flag" : "exist as flags"}, so nothing was written`,
    )
}

/**
 * Writes each file that is not there. One that cannot be written as a whole is removed, and one that another process has written
 * in the meantime is not overwritten: the error is thrown.
 */
export function writeNew(sources: readonly SourceFile[]): void {
  for (const folder of new Set(sources.map(({ path }) => dirname(path))))
    mkdirSync(folder, { recursive: true })
  for (const { path, text } of sources.filter(isUnwritten))
    try {
      writeFileSync(path, text, { flag: "wx" })
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") rmSync(path, { force: true })
      throw cause
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
