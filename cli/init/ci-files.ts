import { readPackageFile } from "../package-files.ts"

/** The CI that checks pull requests. */
export type Ci = "github" | "gitlab"

/** A template in docs/ci, and the path of the file in a repository that uses it. */
export interface CiFile {
  readonly template: string
  readonly path: string
}

/** The jobs that check and publish. */
export const ciFiles: Readonly<Record<Ci, CiFile>> = {
  github: { template: "docs/ci/flags.yaml", path: ".github/workflows/flags.yaml" },
  gitlab: { template: "docs/ci/flags.gitlab-ci.yml", path: ".gitlab/flags.gitlab-ci.yml" },
}

/** The form for changes. In GitLab it is the root file itself, whose inputs are the only ones that GitLab shows. */
export const formFiles: Readonly<Record<Ci, CiFile>> = {
  github: { template: "docs/ci/change-flag.yaml", path: ".github/workflows/change-flag.yaml" },
  gitlab: { template: "docs/ci/change-flag.gitlab-ci.yml", path: ".gitlab-ci.yml" },
}

/** The line in `.gitlab-ci.yml` that makes GitLab read the jobs. */
export const gitlabInclude = `include: [{ local: ${ciFiles.gitlab.path} }]`

/**
 * The text of a template for a flags folder, given by its path from the top of the repository, and for a project's
 * environments.
 */
export function ciText({ template }: CiFile, flags: string, environments: readonly string[]): string {
  const names = environments.map((name) => JSON.stringify(name))
  const text = readPackageFile(template)
    .replace("[development, staging, production]", () => `[${names.join(", ")}]`)
    .replace("default: development", () => `default: ${names[0]}`)
  if (flags === "flags") return text
  return text
    .replace("FLAGSTONE_FLAGS: flags", () => `FLAGSTONE_FLAGS: ${JSON.stringify(flags)}`)
    .replace('"flags/**"', () => JSON.stringify(`${flags}/**`))
}
