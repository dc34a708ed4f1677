// @module-tag system
// @module-tag slow
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { cloneProject, commit, git } from "./example-project.ts"
import { type JobResult, readWorkflow, runWorkflow } from "./github-runner.ts"
import { managers } from "./package-managers.ts"
import { projectWithLock } from "./project-with-lock.ts"

// The workflows of .github/workflows with the events of a fork's pull request and of a merge queue.

const [checked, laned] = ["flags-check", "flags-lane"].map((name) =>
  readWorkflow(`.github/workflows/${name}.yaml`),
)
const flag = "defaultValue: true\ndescription: '@torvalds'\n"

/** The event of Mallory's fork. Its token can only read, whatever the workflow asks for, and there are no secrets. */
const forkedPull = (action: string, sha: string) => ({
  event_name: action === "submitted" ? "pull_request_review" : "pull_request",
  repository: "acme/shop",
  token: "ghs_read",
  event: {
    action,
    repository: { full_name: "acme/shop", private: false },
    pull_request: {
      ...{ number: 12, labels: [], user: { login: "mallory" }, author_association: "NONE" },
      base: { ref: "main", repo: { full_name: "acme/shop", fork: false } },
      head: { ref: "main", sha, repo: { full_name: "mallory/shop", fork: true } },
    },
  },
})

/** The merge of a fork's branch into a project, which replaces everything that could be run. */
function mergeOfFork(): { readonly cwd: string; readonly path: string } {
  const [npm] = managers
  if (npm === undefined) throw new Error("no package manager")
  const cwd = projectWithLock(npm)
  git(cwd, "checkout", "-q", "-b", "fork")
  const seize = 'require("node:fs").appendFileSync(process.env.SEEN, JSON.stringify(process.env) + "\\n")'
  writeFileSync(
    join(cwd, "vendor/flagstone/run.cjs"),
    `#!/usr/bin/env node\n${seize}\nconsole.log("all is well")\n`,
  )
  const manifest = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"))
  writeFileSync(
    join(cwd, "package.json"),
    JSON.stringify({ ...manifest, scripts: { prepare: `node -e '${seize}'` } }),
  )
  writeFileSync(join(cwd, ".gitattributes"), "* filter=seize\n")
  writeFileSync(join(cwd, "flags/brand-new.yaml"), flag)
  commit(cwd, "everything")
  git(cwd, "checkout", "-q", "main")
  git(cwd, "merge", "-q", "--no-ff", "-m", "merge", "fork")
  const bin = mkdtempSync(join(tmpdir(), "flagstone-gh-"))
  writeFileSync(join(bin, "gh"), "#!/bin/sh\n", { mode: 0o755 })
  return { cwd, path: `${bin}:${npm.path}` }
}

test("what a fork replaces runs only where no token and no secret is, and nothing comments or uploads", async () => {
  const { cwd, path } = mergeOfFork()
  const SEEN = join(mkdtempSync(join(tmpdir(), "flagstone-seen-")), "seen")
  const env = { PATH: path, SEEN }
  const ran = await runWorkflow(checked, { cwd, github: forkedPull("synchronize", "c0ffee"), env })
  expect(Object.keys(ran)).toEqual(["check"])
  const seen = readFileSync(SEEN, "utf8") // of the install and of each command
  expect(seen.split("\n").length).toBeGreaterThan(5)
  expect(seen).not.toContain("ghs_read")
  expect(checked.jobs.check.permissions).toEqual({ contents: "read" })
})

test("the base's Flagstone judges a fork, which is outside the lane", async () => {
  const { cwd, path } = mergeOfFork()
  for (const action of ["synchronize", "submitted"]) {
    git(cwd, "checkout", "-q", "main")
    const SEEN = join(mkdtempSync(join(tmpdir(), "flagstone-seen-")), "seen")
    const github = forkedPull(action, git(cwd, "rev-parse", "fork").trim())
    const { lane } = await runWorkflow(laned, { cwd, github, env: { PATH: path, SEEN } })
    expect(lane?.printed).toContain("the project's")
    expect(lane?.failed).toContain("Outside the fast lane")
    expect(lane?.used.at(-1)?.with).toMatchObject({ cache: "" }) // what a fork's job stores is not read
    expect(existsSync(SEEN)).toBe(false)
  }
})

/** The event of a queue that merges what is between two commits. */
const queued = (base: string) => ({
  event_name: "merge_group",
  repository: "acme/shop",
  token: "ghs_secret",
  event: {
    action: "checks_requested",
    repository: { full_name: "acme/shop", private: false },
    merge_group: {
      base_ref: "refs/heads/main",
      base_sha: base,
      head_ref: "refs/heads/gh-readonly-queue/main/pr-12",
    },
  },
})

/** A repository with a queue: commits a file, and returns the commit. */
function add(cwd: string, path: string, text: string): string {
  writeFileSync(join(cwd, path), text)
  commit(cwd, path)
  return git(cwd, "rev-parse", "HEAD").trim()
}

/** Runs the only job of the check that a queue waits for. */
async function runQueue(cwd: string, base: string): Promise<JobResult | undefined> {
  const { check, ...others } = await runWorkflow(checked, { cwd, github: queued(base) })
  expect(others).toEqual({})
  return check
}

test("a queue is compared with what is before it in the queue, and no label is asked for", async () => {
  const cwd = cloneProject("flagstone docs ")
  const base = add(cwd, "flags/before.yaml", flag)
  add(cwd, "flags/first.yaml", flag)
  const text = readFileSync(join(cwd, "flags/project.yaml"), "utf8")
  add(cwd, "flags/project.yaml", text.replace("project: shop", "project: store")) // which warns
  const check = await runQueue(cwd, base)
  expect(check?.failed).toBeUndefined()
  expect(check?.summary).toContain("`first`")
  expect(check?.summary).toContain("`project-renamed`")
  expect(check?.summary).not.toContain("`before`")
})

test("two changes that are good alone and not together do not leave the queue", async () => {
  const cwd = cloneProject("flagstone docs ")
  const off = "defaultValue: false\n"
  add(cwd, "flags/child.yaml", off)
  git(cwd, "checkout", "-q", "-b", "second")
  const asks =
    "environments:\n  production:\n    enabled: true\n    rules: [{ flag: child, is: true, returnValue: true }]\n"
  add(cwd, "flags/parent.yaml", `${off}${asks}`)
  expect((await runQueue(cwd, git(cwd, "rev-parse", "HEAD^").trim()))?.failed).toBeUndefined()
  git(cwd, "checkout", "-q", "main")
  git(cwd, "rm", "-q", "flags/child.yaml")
  commit(cwd, "without the child")
  const base = git(cwd, "rev-parse", "HEAD").trim()
  git(cwd, "merge", "-q", "--no-edit", "second")
  expect((await runQueue(cwd, base))?.failed).toContain("child")
})

test("a queue without flags ends at once, unless the checkout does not have its base", async () => {
  const cwd = cloneProject("flagstone docs ")
  const base = git(cwd, "rev-parse", "HEAD").trim()
  for (const page of ["a.md", "b.md"]) add(cwd, page, "a page\n")
  expect((await runQueue(cwd, base))?.used.map(({ uses }) => uses)).toEqual(["actions/checkout"])
  const shallow = join(mkdtempSync(join(tmpdir(), "flagstone docs ")), "shallow")
  git(cwd, "clone", "-q", "--depth", "2", `file://${cwd}`, shallow)
  expect((await runQueue(shallow, base))?.used.map(({ uses }) => uses)).toContain("actions/setup-node")
})
