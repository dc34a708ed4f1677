// @module-tag system
// @module-tag slow
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { cloneProject, commit } from "./example-project.ts"
import { type Job, readWorkflow, runJob, type Step } from "./github-runner.ts"
import { runGitlabJob } from "./gitlab-runner.ts"
import { root } from "./pages.ts"

// The jobs of docs/ci/catalogue.yaml and catalogue.gitlab-ci.yml, run as their runners run them.

const gitlab = join(root, "docs/ci/catalogue.gitlab-ci.yml")

/** A clone with a flag that main does not have. */
function cloneWithNewFlag(): string {
  const cwd = cloneProject("flagstone docs ")
  writeFileSync(join(cwd, "flags/brand-new.yaml"), "defaultValue: true\n")
  commit(cwd, "a flag")
  return cwd
}

describe("docs/ci/catalogue.yaml", () => {
  const workflow = readWorkflow("docs/ci/catalogue.yaml")
  const { catalogue, pages }: Readonly<Record<string, Job>> = workflow.jobs
  const runOn = async (event_name: string, isPublic = true) => {
    const cwd = cloneWithNewFlag()
    const config = { cwd, github: { event_name, event: {} }, vars: { FLAGS_PAGES: `${isPublic}` } }
    const result = await runJob(catalogue as Job, config)
    expect(result.failed).toBeUndefined()
    return { cwd, ...result, uploads: result.used.filter(({ uses }) => uses.includes("/upload-")) }
  }

  test("attaches a page to a pull request, and names it in the summary", async () => {
    const { cwd, summary, uploads } = await runOn("pull_request")
    expect(uploads).toMatchObject([
      { uses: "actions/upload-artifact", with: { path: "every-flag.html", archive: "false" } },
    ])
    const page = readFileSync(join(cwd, "every-flag.html"), "utf8")
    expect(page).toContain('href="#flag=brand-new"')
    expect(page).toContain("Changed by this branch: 1 flag")
    expect(summary).toContain("(https://github.example/7)")
  })

  test("puts main's on Pages, if the repository says so", async () => {
    const { cwd, uploads } = await runOn("push")
    expect(readFileSync(join(cwd, "site/index.html"), "utf8")).toContain('href="#flag=brand-new"')
    expect(uploads).toEqual([{ uses: "actions/upload-pages-artifact", with: { path: "site" } }])
    expect((await runOn("push", false)).uploads).toEqual([])
    expect(pages?.if).toBe(catalogue?.steps.at(-1)?.if)
  })

  test("pins its actions; the job that may publish runs nothing of the repository", () => {
    const all: readonly Step[] = [...(catalogue?.steps ?? []), ...(pages?.steps ?? [])]
    const pinned = /^(<owner>\/flagstone@<commit>|actions\/[a-z-]+@[0-9a-f]{40})$/
    expect(all.filter(({ uses }) => uses !== undefined && !pinned.test(uses))).toEqual([])
    expect(all.filter(({ run }) => run?.includes("${{"))).toEqual([])
    expect([workflow.permissions, catalogue?.permissions]).toEqual([{}, { contents: "read" }])
    expect(pages?.permissions).toEqual({ pages: "write", "id-token": "write" })
    expect(pages?.steps.map(({ uses }) => uses?.replace(/@.*/, ""))).toEqual(["actions/deploy-pages"])
  })
})

describe("docs/ci/catalogue.gitlab-ci.yml", () => {
  const jobs = parse(readFileSync(gitlab, "utf8"))

  test.each([
    ["catalogue", "every-flag.html"],
    ["pages", "public/index.html"],
  ])("the job %s leaves %s", async (name, path) => {
    const cwd = cloneWithNewFlag()
    await runGitlabJob(name, jobs, cwd)
    expect(readFileSync(join(cwd, path), "utf8")).toContain('href="#flag=brand-new"')
    expect(jobs[name].artifacts.paths).toEqual([path.split("/")[0]])
  })

  test("a merge request links to it", () => {
    expect(jobs.catalogue.artifacts.expose_as).toBe("Every flag")
  })
})
