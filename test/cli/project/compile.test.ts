// @module-tag system
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"
import { manyFlags } from "./many-flags.ts"

const cli = resolve(import.meta.dirname, "../../../cli/flagstone.js")
const readAll = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]))

test("the same commit gives the same bytes on another path, in another time zone, locale, umask and line end", () => {
  const repository = manyFlags()
  const build = (cwd: string, env: Record<string, string>, umask: string) => {
    const { status, stderr } = spawnSync(
      "sh",
      ["-c", `umask ${umask}; exec "$0" "$@"`, process.execPath, cli, "build"],
      {
        cwd,
        env: { ...process.env, ...env },
        encoding: "utf8",
      },
    )
    expect([status, stderr]).toEqual([0, ""])
    return readAll(join(cwd, "dist"))
  }
  const here = build(repository.folder, { TZ: "UTC", LC_ALL: "C" }, "022")
  const there = join(mkdtempSync(join(tmpdir(), "flagstone-clone-")), "ein anderer Ort")
  execFileSync("git", ["clone", "-q", "-c", "core.autocrlf=true", repository.folder, there])
  expect(readFileSync(join(there, "flags/deep/a.yaml"), "utf8")).toContain("\r\n")
  expect(build(there, { TZ: "Asia/Kathmandu", LC_ALL: "tr_TR.UTF-8", LANG: "de_DE" }, "077")).toEqual(here)
})
