import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import type { Host } from "../host.ts"

/** The command that starts Flagstone in a shell: its name if it is installed globally, else with `npx`. */
export function commandName({ env }: Host): string {
  const folders = (env.PATH ?? env.Path ?? "").split(delimiter).filter((folder) => folder !== "")
  // npx and npm scripts put these first on the path of what they run; the user's own shell does not have them.
  const shared = folders.filter((folder) => !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder))
  const isShared = shared.some((folder) =>
    ["flagstone", "flagstone.cmd", "flagstone.exe"].some((name) => existsSync(join(folder, name))),
  )
  return isShared ? "flagstone" : "npx flagstone"
}
