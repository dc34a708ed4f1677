import { Failure } from "../failure.ts"
import { readHeaderValue } from "../publish/header-value.ts"

/** Where the comments of a pull or merge request are, and who writes them. */
export interface Thread {
  /** The address of all comments. */
  readonly comments: string
  readonly commentAt: (id: number) => string
  /** The method that replaces a comment's text. */
  readonly replace: "PATCH" | "PUT"
  readonly headers: Readonly<Record<string, string>>
  /** The variable with the token, for messages. */
  readonly token: string
  /** The address that names the token's user; `undefined`: the forge's own bot. */
  readonly user: string | undefined
}

/** The name under which the token of a GitHub Actions job writes. Such a token may not ask for it. */
export const githubBot = "github-actions[bot]"

/** The thread of the request that a CI job runs for, from the job's variables. Throws `Failure` if one is missing. */
export function threadOf(env: Readonly<Record<string, string | undefined>>): Thread {
  const read = (name: string) => {
    const value = env[name]
    if (value === undefined || value === "") throw new Failure(`the variable ${name} is missing`)
    return value
  }
  if (env.GITLAB_CI === "true") {
    const api = read("CI_API_V4_URL")
    const request = `${api}/projects/${read("CI_MERGE_REQUEST_PROJECT_ID")}/merge_requests/${read("CI_MERGE_REQUEST_IID")}`
    const token = "FLAGS_NOTE_TOKEN"
    return {
      comments: `${request}/notes`,
      commentAt: (id) => `${request}/notes/${id}`,
      replace: "PUT",
      headers: { "private-token": readHeaderValue(token, read(token)) },
      token,
      user: `${api}/user`,
    }
  }
  if (env.GITHUB_ACTIONS !== "true")
    throw new Failure("comments are for jobs of GitHub Actions or GitLab CI; this is neither")
  const [, number] = /^refs\/pull\/(\d+)\//.exec(read("GITHUB_REF")) ?? []
  if (number === undefined)
    throw new Failure("this job does not run for a pull request: nothing to comment on")
  const repository = `${read("GITHUB_API_URL")}/repos/${read("GITHUB_REPOSITORY")}`
  const token = "GITHUB_TOKEN"
  return {
    comments: `${repository}/issues/${number}/comments`,
    commentAt: (id) => `${repository}/issues/comments/${id}`,
    replace: "PATCH",
    headers: { authorization: `Bearer ${readHeaderValue(token, read(token))}`, "user-agent": "flagstone" },
    token,
    user: undefined,
  }
}
