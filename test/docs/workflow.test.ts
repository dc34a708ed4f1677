// @module-tag system
// @module-tag slow
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { startS3 } from "../servers/s3.ts"
import { committedSecrets } from "./committed-secrets.ts"
import { cloneProject, commit, git } from "./example-project.ts"
import { failingEdits } from "./failing-edits.ts"
import { root } from "./pages.ts"
import { isInstalled, runScript } from "./runner.ts"

/** The first line of every comment of `diff --format markdown`. */
const marker = "<!-- flagstone-diff -->"

// The steps of docs/ci/flags.yaml, run as GitHub's runner runs them.

interface Step {
  readonly id?: string
  readonly if?: string
  readonly run?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
}

interface Job {
  readonly if?: string
  readonly permissions: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
  readonly "timeout-minutes"?: number
}

const file = join(root, "docs/ci/flags.yaml")
const workflow = parse(readFileSync(file, "utf8"))
const jobs: Readonly<Record<string, Job>> = workflow.jobs
const steps = Object.values(jobs).flatMap((job) => job.steps)
const stepOf = (id: string) => steps.find((step) => step.id === id)?.run

const hasJq = isInstalled("jq", "labels and the comment of docs/ci/flags.yaml")

/** Runs the steps of the job that checks a pull request, each in its own shell. Throws the first failure at the end. */
async function runChecks(cwd: string): Promise<string> {
  const own = { GITHUB_STEP_SUMMARY: "summary", GITHUB_OUTPUT: "output", LABELS: "[]" }
  const variables = { ...workflow.env, ...own }
  const outcomes: Record<string, { outcome: string }> = {}
  const failures: unknown[] = []
  let printed = ""
  for (const { id = "", if: condition, run } of jobs.flags?.steps ?? []) {
    if (run === undefined || !isRun(condition, failures.length === 0, outcomes)) continue
    outcomes[id] = { outcome: "success" }
    try {
      printed += await runScript(run, cwd, variables)
    } catch (cause) {
      outcomes[id] = { outcome: "failure" }
      failures.push(cause)
    }
  }
  if (failures.length > 0) throw failures[0]
  return printed
}

/** Whether GitHub runs a step of a pull request: its expressions are JavaScript, except for the success that it adds. */
function isRun(
  condition: string | undefined,
  isGood: boolean,
  outcomes: Readonly<Record<string, { readonly outcome: string }>>,
): boolean {
  const text = condition?.replace(/^\$\{\{|\}\}$/g, "") ?? "true"
  const asksItself = /\b(cancelled|always|failure|success)\(\)/.test(text)
  const evaluate = new Function("steps", "github", "cancelled", `return ${text}`)
  return (asksItself || isGood) && evaluate(outcomes, { event_name: "pull_request" }, () => false)
}

const offEverywhere = "defaultValue: true\ndescription: '@torvalds'\n"

test("checks a pull request, hands on its diff, and leaves a SARIF log", async () => {
  const cwd = cloneProject()
  writeFileSync(join(cwd, "flags/brand-new.yaml"), offEverywhere)
  commit(cwd, "a flag")
  expect(await runChecks(cwd)).toContain("14 flags and 1 segment checked: no mistakes")
  const summary = readFileSync(join(cwd, "summary"), "utf8")
  expect(summary).toContain("`brand-new`")
  const [, , comment] =
    /^comment<<([0-9a-f]{32})\n([\s\S]*)\n\1\n$/.exec(readFileSync(join(cwd, "output"), "utf8")) ?? []
  expect(`${comment}\n`).toBe(summary)
  expect(JSON.parse(readFileSync(join(cwd, "flags.sarif"), "utf8")).runs[0].results).toEqual([])
})

test("is green for the pull request that fixes a broken main, and red for the one that broke it", async () => {
  const cwd = cloneProject()
  writeFileSync(join(cwd, "flags/new.yaml"), "defaultValue: maybe\n")
  commit(cwd, "a mistake")
  await expect(runChecks(cwd)).rejects.toThrow("1 error")
  expect(JSON.parse(readFileSync(join(cwd, "flags.sarif"), "utf8")).runs[0].results).toHaveLength(1)
  writeFileSync(join(cwd, "flags/new.yaml"), offEverywhere)
  commit(cwd, "its fix")
  await runChecks(cwd)
  expect(readFileSync(join(cwd, "summary"), "utf8")).toContain("1 flag is not compared")
})

test.each(failingEdits)(
  "fails where %s does, and hands its diff on all the same",
  async (_, path, edit, message) => {
    const cwd = cloneProject()
    writeFileSync(join(cwd, path), edit(readFileSync(join(cwd, path), "utf8")))
    writeFileSync(join(cwd, "flags/brand-new.yaml"), offEverywhere)
    commit(cwd, "a mistake and a flag")
    await expect(runChecks(cwd)).rejects.toThrow(message)
    expect(readFileSync(join(cwd, "output"), "utf8")).toContain("`brand-new`")
    expect(existsSync(join(cwd, "dist"))).toBe(false)
  },
)

test.skipIf(!hasJq)(
  "warnings fail it unless a label accepts them, and it still hands its diff on",
  async () => {
    const cwd = cloneProject()
    const project = join(cwd, "flags/project.yaml")
    writeFileSync(project, readFileSync(project, "utf8").replace("project: shop", "project: store"))
    commit(cwd, "a new name")
    const diff = (...labels: readonly string[]) => {
      const own = { GITHUB_STEP_SUMMARY: "summary", GITHUB_OUTPUT: "output", LABELS: JSON.stringify(labels) }
      return runScript(stepOf("diff"), cwd, { ...workflow.env, ...own })
    }
    const handedOn = (file: string) => readFileSync(join(cwd, file), "utf8")
    await expect(diff()).rejects.toThrow("run with --accept project-renamed")
    expect(handedOn("summary")).toContain("`project-renamed`: ")
    expect(handedOn("output")).toContain("`project-renamed`: ")
    await expect(diff("bug", "flagstone:accept-type-changed")).rejects.toThrow("--max-warnings is 0")
    await diff("bug", "flagstone:accept-type-changed", "flagstone:accept-project-renamed")
    expect(handedOn("summary")).toContain(
      "### Accepted warnings\n\n- `flags/project.yaml:2` `project-renamed`",
    )
    await expect(diff("flagstone:accept-project")).rejects.toThrow("diff has no warning")
    expect(workflow.on.pull_request.types).toEqual(expect.arrayContaining(["labeled", "unlabeled"]))
    expect(jobs.comment?.if).toContain("!cancelled() && needs.flags.outputs.comment != ''")
  },
)

test("runs on every pull request, so that its check can be required, and skips what changes no flag", async () => {
  expect(Object.keys(workflow.on.pull_request)).toEqual(["types"])
  expect(workflow.on.pull_request.types).toEqual(
    expect.arrayContaining(["opened", "reopened", "synchronize"]), // what GitHub takes without types
  )
  expect(workflow.on).toHaveProperty("merge_group")
  expect(workflow.on.push.paths).toEqual(expect.arrayContaining(["package-lock.json", "keys.yaml"]))
  // A job that is skipped because another failed would count as passed: it is skipped only for a plain "false".
  // biome-ignore lint/suspicious/noTemplateCurlyInString: GitHub's own
  expect(jobs.flags?.if).toBe("${{ !cancelled() && needs.changes.outputs.flags != 'false' }}")

  const cwd = cloneProject()
  const compare = async () => {
    writeFileSync(join(cwd, "output"), "")
    await runScript(stepOf("compare"), cwd, { ...workflow.env, GITHUB_OUTPUT: "output" })
    return readFileSync(join(cwd, "output"), "utf8")
  }
  expect(await compare()).toBe("") // no parent to compare with: be safe
  writeFileSync(join(cwd, "README.md"), "shop\n")
  commit(cwd, "a page")
  expect(await compare()).toBe("flags=false\n")
  for (const path of ["flags/brand-new.yaml", "package-lock.json", "keys.yaml"]) {
    writeFileSync(join(cwd, path), offEverywhere)
    git(cwd, "add", "--force", path) // this repository ignores its key file
    commit(cwd, path)
    expect(await compare()).toBe("")
  }
})

test("a secret that changes no flag is red all the same", async () => {
  const cwd = cloneProject()
  for (const [name, text] of committedSecrets()) {
    writeFileSync(join(cwd, "settings.env"), text)
    commit(cwd, name)
    writeFileSync(join(cwd, "output"), "")
    await runScript(stepOf("compare"), cwd, { ...workflow.env, GITHUB_OUTPUT: "output" })
    expect(readFileSync(join(cwd, "output"), "utf8"), name).toBe("")
    await expect(runChecks(cwd), name).rejects.toThrow("checked: 1 error")
  }
})

test("pins its actions and gives no right that a job does not need", () => {
  expect(workflow.permissions).toEqual({})
  const rights = Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.permissions]))
  expect(rights).toEqual({
    changes: { contents: "read" },
    flags: { contents: "read" },
    comment: { "pull-requests": "write" },
    scan: { contents: "read", actions: "read", "security-events": "write" },
    publish: { contents: "read", "id-token": "write" },
  })
  expect(jobs.publish?.if).toBe("github.event_name == 'push' && vars.FLAGS_TARGET != ''")
  expect(JSON.stringify(jobs.comment)).not.toMatch(/checkout|npm|npx/)
  expect(jobs.scan?.steps.filter(({ run }) => run !== undefined)).toEqual([]) // runs nothing of the repository
  const used = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]))
  const ours = /^((aws-)?actions\/[a-z-]+|github\/codeql-action\/upload-sarif)@[0-9a-f]{40}$/
  expect(used.filter((uses) => !ours.test(uses))).toEqual([])
  // GitHub runs whatever it puts into a script's text; strings of others come in variables.
  expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([])
})

test("ends in time, keeps npm's cache, and fetches nothing that the lock file lacks", () => {
  for (const [name, job] of Object.entries(jobs)) expect(job["timeout-minutes"], name).toBeLessThanOrEqual(15)
  const node = steps.filter(({ uses }) => uses?.startsWith("actions/setup-node@"))
  expect(node.length).toBeGreaterThan(0)
  for (const step of node) expect(step.with).toEqual({ "node-version": 24, cache: "npm" })
  expect(workflow.env.npm_config_yes).toBe("false")
})

test.skipIf(!hasJq)("keeps one comment up to date, and touches no one else's", async () => {
  const cwd = cloneProject()
  const send = jobs.comment?.steps.at(-1)?.run
  const variables = {
    COMMENT: `${marker}\n<p>Flags</p>\n`,
    COMMENTS: "repos/a/b/issues/1/comments",
    ONE: "repos/a/b/issues/comments",
  }
  const others = [
    { id: 5, user: { login: "mallory" }, body: `${marker} not ours` },
    { id: 6, user: { login: "github-actions[bot]" }, body: "another bot's" },
  ]
  const ours = { id: 7, user: { login: "github-actions[bot]" }, body: `${marker}\n<p>before</p>` }
  for (const comments of [others, [...others, ours]]) {
    writeFileSync(join(cwd, "comments.json"), JSON.stringify(comments))
    await runScript(send, cwd, variables)
  }
  expect(readFileSync(join(cwd, "comment.md"), "utf8")).toBe(variables.COMMENT)
  const asked = readFileSync(join(cwd, "gh.log"), "utf8")
    .split("\n")
    .filter((line) => line.includes("--method"))
  expect(asked).toEqual([
    "api --method POST repos/a/b/issues/1/comments --field body=@comment.md --silent",
    "api --method PATCH repos/a/b/issues/comments/7 --field body=@comment.md --silent",
  ])
})

test("publishes what it built to the store, with the keys, at secret addresses", async () => {
  const cwd = cloneProject()
  await runScript("npx flagstone keys create staging --out secret.txt", cwd)
  const s3 = await startS3(["flags"], true)
  const variables = {
    ...s3.env,
    TARGET: "s3://flags/shop",
    FLAGSTONE_BASE_URL: "https://flags.example.com",
    FLAGSTONE_PATH_SECRET: "a-long-secret",
  }
  const passed = Object.keys(jobs.publish?.steps.at(-1)?.env ?? {})
  expect(passed).toEqual(
    expect.arrayContaining([
      ...Object.keys(variables),
      "FLAGSTONE_SIGNING_KEY",
      "FLAGSTONE_OLD_PATH_SECRET",
      "FLAGSTONE_PUBLISH_AUTHORIZATION",
      "FLAGSTONE_WAIT",
    ]),
  )
  const aws = jobs.publish?.steps.find(({ uses }) => uses?.startsWith("aws-actions/"))
  expect(aws?.if).toBe("vars.AWS_ROLE != ''") // other targets need none
  let output = ""
  try {
    for (const { run } of jobs.publish?.steps ?? []) {
      if (run !== undefined) output += await runScript(run, cwd, { ...workflow.env, ...variables })
    }
    const base = /^staging https:\/\/flags\.example\.com\/(staging-[0-9a-f]{32})$/m.exec(output)?.[1]
    const staging = await fetch(`${s3.url}/flags/shop/${base}/v1/flags`)
    expect(await staging.text()).toBe(readFileSync(join(cwd, "dist/staging.json"), "utf8"))
    expect(await (await fetch(`${s3.url}/flags/shop/keys.yaml`)).text()).toContain("id: staging-1")
  } finally {
    await s3.stop()
  }
  expect(output).toMatch(
    /^committed .* ago; proxies that read the address have it within 2 s and notify listeners; a CDN in between adds up to 30 s$/m,
  )
})

const linters = [
  ["actionlint", [file]],
  ["zizmor", ["--offline", "--quiet", file]],
  ["check-jsonschema", ["--builtin-schema", "vendor.github-workflows", file]],
] as const

for (const [linter, args] of linters) {
  test.skipIf(!isInstalled(linter, `docs/ci/flags.yaml by ${linter}`))(`passes ${linter}`, () => {
    const { status, stdout, stderr } = spawnSync(linter, args, { encoding: "utf8" })
    expect({ status, output: status === 0 ? "" : stdout + stderr }).toEqual({ status: 0, output: "" })
  })
}
