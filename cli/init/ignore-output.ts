import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { relativePath } from "../diagnostics/relative-path.ts"
import { readIfThere } from "../files/read-if-there.ts"
import { editorSchemaFileNames } from "../reading/files/file-names.ts"

/** What git must not have, besides the schemas: what `build` writes, packages, and secrets, as the pages name their files. */
const neverCommitted = ["/dist/", "node_modules", "secret*.txt", "private*.txt"]

/**
 * Makes git ignore what Flagstone writes: `dist`, secrets, and the editor's schemas in the flags folder; and npm's packages.
 * Resolves to the lines added to `.gitignore` in `folder`.
 */
export async function ignoreOutput(folder: string, flags: string): Promise<readonly string[]> {
  const path = join(folder, ".gitignore")
  const text = (await readIfThere(path))?.toString("utf8") ?? ""
  const there = new Set(text.split("\n").map(withoutSlashes))
  const missing = [...neverCommitted, ...writtenBelow(folder, flags)].filter(
    (line) => !there.has(withoutSlashes(line)),
  )
  if (missing.length === 0) return []
  const separator = text === "" || text.endsWith("\n") ? "" : "\n"
  appendFileSync(path, `${separator}${missing.join("\n")}\n`)
  return missing
}

/** A pattern without the slashes at its ends, which limit it to the top or to folders. */
function withoutSlashes(line: string): string {
  return line.trim().replace(/^\/|\/$/g, "")
}

/**
 * A line for each schema, and for what `build` writes beside the flags folder, where it is run for a project of its own; none
 * for a flags folder outside `folder`. A flag's own schema is not one of them.
 */
function writtenBelow(folder: string, flags: string): readonly string[] {
  const path = relativePath(folder, flags)
  if (path === ".." || path.startsWith("../")) return []
  const literal = path.replace(/[*?[\]\\]/g, "\\$&") // characters with a meaning in .gitignore
  const parent = literal.slice(0, Math.max(0, literal.lastIndexOf("/")))
  return [
    ...(parent === "" ? [] : [`/${parent}/dist/`]),
    ...editorSchemaFileNames.map((name) => `${literal === "" ? "" : `/${literal}`}/${name}`),
  ]
}
