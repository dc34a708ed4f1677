// @module-tag system
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { freePort } from "../servers/ports.ts"
import { cloneProject, environment, git } from "./example-project.ts"
import { type Block, blocksOf, pages, readPage, replaceBlocks, root } from "./pages.ts"

// Each page is a session in a fresh clone: a block ```yaml <path>``` or ```json <path>``` is a file, and a block ```console``` is run. What
// is printed is written into the page, which must stay the same; `npx vitest run test/docs -u` records it.
// docs/diagnostics.md has its own test, with a project for each section.
const sessions = pages.filter(
  ({ path, text }) =>
    path !== "docs/diagnostics.md" && blocksOf(text).some(({ language }) => language === "console"),
)

test("the pages with commands are found", () => {
  const paths = sessions.map(({ path }) => path)
  expect(paths).toContain("README.md")
  expect(paths.length).toBeGreaterThan(4)
})

// Only the README is in `npm test`: golden cases and tests of commands also cover what the other pages print.
for (const { path } of sessions)
  test.concurrent(`the commands of ${path} print what it says`, {
    timeout: 300_000,
    tags: path === "README.md" ? [] : ["slow"],
  }, async ({ expect }) => {
    const { text } = readPage(path) // not what was read before: another test may record into the same page
    const session = await startSession(
      path === "docs/runbook.md" ? cloneWithRunningProject() : cloneProject(),
    )
    try {
      const printed = await replaceBlocks(text, (block) => session.run(block))
      await expect(printed).toMatchFileSnapshot(join(root, path))
    } finally {
      await session.end()
    }
  })

test("npm start prints what the README says", async () => {
  const page = readPage("README.md")
  const session = await startSession(cloneProject())
  const server = session.start("npx flagstone dev --port 8080")
  try {
    let output = ""
    for (const stream of [server.stdout, server.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        output += text
      })
    }
    const printed = await replaceBlocks(page.text, async ({ language, text }) => {
      if (language !== "text") return text
      const lines = text.split("\n").length
      for (let tries = 0; output.split("\n").length < lines && tries < 400; tries++) await soon()
      return session.record(output, text)
    })
    await expect(printed).toMatchFileSnapshot(join(root, page.path))
  } finally {
    await session.end()
  }
})

test("the flag file of the README is the one in flags/", () => {
  const [, text] =
    /This is `flags\/shipping\/delivery-slots.yaml`:\n\n```yaml\n([\s\S]*?)```/.exec(
      readPage("README.md").text,
    ) ?? []
  expect(text).toBe(readFileSync(join(root, "flags/shipping/delivery-slots.yaml"), "utf8"))
})

const linesOf = (path: string) => readFileSync(join(root, path), "utf8").split("\n").length - 1

test("the README is read in one sitting: at most 150 lines", () => {
  expect(linesOf("README.md")).toBeLessThanOrEqual(150)
})

/** A clone of a repository to push to, with a key and a target that was published to before. */
function cloneWithRunningProject(): string {
  const folder = cloneProject()
  git(folder, "clone", "-q", "--bare", folder, join(folder, ".git/origin.git"))
  git(folder, "remote", "add", "origin", join(folder, ".git/origin.git"))
  git(folder, "fetch", "-q")
  git(folder, "branch", "-q", "--set-upstream-to=origin/main")
  const main = join(root, "cli/flagstone.js")
  const key = ["keys", "create", "production", "--id", "web", "--expires", "365d"]
  for (const args of [["build"], ["publish", "published"], key])
    execFileSync("node", [main, ...args], { cwd: folder, env: environment(), stdio: "pipe" })
  return folder
}

async function startSession(cwd: string) {
  const port = String(await freePort())
  const env = environment()
  const servers: ChildProcess[] = []
  const shellOf = (command: string) =>
    command
      .replaceAll("npx flagstone", `node ${join(root, "cli/flagstone.js")}`)
      .replaceAll(/\b8080\b/g, port)
  const runShell = (script: string) =>
    new Promise<{ readonly out: string; readonly status: unknown }>((done) =>
      execFile("bash", ["-c", script], { cwd, env }, (error, out) => done({ out, status: error?.code ?? 0 })),
    )
  const start = (command: string): ChildProcess => {
    const server = spawn("bash", ["-c", `exec ${shellOf(command)}`], { cwd, env, stdio: "pipe" })
    servers.push(server)
    return server
  }
  /** What the page keeps: its own lines where output varies from run to run, the printed lines elsewhere. */
  const record = (printed: string, expected: string): string => {
    const lines = expected.split("\n")
    return shown(printed)
      .split("\n")
      .map((line, index) => (masked(line) === masked(lines[index] ?? "") ? (lines[index] ?? "") : line))
      .join("\n")
  }
  const shown = (printed: string): string =>
    printed
      .replaceAll(port, "8080")
      .replaceAll(cwd, "/home/ann/shop")
      .replace(/(?<=[^\n])$/, "\n")
  const masked = (text: string): string =>
    text
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
      .replace(/(\d+ (s|min|h|days?) )+ago/g, "<age> ago")
      .replace(/fsk_\w{49}/g, "<secret>")
      .replace(/\bsha256:[0-9a-f]{64}/g, "<digest>")
      .replace(/\b([0-9a-f]{10}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})\b/g, "<digest>")
      .replace(/\bMCowBQYDK2VwAyEA\S{44}/g, "<public key>")

  return {
    start,
    record,
    async end() {
      for (const server of servers.filter(({ exitCode }) => exitCode === null)) {
        server.kill("SIGKILL")
        await once(server, "close")
      }
    },
    async run({ language, info, text }: Block): Promise<string> {
      if ((language === "yaml" || language === "json") && info !== "") {
        mkdirSync(dirname(join(cwd, info)), { recursive: true })
        writeFileSync(join(cwd, info), text)
      }
      if (language !== "console") return text
      let result = ""
      for (const step of text.split(/^\$ /m).slice(1)) {
        const [command = "", ...lines] = step.split("\n")
        const expected = lines.join("\n")
        result += `$ ${command}\n`
        if (command.endsWith(" &")) {
          start(command.slice(0, -2)).stderr?.resume()
          await reachable(`http://127.0.0.1:${port}/livez`)
          continue
        }
        const { out, status } = await runShell(`exec 2>&1; ${shellOf(command)}`)
        const failing = /^\d+ .* checked: .*\d errors?\b|^\d+ cases? of .*: \d+ failed$/m.test(out)
        expect({ command, out, status }).toEqual({ command, out, status: failing ? 1 : 0 })
        result += record(out, expected)
      }
      return result
    },
  }
}

async function reachable(url: string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await soon()
  }
  throw new Error(`${url} does not answer`)
}

const soon = () => new Promise((done) => setTimeout(done, 50))
