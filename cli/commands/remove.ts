import { rm } from "node:fs/promises"
import { relative, resolve } from "node:path"
import { Command } from "commander"
import { createExpressions } from "../../sdk/evaluation/expression.ts"
import { compileFiles } from "../compile/compile.ts"
import { loadEngine } from "../compile/grammar/expression-engine.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { plural } from "../diagnostics/plural.ts"
import { printable } from "../diagnostics/printable.ts"
import { suggest } from "../diagnostics/suggest.ts"
import { pathsFrom } from "../diagnostics/terminal.ts"
import { readWorkTree } from "../evaluate/read-work-tree.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { makeOfProject } from "../project/build-project.ts"
import { dependentsOf } from "../remove/dependents.ts"
import { filesToRemove } from "../remove/files-to-remove.ts"
import { taskText } from "../remove/task.ts"
import { valueToKeep } from "../remove/value-to-keep.ts"
import { onlyValue } from "../stale/find-stale.ts"
import { blocking, findUsages } from "../usages/find-usages.ts"
import { formatTooLarge } from "../usages/format.ts"
import { codeOption, flagsOption } from "./options.ts"

/** The options of `remove`. */
export interface RemoveOptions {
  readonly flags: string
  /** The value that code goes on with, as JSON; a text may stand without its quotes. `undefined`: the one that everybody gets. */
  readonly keep?: string
  /** Files and folders with code. `undefined`: the repository of the flags folder. */
  readonly code?: readonly string[]
  /** Print the task, and delete nothing. */
  readonly taskOnly?: boolean
  /** Delete, although code still refers to the flag. */
  readonly force?: boolean
}

export const removeCommand = (host: Host, exit: Exit): Command =>
  new Command("remove")
    .argument("<flag>", "the key of the flag")
    .addOption(flagsOption())
    .option("--keep <value>", "the value that code goes on with (default: the one that everybody gets)")
    .addOption(codeOption())
    .option("--task-only", "print what is to do in the code, and delete nothing")
    .option("--force", "delete the flag although code still refers to it")
    .addHelpText("after", "\nExample:\n  $ flagstone remove saved-carts --task-only")
    .action((key: string, options: RemoveOptions) => exit(runRemove(key, options, host)))

/** Prints the task on stdout. 1 where code still refers to the flag, or other flags ask for it: then it stays. */
export async function runRemove(key: string, options: RemoveOptions, host: Host): Promise<ExitStatus> {
  const folder = resolve(host.cwd, options.flags)
  const result = await makeOfProject({ flags: options.flags, allowShallow: true }, host, compileFiles, [
    "not-committed",
    "shallow-clone",
  ])
  if (result.kind === "errors") return result.status
  const tree = readWorkTree(folder, createReport())
  const compiled = result.made.flags.find(({ version }) => version.key === key)
  const definition = tree?.definitions.get(key)
  if (tree === undefined || compiled === undefined || definition === undefined) {
    const guess = suggest(key, [...(tree?.definitions.keys() ?? [])])
    throw new Failure(`no flag ${printable(key)}${guess === undefined ? "" : `; did you mean ${guess}?`}`)
  }
  const keep =
    options.keep === undefined
      ? onlyValue(compiled, createExpressions(loadEngine))
      : valueToKeep(options.keep, key, definition.type ?? "boolean")
  if (keep === undefined)
    throw new Failure(`${key} gives more than one value: name the one that code goes on with by --keep`)

  const code = (options.code ?? []).map((path) => resolve(host.cwd, path))
  const usages = await findUsages({ folder, git: host.git, code }, new Set(tree.definitions.keys()))
  host.stderr.write(formatTooLarge(usages))
  const left = blocking(usages.references.get(key) ?? [])
  const dependents = dependentsOf(key, tree.definitions.values())
  if (options.taskOnly || left.length > 0 || dependents.length > 0)
    host.stdout.write(
      taskText(key, keep, { references: left, tooLarge: usages.tooLarge }, dependents, pathsFrom(host)),
    )
  if (options.taskOnly) return 0
  if (dependents.length > 0) {
    const others = [...new Set(dependents.map((one) => one.key))]
    host.stderr.write(
      `${key} stays: ${others.map(printable).join(", ")} ${others.length === 1 ? "depends" : "depend"} on it\n`,
    )
    return 1
  }
  if (left.length > 0 && !options.force) {
    host.stderr.write(
      `${key} stays: ${plural(left.length, "reference")} left; --force deletes it all the same\n`,
    )
    return 1
  }
  for (const path of filesToRemove(definition, tree)) {
    await rm(path)
    host.stdout.write(`deleted ${printable(relative(host.cwd, path))}\n`)
  }
  return 0
}
