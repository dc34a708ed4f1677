import { Command } from "commander"
import { parseMoment } from "../../sdk/evaluation/moment.ts"
import { declaredFlags } from "../codegen/declared-flags.ts"
import { typesText } from "../codegen/types.ts"
import { factsOf } from "../flag/file-facts.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import type { Flag } from "../language/flag.ts"
import { assemble } from "../project/assemble.ts"
import { type CompileRequest, compileProject } from "../project/build-project.ts"
import { dateProject } from "../project/compile.ts"
import { flagsOption } from "./options.ts"

export const codegenTypesCommand = (host: Host, exit: Exit) =>
  new Command("types")
    .addOption(flagsOption())
    .addHelpText("after", "\nExample:\n  $ flagstone codegen types > flags.d.ts")
    .action((options) => exit(runCodegenTypes(options, host)))

/** Prints the declaration file on stdout. */
export async function runCodegenTypes(options: CompileRequest, host: Host): Promise<ExitStatus> {
  const result = await compileProject({ ...options, allowShallow: true }, host, dateProject)
  if (result.kind === "errors") return result.status
  const { flags, history } = result.made
  const build = assemble(result.made)
  host.stdout.write(typesText(declaredFlags(build), expiredFlags(flags, history.committedAt)))
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
