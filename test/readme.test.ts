import { execFileSync, spawn, spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, symlinkSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"
import { parse } from "yaml"

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

test("the steps of the README's workflow and the hooks of pre-commit succeed on the example flags", () => {
  const cwd = clone()
  const [, workflow = ""] = /```yaml\n(name: flags\n[\s\S]*?)```/.exec(readme) ?? []
  const steps: { run?: string }[] = parse(workflow).jobs.flags.steps
  const hooks: { entry: string }[] = parse(readFileSync(join(root, ".pre-commit-hooks.yaml"), "utf8"))
  const commands = [...steps.flatMap(({ run }) => run ?? []), ...hooks.map(({ entry }) => entry)]
  expect(commands.length).toBe(5)
  for (const command of commands) {
    const args = command.replace(/^npx /, "").split(" ").slice(1)
    execFileSync("node", [join(cwd, "cli/flagstone.js"), ...args], { cwd, env: environment(), stdio: "pipe" })
  }
})
