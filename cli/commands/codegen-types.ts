import { Command } from "commander"
import { parseMoment } from "../../sdk/evaluation/moment.ts"
import { declaredFlags } from "../codegen/declared-flags.ts"
import { typesText } from "../codegen/types.ts"
import { assemble } from "../compile/assemble.ts"
import { compileFiles } from "../compile/compile.ts"
import type { CompiledFlag } from "../compile/meaning/compiled-flag.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { type CompileRequest, makeOfProject } from "../project/build-project.ts"
import { flagsOption } from "./options.ts"

export const codegenTypesCommand = (host: Host, exit: Exit) =>
  new Command("types")
    .addOption(flagsOption())
    .addHelpText("after", "\nExample:\n  $ flagstone codegen types > flags.d.ts")
    .action((options) => exit(runCodegenTypes(options, host)))

/** Prints the declaration file on stdout. */
export async function runCodegenTypes(options: CompileRequest, host: Host): Promise<ExitStatus> {
  const result = await makeOfProject({ ...options, allowShallow: true }, host, compileFiles)
  if (result.kind === "errors") return result.status
  const { flags, history } = result.made
  const build = assemble(flags, history, result.input.project)
  host.stdout.write(typesText(declaredFlags(build), expiredFlags(flags, history.committedAt)))
  return 0
}

/** The expiry dates before the newest commit, so that a commit gives the same output on any day. */
function expiredFlags(
  flags: readonly CompiledFlag[],
  committedAt: number | undefined,
): ReadonlyMap<string, string> {
  const isOver = (date: string) => {
    const expiry = parseMoment(date)
    return expiry !== undefined && committedAt !== undefined && expiry <= committedAt
  }
  const dates = flags.map(({ version, facts }) => [version.key, facts.expires] as const)
  return new Map(dates.filter(([, date]) => isOver(date)))
}
