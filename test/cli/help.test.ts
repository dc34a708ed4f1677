import { join } from "node:path"
import { expect, test } from "vitest"
import { type CommandEntry, type CommandGroup, commandTable } from "../../cli/command-table.ts"
import { run } from "../../cli/program.ts"
import { commandNames } from "../command-names.ts"
import { golden } from "../golden-page.ts"
import { testHost } from "../test-host.ts"

const everyCommand = [[], ...commandNames(commandTable)]

test.each(everyCommand.map((command) => [command.join(" "), command] as const))(
  "flagstone %s --help shows an example, and fits into 80 columns",
  async (name, command) => {
    const host = testHost()
    expect(await run([...command, "--help"], host, "1.2.3")).toBe(0)
    const out = host.out()
    expect(out).toMatch(new RegExp(`Example:\n +\\$ .*flagstone ${name}`))
    const [options = ""] = out.split("\nExample:") // an example is one command line, however long
    expect(options.split("\n").filter((line) => line.length > 80)).toEqual([])
  },
)

test.each(everyCommand.map((command) => [command.join(" "), command] as const))(
  "flagstone %s says what each option is for, has the limits that it names, and takes its own defaults",
  async (_, command) => {
    let entry: CommandEntry | CommandGroup | undefined
    for (const word of command)
      entry = (entry === undefined ? commandTable : "commands" in entry ? entry.commands : {})[word]
    if (entry === undefined || !("load" in entry)) return
    const { options, registeredArguments } = (await entry.load())(testHost(), async () => {})
    for (const { description } of [...options, ...registeredArguments]) expect(description).toMatch(/^[a-z]/i)
    for (const { long, parseArg, argChoices, defaultValue, defaultValueDescription: shown = "" } of options) {
      if (/^\d/.test(shown)) expect(parseArg?.(shown, undefined), long).toEqual(defaultValue)
      if (argChoices !== undefined) expect([...argChoices, undefined], long).toContain(defaultValue)
    }
  },
)

// test/golden/help.txt is what each command's --help prints; `npx vitest run help -u` writes it.

test("help of every command", async () => {
  let all = ""
  for (const command of everyCommand) {
    const host = testHost()
    expect(await run([...command, "--help"], host, "1.2.3")).toBe(0)
    all += `$ ${["flagstone", ...command].join(" ")} --help\n${host.out()}${host.err()}\n`
  }
  await expect(all).toMatchFileSnapshot(join(golden, "help.txt"))
})
