import { Command } from "commander"
import { codes } from "../diagnostics/codes.ts"
import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { readPackageFile } from "../package-files.ts"

export const explainCommand = (host: Host, exit: Exit) =>
  new Command("explain")
    .argument("<code>", "the code of a diagnostic, such as bad-operand")
    .addHelpText("after", "\nExample:\n  $ flagstone explain unreachable-rule")
    .action((code) => exit(runExplain(code, host)))

/** Prints the section of a code in docs/diagnostics.md. Throws `Failure` if there is no such code. */
export async function runExplain(code: string, host: Host): Promise<ExitStatus> {
  const known = Object.keys(codes)
  const section = readPackageFile("docs/diagnostics.md")
    .split(/^(?=##+ )/m)
    .find((one) => one.startsWith(`### \`${code}\`\n`))
  if (section === undefined) throw new Failure(`no code ${quoted(code)}${didYouMean(code, known)}`)
  host.stdout.write(`${section.trimEnd()}\n`)
  return 0
}
