// @module-tag system
import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import type { Build } from "../../../cli/project/build.ts"
import { writeBuild } from "../../../cli/project/write-build.ts"
import { testHost } from "../../test-host.ts"

const digest = "0".repeat(64)
const host = testHost()

function build(...environments: readonly string[]): Build {
  return {
    snapshots: environments.map((environment) => ({
      environment,
      file: `${environment}.json`,
      bytes: Buffer.from('{"flags":[]}\n'),
      configured: 0,
    })),
    manifest: {
      formatVersion: 1,
      project: "shop",
      revision: null,
      environments: Object.fromEntries(
        environments.map((name) => [
          name,
          { id: name, file: `${name}.json`, sha256: digest, size: 13, flags: 0 },
        ]),
      ),
    },
  }
}

describe("writeBuild", () => {
  let folder: string
  beforeEach(async () => {
    folder = join(mkdtempSync(join(tmpdir(), "flagstone-")), "deep", "dist")
    await writeBuild(build("production", "staging"), folder, host)
  })

  test("makes the folder and leaves nothing else in it", () => {
    expect(readdirSync(folder).sort()).toEqual(["manifest.json", "production.json", "staging.json"])
  })
  test("removes the documents of removed environments, and no other file", async () => {
    writeFileSync(join(folder, "notes.json"), "mine")
    await writeBuild(build("production"), folder, host)
    expect(readdirSync(folder).sort()).toEqual(["manifest.json", "notes.json", "production.json"])
  })
  test("with an unreadable manifest, nothing is removed", async () => {
    writeFileSync(join(folder, "manifest.json"), '{"environments":{"x":{"file":"../../notes.json"}}}')
    await writeBuild(build("production"), folder, host)
    expect(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")).project).toBe("shop")
  })
  test("if one file cannot be replaced, those before it are restored, and no temporary file is left", async () => {
    const blocked = mkdtempSync(join(tmpdir(), "flagstone-"))
    writeFileSync(join(blocked, "development.json"), "old")
    mkdirSync(join(blocked, "staging.json", "occupied"), { recursive: true })
    await expect(writeBuild(build("development", "production", "staging"), blocked, host)).rejects.toThrow(
      /EISDIR|ENOTEMPTY|EEXIST/,
    )
    expect(readdirSync(blocked)).toEqual(["development.json", "staging.json"])
    expect(readFileSync(join(blocked, "development.json"), "utf8")).toBe("old")
  })
  test("if one file cannot be replaced, what the old manifest names stays complete", async () => {
    const blocked = mkdtempSync(join(tmpdir(), "flagstone-"))
    await writeBuild(build("gone", "production"), blocked, host)
    const before = readFileSync(join(blocked, "manifest.json"))
    mkdirSync(join(blocked, "staging.json", "occupied"), { recursive: true })
    await expect(writeBuild(build("production", "staging"), blocked, host)).rejects.toThrow(/EISDIR|EEXIST/)
    expect(readdirSync(blocked)).toEqual(["gone.json", "manifest.json", "production.json", "staging.json"])
    expect(readFileSync(join(blocked, "manifest.json"))).toEqual(before)
  })
  test("removes what a killed build left, but not the files of a running one", async () => {
    const shared = mkdtempSync(join(tmpdir(), "flagstone-"))
    for (const name of [".build-killed", ".build-at-work"]) mkdirSync(join(shared, name))
    utimesSync(join(shared, ".build-killed"), 1, 1)
    await writeBuild(build("production"), shared, host)
    expect(readdirSync(shared)).toEqual([".build-at-work", "manifest.json", "production.json"])
  })
  test("one that starts while another is running waits for it, so that the folder has one complete build", async () => {
    const shared = mkdtempSync(join(tmpdir(), "flagstone-"))
    const named = (project: string, ...names: readonly string[]) => {
      const one = build(...names)
      const snapshots = one.snapshots.map((snapshot) => ({ ...snapshot, bytes: Buffer.from(project) }))
      return { snapshots, manifest: { ...one.manifest, project } }
    }
    const many = Array.from({ length: 300 }, (_, at) => `environment-${at}`)
    const first = writeBuild(named("first", "production", ...many), shared, host)
    while (!existsSync(join(shared, "production.json"))) await new Promise(setImmediate)
    await writeBuild(named("second", "production"), shared, host) // fast enough to end before the first one
    await first
    const { project } = JSON.parse(readFileSync(join(shared, "manifest.json"), "utf8"))
    expect(readFileSync(join(shared, "production.json"), "utf8")).toBe(project)
  })
})

const cli = resolve(import.meta.dirname, "../../../cli/flagstone.js")
const flags = resolve(import.meta.dirname, "../../golden/every-form/flags")

// A separate namespace may mount file systems, even as an ordinary user.
const canMount = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", tmpdir()]).status === 0
if (!canMount)
  console.warn("SKIPPED: read-only and full output folders, because this machine does not allow mounts")

describe.runIf(canMount)("an output folder on another file system", () => {
  /** Builds into a tmpfs that holds an old manifest, and lists what is there afterwards. */
  function buildInto(options: string, remount: string) {
    const folder = mkdtempSync(join(tmpdir(), "flagstone-"))
    const script = `mount -t tmpfs -o ${options} none "$1" && echo old > "$1/manifest.json" && ${remount}
      "$2" "$3" build --flags "$4" --out "$1"; echo "exit $?"; cd "$1" && ls -A && cat manifest.json`
    const result = spawnSync(
      "unshare",
      ["-rm", "sh", "-c", script, "sh", folder, process.execPath, cli, flags],
      { encoding: "utf8" },
    )
    return { out: result.stdout, err: result.stderr }
  }

  test("that is full: status 2, and everything as before", () => {
    const { out, err } = buildInto("size=8k", "true;")
    expect(out).toBe("exit 2\nmanifest.json\nold\n")
    expect(err).toContain("nothing there has changed: ENOSPC")
  })
  test("that is read-only: status 2, and everything as before", () => {
    const { out, err } = buildInto("size=1m", 'mount -o remount,ro "$1";')
    expect(out).toBe("exit 2\nmanifest.json\nold\n")
    expect(err).toContain("nothing there has changed: EROFS")
  })
  test("that has room", () => {
    expect(buildInto("size=1m", "true;").out).toContain("exit 0\n2026.json\ndevelopment.json\nmanifest.json")
  })
})
