import type { Host } from "../host.ts"

/**
 * Whether to print in colour on a stream: yes on a terminal that has colours, unless `NO_COLOR` (no-color.org) or
 * `FORCE_COLOR` says otherwise.
 */
export function hasColour({ env, isTerminal }: Host, stream: "stdout" | "stderr"): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false"
  return isTerminal[stream] && env.TERM !== "dumb"
}

/**
 * The folder for relative paths: the repository in GitHub Actions and GitLab CI, as in their reports; otherwise the
 * current folder.
 */
export function pathsFrom({ cwd, env }: Host): string {
  if (isGithub(env) && env.GITHUB_WORKSPACE) return env.GITHUB_WORKSPACE
  return env.GITLAB_CI === "true" && env.CI_PROJECT_DIR ? env.CI_PROJECT_DIR : cwd
}

/** Whether this is a step of GitHub Actions. */
export function isGithub(env: Host["env"]): boolean {
  return env.GITHUB_ACTIONS === "true"
}
