// @module-tag system
// @module-tag slow
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { createGit } from "../../cli/git.ts"
import { run } from "../../cli/program.ts"
import { buildProject } from "../../cli/project/build-project.ts"
import { createRepository, type TestRepository } from "../repository.ts"
import { testHost } from "../test-host.ts"

// A fresh clone of a branch that a stranger wrote: whatever it has committed, no command runs any of it.

/** A stranger's branch, and what its files would create if they were run. */
interface Branch extends TestRepository {
  readonly marker: string
  /** A shell command that creates the marker. */
  readonly run: string
}

function createBranch(): Branch {
  const repository = createRepository()
  repository.write("flags/project.yaml", "project: shop\nenvironments: [staging, production]\n")
  repository.write("flags/a.yaml", "defaultValue: false\nenvironments:\n  staging: { enabled: true }\n")
  repository.write("flags/a.spec.yaml", "flag: a\ncases:\n  - { environment: staging, expect: false }\n")
  repository.write("src/main.ts", 'isEnabled("a")\n')
  repository.commit(10)
  const marker = join(mkdtempSync(join(tmpdir(), "flagstone-marker-")), "ran")
  return { ...repository, marker, run: `touch ${marker}` }
}

/** Commands that read the flags folder, and what `dev` does before it serves. */
const commands: readonly (readonly string[])[] = [
  ["lint"],
  ["lint", "--fix"],
  ["fmt", "--check"],
  ["build", "--out", "out"],
  ["build", "--out", "out", "--check"],
  ["build", "--out", "out", "--require-clean"],
  ["dev"],
  ["diff"],
  ["diff", "HEAD", "HEAD"],
  ["diff", "HEAD", "--code", "src"],
  ["stale"],
  ["stale", "--code", "src"],
  ["catalog", "--out", "out.html"],
  ["codegen", "types"],
  ["codegen", "manifest"],
  ["usages"],
  ["usages", "--code", "src"],
  ["remove", "a", "--task-only", "--code", "src"],
  ["test"],
  ["test", "--changed", "HEAD"],
  ["evaluate", "a", "--environment", "staging"],
  ["promote", "a", "--from", "staging", "--to", "production", "--dry-run"],
  ["promote", "--check", "--from", "staging", "--to", "production"],
  ["promote", "--check", "--from", "staging@HEAD", "--to", "production"],
  ["attributes"],
]

/** What the commands did in a clone of a branch. */
interface Session {
  /** Command lines and what they printed, of those with exit status 0 and of the others. */
  readonly done: readonly string[]
  readonly failed: ReadonlyMap<string, string>
  /** The arguments of each git that was started. */
  readonly gits: readonly string[]
}

/** Clones the branch and runs commands in the clone, one after the other. `environmentOf` returns variables for git. */
async function runInClone(
  branch: Branch,
  lines: readonly (readonly string[])[] = commands,
  environmentOf: (clone: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<Session> {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-clone-"))
  const cwd = join(folder, "clone")
  branch.git("clone", "-q", branch.folder, cwd)
  const log = join(folder, "gits")
  writeFileSync(log, "")
  writeFileSync(
    join(folder, "git"),
    `#!/bin/sh\necho "$*" >> ${log}\nPATH='${process.env.PATH}' exec git "$@"\n`,
  )
  chmodSync(join(folder, "git"), 0o755)
  const git = createGit({ ...process.env, ...environmentOf(cwd), PATH: `${folder}:${process.env.PATH}` })
  const done: string[] = []
  const failed = new Map<string, string>()
  for (const line of lines) {
    const host = testHost({ cwd, git })
    const request = { flags: "flags", out: "dist", allowShallow: true }
    const status =
      line[0] === "dev"
        ? await buildProject(request, host).then(({ kind }) => (kind === "made" ? 0 : 2))
        : await run(line, host, "1.2.3")
    if (status === 0) done.push(line.join(" "))
    else failed.set(line.join(" "), `${host.out()}${host.err()}`)
  }
  const gits = readFileSync(log, "utf8").split("\n")
  return { done, failed, gits: gits.filter((line) => line !== "") }
}

/** Settings of a repository that lacks the commit that it has checked out, so that git asks its remote for it. */
const promisor = (url: string, more = "") =>
  `[core]\nrepositoryformatversion = 1\nbare = true\n[extensions]\npartialClone = o\n[remote "o"]\nurl = "${url}"\npromisor = true\n${more}`

/** Writes the files by which git takes a folder for a repository, and commits them. */
function disguise(branch: Branch, folder: string, settings: string): void {
  branch.write(`${folder}/HEAD`, `${"1".repeat(40)}\n`)
  branch.write(`${folder}/objects/x/y`, "")
  branch.write(`${folder}/refs/y`, "")
  branch.write(`${folder}/config`, settings)
  const ignore = "ignore: [HEAD, config, evil, commondir, objects, refs, 'old/**', 'objects/**', 'refs/**']\n"
  branch.write("flags/project.yaml", `project: shop\nenvironments: [staging, production]\n${ignore}`)
  branch.commit(20)
}

const external = ({ run }: Branch) =>
  promisor(`ext::sh -c ${run.replace(" ", "% ")}`, '[protocol "ext"]\nallow = always\n')

/** Ways in which a repository's settings name a program. */
const settings: Readonly<Record<string, (branch: Branch) => string>> = {
  "a remote of the kind `ext`": external,
  "core.sshCommand": ({ run }) => promisor("ssh://127.0.0.1:1/x", `[core]\nsshCommand = "${run}; :"\n`),
  "core.gitProxy": ({ marker, run }) => {
    const proxy = `${marker}-proxy`
    writeFileSync(proxy, `#!/bin/sh\n${run}\n`)
    chmodSync(proxy, 0o755)
    return promisor("git://127.0.0.1:1/x", `[core]\ngitProxy = "${proxy}"\n`)
  },
  uploadpack: ({ run }) => promisor("file:///nowhere", `uploadpack = "${run}; :"\n`),
  "include.path": (branch) => {
    branch.write("flags/evil", external(branch))
    return "[include]\npath = evil\n"
  },
  "alternates and core.worktree": ({ write, run, git }) => {
    write("flags/objects/info/alternates", "../../.git/objects\n")
    write("flags/refs/heads/main", git("rev-parse", "HEAD"))
    return `[core]\nbare = false\nworktree = ..\nfsmonitor = "${run}"\n[diff]\nexternal = "${run}"\n`
  },
}

const isRefusal = (text: string) => /takes (its folder|\S+) for a bare repository/.test(text)

/** Expects that each command refused the clone, and that none started git. */
function expectRefusal({ done, failed, gits }: Session, { marker }: Branch): void {
  expect(existsSync(marker)).toBe(false)
  expect(done).toEqual([])
  expect([...failed].filter(([, text]) => !isRefusal(text))).toEqual([])
  expect(gits).toEqual([])
}

describe("a flags folder that is a bare repository", () => {
  test.each(Object.entries(settings))("with %s", async (_, settingsOf) => {
    const branch = createBranch()
    disguise(branch, "flags", settingsOf(branch))
    expectRefusal(await runInClone(branch), branch)
  })

  test("with credential.helper", async () => {
    const server = createServer((_, response) => {
      response.writeHead(401, { "www-authenticate": "Basic" }).end()
    })
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
    onTestFinished(() => void server.close())
    const branch = createBranch()
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    disguise(branch, "flags", promisor(url, `[credential]\nhelper = "!${branch.run}; :"\n`))
    expectRefusal(await runInClone(branch), branch)
  })

  test("with its objects in a different folder", async () => {
    const branch = createBranch()
    disguise(branch, "common", external(branch))
    branch.remove("common/HEAD")
    branch.write("flags/HEAD", "ref: refs/heads/main\n")
    branch.write("flags/commondir", "../common\n")
    branch.write("common/refs/heads/main", "1".repeat(40))
    branch.commit(30)
    expectRefusal(await runInClone(branch), branch)
  })

  test("with links and programs in place of its files and folders", async () => {
    const branch = createBranch()
    disguise(branch, "flags", external(branch))
    for (const name of ["HEAD", "objects", "refs"]) branch.remove(`flags/${name}`)
    symlinkSync("refs/heads/main", join(branch.folder, "flags/HEAD"))
    for (const name of ["objects", "refs"]) {
      branch.write(`flags/${name}`, "")
      chmodSync(join(branch.folder, "flags", name), 0o755)
    }
    branch.write("flags/packed-refs", `${"1".repeat(40)} refs/heads/main\n`)
    branch.commit(30)
    expectRefusal(await runInClone(branch), branch)
  })

  test("above the flags folder, which is a link into it", async () => {
    const branch = createBranch()
    branch.move("flags", "above/flags")
    symlinkSync("above/flags", join(branch.folder, "flags"))
    disguise(branch, "above", external(branch))
    expectRefusal(await runInClone(branch), branch)
  })

  test("below the flags folder", async () => {
    const branch = createBranch()
    disguise(branch, "flags/old/x", external(branch))
    expectRefusal(await runInClone(branch), branch)
  })
})

test("a folder of code that is a bare repository", async () => {
  const branch = createBranch()
  disguise(branch, "src", external(branch))
  const reading = commands.filter((line) => line.includes("src") && line[0] !== "diff")
  const { done, failed } = await runInClone(branch, reading)
  expect(existsSync(branch.marker)).toBe(false)
  expect(done).toEqual([])
  expect([...failed.values()].filter((text) => !isRefusal(text))).toEqual([])
})

/** Files that git reads from a work tree, and that name programs only together with settings, which no one can commit. */
const harmless: Readonly<Record<string, (branch: Branch) => void>> = {
  "attributes of filters and drivers": ({ write, run }) => {
    const attributes = "* filter=evil diff=evil merge=evil ident\n"
    write(".gitattributes", attributes)
    write("flags/.gitattributes", attributes)
    const program = `clean = "${run}"\nsmudge = "${run}"\nprocess = "${run}"\n`
    const driver = `command = "${run}"\ntextconv = "${run}"\n`
    write(".gitconfig", `[filter "evil"]\n${program}required = true\n[diff "evil"]\n${driver}`)
    write(".mailmap", `${run} <ann@example.com>\n`)
  },
  "a submodule": ({ write, git, folder, run }) => {
    const module = `path = flags/module\nurl = "ext::sh -c ${run.replace(" ", "% ")}"\nupdate = "!${run}"\n`
    write(".gitmodules", `[submodule "x"]\n${module}ignore = none\n`)
    mkdirSync(join(folder, "flags/module"))
    git("update-index", "--add", "--cacheinfo", `160000,${git("rev-parse", "HEAD").trim()},flags/module`)
  },
  "hooks and settings outside git's folder": ({ write, folder, run }) => {
    write("hooks/post-checkout", `#!/bin/sh\n${run}\n`)
    write("flags/.gitignore", "!*\n")
    write("flags/config", `[core]\nfsmonitor = "${run}"\nhooksPath = hooks\n`)
    chmodSync(join(folder, "hooks/post-checkout"), 0o755)
  },
}

/** The commands that compare the two environments, which differ. */
const differing = commands
  .filter((line) => line.includes("--check") && line[0] === "promote")
  .map((line) => line.join(" "))

test.each(Object.entries(harmless))("%s", async (_, write) => {
  const branch = createBranch()
  write(branch)
  branch.commit(20)
  const { failed, gits } = await runInClone(branch)
  expect(existsSync(branch.marker)).toBe(false)
  expect([...failed.keys()]).toEqual(differing)
  expect(gits.length).toBeGreaterThan(20)
})

test("a bare repository beside the flags, which the variables of git name", async () => {
  const branch = createBranch()
  disguise(branch, "beside", external(branch))
  const { failed, gits } = await runInClone(branch, commands, (clone) => ({
    GIT_DIR: `${clone}/beside`,
    GIT_COMMON_DIR: `${clone}/beside`,
    GIT_OBJECT_DIRECTORY: `${clone}/beside/objects`,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: `${clone}/beside/objects`,
    GIT_WORK_TREE: `${clone}/beside`,
    GIT_INDEX_FILE: `${clone}/beside/index`,
  }))
  expect(existsSync(branch.marker)).toBe(false)
  expect([...failed.keys()]).toEqual(differing)
  expect(gits.length).toBeGreaterThan(20)
})
