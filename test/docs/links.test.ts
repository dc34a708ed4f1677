import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { expect, test } from "vitest"
import { commandTable } from "../../cli/command-table.ts"
import { run } from "../../cli/program.ts"
import { commandNames } from "../command-names.ts"
import { testHost } from "../test-host.ts"
import { anchorsOf, blocksOf, pages, proseOf, root } from "./pages.ts"

test("every relative link leads to a file, and to a heading of it", () => {
  const links = pages.flatMap(({ path, text }) =>
    [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = ""]) => ({ path, target }))
      .filter(({ target }) => !/^[a-z]+:/.test(target)),
  )
  expect(links.length).toBeGreaterThan(30)
  expect(links.filter(({ path, target }) => !leadsSomewhere(path, target))).toEqual([])
})

test("every page of docs/ is in the README's index", () => {
  const readme = pages.find(({ path }) => path === "README.md")?.text ?? ""
  const missing = pages.filter(({ path }) => path !== "README.md" && !readme.includes(`](${path})`))
  expect(missing.map(({ path }) => path)).toEqual([])
})

test("the README's table of commands names every command", () => {
  const [, table = ""] = readFileSync(join(root, "README.md"), "utf8").split("\n## Commands\n")
  const rows = (table.split("\n\n")[0] ?? "").split("\n").map((row) => row.split(/(?<!\\)\|/)[1] ?? "")
  const words = new Set(rows.flatMap((row) => row.match(/[a-z]+/g) ?? []))
  expect(commandNames(commandTable).filter((name) => !name.every((word) => words.has(word)))).toEqual([])
})

function leadsSomewhere(from: string, target: string): boolean {
  const [path = "", heading] = target.split("#")
  const file = path === "" ? from : relative(root, join(root, dirname(from), path))
  if (!existsSync(join(root, file))) return false
  if (heading === undefined) return true
  return (
    statSync(join(root, file)).isFile() && anchorsOf(readFileSync(join(root, file), "utf8")).includes(heading)
  )
}

const groups = Object.keys(commandTable).filter((name) => "commands" in (commandTable[name] ?? {}))
const commands = commandNames(commandTable)
  .map((words) => words.join(" "))
  .filter((command) => !groups.includes(command))
const help = new Map<string, string>()
for (const command of commands) {
  const host = testHost()
  await run([...command.split(" "), "--help"], host, "1.2.3")
  help.set(command, host.out())
}

/** What the changelog says was removed, and blocks. */
const leftOut = /^Removed:$[\s\S]*?(?=^New:$)|^```[\s\S]*?^```$/gm

/** Options of git, npm and others that the pages mention. */
const foreign =
  /^--(help|manifest|version|first-parent|filter|now|stop-timeout|env|rounds|seconds|save-dev|global)$/

test("every option that a page names is an option of Flagstone", () => {
  const named = pages.flatMap(({ path, text }) =>
    [...text.replace(leftOut, "").matchAll(/`[^`\n]*`/g)].flatMap(([code]) =>
      [...code.matchAll(/(?<=[`\s])--[a-z]+(-[a-z]+)*\b/g)].map(([option]) => ({ path, option })),
    ),
  )
  expect(named.length).toBeGreaterThan(30)
  const known = [...help.values()].join("\n")
  const unknown = named.filter(({ option }) => !foreign.test(option) && !known.includes(`${option} `))
  expect(unknown).toEqual([])
})

test("every command line of a shell block names an existing command and its options", () => {
  const lines = pages.flatMap(({ path, text }) =>
    blocksOf(text)
      .filter(({ language }) => language === "sh" || language === "console")
      .flatMap(({ language, text }) =>
        text
          .replace(/\\\n\s*/g, " ")
          .split("\n")
          .filter((line) => language === "sh" || line.startsWith("$ ")),
      )
      .flatMap((line) => line.match(/\bflagstone [a-z].*$/) ?? [])
      .map((line) => ({ path, line: line.replace(/\s#.*$/, "").split(/[|&;>]/)[0] ?? "" })),
  )
  expect(lines.length).toBeGreaterThan(15)
  const wrong = lines.filter(({ line }) => {
    const words = line.trim().split(/\s+/).slice(1)
    const command = groups.includes(words[0] ?? "") ? words.slice(0, 2).join(" ") : (words[0] ?? "")
    const text = help.get(command)
    return (
      text === undefined || (line.match(/--[a-z-]+/g) ?? []).some((option) => !text.includes(`${option} `))
    )
  })
  expect(wrong).toEqual([])
})
