import { Command, CommanderError, type Option } from "commander"
import { buildCommand } from "./commands/build.ts"
import { devCommand } from "./commands/dev.ts"
import { initCommand } from "./commands/init.ts"
import { keysCommand } from "./commands/keys.ts"
import { lintCommand } from "./commands/lint.ts"
import { publishCommand } from "./commands/publish.ts"
import { serveCommand } from "./commands/serve.ts"
import { Failure } from "./failure.ts"
import type { ExitStatus, Host } from "./host.ts"

/** Runs a command line, without the program's name, to its end. The CLI's only catch is here. */
export async function run(args: readonly string[], host: Host, version: string): Promise<ExitStatus> {
  let status: ExitStatus = 0
  const program = createProgram(host, version, async (result) => {
    status = await result
  })
  try {
    await program.parseAsync(args, { from: "user" })
    return status
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    host.stderr.write(`flagstone: ${describe(error)}\n`)
    return 2
  }
}

/** What a command's action does with the exit status that its run function promises. */
export type Exit = (result: Promise<ExitStatus>) => Promise<void>

function createProgram(host: Host, version: string, exit: Exit): Command {
  const program = new Command("flagstone")
    .description("Feature flags, compiled from git into static documents, and a thin proxy that serves them.")
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => host.stdout.write(text),
      writeErr: (text) => host.stderr.write(text),
    })
    .hook("preAction", (_program, command) => readVariables(command, host.env))
  const commands = [
    buildCommand,
    lintCommand,
    devCommand,
    serveCommand,
    publishCommand,
    keysCommand,
    initCommand,
  ]
  for (const create of commands) program.addCommand(create(host, exit))
  inheritSettings(program)
  return program
}

function inheritSettings(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent)
    for (const option of command.options) option.description += ` (${variableOf(option.name())})`
    inheritSettings(command)
  }
}

/** Options come by flag, then by `FLAGSTONE_*` variable, then by default. */
function readVariables(command: Command, env: Host["env"]): void {
  for (const option of command.options) {
    const text = env[variableOf(option.name())]
    const name = option.attributeName()
    if (text === undefined || command.getOptionValueSource(name) === "cli") continue
    command.setOptionValueWithSource(name, readVariable(option, text), "env")
  }
}

function readVariable(option: Option, text: string): unknown {
  if (option.isBoolean()) return text !== "" && text !== "0" && text !== "false"
  try {
    return option.parseArg === undefined ? text : option.parseArg(text, undefined)
  } catch (cause) {
    throw new Failure(`${variableOf(option.name())}: ${(cause as Error).message}`, { cause })
  }
}

function variableOf(optionName: string): string {
  return `FLAGSTONE_${optionName.toUpperCase().replaceAll("-", "_")}`
}

/** A `Failure` and a system call's error say what is wrong; the trace of anything else helps to find our fault. */
function describe(error: unknown): string {
  if (error instanceof Failure) return error.message
  if (!(error instanceof Error)) return String(error)
  return "syscall" in error ? error.message : (error.stack ?? error.message)
}
