import { Command } from "commander"
import { parseMoment } from "../../sdk/evaluation/moment.ts"
import { declaredFlags } from "../codegen/declared-flags.ts"
import { typesText } from "../codegen/types.ts"
import { factsOf } from "../flag/file-facts.ts"
import { findRepository } from "../history/repository.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import type { Flag } from "../language/flag.ts"
import { flagsOption } from "./options.ts"
import { readSoundFlags } from "./refuse-errors.ts"

export const codegenTypesCommand = (host: Host, exit: Exit) =>
  new Command("types")
    .addOption(flagsOption())
    .addHelpText("after", "\nExample:\n  $ flagstone codegen types > flags.d.ts")
    .action((options) => exit(runCodegenTypes(options.flags, host)))

/** Prints the declaration file on stdout. */
export async function runCodegenTypes(flagsFolder: string, host: Host): Promise<ExitStatus> {
  const tree = await readSoundFlags(flagsFolder, "nothing was written", host)
  if (typeof tree === "number") return tree
  const flags = [...tree.flags.values()]
  const repository = await findRepository(tree.project.folder, host.git)
  const committedAt = repository.kind === "inside" ? repository.committedAt : undefined
  host.stdout.write(typesText(declaredFlags(flags, tree.project), expiredFlags(flags, committedAt)))
  return 0
}

/** The expiry dates before the newest commit, so that a commit gives the same output on any day. */
function expiredFlags(flags: readonly Flag[], committedAt: number | undefined): ReadonlyMap<string, string> {
  const isOver = (date: string) => {
    const expiry = parseMoment(date)
    return expiry !== undefined && committedAt !== undefined && expiry <= committedAt
  }
  const dates = flags.map((flag) => [flag.key, factsOf(flag).expires] as const)
  return new Map(dates.filter(([, date]) => isOver(date)))
}
