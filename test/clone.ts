import { execFileSync } from "node:child_process"
import { cpSync, symlinkSync } from "node:fs"
import { join, resolve } from "node:path"
import { openRepository } from "./repository.ts"

const root = resolve(import.meta.dirname, "..")

/**
 * Makes what a clone of this repository has after `npm ci`, with one commit: the work tree, so that tests see changes
 * that are not committed. Returns the revision.
 */
export function cloneSource(folder: string): string {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
  const listed = execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0")
  for (const path of listed.filter((path) => path !== "" && !path.startsWith("test/")))
    cpSync(join(root, path), join(folder, path))
  const repository = openRepository(folder)
  repository.git("init", "-q", "-b", "main")
  const revision = repository.commit(0)
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  return revision
}
