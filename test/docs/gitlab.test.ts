// @module-tag system
// @module-tag slow
import { once } from "node:events"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { cloneProject, commit, git } from "./example-project.ts"
import { failingEdits } from "./failing-edits.ts"
import { flagsFile, type GitlabJobs, runGitlabJob } from "./gitlab-runner.ts"
import { managers } from "./package-managers.ts"
import { root } from "./pages.ts"
import { projectWithLock } from "./project-with-lock.ts"
import { runScript } from "./runner.ts"

/** The first line of every comment of `diff --format markdown` on this project. */
const marker = "<!-- flagstone-diff shop -->"

// The jobs of docs/ci/flags.gitlab-ci.yml, run as GitLab's runner runs them.

const jobs: GitlabJobs = parse(readFileSync(flagsFile, "utf8"))

const runJob = (name: string, cwd: string, variables: Readonly<Record<string, string>>) =>
  runGitlabJob(name, jobs, cwd, variables)

const flag = "defaultValue: true\ndescription: '@torvalds'\n"

test("checks a merge request, and leaves its diff and the Code Quality report", async () => {
  const cwd = cloneProject("flagstone docs ")
  const base = git(cwd, "rev-parse", "HEAD").trim()
  writeFileSync(join(cwd, "flags/brand-new.yaml"), flag)
  commit(cwd, "a flag")
  expect(await runJob("flags", cwd, { CI_MERGE_REQUEST_DIFF_BASE_SHA: base })).toContain(
    "14 flags, 1 segment and 13 specs checked",
  )
  expect(readFileSync(join(cwd, "flags-diff.md"), "utf8")).toContain("`brand-new`")
  expect(readFileSync(join(cwd, "flags-quality.json"), "utf8")).toBe("[]\n")
})

test("reports mistakes before it fails, and passes the merge request that fixes a broken main", async () => {
  const cwd = cloneProject("flagstone docs ")
  writeFileSync(join(cwd, "flags/new.yaml"), "defaultValue: maybe\n")
  commit(cwd, "a mistake")
  const base = git(cwd, "rev-parse", "HEAD").trim()
  await expect(runJob("flags", cwd, {})).rejects.toThrow("1 error")
  const [found] = JSON.parse(readFileSync(join(cwd, "flags-quality.json"), "utf8"))
  expect(found).toMatchObject({ check_name: "wrong-value-type", location: { path: "flags/new.yaml" } })
  writeFileSync(join(cwd, "flags/new.yaml"), flag)
  commit(cwd, "its fix")
  await runJob("flags", cwd, { CI_MERGE_REQUEST_DIFF_BASE_SHA: base })
  expect(readFileSync(join(cwd, "flags-diff.md"), "utf8")).toContain("1 flag is not compared")
})

test.each(failingEdits)(
  "fails where %s does, and leaves its diff all the same",
  async (_, path, edit, message) => {
    const cwd = cloneProject("flagstone docs ")
    const base = git(cwd, "rev-parse", "HEAD").trim()
    writeFileSync(join(cwd, path), edit(readFileSync(join(cwd, path), "utf8")))
    writeFileSync(join(cwd, "flags/brand-new.yaml"), flag)
    commit(cwd, "a mistake and a flag")
    await expect(runJob("flags", cwd, { CI_MERGE_REQUEST_DIFF_BASE_SHA: base })).rejects.toThrow(message)
    expect(readFileSync(join(cwd, "flags-diff.md"), "utf8")).toContain("`brand-new`")
    expect(existsSync(join(cwd, "dist"))).toBe(false)
  },
)

test("warnings fail it unless a label accepts them, and the note is still written", async () => {
  const cwd = cloneProject("flagstone docs ")
  const base = git(cwd, "rev-parse", "HEAD").trim()
  const project = join(cwd, "flags/project.yaml")
  writeFileSync(project, readFileSync(project, "utf8").replace("project: shop", "project: store"))
  commit(cwd, "a new name")
  const lines = jobs.flags?.script?.filter((line) => line.includes("flagstone diff"))
  expect(lines).toHaveLength(2)
  const diff = (labels: Readonly<Record<string, string>>) =>
    runScript(lines?.join("\n"), cwd, { FLAGSTONE_FLAGS: "flags", base, ...labels }, ["-eo", "pipefail"])
  const note = () => readFileSync(join(cwd, "flags-diff.md"), "utf8")
  await expect(diff({})).rejects.toThrow("run with --accept project-renamed")
  expect(note()).toContain("`project-renamed`: ")
  await diff({
    CI_MERGE_REQUEST_LABELS: "bug,flagstone:accept-type-changed,flagstone:accept-project-renamed",
  })
  expect(note()).toContain("### Accepted warnings\n\n- `flags/project.yaml:2` `project-renamed`: ")
  expect(jobs["flags-note"]?.rules).toMatchObject([{ when: "always" }])
})

test("a merged result is compared with the target branch, and a change without flags ends immediately", async () => {
  const cwd = cloneProject("flagstone docs ")
  const base = git(cwd, "rev-parse", "HEAD").trim()
  git(cwd, "switch", "-q", "-c", "topic")
  writeFileSync(join(cwd, "README.md"), "shop\n")
  commit(cwd, "a page")
  git(cwd, "switch", "-q", "main")
  writeFileSync(join(cwd, "flags/others.yaml"), flag)
  commit(cwd, "someone else's flag")
  const target = git(cwd, "rev-parse", "HEAD").trim()
  git(cwd, "merge", "-q", "--no-edit", "topic")
  const variables = { CI_MERGE_REQUEST_DIFF_BASE_SHA: base, CI_MERGE_REQUEST_TARGET_BRANCH_SHA: target }
  expect(await runJob("flags", cwd, variables)).toBe("This merge request changes no flag.\n")
})

test("keeps one note up to date, and touches no one else's", async () => {
  const cwd = cloneProject("flagstone docs ")
  const notes: { id: number; author: { id: number }; body: string }[] = [
    { id: 1, author: { id: 7 }, body: `${marker} not ours` },
    { id: 2, author: { id: 42 }, body: "<!-- flagstone-diff shop-2 -->\nof a different project" },
  ]
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const { method, url = "", headers } = request
    const body = new URLSearchParams(await text(request)).get("body") ?? ""
    if (method !== "GET") asked.push(`${method} ${url}`)
    if (headers["private-token"] !== "glpat-secret") response.statusCode = 401
    if (method === "POST") notes.push({ id: 3, author: { id: 42 }, body })
    for (const note of notes) if (method === "PUT" && url.endsWith(`/${note.id}`)) note.body = body
    response.end(JSON.stringify(url === "/api/v4/user" ? { id: 42 } : notes))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as { port: number }
  const variables = {
    CI_API_V4_URL: `http://127.0.0.1:${port}/api/v4`,
    CI_MERGE_REQUEST_PROJECT_ID: "9",
    CI_MERGE_REQUEST_IID: "5",
    FLAGS_NOTE_TOKEN: "glpat-secret",
  }
  try {
    expect(await runJob("flags-note", cwd, variables)).toBe("") // the merge request changes no flag
    writeFileSync(join(cwd, "flags-diff.md"), "") // `diff` could not run
    expect(await runJob("flags-note", cwd, variables)).toBe("")
    for (const state of ["first", "second & last"]) {
      writeFileSync(join(cwd, "flags-diff.md"), `${marker}\n<p>${state}</p>\n`)
      expect(await runJob("flags-note", cwd, variables)).not.toContain("glpat")
    }
    const wrong = { ...variables, FLAGS_NOTE_TOKEN: "another" }
    await expect(runJob("flags-note", cwd, wrong)).rejects.toThrow("401")
  } finally {
    server.close()
  }
  expect(asked).toEqual([
    "POST /api/v4/projects/9/merge_requests/5/notes",
    "PUT /api/v4/projects/9/merge_requests/5/notes/3",
  ])
  expect(notes.map(({ body }) => body)).toEqual([
    `${marker} not ours`,
    "<!-- flagstone-diff shop-2 -->\nof a different project",
    `${marker}\n<p>second & last</p>\n`,
  ])
})

test("publishes what it built, with the keys", async () => {
  const cwd = cloneProject("flagstone docs ")
  await runScript("npx flagstone keys create staging --out secret.txt", cwd)
  mkdirSync(join(cwd, "store"))
  expect(await runJob("flags-publish", cwd, { FLAGS_TARGET: "store" })).toContain("staging")
  expect(readFileSync(join(cwd, "store/manifest.json"), "utf8")).toContain('"staging"')
  expect(readFileSync(join(cwd, "store/keys.yaml"), "utf8")).toContain("id: staging-1")
})

const linked = managers.filter(({ name }) => name !== "Yarn 4 with pnp")
test.each(linked)("runs the Flagstone of the lock file of $name", async (manager) => {
  const printed = await runJob("flags", projectWithLock(manager), { PATH: manager.path })
  expect(printed).toContain("the project's")
  expect(printed).toContain("dist/production.json: 13 flags")
})

test("ends in time, and fetches nothing that the lock file lacks", () => {
  expect(jobs[".flags"]).toMatchObject({ timeout: "10 minutes", variables: { npm_config_yes: "false" } })
  const others = Object.entries(jobs).filter(([name]) => !name.startsWith("."))
  expect(others.map(([, job]) => job.extends)).toEqual(others.map(() => ".flags"))
})

const component = readFileSync(join(root, "templates/flags/template.yml"), "utf8")
const [header = "", content = ""] = component.split(/^---\n/m)
const { inputs } = parse(header).spec as { inputs: Readonly<Record<string, { default: string }>> }

test("the file for those who cannot include the component is the component with its defaults", async () => {
  const uses = [...content.matchAll(/\$\[\[ inputs\.(\w+) \]\]/g)].map(([, name]) => name)
  expect(new Set(uses)).toEqual(new Set(Object.keys(inputs)))
  const filled = content.replace(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name) => inputs[name]?.default ?? "")
  const [first, second] = readFileSync(flagsFile, "utf8").split("\n") // how to save it
  await expect(`${first}\n${second}\n${filled}`).toMatchFileSnapshot(flagsFile)
})
