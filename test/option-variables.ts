import { Command, type CommandUnknownOpts, type Option } from "commander"
import { type CommandTable, commandTable } from "../cli/command-table.ts"
import { readVariables } from "../cli/variables.ts"
import { testHost } from "./test-host.ts"

/** An option of a command, and the variable that sets it. */
export interface OptionVariable {
  readonly variable: string
  readonly option: string
  readonly command: string
}

async function variablesOf(
  table: CommandTable,
  parent: CommandUnknownOpts,
): Promise<readonly OptionVariable[]> {
  const rows = Object.entries(table).map(async ([name, entry]) => {
    const within = (command: CommandUnknownOpts) => Object.assign(command, { parent })
    if ("commands" in entry) return variablesOf(entry.commands, within(new Command(name)))
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

/** Every option of every command. */
export const optionVariables = await variablesOf(commandTable, new Command())

/** The variables of the options of `serve`. */
export const serveVariables = optionVariables
  .filter(({ command }) => command === "serve")
  .map(({ variable }) => variable)
