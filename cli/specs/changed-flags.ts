import { join } from "node:path"
import { type Endpoint, findFlagsFolder, readEndpoints } from "../diff/revisions/endpoints.ts"
import { Failure } from "../failure.ts"
import { type Git, gitEntries } from "../git.ts"
import type { FlagsFolder } from "../project/commit-files.ts"
import { projectFileName } from "../reading/files/file-names.ts"

/** The files that differ from a revision; `all`: something that every flag depends on has changed. */
export type ChangedFiles = "all" | ReadonlySet<string>

/**
 * The absolute paths of the flag, segment and spec files that differ between the work tree and the first side of a range,
 * which is read as `diff` reads it. Throws `Failure` if git or the commit is missing, or if the range's other side is not
 * checked out.
 */
export async function readChangedFiles(range: string, flags: string, git: Git): Promise<ChangedFiles> {
  const folder = await findFlagsFolder(flags, git)
  const { before, after } = await readEndpoints(range, undefined, folder, git)
  await requireCheckedOut(range, after, folder, git)
  if (before.kind !== "commit") return "all"
  const diff = ["diff", "--name-only", "--no-renames", "--ignore-submodules=all", "-z", "--relative"]
  const untracked = ["ls-files", "--others", "--exclude-standard", "-z"]
  const paths = [
    ...(await gitEntries(git, [...diff, before.revision], folder.path)),
    ...(await gitEntries(git, untracked, folder.path)),
  ]
  return paths.includes(projectFileName) ? "all" : new Set(paths.map((path) => join(folder.path, path)))
}

/** Specs run on the work tree, so a range can only end with the commit that is checked out. */
async function requireCheckedOut(
  range: string,
  after: Endpoint,
  folder: FlagsFolder,
  git: Git,
): Promise<void> {
  if (after.kind !== "commit") return
  const { before: here } = await readEndpoints("HEAD", undefined, folder, git)
  if (here.kind === "commit" && here.revision === after.revision) return
  const open = range.slice(0, -after.name.length)
  throw new Failure(
    `--changed: \`${after.name}\` is not checked out, and specs run on the work tree: write \`${open}\`, or check out \`${after.name}\``,
  )
}
