import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { readPackageFile } from "../package-files.ts"

/** Flagstone's repository at GitHub, as `owner/name`, and a commit or tag in it. */
export interface FlagstoneSource {
  readonly repository: string
  readonly commit: string
}

/** The lock files that npm, pnpm and Yarn write. */
const lockNames = ["package-lock.json", "pnpm-lock.yaml", "yarn.lock"]

/** The name of a folder's lock file, or of the one that npm would write. */
export function lockNameIn(folder: string): string {
  return lockNames.find((name) => existsSync(join(folder, name))) ?? "package-lock.json"
}

/** As the package managers write what they got from a git address at GitHub. */
const lockedAddress =
  /github\.com[:/]([\w.-]+\/flagstone)(?:\.git)?(?:#(?:commit=)?|\/tar\.gz\/)([0-9a-f]{40})\b/

/**
 * The commit that a lock file got Flagstone from, so that workflows and developers run the same one; else the tag of this
 * version, if the package names a repository at GitHub. `undefined`: neither is known.
 */
export function flagstoneSource(lock: string): FlagstoneSource | undefined {
  const [, repository, commit] = existsSync(lock)
    ? (lockedAddress.exec(readFileSync(lock, "utf8")) ?? [])
    : []
  if (repository !== undefined && commit !== undefined) return { repository, commit }
  const manifest = JSON.parse(readPackageFile("package.json"))
  const [, named] =
    /github\.com[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(manifest.repository?.url ?? "") ?? []
  return named === undefined ? undefined : { repository: named, commit: `v${manifest.version}` }
}
