import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Command, type CommandUnknownOpts, type Option } from "commander"
import { expect, test } from "vitest"
import { type CommandTable, commandTable } from "../../cli/command-table.ts"
import { readVariables } from "../../cli/variables.ts"
import { testHost } from "../test-host.ts"
import { readPage, root } from "./pages.ts"

const page = "docs/command-line.md"

test("every option is in the table of variables, with the variable that sets it", async () => {
  const { text } = readPage(page)
  const rows = await rowsOf(commandTable, new Command())
  const table = /(?<=^\| variable \| option \| commands \|\n(?:\| -+ ){3}\|\n)(\|.*\n)+/m
  expect(text).toMatch(table)
  await expect(text.replace(table, format(rows))).toMatchFileSnapshot(join(root, page))
})

test("every variable that code reads by its name is on the page", () => {
  const { text } = readPage(page)
  const names = ["cli", "proxy"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .flatMap((path) => readFileSync(join(root, folder, path), "utf8").match(/\benv\.FLAGSTONE_\w+/g) ?? []),
  )
  expect(names.length).toBeGreaterThan(3)
  for (const name of names) expect(text).toContain(`\`${name.slice("env.".length)}\``)
})

interface Row {
  readonly variable: string
  readonly option: string
  readonly command: string
}

async function rowsOf(table: CommandTable, parent: CommandUnknownOpts): Promise<readonly Row[]> {
  const rows = Object.entries(table).map(async ([name, entry]) => {
    const within = (command: CommandUnknownOpts) => Object.assign(command, { parent })
    if ("commands" in entry) return rowsOf(entry.commands, within(new Command(name)))
    const create = await entry.load()
    const load = () => within(create(testHost(), async () => undefined))
    return load().options.map((option) => ({
      variable: variableOf(option, load),
      option: `--${option.name()}`,
      command: wordsOf(load()).join(" "),
    }))
  })
  return (await Promise.all(rows)).flat()
}

/** The variable that sets an option: of those that it could have, the first that is read. */
function variableOf(option: Option, load: () => CommandUnknownOpts): string {
  const name = (words: readonly string[]) =>
    ["FLAGSTONE", ...words, option.name()].join("_").toUpperCase().replaceAll("-", "_")
  const found = [name(wordsOf(load())), name([])].find((variable) => isRead(variable, option, load()))
  if (found === undefined) throw new Error(`no variable sets --${option.name()}`)
  return found
}

function isRead(variable: string, option: Option, command: CommandUnknownOpts): boolean {
  try {
    readVariables(command, testHost({ env: { [variable]: "1" } }))
  } catch (error) {
    return (error as Error).message.startsWith(`${variable}: `) // it is read, though 1 is no value for this option
  }
  return command.getOptionValueSource(option.attributeName()) === "env"
}

function wordsOf(command: CommandUnknownOpts): readonly string[] {
  return command.parent === null ? [] : [...wordsOf(command.parent), command.name()]
}

function format(rows: readonly Row[]): string {
  const byVariable = Map.groupBy(rows, ({ variable }) => variable)
  return [...byVariable]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([variable, rows]) => {
      const options = [...new Set(rows.map(({ option }) => option))].map((option) => `\`${option}\``)
      const commands = rows.map(({ command }) => `\`${command}\``).sort()
      return `| \`${variable}\` | ${options.join(", ")} | ${commands.join(", ")} |\n`
    })
    .join("")
}
