import { readPackageFile } from "../package-files.ts"

/** Where pull requests are checked. */
export type Ci = "github" | "gitlab"

/** The file of docs/ci, and its path in a repository that uses it. */
export const ciFiles: Readonly<Record<Ci, { readonly template: string; readonly path: string }>> = {
  github: { template: "docs/ci/flags.yaml", path: ".github/workflows/flags.yaml" },
  gitlab: { template: "docs/ci/flags.gitlab-ci.yml", path: ".gitlab/flags.gitlab-ci.yml" },
}

/** What a `.gitlab-ci.yml` needs, so that GitLab reads the file. */
export const gitlabInclude = `include: [{ local: ${ciFiles.gitlab.path} }]`

/** The jobs for a flags folder, given by its path from the top of the repository. */
export function ciText(ci: Ci, flags: string): string {
  const text = readPackageFile(ciFiles[ci].template)
  if (flags === "flags") return text
  return text
    .replace("FLAGSTONE_FLAGS: flags", () => `FLAGSTONE_FLAGS: ${JSON.stringify(flags)}`)
    .replace('"flags/**"', () => JSON.stringify(`${flags}/**`))
}
