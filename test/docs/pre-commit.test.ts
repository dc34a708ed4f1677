// @module-tag system
// @module-tag slow
// @module-tag long
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { cloneSource } from "../clone.ts"
import { createRepository, openRepository } from "../repository.ts"
import { blocksOf, readPage, root } from "./pages.ts"
import { isInstalled } from "./runner.ts"

/** The machine's own path, as outside npm's scripts: its Node may be too old for Flagstone. */
const PATH = (process.env.PATH ?? "")
  .split(":")
  .filter((folder) => !folder.endsWith("node_modules/.bin"))
  .join(":")

const sources = [
  {
    hooks: "the hooks that run the project's Flagstone",
    ending: "",
    createProject: installedProject,
    createSource(folder: string) {
      copyFileSync(join(root, ".pre-commit-hooks.yaml"), join(folder, ".pre-commit-hooks.yaml"))
      const source = openRepository(folder)
      source.git("init", "-q")
      return source.commit(0)
    },
  },
  {
    hooks: "the hooks that bring Flagstone and its Node.js",
    ending: "-without-node",
    createProject: createRepository,
    createSource: cloneSource,
  },
]

test.skipIf(!isInstalled("pre-commit", "the hooks for pre-commit")).for(sources)(
  "$hooks refuse a commit with a mistake, format, and let the others pass, whatever Node.js the machine has",
  { timeout: 500_000 },
  ({ ending, createProject, createSource }) => {
    const source = mkdtempSync(join(tmpdir(), "flagstone-hooks-"))
    const rev = createSource(source)
    const project = createProject()
    const config = configOf(source, rev).replaceAll(/id: flagstone-\w+/g, `$&${ending}`)
    project.write(".pre-commit-config.yaml", config)
    project.write("flags/project.yaml", "project: shop\nenvironments: [staging, production]\n")
    project.write("flags/a.yaml", "defaultValue: false\n")
    project.git("init", "-q", "-b", "main")
    project.git("add", "-A")
    const run = () => {
      const env = {
        ...process.env,
        PATH,
        NODE_OPTIONS: "", // this run's own are for a newer Node
        PRE_COMMIT_HOME: join(source, ".git/cache"),
        GIT_CONFIG_GLOBAL: "/dev/null",
      }
      const { status, stdout, stderr } = spawnSync("pre-commit", ["run", "--all-files"], {
        cwd: project.folder,
        env,
        encoding: "utf8",
      })
      return { status, output: stdout + stderr }
    }
    expect(run()).toMatchObject({
      status: 0,
      output: expect.stringMatching(/flagstone lint\.+Passed\n(.*\n)*flagstone fmt\.+Passed/),
    })
    project.write("flags/a.yaml", "defaultValue:    false\n")
    expect(run()).toMatchObject({
      status: 1,
      output: expect.stringContaining("files were modified by this hook"),
    })
    project.write("flags/a.yaml", "defaultValue: maybe\n")
    expect(run()).toMatchObject({
      status: 1,
      output: expect.stringContaining("flags/a.yaml:1:15 error wrong-value-type"),
    })
  },
)

test("the command for lefthook and husky refuses a commit with a mistake, or in a different layout", () => {
  const project = installedProject()
  project.write("flags/project.yaml", "project: shop\nenvironments: [staging, production]\n")
  const [, command = ""] = /run: (npx .*?) \}/.exec(readPage("docs/install.md").text) ?? []
  const run = (text: string) => {
    project.write("flags/a.yaml", text)
    return spawnSync("sh", ["-c", command], { cwd: project.folder, encoding: "utf8" }).status
  }
  expect(["defaultValue: false\n", "defaultValue:    false\n", "defaultValue: maybe\n"].map(run)).toEqual([
    0, 1, 1,
  ])
})

test("a Node.js that is too old is reported with the fix", () => {
  const old =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })"
  const args = [
    "--import",
    `data:text/javascript,${encodeURIComponent(old)}`,
    join(root, "cli/flagstone.js"),
    "lint",
  ]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" })
  expect(status).toBe(2)
  expect(stderr).toMatch(/22\.19 or newer is needed; this is 20\.20\.2\. `npm install --save-dev node@24`/)
})

/** A repository after `npm install --save-dev flagstone node@24`: npm links both programs. */
function installedProject() {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-pre-commit-"))
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true })
  symlinkSync(join(root, "cli/flagstone.js"), join(folder, "node_modules/.bin/flagstone"))
  symlinkSync(join(root, "node_modules/node/bin/node"), join(folder, "node_modules/.bin/node"))
  writeFileSync(join(folder, "package.json"), "{}")
  writeFileSync(join(folder, ".gitignore"), "node_modules\n")
  return openRepository(folder)
}

/** The configuration in docs/install.md, with an existing repository. */
function configOf(folder: string, rev: string): string {
  const block = blocksOf(readPage("docs/install.md").text).find(({ text }) => text.includes("flagstone-lint"))
  return (block?.text ?? "").replace(/repo: .*/, `repo: ${folder}`).replace("<commit>", rev)
}
