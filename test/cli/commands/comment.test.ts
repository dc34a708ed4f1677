// @module-tag system
import { once } from "node:events"
import { mkdtempSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { json } from "node:stream/consumers"
import { afterEach, describe, expect, test } from "vitest"
import { run } from "../../../cli/program.ts"
import { testHost } from "../../test-host.ts"

const marker = "<!-- flagstone-diff shop -->"
const server = createServer()
afterEach(() => void server.close())

interface Comment {
  readonly id: number
  body: string
  readonly user?: { readonly login: string } | null
  readonly author?: { readonly id: number }
}

/** A forge with comments: GitHub's API and GitLab's, as far as they are asked. Returns its address and what it was asked to change. */
async function startForge(comments: Comment[], token: readonly [string, string], status = 201) {
  const changes: string[] = []
  const types = new Set<string>()
  server.removeAllListeners("request").on("request", async (request, response) => {
    const { method, url = "", headers } = request
    types.add(`${headers["content-type"]} ${headers.accept}`)
    const { pathname, searchParams } = new URL(url, "http://forge")
    const sent = method === "GET" ? undefined : ((await json(request)) as { body: string }).body
    const isAllowed = headers[token[0]] === token[1]
    if (sent !== undefined) changes.push(`${method} ${pathname}`)
    const id = Number(pathname.split("/").at(-1))
    const comment = comments.find((comment) => comment.id === id)
    if (sent !== undefined && comment !== undefined) comment.body = sent
    const first = (Number(searchParams.get("page")) - 1) * 100
    const page = comments.slice(first, first + 100)
    response.statusCode = isAllowed ? (method === "POST" ? status : 200) : 401
    response.end(JSON.stringify(pathname === "/user" ? { id: 42 } : page))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as { readonly port: number }
  return { url: `http://127.0.0.1:${port}`, changes, types }
}

async function comment(env: Readonly<Record<string, string>>, stdin = `${marker}\nnew\n`) {
  const host = testHost({ env, stdin })
  const status = await run(["comment", "-"], host, "0.0.0")
  return { status, out: host.out(), err: host.err() }
}

const bot = { login: "github-actions[bot]" }
const github = (url: string) => ({
  GITHUB_ACTIONS: "true",
  GITHUB_API_URL: url,
  GITHUB_REPOSITORY: "acme/shop",
  GITHUB_REF: "refs/pull/12/merge",
  GITHUB_TOKEN: "ghs_secret",
})
const gitlab = (url: string) => ({
  GITLAB_CI: "true",
  CI_API_V4_URL: url,
  CI_MERGE_REQUEST_PROJECT_ID: "9",
  CI_MERGE_REQUEST_IID: "5",
  FLAGS_NOTE_TOKEN: "glpat-secret",
})

const forges = [
  {
    name: "GitHub",
    variables: github,
    token: ["authorization", "Bearer ghs_secret"] as const,
    others: [
      { id: 1, user: { login: "mallory" }, body: `${marker}\nnot ours` },
      { id: 2, user: bot, body: "<!-- flagstone-diff shop-2 -->\na different project's" },
      { id: 3, user: null, body: `${marker}\na deleted user's` },
    ],
    ours: { id: 777, user: bot, body: `${marker}\nold` },
    written: "POST /repos/acme/shop/issues/12/comments",
    updated: "PATCH /repos/acme/shop/issues/comments/777",
  },
  {
    name: "GitLab",
    variables: gitlab,
    token: ["private-token", "glpat-secret"] as const,
    others: [
      { id: 1, author: { id: 7 }, body: `${marker}\nnot ours` },
      { id: 2, author: { id: 42 }, body: "<!-- flagstone-diff shop-2 -->\na different project's" },
    ],
    ours: { id: 777, author: { id: 42 }, body: `${marker}\nold` },
    written: "POST /projects/9/merge_requests/5/notes",
    updated: "PUT /projects/9/merge_requests/5/notes/777",
  },
]

describe.each(forges)("$name", ({ variables, token, others, ours, written, updated }) => {
  test("writes the first comment, and touches no one else's", async () => {
    const { url, changes, types } = await startForge([...others], token)
    expect(await comment(variables(url))).toEqual({ status: 0, out: "comment written\n", err: "" })
    expect(changes).toEqual([written])
    expect([...types]).toEqual(["application/json application/json"])
  })

  test("updates it, on whichever page it is", async () => {
    const [first] = others
    const many = Array.from({ length: 100 }, () => ({ ...first, id: 1, body: "chat" }))
    const all: Comment[] = [...many, ...others, { ...ours }]
    const { url, changes } = await startForge(all, token)
    expect(await comment(variables(url))).toEqual({ status: 0, out: "comment updated\n", err: "" })
    expect(changes).toEqual([updated])
    expect(all.at(-1)?.body).toBe(`${marker}\nnew\n`)
  })

  test("says that the token is not allowed, without the token", async () => {
    const { url, changes } = await startForge([], ["authorization", "another"])
    const { status, err } = await comment(variables(url))
    expect({ status, changes }).toEqual({ status: 2, changes: [] })
    expect(err).toMatch(/returned 401; may the token in \w+_TOKEN write comments\?\n$/)
    expect(err).not.toMatch(/ghs_secret|glpat-secret/)
  })

  test.each([
    [300, ""],
    [403, "; may the token in \\w+_TOKEN write comments\\?"],
    [404, "; may the token in \\w+_TOKEN write comments\\?"],
    [503, ""],
  ])("does not send a comment twice when the answer is %i", async (answer, fix) => {
    const { url, changes } = await startForge([], token, answer)
    const { status, err } = await comment(variables(url))
    expect({ status, changes }).toEqual({ status: 2, changes: [written] })
    expect(err).toMatch(new RegExp(`: returned ${answer}${fix}\\n$`))
  })
})

test.each([
  [{}, undefined, "GitHub Actions or GitLab CI; this is neither"],
  [{ ...github("http://x"), GITHUB_REF: "refs/heads/main" }, undefined, "does not run for a pull request"],
  [{ ...github("http://x"), GITHUB_TOKEN: "" }, undefined, "the variable GITHUB_TOKEN is missing"],
  [{ ...github("http://x"), GITHUB_TOKEN: "a\nb" }, undefined, "GITHUB_TOKEN cannot be sent in a header"],
  [{ ...gitlab("http://x"), CI_MERGE_REQUEST_IID: "" }, undefined, "CI_MERGE_REQUEST_IID is missing"],
  [github("http://x"), "no marker\n", "does not begin as diff --format markdown does"],
  [github("http://x"), `\n${marker}\n`, "does not begin as diff --format markdown does"],
  [github("http://x"), `${marker} text\n`, "does not begin as diff --format markdown does"],
])("%#: says what is missing", async (env, text, message) => {
  expect(await comment(env as Readonly<Record<string, string>>, text)).toMatchObject({
    status: 2,
    err: expect.stringContaining(message),
  })
})

test("reads a file, also of an older diff on Windows; one that is missing is named", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-comment-"))
  writeFileSync(join(cwd, "diff.md"), "<!-- flagstone-diff -->\r\nnew\n")
  const { url, changes } = await startForge([], ["authorization", "Bearer ghs_secret"])
  const host = testHost({ cwd, env: github(url) })
  expect(await run(["comment", "diff.md"], host, "0.0.0")).toBe(0)
  expect(changes).toHaveLength(1)
  expect(await run(["comment", "other.md"], host, "0.0.0")).toBe(2)
  expect(host.err()).toContain("other.md is missing")
})
