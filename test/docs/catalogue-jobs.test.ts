// @module-tag system
// @module-tag slow
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { cloneProject, commit } from "./example-project.ts"
import { root } from "./pages.ts"
import { isInstalled, runScript } from "./runner.ts"

// The jobs of docs/ci/catalogue.yaml and catalogue.gitlab-ci.yml, run as their runners run them.

const github = join(root, "docs/ci/catalogue.yaml")
const gitlab = join(root, "docs/ci/catalogue.gitlab-ci.yml")

/** A clone with a flag that main does not have. */
function cloneWithNewFlag(): string {
  const cwd = cloneProject()
  writeFileSync(join(cwd, "flags/brand-new.yaml"), "defaultValue: true\n")
  commit(cwd, "a flag")
  return cwd
}

describe("docs/ci/catalogue.yaml", () => {
  interface Step {
    readonly if?: string
    readonly run?: string
    readonly uses?: string
    readonly env?: object
    readonly with?: Readonly<Record<string, unknown>>
  }
  const workflow = parse(readFileSync(github, "utf8"))
  const steps: readonly Step[] = workflow.jobs.catalogue.steps
  const stepsOn = (event: string, isPublic = true) =>
    steps.filter(({ if: condition = "true" }) =>
      new Function("github", "vars", `return ${condition}`)(
        { event_name: event },
        { FLAGS_PAGES: `${isPublic}` },
      ),
    )
  const uses = (all: readonly Step[]) => all.map(({ uses = "" }) => uses.replace(/@.*/, ""))

  async function runOn(event: string): Promise<string> {
    const cwd = cloneWithNewFlag()
    const variables = { ...workflow.env, GITHUB_STEP_SUMMARY: "summary", PAGE: "https://github.example/1" }
    for (const { run } of stepsOn(event)) if (run !== undefined) await runScript(run, cwd, variables)
    return cwd
  }

  test("attaches a page to a pull request, and names it in the summary", async () => {
    const cwd = await runOn("pull_request")
    const upload = stepsOn("pull_request").find(({ uses }) => uses?.startsWith("actions/upload-artifact@"))
    expect(upload?.with).toMatchObject({ path: "every-flag.html", archive: false })
    const page = readFileSync(join(cwd, "every-flag.html"), "utf8")
    expect(page).toContain('href="#flag=brand-new"')
    expect(page).toContain("Changed by this branch: 1 flag")
    expect(readFileSync(join(cwd, "summary"), "utf8")).toContain("(https://github.example/1)")
    expect(uses(stepsOn("pull_request"))).not.toContain("actions/upload-pages-artifact")
  })

  test("puts main's on Pages, if the repository says so", async () => {
    const cwd = await runOn("push")
    expect(readFileSync(join(cwd, "site/index.html"), "utf8")).toContain('href="#flag=brand-new"')
    const upload = stepsOn("push").at(-1)
    expect([upload?.uses?.split("@")[0], upload?.with]).toEqual([
      "actions/upload-pages-artifact",
      { path: "site" },
    ])
    expect(uses(stepsOn("push", false))).not.toContain("actions/upload-pages-artifact")
    expect(workflow.jobs.pages.if).toBe(upload?.if)
  })

  test("pins its actions; the job that may publish runs nothing of the repository", () => {
    const all: readonly Step[] = [...steps, ...workflow.jobs.pages.steps]
    const pinned = /^actions\/[a-z-]+@[0-9a-f]{40}$/
    expect(all.filter(({ uses }) => uses !== undefined && !pinned.test(uses))).toEqual([])
    expect(all.filter(({ run }) => run?.includes("${{"))).toEqual([])
    expect([workflow.permissions, workflow.jobs.catalogue.permissions]).toEqual([{}, { contents: "read" }])
    expect(workflow.jobs.pages.permissions).toEqual({ pages: "write", "id-token": "write" })
    expect(uses(workflow.jobs.pages.steps)).toEqual(["actions/deploy-pages"])
    expect(workflow.env.npm_config_yes).toBe("false")
  })
})

describe("docs/ci/catalogue.gitlab-ci.yml", () => {
  const jobs = parse(readFileSync(gitlab, "utf8"))

  test.each([
    ["catalogue", "every-flag.html"],
    ["pages", "public/index.html"],
  ])("the job %s leaves %s", async (name, path) => {
    const cwd = cloneWithNewFlag()
    const variables = { ...jobs[".catalogue"].variables, npm_config_cache: "", GITLAB_CI: "true" }
    await runScript(jobs[name].script.join("\n"), cwd, variables, ["-eo", "pipefail"])
    expect(readFileSync(join(cwd, path), "utf8")).toContain('href="#flag=brand-new"')
    expect(jobs[name].artifacts.paths).toEqual([path.split("/")[0]])
    expect(jobs[name].extends).toBe(".catalogue")
  })

  test("a merge request links to it; main's is published if the project says so", () => {
    expect(jobs.catalogue.artifacts.expose_as).toBe("Every flag")
    expect(jobs.pages.rules[0].if).toContain('$FLAGS_PAGES == "true"')
  })
})

const linters = [
  ["actionlint", github, [github]],
  ["zizmor", github, ["--offline", "--quiet", github]],
  ["check-jsonschema", github, ["--builtin-schema", "vendor.github-workflows", github]],
  [
    "check-jsonschema",
    gitlab,
    ["--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci", gitlab],
  ],
] as const

for (const [linter, file, args] of linters) {
  const name = file.slice(root.length + 1)
  test.skipIf(!isInstalled(linter, `${name} by ${linter}`))(`${name} passes ${linter}`, () => {
    const { status, stdout, stderr } = spawnSync(linter, args, { encoding: "utf8" })
    expect({ status, output: status === 0 ? "" : stdout + stderr }).toEqual({ status: 0, output: "" })
  })
}
