import { execFile, execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { marker } from "../../cli/diff/format-markdown.ts"
import { startS3 } from "../servers/s3.ts"
import { cloneProject, commit, environment } from "./example-project.ts"
import { root } from "./pages.ts"

// The steps of docs/ci/flags.yaml, run as GitHub's runner runs them, and the hooks for pre-commit.

interface Step {
  readonly id?: string
  readonly run?: string
  readonly uses?: string
}

const workflow = parse(readFileSync(join(root, "docs/ci/flags.yaml"), "utf8"))
const jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>> = workflow.jobs
const steps = Object.values(jobs).flatMap((job) => job.steps)

test("what CI and pre-commit check succeeds on the example flags", () => {
  const cwd = cloneProject()
  const hooks: { entry: string }[] = parse(readFileSync(join(root, ".pre-commit-hooks.yaml"), "utf8"))
  const lines = [...steps.map(({ run = "" }) => run), ...hooks.map(({ entry }) => entry)]
  const commands = lines.flatMap((line) => /^npx (flagstone (?!publish).*)$/.exec(line)?.[1] ?? [])
  expect(commands.length).toBeGreaterThanOrEqual(5)
  for (const command of commands) {
    const args = command.split(" ").slice(1)
    execFileSync("node", [join(cwd, "cli/flagstone.js"), ...args], { cwd, env: environment(), stdio: "pipe" })
  }
})

test("pins its actions and gives no right that a job does not need", () => {
  expect(workflow.permissions).toEqual({})
  expect(workflow.jobs.flags.permissions).toEqual({ contents: "read" })
  expect(workflow.jobs.comment.permissions).toEqual({ "pull-requests": "write" })
  expect(workflow.jobs.publish.permissions).toEqual({ contents: "read", "id-token": "write" })
  expect(workflow.jobs.publish.if).toBe("github.event_name == 'push'")
  expect(JSON.stringify(workflow.jobs.comment)).not.toMatch(/checkout|npm|npx/)
  const used = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]))
  expect(used.filter((uses) => !/^(aws-)?actions\/[a-z-]+@[0-9a-f]{40}$/.test(uses))).toEqual([])
  // What GitHub puts into a script's text is run; texts of others come by variables.
  expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([])
})

/** Folders for the path; `gh` is a script that notes what it is asked for and answers with a comment's id. */
function fakes(cwd: string): string {
  const bin = join(cwd, ".git/bin") // where it makes no build dirty
  mkdirSync(bin, { recursive: true })
  const gh = 'echo "$@" >> gh.log\ncase "$2" in --paginate) [ ! -e known ] || echo 7 ;; esac'
  writeFileSync(join(bin, "gh"), `#!/bin/sh\n${gh}\n`, { mode: 0o755 })
  const npx = `shift\nexec node ${join(root, "cli/flagstone.js")} "$@"`
  writeFileSync(join(bin, "npx"), `#!/bin/sh\n${npx}\n`, { mode: 0o755 })
  return `${bin}:${join(root, "node_modules/.bin")}`
}

/** Runs a step as the runner does. */
function runStep(script: string | undefined, cwd: string, variables: Readonly<Record<string, string>>): void {
  const PATH = `${fakes(cwd)}:${process.env.PATH}`
  execFileSync("bash", ["-e", "-c", script ?? "exit 9"], { cwd, env: { ...process.env, ...variables, PATH } })
}

test("hands the diff to the summary and to one comment, which it keeps up to date", () => {
  const cwd = cloneProject()
  writeFileSync(join(cwd, "flags/brand-new.yaml"), "defaultValue: true\ndescription: '@torvalds'\n")
  commit(cwd, "a flag")
  runStep(steps.find(({ id }) => id === "diff")?.run, cwd, {
    GITHUB_STEP_SUMMARY: "summary",
    GITHUB_OUTPUT: "output",
  })
  const summary = readFileSync(join(cwd, "summary"), "utf8")
  expect(summary).toContain("<code>brand-new</code>")
  const [, , comment] =
    /^comment<<([0-9a-f]{32})\n([\s\S]*)\n\1\n$/.exec(readFileSync(join(cwd, "output"), "utf8")) ?? []
  expect(`${comment}\n`).toBe(summary)

  const send = jobs.comment?.steps.at(-1)?.run
  expect(send).toContain(marker)
  const variables = {
    COMMENT: summary,
    COMMENTS: "repos/a/b/issues/1/comments",
    ONE: "repos/a/b/issues/comments",
  }
  runStep(send, cwd, variables)
  writeFileSync(join(cwd, "known"), "")
  runStep(send, cwd, variables)
  expect(readFileSync(join(cwd, "comment.md"), "utf8")).toBe(summary)
  const asked = readFileSync(join(cwd, "gh.log"), "utf8")
    .split("\n")
    .filter((line) => line.includes("--method"))
  expect(asked).toEqual([
    "api --method POST repos/a/b/issues/1/comments --field body=@comment.md --silent",
    "api --method PATCH repos/a/b/issues/comments/7 --field body=@comment.md --silent",
  ])
})

test("publishes what it built to the store", async () => {
  const cwd = cloneProject()
  const s3 = await startS3(["flags"], true)
  const PATH = `${fakes(cwd)}:${process.env.PATH}`
  const output: string[] = []
  try {
    for (const { run } of jobs.publish?.steps ?? []) {
      if (run === undefined || run === "npm ci") continue
      // Not the synchronous one: the store runs in this process.
      const { stdout, stderr } = await promisify(execFile)("bash", ["-e", "-c", run], {
        cwd,
        env: { ...process.env, ...s3.env, PATH, FLAGSTONE_SIGNING_KEY: "" },
      })
      output.push(stdout, stderr)
    }
    const staging = await fetch(`${s3.url}/flags/shop/staging/v1/flags`)
    expect(await staging.text()).toBe(readFileSync(join(cwd, "dist/staging.json"), "utf8"))
  } finally {
    await s3.stop()
  }
  expect(output.join("")).toMatch(/^staging https:\/\/flags\.example\.com\/staging$/m)
  expect(output.join("")).toMatch(/^committed .* ago; CDNs and SDKs see it within 30 s/m)
})
