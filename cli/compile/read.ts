import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { compareText, type Report, type Source, wholeFile } from "../diagnostics/diagnostic.ts"

/** The project file's name, at the top of the flags folder. */
export const projectFileName = "project.yaml"

/** No author writes a larger flag file; a generated one would stall every reader's editor. */
const maxFileBytes = 1_048_576

/**
 * Every flag file below a folder, sorted by path. What is there and is no flag file is reported, not skipped.
 * Reading is synchronous because that is six times faster than promises for ten thousand small files.
 * Throws where the folder itself cannot be listed.
 */
export function readSources(folder: string, report: Report): readonly Source[] {
  return listEntries(folder).flatMap(({ path, regular }) => {
    if (path === join(folder, projectFileName)) return []
    const stray = whyStray(path, regular, folder)
    if (stray !== undefined) {
      report.add({ code: "stray-file", message: stray, ...nothingOf(path) })
      return []
    }
    const source = readSource(path, report)
    return source === undefined ? [] : [source]
  })
}

/** Why a path below the flags folder is no flag file, in a sentence; `undefined` where it is one. */
export function whyStray(path: string, regular: boolean, folder: string): string | undefined {
  // A link's target may lie outside the repository, or be another file on another machine.
  if (!regular)
    return "Not a regular file: links and devices are not followed. Put the flag file itself here."
  if (!/\.ya?ml$/.test(path))
    return "Not a flag file: only `.yaml` and `.yml` files belong here. Move it elsewhere."
  if (path === join(folder, "project.yml")) return `Rename this file to \`${projectFileName}\`.`
  return undefined
}

/** A file's text; `undefined`, and a diagnostic, where it cannot be had. */
export function readSource(path: string, report: Report): Source | undefined {
  try {
    return decodeSource(path, readFileSync(path), report)
  } catch (cause) {
    const message = `The file cannot be read: ${(cause as Error).message}.`
    report.add({ code: "unreadable-file", message, ...nothingOf(path) })
    return undefined
  }
}

/** The text that a file's bytes are; `undefined`, and a diagnostic, where they are none. */
export function decodeSource(path: string, bytes: Uint8Array, report: Report): Source | undefined {
  const refuse = (code: "unreadable-file" | "file-too-large", message: string) => {
    report.add({ code, message, ...nothingOf(path) })
    return undefined
  }
  if (bytes.length > maxFileBytes) {
    return refuse(
      "file-too-large",
      `The file has ${bytes.length} bytes; a flag file has at most ${maxFileBytes}.`,
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
