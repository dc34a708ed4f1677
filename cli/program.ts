import { Command, CommanderError, type CommandUnknownOpts } from "commander"
import { type CommandEntry, type CommandGroup, type CommandTable, commandTable } from "./command-table.ts"
import { maskSecrets } from "./diagnostics/mask-secrets.ts"
import { printableLines } from "./diagnostics/printable.ts"
import { withoutCommands } from "./diagnostics/workflow-commands.ts"
import { Failure } from "./failure.ts"
import type { Exit, ExitStatus, Host } from "./host.ts"
import { locateDefaults } from "./project/locate-flags.ts"
import { readVariables, refuseEmpty, warnOfUnknownVariables } from "./variables.ts"

/** Runs a command line, given without the program's name. Every error ends here. */
export async function run(args: readonly string[], host: Host, version: string): Promise<ExitStatus> {
  let status: ExitStatus = 0
  const program = await createProgram(args, host, version, async (result) => {
    status = await result
  })
  try {
    await program.parseAsync(args, { from: "user" })
    return status
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    host.stderr.write(withoutCommands(`flagstone: ${printableLines(withoutSecrets(describe(error)))}\n`))
    return 2
  }
}

async function createProgram(
  args: readonly string[],
  host: Host,
  version: string,
  exit: Exit,
): Promise<Command> {
  const program = new Command("flagstone")
    .description("Feature flags compiled from git into static documents, and a thin proxy that serves them.")
    .version(version)
    .addHelpText("after", exampleText("flagstone dev"))
    .exitOverride()
    .configureHelp({ minWidthToWrap: 30 }) // of 80 columns, the options' names may take 50
    .configureOutput({
      writeOut: (text) => host.stdout.write(text),
      writeErr: (text) => host.stderr.write(withoutSecrets(text)),
      outputError: (text, write) => write(withOwnWord(text.replace(/^error: /, "flagstone: "), args)),
    })
    .hook("preAction", async (_program, command) => {
      await warnOfUnknownVariables(command, commandTable, host)
      readVariables(command, host)
      refuseEmpty(command)
      locateDefaults(command, host.cwd)
    })
  await addCommands(program, commandTable, args)
  inheritSettings(program)
  return program

  /**
   * Adds every command of a table by name and description, and loads only the one that `words` name: loading all takes
   * longer than most commands take to run.
   */
  async function addCommands(
    parent: CommandUnknownOpts,
    table: CommandTable,
    words: readonly string[],
  ): Promise<void> {
    const [named, ...rest] = words.filter((word) => word !== "help" && !word.startsWith("-"))
    for (const [name, entry] of Object.entries(table)) {
      const isNamed = named !== undefined && (named === name || named === aliasOf(entry))
      const command = isNamed && "load" in entry ? (await entry.load())(host, exit) : new Command(name)
      command.description(entry.description)
      const alias = aliasOf(entry)
      if (alias !== undefined) command.alias(alias)
      if ("commands" in entry) {
        await addCommands(command, entry.commands, isNamed ? rest : [])
        command.addHelpText("after", exampleText(entry.example))
      }
      if (command.options.length > 0) command.addHelpText("after", variablesText)
      parent.addCommand(command)
    }
  }
}

function aliasOf(entry: CommandEntry | CommandGroup): string | undefined {
  return "alias" in entry ? entry.alias : undefined
}

/** Adds to the message about an unknown option of `set` which one has another tool's word. */
function withOwnWord(text: string, [command]: readonly string[]): string {
  if (command !== "set") return text
  return text.replace(/'--(percent(age)?|rollout|weight)'\n$/, "$&(Did you mean --share?)\n")
}

const variablesText = "\nEach option has an environment variable: docs/command-line.md names it."

function exampleText(commandLine: string): string {
  return `\nExample:\n  $ ${commandLine}`
}

function inheritSettings(parent: CommandUnknownOpts): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent)
    inheritSettings(command)
  }
}

/** Someone may paste a secret, or its beginning, as an argument, or give the private key as the public one. */
function withoutSecrets(text: string): string {
  return maskSecrets(text).replace(/fsk_\w+/g, "fsk_…")
}

/** A `Failure` and a system call's error say what is wrong. Anything else is a bug of ours, and its stack helps to find it. */
function describe(error: unknown): string {
  if (error instanceof Failure) return error.message
  if (!(error instanceof Error)) return String(error)
  return "syscall" in error ? error.message : (error.stack ?? error.message)
}
