import { rm } from "node:fs/promises"
import { resolve } from "node:path"
import { Command } from "commander"
import { createExpressions } from "../../sdk/evaluation/expression.ts"
import { plural } from "../diagnostics/plural.ts"
import { printable } from "../diagnostics/printable.ts"
import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import { pathsFrom } from "../diagnostics/terminal.ts"
import { printedPath } from "../diagnostics/workflow-commands.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { canonicalJson } from "../language/canonical-json.ts"
import { loadEngine } from "../language/expression-engine.ts"
import { filesToRemove } from "../remove/files-to-remove.ts"
import { taskText } from "../remove/task.ts"
import { valueToKeep } from "../remove/value-to-keep.ts"
import { givenByFlag } from "../stale/given.ts"
import { deciding, keepOf } from "../stale/keep.ts"
import { dependentsByKey } from "../usages/dependents.ts"
import { blocking, findUsages } from "../usages/find-usages.ts"
import { referenceRow, tooLargeLine } from "../usages/report.ts"
import { codeOption, flagsOption, type OptionsOf } from "./options.ts"
import { readSoundFlags } from "./refuse-errors.ts"

const declareRemove = () =>
  new Command("remove")
    .argument("<flag>", "the key of the flag")
    .addOption(flagsOption())
    .option(
      "--keep <value>",
      "the value that the code keeps (default: the one that everyone gets where protected)",
    )
    .addOption(codeOption())
    .option("--task-only", "print what to change in the code, and delete nothing")
    .option("--force", "delete the flag even if code still refers to it")
    .addHelpText("after", "\nExample:\n  $ flagstone remove saved-carts --task-only")

/** The options of `remove`. */
export type RemoveOptions = OptionsOf<typeof declareRemove>

export const removeCommand = (host: Host, exit: Exit) =>
  declareRemove().action((key, options) => exit(runRemove(key, options, host)))

/** Prints the task on stdout. Returns 1, and keeps the flag, if code still refers to it or other flags depend on it. */
export async function runRemove(key: string, options: RemoveOptions, host: Host): Promise<ExitStatus> {
  const folder = resolve(host.cwd, options.flags)
  const tree = await readSoundFlags(options.flags, "nothing was deleted", host)
  if (typeof tree === "number") return tree
  const { flags, project } = tree
  const resolved = flags.get(key)
  if (resolved === undefined) throw new Failure(`no flag ${quoted(key)}${didYouMean(key, [...flags.keys()])}`)
  const given = givenByFlag(resolved, project, createExpressions(loadEngine))
  const found = keepOf(given, canonicalJson(resolved.defaultValue))
  const keep = valueToKeep(options.keep, found, resolved)
  const changed = deciding(given).flatMap(({ environment, only }) => (only === keep ? [] : environment))

  const code = (options.code ?? []).map((path) => resolve(host.cwd, path))
  const usages = await findUsages({ folder, git: host.git, code }, new Set(flags.keys()))
  host.stderr.write(tooLargeLine(usages, pathsFrom(host)))
  const all = usages.references.get(key) ?? []
  const references = blocking(all)
  for (const reference of all.filter(({ kind }) => kind === "possible")) {
    const { path, line, column } = referenceRow(reference, pathsFrom(host))
    host.stderr.write(`possible reference: ${printable(path)}:${line}:${column}\n`)
  }
  const dependents = dependentsByKey(flags.values(), tree.invariants).get(key) ?? []
  const isForced = options.force === true && !options.taskOnly && dependents.length === 0
  if (options.taskOnly || references.length > 0 || dependents.length > 0) {
    const task = { key, keep, changed, references, dependents, isForced, tooLarge: usages.tooLarge }
    host.stdout.write(taskText({ ...task, options: ownOptions(options) }, pathsFrom(host)))
  }
  if (options.taskOnly) return 0
  if (dependents.length > 0) {
    const others = [...new Set(dependents.map((one) => one.name))].map(printable)
    const verb = others.length === 1 ? "depends" : "depend"
    host.stderr.write(`${key} was not deleted: ${others.join(", ")} ${verb} on it\n`)
    return 1
  }
  if (references.length > 0 && !options.force) {
    const count = plural(references.length, "reference")
    host.stderr.write(`${key} was not deleted: ${count} left; --force deletes it anyway\n`)
    return 1
  }
  for (const path of filesToRemove(resolved, tree)) {
    await rm(path)
    host.stderr.write(`deleted ${printedPath(path, host.cwd)}\n`)
  }
  return 0
}

/** The options that locate the flags and the code, for the commands in the task. */
function ownOptions({ flags, code = [] }: RemoveOptions): readonly string[] {
  return [...(flags === "flags" ? [] : ["--flags", flags]), ...code.flatMap((path) => ["--code", path])]
}
