// @module-tag system
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { run } from "../../cli/program.ts"
import { type TestHostOptions, testHost } from "../test-host.ts"

function folder(): string {
  return mkdtempSync(join(tmpdir(), "flagstone-"))
}

async function flagstone(args: readonly string[], options: TestHostOptions = {}) {
  const host = testHost(options)
  const status = await run(args, host, "1.2.3")
  return { status, out: host.out(), err: host.err() }
}

test("help shows defaults, and at its end the page that names the variables", async () => {
  const { out } = await flagstone(["diff", "--help"])
  expect(out).toMatch(/\(default: "flags"\)/)
  expect(out).toMatch(/\(default: keys\.yaml, if it\s+exists\)/)
  expect(out).not.toContain("FLAGSTONE_")
  const last = "\n\nEach option has an environment variable: docs/command-line.md names it.\n"
  expect(out.endsWith(last)).toBe(true)
  for (const withoutOptions of [["--help"], ["keys", "--help"]])
    expect((await flagstone(withoutOptions)).out).not.toContain("environment variable")
  const serve = (await flagstone(["serve", "--help"])).out
  expect(serve).not.toContain("default: false") // obvious for a switch
})

test("every way to ask for help works", async () => {
  const asked = await Promise.all(
    [
      ["lint", "--help"],
      ["validate", "-h"],
      ["help", "lint"],
      ["help", "validate"],
    ].map((args) => flagstone(args)),
  )
  for (const { status, out } of asked) {
    expect(status).toBe(0)
    expect(out).toContain("--max-warnings <number>")
  }
  const { out } = await flagstone(["keys", "help", "revoke"])
  expect(out).toContain("<id>")
})

test.each([
  [["keys", "fsk_4mJd8sPq0hT2"], "unknown command 'fsk_…'"],
  [["lint", "fsk_4mJd8sPq0hT2"], "no file fsk_…"],
  [["serve", "--verify-key", `MC4CAQAwBQYDK2VwBCIEI${"4mJd".repeat(11).slice(1)}`], "Write the public key"],
])("a secret among the words %j is not repeated", async (words, what) => {
  const { status, err } = await flagstone(words)
  expect(status).toBe(2)
  expect(err).toContain(what)
  expect(err).not.toContain("4mJd")
})

test("--version", async () => {
  expect(await flagstone(["--version"])).toEqual({ status: 0, out: "1.2.3\n", err: "" })
})

describe("a command that cannot run exits with 2 and prints the fix on stderr", () => {
  test.each([
    ["an unknown command", ["biuld"], "Did you mean build?"],
    ["an unknown option", ["build", "--flgas", "x"], "Did you mean --flags?"],
    ["an option as other tools call it", ["set", "a", "--percentage", "10"], "Did you mean --share?"],
    ["an argument too many", ["build", "flags"], "too many arguments"],
    ["an invalid format", ["lint", "--format", "xml"], "Allowed choices are"],
    ["an invalid count", ["lint", "--max-warnings", "-1"], "whole number"],
    ["an invalid port", ["serve", "--port", "65536"], "from 0 to 65535"],
    ["an invalid duration", ["serve", "--drain-delay", "5"], "such as 250ms"],
    ["a duration that no timer has", ["serve", "--poll-interval", "25d"], "at most 24d"],
    [
      "a folder for dev that is its own input",
      ["dev", "--flags", ".", "--out", "dist"],
      "--out is inside the flags folder",
    ],
    ["an invalid bucket", ["serve", "--rate-limit", "100"], "such as 100/10"],
    ["no flags folder", ["build"], "flagstone init"],
    ["a flags folder that is a file", ["lint", "--flags", "file"], "is not a folder"],
    ["a flags folder without project file", ["build", "--flags", "."], "no project.yaml"],
    ["no snapshots", ["serve", "--port", "0"], "flagstone build"],
  ])("%s", async (_, args, fix) => {
    const cwd = folder()
    writeFileSync(join(cwd, "file"), "")
    const { status, out, err } = await flagstone(args, { cwd })
    expect(err).toContain(fix)
    expect(err).toMatch(/^flagstone: /)
    expect(err).not.toContain("    at ")
    expect({ status, out }).toEqual({ status: 2, out: "" })
  })
})

test.each([
  [
    "a bug, with its stack",
    new TypeError("x is\u001b undefined"),
    /^flagstone: TypeError: x is\\u001b undefined\n {4}at /,
  ],
  [
    "a system call's",
    Object.assign(new Error("EACCES: no"), { syscall: "open" }),
    /^flagstone: EACCES: no\n$/,
  ],
  ["a text", "text", /^flagstone: text\n$/],
])("an error of the machine is said: %s", async (_, thrown, expected) => {
  const cwd = folder()
  writeFileSync(join(cwd, "keys.yaml"), "keys: []\n")
  const now = () => {
    throw thrown
  }
  const { status, out, err } = await flagstone(["keys", "list"], { cwd, now })
  expect({ status, out, err }).toEqual({ status: 2, out: "", err: expect.stringMatching(expected) })
})

describe("options come by flag, then by variable, then by default", () => {
  let cwd: string
  beforeEach(async () => {
    cwd = folder()
    expect((await flagstone(["init"], { cwd })).status).toBe(0)
  })

  test("init writes a project that builds without mistakes", async () => {
    expect((await flagstone(["lint", "--max-warnings", "0"], { cwd })).status).toBe(0)
    const again = await flagstone(["init"], { cwd })
    expect(again).toMatchObject({ status: 2, err: expect.stringContaining("nothing was changed") })
  })
  test("default", async () => {
    const { status, out } = await flagstone(["build"], { cwd })
    expect({ status, out }).toMatchObject({
      status: 0,
      out: expect.stringContaining("dist/production.json: 1 flag"),
    })
  })
  test("variable", async () => {
    const { out } = await flagstone(["build"], { cwd, env: { FLAGSTONE_OUT: "elsewhere" } })
    expect(out).toContain("elsewhere/production.json")
  })
  test("flag", async () => {
    const { out } = await flagstone(["build", "--out", "here"], { cwd, env: { FLAGSTONE_OUT: "elsewhere" } })
    expect(out).toContain("here/production.json")
  })
  test("an invalid variable", async () => {
    const { status, err } = await flagstone(["lint"], { cwd, env: { FLAGSTONE_MAX_WARNINGS: "many" } })
    expect(status).toBe(2)
    expect(err).toContain("whole number")
  })
  test("a switch", async () => {
    const { status, err } = await flagstone(["build"], { cwd, env: { FLAGSTONE_REQUIRE_CLEAN: "1" } })
    expect(status).toBe(1)
    expect(err).toContain("not-in-git")
    for (const off of ["false", "FALSE", "0", ""]) {
      expect((await flagstone(["build"], { cwd, env: { FLAGSTONE_REQUIRE_CLEAN: off } })).status).toBe(0)
    }
    const unclear = await flagstone(["build"], { cwd, env: { FLAGSTONE_REQUIRE_CLEAN: "no" } })
    expect(unclear).toMatchObject({
      status: 2,
      err: expect.stringContaining("FLAGSTONE_REQUIRE_CLEAN: Write 1"),
    })
  })
  test("lint --format json prints only JSON on stdout", async () => {
    writeFileSync(join(cwd, "flags", "new.yaml"), "defaultValue: 1\n")
    const { status, out, err } = await flagstone(["lint", "--format", "json"], { cwd })
    expect(status).toBe(1)
    expect(JSON.parse(out)).toEqual([
      {
        file: "flags/new.yaml",
        line: 1,
        column: 15,
        endLine: 1,
        endColumn: 16,
        severity: "error",
        code: "wrong-value-type",
        message:
          "`defaultValue` must be true or false because the flag's type is boolean; this is a number. Write true.",
        related: [],
      },
    ])
    expect(err).toBe("2 flags checked: 1 error\n")
  })
  test("a build with mistakes leaves the last one untouched", async () => {
    expect((await flagstone(["build"], { cwd })).status).toBe(0)
    const before = readFileSync(join(cwd, "dist", "manifest.json"))
    writeFileSync(join(cwd, "flags", "new.yaml"), "defaultValue: 1\n")
    const { status, err } = await flagstone(["build"], { cwd })
    expect(status).toBe(1)
    expect(err).toContain("1 error: nothing was written")
    expect(readFileSync(join(cwd, "dist", "manifest.json"))).toEqual(before)
  })
})
