import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { relativePath } from "../diagnostics/relative-path.ts"
import { Failure } from "../failure.ts"
import { topOfRepository } from "../files/top-of-repository.ts"
import { type Ci, type CiFile, ciFiles, ciText, formFiles, gitlabInclude, laneFiles } from "./ci-files.ts"
import { flagstoneSource, lockNameIn } from "./flagstone-source.ts"
import { shellWord } from "./shell-word.ts"

/** What `init` should write for a CI. */
export interface WantedCi {
  readonly ci: Ci
  /** With the form for changes. */
  readonly forms: boolean
  /** With the check of the fast lane. */
  readonly lane: boolean
  /** The flags folder, an absolute path. */
  readonly folder: string
  readonly cwd: string
  /** The project's, in rollout order. */
  readonly environments: readonly string[]
}

/** Files to write, and what is then left to do. */
export interface CiPlan {
  /** Absolute paths, with the texts. */
  readonly files: readonly (readonly [string, string])[]
  readonly notes: readonly string[]
}

/**
 * The files of a CI that are missing. Throws `Failure` if there are none, if the form that was asked for exists, if this is
 * not the top of the repository, or if the flags are not in a folder below it.
 */
export function planCi({ ci, forms, lane, folder, cwd, environments }: WantedCi): CiPlan {
  const top = topOfRepository(cwd) ?? cwd
  const flags = relativePath(top, folder)
  if (top !== cwd)
    throw new Failure(
      `CI looks for its files at the top of the repository: run this in ${top} with --flags ${shellWord(flags)}; nothing was changed`,
    )
  if (flags === "" || flags.startsWith("../"))
    throw new Failure("CI needs the flags in a folder of their own in the repository; nothing was changed")
  const isThere = (path: string) => existsSync(join(cwd, path))
  const hasRoot = ci === "gitlab" && isThere(formFiles.gitlab.path)
  const hasForm = hasRoot && /^change-flag:/m.test(readFileSync(join(cwd, formFiles.gitlab.path), "utf8"))
  const form = hasRoot && !hasForm ? besideRoot : formFiles[ci]
  if (forms && isThere(form.path))
    throw new Failure(
      `${form.path} already exists: nothing was changed. If environments were added, add them to its options, or delete it and run this again`,
    )

  const jobs = ciFiles[ci]
  const isNew = !isThere(jobs[0].path)
  const wanted = [...(isNew ? jobs : []), ...(lane ? laneFiles[ci] : []), ...(forms ? [form] : [])]
  const missing = wanted.filter(({ path }) => !isThere(path))
  if (missing.length === 0) throw new Failure(`${jobs[0].path} already exists: nothing was changed`)
  const lock = lockNameIn(cwd)
  const repository = { flags, environments, lock, source: flagstoneSource(join(cwd, lock)) }
  const files = missing.map((file) => [file.path, ciText(file, repository)] as const)
  const root = [formFiles.gitlab.path, `${gitlabInclude}\n`] as const
  return {
    files: [...files, ...(ci === "gitlab" && !hasRoot && !forms ? [root] : [])].map(([path, text]) => [
      join(cwd, path),
      text,
    ]),
    notes: [
      ...(hasRoot && isNew ? [`Add to .gitlab-ci.yml: ${gitlabInclude}`] : []),
      ...(hasRoot && forms
        ? [`Move the inputs and the job of ${form.path} to .gitlab-ci.yml: GitLab shows only its inputs`]
        : []),
      ...(files.some(([, text]) => text.includes("<owner>"))
        ? [
            "Write the owner of Flagstone's repository at GitHub, and a commit, for <owner> and <commit> in .github/workflows",
          ]
        : []),
      ...(isNew ? ["CI publishes nothing until you set its variable FLAGS_TARGET; see docs/ci.md"] : []),
      ...(forms ? [formNotes[ci]] : []),
    ],
  }
}

const formNotes: Readonly<Record<Ci, string>> = {
  github: "The form works once GitHub Actions may create pull requests (Settings, Actions, General)",
  gitlab: "The form works once CI has the variable FLAGS_FORM_TOKEN; see docs/ci.md",
}

/** Where GitLab's form waits to be moved into an existing root file. */
const besideRoot: CiFile = { ...formFiles.gitlab, path: ".gitlab/change-flag.gitlab-ci.yml" }
