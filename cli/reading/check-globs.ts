import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import type { Node } from "../language/tree.ts"
import { projectFileName } from "./files/file-names.ts"
import { createIgnores } from "./files/ignore-globs.ts"

/** Each glob is a path from the flags folder, and does not match the project file. */
export function checkGlobs(source: SourceFile, items: readonly Node[], report: Report): void {
  for (const node of items) {
    if (node.kind !== "scalar" || typeof node.value !== "string" || node.value === "") continue
    const fault = faultOf(node.value)
    if (fault !== undefined) report.add({ code: "bad-glob", message: fault, source, span: node })
  }
}

function faultOf(glob: string): string | undefined {
  const name = quoted(glob)
  if (glob.startsWith("!"))
    return `${name} cannot re-include what other globs ignore. Remove it, and narrow the others.`
  if (glob.includes("\\")) return `Write \`/\` between folders: ${quoted(glob.replaceAll("\\", "/"))}.`
  const folders = glob.split("/")
  if (folders.includes(".."))
    return `${name} points outside the flags folder, where nothing is read. Remove it.`
  if (folders.includes(".") || folders.slice(0, -1).includes("")) {
    const path = folders.filter((folder) => folder !== "." && folder !== "").join("/")
    return `Globs are relative to the flags folder. Write ${quoted(path)}.`
  }
  if (glob.endsWith("/")) return `Write ${quoted(`${glob}**`)} for everything in the folder.`
  // The project file must not be ignored, so this finds globs that are too wide by accident: `**`, `*.yaml`.
  return createIgnores([glob])(projectFileName)
    ? `${name} would also ignore ${projectFileName}. Name only the folders or files to ignore.`
    : undefined
}
