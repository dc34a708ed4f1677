// @module-tag system
// @module-tag slow
import { execFileSync, spawn, spawnSync } from "node:child_process"
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join, resolve } from "node:path"
import { beforeAll, expect, test } from "vitest"
import { cloneSource } from "../../clone.ts"
import { cloneProject } from "../../docs/example-project.ts"
import { until } from "../../in-time.ts"
import { recordShown } from "../../secrets/record.ts"
import { freePort } from "../../servers/ports.ts"
import { readStages, textsOf, variablesOf } from "./dockerfile.ts"

// Without Docker: the instructions of each stage run in a folder, and the image that serves is a root of its own, with
// nothing but Node, its libraries and what the Dockerfile copies.

const root = resolve(import.meta.dirname, "../../..")
const stages = readStages()
const [node = ""] = [join(root, "node_modules/node/bin/node"), process.execPath].filter(existsSync)
const nobody = 65532

const isolate = ["--mount", "--propagation", "private"]
const canIsolate = process.getuid?.() === 0 && spawnSync("unshare", [...isolate, "true"]).status === 0
if (!canIsolate) console.warn("SKIPPED: the images, because they need root and unshare")

let folder = ""
let revision = ""
beforeAll(() => {
  if (!canIsolate) return
  folder = mkdtempSync(join(tmpdir(), "flagstone-image-"))
  revision = makePackage(folder)
}, 300_000)

/** Runs the stage `package` with the folder as its root directory. */
function makePackage(folder: string): string {
  const here = (text: string) => text.replace(/(?<=^|\s)\/(?=[a-z])/g, `${folder}/`)
  const stage = stages.get("package")
  const [place = ""] = textsOf(stage, "WORKDIR")
  const revision = cloneSource(here(place))
  execFileSync("rm", [join(here(place), "node_modules")]) // .dockerignore keeps it out
  mkdirSync(join(folder, "packed"))
  const PATH = [dirname(node), ...(process.env.PATH ?? "").split(delimiter)]
    .filter((entry) => !entry.endsWith("node_modules/.bin"))
    .join(delimiter)
  for (const line of textsOf(stage, "RUN"))
    execFileSync("sh", ["-c", here(line)], {
      cwd: here(place),
      env: { ...process.env, PATH, npm_config_prefer_offline: "true" },
      stdio: "pipe",
    })
  return revision
}

/** Makes what a stage copies, below another folder. */
function copyInto(image: string, stage: string): void {
  for (const text of textsOf(stages.get(stage), "COPY")) {
    const [from = "", to = ""] = text.split(" ").slice(-2)
    cpSync(join(folder, from), join(image, to), { recursive: true, verbatimSymlinks: true })
    const [, owner] = /--chown=(\d+):\d+/.exec(text) ?? []
    if (owner !== undefined)
      for (const name of readdirSync(join(folder, from)))
        execFileSync("chown", ["-R", `${owner}:${owner}`, join(image, to, name)])
  }
}

test.skipIf(!canIsolate)("the package has no sources and no development dependencies", () => {
  expect(readdirSync(join(folder, "app")).sort()).toEqual([
    ...["CHANGELOG.md", "LICENSE", "README.md", "bin", "build", "cli", "docs", "node_modules"],
    ...["package.json", "proxy", "sdk", "skills"],
  ])
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const modules = readdirSync(join(folder, "app/node_modules"), { recursive: true, encoding: "utf8" })
  for (const name of Object.keys(dependencies)) expect(modules).toContain(name)
  expect(modules.filter((path) => /^typescript$|^vitest$|\.node$/.test(path))).toEqual([])
})

test.skipIf(!canIsolate)(
  "serves for an unprivileged user, from a root that is read-only, without a shell, and stops on SIGTERM",
  async () => {
    const image = makeServingRoot()
    const port = await freePort()
    const adminPort = await freePort()
    const env = {
      ...variablesOf(stages.get("serve")),
      FLAGSTONE_HOST: "127.0.0.1",
      FLAGSTONE_PORT: String(port),
      FLAGSTONE_ADMIN_HOST: "127.0.0.1",
      FLAGSTONE_ADMIN_PORT: String(adminPort),
      FLAGSTONE_DRAIN_DELAY: "0s",
    }
    const run = (command: readonly string[]) => {
      const enter = `mount --bind "$0" "$0" && mount --bind /dev "$0/dev" && mount -o remount,bind,ro "$0" &&
exec chroot --userspec=${nobody}:${nobody} --groups= "$0" "$@"`
      return spawn("unshare", [...isolate, "sh", "-c", enter, image, ...command], { cwd: "/", env })
    }
    const command = ["ENTRYPOINT", "CMD"].flatMap((kind) =>
      JSON.parse(textsOf(stages.get("serve"), kind).join()),
    )
    const proxy = run(command)
    let log = ""
    proxy.stdout.on("data", (text) => (log += text))
    proxy.stderr.on("data", (text) => (log += text))
    const end = new Promise((done) => proxy.on("exit", done))
    const isUp = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    try {
      await until(isUp, "the proxy is ready", () => log)
      const health = await (await fetch(`http://127.0.0.1:${adminPort}/health`)).json()
      expect(health).toMatchObject({ version: `0.1.0+${revision.slice(0, 12)}`, ready: true })
      const [, ...check] = textsOf(stages.get("serve"), "HEALTHCHECK").join().split(" CMD ")
      expect(await new Promise((done) => run(JSON.parse(check.join())).on("exit", done))).toBe(0)
      expect(statSync(`/proc/${proxy.pid}`).uid).toBe(nobody)
    } finally {
      proxy.kill("SIGTERM")
    }
    expect(await end).toBe(0)
    expect(log).toContain("proxy stopped")
  },
  60_000,
)

/** Copies what the path leads to, which for a library is often a link. */
function copyLibrary(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}

/** What the image that serves has when its flags and keys are mounted. */
function makeServingRoot(): string {
  const image = join(folder, "serve")
  for (const path of ["dev", "nodejs/bin", "srv/flagstone"]) mkdirSync(join(image, path), { recursive: true })
  cpSync(node, join(image, "nodejs/bin/node"))
  for (const [, library = ""] of execFileSync("ldd", [node], { encoding: "utf8" }).matchAll(/(\/\S+) \(/g))
    copyLibrary(library, join(image, library))
  copyInto(image, "serve")
  const project = cloneProject()
  const flagstone = (...args: readonly string[]) =>
    execFileSync(join(folder, "app/bin/flagstone"), args, { cwd: project, stdio: "pipe" })
  flagstone("build", "--out", join(image, "srv/flagstone/dist"))
  flagstone(
    "keys",
    "create",
    "production",
    "--keys",
    join(image, "srv/flagstone/keys.yaml"),
    "--out",
    "secret.txt",
  )
  recordShown(readFileSync(join(project, "secret.txt"), "utf8"))
  execFileSync("chown", ["-R", `${nobody}:${nobody}`, join(image, "srv/flagstone")])
  return image
}

test.skipIf(!canIsolate)("checks a checkout that belongs to somebody else", async () => {
  const image = join(folder, "ci")
  copyInto(image, "ci")
  const project = cloneProject()
  execFileSync("chown", ["-R", "1234:1234", project])
  const { PATH = "", ...variables } = variablesOf(stages.get("ci"))
  const env = {
    ...variables,
    PATH: PATH.replace("/app", join(image, "app")).replace("$PATH", process.env.PATH ?? ""),
  }
  const build = () =>
    spawnSync("flagstone", ["build", "--require-clean"], { cwd: project, env, encoding: "utf8" })
  expect(build()).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("dist/production.json: 13 flags"),
  })
  delete (env as Record<string, string>).GIT_CONFIG_COUNT
  expect(build()).toMatchObject({ status: 2, stderr: expect.stringContaining("dubious ownership") })
})
