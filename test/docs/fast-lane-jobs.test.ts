// @module-tag system
import { spawnSync } from "node:child_process"
import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { cloneProject, commit, git } from "./example-project.ts"
import { blocksOf, readPage, root } from "./pages.ts"
import { isInstalled, runScript } from "./runner.ts"

// The steps of docs/ci/fast-lane.yaml, run as GitHub's runner runs them.

const file = join(root, "docs/ci/fast-lane.yaml")
const workflow = parse(readFileSync(file, "utf8"))
const steps: readonly { readonly id?: string; readonly if?: string; readonly run?: string }[] =
  workflow.jobs.lane.steps

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
  const outputs = join(cwd, ".git/output")
  const variables = { ...workflow.env, GITHUB_OUTPUT: outputs }
  const outputOf = (name: string) =>
    new RegExp(`^${name}=(.*)$`, "m").exec(readFileSync(outputs, "utf8"))?.[1] ?? ""
  writeFileSync(outputs, "")
  writeFileSync(join(cwd, "comments.json"), JSON.stringify(reviews))
  let printed = ""
  for (const { id, run, if: condition } of steps) {
    if (run === undefined || run === "npm ci") continue
    if (condition?.includes("inside != 'true'") && outputOf("inside") === "true") continue
    const ofJudge = id === "judge" ? { BASE: outputOf("base"), MERGE: outputOf("merge") } : {}
    const asked = { LABELS: JSON.stringify(labels), AUTHOR: "ann", COMMIT: "c0ffee", REVIEWS: "reviews" }
    printed += await runScript(run, cwd, { ...variables, ...ofJudge, ...asked })
  }
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
  const cwd = cloneProject()
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

const hasJq = isInstalled("jq", "labels and reviews of docs/ci/fast-lane.yaml")
test.skipIf(!hasJq)(
  "any other change needs somebody else's approval of its newest commit, or the label",
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
  const script = parse(job?.text ?? "")
    .lane.script.join("\n")
    .replace(" && npm ci", "")
  const judgeInGitlab = (path: string, edit: (text: string) => string, labels = "") => {
    const cwd = cloneWith(path, edit)
    const [merge, base] = ["HEAD", "HEAD^"].map((name) => git(cwd, "rev-parse", name).trim())
    const variables = { CI_COMMIT_SHA: merge ?? "", CI_MERGE_REQUEST_TARGET_BRANCH_SHA: base ?? "" }
    return runScript(script, cwd, { ...variables, CI_MERGE_REQUEST_LABELS: labels }, ["-eo", "pipefail"])
  }
  const widen = (text: string) => text.replace('value: "10"', 'value: "1"')
  expect(await judgeInGitlab(slots, off)).toContain("inside the fast lane")
  expect(await printedByRed(judgeInGitlab(slots, widen))).toContain("outside the fast lane")
  expect(await printedByRed(judgeInGitlab(slots, widen, "flagstone:reviewed-not"))).toContain("outside")
  expect(await judgeInGitlab(slots, widen, "urgent,flagstone:reviewed")).toContain("outside")
  const dropLimit = (text: string) => text.replace(", gives: default", "")
  expect(await printedByRed(judgeInGitlab("flags/project.yaml", dropLimit))).toContain("outside")
})

const linters = [
  ["actionlint", [file]],
  ["zizmor", ["--offline", "--quiet", file]],
  ["check-jsonschema", ["--builtin-schema", "vendor.github-workflows", file]],
] as const

for (const [linter, args] of linters) {
  test.skipIf(!isInstalled(linter, `docs/ci/fast-lane.yaml by ${linter}`))(`passes ${linter}`, () => {
    const { status, stdout, stderr } = spawnSync(linter, args, { encoding: "utf8" })
    expect({ status, output: status === 0 ? "" : stdout + stderr }).toEqual({ status: 0, output: "" })
  })
}
