import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"
import { root } from "./pages.ts"
import { runScript } from "./runner.ts"

/** A job of GitLab's. */
export interface GitlabJob {
  readonly extends?: string
  readonly before_script?: readonly string[]
  readonly script?: readonly string[]
  readonly variables?: Readonly<Record<string, string | { readonly value: string }>>
  readonly rules?: readonly object[]
  readonly timeout?: string
}

/** The jobs of a file. */
export type GitlabJobs = Readonly<Record<string, GitlabJob>>

/** The file that the other files of docs/ci need beside them. */
export const flagsFile = join(root, "docs/ci/flags.gitlab-ci.yml")

const flagsJobs: GitlabJobs = parse(readFileSync(flagsFile, "utf8"))

/** A job with what it extends. */
export function extendedJob(name: string, jobs: GitlabJobs): GitlabJob {
  const job = jobs[name] ?? flagsJobs[name]
  if (job === undefined) throw new Error(`there is no job ${name}`)
  const base = job.extends === undefined ? {} : extendedJob(job.extends, jobs)
  return { ...base, ...job, variables: { ...base.variables, ...job.variables } }
}

/** Runs a job as GitLab's runner does: all lines in one shell. Returns its output; throws if it fails. */
export async function runGitlabJob(
  name: string,
  jobs: GitlabJobs,
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { before_script: before = [], script = [], variables: own = {} } = extendedJob(name, jobs)
  const values = Object.entries(own).map(([name, value]) => [
    name,
    typeof value === "object" ? value.value : `${value}`,
  ])
  const gitlab = { npm_config_cache: "", GITLAB_CI: "true", CI_PROJECT_DIR: cwd }
  const env = { ...Object.fromEntries(values), ...gitlab, ...variables }
  return await runScript([...before, ...script].join("\n"), cwd, env, ["-eo", "pipefail"])
}
