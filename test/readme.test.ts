import { execFileSync, spawn, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { marker } from "../cli/diff/format-markdown.ts"

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

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
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
  const commands = [...steps, ...hooks.map(({ entry }) => entry)]
  expect(commands.length).toBeGreaterThanOrEqual(5)
  for (const command of commands) {
    const args = command.split(" ").slice(1)
    execFileSync("node", [join(cwd, "cli/flagstone.js"), ...args], { cwd, env: environment(), stdio: "pipe" })
  }
})

describe("the workflow of the README", () => {
  const [, text = ""] = /^```yaml\n(name: Flags\n[\s\S]*?)^```$/m.exec(readme) ?? []
  const workflow = parse(text)
  const steps: readonly { id?: string; run?: string; uses?: string }[] = Object.values(workflow.jobs).flatMap(
    (job) => (job as { steps: [] }).steps,
  )

  test("pins its actions and gives no right that a job does not need", () => {
    expect(workflow.permissions).toEqual({})
    expect(workflow.jobs.flags.permissions).toEqual({ contents: "read" })
    expect(workflow.jobs.comment.permissions).toEqual({ "pull-requests": "write" })
    expect(JSON.stringify(workflow.jobs.comment)).not.toMatch(/checkout|npm|npx/)
    const used = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]))
    expect(used.filter((uses) => !/^actions\/[a-z-]+@[0-9a-f]{40}$/.test(uses))).toEqual([])
    // What GitHub puts into a script's text is run; foreign texts come by variables.
    expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([])
  })

  /** Runs a step as the runner does; `gh` is a script that notes what it is asked for and answers with a comment's id. */
  function runStep(
    script: string | undefined,
    cwd: string,
    variables: Readonly<Record<string, string>>,
  ): void {
    mkdirSync(join(cwd, "bin"), { recursive: true })
    writeFileSync(
      join(cwd, "bin/gh"),
      '#!/bin/sh\necho "$@" >> gh.log\ncase "$2" in --paginate) [ ! -e known ] || echo 7 ;; esac\n',
      { mode: 0o755 },
    )
    writeFileSync(
      join(cwd, "bin/npx"),
      `#!/bin/sh\nshift\nexec node ${join(root, "cli/flagstone.js")} "$@"\n`,
      {
        mode: 0o755,
      },
    )
    const PATH = `${join(cwd, "bin")}:${join(root, "node_modules/.bin")}:${process.env.PATH}`
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

    const send = steps.at(-1)?.run
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
})
