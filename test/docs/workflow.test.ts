// @module-tag system
// @module-tag slow
// @module-tag long
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { json } from "node:stream/consumers"
import { expect, test } from "vitest"
import { startS3 } from "../servers/s3.ts"
import { cloneProject, commit, git } from "./example-project.ts"
import { failingEdits } from "./failing-edits.ts"
import { isMet, type Job, type RunnerConfig, readWorkflow, runJob, type Step } from "./github-runner.ts"
import { managers } from "./package-managers.ts"
import { root } from "./pages.ts"
import { projectWithLock } from "./project-with-lock.ts"
import { runScript } from "./runner.ts"

// The jobs of .github/workflows/flags-*.yaml with the steps of action.yml, run as GitHub's runner runs them, and the
// workflows of docs/ci that call them.

const names = ["flags-check", "flags-publish", "flags-lane"]
const called = names.map((name) => readWorkflow(`.github/workflows/${name}.yaml`))
const { check, comment, scan }: Readonly<Record<string, Job>> = called[0].jobs
const publish: Job = called[1].jobs.publish
const allJobs: readonly (readonly [string, Job])[] = called.flatMap(({ jobs }) => Object.entries<Job>(jobs))
const actionSteps: readonly Step[] = readWorkflow("action.yml").runs.steps

const clone = () => cloneProject("flagstone docs ")
const flag = "defaultValue: true\ndescription: '@torvalds'\n"

const pullRequest = (labels: readonly string[] = [], from = "acme/shop") => ({
  event_name: "pull_request",
  repository: "acme/shop",
  event: {
    repository: { private: false },
    pull_request: {
      ...{ number: 12, labels: labels.map((name) => ({ name })), head: { repo: { full_name: from } } },
    },
  },
})

/** Runs the job that checks, by default for a pull request. */
async function runCheck(cwd: string, config: Partial<RunnerConfig> = {}) {
  return await runJob(check as Job, { cwd, github: pullRequest(), ...config })
}

const sarifOf = (temp: string) => JSON.parse(readFileSync(join(temp, "flags.sarif"), "utf8")).runs[0].results

test("checks a pull request, hands on its diff, and leaves a SARIF log", async () => {
  const cwd = clone()
  writeFileSync(join(cwd, "flags/brand-new.yaml"), flag)
  commit(cwd, "a flag")
  const { failed, printed, summary, outputs, used, temp } = await runCheck(cwd)
  expect(failed).toBeUndefined()
  expect(printed).toContain("14 flags, 1 segment and 13 specs checked: no mistakes")
  expect(printed).not.toContain("fast lane") // it has none
  expect(summary).toContain("`brand-new`")
  expect(`${outputs.comment}\n`).toBe(summary)
  expect(sarifOf(temp)).toEqual([])
  expect(used.map(({ uses }) => uses)).toEqual([
    ...["actions/checkout", "actions/checkout", "actions/setup-node", "actions/upload-artifact"],
  ])
  expect(used.at(-1)?.with.path).toBe(join(temp, "flags.sarif"))
  expect(used[0]?.with).toMatchObject({ "fetch-depth": "2", "persist-credentials": "false" })
  expect(used[1]?.with).toMatchObject({ "fetch-depth": "0", "persist-credentials": "false" })
  expect(used[2]?.with).toMatchObject({ "node-version": "24", cache: "" })
})

test("is green for the pull request that fixes a broken main, and red for the one that broke it", async () => {
  const cwd = clone()
  writeFileSync(join(cwd, "flags/new.yaml"), "defaultValue: maybe\n")
  commit(cwd, "a mistake")
  const broken = await runCheck(cwd)
  expect(broken.failed).toContain("1 error")
  expect(sarifOf(broken.temp)).toHaveLength(1)
  expect(broken.outputs).toEqual({ comment: "", sarif: "7" })
  writeFileSync(join(cwd, "flags/new.yaml"), flag)
  commit(cwd, "its fix")
  expect(await runCheck(cwd)).toMatchObject({
    failed: undefined,
    summary: expect.stringContaining("1 flag is not compared"),
  })
})

test.each(failingEdits)(
  "fails where %s does, and hands its diff on all the same",
  async (_, path, edit, message) => {
    const cwd = clone()
    writeFileSync(join(cwd, path), edit(readFileSync(join(cwd, path), "utf8")))
    writeFileSync(join(cwd, "flags/brand-new.yaml"), flag)
    commit(cwd, "a mistake and a flag")
    const { failed, outputs } = await runCheck(cwd)
    expect(failed).toContain(message)
    expect(outputs.comment).toContain("`brand-new`")
    expect(existsSync(join(cwd, "dist"))).toBe(false)
  },
)

test("warnings fail it unless a label accepts them, and it still hands its diff on", async () => {
  const cwd = clone()
  const project = join(cwd, "flags/project.yaml")
  writeFileSync(project, readFileSync(project, "utf8").replace("project: shop", "project: store"))
  commit(cwd, "a new name")
  const withLabels = (...labels: readonly string[]) => runCheck(cwd, { github: pullRequest(labels) })
  const refused = await withLabels("bug", "flagstone:accept-type-changed")
  expect(refused.failed).toContain("run with --accept project-renamed")
  expect(refused.outputs.comment).toContain("`project-renamed`: ")
  const accepted = await withLabels("bug", "flagstone:accept-project-renamed")
  expect(accepted.failed).toBeUndefined()
  expect(accepted.summary).toContain("### Accepted warnings\n\n- `flags/project.yaml:2` `project-renamed`")
  expect((await withLabels("flagstone:accept-project")).failed).toContain("diff has no warning")
})

test("in the fast lane, warnings need no label", async () => {
  const cwd = clone()
  const project = join(cwd, "flags/project.yaml")
  writeFileSync(
    project,
    `${readFileSync(project, "utf8")}fastLane:\n  - { environments: [production], gives: default }\n`,
  )
  commit(cwd, "a lane")
  await runScript("npx flagstone set express-pay --in production --off", cwd)
  commit(cwd, "a kill switch")
  const { failed, printed, summary } = await runCheck(cwd)
  expect(printed).toContain("inside the fast lane")
  expect({ failed, warns: summary.includes("users-lose") }).toEqual({ failed: undefined, warns: true })
})

test("ends at once for a pull request that changes no flag", async () => {
  const cwd = clone()
  const bin = mkdtempSync(join(tmpdir(), "flagstone-no-npm-"))
  writeFileSync(join(bin, "npm"), "#!/bin/sh\nexit 1\n", { mode: 0o755 }) // what follows is not asked here
  const env = { PATH: `${bin}:${process.env.PATH}` }
  const uses = async () => (await runCheck(cwd, { env })).used.map(({ uses }) => uses)
  writeFileSync(join(cwd, "README.md"), "shop\n")
  commit(cwd, "a page")
  expect(await uses()).toEqual(["actions/checkout"])
  for (const path of [
    "apps/web/pnpm-lock.yaml",
    "apps/web/npm-shrinkwrap.json",
    "keys.yaml",
    ".gitattributes",
    "flags/brand-new.yaml",
    ".github/workflows/a.yaml",
  ]) {
    mkdirSync(join(cwd, path, ".."), { recursive: true })
    writeFileSync(join(cwd, path), flag)
    git(cwd, "add", "--force", path) // this repository ignores its key file
    commit(cwd, path)
    expect(await uses(), path).toContain("actions/setup-node")
  }
})

test("checks a push without a diff", async () => {
  const github = { event_name: "push", event: {} }
  const { failed, printed, summary, outputs } = await runCheck(clone(), { github })
  expect({ failed, summary, outputs }).toEqual({
    failed: undefined,
    summary: "",
    outputs: { comment: "", sarif: "7" },
  })
  expect(printed).toContain("dist/production.json")
})

test("comments and scans where the token may, whether the check is red or not", () => {
  const needs = (outputs: object) => ({ check: { outputs } })
  const all = needs({ comment: "text", sarif: "7" })
  const runs = (github: object, outputs: object = all, vars = {}) =>
    [comment, scan].map((job) => isMet(job?.if, { github, needs: outputs, vars }, false))
  expect(runs(pullRequest())).toEqual([true, true])
  expect(runs(pullRequest([], "mallory/shop"))).toEqual([false, false])
  expect(runs(pullRequest(), needs({ comment: "", sarif: "" }))).toEqual([false, false])
  const pushed = { event_name: "push", event: { repository: { private: true } } }
  expect(runs(pushed)).toEqual([false, false])
  expect(runs(pushed, all, { FLAGS_CODE_SCANNING: "true" })).toEqual([false, true])
  expect(runs({ event_name: "merge_group", event: { repository: {} } })).toEqual([false, false])
})

test("the comment is written by this repository's Flagstone, whatever the pull request has", async () => {
  const cwd = clone()
  writeFileSync(join(cwd, "package-lock.json"), '{ "packages": { "node_modules/flagstone": {} } }')
  mkdirSync(join(cwd, "bin"))
  writeFileSync(join(cwd, "bin/flagstone"), "#!/bin/sh\ntouch pwned\n", { mode: 0o755 })
  const sent: unknown[] = []
  const server = createServer(async (request, response) => {
    if (request.method === "POST") sent.push(request.url, request.headers.authorization, await json(request))
    response.end("[]")
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as { readonly port: number }
  // biome-ignore lint/suspicious/noTemplateCurlyInString: GitHub's own
  const body = "<!-- flagstone-diff shop -->\n'\"$(touch pwned)` ${{ github.token }}"
  const { failed, printed } = await runJob(comment as Job, {
    cwd,
    github: { ...pullRequest(), token: "ghs_secret" },
    needs: { check: { outputs: { comment: body } } },
    env: {
      GITHUB_API_URL: `http://127.0.0.1:${port}`,
      GITHUB_REPOSITORY: "acme/shop",
      GITHUB_REF: "refs/pull/12/merge",
    },
  }).finally(() => server.close())
  expect({ failed, printed }).toEqual({ failed: undefined, printed: "comment written\n" })
  expect(sent).toEqual([
    ...["/repos/acme/shop/issues/12/comments", "Bearer ghs_secret", { body: `${body}\n` }],
  ])
  expect(existsSync(join(cwd, "pwned"))).toBe(false)
  expect(JSON.stringify(comment)).not.toContain("checkout")
})

test("two projects of a repository have separate artifacts, comments, alerts and targets", async () => {
  const cwd = clone()
  for (const name of ["one", "two"]) {
    mkdirSync(join(cwd, `services/my ${name}`), { recursive: true })
    cpSync(join(cwd, "flags"), join(cwd, `services/my ${name}/flags`), { recursive: true })
    writeFileSync(
      join(cwd, `services/my ${name}/flags/project.yaml`),
      readFileSync(join(cwd, "flags/project.yaml"), "utf8").replace("project: shop", `project: ${name}`),
    )
  }
  git(cwd, "rm", "-rq", "flags")
  commit(cwd, "two projects")
  const found: unknown[] = []
  for (const name of ["one", "two"]) {
    writeFileSync(join(cwd, `services/my ${name}/flags/brand-new.yaml`), flag)
    commit(cwd, "a flag")
    const inputs = { "working-directory": `services/my ${name}`, target: `${name} store`, "base-url": "" }
    const { outputs, used } = await runCheck(cwd, { inputs })
    const scanned = await runJob(scan as Job, {
      cwd,
      github: pullRequest(),
      inputs,
      needs: { check: { outputs } },
    })
    const config = { cwd, github: { event_name: "push", event: {} }, inputs, vars: { FLAGS_TARGET: "store" } }
    mkdirSync(join(cwd, inputs["working-directory"], inputs.target))
    expect((await runJob(publish, config)).failed).toBeUndefined()
    expect(readdirSync(join(cwd, inputs["working-directory"], inputs.target))).toContain("manifest.json")
    const [, downloaded, uploaded] = scanned.used
    found.push([
      used.at(-1)?.with.name,
      outputs.comment?.split("\n")[0],
      downloaded?.with,
      uploaded?.with.category,
    ])
  }
  expect(found).toEqual(
    ["one", "two"].map((name) => [
      `flags-sarif-services-my-${name}-flags`,
      `<!-- flagstone-diff ${name} -->`,
      { "artifact-ids": "7" },
      `flagstone/services/my ${name}/flags`,
    ]),
  )
})

test.each(managers)(
  "runs the Flagstone of the lock file of $name, in or above the project's folder",
  async (manager) => {
    const run = (cwd: string, folder: string) => {
      const uses = {
        uses: "$/.github/action",
        with: { command: "build", "working-directory": folder, flags: "flags" },
      }
      const config = { cwd, env: { PATH: manager.path }, github: { event_name: "push", event: {} } }
      return runJob({ permissions: {}, steps: [uses] }, config)
    }
    const cwd = projectWithLock(manager)
    const { failed, printed, used } = await run(cwd, ".")
    expect(failed).toBeUndefined()
    expect(printed).toContain("the project's")
    const node = used.find(({ uses }) => uses === "actions/setup-node")
    expect(node?.with.cache).toBe(manager.name === "npm" ? "npm" : "")

    const below = projectWithLock(manager, "services/my shop")
    mkdirSync(join(below, "services/my shop/api"))
    git(below, "mv", "flags", "services/my shop/api/flags")
    commit(below, "a folder")
    const moved = await run(below, "services/my shop/api")
    expect(moved.failed).toBeUndefined()
    expect(moved.printed).toContain("the project's")
    expect(existsSync(join(below, "services/my shop/api/dist/production.json"))).toBe(true)
  },
  120_000,
)

test("installs it for later steps", async () => {
  const [npm] = managers
  if (npm === undefined) throw new Error("no package manager")
  const uses = { uses: "$/.github/action", with: { command: "install" } }
  const job: Job = { permissions: {}, steps: [uses, { run: '"$RUNNER_TEMP/flagstone-bin/flagstone" lint' }] }
  const config = {
    cwd: projectWithLock(npm),
    env: { PATH: npm.path },
    github: { event_name: "push", event: {} },
  }
  const { failed, printed } = await runJob(job, config)
  expect(failed).toBeUndefined()
  expect(printed).toContain("the project's")
})

test("without one, runs its own from a clone of this repository", async () => {
  const action = join(mkdtempSync(join(tmpdir(), "flagstone action ")), "acme flagstone")
  git(root, "clone", "-q", "--depth", "1", `file://${root}`, action)
  const PATH = `${join(root, "node_modules/.bin")}:${process.env.PATH}`
  const cwd = clone()
  spawnSync("rm", ["node_modules"], { cwd })
  const env = { PATH, npm_config_prefer_offline: "true" }
  const { failed, printed } = await runCheck(cwd, { action, env, github: { event_name: "push", event: {} } })
  expect(failed).toBeUndefined()
  expect(printed).toContain("13 flags, 1 segment and 13 specs checked: no mistakes")
  expect(existsSync(join(action, "node_modules/vitest"))).toBe(false)
}, 240_000)

test("publishes what it built to the store, with the keys, at secret addresses", async () => {
  const cwd = clone()
  await runScript("npx flagstone keys create staging --out secret.txt", cwd)
  const s3 = await startS3(["flags"], true)
  const config = {
    ...{ cwd, github: { event_name: "push", event: {} }, env: s3.env },
    vars: {
      ...{ FLAGS_TARGET: "s3://flags/shop", FLAGS_BASE_URL: "https://flags.example.com" },
      ...{ AWS_ENDPOINT_URL_S3: s3.env.AWS_ENDPOINT_URL_S3, AWS_REGION: s3.env.AWS_REGION },
      FLAGS_ATTEST: "true",
    },
    secrets: { FLAGSTONE_PATH_SECRET: "a-long-secret" },
  }
  expect(isMet(publish.if, config)).toBe(true)
  expect(isMet(publish.if, { ...config, vars: {} })).toBe(false)
  try {
    const { failed, printed, used } = await runJob(publish, config)
    expect(failed).toBeUndefined()
    // Dependencies' install scripts, specs and flags must not see what publishing needs.
    expect(JSON.stringify(publish.steps.slice(0, -1))).not.toMatch(/secrets\./)
    expect(used.slice(2)).toEqual([
      { uses: "actions/attest-build-provenance", with: { "subject-path": "./dist/*.json" } },
    ])
    const base = /^staging https:\/\/flags\.example\.com\/(staging-[0-9a-f]{32})$/m.exec(printed)?.[1]
    const staging = await fetch(`${s3.url}/flags/shop/${base}/v1/flags`)
    expect(await staging.text()).toBe(readFileSync(join(cwd, "dist/staging.json"), "utf8"))
    expect(await (await fetch(`${s3.url}/flags/shop/keys.yaml`)).text()).toContain("id: staging-1")
    expect(printed).toMatch(/^committed .* ago; proxies that read the URL have it within 2 s/m)
  } finally {
    await s3.stop()
  }
})

test("lists stale flags, and makes the catalogue", async () => {
  const cwd = clone()
  writeFileSync(join(cwd, "flags/old-hints.yaml"), "defaultValue: false\nowner: '@a'\nexpires: 2026-01-31\n")
  commit(cwd, "a flag")
  const step = (given: object): Job => ({
    permissions: {},
    steps: [{ id: "flags", uses: "$/.github/action", with: { ...given } }],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: GitHub's own
    outputs: { stale: "${{ steps.flags.outputs.stale }}" },
  })
  const stale = await runJob(step({ command: "stale" }), { cwd, github: pullRequest() })
  expect(stale.outputs.stale).toMatch(/^\| `old-hints` \| .*expired since 2026-01-31/m)
  await runJob(step({ command: "catalogue", out: "site/index.html" }), { cwd, github: pullRequest() })
  expect(readFileSync(join(cwd, "site/index.html"), "utf8")).toContain("Changed by this branch: 1 flag")
  const unknown = await runJob(step({ command: "$(touch pwned)" }), { cwd, github: pullRequest() })
  expect(unknown.failed).toContain("has no command")
  // It installs and builds nothing itself, because it may have secrets.
  const early = await runJob(step({ command: "publish", target: "store" }), { cwd, github: pullRequest() })
  expect(early.failed).toContain("with the command build")
  expect(existsSync(join(cwd, "pwned"))).toBe(false)
})

test("pins actions, gives no right that a job does not need, and puts no foreign text into a script", () => {
  expect(called.map(({ permissions }) => permissions)).toEqual([{}, {}, {}])
  expect(Object.fromEntries(allJobs.map(([name, job]) => [name, job.permissions]))).toEqual({
    check: { contents: "read" },
    comment: { "pull-requests": "write" },
    scan: { contents: "read", actions: "read", "security-events": "write" },
    publish: { contents: "read", "id-token": "write", attestations: "write" },
    lane: { contents: "read", "pull-requests": "read" },
  })
  for (const [name, job] of allJobs) expect(job["timeout-minutes"], name).toBeLessThanOrEqual(15)
  const steps = [...allJobs.flatMap(([, job]) => job.steps), ...actionSteps]
  const ours =
    /^(\$\/\.github\/action|((aws-)?actions\/[a-z-]+|github\/codeql-action\/upload-sarif)@[0-9a-f]{40})$/
  expect(steps.filter(({ uses }) => uses !== undefined && !ours.test(uses))).toEqual([])
  expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([])
  expect(allJobs.flatMap(([, job]) => job.steps).filter(({ run }) => run !== undefined)).toEqual([])
  expect(allJobs.filter(([, job]) => JSON.stringify(job).includes("secrets.")).map(([name]) => name)).toEqual(
    ["publish"],
  )
})
