import { Command } from "commander"
import { declaredFlags } from "../codegen/declared-flags.ts"
import { manifestText } from "../codegen/manifest.ts"
import { printable } from "../diagnostics/printable.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { flagsOption } from "./options.ts"
import { readSoundFlags } from "./refuse-errors.ts"

export const codegenManifestCommand = (host: Host, exit: Exit) =>
  new Command("manifest")
    .addOption(flagsOption())
    .addHelpText("after", "\nExample:\n  $ flagstone codegen manifest > flags.json")
    .action((options) => exit(runCodegenManifest(options.flags, host)))

/** Prints the manifest on stdout, and on stderr the keys that OpenFeature's CLI cannot turn into names. */
export async function runCodegenManifest(flagsFolder: string, host: Host): Promise<ExitStatus> {
  const tree = await readSoundFlags(flagsFolder, "nothing was written", host)
  if (typeof tree === "number") return tree
  const flags = declaredFlags(tree.flags.values(), tree.project)
  for (const { key } of flags)
    if (!/^[a-z][a-z0-9._-]*$/i.test(key))
      host.stderr.write(
        `${printable(key)} cannot become a function name: the generated code would not compile\n`,
      )
  host.stdout.write(manifestText(flags))
  return 0
}
