import { readFileSync } from "node:fs"
import { resolve } from "node:path"

const page = readFileSync(resolve(import.meta.dirname, "../../../docs/command-line.md"), "utf8")

/** The variables of the options of `serve`, from the table that test/docs/variables.test.ts keeps complete. */
export const serveVariables: readonly string[] = [
  ...page.matchAll(/^\| `(FLAGSTONE_\w+)` \| `--[^|]* \|.*`serve`.*\|$/gm),
].map(([, name = ""]) => name)
