import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { readIfThere } from "../files/read-if-there.ts"

/** Makes git ignore what `build` writes into a folder. Resolves to whether that took another line in `.gitignore`. */
export async function ignoreOutput(folder: string): Promise<boolean> {
  const path = join(folder, ".gitignore")
  const text = (await readIfThere(path))?.toString("utf8") ?? ""
  if (/^\/?dist\/?\s*$/m.test(text)) return false
  appendFileSync(path, `${text === "" || text.endsWith("\n") ? "" : "\n"}/dist/\n`)
  return true
}
