import type { Git } from "../../git.ts"

/** Addresses of files and commits in the repository's web pages; `undefined` if it has none. */
export interface SourceLinks {
  /** The address of the files at the catalogue's commit, without the path. */
  readonly files: string | undefined
  /** The address of commits, without the id. */
  readonly commits: string | undefined
  /** The address of the pull request that a commit's subject names; `undefined` if it names none. */
  readonly requestIn: (subject: string) => string | undefined
}

/**
 * Links into the repository at `base`, in GitHub's form, or in GitLab's if the host's name has the part `gitlab` or the
 * address ends in `/-`.
 */
export function sourceLinks(base: string | undefined, revision: string | null): SourceLinks {
  if (base === undefined || revision === null)
    return { files: undefined, commits: undefined, requestIn: () => undefined }
  const plain = base.replace(/\/+$/, "").replace(/\/-$/, "")
  const isGitlab = /\/-\/*$/.test(base) || /(^|\.)gitlab\./.test(new URL(base).hostname)
  const top = isGitlab ? `${plain}/-` : plain
  return {
    files: `${top}/blob/${revision}/`,
    commits: `${top}/commit/`,
    requestIn(subject) {
      const number = (isGitlab ? gitlabRequest : githubRequest).exec(subject)?.slice(1).join("")
      return number && `${top}/${isGitlab ? "merge_requests" : "pull"}/${number}`
    },
  }
}

/** How a subject names the pull request after a squash or merge. In GitLab, `#` names an issue. */
const githubRequest = /\(#(\d+)\)$|^Merge pull request #(\d+)\b/
const gitlabRequest = /\(!(\d+)\)$/

/**
 * The repository's web address: from CI, or else from the remote `origin`. `undefined` if there is none, or git cannot
 * run. Never rejects.
 */
export async function findBaseUrl(
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
  git: Git,
): Promise<string | undefined> {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, CI_PROJECT_URL } = env
  if (GITHUB_SERVER_URL && GITHUB_REPOSITORY) return webAddress(`${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`)
  if (CI_PROJECT_URL) return webAddress(`${CI_PROJECT_URL}/-`)
  const remote = await git(["config", "--get", "remote.origin.url"], { cwd: folder }).catch(() => undefined)
  return remote?.status === 0 ? webAddress(remote.stdout.toString("utf8").trim()) : undefined
}

/**
 * The web address of a remote: `git@host:owner/name.git` and `ssh://…` have the pages of `https://host/owner/name`. Name
 * and password are dropped. `undefined` without web pages, as for a folder.
 */
function webAddress(remote: string): string | undefined {
  const short = /^(?:[\w.-]+@)?([\w.-]+\.[\w-]+):(?!\/)([\w./~-]+)$/.exec(remote)
  const url = URL.parse(short === null ? remote : `https://${short[1]}/${short[2]}`)
  if (url === null || !["https:", "http:", "ssh:", "git:"].includes(url.protocol) || url.hostname === "")
    return undefined
  const isWeb = url.protocol === "http:" || url.protocol === "https:"
  const host = isWeb ? `${url.protocol}//${url.host}` : `https://${url.hostname}`
  return `${host}${url.pathname.replace(/\/+$/, "").replace(/\.git$/, "")}`
}
