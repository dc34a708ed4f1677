// @module-tag system
// @module-tag slow
import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { cloneProject, commit, git } from "./example-project.ts"
import { type Job, readWorkflow, runJob } from "./github-runner.ts"
import { type GitlabJobs, runGitlabJob } from "./gitlab-runner.ts"
import { blocksOf, readPage } from "./pages.ts"
import { isInstalled } from "./runner.ts"

// The job of .github/workflows/flags-lane.yaml, run as GitHub's runner runs it.

const lane: Job = readWorkflow(".github/workflows/flags-lane.yaml").jobs.lane

interface Review {
  readonly state: string
  readonly commit_id?: string
  readonly user: { readonly login: string; readonly type: string }
}

/** Whom GitHub knows, by the rights that it answers. */
const rights: Readonly<Record<string, string>> = {
  ...{ ann: "write", bob: "write", cat: "admin", robot: "write", reader: "read" },
}

/** A review of a user; by default an approval of the newest commit. */
const review = (login: string, rest: Partial<Review> = {}): Review => ({
  ...{ state: "APPROVED", user: { login, type: "User" } },
  ...rest,
})

/** What GitHub says of the pull request. */
interface Forge {
  readonly labels?: readonly string[]
  readonly reviews?: readonly Review[]
  readonly pusher?: string | undefined
  readonly authors?: readonly string[]
}

/**
 * Runs the job for the merge commit that is checked out, of a pull request or in the queue after `base`. Throws if the check is
 * red.
 */
async function judge(cwd: string, forge: Forge = {}, base?: string) {
  const { labels = [], reviews = [], pusher = "ann", authors = ["ann"] } = forge
  const sha = git(cwd, "rev-parse", "branch").trim()
  const head = { sha, ref: "branch", repo: { full_name: "ann/shop" } }
  const pull = { number: 12, user: { login: "ann" }, head, labels: labels.map((name) => ({ name })) }
  const permissions = Object.entries(rights).map(([login, permission]) => [
    `repos/acme/shop/collaborators/${login}/permission`,
    { permission },
  ])
  const answers = {
    "repos/acme/shop/pulls/12": pull,
    "repos/acme/shop/pulls/12/reviews": reviews.map((one) => ({ commit_id: sha, ...one })),
    "repos/acme/shop/pulls/12/commits": authors.map((login) => ({ author: { login }, committer: null })),
    "repos/ann/shop/activity": ["eve", pusher].map((login, at) => ({
      ...{ after: at === 0 ? "older" : sha, actor: { login } },
    })),
    ...Object.fromEntries(permissions),
  }
  writeFileSync(join(cwd, ".git/info/exclude"), "answers.json\ngh.log\n")
  writeFileSync(join(cwd, "answers.json"), JSON.stringify(answers))
  const merge_group = { base_sha: base, head_ref: `refs/heads/gh-readonly-queue/main/pr-12-${base}` }
  const event = base === undefined ? { pull_request: pull } : { merge_group }
  const event_name = base === undefined ? "pull_request_review" : "merge_group"
  const github = { event_name, repository: "acme/shop", event }
  const { failed, printed } = await runJob(lane, { cwd, github })
  git(cwd, "checkout", "-q", "main")
  if (failed !== undefined) throw Object.assign(new Error(failed), { stdout: printed })
  return printed
}

/** What the failing step printed. */
async function printedByRed(judged: Promise<string>): Promise<string> {
  return judged.then(
    () => "the check is green",
    (error: { readonly stdout: string }) => error.stdout,
  )
}

/** A clone whose base has a lane, with a merge commit of a change on top. */
function cloneWith(path: string, edit: (text: string) => string): string {
  const cwd = cloneProject("flagstone docs ")
  appendFileSync(
    join(cwd, "flags/project.yaml"),
    "fastLane:\n  - { environments: [production], gives: default }\n",
  )
  commit(cwd, "a lane")
  git(cwd, "checkout", "-q", "-b", "branch")
  writeFileSync(join(cwd, path), edit(readFileSync(join(cwd, path), "utf8")))
  commit(cwd, "a change")
  git(cwd, "checkout", "-q", "main")
  git(cwd, "merge", "-q", "--no-ff", "-m", "merge", "branch")
  return cwd
}

const slots = "flags/shipping/delivery-slots.yaml"
const off = (text: string) =>
  text.replace(/production:\n {4}enabled: true/, "production:\n    enabled: false")

test("a kill switch is green at once", async () => {
  expect(await judge(cloneWith(slots, off))).toContain(
    "inside the fast lane: in `production` users only fall back to the default",
  )
})

const widen = (text: string) => text.replace('value: "10"', 'value: "1"')
const outside = /^::error::Outside the fast lane/m
const hasJq = isInstalled("jq", "labels and reviews of the fast lane")
test.skipIf(!hasJq)("any other change needs an approval that counts, or the label", async () => {
  const cwd = cloneWith(slots, widen)
  const requested = review("bob", { state: "CHANGES_REQUESTED" })
  const old = review("bob", { commit_id: "old" })
  const robot = review("robot", { user: { login: "robot", type: "Bot" } })
  const reds: readonly Forge[] = [
    {},
    { labels: ["flagstone:accept-many-change"], reviews: [review("ann")] },
    { reviews: [old, review("reader"), review("stranger"), robot] },
    { reviews: [review("bob"), requested, review("cat", { state: "DISMISSED" })] },
    { reviews: [review("bob"), review("cat")], pusher: "bob", authors: ["ann", "cat"] },
    { reviews: [review("bob")], pusher: "" },
  ]
  for (const red of reds) expect(await printedByRed(judge(cwd, red)), JSON.stringify(red)).toMatch(outside)
  const reviews = [review("reader"), requested, review("bob"), review("bob", { state: "COMMENTED" })]
  expect(await judge(cwd, { reviews })).toContain("Approved by bob.")
  expect(await judge(cwd, { labels: ["flagstone:reviewed"] })).toContain(
    "The label flagstone:reviewed is set.",
  )
  const base = git(cwd, "rev-parse", "main^").trim()
  expect(await printedByRed(judge(cwd, {}, base))).toMatch(outside)
  expect(await judge(cwd, { reviews }, base)).toContain("Approved by bob.")
})

test("what the queue would merge is judged on the base that the queue has", async () => {
  const launch = (text: string) =>
    text.replace("production:\n    enabled: false", "production:\n    enabled: true")
  const cwd = cloneWith(slots, off)
  git(cwd, "checkout", "-q", "-B", "branch", "main")
  writeFileSync(join(cwd, slots), widen(readFileSync(join(cwd, slots), "utf8")))
  commit(cwd, "prepare")
  git(cwd, "checkout", "-q", "main")
  git(cwd, "merge", "-q", "--no-ff", "-m", "merge", "branch")
  expect(await judge(cwd)).toContain("inside the fast lane: no user gets a different value")
  git(cwd, "reset", "-q", "--hard", "HEAD^")
  writeFileSync(join(cwd, slots), launch(readFileSync(join(cwd, slots), "utf8")))
  commit(cwd, "launch")
  const base = git(cwd, "rev-parse", "HEAD").trim()
  git(cwd, "merge", "-q", "--no-ff", "-m", "queue", "branch")
  expect(await printedByRed(judge(cwd, {}, base))).toMatch(outside)
})

test("a run of an older commit says nothing about a newer one", async () => {
  const cwd = cloneWith(slots, off)
  git(cwd, "branch", "-q", "-f", "branch", "main^")
  expect(await printedByRed(judge(cwd))).toContain("no longer the newest commit")
})

test("a branch cannot widen the lane for itself", async () => {
  const cwd = cloneWith("flags/project.yaml", (text) => text.replace(", gives: default", ""))
  expect(await printedByRed(judge(cwd))).toMatch(/^::error::Outside the fast lane/m)
})

test("GitLab's job of docs/ci.md judges in the same way", async () => {
  const job = blocksOf(readPage("docs/ci.md").text).find(({ text }) => text.startsWith("lane:\n"))
  const jobs: GitlabJobs = parse(job?.text ?? "")
  const judgeInGitlab = (path: string, edit: (text: string) => string, labels = "") => {
    const cwd = cloneWith(path, edit)
    const [merge, base] = ["HEAD", "HEAD^"].map((name) => git(cwd, "rev-parse", name).trim())
    const variables = { CI_COMMIT_SHA: merge ?? "", CI_MERGE_REQUEST_TARGET_BRANCH_SHA: base ?? "" }
    return runGitlabJob("lane", jobs, cwd, { ...variables, CI_MERGE_REQUEST_LABELS: labels })
  }
  expect(await judgeInGitlab(slots, off)).toContain("inside the fast lane")
  expect(await printedByRed(judgeInGitlab(slots, widen))).toContain("outside the fast lane")
  expect(await printedByRed(judgeInGitlab(slots, widen, "flagstone:reviewed-not"))).toContain("outside")
  expect(await judgeInGitlab(slots, widen, "urgent,flagstone:reviewed")).toContain("outside")
  const dropLimit = (text: string) => text.replace(", gives: default", "")
  expect(await printedByRed(judgeInGitlab("flags/project.yaml", dropLimit))).toContain("outside")
})
