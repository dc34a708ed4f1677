import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { CommandUnknownOpts } from "commander"
import { relativePath } from "../diagnostics/relative-path.ts"
import { projectFileName } from "../reading/files/file-names.ts"

/**
 * The flags folder that belongs to a folder: `flags` in it or in the nearest folder above, or the one that contains it.
 * `undefined` if there is none up to the top of the repository.
 */
export function locateFlags(from: string): string | undefined {
  let found: string | undefined
  for (let folder = from; ; folder = dirname(folder)) {
    // A project inside another's flags is a mistake, which lint reports.
    if (isProjectFile(join(folder, projectFileName))) found = folder
    else if (found === undefined && existsSync(join(folder, "flags", projectFileName)))
      found = join(folder, "flags")
    if (existsSync(join(folder, ".git")) || folder === dirname(folder)) return found
  }
}

/**
 * Resolves a command's default paths from the project's folder, from anywhere below it. Paths from the command line or a
 * variable are relative to the current folder. A command that reads no flags prefers what the current folder has: a
 * server's snapshots and keys may be below some project.
 */
export function locateDefaults(command: CommandUnknownOpts, cwd: string): void {
  const isDefault = (option: string) => command.getOptionValueSource(option) === "default"
  const pathOf = (option: string): string => command.getOptionValue(option) as string
  const beside = ["out", "keys", "snapshots"].filter(isDefault)
  // The globs of `keys create --flags` have no default.
  const readsFlags = command.options.some(
    (option) => option.attributeName() === "flags" && option.defaultValue,
  )
  // A new project begins in the current folder.
  if (command.name() === "init" || (readsFlags && !isDefault("flags"))) return
  if (!readsFlags && (beside.length === 0 || beside.some((option) => existsSync(join(cwd, pathOf(option))))))
    return
  const folder = locateFlags(cwd)
  if (folder === undefined || folder === join(cwd, "flags")) return
  if (readsFlags) command.setOptionValueWithSource("flags", relativePath(cwd, folder) || ".", "default")
  for (const option of beside) {
    const path = relativePath(cwd, join(dirname(folder), pathOf(option)))
    command.setOptionValueWithSource(option, path, "default")
  }
}

/** Whether a file is our project file, even with mistakes: other tools have files with that name. */
function isProjectFile(path: string): boolean {
  return existsSync(path) && /^["']?(project|environments)["']? *:/m.test(readFileSync(path, "utf8"))
}
