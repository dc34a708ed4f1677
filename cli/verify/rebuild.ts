import { existsSync } from "node:fs"
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createReport } from "../diagnostics/diagnostic.ts"
import { Failure } from "../failure.ts"
import type { Git } from "../git.ts"
import { findRepository } from "../history/repository.ts"
import type { Build } from "../project/build.ts"
import { compile } from "../project/compile.ts"
import { readInput } from "../project/input.ts"
import { readProject } from "../reading/project.ts"

/** Builds commits of a clone, whose work tree it leaves alone. */
export interface Rebuild {
  /** The lines that a git command prints in the flags folder; none if it fails. */
  ask(...command: readonly string[]): Promise<readonly string[]>
  /** `undefined`: the commit has no project, or one with errors. Throws `Failure` if git cannot check it out. */
  build(commit: string): Promise<Build | undefined>
  /** Removes what it has checked out. */
  close(): Promise<void>
}

/** Throws `Failure` if the folder is in no clone that has the whole history. */
export async function openRebuild(folder: string, git: Git): Promise<Rebuild> {
  if (!existsSync(folder)) throw new Failure(`no folder ${folder}: name the flags folder with --flags`)
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
  const clone = await mkdtemp(join(await realpath(tmpdir()), "flagstone-verify-"))
  const run = async (...args: readonly string[]) => {
    const { status, stderr } = await git(args, { cwd: clone })
    if (status !== 0)
      throw new Failure(
        `this clone cannot be read whole, perhaps because it is a partial one: ${stderr.trim()}`,
      )
  }
  await run("init", "--quiet", `--object-format=${hash}`)
  // Its objects are enough: a clone of a clone would ask whose it is, and lack what a partial one can fetch.
  const [objects = ""] = await ask("rev-parse", "--git-path", "objects")
  await writeFile(join(clone, ".git/objects/info/alternates"), `${resolve(folder, objects)}\n`)
  return {
    ask,
    async build(commit) {
      await run("checkout", "--quiet", "--force", "--detach", commit)
      const report = createReport()
      const project = readProject(join(clone, prefix), report)
      const input = project && (await readInput(project, git, report))
      const options = { requireClean: false, allowShallow: false, sourceDateEpoch: undefined }
      return input && compile(input, report, options)
    },
    close: () => rm(clone, { recursive: true, force: true }),
  }
}
