import { Command } from "commander"
import { declaredFlags } from "../codegen/declared-flags.ts"
import { manifestText } from "../codegen/manifest.ts"
import { printable } from "../diagnostics/printable.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { type CompileRequest, compileProject } from "../project/build-project.ts"
import { compile } from "../project/compile.ts"
import { flagsOption } from "./options.ts"

export const codegenManifestCommand = (host: Host, exit: Exit) =>
  new Command("manifest")
    .addOption(flagsOption())
    .addHelpText("after", "\nExample:\n  $ flagstone codegen manifest > flags.json")
    .action((options) => exit(runCodegenManifest(options, host)))

/** Prints the manifest on stdout, and on stderr the keys that OpenFeature's CLI cannot turn into names. */
export async function runCodegenManifest(options: CompileRequest, host: Host): Promise<ExitStatus> {
  const result = await compileProject({ ...options, allowShallow: true }, host, compile)
  if (result.kind === "errors") return result.status
  const flags = declaredFlags(result.made)
  for (const { key } of flags)
    if (!/^[a-z][a-z0-9._-]*$/i.test(key))
      host.stderr.write(
        `${printable(key)} cannot become a function name: the generated code would not compile\n`,
      )
  host.stdout.write(manifestText(flags))
  return 0
}
