// @module-tag system
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { run } from "../../cli/program.ts"
import { showsSecrets } from "../secrets/record.ts"
import { testHost } from "../test-host.ts"

const cwd = mkdtempSync(join(tmpdir(), "flagstone-variables-"))

async function flagstone(command: string, env: Record<string, string>) {
  const args = command.split(" ")
  const host = testHost({ cwd, env, showsSecrets: showsSecrets(args) })
  const status = await run(args, host, "1.2.3")
  return { status, out: host.out(), err: host.err() }
}

beforeAll(async () => {
  expect((await flagstone("init", {})).status).toBe(0)
  expect((await flagstone("build", {})).status).toBe(0)
})

describe("a variable that no option has is reported", () => {
  test.each([
    [
      "a misspelt one",
      "FLAGSTONE_FLGAS",
      "FLAGSTONE_FLGAS is unknown and ignored; did you mean `FLAGSTONE_FLAGS`?",
    ],
    ["a variable of another command", "FLAGSTONE_CORS_ORIGINS", "did you mean `FLAGSTONE_CORS_ORIGIN`?"],
    ["a secret one", "FLAGSTONE_SIGNIN_KEY", "did you mean `FLAGSTONE_SIGNING_KEY`?"],
    ["one without likeness", "FLAGSTONE_TIMEOUT_ALL", "FLAGSTONE_TIMEOUT_ALL is unknown and ignored.\n"],
    ["one that is misspelt and has an old name", "FLAGSTONE_FORMT", "did you mean `FLAGSTONE_LINT_FORMAT`?"],
    ["an old name, misspelt", "FLAGSTONE_FORMT", "did you mean `FLAGSTONE_LINT_FORMAT`?"],
    ["one of a command without that option", "FLAGSTONE_BUILD_FORMAT", "did you mean"],
  ])("%s", async (_, name, message) => {
    const { status, err } = await flagstone("lint", { [name]: "elsewhere" })
    expect(status).toBe(0)
    expect(err).toContain(message)
    expect(err).not.toContain("elsewhere") // a misspelt secret is not repeated
  })

  test("each gets a line, in order, and one that is empty none", async () => {
    const env = { FLAGSTONE_ZZZZZZ: "1", FLAGSTONE_EMPTYY: "", OTHER: "1", "FLAGSTONE_\u001bQQQ": "1" }
    expect((await flagstone("lint", env)).err).toBe(
      "flagstone: FLAGSTONE_\\u001bQQQ is unknown and ignored.\nflagstone: FLAGSTONE_ZZZZZZ is unknown and ignored.\n1 flag checked: no mistakes\n",
    )
  })

  test("variables that commands and their environment read are not", async () => {
    const known = {
      FLAGSTONE_FLAGS: "flags",
      FLAGSTONE_KEYS: "keys.yaml",
      FLAGSTONE_KEYS_LIST_FORMAT: "json",
      FLAGSTONE_SERVE_CHECK: "1",
      FLAGSTONE_SNAPSHOTS: "dist",
      FLAGSTONE_SNAPSHOTS_AUTHORIZATION: "Bearer x",
      FLAGSTONE_PUBLISH_AUTHORIZATION: "Bearer x",
      FLAGSTONE_PATH_SECRET: "x",
      FLAGSTONE_EVENTS_SECRET: "x",
      FLAGSTONE_SIGNING_KEY: "x",
      FLAGSTONE_API_KEY: "x", // of applications
    }
    expect((await flagstone("lint", known)).err).toBe("1 flag checked: no mistakes\n")
  })

  test("variables that Kubernetes sets for a Service named flagstone are not, and set no port", async () => {
    const ofKubernetes = {
      FLAGSTONE_PORT: "tcp://10.0.0.11:8080",
      FLAGSTONE_SERVICE_HOST: "10.0.0.11",
      FLAGSTONE_SERVICE_PORT: "8080",
      FLAGSTONE_SERVICE_PORT_HTTP: "8080",
      FLAGSTONE_PORT_8080_TCP: "tcp://10.0.0.11:8080",
      FLAGSTONE_PORT_8080_TCP_PROTO: "tcp",
      FLAGSTONE_PORT_8080_TCP_ADDR: "10.0.0.11",
    }
    expect((await flagstone("lint", ofKubernetes)).err).toBe("1 flag checked: no mistakes\n")
    const { err } = await flagstone("serve --snapshots nowhere --check", ofKubernetes)
    expect(err).not.toContain("FLAGSTONE_PORT")
  })
})

describe("an option that means something else in another command has a variable for each", () => {
  test("its own", async () => {
    const env = {
      FLAGSTONE_LINT_FORMAT: "json",
      FLAGSTONE_BUILD_CHECK: "1",
      FLAGSTONE_DIFF_FORMAT: "markdown",
    }
    expect(await flagstone("lint", env)).toMatchObject({ out: "[]\n", err: "1 flag checked: no mistakes\n" })
    expect(await flagstone("build", env)).toMatchObject({ status: 0, out: "" })
    expect((await flagstone("keys list", env)).err).not.toContain("FORMAT")
  })
  test("the old one still works, and names the new one", async () => {
    const { out, err } = await flagstone("lint", { FLAGSTONE_FORMAT: "json" })
    expect(out).toBe("[]\n")
    expect(err).toContain("FLAGSTONE_FORMAT is deprecated; use FLAGSTONE_LINT_FORMAT.\n")
    const checked = await flagstone("build", { FLAGSTONE_CHECK: "1" })
    expect(checked).toMatchObject({ status: 0, out: "" })
    expect(checked.err).toContain("use FLAGSTONE_BUILD_CHECK")
  })
  test("the new one wins over the old one, and the option over both", async () => {
    const env = { FLAGSTONE_FORMAT: "sarif", FLAGSTONE_LINT_FORMAT: "json" }
    expect(await flagstone("lint", env)).toMatchObject({ out: "[]\n", err: "1 flag checked: no mistakes\n" })
    expect((await flagstone("lint --format text", env)).out).toBe("")
  })
  test("another command's is not read by mistake: a folder, a name and the address of published flags", async () => {
    const others = {
      FLAGSTONE_OUT: "dist",
      FLAGSTONE_FLAGS: "flags",
      FLAGSTONE_PROJECT: "shop",
      FLAGSTONE_BASE_URL: "ftp://flags.example.com",
    }
    expect(await flagstone("schema", others)).toMatchObject({ status: 0, err: "" })
    expect(await flagstone("catalog", others)).toMatchObject({
      status: 2,
      out: "",
      err: "flagstone: name the HTML file to write with --out\n",
    })
    expect((await flagstone("catalog --out index.html", others)).status).toBe(0)
    const own = { FLAGSTONE_CATALOG_OUT: "all.html" }
    expect((await flagstone("catalog", own)).out).toBe("all.html: 1 flag in 3 environments\n")
    expect((await flagstone("keys signing", others)).out).not.toBe("")
    expect((await flagstone("keys create production", others)).out).not.toBe("")
    expect((await flagstone("keys rotate production-1", others)).out).not.toBe("")
    const isSet = { FLAGSTONE_KEYS_ROTATE_OUT: "next.txt" }
    expect((await flagstone("keys rotate production-2", isSet)).err).toContain("its secret is in next.txt")
  })
})

test.each([
  ["build --out ", 2, "flagstone: --out is empty: give a value, or leave it out\n"],
  ["lint --flags=", 2, "flagstone: --flags is empty: give a value, or leave it out\n"],
  ["publish target --rollback ", 2, "flagstone: --rollback is empty: give a value, or leave it out\n"],
  ["diff --accept-labels ", 2, "is not in a git repository"], // none
  ["serve --check --snapshots ", 2, "flagstone: --snapshots is empty: give a value, or leave it out\n"],
  ["stale --code ", 2, "flagstone: --code is empty: give a value, or leave it out\n"],
  ["import flagd ", 2, "flagstone: an argument is empty: give a value, or leave it out\n"],
  ["set new-welcome --dry-run --default ", 2, "new-welcome is a boolean"],
])("an empty value of `%s`", async (command, status, err) => {
  expect(await flagstone(command, {})).toMatchObject({ status, err: expect.stringContaining(err) })
})

test("the variable of an option that starts with no- switches off", async () => {
  expect(await flagstone("publish target", { FLAGSTONE_NO_PER_FLAG: "maybe" })).toMatchObject({
    status: 2,
    err: expect.stringContaining("FLAGSTONE_NO_PER_FLAG: Write 1"),
  })
})

test("the variable of an option that takes any number of values is a list", async () => {
  const { err } = await flagstone("test", { FLAGSTONE_SUGGEST: "new-welcome,new-welcom" })
  expect(err).toContain("no flag `new-welcom`; did you mean `new-welcome`?")
})
