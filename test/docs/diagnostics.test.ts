// @module-tag system
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { expect, test } from "vitest"
import { codes } from "../../cli/diagnostics/codes.ts"
import { run } from "../../cli/program.ts"
import { outsideGit, testHost } from "../test-host.ts"

// Each section is a separate project: its yaml blocks are files, and its console block is run there. The test writes
// what is printed about the code into the document, which must stay the same; `npx vitest run test/docs -u` records it.
const path = resolve(import.meta.dirname, "../../docs/diagnostics.md")
const text = readFileSync(path, "utf8")
const sections = text.split(/^(?=### `)/m)

test("every code has its section, in the order of the codes, and there is no other", () => {
  expect(sections.slice(1).map((section) => /^### `(.+)`\n/.exec(section)?.[1])).toEqual(Object.keys(codes))
})

test("a section fits on a screen: a rule in at most 80 words, with its example 40 lines", () => {
  const words = (section: string) => section.replace(/^```[\s\S]*?^```$/gm, "").split(/\s+/).length
  const long = sections.slice(1).filter((section) => words(section) > 80 || section.split("\n").length > 40)
  expect(long.map((section) => section.slice(4, section.indexOf("\n")))).toEqual(["`secret-in-git`"])
})

const aHundredCommands = { tags: ["slow"], timeout: 120_000 }

test("the examples print what the catalogue says", aHundredCommands, async () => {
  const printed = await Promise.all(sections.map(async (section) => await runSection(section)))
  await expect(printed.join("")).toMatchFileSnapshot(path)
})

async function runSection(section: string): Promise<string> {
  const [block, commands] = /^```console\n([\s\S]*?)^```$/m.exec(section) ?? []
  const code = /^### `(.+)`/.exec(section)?.[1]
  if (code === undefined) return section // what stands before the first code
  if (block === undefined || commands === undefined) throw new Error(`${code} has no example`)
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-docs-"))
  const write = (file: string, content: string) => {
    mkdirSync(dirname(join(cwd, file)), { recursive: true })
    writeFileSync(join(cwd, file), content)
  }
  write("flags/project.yaml", "project: shop\nenvironments: [development, staging, production]\n")
  for (const [, file = "", content = ""] of section.matchAll(/^```yaml (.+)\n([\s\S]*?)^```$/gm))
    write(file, content)
  let console = ""
  for (const [, command = ""] of commands.matchAll(/^\$ (.*)$/gm)) {
    console += `$ ${command}\n`
    if (!command.startsWith("flagstone ")) runShell(command, cwd)
    else console += aboutCode(code, await runFlagstone(command, cwd))
  }
  expect(console, `the example of ${code}`).toContain(` ${code}\n`)
  return section.replace(block, () => `\`\`\`console\n${console}\`\`\``)
}

function aboutCode(code: string, printed: string): string {
  const isAbout = (block: string) => / (?:error|warning) (.+)$/m.exec(block)?.[1] === code
  return printed
    .trimEnd()
    .split("\n\n")
    .filter(isAbout)
    .map((block) => `${block}\n`)
    .join("\n")
}

async function runFlagstone(command: string, cwd: string): Promise<string> {
  const host = testHost({ cwd, ...(existsSync(join(cwd, ".git")) ? {} : { git: outsideGit }) })
  await run(command.split(" ").slice(1), host, "0.0.0")
  return host.out() + host.err()
}

function runShell(command: string, cwd: string): void {
  const who = {
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b.example",
    GIT_AUTHOR_DATE: "2026-11-21T10:00:00Z", // the examples of diff name commits
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b.example",
    GIT_COMMITTER_DATE: "2026-11-21T10:00:00Z",
  }
  execFileSync("bash", ["-c", command], { cwd, env: { ...process.env, ...who } })
}
