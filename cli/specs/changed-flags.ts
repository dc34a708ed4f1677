import { join } from "node:path"
import { projectFileName } from "../compile/definition/file-names.ts"
import { findFlagsFolder, readEndpoints } from "../diff/revisions/endpoints.ts"
import { Failure } from "../failure.ts"
import type { Git } from "../git.ts"

/** The files that differ from a revision; `all`: what every flag depends on has changed. */
export type ChangedFiles = "all" | ReadonlySet<string>

/**
 * The absolute paths of the flag, segment and spec files that differ between the first side of a range, read as `diff`
 * reads it, and the work tree. Throws `Failure` where git or the commit is missing.
 */
export async function readChangedFiles(range: string, flags: string, git: Git): Promise<ChangedFiles> {
  const folder = await findFlagsFolder(flags, git)
  const { before } = await readEndpoints(range, undefined, folder, git)
  if (before.kind !== "commit") return "all"
  const paths = [
    ...(await list(
      ["diff", "--name-only", "--no-renames", "-z", "--relative", before.revision],
      folder.path,
      git,
    )),
    ...(await list(["ls-files", "--others", "--exclude-standard", "-z"], folder.path, git)),
  ]
  return paths.includes(projectFileName) ? "all" : new Set(paths.map((path) => join(folder.path, path)))
}

async function list(args: readonly string[], cwd: string, git: Git): Promise<readonly string[]> {
  const { status, stdout, stderr } = await git(args, { cwd })
  if (status !== 0) throw new Failure(`git ${args[0]} failed: ${stderr.trim()}`)
  return stdout
    .toString("utf8")
    .split("\0")
    .filter((path) => path !== "")
}
