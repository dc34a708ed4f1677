import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { createProjectRepository } from "../../repository.ts"

const cli = resolve(import.meta.dirname, "../../../cli/flagstone.js")

// A rename may reach the disk before the bytes do: without a sync before it, a crash leaves an empty file in place.
const canTrace = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0
if (!canTrace)
  console.warn("SKIPPED: that files are synced before they are renamed, because strace is missing")

describe.runIf(canTrace)("each file is synced before it takes its name", () => {
  test.each([
    ["build", ["build", "--out", "out"], /\/out\//],
    ["publish", ["publish", "published"], /\/published\//],
    ["keys create", ["keys", "create", "staging"], /keys\.yaml/],
    ["fmt", ["fmt"], /b\.yaml/],
  ])("%s", async (_, args, written) => {
    const repository = createProjectRepository()
    repository.write("flags/b.yaml", "defaultValue:    false\n")
    repository.commitFlags({ a: true })
    expect((await repository.flagstone(["build"])).status).toBe(0)
    const log = join(mkdtempSync(join(tmpdir(), "flagstone-")), "strace")
    const calls = "trace=fsync,fdatasync,rename,renameat,renameat2"
    const { status } = spawnSync(
      "strace",
      ["-f", "-y", "-e", calls, "-o", log, process.execPath, cli, ...args],
      {
        cwd: repository.folder,
      },
    )
    expect(status).toBe(0)
    const synced = new Set<string>()
    const renamed: string[] = []
    for (const line of readFileSync(log, "utf8").split("\n")) {
      const [, file] = /f(?:data)?sync\(\d+<([^>]*)>/.exec(line) ?? []
      if (file !== undefined) synced.add(file)
      const [, from, to] = /rename\w*\(.*?"([^"]*)".*?"([^"]*)"/.exec(line) ?? []
      if (from === undefined || to === undefined || !written.test(to)) continue
      renamed.push(to)
      expect([...synced]).toContain(resolve(repository.folder, from))
    }
    expect(renamed).not.toEqual([])
  })
})

const canMount = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", tmpdir()]).status === 0
if (!canMount) console.warn("SKIPPED: commands in a read-only folder, because this machine lets nobody mount")

test.runIf(canMount).each([
  ["keys create", ["keys", "create", "staging"]],
  ["publish", ["publish", "."]],
])("%s in a read-only folder says the system's reason, at once", async (_, args) => {
  const repository = createProjectRepository()
  repository.commitFlags({ a: true })
  await repository.flagstone(["build"])
  const script = `mount -t tmpfs none "$1" && cp -r . "$1" && mount -o remount,ro "$1" && cd "$1" && shift && exec "$@"`
  const folder = mkdtempSync(join(tmpdir(), "flagstone-"))
  const start = performance.now()
  const { status, stderr } = spawnSync(
    "unshare",
    ["-rm", "sh", "-c", script, "sh", folder, process.execPath, cli, ...args],
    { cwd: repository.folder, encoding: "utf8", timeout: 20_000 },
  )
  expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining("EROFS") })
  expect(performance.now() - start).toBeLessThan(4500) // a lock that is taken is waited for for 5 s
})
