import { readdirSync } from "node:fs"
import { join, sep } from "node:path"
import { compareText, type Report, type SourceFile } from "../../diagnostics/diagnostic.ts"
import {
  editorSchemaFileNames,
  isDataPath,
  isInvariantsPath,
  isSegmentPath,
  misnamedProjectFile,
  projectFileName,
} from "./file-names.ts"
import { type Ignores, ignoresNothing } from "./ignore-globs.ts"
import { isIgnored } from "./ignored-files.ts"
import { nothingOf, readSource } from "./read-source.ts"

const flagFilePattern = /\.ya?ml$/

/** Whether a path, relative to the flags folder, may be a flag file's. */
export function isFlagPath(path: string): boolean {
  return isSourcePath(path) && !isSegmentPath(path) && !isDataPath(path)
}

/** Whether a path, relative to the flags folder, may be that of a flag file, a segment file, or a file that these can name. */
export function isSourcePath(path: string): boolean {
  if (path === projectFileName || path === misnamedProjectFile || isInvariantsPath(path)) return false
  return (flagFilePattern.test(path) || isDataPath(path)) && !isIgnored(path)
}

/** A file's path from the flags folder, as git writes paths. */
export function pathFrom(folder: string, file: string): string {
  const path = file.slice(folder.endsWith(sep) ? folder.length : folder.length + 1)
  return sep === "/" ? path : path.replaceAll(sep, "/")
}

/**
 * Every flag file, segment file and invariants file below a folder, and every file that these can name, sorted by path. Any other
 * file there is reported, unless it is ignored. Reading is synchronous because that is six times faster than promises for ten
 * thousand small files. Throws if
 * the folder itself cannot be listed.
 */
export function readSources(
  folder: string,
  report: Report,
  ignores: Ignores = ignoresNothing,
): readonly SourceFile[] {
  const others = [projectFileName, ...editorSchemaFileNames].map((name) => join(folder, name))
  return listEntries(folder).flatMap(({ path, regular }) => {
    if (others.includes(path) || isIgnored(path) || ignores(pathFrom(folder, path))) return []
    if (harmful.test(pathFrom(folder, path))) {
      report.add({ code: "bad-name", message: isHarmful, ...nothingOf(path) })
      return []
    }
    const stray = whyStray(path, regular, folder)
    if (stray !== undefined) {
      report.add({ code: "stray-file", message: stray, ...nothingOf(path) })
      return []
    }
    const source = readSource(path, report)
    return source === undefined ? [] : [source]
  })
}

/**
 * A terminal obeys control characters, and a line end lets a name begin a line of a log, which GitHub may take for a
 * command. U+FFFD stands for bytes that are not UTF-8, with which Node does not find the file.
 */
const harmful = /[\p{Cc}\p{Zl}\p{Zp}\ufffd]/u
const isHarmful = "The path has a control character, a line end or bytes that are not UTF-8. Rename it."

/** Why a path below the flags folder is not a flag file, as a sentence; `undefined` if it is one. */
export function whyStray(path: string, regular: boolean, folder: string): string | undefined {
  // A link's target may lie outside the repository, or be another file on another machine.
  if (!regular)
    return "Not a regular file: links and devices are not followed. Put the flag file itself here."
  if (isDataPath(path)) return undefined
  if (!flagFilePattern.test(path))
    return `Not a flag file: only \`.yaml\` and \`.yml\` files belong here. Move it elsewhere, or add \`${pathFrom(folder, path)}\` to \`ignore\` in project.yaml.`
  if (pathFrom(folder, path) === misnamedProjectFile)
    return `The project file is \`${projectFileName}\`, next to this file. Remove this one.`
  return undefined
}

/** Everything except folders, in code-unit order of the paths. */
function listEntries(folder: string): readonly { readonly path: string; readonly regular: boolean }[] {
  const entries: { path: string; regular: boolean }[] = []
  const visit = (directory: string) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (entry.name === ".git") continue // a flags folder may be the top of a repository
      const path = `${directory}${directory.endsWith(sep) ? "" : sep}${entry.name}`
      if (entry.isDirectory()) visit(path)
      else entries.push({ path, regular: entry.isFile() })
    }
  }
  visit(folder)
  return entries.sort((a, b) => compareText(a.path, b.path))
}
