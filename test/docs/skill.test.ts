import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { CommandUnknownOpts } from "commander"
import { expect, test } from "vitest"
import { type CommandTable, commandTable } from "../../cli/command-table.ts"
import { testHost } from "../test-host.ts"
import { readPage, root } from "./pages.ts"

const path = "skills/flagstone/SKILL.md"
const { text } = readPage(path)

test("every command and option in the skill exists", async () => {
  const commands = await commandsIn(commandTable)
  const lines = [...text.matchAll(/(?<!`)`([^`\n]+)`(?!`)|^(?:\$ )?(npx .+)$/gm)].map(
    ([, span, line]) => span ?? line ?? "",
  )
  const named = lines.flatMap((line) => {
    const [first = "", second = ""] = line.replace(/^npx flagstone /, "").split(/\s+/)
    const command = commands.get(`${first} ${second}`) ?? commands.get(first)
    if (!line.startsWith("npx flagstone ") && command === undefined) return []
    expect(command, line).toBeDefined()
    return [{ line, command }]
  })
  expect(named.length).toBeGreaterThan(25)
  for (const { line, command } of named) expect(unknownOptions(line, command), line).toEqual([])

  const all = [...commands.values()].filter((command) => command !== "group")
  const loose = lines.filter((line) => /^--[a-z]/.test(line) && line !== "--help")
  expect(loose.length).toBeGreaterThan(4)
  for (const line of loose)
    expect(
      all.some((command) => unknownOptions(line, command).length === 0),
      line,
    ).toBe(true)
})

/** The options of a line that a command does not have, or whose value it does not take. */
function unknownOptions(line: string, command: CommandUnknownOpts | "group" | undefined): readonly string[] {
  const options = command === "group" ? [] : (command?.options ?? [])
  return [...line.matchAll(/(--[a-z-]+)(?: ([^\s-]\S*))?/g)].flatMap(([whole, name, value]) => {
    const option = options.find(({ long }) => long === name)
    const takes = option?.argChoices === undefined || option.argChoices.includes(value ?? "")
    return option !== undefined && takes ? [] : [whole]
  })
}

/** Every command by its words; the first word of a group is "group". */
async function commandsIn(
  table: CommandTable,
  before = "",
): Promise<Map<string, CommandUnknownOpts | "group">> {
  const found = new Map<string, CommandUnknownOpts | "group">()
  for (const [name, entry] of Object.entries(table)) {
    const words = `${before}${name}`
    if ("commands" in entry) {
      found.set(words, "group")
      for (const [key, command] of await commandsIn(entry.commands, `${words} `)) found.set(key, command)
    } else {
      const create = await entry.load()
      found.set(
        words,
        create(testHost({ cwd: root }), async () => {}),
      )
    }
  }
  return found
}

test("the skill is short, has a name and a description, and is in the package", () => {
  expect(text.split("\n").length - 1).toBeLessThanOrEqual(120)
  expect(text).toMatch(/^---\nname: flagstone\ndescription: .{50,1024}\n---\n/)
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  expect(files).toContain("skills")
})
