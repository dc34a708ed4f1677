import { join } from "node:path"
import { readIfThere } from "../../files/read-if-there.ts"
import type { Git } from "../../git.ts"
import { type Ci, formFiles } from "../../init/ci-files.ts"

/** Addresses of files and commits in the repository's web pages; `undefined` if it has none. */
export interface SourceLinks {
  /** The address of the files at the catalogue's commit, without the path. */
  readonly files: string | undefined
  /** The address of commits, without the id. */
  readonly commits: string | undefined
  /** The address of the pull request that a commit's subject names; `undefined` if it names none. */
  readonly requestIn: (subject: string) => string | undefined
  /** The address of files in the forge's editor, without the path; `undefined` without a branch. */
  readonly edits: string | undefined
  /** The address of the form for changes; `undefined` if the repository has none. */
  readonly form: string | undefined
}

/** Where files are edited, and which forms for changes the repository has. */
export interface EditPlaces {
  /** `undefined`: no file can be edited. */
  readonly branch: string | undefined
  readonly forms: readonly Ci[]
}

/**
 * Links into the repository at `base`, in GitHub's form, or in GitLab's if the host's name has the part `gitlab` or the
 * address ends in `/-`.
 */
export function sourceLinks(
  base: string | undefined,
  revision: string | null,
  { branch, forms }: EditPlaces = { branch: undefined, forms: [] },
): SourceLinks {
  if (base === undefined || revision === null)
    return {
      ...{ files: undefined, commits: undefined, edits: undefined, form: undefined },
      requestIn: () => undefined,
    }
  const plain = withoutSlashes(base).replace(/\/-$/, "")
  const isGitlab = /\/-\/*$/.test(base) || /(^|\.)gitlab\./.test(new URL(base).hostname)
  const top = isGitlab ? `${plain}/-` : plain
  return {
    files: `${top}/blob/${revision}/`,
    commits: `${top}/commit/`,
    requestIn(subject) {
      const number = (isGitlab ? gitlabRequest : githubRequest).exec(subject)?.slice(1).join("")
      return number && `${top}/${isGitlab ? "merge_requests" : "pull"}/${number}`
    },
    edits: branch && `${top}/edit/${branch.split("/").map(encodeURIComponent).join("/")}/`,
    form: forms.includes(isGitlab ? "gitlab" : "github")
      ? `${top}/${isGitlab ? "pipelines/new" : "actions/workflows/change-flag.yaml"}`
      : undefined,
  }
}

/** An address without the slashes at its end. */
function withoutSlashes(address: string): string {
  let end = address.length
  while (address[end - 1] === "/") end--
  return address.slice(0, end)
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
 * The branch that changes go to: the one that CI builds or a pull request targets, or else the remote's default.
 * `undefined` if none is known, or git cannot run. Forges cannot edit at `HEAD`. Never rejects.
 */
export async function findBranch(
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
  git: Git,
): Promise<string | undefined> {
  const { CI_DEFAULT_BRANCH, GITHUB_BASE_REF, GITHUB_REF_NAME, GITHUB_REF_TYPE } = env
  const named = CI_DEFAULT_BRANCH || GITHUB_BASE_REF || (GITHUB_REF_TYPE === "branch" && GITHUB_REF_NAME)
  if (named) return named
  const args = ["symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"]
  const remote = await git(args, { cwd: folder }).catch(() => undefined)
  return /^refs\/remotes\/origin\/(.+)\n$/.exec(remote?.stdout.toString("utf8") ?? "")?.[1]
}

/** The forms, as `init --forms` writes them, in the repository with this top folder. */
export async function findForms(top: string): Promise<readonly Ci[]> {
  const [github, gitlab] = await Promise.all(
    [formFiles.github, formFiles.gitlab].map(({ path }) => readIfThere(join(top, path))),
  )
  const isGitlab = /^change-flag:/m.test(gitlab?.toString("utf8") ?? "")
  return [...(github === undefined ? [] : (["github"] as const)), ...(isGitlab ? (["gitlab"] as const) : [])]
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
  return `${host}${withoutSlashes(url.pathname).replace(/\.git$/, "")}`
}
