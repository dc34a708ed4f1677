// @module-tag system
// @module-tag slow
// @module-tag long
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { cloneSource } from "../clone.ts"
import { readStages } from "../proxy/deploy/dockerfile.ts"
import { hasPython, pythonSdk } from "../sdk/python/installed-python.ts"
import { blocksOf, readPage, root } from "./pages.ts"
import { isInstalled, provide } from "./runner.ts"

test("the README's steps for another repository give a flagstone that works there", () => {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-package-"))
  const cwd = join(folder, "mine")
  mkdirSync(cwd)
  writeFileSync(join(cwd, "package.json"), "{}")
  const revision = cloneSource(join(folder, "flagstone"))
  for (const command of installCommands()) {
    execFileSync("bash", ["-ec", command], {
      cwd,
      stdio: ["ignore", "ignore", "ignore"],
      env: { ...process.env, npm_config_prefer_offline: "true" },
    })
  }

  const flagstone = (...args: readonly string[]) =>
    execFileSync(join(cwd, "node_modules/.bin/flagstone"), args, {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    })
  expect(flagstone("--version")).toBe(`0.1.0+${revision.slice(0, 12)}\n`)
  expect(flagstone("build")).toContain("dist/production.json: 1 flag")
  expect(readdirSync(join(cwd, "node_modules/flagstone/docs"))).toContain("recipes.md")
}, 120_000)

const steps = blocksOf(readPage("docs/install.md").text).filter(({ language }) => language === "sh")
const gitAddress = "https://git.example.com/flagstone"

/** Runs a block of docs/install.md in a new folder, with this repository at the address that the page names. */
function runBlock(first: string, prepare: (cwd: string) => NodeJS.ProcessEnv = () => ({})): string {
  const [block, ...rest] = steps.filter(({ text }) => text.startsWith(first))
  expect(rest).toEqual([])
  const folder = mkdtempSync(join(tmpdir(), "flagstone-install-"))
  const cwd = join(folder, "mine")
  mkdirSync(cwd)
  cloneSource(join(folder, "flagstone.git"))
  symlinkSync("flagstone.git", join(folder, "flagstone")) // go leaves out the end
  const env = {
    ...process.env,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `url.file://${folder}/flagstone.insteadOf`,
    GIT_CONFIG_VALUE_0: gitAddress,
    npm_config_prefer_offline: "true",
    ...prepare(cwd),
  }
  execFileSync("bash", ["-ec", block?.text ?? "exit 9"], { cwd, env, stdio: "pipe" })
  return cwd
}

test("npm installs from the address, and the version names the commit", { timeout: 500_000 }, () => {
  const cwd = runBlock("npm install", (cwd) => {
    writeFileSync(join(cwd, "package.json"), "{}")
    execFileSync("git", ["init", "-q"], { cwd })
    return {}
  })
  expect(readdirSync(join(cwd, "dist"))).toContain("production.json")
  const lock = JSON.parse(readFileSync(join(cwd, "package-lock.json"), "utf8"))
  const [, commit = ""] = /#([0-9a-f]{40})$/.exec(lock.packages["node_modules/flagstone"].resolved) ?? []
  const args = ["--version"]
  expect(execFileSync(join(cwd, "node_modules/.bin/flagstone"), args, { encoding: "utf8" })).toBe(
    `0.1.0+${commit.slice(0, 12)}\n`,
  )
  expect(readdirSync(join(cwd, "node_modules"))).not.toContain("typescript")
})

const createVenv = (cwd: string) => {
  execFileSync("python3", ["-m", "venv", join(cwd, "venv")])
  return { PATH: `${join(cwd, "venv/bin")}:${process.env.PATH}` }
}

test.skipIf(!hasPython)("pip installs from the address", { timeout: 300_000 }, () => {
  const cwd = runBlock('pip install "flagstone[', createVenv)
  execFileSync(join(cwd, "venv/bin/python"), ["-c", "import flagstone, re2"], { stdio: "pipe" })
})

const mise =
  hasPython && isInstalled("uv", "the command line without Node.js")
    ? provide("@jdxcode/mise@2026.9.15")
    : undefined

test.skipIf(mise === undefined)(
  "pip, uvx and mise install the command line with its Node.js, and the SDK's extra brings it",
  { timeout: 500_000 },
  async () => {
    const cwd = runBlock('pip install "git+', (cwd) => {
      const { PATH } = createVenv(cwd)
      execFileSync("git", ["init", "-q"], { cwd })
      return { PATH: `${PATH}:${mise}`, MISE_TRUSTED_CONFIG_PATHS: cwd, MISE_DATA_DIR: join(cwd, "mise") }
    })
    const commit = execFileSync("git", ["rev-parse", "HEAD"], {
      cwd: join(cwd, "../flagstone"),
      encoding: "utf8",
    })
    const programs = [
      join(cwd, "venv/bin/flagstone"),
      ...globSync("mise/installs/*/main/bin/flagstone", { cwd }).map((path) => join(cwd, path)),
    ]
    const env = { PATH: "/nonexistent" }
    expect(
      programs.map((program) => execFileSync(program, ["--version"], { env, encoding: "utf8" })),
    ).toEqual(Array(2).fill(`0.1.0+${commit.slice(0, 12)}\n`))
    expect(spawnSync(join(cwd, "venv/bin/flagstone"), ["lint"], { cwd, encoding: "utf8" })).toMatchObject({
      status: 0,
    })
    const dev = spawn(programs[0] ?? "", ["dev"], { cwd, stdio: ["ignore", "pipe", "inherit"] })
    let printed = ""
    for await (const chunk of dev.stdout.iterator({ destroyOnReturn: false })) {
      printed += chunk
      if (printed.includes("production:")) break
    }
    await fetch(/http:\S+/.exec(printed)?.[0] ?? printed) // it listens for signals when it can answer
    dev.kill("SIGINT")
    expect(await once(dev, "close")).toEqual([0, null])
    execFileSync(join(cwd, "venv/bin/pip"), ["install", "-q", `${pythonSdk}[cli]`], { stdio: "pipe" })
  },
)

test.skipIf(!isInstalled("go", "the module for Go from its address"))(
  "go installs from the address",
  { timeout: 300_000 },
  () => {
    const cwd = runBlock("go mod edit", (cwd) => {
      execFileSync("go", ["mod", "init", "shop"], { cwd, stdio: "pipe" })
      return { GOPRIVATE: "git.example.com", GOFLAGS: "-mod=mod" }
    })
    expect(readFileSync(join(cwd, "go.mod"), "utf8")).toMatch(
      /git\.example\.com\/flagstone\.git\/sdk\/go v0\.0\.0-/,
    )
  },
)

test("the images, the workflows and the component that the pages name exist", () => {
  const targets = steps.flatMap(({ text }) =>
    [...text.matchAll(/--target (\w+)/g)].map(([, target]) => target),
  )
  expect(targets).toEqual(["ci"])
  const builds = ["docs/install.md", "docs/deployment.md"].flatMap(
    (page) => readPage(page).text.match(/^docker build .*/gm) ?? [],
  )
  expect(builds).toHaveLength(4)
  for (const build of builds) expect(build).toContain("--build-arg BUILDKIT_CONTEXT_KEEP_GIT_DIR=1")
  expect([...readStages().keys()]).toEqual(expect.arrayContaining(targets))
  const component = blocksOf(readPage("docs/ci.md").text).find(({ text }) => text.includes("component:"))
  const [{ component: address, inputs }] = parse(component?.text ?? "").include
  const [, name] = /\/([a-z]+)@/.exec(address) ?? []
  const header = readFileSync(join(root, `templates/${name}/template.yml`), "utf8").split(/^---$/m)[0] ?? ""
  expect(Object.keys(parse(header).spec.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)))
  const [init = ""] = steps.flatMap(({ text }) => /init --ci github # or gitlab/.exec(text) ?? [])
  for (const kind of ["github", "gitlab"]) {
    expect(init).toContain(kind)
    const cwd = mkdtempSync(join(tmpdir(), "flagstone-install-"))
    execFileSync("git", ["init", "-q"], { cwd })
    execFileSync(process.execPath, [join(root, "cli/flagstone.js"), "init", "--ci", kind], {
      cwd,
      stdio: "pipe",
    })
  }
})

/** The lines of the README's block, except `npm ci`, which takes a minute, and `dev`, which does not end. */
function installCommands(): readonly string[] {
  const [, block = ""] =
    /## In your own repository\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(readPage("README.md").text) ?? []
  const lines = block.trimEnd().split("\n")
  expect(lines.map((line) => line.replace(/ +#.*/, "")).at(-1)).toBe("npx flagstone dev")
  return lines.slice(0, -1).map((line) => line.replace("npm ci && ", ""))
}
