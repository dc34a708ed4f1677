import { createReport } from "../diagnostics/diagnostic.ts"
import { Failure } from "../failure.ts"
import { isFolder } from "../files/is-folder.ts"
import type { Git } from "../git.ts"
import { findRepository } from "../history/repository.ts"
import { commitTime } from "../history/time-text.ts"
import type { Build } from "../project/build.ts"
import { commitFiles } from "../project/commit-files.ts"
import { compile } from "../project/compile.ts"
import { toFlagFiles } from "../reading/files/flag-file.ts"
import { parseProject } from "../reading/project.ts"

/** Builds commits of a clone, from git's objects alone. */
export interface Rebuild {
  /** The lines that a git command prints in the flags folder; none if it fails. */
  ask(...command: readonly string[]): Promise<readonly string[]>
  /** `undefined`: the commit has no project, or one with errors. */
  build(commit: string): Promise<Build | undefined>
}

/** Throws `Failure` if the folder is in no clone that has the whole history. */
export async function openRebuild(folder: string, git: Git): Promise<Rebuild> {
  if (!isFolder(folder)) throw new Failure(`no folder ${folder}: name the flags folder with --flags`)
  const repository = await findRepository(folder, git)
  if (repository.kind === "outside") throw new Failure(`only a clone can be compared: ${repository.reason}`)
  if (repository.shallow)
    throw new Failure(
      "this clone is shallow: fetch its history (git fetch --unshallow; in a workflow fetch-depth: 0)",
    )
  const { prefix, hash } = repository
  const ask = async (...command: readonly string[]) => {
    const { stdout } = await git(command, { cwd: folder })
    return stdout
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "")
  }
  return {
    ask,
    async build(revision) {
      const report = createReport()
      const place = { cwd: folder, path: folder, prefix: prefix.slice(0, -1) }
      const files = await commitFiles(revision, place, git)
      const source = files.projectFile(report)
      const project = source && parseProject(source, folder, report)
      if (project === undefined) return undefined
      const [seconds] = await ask("show", "-s", "--format=%ct", revision)
      const input = {
        ...{
          project,
          files: toFlagFiles(files.sources(project.ignores, report), hash),
          modifiedAt: new Map(),
        },
        repository: { ...repository, revision, committedAt: commitTime(seconds) },
      }
      const options = { requireClean: false, allowShallow: false, sourceDateEpoch: undefined }
      return compile(input, report, options)
    },
  }
}
