import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { basename, dirname, relative } from "node:path"
import type { Project } from "../compile/definition/project.ts"
import { readSources } from "../compile/read/read.ts"
import { createReport, type SourceFile } from "../diagnostics/diagnostic.ts"
import { Failure } from "../failure.ts"

/** Throws `Failure` if a file exists, or if another file of the project already defines one of the flags. */
export function refuseOverwriting(
  sources: readonly SourceFile[],
  keys: readonly string[],
  existing: Project | undefined,
  cwd: string,
): void {
  const there = sources.filter(({ path }) => existsSync(path)).map(({ path }) => relative(cwd, path))
  if (there.length > 0)
    throw new Failure(
      `${there.join("\n")}\nalready ${there.length === 1 ? "exists" : "exist"}, so nothing was written`,
    )
  if (existing === undefined) return
  const own = new Map(
    readSources(existing.folder, createReport(), existing.ignores).map(({ path, text }) => [
      /^key: *(\S+)/m.exec(text)?.[1] ?? basename(path).replace(/\.ya?ml$/, ""),
      relative(cwd, path),
    ]),
  )
  const both = keys.flatMap((key) => (own.has(key) ? `${key} (${own.get(key)})` : []))
  if (both.length > 0)
    throw new Failure(
      `${both.join("\n")}\nalready ${both.length === 1 ? "exists as a flag" : "exist as flags"}, so nothing was written`,
    )
}

/** Flag "wx": a file that another process has written in the meantime is not overwritten. */
export function writeNew(sources: readonly SourceFile[]): void {
  for (const folder of new Set(sources.map(({ path }) => dirname(path))))
    mkdirSync(folder, { recursive: true })
  for (const { path, text } of sources) writeFileSync(path, text, { flag: "wx" })
}
