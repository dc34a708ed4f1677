import { once } from "node:events"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { onTestFinished } from "vitest"
import { type CiRepository, ciFiles, ciText, formFiles, laneFiles } from "../../cli/init/ci-files.ts"
import { cloneProject, commit, environment, git } from "../docs/example-project.ts"
import { root } from "../docs/pages.ts"
import { projectWithLock } from "../docs/project-with-lock.ts"
import { commit as ours } from "./act.ts"

/** What happened at the forge. */
export interface Happening {
  readonly event: "pull_request" | "pull_request_review" | "merge_group" | "push" | "workflow_dispatch"
  /** Whether the project has a lock file with Flagstone. */
  readonly locked?: true
  /** What the branch changes. A file that is not there is empty. */
  readonly edits?: Readonly<Record<string, (text: string) => string>>
  readonly fork?: true
  readonly labels?: readonly string[]
  /** Who has approved the newest commit, which Ann pushed. */
  readonly approvedBy?: string
  /** The text of the comment that is there. */
  readonly comment?: string
  /** Of the form. */
  readonly inputs?: Readonly<Record<string, string>>
}

/** A repository at the commit that the event is for, and the one on the server, with the refs of GitHub. */
export interface Project {
  readonly cwd: string
  readonly bare: string
  readonly refs: Readonly<Record<"base" | "head" | "merge", string>>
}

const repository: CiRepository = {
  ...{ flags: "flags", environments: ["development", "staging", "production"], lock: "package-lock.json" },
  source: { repository: "acme/flagstone", commit: ours },
}

/** The example's flags with the workflows of `init` and a lane for kill switches; the branch is merged, and waits in the queue. */
export function projectOf({ locked, edits = {} }: Happening): Project {
  const npm = { lock: "npm install --package-lock-only --offline", path: environment().PATH ?? "" }
  const cwd = locked ? projectWithLock(npm) : cloneProject("flagstone forge ")
  const write = (path: string, edit: (text: string) => string) => {
    const file = join(cwd, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, edit(readFileSync(file, { encoding: "utf8", flag: "a+" })))
  }
  for (const file of [...ciFiles.github, ...laneFiles.github, formFiles.github])
    write(file.path, () => ciText(file, repository))
  const preview = readFileSync(join(root, "docs/ci/preview.yaml"), "utf8")
  const addressed = preview.replaceAll("<owner>", "acme").replaceAll("<commit>", ours)
  write(".github/workflows/preview.yaml", () => addressed)
  write("flags/project.yaml", (text) => `${text}fastLane: [{ environments: [production], gives: default }]\n`)
  commit(cwd, "workflows and a lane")
  const shaOf = (name: string) => git(cwd, "rev-parse", name).trim()
  const base = shaOf("HEAD")
  git(cwd, "checkout", "-q", "-b", "branch")
  for (const [path, edit] of Object.entries(edits)) write(path, edit)
  git(cwd, "add", "-A")
  git(cwd, "commit", "-q", "--allow-empty", "-m", "a change")
  git(cwd, "checkout", "-q", "main")
  git(cwd, "merge", "-q", "--no-ff", "-m", "merge", "branch")
  const refs = { base, head: shaOf("branch"), merge: shaOf("main") }
  const bare = join(cwd, ".git/origin.git")
  git(cwd, "clone", "-q", "--bare", cwd, bare)
  for (const ref of ["pull/12/merge", queueOf(base)]) git(bare, "update-ref", `refs/${ref}`, refs.merge)
  return { cwd, bare, refs }
}

const queueOf = (base: string) => `heads/gh-readonly-queue/main/pr-12-${base}`

/** The event, as the forge describes it. */
export function payloadOf({ event, labels = [], fork, inputs }: Happening, { refs }: Project): object {
  const queue = { base_sha: refs.base, head_sha: refs.merge, head_ref: `refs/${queueOf(refs.base)}` }
  const repository = { full_name: "acme/shop", private: false }
  if (event === "merge_group") return { repository, merge_group: queue }
  if (event === "push" || event === "workflow_dispatch") return { repository, ref: "refs/heads/main", inputs }
  return { repository, number: 12, pull_request: pullOf(labels, fork, refs) }
}

const pullOf = (labels: readonly string[], fork: true | undefined, { head }: Project["refs"]) => ({
  ...{ number: 12, labels: labels.map((name) => ({ name })), user: { login: "ann" } },
  head: { sha: head, ref: "branch", repo: { full_name: fork ? "mallory/shop" : "acme/shop" } },
})

/** Starts the forge's API until the test ends. It knows that Bob may write, and records what is written. */
export async function startForge(happening: Happening, { bare, refs }: Project) {
  const { event, labels = [], fork, approvedBy, comment } = happening
  const pull = pullOf(labels, fork, refs)
  const approval = { state: "APPROVED", commit_id: refs.head, user: { login: approvedBy, type: "User" } }
  const bot = { login: "github-actions[bot]" }
  const answers: Readonly<Record<string, unknown>> = {
    "acme/shop/pulls/12": pull,
    "acme/shop/pulls/12/commits": [{ author: { login: "ann" }, committer: { login: "ann" } }],
    "acme/shop/pulls/12/reviews": approvedBy === undefined ? [] : [approval],
    "acme/shop/issues/12/comments": comment === undefined ? [] : [{ id: 5, user: bot, body: comment }],
    "acme/shop/activity": [{ after: refs.head, actor: { login: "ann" } }],
    "acme/shop/collaborators/bob/permission": { permission: "write" },
    "acme/shop/pulls": { number: 12, html_url: "https://github.example/acme/shop/pull/12" },
  }
  const writes: { readonly to: string; readonly text: string }[] = []
  const server = createServer(async (request, response) => {
    const path = (request.url ?? "").replace(/^\/repos\/|\?.*/g, "")
    const isRead = request.method === "GET"
    if (!isRead) writes.push({ to: `${request.method} ${path}`, text: await text(request) })
    const answer = answers[path] ?? (isRead ? undefined : {})
    response.statusCode = answer === undefined ? 404 : request.method === "POST" ? 201 : 200
    response.end(JSON.stringify(answer ?? {}))
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = { FORGE_ORIGIN: bare, GITHUB_API_URL: url, GITHUB_REPOSITORY: "acme/shop" }
  const queue = event === "merge_group" ? { GITHUB_REF: `refs/${queueOf(refs.base)}` } : undefined
  return { env: { ...env, ...queue }, writes }
}
