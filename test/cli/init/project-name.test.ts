import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { run } from "../../../cli/program.ts"
import { outsideGit, testHost } from "../../test-host.ts"

const source = JSON.stringify({
  flags: { a: { state: "ENABLED", variants: { on: true, off: false }, defaultVariant: "on" } },
})

/** Runs a command in a new folder, as a user who types `stdin` on a terminal would unless it is `undefined`. */
async function flagstone(folderName: string, args: readonly string[], stdin?: string, projectText?: string) {
  const cwd = join(mkdtempSync(join(tmpdir(), "flagstone-name-")), folderName)
  mkdirSync(cwd)
  writeFileSync(join(cwd, "a.json"), source)
  if (projectText !== undefined) {
    mkdirSync(join(cwd, "flags"))
    writeFileSync(join(cwd, "flags/project.yaml"), projectText)
  }
  const isTerminal = { stdin: stdin !== undefined, stdout: false, stderr: stdin !== undefined }
  const host = testHost({ cwd, git: outsideGit, isTerminal, stdin: stdin ?? "typed\n" })
  const status = await run(args, host, "0.0.0")
  const file = join(cwd, "flags/project.yaml")
  const [, name] = existsSync(file) ? (/^project: "?([^"\n]*)/m.exec(readFileSync(file, "utf8")) ?? []) : []
  return { status, name, out: host.out(), err: host.err() }
}

const existing = "project: shop\nenvironments: [production]\n"

const rule =
  "a project's name must be 1 to 64 letters, digits, `.`, `_` and `-`, starting with a letter or digit"

describe.each([
  ["init", ["init"]],
  ["import", ["import", "flagd", "production=a.json"]],
])("%s calls a new project", (command, args) => {
  test("as --project says, without asking", async () => {
    const found = await flagstone("shop", [...args, "--project", "store"], "typed\n")
    expect(found).toMatchObject({ status: 0, name: "store", err: "" })
    expect(found.out).not.toContain("store")
  })

  test.each([
    ["store\n", "store"],
    ["  store \n", "store"],
    ["\n", "shop"],
    ["store", "store"],
  ])("as is answered on a terminal: %j", async (answer, name) => {
    const found = await flagstone("shop", args, answer)
    expect(found).toMatchObject({ status: 0, name, err: "Name of the project [shop]: " })
    expect(found.out).not.toMatch(/the project (?:is called )?`?(?:shop|store)/)
  })

  test("as the second answer says if the first is not a name", async () => {
    expect(await flagstone("Our shop", args, "Our shop\n\nstore\n")).toMatchObject({
      ...{ status: 0, name: "store" },
      err: `Name of the project: ${rule}\nName of the project: ${rule}\nName of the project: `,
    })
  })

  test("in no way if the terminal ends", async () => {
    expect(await flagstone("shop", args, "")).toMatchObject({
      ...{ status: 2, name: undefined },
      err: "Name of the project [shop]: \nflagstone: no answer: name the project with --project\n",
    })
  })

  test("after its folder if there is no terminal, and says so", async () => {
    const found = await flagstone("shop", args)
    expect(found).toMatchObject({ status: 0, name: "shop", err: "" })
    expect(found.out).toContain(
      command === "init"
        ? "flags/project.yaml: the project is called shop, as its folder is\n"
        : "project.yaml calls the project `shop` and protects `production`: correct that before you publish\n",
    )
  })

  test("in no way if its folder has no such name", async () => {
    expect(await flagstone("Our shop", args)).toMatchObject({
      ...{ status: 2, name: undefined, out: "" },
      err: `flagstone: name the project with --project, because its folder is called "Our shop": ${rule}\n`,
    })
  })

  test("in no way if --project is not a name", async () => {
    expect(await flagstone("shop", [...args, "--project", "Our shop"])).toMatchObject({
      ...{ status: 2, name: undefined, out: "" },
      err: `flagstone: --project Our shop: ${rule}\n`,
    })
  })
})

test.each([
  ["init", ["init", "--ci", "github"], "flags/project.yaml already exists: nothing was changed"],
  [
    "import",
    ["import", "flagd", "production=a.json"],
    "flags/project.yaml already calls the project shop: import without --project store",
  ],
])("%s does not rename a project", async (_, args, message) => {
  const found = await flagstone("shop", [...args, "--project", "store"], undefined, existing)
  expect(found).toMatchObject({ status: 2, name: "shop", err: `flagstone: ${message}\n` })
})

test("import takes the name of a project that it has for no mistake", async () => {
  const args = ["import", "flagd", "production=a.json", "--project", "shop"]
  expect(await flagstone("shop", args, undefined, existing)).toMatchObject({ status: 0 })
})

test("a dry run does not ask", async () => {
  const found = await flagstone("shop", ["import", "flagd", "production=a.json", "--dry-run"], "typed\n")
  expect(found).toMatchObject({ status: 0, err: "" })
  expect(found.out).toContain("calls the project `shop`")
})
