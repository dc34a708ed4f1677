import { readPackageFile } from "../package-files.ts"
import type { FlagstoneSource } from "./flagstone-source.ts"

/** The CI that checks pull requests. */
export type Ci = "github" | "gitlab"

/** A template in docs/ci, and the path of the file in a repository that uses it. */
export interface CiFile {
  readonly template: string
  readonly path: string
}

/** The jobs that check, and then those that publish, if they are separate. */
export const ciFiles: Readonly<Record<Ci, readonly [CiFile, ...CiFile[]]>> = {
  github: [
    { template: "docs/ci/flags.yaml", path: ".github/workflows/flags.yaml" },
    { template: "docs/ci/flags-publish.yaml", path: ".github/workflows/flags-publish.yaml" },
  ],
  gitlab: [{ template: "docs/ci/flags.gitlab-ci.yml", path: ".gitlab/flags.gitlab-ci.yml" }],
}

/** The check of the fast lane. GitLab's is a job of a page, because it needs settings of the project. */
export const laneFiles: Readonly<Record<Ci, readonly CiFile[]>> = {
  github: [{ template: "docs/ci/fast-lane.yaml", path: ".github/workflows/fast-lane.yaml" }],
  gitlab: [],
}

/** The form for changes. In GitLab it is the root file itself, whose inputs are the only ones that GitLab shows. */
export const formFiles: Readonly<Record<Ci, CiFile>> = {
  github: { template: "docs/ci/change-flag.yaml", path: ".github/workflows/change-flag.yaml" },
  gitlab: { template: "docs/ci/change-flag.gitlab-ci.yml", path: ".gitlab-ci.yml" },
}

/** The line in `.gitlab-ci.yml` that makes GitLab read the jobs. */
export const gitlabInclude = `include: [{ local: ${ciFiles.gitlab[0].path} }]`

/** What a repository puts into a template. */
export interface CiRepository {
  /** The flags folder, by its path from the top. */
  readonly flags: string
  /** The project's, in rollout order. */
  readonly environments: readonly string[]
  /** The name of the lock file at the top. */
  readonly lock: string
  /** Where GitHub finds Flagstone's own workflows; `undefined`: not known. */
  readonly source: FlagstoneSource | undefined
}

/** What a template says to whoever copies it by hand. */
const saveIt = / (?:Goes to \S+\.yaml|Save it in \.gitlab\/, and include it in \.gitlab-ci\.yml)\./

/** The text of a template for a repository. */
export function ciText({ template }: CiFile, { flags, environments, lock, source }: CiRepository): string {
  const names = environments.map((name) => JSON.stringify(name))
  const text = readPackageFile(template)
    .replace(saveIt, "")
    .replace("[development, staging, production]", () => `[${names.join(", ")}]`)
    .replace("default: development", () => `default: ${names[0]}`)
    .replace(/^( {2}push: .*) package-lock\.json,/m, (_, before) => `${before} ${lock},`)
    .replace(/<owner>\/flagstone(.*)@<commit>/, (line, path) =>
      source === undefined ? line : `${source.repository}${path}@${source.commit}`,
    )
  if (flags === "flags") return text
  return text
    .replace("FLAGSTONE_FLAGS: flags", () => `FLAGSTONE_FLAGS: ${JSON.stringify(flags)}`)
    .replace("flags: flags", () => `flags: ${JSON.stringify(flags)}`)
    .replace('"flags/**"', () => JSON.stringify(`${flags}/**`))
}
