import { execFile, execFileSync, spawn, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { marker } from "../cli/diff/format-markdown.ts"
import { freePort } from "./servers/ports.ts"
import { startS3 } from "./servers/s3.ts"

const root = resolve(import.meta.dirname, "..")
const readme = readFileSync(join(root, "README.md"), "utf8")

/** A copy of the project with a history of one commit, as a fresh clone has it. */
function clone(): string {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-readme-"))
  for (const entry of ["package.json", "cli", "proxy", "flags", ".gitignore"]) {
    cpSync(join(root, entry), join(folder, entry), { recursive: true })
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd: folder })
  git("init", "-q")
  git("add", "-A")
  git("commit", "-q", "-m", "flags")
  return folder
}

/** That of the machine, but not inside GitHub Actions, and on a day when no example flag has expired. */
function environment() {
  const path = `${join(root, "node_modules/.bin")}:${process.env.PATH}`
  return { ...process.env, PATH: path, GITHUB_ACTIONS: "", SOURCE_DATE_EPOCH: "1795255200" }
}

/** What differs from run to run. */
function masked(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>").trimEnd()
}

test("the commands of the README print what it says", async () => {
  const cwd = clone()
  const port = String(await freePort())
  const env = environment()
  const blocks = [...readme.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text)
  expect(blocks.length).toBeGreaterThan(1)
  const servers: (() => void)[] = []
  try {
    for (const step of blocks.join("").split(/^\$ /m).slice(1)) {
      const [command = "", ...expected] = step.split("\n")
      const shell = command
        .replaceAll("npx flagstone", `node ${join(cwd, "cli/flagstone.js")}`)
        .replaceAll("8080", port)
      if (shell.endsWith(" &")) {
        const server = spawn("bash", ["-c", `exec ${shell.slice(0, -2)}`], { cwd, env, stdio: "inherit" })
        servers.push(() => server.kill())
        await reachable(`http://127.0.0.1:${port}/livez`)
        continue
      }
      const { stdout: out, status } = spawnSync("bash", ["-c", `exec 2>&1; ${shell}`], {
        cwd,
        env,
        encoding: "utf8",
      })
      expect({ command, status }).toEqual({ command, status: /\d errors?\b/.test(out) ? 1 : 0 })
      expect(masked(`$ ${command}\n${out}`)).toBe(masked(`$ ${command}\n${expected.join("\n")}`))
    }
  } finally {
    for (const stop of servers) stop()
  }
})

async function reachable(url: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error(`${url} does not answer`)
}

test("the flag file of the README is the one in flags/", () => {
  const [, text] =
    /This is `flags\/shipping\/delivery-slots.yaml`:\n\n```yaml\n([\s\S]*?)```/.exec(readme) ?? []
  expect(text).toBe(readFileSync(join(root, "flags/shipping/delivery-slots.yaml"), "utf8"))
})

test("what the README has CI and pre-commit run succeeds on the example flags", () => {
  const cwd = clone()
  const hooks: { entry: string }[] = parse(readFileSync(join(root, ".pre-commit-hooks.yaml"), "utf8"))
  const steps = [...readme.matchAll(/^ +- run: npx (flagstone .*)$/gm)].map(([, command = ""]) => command)
  const checks = steps.filter((command) => !command.startsWith("flagstone publish"))
  const commands = [...checks, ...hooks.map(({ entry }) => entry)]
  expect(commands.length).toBeGreaterThanOrEqual(5)
  for (const command of commands) {
    const args = command.split(" ").slice(1)
    execFileSync("node", [join(cwd, "cli/flagstone.js"), ...args], { cwd, env: environment(), stdio: "pipe" })
  }
})

interface Step {
  readonly id?: string
  readonly run?: string
  readonly uses?: string
}

describe("the workflow of the README", () => {
  const [, text = ""] = /^```yaml\n(name: Flags\n[\s\S]*?)^```$/m.exec(readme) ?? []
  const workflow = parse(text)
  const jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>> = workflow.jobs
  const steps = Object.values(jobs).flatMap((job) => job.steps)

  test("pins its actions and gives no right that a job does not need", () => {
    expect(workflow.permissions).toEqual({})
    expect(workflow.jobs.flags.permissions).toEqual({ contents: "read" })
    expect(workflow.jobs.comment.permissions).toEqual({ "pull-requests": "write" })
    expect(workflow.jobs.publish.permissions).toEqual({ contents: "read", "id-token": "write" })
    expect(workflow.jobs.publish.if).toBe("github.event_name == 'push'")
    expect(JSON.stringify(workflow.jobs.comment)).not.toMatch(/checkout|npm|npx/)
    const used = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]))
    expect(used.filter((uses) => !/^(aws-)?actions\/[a-z-]+@[0-9a-f]{40}$/.test(uses))).toEqual([])
    // What GitHub puts into a script's text is run; foreign texts come by variables.
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
  function runStep(
    script: string | undefined,
    cwd: string,
    variables: Readonly<Record<string, string>>,
  ): void {
    const PATH = `${fakes(cwd)}:${process.env.PATH}`
    execFileSync("bash", ["-e", "-c", script ?? "exit 9"], {
      cwd,
      env: { ...process.env, ...variables, PATH },
    })
  }

  test("hands the diff to the summary and to one comment, which it writes anew", () => {
    const cwd = clone()
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd })
    writeFileSync(join(cwd, "flags/brand-new.yaml"), "defaultValue: true\ndescription: '@torvalds'\n")
    git("add", "-A")
    git("commit", "-q", "-m", "a flag")
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
    const cwd = clone()
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
    expect(output.join("")).toMatch(
      /^committed .* ago; CDNs and SDKs see it within 30 s, proxies at their next look$/m,
    )
  })
})
