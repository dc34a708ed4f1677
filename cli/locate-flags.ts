import { existsSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import type { Command } from "commander"
import { projectFileName } from "./compile/definition/file-names.ts"

/**
 * The flags folder that belongs to a folder: `flags` in it or in the nearest folder above, or the one that it lies in.
 * `undefined` where there is none up to the top of the repository.
 */
export function locateFlags(from: string): string | undefined {
  let found: string | undefined
  for (let folder = from; ; folder = dirname(folder)) {
    // No project belongs into another's flags: if one is there, it is a mistake, which lint reports.
    if (isProjectFile(join(folder, projectFileName))) found = folder
    else if (found === undefined && existsSync(join(folder, "flags", projectFileName)))
      found = join(folder, "flags")
    if (existsSync(join(folder, ".git")) || folder === dirname(folder)) return found
  }
}

/**
 * Resolves a command's default folders from the project's folder, wherever below it the user stands. What the command
 * line or a variable gives is relative to where the user stands.
 */
export function locateDefaults(command: Command, cwd: string): void {
  // A new project begins where the user stands.
  if (command.name() === "init" || command.getOptionValueSource("flags") !== "default") return
  const folder = locateFlags(cwd)
  if (folder === undefined || folder === join(cwd, "flags")) return
  command.setOptionValueWithSource("flags", relative(cwd, folder) || ".", "default")
  for (const option of ["out", "keys"]) {
    if (command.getOptionValueSource(option) !== "default") continue
    const path = relative(cwd, join(dirname(folder), command.getOptionValue(option)))
    command.setOptionValueWithSource(option, path, "default")
  }
}

/** Other tools have files of that name. A project file of ours may have mistakes. */
function isProjectFile(path: string): boolean {
  return existsSync(path) && /^["']?(project|environments)["']? *:/m.test(readFileSync(path, "utf8"))
}
