// @module-tag system
// @module-tag slow
import { once } from "node:events"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { cloneProject, commit } from "./example-project.ts"
import { readWorkflow, runJob } from "./github-runner.ts"
import { extendedJob, runGitlabJob } from "./gitlab-runner.ts"
import { root } from "./pages.ts"
import { isInstalled, runScript } from "./runner.ts"

// The jobs of docs/ci/stale.yaml and stale.gitlab-ci.yml, run as their runners run them.

const gitlab = join(root, "docs/ci/stale.gitlab-ci.yml")
const marker = "<!-- flagstone-stale -->"

/** A clone in which a flag has expired. */
function cloneWithStaleFlag(): string {
  const cwd = cloneProject("flagstone docs ")
  writeFileSync(
    join(cwd, "flags/old-hints.yaml"),
    "defaultValue: false\nowner: '@torvalds'\nexpires: 2026-01-31\n",
  )
  commit(cwd, "a flag")
  return cwd
}

const head = "| flag | why | keep | blocked by | owner |\n"
const none = "No flag is stale.\n"

describe("docs/ci/stale.yaml", () => {
  const workflow = readWorkflow("docs/ci/stale.yaml")
  const { stale, issue } = workflow.jobs
  const send = issue.steps[0].run

  test("lists the stale flags in the summary, and hands the list on", async () => {
    const cwd = cloneWithStaleFlag()
    const { failed, summary, outputs } = await runJob(stale, {
      cwd,
      github: { event_name: "schedule", event: {} },
    })
    expect(failed).toBeUndefined()
    expect(summary).toContain(head)
    expect(summary).toMatch(
      /^\| `old-hints` \| .*expired since 2026-01-31 .*\| no references \| `@torvalds` \|$/m,
    )
    expect(`${outputs.list}\n`).toBe(summary)
  })

  test.skipIf(!isInstalled("jq", "the issue of docs/ci/stale.yaml"))(
    "keeps one issue up to date, and touches no one else's",
    async () => {
      const others = [
        { number: 5, user: { login: "mallory" }, body: `${marker} not ours` },
        { number: 6, user: { login: "github-actions[bot]" }, body: null },
      ]
      const ours = { number: 7, user: { login: "github-actions[bot]" }, body: `${marker}\n| before` }
      const ask = async (issues: readonly object[], list: string) => {
        const cwd = cloneProject("flagstone docs ")
        writeFileSync(join(cwd, "answers.json"), JSON.stringify({ "repos/a/b/issues": issues }))
        await runScript(send, cwd, { LIST: list.trimEnd(), ISSUES: "repos/a/b/issues" })
        expect(readFileSync(join(cwd, "issue.md"), "utf8")).toBe(`${marker}\n${list}`)
        const asked = readFileSync(join(cwd, "gh.log"), "utf8").split("\n")
        return asked.filter((line) => line.includes("--method"))
      }
      expect(await ask(others, head)).toEqual([
        "api --method POST repos/a/b/issues --field title=Flags you can remove --field body=@issue.md --silent",
      ])
      expect(await ask(others, none)).toEqual([])
      expect(await ask([...others, ours], head)).toEqual([
        "api --method PATCH repos/a/b/issues/7 --field body=@issue.md --field state=open --silent",
      ])
      expect(await ask([...others, ours], none)).toEqual([
        "api --method PATCH repos/a/b/issues/7 --field body=@issue.md --field state=closed --silent",
      ])
    },
  )

  test("pins its actions; the job that may write runs nothing of the repository", () => {
    const steps: readonly { uses?: string; run?: string }[] = [...stale.steps, ...issue.steps]
    const pinned = /^(<owner>\/flagstone@<commit>|actions\/[a-z-]+@[0-9a-f]{40})$/
    expect(steps.filter(({ uses }) => uses !== undefined && !pinned.test(uses))).toEqual([])
    expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([])
    expect([workflow.permissions, stale.permissions]).toEqual([{}, { contents: "read" }])
    expect(issue.permissions).toEqual({ issues: "write" })
    expect(JSON.stringify(issue)).not.toMatch(/checkout|npm|npx/)
  })
})

describe("docs/ci/stale.gitlab-ci.yml", () => {
  const jobs = parse(readFileSync(gitlab, "utf8"))
  const run = (name: string, cwd: string, variables: Readonly<Record<string, string>>) =>
    runGitlabJob(name, jobs, cwd, variables)

  test("leaves the list for the job that may write", async () => {
    const cwd = cloneWithStaleFlag()
    await run("stale", cwd, {})
    expect(readFileSync(join(cwd, "stale.md"), "utf8")).toContain(head)
    expect(existsSync(join(cwd, jobs.stale.artifacts.paths[0]))).toBe(true)
    expect(jobs["stale-issue"].needs).toEqual(["stale"])
  })

  test("keeps one issue up to date, and touches no one else's", async () => {
    const issues = [{ iid: 1, author: { id: 7 }, description: `${marker} not ours`, state: "opened" }]
    const asked: string[] = []
    const server = createServer(async (request, response) => {
      const { method, url = "", headers } = request
      const sent = new URLSearchParams(await text(request))
      const description = sent.get("description") ?? ""
      const event = sent.get("state_event")
      if (method !== "GET") asked.push([method, url, event].filter((part) => part !== null).join(" "))
      if (headers["private-token"] !== "glpat-secret") response.statusCode = 401
      if (method === "POST") issues.push({ iid: 2, author: { id: 42 }, description, state: "opened" })
      const issue = issues.find(({ iid }) => method === "PUT" && url.endsWith(`/${iid}`))
      if (issue !== undefined) {
        issue.description = description
        if (event !== null) issue.state = event === "close" ? "closed" : "opened"
      }
      response.end(JSON.stringify(url === "/api/v4/user" ? { id: 42 } : issues))
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as { port: number }
    const variables = {
      CI_API_V4_URL: `http://127.0.0.1:${port}/api/v4`,
      CI_PROJECT_ID: "9",
      FLAGS_NOTE_TOKEN: "glpat-secret",
    }
    const cwd = cloneProject("flagstone docs ")
    try {
      for (const list of [none, head, `${head}| more |\n`, none, none, head]) {
        writeFileSync(join(cwd, "stale.md"), list)
        expect(await run("stale-issue", cwd, variables)).not.toContain("glpat")
        if (issues.length > 1) expect(issues[1]?.description).toBe(`${marker}\n${list}`)
      }
      const wrong = { ...variables, FLAGS_NOTE_TOKEN: "another" }
      await expect(run("stale-issue", cwd, wrong)).rejects.toThrow("401")
    } finally {
      server.close()
    }
    const one = "/api/v4/projects/9/issues"
    const put = `PUT ${one}/2`
    expect(asked).toEqual([`POST ${one}`, put, `${put} close`, put, `${put} reopen`])
    expect(issues[0]?.description).toBe(`${marker} not ours`)
  })

  test("ends in time", () => {
    for (const name of ["stale", "stale-issue"]) {
      expect(jobs[name].extends).toBe(".stale")
      expect(extendedJob(name, jobs).timeout).toBe("10 minutes")
    }
    expect(jobs["stale-issue"].script.join("\n")).not.toMatch(/npm|npx/)
  })
})
