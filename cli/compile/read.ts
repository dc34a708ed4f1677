import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { compareText, type Report, type Source, wholeFile } from "../diagnostics/diagnostic.ts"

/** The project file's name, at the top of the flags folder. */
export const projectFileName = "project.yaml"

/** The flag files' JSON Schema for editors, where the project keeps one: `flagstone schema` prints it. */
export const schemaFileName = "flag.schema.json"

/** No author writes a larger flag file; a generated one would stall every reader's editor. */
const maxFileBytes = 1_048_576

/**
 * Every flag file below a folder, sorted by path. What is there and is no flag file is reported, not skipped.
 * Reading is synchronous because that is six times faster than promises for ten thousand small files.
 * Throws where the folder itself cannot be listed.
 */
export function readSources(folder: string, report: Report): readonly Source[] {
  return listEntries(folder).flatMap(({ path, regular }) => {
    if (path === join(folder, projectFileName) || path === join(folder, schemaFileName)) return []
    const stray = whyStray(path, regular, folder)
    if (stray !== undefined) {
      report.add({ code: "stray-file", message: stray, ...nothingOf(path) })
      return []
    }
    const source = readSource(path, report)
    return source === undefined ? [] : [source]
  })
}

function whyStray(path: string, regular: boolean, folder: string): string | undefined {
  // A link's target may lie outside the repository, or be another file on another machine.
  if (!regular)
    return "Not a regular file: links and devices are not followed. Put the flag file itself here."
  if (/\.ya?ml$/i.test(path) && !/\.ya?ml$/.test(path))
    return "Write the file's ending in small letters: `.yaml`."
  if (!/\.ya?ml$/.test(path))
    return "Not a flag file: only `.yaml` and `.yml` files belong here. Move it elsewhere."
  if (path === join(folder, "project.yml")) return `Rename this file to \`${projectFileName}\`.`
  return undefined
}

/** A file's text; `undefined`, and a diagnostic, where it cannot be had. */
export function readSource(path: string, report: Report): Source | undefined {
  const refuse = (code: "unreadable-file" | "file-too-large", message: string) => {
    report.add({ code, message, ...nothingOf(path) })
    return undefined
  }
  let bytes: Buffer
  try {
    const { size } = statSync(path)
    if (size > maxFileBytes) {
      const message = `The file has ${size} bytes; a flag file has at most ${maxFileBytes}. Keep large values elsewhere, and their names here.`
      return refuse("file-too-large", message)
    }
    bytes = readFileSync(path)
  } catch (cause) {
    return refuse(
      "unreadable-file",
      `The file cannot be read (${(cause as NodeJS.ErrnoException).code}). Mend its permissions.`,
    )
  }
  try {
    return { path, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) }
  } catch {
    return refuse("unreadable-file", "The file is not UTF-8 text. Save it as UTF-8.")
  }
}

/** All that is no folder, in code-unit order of the paths. */
function listEntries(folder: string): readonly { readonly path: string; readonly regular: boolean }[] {
  const entries: { path: string; regular: boolean }[] = []
  const visit = (directory: string) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name)
      if (entry.isDirectory()) visit(path)
      else entries.push({ path, regular: entry.isFile() })
    }
  }
  visit(folder)
  return entries.sort((a, b) => compareText(a.path, b.path))
}

function nothingOf(path: string) {
  return { source: { path, text: "" }, span: wholeFile }
}
