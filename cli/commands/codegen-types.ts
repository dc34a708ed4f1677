import { Command } from "commander"
import { declaredFlags } from "../codegen/declared-flags.ts"
import { typesText } from "../codegen/types.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { type CompileRequest, compileProject } from "../project/build-project.ts"
import { flagsOption } from "./options.ts"

export const codegenTypesCommand = (host: Host, exit: Exit): Command =>
  new Command("types")
    .addOption(flagsOption())
    .addHelpText("after", "\nExample:\n  $ flagstone codegen types > flags.d.ts")
    .action((options: CompileRequest) => exit(runCodegenTypes(options, host)))

/** Prints the declaration file on stdout. */
export async function runCodegenTypes(options: CompileRequest, host: Host): Promise<ExitStatus> {
  const result = await compileProject({ ...options, allowShallow: true }, host)
  if (result.kind === "errors") return result.status
  host.stdout.write(typesText(declaredFlags(result.made)))
  return 0
}
