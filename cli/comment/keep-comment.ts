import { Failure } from "../failure.ts"
import type { Web, WebRequest } from "../publish/web.ts"
import { githubBot, type Thread } from "./thread.ts"

/** A comment of GitHub, or a note of GitLab. */
interface Comment {
  readonly id: number
  readonly body: string
  /** GitHub's author. */
  readonly user?: { readonly login: string } | null
  /** GitLab's. */
  readonly author?: { readonly id: number }
}

/** Bytes: a page of a hundred comments of the longest that the forges take. */
const longestPage = 128 * 1024 * 1024

/**
 * Replaces the text of our comment of a kind, or writes the first one, and returns which. The kind is the first line, a
 * marker. Anyone may write that line, so a comment is ours only if the token's user wrote it.
 */
export async function keepComment(text: string, thread: Thread, web: Web): Promise<"updated" | "written"> {
  const [marker = ""] = text.split("\n", 1)
  const isOurs = await readAuthor(thread, web)
  for (let page = 1; ; page++) {
    const asked = await ask<readonly Comment[]>(
      "GET",
      `${thread.comments}?per_page=100&page=${page}`,
      thread,
      web,
    )
    const found = asked.find((comment) => isOurs(comment) && comment.body.startsWith(marker))
    if (found !== undefined) {
      await ask(thread.replace, thread.commentAt(found.id), thread, web, text)
      return "updated"
    }
    if (asked.length < 100) break
  }
  await ask("POST", thread.comments, thread, web, text)
  return "written"
}

/** Returns whether the token's user wrote a comment. */
async function readAuthor(thread: Thread, web: Web): Promise<(comment: Comment) => boolean> {
  if (thread.user === undefined) return ({ user }) => user?.login === githubBot
  const { id } = await ask<{ readonly id: number }>("GET", thread.user, thread, web)
  return ({ author }) => author?.id === id
}

/** Asks the forge. Throws `Failure`, without the token, if it refuses. A comment is not sent twice: it could then be there twice. */
async function ask<Answer>(
  method: WebRequest["method"],
  address: string,
  { headers, token }: Thread,
  web: Web,
  text?: string,
): Promise<Answer> {
  const url = new URL(address)
  const body = text === undefined ? {} : { body: Buffer.from(JSON.stringify({ body: text })) }
  const request = {
    method,
    url,
    headers: { ...headers, accept: "application/json", "content-type": "application/json" },
    ...body,
  }
  const answer = await web.request(() => request, longestPage, method === "POST" ? 1 : undefined)
  if (answer.status >= 300) {
    const fix = [401, 403, 404].includes(answer.status) ? `; may the token in ${token} write comments?` : ""
    throw new Failure(`${method} ${url.origin}${url.pathname}: returned ${answer.status}${fix}`)
  }
  return JSON.parse(answer.body.toString("utf8"))
}
