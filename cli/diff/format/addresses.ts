import { relativePath } from "../../diagnostics/relative-path.ts"
import type { Host } from "../../host.ts"
import type { FlagsFolder } from "../../project/commit-files.ts"
import type { Change } from "../changes/change.ts"
import { type Endpoints, revisionOf } from "../revisions/endpoints.ts"

/** The address of a change's file for a browser; `undefined` if it is not known. */
export type AddressOf = (change: Change) => string | undefined

/**
 * Addresses of files, from the variables of GitHub Actions and GitLab CI. A file that is gone has the address that it had
 * before.
 */
export function createAddresses(
  env: Host["env"],
  { path, prefix }: FlagsFolder,
  { before, after }: Endpoints,
): AddressOf {
  const pages = pagesOf(env)
  return ({ kind, file }) => {
    const commit = revisionOf(kind === "flag-removed" ? before : after) ?? pages?.commit
    if (pages === undefined || commit === undefined) return undefined
    const below = relativePath(path, file)
    const segments = [...(prefix === "" ? [] : prefix.split("/")), ...below.split("/")]
    return `${pages.blobs}/${commit}/${segments.map(encodeURIComponent).join("/")}`
  }
}

/** The repository's web pages. */
interface WebPages {
  /** Where the files of a commit are, without a slash at the end. */
  readonly blobs: string
  readonly commit: string | undefined
}

function pagesOf(env: Host["env"]): WebPages | undefined {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_SHA, CI_PROJECT_URL, CI_COMMIT_SHA } = env
  if (isWeb(GITHUB_SERVER_URL) && GITHUB_REPOSITORY)
    return { blobs: `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/blob`, commit: GITHUB_SHA }
  return isWeb(CI_PROJECT_URL) ? { blobs: `${CI_PROJECT_URL}/-/blob`, commit: CI_COMMIT_SHA } : undefined
}

function isWeb(address: string | undefined): address is string {
  return /^https?:\/\/[^\s"<>]+$/.test(address ?? "")
}
