// @module-tag slow
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { parseApiKey } from "../../../proxy/contract/api-key.ts"
import { createProjectRepository, type ProjectRepository } from "../../repository.ts"
import { canTrace, traceWrites } from "../../traced-writes.ts"

const cli = resolve(import.meta.dirname, "../../../cli/flagstone.js")

describe.runIf(canTrace)("each file is synced before it takes its name", () => {
  test.each([
    ["build", ["build", "--out", "out"], /\/out\//, true],
    ["publish", ["publish", "published"], /\/published\//, true],
    ["keys create", ["keys", "create", "staging"], /keys\.yaml/, true],
    ["fmt", ["fmt"], /b\.yaml/, false], // after a crash the old layout may be back
  ])("%s", async (_, args, written, syncsFolders) => {
    const repository = createProjectRepository()
    repository.write("flags/b.yaml", "defaultValue:    false\n")
    repository.commitFlags({ a: true })
    expect((await repository.flagstone(["build"])).status).toBe(0)
    const { renamed, ...traced } = traceWrites([cli, ...args], repository.folder, written)
    expect(renamed).not.toEqual([])
    expect(traced).toMatchObject({ status: 0, unsynced: [] })
    if (syncsFolders) expect(traced.unsyncedFolders).toEqual([])
  })
})

describe.runIf(canTrace)("a folder that cannot be synced", () => {
  /** Runs a command whose syncs of the project's folders, but not of files, fail with a system's error. */
  function failing(code: string, repository: ProjectRepository, args: readonly string[]) {
    const folders = ["", "out", "published", "published/manifests", "published/snapshots"]
    const paths = folders.flatMap((name) => ["-P", join(realpathSync(repository.folder), name)])
    return spawnSync(
      "strace",
      [
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        ...paths,
        "-e",
        `inject=fsync:error=${code}`,
        process.execPath,
        cli,
        ...args,
      ],
      { cwd: repository.folder, encoding: "utf8" },
    )
  }

  async function project(): Promise<ProjectRepository> {
    const repository = createProjectRepository()
    repository.commitFlags({ a: true })
    expect((await repository.flagstone(["build"])).status).toBe(0)
    for (const folder of ["out", "published/manifests", "published/snapshots"])
      mkdirSync(join(repository.folder, folder), { recursive: true })
    return repository
  }

  test.each([
    ["build", ["build", "--out", "out"]],
    ["publish", ["publish", "published"]],
    ["keys create", ["keys", "create", "staging"]],
    ["keys create --out", ["keys", "create", "staging", "--out", "secret.txt"]],
  ])("because the system has no way to, as Windows, is no reason for %s to fail", async (_, args) => {
    const { status, stderr } = failing("EPERM", await project(), args)
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining("EPERM") })
  })

  test("because the disk fails has the new build, and the message says so", async () => {
    const repository = await project()
    const { status, stderr } = failing("EIO", repository, ["build", "--out", "out"])
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/out has this build, which a crash of the machine may undo: EIO/),
    })
    expect(stderr).not.toMatch(/nothing|unchanged/)
    expect(existsSync(join(repository.folder, "out/manifest.json"))).toBe(true)
  })

  test("because the disk fails has the new key, and its secret is shown", async () => {
    const repository = await project()
    const { status, stdout, stderr } = failing("EIO", repository, ["keys", "create", "staging"])
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/keys\.yaml is changed, which a crash of the machine may undo: EIO/),
    })
    const digest = parseApiKey(stdout.trim())?.digest
    expect(readFileSync(join(repository.folder, "keys.yaml"), "utf8")).toContain(`sha256:${digest}`)
  })
})

const canMount = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", tmpdir()]).status === 0
if (!canMount)
  console.warn("SKIPPED: commands in a read-only folder, because this machine does not allow mounts")

test.runIf(canMount).each([
  ["keys create", ["keys", "create", "staging"]],
  ["publish", ["publish", "."]],
  ["lint --fix", ["lint", "--fix"]],
  ["fmt", ["fmt"]],
])("%s in a read-only folder reports the system's reason, and not that a lock is taken", async (_, args) => {
  const repository = createProjectRepository()
  repository.commitFlags({ a: true })
  await repository.flagstone(["build"])
  repository.write(
    "flags/a.yaml",
    "defaultVaule:   true\n".replace("Vaule", args.includes("--fix") ? "Vaule" : "Value"),
  )
  const script = `mount -t tmpfs none "$1" && cp -r . "$1" && mount -o remount,ro "$1" && cd "$1" && shift && exec "$@"`
  const folder = mkdtempSync(join(tmpdir(), "flagstone-"))
  const { status, stderr } = spawnSync(
    "unshare",
    ["-rm", "sh", "-c", script, "sh", folder, process.execPath, cli, ...args],
    { cwd: repository.folder, encoding: "utf8", timeout: 20_000 },
  )
  expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining("EROFS") })
})

test.runIf(canMount).each([
  ["publish full/site", 0, "full/site/.publish.lock cannot be written: ENOSPC: "],
  ["publish full/site", 4096, "full/site/revisions.json cannot be written: ENOSPC: "],
  ["keys create staging --keys full/keys.yaml", 0, "full/keys.yaml.lock cannot be written: ENOSPC: "],
  [
    "keys revoke web --keys full/keys.yaml",
    4096,
    "full/keys.yaml cannot be written, so it is unchanged: ENOSPC: ",
  ],
  [
    "publish full/zeros",
    0,
    "full/zeros/revisions.json cannot be written, because a part of its path is a file: EEXIST",
  ],
  [
    "publish full/zeros/x",
    0,
    "full/zeros/x/revisions.json cannot be written, because a part of its path is a file: ENOTDIR",
  ],
])("%s, with %d bytes free, names the file that it cannot write", async (line, free, message) => {
  const repository = createProjectRepository()
  repository.commitFlags({ a: true })
  await repository.flagstone(["build"])
  await repository.flagstone(["keys", "create", "staging", "--id", "web"])
  const script = `mkdir full && mount -t tmpfs -o size=32k none full && mkdir full/site && cp keys.yaml full
    cat /dev/zero > full/zeros 2> /dev/null; truncate -s -$0 full/zeros; exec "$@"`
  const command = [process.execPath, cli, ...line.split(" ")]
  const { status, stderr } = spawnSync("unshare", ["-rm", "sh", "-c", script, String(free), ...command], {
    cwd: repository.folder,
    encoding: "utf8",
    timeout: 20_000,
  })
  expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining(message) })
})
