// @module-tag system
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
  readonly commit_id: string
  readonly author_association: string
  readonly user: { readonly login: string; readonly type: string }
}

const review = (login: string, rest: Partial<Review> = {}): Review => ({
  ...{ state: "APPROVED", commit_id: "c0ffee", author_association: "MEMBER", user: { login, type: "User" } },
  ...rest,
})

/** Runs the job for the merge commit that is checked out. Throws if the check is red. */
async function judge(cwd: string, labels: readonly string[] = [], reviews: readonly Review[] = []) {
  writeFileSync(join(cwd, "comments.json"), JSON.stringify(reviews))
  const pull_request = {
    ...{ number: 12, user: { login: "ann" }, head: { sha: "c0ffee" } },
    labels: labels.map((name) => ({ name })),
  }
  const github = { event_name: "pull_request_review", repository: "acme/shop", event: { pull_request } }
  const { failed, printed } = await runJob(lane, { cwd, github })
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

const hasJq = isInstalled("jq", "labels and reviews of the fast lane")
test.skipIf(!hasJq)(
  "any other change needs someone else's approval of its newest commit, or the label",
  async () => {
    const cwd = cloneWith(slots, (text) => text.replace('value: "10"', 'value: "1"'))
    const red = async (labels: readonly string[], ...reviews: readonly Review[]) => {
      git(cwd, "checkout", "-q", "main")
      expect(await printedByRed(judge(cwd, labels, reviews))).toMatch(/^::error::Outside the fast lane/m)
    }
    await red([])
    await red(["flagstone:accept-many-change"], review("ann"))
    await red([], review("bob", { commit_id: "old" }), review("eve", { author_association: "NONE" }))
    await red(
      [],
      review("robot", { user: { login: "robot", type: "Bot" } }),
      review("bob", { state: "COMMENTED" }),
    )
    git(cwd, "checkout", "-q", "main")
    expect(await judge(cwd, [], [review("bob")])).toContain("Approved by bob.")
    git(cwd, "checkout", "-q", "main")
    expect(await judge(cwd, ["flagstone:reviewed"])).toContain("The label flagstone:reviewed is set.")
  },
)

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
  const widen = (text: string) => text.replace('value: "10"', 'value: "1"')
  expect(await judgeInGitlab(slots, off)).toContain("inside the fast lane")
  expect(await printedByRed(judgeInGitlab(slots, widen))).toContain("outside the fast lane")
  expect(await printedByRed(judgeInGitlab(slots, widen, "flagstone:reviewed-not"))).toContain("outside")
  expect(await judgeInGitlab(slots, widen, "urgent,flagstone:reviewed")).toContain("outside")
  const dropLimit = (text: string) => text.replace(", gives: default", "")
  expect(await printedByRed(judgeInGitlab("flags/project.yaml", dropLimit))).toContain("outside")
})
