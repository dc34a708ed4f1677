import { readPackageFile } from "../package-files.ts"

/** The CI that checks pull requests. */
export type Ci = "github" | "gitlab"

/** The template in docs/ci, and the path of the file in a repository that uses it. */
export const ciFiles: Readonly<Record<Ci, { readonly template: string; readonly path: string }>> = {
  github: { template: "docs/ci/flags.yaml", path: ".github/workflows/flags.yaml" },
  gitlab: { template: "docs/ci/flags.gitlab-ci.yml", path: ".gitlab/flags.gitlab-ci.yml" },
}

/** The line in `.gitlab-ci.yml` that makes GitLab read the file. */
export const gitlabInclude = `include: [{ local: ${ciFiles.gitlab.path} }]`

/** The jobs for a flags folder, given by its path from the top of the repository. */
export function ciText(ci: Ci, flags: string): string {
  const text = readPackageFile(ciFiles[ci].template)
  if (flags === "flags") return text
  return text
    .replace("FLAGSTONE_FLAGS: flags", () => `FLAGSTONE_FLAGS: ${JSON.stringify(flags)}`)
    .replace('"flags/**"', () => JSON.stringify(`${flags}/**`))
}
