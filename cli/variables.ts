import { Command, type CommandUnknownOpts, type Option } from "commander"
import type { CommandTable } from "./command-table.ts"
import { printableLines } from "./diagnostics/printable.ts"
import { suggest } from "./diagnostics/suggest.ts"
import { Failure } from "./failure.ts"
import type { Exit, Host } from "./host.ts"

/**
 * Options that mean something different in each command: their variable includes the command's name. Every other option
 * means the same in all commands, and one variable sets it for all of them.
 */
const ownOfCommand = new Set(["check", "format", "allow-older"])

/**
 * Options that only their own command's variable sets. A machine that serves has `FLAGSTONE_KEYS`; that alone must not
 * make `publish` send keys, and where it is an address `diff` cannot read it. `FLAGSTONE_OUT` and `FLAGSTONE_FLAGS` are
 * folders, `FLAGSTONE_BASE_URL` is where flags are published, and `FLAGSTONE_PROJECT` is a name.
 */
const onlyOwn = new Set([
  "publish keys",
  "diff keys",
  "catalog out",
  "catalog base-url",
  "schema project",
  "keys create flags",
  "keys create out",
  "keys rotate out",
  "keys signing out",
])

/** Variables that set no option. */
const otherVariables = [
  "FLAGSTONE_SNAPSHOTS_AUTHORIZATION",
  "FLAGSTONE_PUBLISH_AUTHORIZATION",
  "FLAGSTONE_PATH_SECRET",
  "FLAGSTONE_SIGNING_KEY",
  "FLAGSTONE_EVENTS_SECRET",
  "FLAGSTONE_API_KEY", // of applications, too
]

/** The variable of an option: `FLAGSTONE_OUT` for `--out`; `FLAGSTONE_LINT_FORMAT` for the `--format` of `lint`. */
function variableOf(option: Option, command: CommandUnknownOpts): string {
  const own = [...pathOf(command), option.name()]
  return nameOf(ownOfCommand.has(option.name()) || onlyOwn.has(own.join(" ")) ? own : [option.name()])
}

/** The variable that all commands share for options of this name, even if this command now has its own. */
function sharedVariableOf(option: Option, command: CommandUnknownOpts): string {
  const own = [...pathOf(command), option.name()]
  return nameOf(onlyOwn.has(own.join(" ")) ? own : [option.name()])
}

/** Options that may be empty: a flag's value, and lists that may have nothing, such as a pull request's labels. `in` has its own answer. */
const mayBeEmpty = new Set(["everyone", "default", "accept", "accept-labels", "cors-origin", "in"])

/**
 * Throws `Failure` if the command line has an empty folder, file, URL or name, as from a shell's variable that is not set: the current
 * folder would be meant, or nothing.
 */
export function refuseEmpty(command: CommandUnknownOpts): void {
  const empty = command.options.find((option) => {
    const isGiven = command.getOptionValueSource(option.attributeName()) === "cli"
    const { length } = Object(command.getOptionValue(option.attributeName()))
    return isGiven && length === 0 && !mayBeEmpty.has(option.name())
  })
  const what = empty === undefined ? command.args.includes("") && "an argument" : `--${empty.name()}`
  if (what) throw new Failure(`${what} is empty: give a value, or leave it out`)
}

/** An option's value comes from the command line, then from the `FLAGSTONE_*` variable, then from the default. An empty variable counts as unset. */
export function readVariables(
  command: CommandUnknownOpts,
  { env, stderr }: Pick<Host, "env" | "stderr">,
): void {
  for (const option of command.options) {
    if (command.getOptionValueSource(option.attributeName()) === "cli") continue
    const name = variableOf(option, command)
    const old = sharedVariableOf(option, command)
    const given = [name, old].find((variable) => isSet(variable, env))
    if (given === undefined) continue
    command.setOptionValueWithSource(option.attributeName(), readVariable(option, given, env[given]), "env")
    if (given === name) continue
    stderr.write(`flagstone: ${given} is deprecated; use ${name}.\n`)
  }
}

/**
 * Reports `FLAGSTONE_*` variables that nothing reads, because they are probably misspelt. Their values may be secrets, so
 * only names are printed.
 */
export async function warnOfUnknownVariables(
  command: CommandUnknownOpts,
  table: CommandTable,
  host: Host,
): Promise<void> {
  const own = new Map([...otherVariables.map((name) => [name, name] as const), ...variablesOf(command)])
  const others = Object.keys(host.env).filter(
    (name) => name.startsWith("FLAGSTONE_") && !own.has(name) && isSet(name, host.env),
  )
  if (others.length === 0) return
  const known = new Map([...(await variablesOfAll(table, host)), ...own])
  for (const name of others.toSorted()) {
    if (known.has(name)) continue
    const similar = suggest(withoutPrefix(name), [...known.keys()].map(withoutPrefix))
    const guess = similar === undefined ? "." : `; did you mean \`${known.get(`FLAGSTONE_${similar}`)}\`?`
    host.stderr.write(`flagstone: ${printableLines(name)} is unknown and ignored${guess}\n`)
  }
}

/** The variables of all commands. This loads every command, so it is called only if a name is in doubt. */
async function variablesOfAll(
  table: CommandTable,
  host: Host,
  parent: CommandUnknownOpts = new Command(),
): Promise<readonly Variable[]> {
  const exit: Exit = () => Promise.resolve()
  const variables = Object.entries(table).map(async ([name, entry]) => {
    const command = "load" in entry ? (await entry.load())(host, exit) : new Command(name)
    parent.addCommand(command)
    return "load" in entry ? variablesOf(command) : await variablesOfAll(entry.commands, host, command)
  })
  return (await Promise.all(variables)).flat()
}

/** A name that is read, and the name to write. They differ for a deprecated name, which lacks the command's name. */
type Variable = readonly [read: string, written: string]

function variablesOf(command: CommandUnknownOpts): readonly Variable[] {
  return command.options.flatMap((option): readonly Variable[] => {
    const written = variableOf(option, command)
    return [
      [sharedVariableOf(option, command), written],
      [written, written],
    ]
  })
}

/** The words of a command line that name a command. The program itself has no parent. */
function pathOf(command: CommandUnknownOpts): readonly string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()]
}

function nameOf(words: readonly string[]): string {
  return ["FLAGSTONE", ...words].join("_").toUpperCase().replaceAll("-", "_")
}

function withoutPrefix(name: string): string {
  return name.slice("FLAGSTONE_".length)
}

function isSet(name: string, env: Host["env"]): boolean {
  const text = env[name]
  return text !== undefined && text !== "" && !isOfKubernetes(name, text)
}

/** True for variables that Kubernetes sets in every container of a namespace that has a Service named `flagstone…`. */
function isOfKubernetes(name: string, text: string): boolean {
  return (
    /^(tcp|udp|sctp):\/\//.test(text) || /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)/.test(name)
  )
}

function readVariable(option: Option, name: string, text = ""): unknown {
  try {
    if (option.negate) return !parseSwitch(text)
    if (option.isBoolean()) return parseSwitch(text)
    return option.parseArg === undefined ? text : option.parseArg(text, undefined)
  } catch (cause) {
    throw new Failure(`${name}: ${(cause as Error).message}`, { cause })
  }
}

function parseSwitch(text: string): boolean {
  if (/^(1|true)$/i.test(text)) return true
  if (/^(0|false)$/i.test(text)) return false
  throw new Error("Write 1, true, 0 or false.")
}
