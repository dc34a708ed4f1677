import { existsSync, lstatSync, readdirSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { Failure } from "./failure.ts"

// Some settings of a repository name programs that git runs. No branch can contain a `.git`, but it can contain a bare
// repository: git takes a folder for one because of ordinary files in it. Gits below 2.38 ignore `safe.bareRepository`.

/**
 * The folder that git would take for a bare repository if it started in `folder`: that folder or the nearest above it.
 * `undefined` if there is none up to the top of the work tree. Throws if there is no such folder.
 */
export function bareRepositoryAround(folder: string): string | undefined {
  // git starts in the folder that a link leads to.
  for (let at = realpathSync(folder); !existsSync(join(at, ".git")); at = dirname(at)) {
    if (isBareRepository(at)) return at
    if (at === dirname(at)) return undefined
  }
  return undefined
}

/** Every such folder around and below a folder, which is one itself even if it has a `.git`. Throws as above. */
export function findBareRepositories(folder: string): readonly string[] {
  const around = bareRepositoryAround(folder)
  return [...new Set([...(around === undefined ? [] : [around]), ...below(realpathSync(folder))])]
}

function below(folder: string): readonly string[] {
  // Node writes bytes that are not UTF-8 as U+FFFD, and then finds no such folder.
  if (folder.includes("\ufffd") && !existsSync(folder))
    throw new Failure(`${folder} has a name that is not UTF-8: rename it`)
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return [
    ...(isBareRepository(folder) ? [folder] : []),
    ...folders.flatMap(({ name }) => (name === ".git" ? [] : below(join(folder, name)))),
  ]
}

/**
 * Whether git takes a folder for a repository (gitrepository-layout), if `HEAD` names a branch or a commit. The file system
 * is asked for each name, since it may ignore case; git accepts links and files, too.
 */
function isBareRepository(folder: string): boolean {
  const has = (name: string) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined
  return has("HEAD") && (has("commondir") || (has("objects") && has("refs")))
}

/** What a command that cannot start git because of a bare repository throws. */
export function refusalOf(bareRepository: string): Failure {
  return new Failure(
    `git takes ${bareRepository} for a bare repository, whose settings can name programs to run: remove ${join(bareRepository, "HEAD")} if a branch brought it, or work in a folder outside`,
  )
}
