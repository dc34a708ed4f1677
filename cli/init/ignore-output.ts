import { appendFileSync } from "node:fs"
import { join, relative } from "node:path"
import { readIfThere } from "../files/read-if-there.ts"

/**
 * Makes git ignore what Flagstone writes: `dist`, and the editor's schemas in the flags folder. Resolves to the lines
 * added to `.gitignore` in `folder`.
 */
export async function ignoreOutput(folder: string, flags: string): Promise<readonly string[]> {
  const path = join(folder, ".gitignore")
  const text = (await readIfThere(path))?.toString("utf8") ?? ""
  const missing = [...(/^\/?dist\/?\s*$/m.test(text) ? [] : ["/dist/"]), ...schemasIn(folder, flags)].filter(
    (line) => !text.split(/\r?\n/).includes(line),
  )
  if (missing.length === 0) return []
  const separator = text === "" || text.endsWith("\n") ? "" : "\n"
  appendFileSync(path, `${separator}${missing.join("\n")}\n`)
  return missing
}

/** The line for the schemas; none for a flags folder outside `folder`. */
function schemasIn(folder: string, flags: string): readonly string[] {
  const path = relative(folder, flags).replaceAll("\\", "/")
  if (path === ".." || path.startsWith("../")) return []
  const literal = path.replace(/[*?[\]\\]/g, "\\$&") // characters with a meaning in .gitignore
  return [`${literal === "" ? "" : `/${literal}`}/*.schema.json`]
}
